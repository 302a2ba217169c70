"""Policies: which checks and which level a verdict needs before it may be final. A tree of small composable nodes.

As JSON: `{"all": […]}`, `{"any": […]}`, `{"k_of": {"k": 2, "of": […]}}`, and the leaves `{"check": NAME OR ROLE}` and
`{"level_at_least": "L1"}`. An empty node, k = 0, k above the number of children, unknown leaves and further keys are
errors. "0 of 0" fails. Whatever a policy says, nothing below `FLOOR` is ever `verified` or `refuted`.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol

from verifier.errors import VerifierError
from verifier.fields import Fields
from verifier.keys import DEPTH, canonical_json, digest
from verifier.model import Check, Json, Level, Result

FLOOR = Level.L1
"""One solver alone (L0) never decides."""


class Node(Protocol):
    """One node of a policy."""

    def proved(self, checks: Sequence[Check], level: Level) -> bool:
        """Whether a proof with these checks and this level satisfies the node."""
        ...

    def tolerates(self, level: Level) -> bool | None:
        """Whether a counterexample at this level satisfies the node; None where the node speaks of proofs only."""
        ...

    def to_json(self) -> Json:
        """The node as canonical JSON holds it."""
        ...


@dataclass(frozen=True, slots=True)
class KOf:
    """At least `k` of the nodes; `all` and `any` are the two extremes, written by their names."""

    k: int
    of: tuple[Node, ...]
    spelling: str = "k_of"

    def proved(self, checks: Sequence[Check], level: Level) -> bool:
        """At least `k` nodes are satisfied."""
        return 0 < self.k <= sum(node.proved(checks, level) for node in self.of)

    def tolerates(self, level: Level) -> bool | None:
        """At least `k` of the nodes that speak of counterexamples (or all of those, if they are fewer)."""
        answers = [answer for node in self.of if (answer := node.tolerates(level)) is not None]
        return None if not answers else min(self.k, len(answers)) <= sum(answers)

    def to_json(self) -> Json:
        """Under the name that it was written with."""
        children: list[Json] = [node.to_json() for node in self.of]
        return {"k_of": {"k": self.k, "of": children}} if self.spelling == "k_of" else {self.spelling: children}


@dataclass(frozen=True, slots=True)
class Named:
    """At least one check has this name or role, and every one that has it passed."""

    name: str

    def proved(self, checks: Sequence[Check], level: Level) -> bool:  # noqa: ARG002  # one signature for all nodes
        """All of one or more."""
        found = [item.result for item in checks if self.name in (item.obligation.name, item.obligation.role)]
        return bool(found) and all(result is Result.PASS for result in found)

    def tolerates(self, level: Level) -> bool | None:  # noqa: ARG002  # one signature for all nodes
        """Names belong to proofs."""
        return None

    def to_json(self) -> Json:
        """`{"check": NAME}`."""
        return {"check": self.name}


@dataclass(frozen=True, slots=True)
class AtLeast:
    """The certificate's level, the minimum over its obligations, is at least this."""

    level: Level

    def proved(self, checks: Sequence[Check], level: Level) -> bool:  # noqa: ARG002  # one signature for all nodes
        """Compare the levels."""
        return level >= self.level

    def tolerates(self, level: Level) -> bool | None:
        """Compare the levels."""
        return level >= self.level

    def to_json(self) -> Json:
        """`{"level_at_least": LEVEL}`."""
        return {"level_at_least": self.level.name}


@dataclass(frozen=True, slots=True)
class Policy:
    """A policy with the name that it is shown under; its digest is that of its canonical JSON, never of its name."""

    name: str
    root: Node

    def satisfied(self, checks: Sequence[Check], level: Level) -> bool:
        """Whether a proof may be `verified`: every check passed, at least one, level at the floor, and the tree."""
        passed = bool(checks) and all(check.result is Result.PASS for check in checks)
        return passed and level >= FLOOR and self.root.proved(checks, level)

    def tolerates(self, checks: Sequence[Check], level: Level) -> bool:
        """Whether a counterexample may be `refuted`. Leaves that name checks of a proof do not apply to it."""
        passed = bool(checks) and all(check.result is Result.PASS for check in checks)
        return passed and level >= FLOOR and self.root.tolerates(level) is not False

    def to_json(self) -> Json:
        """The tree as JSON."""
        return self.root.to_json()

    @property
    def digest(self) -> str:
        """The content address of the tree."""
        return digest("policy/1", canonical_json(self.to_json()))


