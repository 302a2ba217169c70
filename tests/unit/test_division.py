"""Every fact about `//` and `%` holds in CPython, and Z3 proves it from the defining equation."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product

import pytest
import z3

from checkers.smt import division
from checkers.smt import terms as t
from checkers.smt.terms import Term

RANGE = range(-9, 10)


def evaluate(term: Term, values: dict[str, int]) -> int | bool:
    """An independent reading of terms, with `fdiv` and `fmod` as CPython has them."""
    args = [evaluate(arg, values) for arg in term.args]
    match term.op:
        case "int" | "bool":
            assert isinstance(term.data, int)
            return term.data
        case "const" | "bound":
            return values[str(term.data)]
        case "+":
            return sum(args)
        case "*":
            return args[0] * args[1]
        case "div":
            return args[0] // args[1]
        case "mod":
            return args[0] % args[1]
        case "apply":
            if args[1] == 0:
                return 12345
            return args[0] // args[1] if term.data == "fdiv" else args[0] % args[1]
        case "and":
            return all(args)
        case "or":
            return any(args)
        case "not":
            return not args[0]
        case "=>":
            return not args[0] or bool(args[1])
        case "=":
            return args[0] == args[1]
        case "<=":
            return args[0] <= args[1]
        case "<":
            return args[0] < args[1]
    raise AssertionError(term.op)


A, B, X, Y = (t.constant(name, t.INT) for name in "abxy")


@pytest.mark.parametrize("divisor", [-7, -2, -1, 1, 2, 3])
def test_literal_divisors_agree_with_cpython(divisor: int) -> None:
    d = t.integer(divisor)
    for a in RANGE:
        assert evaluate(division.floor_divide(A, d), {"a": a}) == a // divisor
        assert evaluate(division.floor_modulo(A, d), {"a": a}) == a % divisor


def test_defining_facts_hold_in_cpython() -> None:
    fact = division.defining_facts(A, B)
    for a, b in product(RANGE, RANGE):
        assert evaluate(fact, {"a": a, "b": b}), (a, b)


def test_defining_facts_determine_the_result() -> None:
    fact = division.defining_facts(A, B)
    for a, b in product(range(-5, 6), range(-5, 6)):
        if b == 0:
            continue
        solver = z3.Solver()
        a_, b_ = z3.Ints("a b")
        fdiv = z3.Function("fdiv", z3.IntSort(), z3.IntSort(), z3.IntSort())
        fmod = z3.Function("fmod", z3.IntSort(), z3.IntSort(), z3.IntSort())
        solver.add(as_z3(fact, {}), a_ == a, b_ == b)
        solver.add(z3.Or(fdiv(a_, b_) != a // b, fmod(a_, b_) != a % b))
        assert solver.check() == z3.unsat, (a, b)


def sums() -> Iterator[Term]:
    yield t.add(X, Y)
    yield t.subtract(X, Y)
    yield t.subtract(t.negate(X), Y)


@pytest.mark.parametrize("total", list(sums()), ids=repr)
def test_sum_facts_hold_in_cpython(total: Term) -> None:
    facts = list(division.sum_facts(total, B))
    assert len(facts) == 2
    for x, y, b in product(RANGE, RANGE, RANGE):
        for _, fact in facts:
            assert evaluate(fact, {"x": x, "y": y, "b": b}), (x, y, b)


def test_lemmas_hold_in_cpython() -> None:
    for lemma in division.lemmas():
        assert isinstance(lemma.data, int)
        names = [str(variable.data) for variable in lemma.args[: lemma.data]]
        for values in product(RANGE, repeat=len(names)):
            assert evaluate(lemma.args[lemma.data], dict(zip(names, values, strict=True))), values


def as_z3(term: Term, bound: dict[str, z3.ExprRef]) -> z3.ExprRef:
    """The term in Z3's own objects, for proofs that do not go through our printer."""
    args = [as_z3(arg, bound) for arg in term.args]
    match term.op:
        case "int":
            return z3.IntVal(term.data)
        case "bool":
            return z3.BoolVal(term.data)
        case "const" | "bound":
            return z3.Int(str(term.data))
        case "apply":
            sort = z3.IntSort()
            return z3.Function(str(term.data), sort, sort, sort)(*args)
        case "+":
            return z3.Sum(args)
        case "*":
            return args[0] * args[1]
        case "and":
            return z3.And(args)
        case "or":
            return z3.Or(args)
        case "not":
            return z3.Not(args[0])
        case "=>":
            return z3.Implies(*args)
        case "=":
            return args[0] == args[1]
        case "<=":
            return args[0] <= args[1]
        case "<":
            return args[0] < args[1]
    raise AssertionError(term.op)


def test_euclids_step_follows_from_the_defining_equation() -> None:
    # x = q*y + r, d | y (y = k*d) and r = m*d give x = (q*k + m)*d; and x = n*d gives r = (n - q*k)*d.
    x, y, q, r, d, k, m, n = z3.Ints("x y q r d k m n")
    solver = z3.Solver()
    solver.add(x == q * y + r, y == k * d)
    solver.push()
    solver.add(r == m * d, x != (q * k + m) * d)
    assert solver.check() == z3.unsat
    solver.pop()
    solver.add(x == n * d, r != (n - q * k) * d)
    assert solver.check() == z3.unsat
