"""Where an expression is evaluated: guards and binders around it, names in scope, and the world that takes results.

Trusted. See `encode` for how they are used.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Protocol

from checkers.lang import ir
from checkers.smt import terms as t
from checkers.smt.terms import Term
from checkers.smt.values import BoolV, IntV, NoneV, SeqV, TupleV, Value, View, item_kind, item_sort
from verifier.errors import Unsupported
from verifier.model import Span


@dataclass(frozen=True, slots=True)
class Guard:
    """Something that holds whenever what follows is evaluated."""

    term: Term


class Path(Guard):
    """The guard that stands for the path condition of the statement being executed."""

    __slots__ = ()


@dataclass(frozen=True, slots=True)
class Binder:
    """A quantified variable and its domain."""

    variable: Term
    domain: Term


@dataclass(frozen=True, slots=True)
class Slot:
    """A variable's value, and when it is bound at all."""

    value: Value
    defined: Term


@dataclass(frozen=True, slots=True)
class Scope:
    """What names mean: variables now, the parameters at entry, and a `for` loop's completed iterations."""

    variables: Mapping[str, Slot]
    entry: Mapping[str, Slot]
    iterations: Term | None = None


class World(Protocol):
    """Where the encoder's results go."""

    def fresh(self, name: str, sort: t.Sort) -> Term:
        """A new constant."""
        ...

    def assume(self, fact: Term) -> None:
        """A fact that holds in every interpretation that matters from now on."""
        ...

    def oblige(self, formula: Term, exception: str, span: Span) -> bool:
        """Take an obligation and assume it; or return False: `exception` may leave the function, so that the condition
        holds on the present path only."""
        ...


class Context:
    """The stack, the scope and the fresh names of one encoding."""

    def __init__(self, world: World) -> None:
        self.world = world
        self.stack: list[Guard | Binder] = []
        self.scope = Scope({}, {})
        self.span = Span(1, 1, 1, 1)
        self._nonnegative: set[Term] = set()
        self._bound = 0

    def close(self, formula: Term, start: int = 0) -> Term:
        """`formula` under the guards and binders from `start` on."""
        for entry in reversed(self.stack[start:]):
            if isinstance(entry, Guard):
                formula = under(entry.term, formula)
            else:
                formula = t.forall((entry.variable,), under(entry.domain, formula))
        return formula

    @contextmanager
    def within(self, *entries: Guard | Binder) -> Iterator[None]:
        """Evaluate the block under further entries."""
        depth = len(self.stack)
        self.stack.extend(entries)
        try:
            yield
        finally:
            del self.stack[depth:]

    @property
    def binding(self) -> bool:
        """Whether some quantified variable is in scope."""
        return any(isinstance(entry, Binder) for entry in self.stack)

    def require(self, condition: Term, exception: str, span: Span) -> None:
        """`condition` must hold here, or `exception` is raised."""
        formula = self.close(condition)
        if formula is t.TRUE:
            return
        if not self.world.oblige(formula, exception, span):
            self.restrict(condition)

    def restrict(self, condition: Term) -> None:
        """What follows on this path happens only where `condition` holds."""
        base = max(i for i, entry in enumerate(self.stack) if isinstance(entry, Path))
        path = self.stack[base]
        assert isinstance(path, Path)
        self.stack[base] = Path(t.conjunction(path.term, self.close(condition, base + 1)))

    def arbitrary(self, kind: ir.Type, name: str) -> Value:
        """A value about which only its type is known; its constants are called after the variable `name`."""
        return self._arbitrary(kind, variable(name))

    def _arbitrary(self, kind: ir.Type, name: str) -> Value:
        match kind:
            case ir.NONE:
                return NoneV()
            case ir.INT:
                return IntV(self.fresh(name, t.INT))
            case ir.BOOL:
                return BoolV(self.fresh(name, t.BOOL))
            case ir.TupleOf(items=items):
                return TupleV(tuple(self._arbitrary(item, f"{name}.{i}") for i, item in enumerate(items)))
        item = item_kind(kind)
        array = self.fresh(name, t.array_of(item_sort(item)))
        length = self.fresh(f"len.{name}", t.INT)
        self.world.assume(t.at_most(t.ZERO, length))
        self._nonnegative.add(length)
        if item == "char":
            place = self.bound("p", t.INT)
            code = t.select(array, place)
            valid = t.conjunction(t.at_most(t.ZERO, code), t.at_most(code, t.integer(0x10FFFF)))
            self.world.assume(t.forall((place,), valid, (code,)))
        return SeqV(item, (View(array, t.ZERO, length),))

    def fresh(self, name: str, sort: t.Sort) -> Term:
        """A new constant; refused under a quantifier, where it would have to be a function of the variable."""
        if self.binding:
            raise Unsupported("a list or a loop inside all()/any()", self.span)
        return self.world.fresh(name, sort)

    def bound(self, name: str, sort: t.Sort) -> Term:
        """A new bound variable."""
        self._bound += 1
        return t.bound(f"{name}?{self._bound}", sort)

    def nonnegative(self, term: Term) -> bool:
        """Whether `term >= 0` holds by its form."""
        value = t.value_of(term)
        if value is not None:
            return value >= 0
        if term.op == "+":
            return all(map(self.nonnegative, term.args))
        if term.op == "*" and (factor := t.value_of(term.args[0])) is not None:
            return factor >= 0 and self.nonnegative(term.args[1])
        return term in self._nonnegative

    def learn_signs(self, formula: Term) -> None:
        """Remember the terms that a formula, assumed from now on, bounds from below by 0 or by such a term."""
        for part in formula.args if formula.op == "and" else (formula,):
            if part.op in ("<=", "<") and self.nonnegative(part.args[0]):
                self._nonnegative.add(part.args[1])

    def note_nonnegative(self, term: Term) -> None:
        """Remember that `term >= 0` has been assumed wherever `term` is used."""
        self._nonnegative.add(term)


def variable(name: str) -> str:
    """The constant of a Python variable: the prefix keeps it apart from what solvers define (`div`, `pi`, `true`)."""
    return f"py.{name}"


def under(guard: Term, formula: Term) -> Term:
    """`guard => formula`, with the quantifier of a universal formula in front, where triggers are chosen better."""
    if formula.op == "forall" and isinstance(formula.data, int) and len(formula.args) == formula.data + 1:
        variables, body = formula.args[: formula.data], formula.args[formula.data]
        if not guard.free & set(variables):
            return t.forall(variables, under(guard, body))
    return t.implication(guard, formula)