NAMED: Mapping[str, Policy] = {
    "proof": Policy("proof", AtLeast(Level.L1)),
    "kernel": Policy("kernel", AtLeast(Level.L3)),
}
"""`proof`: two solvers agree, or the kernel re-checks everything. `kernel`: no solver is trusted."""


def parse(value: object, name: str = "custom") -> Policy:
    """The policy that a JSON tree describes. Raises VerifierError (`bad-policy`) and names the place in the tree."""
    return Policy(name, _node(value, "policy", 0))


def load(text: str) -> Policy:
    """A policy by its name, or from JSON text (anything that starts with `{`).

    Raises VerifierError: `unknown-policy`, listing the known ones, or `bad-policy`.
    """
    if text in NAMED:
        return NAMED[text]
    if not text.lstrip().startswith("{"):
        raise VerifierError("unknown-policy", f"there is no policy {text!r}; known: {', '.join(sorted(NAMED))}")
    try:
        return parse(json.loads(text, object_pairs_hook=_distinct))
    except (ValueError, RecursionError) as error:
        raise VerifierError("bad-policy", f"not JSON: {error}", place="policy", hint="Correct the JSON.") from error


def _distinct(pairs: list[tuple[str, object]]) -> dict[str, object]:
    """A JSON object whose keys are all different."""
    result = dict(pairs)
    if len(result) != len(pairs):
        raise ValueError("a key stands twice in one object")
    return result


def _node(value: object, place: str, depth: int) -> Node:
    """One node, recursively."""
    if depth > DEPTH // 2:
        raise VerifierError("bad-policy", "nested too deeply", place=place)
    if not isinstance(value, Mapping) or len(value) != 1:
        raise VerifierError("bad-policy", "a node is an object with exactly one key", place=place)
    fields = Fields(value, place, "bad-policy")
    match next(iter(value)):
        case "all":
            children = _children(fields, "all", place, depth)
            return KOf(len(children), children, "all")
        case "any":
            return KOf(1, _children(fields, "any", place, depth), "any")
        case "k_of":
            return _k_of(Fields(fields.take("k_of"), f"{place}.k_of", "bad-policy"), depth)
        case "check":
            if not (name := fields.text("check")):
                raise fields.error("must name a check or a role", "check")
            return Named(name)
        case "level_at_least":
            return AtLeast(_level(fields))
        case other:
            hint = "Known nodes: all, any, k_of, check and level_at_least."
            raise VerifierError("bad-policy", f"{other!r} is not a node that is known", place=place, hint=hint)


def _children(fields: Fields, field: str, place: str, depth: int) -> tuple[Node, ...]:
    """The children of a node: at least one."""
    items = fields.items(field)
    if not items:
        raise fields.error("has no children", field)
    return tuple(_node(item, f"{place}.{field}[{index}]", depth + 1) for index, item in enumerate(items))


def _k_of(fields: Fields, depth: int) -> KOf:
    """A `k_of` node: 1 <= k <= number of children."""
    k, children = fields.number("k"), _children(fields, "of", fields.place, depth)
    fields.close()
    if not 1 <= k <= len(children):
        raise fields.error(f"must be between 1 and {len(children)}", "k")
    return KOf(k, children)


def _level(fields: Fields) -> Level:
    """A level by its name."""
    text = fields.text("level_at_least")
    if text not in Level.__members__:
        raise fields.error(f"must be one of {', '.join(Level.__members__)}", "level_at_least")
    return Level[text]
