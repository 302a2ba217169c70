"""Canonical texts: equal for twins, different for everything that may change a verdict; annotations carried over."""

from __future__ import annotations

import ast
from collections.abc import Callable
from dataclasses import replace
from types import ModuleType

import pytest

from checkers.lang import canonical, ir, renaming
from checkers.lang.lower import lower
from tests.mutation import survivors
from tests.terms import (
    AT,
    FLAGS,
    INTS,
    append,
    assign,
    binary,
    both,
    branch,
    builtin,
    call,
    check,
    choose,
    compare,
    const,
    contract,
    cut,
    each,
    function,
    give,
    index,
    listing,
    loop,
    pair,
    quantify,
    span,
    store,
    throw,
    unary,
    var,
)
from tests.unit.mutations_canonical import CANONICAL, RENAMING
from verifier.errors import VerifierError
from verifier.model import Canonical, LoopNotes

X, Y, XS, T, S = var("x"), var("y"), var("xs", INTS), var("t", ir.BOOL), var("s", ir.STR)


def text(m: ModuleType, f: ir.Function, *, safety: bool = False, partial: bool = False) -> str:
    found: str = m.canonicalise(f, safety=safety, partial=partial).text
    return found


FIRST = '''
from icontract import ensure, require

def twice(a: int) -> int:
    return a + a

@require(lambda n, xs: n > len(xs))
@require(lambda n: twice(n) >= 0, "n is not negative")
@ensure(lambda n, xs, result: all(result >= x for x in xs) or n == 0)
@ensure(lambda result: result >= 0)
def total(n: int, xs: list[int]) -> int:
    """Add and keep the largest."""
    s = 0
    for i in range(n):
        s, old = s + twice(i), s
        s = old if s < old else s
    for x in xs:
        s = max(s, x)
    return s
'''
SECOND = """
from nagini_contracts.contracts import *


def double(k: int) -> int:
    return k + k


def g(count: int, items: list[int]) -> int:
    Requires(double(count) >= 0)
    Requires(count > len(items))
    Requires(count > len(items))
    Ensures(Result() >= 0)
    Ensures(all(Result() >= each for each in items) or count == 0)
    acc = 0
    for step in range(count):  # another comment
        acc, before = (acc + double(step), acc)
        acc = before if acc < before else acc
    for item in items:
        acc = max(acc, item)
    return acc
"""


def case_twins(m: ModuleType) -> None:
    first, second = lower(FIRST, "total").function, lower(SECOND, "g").function
    assert text(m, first) == text(m, second)
    assert text(m, first) != text(m, first, safety=True) != text(m, first, safety=True, partial=True)
    assert text(m, first) != text(m, first, partial=True)
    found = m.canonicalise(first, safety=False, partial=False).renaming
    assert found["total"] == "f0"
    assert found["total.n"] == "f0.v0"
    assert found["total.s"] == "f0.v2"
    assert found["twice.a"] == "f1.v0"


def with_body(*body: ir.Stmt, returns: ir.Type = ir.INT) -> ir.Function:
    params: dict[str, ir.Type] = {"x": ir.INT, "y": ir.INT, "xs": INTS, "t": ir.BOOL, "s": ir.STR}
    locals_: dict[str, ir.Type] = {"z": ir.INT, "ys": INTS}
    return function([*body], params=params, locals_=locals_, returns=returns)


def of(expr: ir.Expr) -> ir.Function:
    return with_body(ir.Evaluate(expr, AT))


