"""Floor division by a term: `fdiv`/`fmod` and the facts that hold of them. Trusted.

For a literal divisor Python's `//` and `%` are expressed by SMT-LIB's `div` and `mod`, which agree with Python for
positive divisors; a negative one is reached through `a // -d == -a // d`. For any other divisor each occurrence is
described by instances of the defining equation and a few consequences that solvers find slowly, and the lemmas of
divisibility below. Every fact is enumerated against CPython and proved by Z3 in `tests/unit/test_division.py`.
"""

from __future__ import annotations

from collections.abc import Iterator

from checkers.smt import terms as t
from checkers.smt.terms import Term


def floor_divide(a: Term, b: Term) -> Term:
    """`a // b`, meaningful where `b != 0`."""
    divisor = t.value_of(b)
    if divisor is None or divisor == 0:
        return t.apply("fdiv", (a, b), t.INT)
    return t.quotient(a, divisor) if divisor > 0 else t.quotient(t.negate(a), -divisor)


def floor_modulo(a: Term, b: Term) -> Term:
    """`a % b`, meaningful where `b != 0`: it has the sign of `b`."""
    divisor = t.value_of(b)
    if divisor is None or divisor == 0:
        return t.apply("fmod", (a, b), t.INT)
    return t.remainder(a, divisor) if divisor > 0 else t.negate(t.remainder(t.negate(a), -divisor))


def defining_facts(a: Term, b: Term) -> Term:
    """What `fdiv(a, b)` and `fmod(a, b)` are, where `b != 0`."""
    q, r = floor_divide(a, b), floor_modulo(a, b)
    whole = t.equal(a, t.add(t.multiply(b, q), r))
    positive = t.conjunction(
        whole,
        t.at_most(t.ZERO, r),
        t.less(r, b),
        t.implication(t.at_most(t.ZERO, a), t.conjunction(t.at_most(t.ZERO, q), t.at_most(q, a), t.at_most(r, a))),
        t.implication(t.conjunction(t.at_most(t.ZERO, a), t.less(a, b)), t.equal(r, a)),
        t.implication(t.at_most(b, a), t.at_most(t.ONE, q)),
    )
    negative = t.conjunction(whole, t.less(b, r), t.at_most(r, t.ZERO))
    return t.conjunction(t.implication(t.less(t.ZERO, b), positive), t.implication(t.less(b, t.ZERO), negative))


def cases(a: Term) -> Iterator[Term]:
    """The terms that `a` may be, where branches have been merged into `ite`."""
    if a.op == "ite":
        yield from cases(a.args[1])
        yield from cases(a.args[2])
    else:
        yield a


def sum_facts(a: Term, b: Term) -> Iterator[tuple[Term, Term]]:
    """For a sum `a = x + y`: `b` divides `y` implies that it divides `x` iff it divides `a`, and the same with `x`
    and `y` exchanged. Yields `(summand, fact)`; the caller owes `defining_facts` of each summand."""
    if a.op != "+" or len(a.args) != 2:
        return
    x, y = a.args
    for one, other in ((x, y), (y, x)):
        plain = _unsigned(one)
        given = t.equal(floor_modulo(plain, b), t.ZERO)
        same = t.equal(t.equal(floor_modulo(_unsigned(other), b), t.ZERO), t.equal(floor_modulo(a, b), t.ZERO))
        yield plain, t.implication(t.conjunction(t.negation(t.equal(b, t.ZERO)), given), same)


def _unsigned(term: Term) -> Term:
    """`x` for `-x`: a number divides both or neither."""
    return term.args[1] if term.op == "*" and t.value_of(term.args[0]) == -1 else term


def lemmas() -> tuple[Term, ...]:
    """Quantified facts of divisibility: `d | d`, `d | 0`, and Euclid's step `d | y => (d | x <=> d | x mod y)`."""
    x, y, d = (t.bound(f"{name}!lemma", t.INT) for name in "xyd")
    nonzero = t.negation(t.equal(d, t.ZERO))

    def divides(number: Term) -> Term:
        return t.equal(floor_modulo(number, d), t.ZERO)

    step = floor_modulo(x, y)
    euclid = t.implication(
        t.conjunction(nonzero, t.negation(t.equal(y, t.ZERO)), divides(y)),
        t.equal(divides(x), divides(step)),
    )
    return (
        t.forall((d,), t.implication(nonzero, divides(d)), (floor_modulo(d, d),)),
        t.forall((d,), t.implication(nonzero, divides(t.ZERO)), (floor_modulo(t.ZERO, d),)),
        t.forall((x, y, d), euclid, (t.together(step, floor_modulo(y, d)),)),
    )
