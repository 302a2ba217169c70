"""Bounds that hold in all recorded states: terms against constants, terms against terms, guards shifted by a step."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import combinations, permutations

from checkers.lang import ir
from drafters.program.render import operand
from drafters.program.view import View

_LARGE = 40


def limits(view: View) -> Iterator[str]:
    """Each moving term against the program's constants and their neighbours: the tightest few on each side."""
    near = sorted({value + shift for value in (*view.constants, 0) for shift in (-1, 0, 1)})
    for term in view.terms:
        values = view.table.integers(term)
        if values is None or (term not in view.moving and not term.startswith("Old")):
            continue
        least, most = min(values), max(values)
        if least == most:
            yield f"{term} == {least}"
        below = [value for value in near if value <= least][-2:]
        above = [value for value in near if value >= most][:2]
        yield from (f"{term} >= {value}" for value in reversed(below))
        yield from (f"{term} <= {value}" for value in above)


def differences(view: View) -> Iterator[str]:
    """Pairs of terms of which one moves: the tightest difference by a small offset, in both directions."""
    columns = {term: view.table.integers(term) for term in view.terms}
    for left, right in combinations(view.terms, 2):
        if left not in view.moving and right not in view.moving:
            continue
        first, second = columns[left], columns[right]
        if first is None or second is None:
            continue
        gaps = [a - b for a, b in zip(first, second, strict=True)]
        offsets = _offsets(view, gaps)
        yield from (_at_most(right, left, -offset) for offset in offsets)
        mirrored = [-gap for gap in gaps]
        yield from (_at_most(left, right, -offset) for offset in _offsets(view, mirrored))


def _offsets(view: View, gaps: Sequence[int]) -> list[int]:
    """Lower bounds of `gaps` worth trying: the observed one if it is stable or small, and the next usual ones."""
    least = min(gaps)
    usual = {-1, 0, 1, *view.constants, *(-value for value in view.constants)}
    found = [value for value in sorted(usual, reverse=True) if value <= least][:2]
    half = gaps[: len(gaps) // 2]
    if least not in found and abs(least) <= _LARGE and half and min(half) == least:
        found.insert(0, least)
    return found[:3]


def _at_most(small: str, large: str, offset: int) -> str:
    """`small <= large + offset`, printed the way a person would write it."""
    if offset == 0:
        return f"{small} <= {large}"
    if offset == -1:
        return f"{small} < {large}"
    return f"{small} <= {large} + {offset}" if offset > 0 else f"{small} <= {large} - {-offset}"


def sums(view: View) -> Iterator[str]:
    """Sums of two moving terms against a third term, by an offset of zero or the observed extreme."""
    moving = [term for term in view.terms if term in view.moving][:5]
    for left, right in combinations(moving, 2):
        first, second = view.table.integers(left), view.table.integers(right)
        if first is None or second is None:
            continue
        total = [a + b for a, b in zip(first, second, strict=True)]
        yield from (f"{left} + {right} >= {offset}" for offset in _offsets(view, total)[:2])
        yield from (f"{left} + {right} <= {-offset}" for offset in _offsets(view, [-value for value in total])[:2])
        for term in view.terms:
            third = view.table.integers(term)
            if third is None or term in (left, right):
                continue
            gaps = [a - b for a, b in zip(total, third, strict=True)]
            yield from (_at_most(term, f"{left} + {right}", -offset) for offset in _offsets(view, gaps)[:1])
            mirrored = _offsets(view, [-gap for gap in gaps])[:1]
            yield from (_at_most(f"{left} + {right}", term, -offset) for offset in mirrored)


def comparisons(view: View, sources: Sequence[ir.Expr]) -> Iterator[str]:
    """The two sides of each integer comparison, apart by what the states show (guards weakened by a step)."""
    for expr in sources:
        if not isinstance(expr, ir.Compare) or len(expr.ops) != 1 or expr.ops[0] in ("in", "not in"):
            continue
        left, right = expr.operands
        if left.type != ir.INT or right.type != ir.INT:
            continue
        small, large = operand(left), operand(right)
        first, second = view.table.integers(small), view.table.integers(large)
        if first is None or second is None:
            continue
        gaps = [b - a for a, b in zip(first, second, strict=True)]
        yield from (_at_most(small, large, -offset) for offset in _offsets(view, gaps)[:2])
        mirrored = _offsets(view, [-gap for gap in gaps])[:2]
        yield from (_at_most(large, small, -offset) for offset in mirrored)
        if min(gaps) == max(gaps) == 0:
            yield f"{small} == {large}"


def residues(view: View) -> Iterator[str]:
    """Moving terms, and differences of them, modulo 2, 3 and the program's small constants."""
    moduli = sorted({2, 3, *(value for value in view.constants if 2 <= value <= 12)})
    moving = [term for term in view.terms if term in view.moving]
    for term in (*moving, *(f"({a} + {b})" for a, b in combinations(moving[:4], 2))):
        values = view.table.integers(term)
        if values is None or len(set(values)) < 3:
            continue
        for modulus in moduli:
            rests = {value % modulus for value in values}
            if len(rests) == 1:
                yield f"{term} % {modulus} == {rests.pop()}"
    for term in moving:
        values = view.table.integers(term)
        for other in (fixed for fixed in view.terms if fixed not in view.moving):
            fixed_values = view.table.integers(other)
            if values is None or fixed_values is None or len(set(values)) < 3:
                continue
            for modulus in moduli:
                if all((a - b) % modulus == 0 for a, b in zip(values, fixed_values, strict=True)):
                    yield f"({term} - {other}) % {modulus} == 0"


def scaled(view: View) -> Iterator[str]:
    """A moving term against a small multiple of another term, alone or with a third one added."""
    factors = [value for value in view.constants if 2 <= value <= 10][:3]
    columns = {term: column for term in view.terms if (column := view.table.integers(term)) is not None}
    for left, right in permutations(columns, 2):
        if left not in view.moving:
            continue
        for factor in factors:
            rest = [a - factor * b for a, b in zip(columns[left], columns[right], strict=True)]
            yield from _signed(rest, left, f"{factor} * {right}")
            for other, values in columns.items():
                if other in view.moving and other not in (left, right):
                    gaps = [a - b for a, b in zip(rest, values, strict=True)]
                    yield from _signed(gaps, left, f"{factor} * {right} + {other}")


def _signed(gaps: Sequence[int], left: str, right: str) -> Iterator[str]:
    """`left <= right` and `left >= right`, as far as the gaps between them allow."""
    if max(gaps) <= 0:
        yield f"{left} <= {right}"
    if min(gaps) >= 0:
        yield f"{left} >= {right}"
