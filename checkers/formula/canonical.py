"""The canonical text of a formula claim: equal for twins that are renamed, reordered or reformatted. Trusted.

Terms are put into normal form (`rewrite`); free constants are named by colour refinement, ties by trying each member
of the smallest tied class and keeping the least text (Weisfeiler and Leman 1968; McKay, "Practical graph isomorphism",
1981). Declared functions and sorts keep their names. The text spells the whole formula out, so equal texts mean equal
formulas up to the names of free constants: no digest stands for a part of it. Where ties are too many, or a script has
no terms here, the claim's own script is its text, and only reformatted twins are found.
"""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass, field
from hashlib import blake2b

from checkers.formula.elaborate import Elaborator, Opaque
from checkers.formula.rewrite import COMMUTATIVE, Rewriter
from checkers.formula.smtlib import Script, print_script
from checkers.formula.terms import Graph, Term, TooLarge
from verifier.model import Canonical

MAX_NODES = 20_000
"""Nodes of a formula that is given a canonical text."""
MAX_LEAVES = 64
"""Complete namings that the tie search may look at."""

MAX_WORK = 400_000
"""Nodes that the search may digest, all rounds together (a second or two)."""

Colours = Mapping[Term, bytes]


class Overflow(Exception):
    """The tie search became too large."""


def canonicalise(script: Script, question: str) -> Canonical:
    """The canonical text of a question about a script, and the renaming of its free constants into it."""
    try:
        formula, elaborator = elaborate(script)
        text, names = Naming(formula).best()
    except (Opaque, TooLarge, Overflow):
        return Canonical(f"formula as written\n{question}\n{print_script(script, negate=False).text}", {})
    used = {str(node.data) for node in reachable(formula) if node.op == "apply"}
    header = [f"{name} {elaborator.declared[name]!r}" for name in sorted(used)]
    return Canonical("\n".join(["formula", question, *header, text]), names)


def elaborate(script: Script) -> tuple[Term, Elaborator]:
    """The conjunction of a script's assertions in normal form. Raises VerifierError, Opaque and TooLarge."""
    graph = Graph()
    rewriter = Rewriter(graph)
    elaborator = Elaborator(script, graph, rewriter.make)
    return rewriter.junction("and", elaborator.run()), elaborator


def reachable(root: Term) -> list[Term]:
    """All nodes of a term, parts before wholes."""
    found: dict[Term, None] = {}
    stack = [root]
    while stack:
        node = stack.pop()
        if node not in found:
            found[node] = None
            stack += node.args
    return sorted(found, key=lambda node: node.number)


def mix(*parts: bytes) -> bytes:
    """A digest of parts. Colours only steer the search: a collision costs a hit, no more."""
    return blake2b(b"\0".join(parts), digest_size=16).digest()


@dataclass(slots=True)
class Naming:
    """The search for the canonical names of one formula's free constants."""

    root: Term
    nodes: list[Term] = field(init=False)
    free: list[Term] = field(init=False)
    leaves: int = 0
    work: int = 0
    _labels: dict[Term, bytes] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.nodes = reachable(self.root)
        if len(self.nodes) > MAX_NODES:
            raise TooLarge
        self.free = [node for node in self.nodes if node.op == "free"]
        for node in self.nodes:
            data = None if node.op == "free" else node.data
            self._labels[node] = repr((node.op, spelled(data), node.sort)).encode()

    def best(self) -> tuple[str, dict[str, str]]:
        """The least text over all namings, and its names. Raises Overflow."""
        return self._search({node: self._labels[node] for node in self.free})

    def _search(self, colours: Colours) -> tuple[str, dict[str, str]]:
        colours = self.refine(colours)
        classes: dict[bytes, list[Term]] = {}
        for node in self.free:
            classes.setdefault(colours[node], []).append(node)
        tied = min(((len(members), colour) for colour, members in classes.items() if len(members) > 1), default=None)
        if tied is None:
            self.leaves += 1
            if self.leaves > MAX_LEAVES:
                raise Overflow
            return self.text(self.hashes(colours))
        tried: list[Term] = []
        found: list[tuple[str, dict[str, str]]] = []
        for member in classes[tied[1]]:
            if not any(self._interchangeable(colours, member, other) for other in tried):
                tried.append(member)
                found.append(self._search({**colours, member: mix(b"chosen", colours[member])}))
        return min(found, key=lambda pair: pair[0])

    def _interchangeable(self, colours: Colours, a: Term, b: Term) -> bool:
        """Whether swapping two constants leaves the formula as it is: then one of them stands for both."""
        first = self.hashes({**colours, a: b"first", b: b"second"})
        second = self.hashes({**colours, a: b"second", b: b"first"})
        return first[self.root] == second[self.root]

    def refine(self, colours: Colours) -> Colours:
        """Colour constants by where they stand, until no class splits any more."""
        count = len(set(colours.values()))
        while True:
            hashes = self.hashes(colours)
            places = self._places(hashes)
            finer = {node: mix(colours[node], places[node]) for node in self.free}
            classes = len(set(finer.values()))
            if classes == count:
                return colours
            colours, count = finer, classes

    def hashes(self, colours: Colours) -> dict[Term, bytes]:
        """For each node a digest of its structure, given the constants' colours."""
        self.work += len(self.nodes)
        if self.work > MAX_WORK:
            raise Overflow
        found: dict[Term, bytes] = {}
        for node in self.nodes:
            parts = [found[arg] for arg in node.args]
            if node.op in COMMUTATIVE:
                parts.sort()
            found[node] = colours[node] if node.op == "free" else mix(self._labels[node], *parts)
        return found

    def _places(self, hashes: Mapping[Term, bytes]) -> dict[Term, bytes]:
        """For each node a digest of everything above it."""
        above: dict[Term, list[bytes]] = {node: [] for node in self.nodes}
        places: dict[Term, bytes] = {}
        for node in reversed(self.nodes):
            places[node] = mix(*sorted(above[node]))
            here = places[node] + hashes[node]
            if node.op in COMMUTATIVE:
                for arg in node.args:
                    above[arg].append(here)
            else:
                for index, arg in enumerate(node.args):
                    above[arg].append(here + b"%d" % index)
        return places

    def text(self, hashes: Mapping[Term, bytes]) -> tuple[str, dict[str, str]]:
        """The formula spelled out, one line a node, `(op, data, sort, arguments by line)`; and the constants' names."""
        numbers: dict[Term, int] = {}
        names: dict[str, str] = {}
        lines: list[str] = []
        stack: list[Term] = [self.root]
        while stack:
            node = stack[-1]
            args: Sequence[Term] = node.args
            if node.op in COMMUTATIVE:
                args = sorted(args, key=lambda arg: hashes[arg])
            missing = [arg for arg in args if arg not in numbers]
            if node in numbers or not missing:
                stack.pop()
            if node in numbers:
                continue
            if missing:
                stack += reversed(missing)
                continue
            numbers[node] = len(numbers)
            data = node.data
            if node.op == "free":
                data = names[str(node.data)] = f"c{len(names)}"
            lines.append(f"({node.op!r}, {spelled(data)}, {node.sort!r}, {[numbers[arg] for arg in args]})")
        return "\n".join(lines), names


def spelled(data: Hashable) -> str:
    """The data of a node; values of different types never look alike."""
    return repr(data)