ONE, TWO = const(1), const(2)
EXPRESSIONS: list[ir.Expr] = [
    ONE, const(True), TWO, const(-1), const("1"), const("'"), const('"'), const("a b"), const("a"), const(None),
    const("\ud83d\ude00"), const("\U0001f600"), const("\\ud83d"), const("\ud83d"), const(2**70), const(-(2**70)),
    const(""),
    ir.Const(1, ir.BOOL, AT), X, Y, var("free"), unary("-", X), unary("+", X), unary("not", X),
    binary(X, "+", Y), binary(Y, "+", X), binary(X, "-", Y), binary(X, "+", Y, ir.BOOL),
    binary(binary(X, "-", Y), "-", X),
    binary(X, "-", binary(Y, "-", X)), compare(X, "<", Y), compare(X, "<=", Y), compare(X, "<", Y, "<", X),
    compare(compare(X, "<", Y), "<", X), compare(X, "in", XS), compare(X, "not in", XS), both(X, Y),
    both(X, Y, op="or"),
    both(X, Y, X), both(both(X, Y), X), choose(X, T, Y), choose(Y, T, X), choose(X, Y, T), index(XS, X), index(S, X),
    ir.Item(pair(X, Y), 0, ir.INT, AT), ir.Item(pair(X, Y), 1, ir.INT, AT), cut(XS, None, None), cut(XS, X, None),
    cut(XS, None, X), cut(XS, X, Y), cut(XS, Y, X), listing(), listing(kind=FLAGS), listing(X), listing(X, Y),
    pair(X, Y), pair(X), pair(),
    builtin("min", X, Y), builtin("max", X, Y), builtin("len", XS), builtin("list", XS, kind=INTS),
    quantify("all", "k", XS, var("k")), quantify("any", "k", XS, var("k")), quantify("all", "k", XS, X),
    quantify("all", "k", XS, var("k"), eager=True), quantify("all", "k", XS, var("k"), when=T),
    quantify("all", "k", XS, T, when=var("k")),
    quantify("all", "k", span(X, Y), var("k")), quantify("all", "k", span(Y, X), var("k")),
    quantify("all", "k", span(X, Y, 2), var("k")),
    quantify("all", "k", span(X, Y, -1), var("k")), replace(quantify("all", "k", XS, ONE), variable_type=ir.BOOL),
    quantify("all", "k", XS, ONE),
    quantify("all", "k", XS, quantify("any", "j", XS, compare(var("k"), "<", var("j")))),
    quantify("all", "k", XS, quantify("any", "j", XS, compare(var("j"), "<", var("k")))),
    quantify("all", "k", XS, quantify("any", "j", XS, compare(var("j"), "<", var("j")))),
    ir.Old(X, ir.INT, AT), ir.Iterations(ir.INT, AT),
]  # fmt: skip
NOTED = ir.Annotation((compare(X, ">", Y), T), (X, Y))
STATEMENTS: list[list[ir.Stmt]] = [
    [], [assign("z", X)], [assign("x", X)], [assign("z", X), assign("z", Y)], [assign("z", Y), assign("z", X)],
    [store("xs", X, Y)], [store("xs", Y, X)], [store("xs", Y, Y)], [append("xs", X)], [ir.Evaluate(X, AT)],
    [check(X)], [give(X)],
    [branch(X, [give(X)])], [branch(X, [], [give(X)])], [branch(X, []), give(X)], [branch(X, [give(X)], [give(Y)])],
    [loop("f.0", X, [assign("x", Y)])], [loop("f.0", X, [], [assign("x", Y)])], [loop("f.0", X, []), assign("x", Y)],
    [loop("f.0", X, [assign("x", Y)], given=NOTED)],
    [loop("f.0", X, [assign("x", Y)], given=ir.Annotation(NOTED.invariants))],
    [loop("f.0", X, [assign("x", Y)], given=ir.Annotation((), NOTED.decreases))],
    [loop("f.0", X, [assign("x", Y)], given=ir.Annotation((), (Y, X)))],
    [loop("f.0", X, [assign("x", Y)], given=ir.Annotation((T,)))],
    [loop("f.1", X, [assign("x", Y)])], [loop("f.0", X, [])],
    [each("f.0", "z", XS, [])], [each("f.0", "z", span(X, Y), [])], [each("f.0", "z", span(X, Y, 2), [])],
    [each("f.0", "x", XS, [])],
    [each("f.0", "z", span(Y, X), [])], [each("f.0", "z", XS, [ir.Break(AT)])],
    [each("f.0", "z", XS, [ir.Continue(AT)])],
    [replace(each("f.0", "z", XS, []), target_type=ir.BOOL)],
    [throw("ValueError")], [throw("KeyError")], [throw("KeyError", X)], [throw("KeyError", X, Y)],
]  # fmt: skip


def all_different(m: ModuleType, functions: list[ir.Function]) -> None:
    texts = [text(m, f) for f in functions]
    assert len(set(texts)) == len(texts)


def case_expressions_differ(m: ModuleType) -> None:
    all_different(m, [of(expr) for expr in EXPRESSIONS])


def case_statements_differ(m: ModuleType) -> None:
    all_different(m, [with_body(*body) for body in STATEMENTS])


