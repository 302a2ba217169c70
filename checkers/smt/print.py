"""Terms to SMT-LIB 2.6 text: deterministic, shared subterms named once. Trusted.

Sharing is by nullary `define-fun`, so that a script is linear in the size of the term graph. Terms with free bound
variables are printed in place. Reference: The SMT-LIB Standard, version 2.6.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Mapping, Sequence

from checkers.smt.terms import BOOL, INT, Term, apply, subterms

_SIMPLE = re.compile(r"[A-Za-z~!@$%^&*_+=<>.?/-][0-9A-Za-z~!@$%^&*_+=<>.?/-]*")
_ATOMS = frozenset({"int", "bool", "const", "bound"})


def symbol(name: str) -> str:
    """A name as an SMT-LIB symbol, quoted where it must be. `|` and `\\` never occur in Python names."""
    return name if _SIMPLE.fullmatch(name) else f"|{name}|"


def _atom(term: Term) -> str:
    if term.op == "bool":
        return "true" if term.data else "false"
    if term.op == "int":
        assert isinstance(term.data, int)
        return str(term.data) if term.data >= 0 else f"(- {-term.data})"
    return symbol(str(term.data))


def _compound(term: Term, args: Sequence[str]) -> str:
    match term.op:
        case "apply":
            return f"({symbol(str(term.data))} {' '.join(args)})" if args else symbol(str(term.data))
        case "forall" | "exists":
            assert isinstance(term.data, int)
            names = " ".join(f"({name} {arg.sort})" for name, arg in zip(args, term.args[: term.data], strict=False))
            body, *patterns = args[term.data :]
            if patterns:
                body = f"(! {body} {' '.join(f':pattern ({pattern})' for pattern in patterns)})"
            return f"({term.op} ({names}) {body})"
        case "together":
            return " ".join(args)
        case op:
            return f"({op} {' '.join(args)})"


def text(term: Term, names: Mapping[Term, str] | None = None) -> str:
    """One term as text; `names` gives subterms that are defined elsewhere."""
    given = names or {}
    done: dict[Term, str] = {}
    for sub in subterms((term,)):
        if sub in given:
            done[sub] = given[sub]
        else:
            done[sub] = _atom(sub) if sub.op in _ATOMS else _compound(sub, [done[arg] for arg in sub.args])
    return done[term]


class Printer:
    """Prints several terms over one set of declarations and shared definitions; `declared` constants are known."""

    def __init__(self, roots: Sequence[Term], declared: Collection[Term] = ()) -> None:
        uses: dict[Term, int] = {}
        order = list(subterms(roots))
        for term in order:
            for arg in term.args:
                uses[arg] = uses.get(arg, 0) + 1
        self._names: dict[Term, str] = {}
        self._printed: dict[Term, str] = {}
        self._lines: list[str] = []
        self._declare(term for term in order if term not in declared)
        for term in order:
            if term.op not in _ATOMS and uses.get(term, 0) > 1 and not term.free:
                name = f"d!{len(self._names)}"
                self._lines.append(f"(define-fun {name} () {term.sort} {self.text(term)})")
                self._names[term] = name
                self._printed[term] = name

    def _declare(self, order: Iterable[Term]) -> None:
        functions: set[str] = set()
        for term in order:
            if term.op == "const":
                self._lines.append(f"(declare-fun {symbol(str(term.data))} () {term.sort})")
            elif term.op == "apply" and str(term.data) not in functions:
                functions.add(str(term.data))
                sorts = " ".join(arg.sort for arg in term.args)
                self._lines.append(f"(declare-fun {symbol(str(term.data))} ({sorts}) {term.sort})")

    @property
    def declarations(self) -> str:
        """Declarations and shared definitions, one a line."""
        return "".join(f"{line}\n" for line in self._lines)

    def text(self, term: Term) -> str:
        """A term among the roots (or below one), with shared parts by name."""
        stack: list[tuple[Term, bool]] = [(term, False)]
        while stack:
            current, ready = stack.pop()
            if current in self._printed:
                continue
            if ready:
                args = [self._printed[arg] for arg in current.args]
                self._printed[current] = _atom(current) if current.op in _ATOMS else _compound(current, args)
            else:
                stack.append((current, True))
                stack.extend((arg, False) for arg in current.args if arg not in self._printed)
        return self._printed[term]


def grounds(roots: Sequence[Term]) -> tuple[Term, ...]:
    """A fact `ground!(t)` for every closed integer application `t`, where there are quantifiers at all. The predicate
    is free, so it adds nothing.

    Solvers match triggers only against terms that stand outside quantifiers and have not been solved away.
    """
    terms = list(subterms(roots))
    if not any(term.op in ("forall", "exists") for term in terms):
        return ()
    closed = [term for term in terms if term.op in ("select", "apply") and term.sort == INT and not term.free]
    return tuple(apply(f"ground!{term.sort}", (term,), BOOL) for term in closed)


def script(facts: Sequence[Term], goal: Term) -> str:
    """A script that is unsatisfiable iff `goal` follows from `facts`."""
    facts = (*facts, *grounds((*facts, goal)))
    printer = Printer((*facts, goal))
    lines = ["(set-logic ALL)\n", printer.declarations]
    lines.extend(f"(assert {printer.text(fact)})\n" for fact in facts)
    lines.append(f"(assert (not {printer.text(goal)}))\n(check-sat)\n")
    return "".join(lines)
