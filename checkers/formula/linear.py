"""Linear sums with exact coefficients, and the arithmetic part of the normal form. Trusted."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import reduce
from math import gcd, lcm

from checkers.formula.terms import INT, REAL, Graph, Sort, Term, TooLarge

BITS = 20_000
"""Size in bits of a folded constant: beyond it nothing is normalised."""
MAX_FLAT = 64
"""Arguments that a flattened product, or bit-vector sum, may have."""


@dataclass(frozen=True, slots=True)
class Linear:
    """`sum(coefficient * term) + constant`; no coefficient is zero."""

    parts: Mapping[Term, Fraction]
    constant: Fraction

    def plus(self, other: Linear, factor: int | Fraction = 1) -> Linear:
        """`self + factor * other`."""
        parts = dict(self.parts)
        for term, coefficient in other.parts.items():
            parts[term] = parts.get(term, Fraction(0)) + factor * coefficient
        return Linear({term: value for term, value in parts.items() if value}, self.constant + factor * other.constant)

    def shifted(self, amount: int) -> Linear:
        """`self + amount`."""
        return Linear(self.parts, self.constant + amount)

    def times(self, factor: Fraction) -> Linear:
        """`factor * self`."""
        if not factor:
            return Linear({}, Fraction(0))
        return Linear({term: factor * value for term, value in self.parts.items()}, factor * self.constant)

    def coprime(self) -> Linear:
        """Scaled by a positive factor so that the coefficients are coprime integers."""
        values = self.parts.values()
        scale = lcm(*(value.denominator for value in values))
        common = gcd(*(int(value * scale) for value in values))
        return self.times(Fraction(scale, common))

    def bounded(self, *, whole: bool) -> Linear:
        """For `self <= 0`: coprime, and over the integers with the constant rounded up, since
        `sum <= -c` with an integer sum means `sum <= floor(-c)`."""
        scaled = self.coprime()
        return Linear(scaled.parts, Fraction(scaled.constant.__ceil__())) if whole else scaled

    def split(self) -> tuple[Linear, Linear]:
        """`(left, right)` with `self = left - right` and nothing negative on either side."""
        left = {term: value for term, value in self.parts.items() if value > 0}
        right = {term: -value for term, value in self.parts.items() if value < 0}
        return Linear(left, max(self.constant, Fraction(0))), Linear(right, max(-self.constant, Fraction(0)))


def number(term: Term) -> Fraction:
    """The number in a literal or in a `scaled` node."""
    assert isinstance(term.data, int | Fraction), "only numbers come here, by their sort"
    return Fraction(term.data)


def flat(op: str, terms: Sequence[Term]) -> tuple[Term, ...]:
    """The arguments of nested applications of an associative and commutative function, in the order of their making.

    Not beyond MAX_FLAT: a chain of squares, each of the one before, has exponentially many factors.
    """
    parts = [part for term in terms for part in (term.args if term.op == op else (term,))]
    return tuple(sorted(parts if len(parts) <= MAX_FLAT else terms, key=lambda term: term.number))


@dataclass(slots=True)
class Numbers:
    """Arithmetic terms in normal form: a sum node `+` holds `scaled` nodes, products and at most one constant."""

    graph: Graph

    def linear(self, term: Term) -> Linear:
        """A term in normal form as a sum."""
        parts: dict[Term, Fraction] = {}
        constant = Fraction(0)
        for each in term.args if term.op == "+" else (term,):
            if each.op == "const":
                constant += number(each)
            elif each.op == "scaled":
                parts[each.args[0]] = number(each)
            else:
                parts[each] = Fraction(1)
        return Linear(parts, constant)

    def build(self, value: Linear, sort: Sort) -> Term:
        """The term of a sum."""
        args = [
            part if factor == 1 else self.graph.term("scaled", (part,), self._exact(factor, sort), sort)
            for part, factor in value.parts.items()
        ]
        if value.constant or not args:
            args.append(self.graph.const(self._exact(value.constant, sort), sort))
        # Arguments are sorted when they are printed; here one order keeps equal sums one node.
        args.sort(key=lambda arg: arg.number)
        return args[0] if len(args) == 1 else self.graph.term("+", tuple(args), None, sort)

    def _exact(self, value: Fraction, sort: Sort) -> int | Fraction:
        if max(value.numerator.bit_length(), value.denominator.bit_length()) > BITS:
            raise TooLarge
        if sort == REAL:
            return value
        assert value.denominator == 1, "an integer sum has integer coefficients"
        return int(value)

    def as_real(self, term: Term) -> Term:
        """An integer as a real."""
        if term.sort != INT:
            return term
        if term.op == "const":
            return self.graph.const(number(term), REAL)
        return self.graph.term("to_real", (term,), None, REAL)

    def make(self, name: str, args: Sequence[Term], sort: Sort) -> Term | None:
        """The normal form of an arithmetic function, or None where there is no rule."""
        if name in ("+", "-", "*", "/"):
            if sort == REAL:
                args = [self.as_real(arg) for arg in args]
            if any(arg.sort != sort for arg in args):
                return None
            if name == "/":
                return reduce(self._quotient, args)
            return self._product(args, sort) if name == "*" else self._sum(name, args, sort)
        if name == "to_real":
            return self.as_real(args[0])
        if name in ("div", "mod") and all(arg.op == "const" for arg in args) and len(args) == 2:
            a, b = (int(number(arg)) for arg in args)
            if b:
                remainder = a % abs(b)
                return self.graph.const((a - remainder) // b if name == "div" else remainder, INT)
        return None

    def _sum(self, name: str, args: Sequence[Term], sort: Sort) -> Term:
        values = [self.linear(arg) for arg in args]
        if name == "+":
            return self.build(reduce(Linear.plus, values), sort)
        if len(values) == 1:
            return self.build(values[0].times(Fraction(-1)), sort)
        return self.build(reduce(lambda value, other: value.plus(other, -1), values), sort)

    def _product(self, args: Sequence[Term], sort: Sort) -> Term:
        """A coefficient times factors; one factor with a coefficient distributes over its sum."""
        factor = Fraction(1)
        sums: list[Linear] = []
        for value in (self.linear(arg) for arg in args):
            if not value.parts:
                factor *= value.constant
            elif len(value.parts) == 1 and not value.constant:
                ((term, coefficient),) = value.parts.items()
                factor *= coefficient
                sums.append(Linear({term: Fraction(1)}, Fraction(0)))
            else:
                sums.append(value)
        if not sums or not factor:
            return self.build(Linear({}, factor if not sums else Fraction(0)), sort)
        if len(sums) == 1:
            return self.build(sums[0].times(factor), sort)
        terms = [self.build(value, sort) for value in sums]
        product = self.graph.term("*", flat("*", terms), None, sort)
        return self.build(Linear({product: factor}, Fraction(0)), sort)

    def _quotient(self, a: Term, b: Term) -> Term:
        """Division by a constant other than zero is multiplication; all other division stays."""
        if b.op == "const" and number(b):
            return self.build(self.linear(a).times(1 / number(b)), REAL)
        return self.graph.term("/", (a, b), None, REAL)
