"""The constructors of terms simplify; Z3 proves that what they build means what was asked for."""

from __future__ import annotations

import random
from collections.abc import Callable

import pytest
import z3

from checkers.smt import terms as t
from checkers.smt.print import Printer, script
from checkers.smt.terms import Term

ARRAY = t.array_of(t.INT)
ATOMS: dict[str, list[tuple[Term, str]]] = {
    t.INT: [(t.constant(name, t.INT), name) for name in ("x", "y", "z")],
    t.BOOL: [(t.constant(name, t.BOOL), name) for name in ("p", "q")],
    ARRAY: [(t.constant("a", ARRAY), "a")],
}
DECLARATIONS = (
    "(declare-fun x () Int)(declare-fun y () Int)(declare-fun z () Int)"
    "(declare-fun p () Bool)(declare-fun q () Bool)(declare-fun a () (Array Int Int))"
)

Pair = tuple[Term, str]


def literal(rng: random.Random) -> Pair:
    value = rng.choice([-3, -2, -1, 0, 1, 2, 7])
    return t.integer(value), str(value) if value >= 0 else f"(- {-value})"


def build(rng: random.Random, sort: str, depth: int) -> Pair:
    """A random term through the constructors, and the same as plain text."""
    if depth == 0 or rng.random() < 0.1:
        return literal(rng) if sort == t.INT and rng.random() < 0.5 else rng.choice(ATOMS[sort])
    maker = rng.choice(MAKERS[sort])
    return maker(rng, depth - 1)


def binary(sort: str, item: str, make: Callable[..., Term], op: str) -> Callable[[random.Random, int], Pair]:
    def maker(rng: random.Random, depth: int) -> Pair:
        (a, x), (b, y) = build(rng, item, depth), build(rng, item, depth)
        return make(a, b), f"({op} {x} {y})"

    assert sort
    return maker


def conditional(sort: str) -> Callable[[random.Random, int], Pair]:
    def maker(rng: random.Random, depth: int) -> Pair:
        (c, w), (a, x), (b, y) = build(rng, t.BOOL, depth), build(rng, sort, depth), build(rng, sort, depth)
        return t.conditional(c, a, b), f"(ite {w} {x} {y})"

    return maker


def negation(rng: random.Random, depth: int) -> Pair:
    a, x = build(rng, t.BOOL, depth)
    return t.negation(a), f"(not {x})"


def division(make: Callable[[Term, int], Term], op: str) -> Callable[[random.Random, int], Pair]:
    def maker(rng: random.Random, depth: int) -> Pair:
        (a, x), divisor = build(rng, t.INT, depth), rng.choice([1, 2, 3])
        return make(a, divisor), f"({op} {x} {divisor})"

    return maker


def select(rng: random.Random, depth: int) -> Pair:
    (a, x), (i, y) = build(rng, ARRAY, depth), build(rng, t.INT, depth)
    return t.select(a, i), f"(select {x} {y})"


def store(rng: random.Random, depth: int) -> Pair:
    (a, x), (i, y), (v, w) = build(rng, ARRAY, depth), build(rng, t.INT, depth), build(rng, t.INT, depth)
    return t.store(a, i, v), f"(store {x} {y} {w})"


MAKERS: dict[str, list[Callable[[random.Random, int], Pair]]] = {
    t.INT: [
        binary(t.INT, t.INT, t.add, "+"),
        binary(t.INT, t.INT, t.subtract, "-"),
        binary(t.INT, t.INT, t.multiply, "*"),
        division(t.quotient, "div"),
        division(t.remainder, "mod"),
        conditional(t.INT),
        select,
    ],
    t.BOOL: [
        binary(t.BOOL, t.BOOL, t.conjunction, "and"),
        binary(t.BOOL, t.BOOL, t.disjunction, "or"),
        binary(t.BOOL, t.BOOL, t.implication, "=>"),
        binary(t.BOOL, t.BOOL, t.equal, "="),
        binary(t.BOOL, t.INT, t.equal, "="),
        binary(t.BOOL, t.INT, t.at_most, "<="),
        binary(t.BOOL, t.INT, t.less, "<"),
        conditional(t.BOOL),
        negation,
    ],
    ARRAY: [store, conditional(ARRAY)],
}


def different(term: Term, text: str) -> bool:
    """Whether Z3 finds an interpretation in which the two differ."""
    names = {name: z3.Int(name) for name in "xyz"} | {name: z3.Bool(name) for name in "pq"}
    names["a"] = z3.Array("a", z3.IntSort(), z3.IntSort())
    printer = Printer((term,))
    shared = "".join(line for line in printer.declarations.splitlines(True) if line.startswith("(define-fun"))
    solver = z3.Solver()
    solver.set("rlimit", 2_000_000)
    solver.from_string(f"{DECLARATIONS}{shared}(assert (distinct {printer.text(term)} {text}))")
    return bool(solver.check() == z3.sat)


@pytest.mark.parametrize("seed", range(12))
def test_constructors_keep_the_meaning(seed: int) -> None:
    rng = random.Random(seed)
    for _ in range(40):
        term, text = build(rng, rng.choice([t.INT, t.BOOL]), 4)
        assert not different(term, text), text


def test_a_quantifier_keeps_only_what_its_body_uses() -> None:
    k, m = t.bound("k", t.INT), t.bound("m", t.INT)
    body = t.less(t.ZERO, k)
    assert t.forall((k, m), body).args == (k, body)
    assert t.exists((m,), t.TRUE) is t.TRUE
    assert t.forall((k,), body).free == frozenset()


def test_equal_terms_are_one_object() -> None:
    x = t.constant("x", t.INT)
    assert t.add(x, t.ONE) is t.add(x, t.ONE)
    assert t.boolean(True) is t.TRUE
    assert t.integer(1) is not t.TRUE


def test_scripts_share_and_quote() -> None:
    x = t.constant("len.xs", t.INT)
    odd = t.constant("ü", t.INT)
    square = t.multiply(t.add(x, odd), t.add(x, odd))
    text = script((t.less(square, x),), t.equal(square, odd))
    assert "|ü|" in text
    assert text.count("(+ len.xs |ü|)") == 1
    assert text == script((t.less(square, x),), t.equal(square, odd))