def case_functions_differ(m: ModuleType) -> None:
    body: list[ir.Stmt] = [assign("z", ONE), give(X)]
    base = function(body, params={"x": ir.INT, "y": ir.INT}, locals_={"z": ir.INT})
    promise = contract([X], [Y], [("ValueError", T)])
    first, second = base.params
    functions = [
        base, replace(base, params=(second, first)), replace(base, params=(first,)), replace(base, returns=ir.BOOL),
        replace(base, params=(first, ir.Param("y", ir.BOOL))),
        replace(base, params=(first, second, ir.Param("z", ir.INT))),
        replace(base, params=(first, ir.Param("y", INTS))), replace(base, params=(first, ir.Param("y", FLAGS))),
        replace(base, locals=(("z", ir.BOOL),)), replace(base, returns=ir.TupleOf((ir.INT, ir.INT))),
        replace(base, returns=ir.TupleOf((ir.TupleOf((ir.INT,)), ir.INT))),
        replace(base, returns=ir.TupleOf((ir.INT,))),
        replace(base, returns=ir.TupleOf((ir.TupleOf((ir.INT, ir.INT)),))), replace(base, returns=ir.TupleOf(())),
    ]  # fmt: skip
    contracts = [
        promise, contract([Y], [Y], [("ValueError", T)]), contract([X], [X], [("ValueError", T)]),
        contract([X], [Y], [("KeyError", T)]), contract([X], [Y], [("ValueError", X)]), contract([X], [Y]),
        contract([X], [], [("ValueError", T)]), contract([], [Y], [("ValueError", T)]), contract([X, Y]),
        contract([], [X, Y]),
        contract([both(X, Y)]), contract([], [var("result")]), contract([var("result")]), contract([], [var("q0")]),
    ]  # fmt: skip
    all_different(m, [*functions, *(replace(base, contract=each_one) for each_one in contracts)])
    hidden = function([give(var("result"))], params={"result": ir.INT}, promise=contract([], [var("result")]))
    plain = function([give(X)], params={"x": ir.INT}, promise=contract([], [X]))
    assert text(m, hidden) != text(m, plain)  # in a postcondition, `result` is what was returned


def case_clauses_are_sets(m: ModuleType) -> None:
    base = function([give(X)], params={"x": ir.INT, "y": ir.INT})
    one = contract([X, Y], [X, Y], [("KeyError", X), ("ValueError", Y)])
    two = contract([Y, X, Y], [Y, X, X], [("ValueError", Y), ("KeyError", X)])
    assert text(m, replace(base, contract=one)) == text(m, replace(base, contract=two))
    swapped = contract([X, Y], [X, Y], [("KeyError", Y), ("ValueError", X)])
    assert text(m, replace(base, contract=one)) != text(m, replace(base, contract=swapped))


def case_callees(m: ModuleType) -> None:
    params: dict[str, ir.Type] = {"x": ir.INT}
    g, h = (function([give(binary(X, "+", const(n)))], name=name, params=params) for name, n in (("g", 1), ("h", 2)))
    twin = replace(g, name="twin")

    def caller(first: ir.Function, second: ir.Function) -> str:
        return text(m, function([give(binary(call(first, X), "-", call(second, X)))], params=params))

    assert (
        caller(g, h)
        == caller(replace(g, name="p"), replace(h, name="q"))
        == caller(replace(g, name="h"), replace(h, name="g"))
    )
    assert len({caller(g, h), caller(h, g), caller(g, g), caller(h, h), caller(g, twin)}) == 5
    assert caller(g, replace(h, name="g")) == caller(g, h)  # one name in two places
    # Clauses are sorted by what callees are, not by how they are called or numbered.
    clauses = [compare(call(h, X), ">", ONE), compare(call(g, X), ">", ONE)]
    renamed = [compare(call(replace(each_one, name=name), X), ">", ONE) for each_one, name in ((g, "z"), (h, "a"))]
    texts = [text(m, function([give(X)], params=params, promise=contract(found))) for found in (clauses, renamed)]
    assert texts[0] == texts[1]
    two = function([give(X)], name="two", params={"x": ir.INT, "y": ir.INT})
    orders = {text(m, of(call(two, X, Y, order=order))) for order in ((0, 1), (1, 0))}
    assert len(orders) == 2
    deep = function([give(call(g, X))], name="deep", params=params)
    other = function([give(call(h, X))], name="deep", params=params)
    assert caller(deep, g) != caller(other, g)
    chain: ir.Function = g
    for number in range(40):  # printed once each, not once for every path that leads there
        chain = function([give(binary(call(chain, X), "+", call(chain, X)))], name=f"c{number}", params=params)
    assert len(text(m, chain)) < 40_000


def case_names_do_not_matter(m: ModuleType) -> None:
    def made(a: str, b: str, k: str, j: str) -> ir.Function:
        inner = quantify("any", j, var(a, INTS), compare(var(k), "<", var(j)))
        body: list[ir.Stmt] = [
            assign(b, ONE),
            each("f.0", f"{b}2", var(a, INTS), []),
            give(quantify("all", k, var(a, INTS), inner)),
        ]
        return function(body, params={a: INTS}, locals_={f"{b}2": ir.INT, b: ir.INT}, returns=ir.BOOL)

    assert (
        text(m, made("xs", "s", "k", "j"))
        == text(m, made("v1", "v0", "j", "k"))
        == text(m, made("q0", "xs", "a", "q1"))
    )
    assert text(m, made("xs", "s", "k", "j")) != text(m, made("xs", "s", "k", "k"))
    deep: ir.Expr = X
    for _ in range(5_000):
        deep = unary("-", deep)
    assert text(m, of(deep)).count("unary") == 5_000
    f = with_body(loop("f.0", X, []))
    moved = replace(f, name="g", body=(loop("g.0", X, []),))
    assert text(m, f) == text(m, moved)


