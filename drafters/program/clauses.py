"""Disjunctions of two facts, neither of which holds alone: `i == 0 or m < i`, `n < 0 or i <= n`, `not found or …`.

Facts are compared as bit sets over the recorded states, so that thousands of pairs cost little. For each first fact
the strongest partners (fewest states) come first: a weaker partner follows from a stronger one.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations

from checkers.lang import ir
from drafters.program.render import negate, operand, text
from drafters.program.view import View

_PARTNERS = 6
_RELATIONS: tuple[ir.CompareOp, ...] = ("<", "<=", "==", "!=", ">=", ">")


@dataclass(frozen=True, slots=True)
class Fact:
    """The states in which a fact holds, and what it is about: facts about the same say nothing together."""

    mask: int
    subject: str


def splitters(view: View) -> Mapping[str, Fact]:
    """Facts to split by: tests, guards, promises, premises, initial values and flags, each with its negation.

    Maps the text to the states in which it holds; facts that hold everywhere or nowhere do not split.
    """
    sources: list[ir.Expr] = [*view.guard(), *view.promises(), *view.assertions(), *view.tests(), *view.premises()]
    found: dict[str, Fact] = {}
    for expr in sources:
        for part in _disjuncts(expr):
            subject = _subject(part)
            for variant in _variants(part):
                _keep(view, found, variant, subject)
    for name in view.names(ir.BOOL):
        _keep(view, found, name, name)
        _keep(view, found, f"not {name}", name)
    for name, value in initial_values(view):
        for op in ("==", "!=", "<=", ">="):
            _keep(view, found, f"{name} {op} {value}", f"{name} | {value}")
    return found


def _subject(expr: ir.Expr) -> str:
    """The two sides of a comparison in a fixed order, or the text of another fact without its negation."""
    if isinstance(expr, ir.Compare) and len(expr.ops) == 1:
        return " | ".join(sorted(map(text, expr.operands)))
    return text(expr.operand if isinstance(expr, ir.Unary) and expr.op == "not" else expr)


def _disjuncts(expr: ir.Expr) -> tuple[ir.Expr, ...]:
    if isinstance(expr, ir.BoolOp):
        return tuple(part for item in expr.operands for part in _disjuncts(item))
    return (expr,)


def _variants(expr: ir.Expr) -> Iterator[str]:
    """The literal and its negation, and for an integer comparison all six relations."""
    if isinstance(expr, ir.Compare) and len(expr.ops) == 1 and expr.operands[0].type == ir.INT:
        left, right = map(operand, expr.operands)
        yield text(expr)
        yield text(negate(expr))
        yield from (f"{left} {op} {right}" for op in _RELATIONS)
    elif not isinstance(expr, ir.Const):
        yield text(expr)
        yield text(negate(expr))


def _keep(view: View, found: dict[str, Fact], fact: str, subject: str) -> None:
    if fact not in found:
        mask = view.table.mask(fact)
        if mask is not None and 0 < mask < view.table.full:
            found[fact] = Fact(mask, subject)


def initial_values(view: View) -> Iterator[tuple[str, str]]:
    """Moving variables with the constants or variables that they were assigned outside the loop."""
    inside = {id(stmt) for stmt in ir.statements(view.loop.body)}
    for stmt in ir.statements(view.function.body):
        if id(stmt) in inside or not isinstance(stmt, ir.Assign) or stmt.target not in view.moving:
            continue
        if isinstance(stmt.value, ir.Const | ir.Var | ir.Unary) and view.admits(stmt.value):
            yield stmt.target, operand(stmt.value)


def partners(view: View) -> Mapping[str, Fact]:
    """Facts that may hold in some states only: pairs of terms by small offsets, and terms against constants."""
    found: dict[str, Fact] = {}
    near = sorted({0, 1, *view.constants}, key=abs)[:10]
    for term in view.terms:
        if term in view.moving:
            for value in near:
                for op in ("==", "<=", ">="):
                    _record(view, found, f"{term} {op} {value}", term, str(value))
    for left, right in combinations(view.terms, 2):
        if left in view.moving or right in view.moving:
            for fact in (
                f"{left} == {right}",
                f"{left} < {right}",
                f"{right} < {left}",
                f"{left} <= {right}",
                f"{right} <= {left}",
                f"{left} == {right} + 1",
                f"{right} == {left} + 1",
                f"{left} <= {right} + 1",
                f"{right} <= {left} + 1",
            ):
                _record(view, found, fact, left, right)
    return found


def _record(view: View, found: dict[str, Fact], fact: str, left: str, right: str) -> None:
    mask = view.table.mask(fact)
    if mask is not None and 0 < mask < view.table.full:
        found[fact] = Fact(mask, " | ".join(sorted((left, right))))


def disjunctions(view: View, limit: int) -> Iterator[str]:
    """At most `limit` clauses `splitter or partner` that hold in every state.

    For each splitter the strongest partner about each subject, the strongest of all first; clauses about one and the
    same term last.
    """
    firsts = splitters(view)
    seconds = {**firsts, **partners(view)}
    seen: set[frozenset[str]] = set()
    ranked: list[tuple[bool, int, int, str]] = []
    for order, (first, known) in enumerate(firsts.items()):
        fitting = [
            (_terms(other.subject) == _terms(known.subject), other.mask.bit_count(), position, fact)
            for position, (fact, other) in enumerate(seconds.items())
            if known.mask | other.mask == view.table.full and other.subject != known.subject
        ]
        subjects: set[str] = set()
        for alike, _, _, fact in sorted(fitting):
            pair = frozenset((first, fact))
            if seconds[fact].subject not in subjects and pair not in seen and len(subjects) < _PARTNERS:
                ranked.append((alike, len(subjects), order, f"{first} or {fact}"))
                subjects.add(seconds[fact].subject)
                seen.add(pair)
    for *_, clause in sorted(ranked)[:limit]:
        yield clause


def _terms(subject: str) -> frozenset[str]:
    """What a subject is about, constants left out."""
    return frozenset(part for part in subject.split(" | ") if not part.lstrip("-").isdigit())


def weakened(view: View, guard: Sequence[ir.Expr]) -> Iterator[str]:
    """The promises and assertions themselves, and each of them `or` a conjunct of the guard, or the whole guard."""
    goals = (*view.promises(), *view.assertions())
    whole = " and ".join(operand(part) for part in guard)
    for goal in goals:
        shown = text(goal)
        yield shown
        wrapped = f"({shown})" if isinstance(goal, ir.BoolOp | ir.IfExp) else shown
        yield from (f"{operand(part)} or {wrapped}" for part in guard)
        if len(guard) > 1:
            yield f"({whole}) or {wrapped}"
        if any(isinstance(node, ir.Binary) and node.op == "*" for node in ir.walk(goal)):
            yield from (f"{edge} or {wrapped}" for part in guard for edge in _off_edge(part))


def _off_edge(part: ir.Expr) -> Iterator[str]:
    """That a comparison of the guard has not just become false: an equation is what solvers substitute best."""
    if isinstance(part, ir.Compare) and part.operands[0].type == ir.INT:
        left, right = map(operand, part.operands[:2])
        if part.ops[0] in ("<", ">"):
            yield f"{left} != {right}"
        elif part.ops[0] in ("<=", ">="):
            yield f"{left} != {right} {'+' if part.ops[0] == '<=' else '-'} 1"
