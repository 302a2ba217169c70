"""Polynomial equalities that hold in every recorded state: the exact null space of a matrix of monomials.

Rows are states, columns are monomials in the loop's terms. A vector of the null space is an equality that all states
satisfy. The elimination runs modulo a large prime and its result is lifted to fractions; every vector is then
checked against every row in exact integers, so the answer never depends on the prime. Source: Sharma et al., "A data
driven approach for algebraic loop invariants" (2013).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations_with_replacement
from math import gcd, lcm

PRIME = (1 << 89) - 1
_LARGEST = 10_000


@dataclass(frozen=True, slots=True)
class Monomial:
    """A product of terms, as sorted positions with repetition; `()` is the constant one."""

    factors: tuple[int, ...]

    @property
    def degree(self) -> int:
        """The number of factors."""
        return len(self.factors)

    def value(self, row: Sequence[int]) -> int:
        """The product of the row's entries."""
        product = 1
        for factor in self.factors:
            product *= row[factor]
        return product

    def is_multiple(self, other: Monomial) -> bool:
        """Whether `other` divides this monomial."""
        return not Counter(other.factors) - Counter(self.factors)

    def text(self, names: Sequence[str]) -> str:
        """The product as a Python expression; `1` for the empty product."""
        return " * ".join(names[factor] for factor in self.factors) or "1"


def monomials(terms: int, degree: int) -> tuple[Monomial, ...]:
    """All monomials of at most `degree` in `terms` terms, the constant first, highest degree last."""
    found: list[Monomial] = []
    for size in range(degree + 1):
        found.extend(Monomial(factors) for factors in combinations_with_replacement(range(terms), size))
    return tuple(found)


def null_space(rows: Sequence[Sequence[int]], width: int) -> tuple[tuple[int, ...], ...]:
    """A basis of `{v : row · v = 0 for all rows}` as coprime integer vectors, in reduced form.

    The last nonzero entry of each vector is its lead: a column that is expressed by earlier ones alone. Leads differ,
    and no lead occurs in another vector. Vectors whose entries would be large are left out. Exact: each vector is
    checked on every row.
    """
    pivots = _eliminate(rows, width)
    basis: list[tuple[int, ...]] = []
    for free in range(width):
        if free in pivots:
            continue
        entries = [Fraction(0)] * width
        entries[free] = Fraction(1)
        lifted = True
        for column, reduced in pivots.items():
            fraction = _rational((-reduced[free]) % PRIME)
            if fraction is None:
                lifted = False
                break
            entries[column] = fraction
        vector = _integral(entries) if lifted else None
        if vector is not None and all(_dot(row, vector) == 0 for row in rows):
            basis.append(vector)
    return tuple(basis)


def _eliminate(rows: Sequence[Sequence[int]], width: int) -> dict[int, list[int]]:
    """Reduced row echelon form modulo the prime: pivot column to row."""
    pivots: dict[int, list[int]] = {}
    for row in rows:
        current = [entry % PRIME for entry in row]
        for column, reduced in pivots.items():
            factor = current[column]
            if factor:
                current = [(a - factor * b) % PRIME for a, b in zip(current, reduced, strict=True)]
        lead = next((column for column in range(width) if current[column]), None)
        if lead is None:
            continue
        inverse = pow(current[lead], -1, PRIME)
        current = [entry * inverse % PRIME for entry in current]
        for column, reduced in pivots.items():
            factor = reduced[lead]
            if factor:
                pivots[column] = [(a - factor * b) % PRIME for a, b in zip(reduced, current, strict=True)]
        pivots[lead] = current
        if len(pivots) == width:
            break
    return pivots


def _rational(residue: int) -> Fraction | None:
    """The fraction with small numerator and denominator that `residue` stands for, or None."""
    r0, r1, t0, t1 = PRIME, residue, 0, 1
    while r1 > _LARGEST:
        quotient = r0 // r1
        r0, r1, t0, t1 = r1, r0 - quotient * r1, t1, t0 - quotient * t1
    if t1 == 0 or abs(t1) > _LARGEST:
        return None
    return Fraction(r1, t1)


def _integral(entries: Sequence[Fraction]) -> tuple[int, ...] | None:
    """The entries scaled to coprime integers with a positive last entry, or None if one becomes large."""
    scale = lcm(*(entry.denominator for entry in entries))
    scaled = [int(entry * scale) for entry in entries]
    common = gcd(*scaled)
    scaled = [entry // common for entry in scaled]
    if next(entry for entry in reversed(scaled) if entry) < 0:
        scaled = [-entry for entry in scaled]
    return tuple(scaled) if max(map(abs, scaled)) <= _LARGEST else None


def _dot(row: Sequence[int], vector: Sequence[int]) -> int:
    return sum(entry * factor for entry, factor in zip(row, vector, strict=True) if factor)


def equalities(
    names: Sequence[str], rows: Sequence[Sequence[int]], basis: Sequence[Monomial], *, spare: int = 3
) -> Iterator[str]:
    """Equalities between the given monomials that hold in every row, sparse ones first, as Python expressions.

    Needs `spare` more distinct rows than monomials: fewer would make accidental equalities likely.
    """
    distinct = list(dict.fromkeys(tuple(row) for row in rows))
    if len(distinct) < min(len(basis) + spare, 4 * spare):
        return
    matrix = [[monomial.value(row) for monomial in basis] for row in distinct]
    leads: list[Monomial] = []
    vectors: list[tuple[int, ...]] = []
    for vector in null_space(matrix, len(basis)):
        lead = basis[max(place for place, entry in enumerate(vector) if entry)]
        if not any(lead.is_multiple(other) for other in leads):  # otherwise it may follow from that equality
            leads.append(lead)
            vectors.append(vector)
    for vector in sorted(vectors, key=lambda v: (sum(1 for entry in v if entry), sum(map(abs, v)))):
        yield render(vector, basis, names)


def render(vector: Sequence[int], basis: Sequence[Monomial], names: Sequence[str]) -> str:
    """`sum of vector[i] * basis[i] == 0` with positive coefficients on both sides, high degrees first."""
    pairs = [*zip(vector, basis, strict=True)][::-1]
    left = [_product(entry, monomial, names) for entry, monomial in pairs if entry > 0]
    right = [_product(-entry, monomial, names) for entry, monomial in pairs if entry < 0]
    return f"{' + '.join(left) or '0'} == {' + '.join(right) or '0'}"


def _product(factor: int, monomial: Monomial, names: Sequence[str]) -> str:
    if monomial.degree == 0:
        return str(factor)
    text = monomial.text(names)
    return text if factor == 1 else f"{factor} * {text}"