CASES = [
    case_twins, case_expressions_differ, case_statements_differ, case_functions_differ, case_clauses_are_sets,
    case_callees,
    case_names_do_not_matter,
]  # fmt: skip


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.__name__.removeprefix("case_"))
def test_canonical(case: Callable[[ModuleType], None]) -> None:
    case(canonical)


def battery(module: ModuleType) -> None:
    for case in CASES:
        case(module)


def test_the_cases_notice_every_mutant() -> None:
    assert survivors(canonical, CANONICAL, battery) == []


# --- annotations -----------------------------------------------------------------------------------------------

SOURCE = Canonical("", {"f": "f0", "f.n": "f0.v0", "f.i": "f0.v1", "f.xs": "f0.v2", "g": "f1", "g.n": "f1.v0"})
TARGET = Canonical("", {"h": "f0", "h.k": "f0.v0", "h.n": "f0.v1", "h.ys": "f0.v2", "f": "f1", "f.z": "f1.v0"})


def renamed(m: ModuleType, invariant: str, path: str = "f.1.0") -> dict[str, LoopNotes]:
    found: dict[str, LoopNotes] = m.rename_annotations({path: LoopNotes((invariant,), (invariant,))}, SOURCE, TARGET)
    return found


def same_expression(left: str, right: str) -> bool:
    return ast.dump(ast.parse(left, mode="eval")) == ast.dump(ast.parse(right, mode="eval"))


def case_renaming(m: ModuleType) -> None:
    expected = {
        "2*i == n*(n+1)": "2*n == k*(k+1)",
        "all(xs[j] <= g(i) for j in range(i))": "all(ys[j] <= f(n) for j in range(n))",
        "all(xs[k] <= n for k in range(i))": "all(ys[k_1] <= k for k_1 in range(n))",  # no capture
        "all(xs[k] <= n + k_1 for k in range(i))": "all(ys[k_2] <= k + k_1 for k_2 in range(n))",
        "all(n for n in range(n) if n > i)": "all(n_1 for n_1 in range(k) if n_1 > n)",  # first domain is outside
        "Forall(range(i), lambda k: xs[k] > n)": "Forall(range(n), lambda k_1: ys[k_1] > k)",
        "Forall(xs, lambda i: Exists(xs, lambda n: i < n))": "Forall(ys, lambda i: Exists(ys, lambda n: i < n))",
        "Old(n) + Iterations() == len(xs)": "Old(k) + Iterations() == len(ys)",
        "any([k == n for k in xs])": "any([k_1 == k for k_1 in ys])",
    }
    for before, after in expected.items():
        found = renamed(m, before)
        assert set(found) == {"h.1.0"}
        assert same_expression(found["h.1.0"].invariants[0], after), before
        assert found["h.1.0"].decreases == found["h.1.0"].invariants
    assert same_expression(renamed(m, "n > 0", "g.0")["f.0"].invariants[0], "z > 0")
    assert renamed(m, "n > 0", "unknown.0") == {}
    with pytest.raises(VerifierError, match="not an expression"):
        renamed(m, "n >")
    with pytest.raises(VerifierError):
        renamed(m, "(" * 3000 + ")" * 3000)


def test_annotations_are_carried_over() -> None:
    case_renaming(renaming)


def test_the_cases_notice_every_mutant_of_renaming() -> None:
    assert survivors(renaming, RENAMING, case_renaming) == []


def test_twins_exchange_annotations() -> None:
    one, two = (canonical.canonicalise(lower(source, name).function, safety=False, partial=False)
                for source, name in ((FIRST, "total"), (SECOND, "g")))  # fmt: skip
    notes = {"total.0": LoopNotes(("s >= 0", "all(s >= x for x in xs[:i])"))}
    there = canonical.rename_annotations(notes, one, two)
    assert there == {"g.0": LoopNotes(("acc >= 0", "all((acc >= x for x in items[:step]))"))}
    back = canonical.rename_annotations(there, two, one)
    assert [same_expression(a, b) for a, b in zip(back["total.0"].invariants, notes["total.0"].invariants, strict=True)]
