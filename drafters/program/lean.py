"""Few and strong candidates for functions that multiply: solvers lose their way among many products.

Equalities between products of terms, the bounds that the guard says, and what the guard leaves open at the exit. Where
they are enough, the proof holds two or three conjuncts instead of dozens.
"""

from __future__ import annotations

import re
from collections.abc import Container, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import combinations

from checkers.lang import ir
from drafters.program import bounds, clauses
from drafters.program.polynomials import Monomial, equalities, monomials
from drafters.program.render import NEGATED, operand, text
from drafters.program.transplants import transplants
from drafters.program.view import View

_HIGHEST = 6
_MOVING = 6
_FIXED = 4
_NAME = re.compile(r"[A-Za-z_]\w*")


def lean(view: View, relevant: Sequence[str]) -> Iterator[str]:
    """The candidates in the order in which they are tested. `relevant` are the terms that equalities may use."""
    yield from bounds.comparisons(view, view.guard())
    yield from exits(view)
    yield from clauses.weakened(view, view.guard())
    yield from _equal(view, view.terms, monomials(len(view.terms), 1), spare=1)
    yield from guarded(view)
    promised = [fact for fact in transplants(view) if " == " in fact and "*" in fact and view.table.holds(fact)]
    yield from promised
    said = frozenset(name for fact in promised for name in _NAME.findall(fact))
    yield from powers(view, relevant, said)
    yield from _equal(view, relevant, one_moving(view, relevant))
    yield from _equal(view, relevant, several_moving(view, relevant))
    yield from _signs(view)


def exits(view: View) -> Iterator[str]:
    """Each comparison of the guard, or the equality that holds when it first fails by one step."""
    for part in view.guard():
        if not isinstance(part, ir.Compare) or len(part.ops) != 1 or part.operands[0].type != ir.INT:
            continue
        left, right = map(operand, part.operands)
        ends: Mapping[str, Sequence[str]] = {
            "<": (f"{left} == {right}",),
            ">": (f"{left} == {right}",),
            "<=": (f"{left} == {right} + 1",),
            ">=": (f"{left} == {right} - 1",),
        }
        yield from (f"{text(part)} or {end}" for end in ends.get(part.ops[0], ()))


def guarded(view: View) -> Iterator[str]:
    """Linear equalities between moving terms that hold wherever the guard holds."""
    for part in view.guard():
        mask = view.table.mask(text(part))
        if mask is None or mask == view.table.full or not isinstance(part, ir.Compare) or part.ops[0] not in NEGATED:
            continue
        inside = [row for place, row in enumerate(view.table.rows) if mask >> place & 1]
        table = replace(view.table, rows=inside, steps=[])
        moving = [term for term in view.terms if term in view.moving]
        otherwise = text(replace(part, ops=(NEGATED[part.ops[0]],)))
        for left, right in combinations(moving, 2):
            if inside and table.holds(f"{left} == {right}"):
                yield f"{otherwise} or {left} == {right}"


def powers(view: View, relevant: Sequence[str], said: Container[str] = ()) -> Iterator[str]:
    """One moving term as a polynomial of degree up to six in another: sums of powers. Not for terms in `said`."""
    moving = [position for position, term in enumerate(relevant) if term in view.moving]
    for total in (place for place in moving if relevant[place] not in said):
        for counter in moving:
            if counter != total:
                basis = [Monomial((counter,) * exponent) for exponent in range(_HIGHEST + 1)]
                yield from _equal(view, relevant, (*basis, Monomial((total,))))


def one_moving(view: View, relevant: Sequence[str]) -> tuple[Monomial, ...]:
    """Products of at most two different fixed terms, and these times one moving term."""
    moving, fixed = _places(view, relevant)
    pairs = {factors for size in range(3) for factors in combinations(fixed, size)}
    found = pairs | {(place, place) for place in fixed}
    found |= {tuple(sorted((*factors, place))) for place in moving for factors in pairs}
    return tuple(map(Monomial, sorted(found, key=lambda factors: (len(factors), factors))))


def several_moving(view: View, relevant: Sequence[str]) -> tuple[Monomial, ...]:
    """Products of at most three different moving terms, and of at most two fixed ones."""
    moving, fixed = _places(view, relevant)
    found = {factors for size in range(3) for factors in combinations(fixed, size)}
    found |= {factors for size in range(4) for factors in combinations(moving[:5], size)}
    return tuple(map(Monomial, sorted(found, key=lambda factors: (len(factors), factors))))


def _places(view: View, relevant: Sequence[str]) -> tuple[list[int], list[int]]:
    moving = [place for place, term in enumerate(relevant) if term in view.moving]
    fixed = [place for place, term in enumerate(relevant) if term not in view.moving]
    return moving[:_MOVING], fixed[:_FIXED]


def _equal(view: View, terms: Sequence[str], basis: Sequence[Monomial], *, spare: int = 3) -> Iterator[str]:
    columns = [view.table.integers(term) for term in terms]
    known = [column for column in columns if column is not None]
    if len(known) == len(terms) and any(term in view.moving for term in terms):
        rows = list(zip(*known, strict=True))
        found = equalities(terms, rows, basis, spare=spare)
        yield from (fact for fact in found if any(term in fact for term in view.moving))


def _signs(view: View) -> Iterator[str]:
    """Terms that are never negative, or always positive."""
    for term in view.terms:
        if not term.startswith("Old"):
            yield f"{term} >= 1"
            yield f"{term} >= 0"
