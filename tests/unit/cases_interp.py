"""Cases for statements, loops, calls, cycles and judging in the interpreter; each takes the module under test."""

from __future__ import annotations

from dataclasses import replace
from types import ModuleType
from typing import Any

from checkers.lang import ir
from tests.terms import (
    AT,
    BREAK,
    CONTINUE,
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
    each,
    function,
    give,
    index,
    listing,
    loop,
    quantify,
    span,
    store,
    throw,
    var,
)

X, Y, XS, N = var("x"), var("y"), var("xs", INTS), var("n")
STEPS = 5_000


def outcome(m: ModuleType, f: ir.Function, *arguments: Any, **more: Any) -> tuple[str, Any]:
    found = m.execute(f, arguments, steps=more.pop("steps", STEPS), **more)
    match type(found).__name__:
        case "Returned":
            return "returned", found.value
        case "Raised":
            return found.cause, found.exception
        case "Cycle":
            return "cycle", found.path
    return "exhausted", None


def case_statements(m: ModuleType) -> None:
    ys = var("ys", INTS)
    start = assign("ys", builtin("list", XS, kind=INTS))
    body: list[ir.Stmt] = [start, store("ys", const(-1), X), append("ys", const(9)), give(ys)]
    argument = [1, 2]
    f = function(body, params={"xs": INTS, "x": ir.INT}, returns=INTS)
    assert outcome(m, f, argument, 5) == ("returned", [1, 5, 9])
    shared = function(
        [store("xs", const(0), X), append("xs", X), give(XS)], params={"xs": INTS, "x": ir.INT}, returns=INTS
    )
    assert outcome(m, shared, argument, 5) == ("returned", [5, 2, 5])
    assert argument == [1, 2]
    assert outcome(m, f, argument, 5, steps=3) == ("exhausted", None)
    assert outcome(m, f, argument, 5, steps=4) == ("returned", [1, 5, 9])
    order: list[ir.Stmt] = [
        start,
        store("ys", const(9), binary(X, "//", const(0))),
        give(ys),
    ]  # the value comes before the index
    assert outcome(m, function(order, params={"xs": INTS, "x": ir.INT}), [1], 5) == ("exception", "ZeroDivisionError")
    assert (
        outcome(m, function([store("ys", const(1), X)], params={"xs": INTS, "x": ir.INT}), [1], 5)[1]
        == "UnboundLocalError"
    )
    late = [store("ys", binary(X, "//", const(0)), X)]  # the list is read before the index
    assert outcome(m, function(late, params={"x": ir.INT}), 5)[1] == "UnboundLocalError"
    assert (
        outcome(m, function([append("ys", binary(X, "//", const(0)))], params={"x": ir.INT}), 5)[1]
        == "UnboundLocalError"
    )
    assert (
        outcome(m, function([start, store("ys", const(1), X)], params={"xs": INTS, "x": ir.INT}), [1], 5)[1]
        == "IndexError"
    )
    ifs = [branch(X, [give(const(1))], [give(const(2))])]
    assert [outcome(m, function(ifs, params={"x": ir.INT}), n)[1] for n in (0, -3)] == [2, 1]
    assert outcome(m, function([ir.Evaluate(index(XS, const(0)), AT)], params={"xs": INTS}), [])[1] == "IndexError"
    assert outcome(m, function([ir.Evaluate(X, AT)], params={"x": ir.INT}), 1) == ("returned", None)
    assert outcome(m, function([check(X), give(X)], params={"x": ir.INT}), 0) == ("assert", "AssertionError")
    assert outcome(m, function([check(X), give(X)], params={"x": ir.INT}), 2) == ("returned", 2)
    assert outcome(m, function([throw("KeyError", X)], params={"x": ir.INT}), 2) == ("exception", "KeyError")
    assert (
        outcome(m, function([throw("KeyError", binary(X, "%", const(0)))], params={"x": ir.INT}), 2)[1]
        == "ZeroDivisionError"
    )


def for_function(domain: ir.Range | ir.Expr) -> ir.Function:
    """Sum until 50, skipping 3, leaving at 5; 100 more when the loop was not left; then the target."""
    body: list[ir.Stmt] = [
        assign("s", const(0)),
        each("f.0", "i", domain, [
            branch(compare(var("i"), "==", const(3)), [CONTINUE]),
            branch(compare(var("i"), "==", const(5)), [BREAK]),
            branch(compare(var("i"), "==", const(50)), [give(const(-50))]),
            assign("s", binary(var("s"), "+", var("i"))),
            assign("n", const(0)),
        ], [assign("s", binary(var("s"), "+", const(100)))]),
        give(binary(binary(var("s"), "*", const(1000)), "+", var("i"))),
    ]  # fmt: skip
    return function(body, params={"n": ir.INT, "xs": INTS}, locals_={"s": ir.INT, "i": ir.INT})


def case_loops(m: ModuleType) -> None:
    ranged = for_function(span(const(0), N))
    assert outcome(m, ranged, 5, []) == ("returned", 107_004)  # the end is evaluated once
    assert outcome(m, ranged, 9, []) == ("returned", 7_005)
    assert outcome(m, ranged, 0, []) == ("exception", "UnboundLocalError")
    assert outcome(m, for_function(span(N, const(0), -2)), 6, []) == ("returned", 112_002)
    assert outcome(m, for_function(XS), 0, [7, 3, 50]) == ("returned", -50)
    assert outcome(m, for_function(XS), 0, [7, 1]) == ("returned", 108_001)
    assert outcome(m, for_function(XS), 0, [7, 5, 1]) == ("returned", 7_005)
    down: list[ir.Stmt] = [
        loop("f.0", compare(N, ">", const(0)), [
            assign("n", binary(N, "-", const(1))),
            branch(compare(N, "==", const(7)), [BREAK]),
            branch(compare(N, "==", const(8)), [give(const(8))]),
            branch(compare(N, "==", const(2)), [CONTINUE]),
            assign("c", binary(var("c"), "+", const(1))),
        ], [assign("c", binary(var("c"), "+", const(10)))]),
        give(var("c")),
    ]  # fmt: skip
    f = function([assign("c", const(0)), *down], params={"n": ir.INT})
    assert [outcome(m, f, n)[1] for n in (0, 1, 4, 8, 9)] == [10, 11, 13, 0, 8]
    assert outcome(m, f, 10**9) == ("exhausted", None)
    inner = each("f.0.0", "j", span(const(0), const(9)), [branch(compare(var("j"), "==", const(2)), [BREAK])])
    nested: list[ir.Stmt] = [each("f.0", "i", span(const(0), N), [inner]), give(binary(var("i"), "+", var("j")))]
    assert outcome(m, function(nested, params={"n": ir.INT}), 5) == ("returned", 6)


def case_states(m: ModuleType) -> None:
    seen: list[Any] = []
    body: list[ir.Stmt] = [
        each("f.0", "i", span(N, const(7), 2), [assign("n", const(0))]),
        each("f.1", "j", XS, [assign("n", binary(N, "+", var("j")))]),
        loop("f.2", compare(N, ">", const(4)), [assign("n", const(0))]),
        give(N),
    ]
    f = function(body, params={"n": ir.INT, "xs": INTS})
    assert outcome(m, f, 4, [5, 6], observe=seen.append) == ("returned", 0)
    states = [(state.path, state.iterations, state.env.get("i"), state.env.get("j"), state.env["n"]) for state in seen]
    assert states == [
        ("f.0", 0, 4, None, 4), ("f.0", 1, 6, None, 0), ("f.0", 2, 8, None, 0),
        ("f.1", 0, 6, None, 0), ("f.1", 1, 6, 5, 5), ("f.1", 2, 6, 6, 11),
        ("f.2", 0, 6, 6, 11), ("f.2", 1, 6, 6, 0),
    ]  # fmt: skip
    assert all(state.entry == {"n": 4, "xs": [5, 6]} for state in seen)
    callee = function([each("g.0", "i", span(const(0), X), []), give(X)], name="g", params={"x": ir.INT})
    seen.clear()
    caller = function(
        [loop("f.0", compare(N, ">", call(callee, const(1))), [assign("n", const(0))])], params={"n": ir.INT}
    )
    outcome(m, caller, 2, observe=seen.append)
    assert [(state.path, state.iterations, state.entry) for state in seen] == [
        ("f.0", 0, {"n": 2}), ("g.0", 0, {"x": 1}), ("g.0", 1, {"x": 1}),
        ("f.0", 1, {"n": 2}), ("g.0", 0, {"x": 1}), ("g.0", 1, {"x": 1}),
    ]  # fmt: skip


def case_calls(m: ModuleType) -> None:
    inverse = function(
        [give(binary(const(12), "//", X))], name="g", params={"x": ir.INT, "y": ir.INT},
        promise=contract([compare(Y, "<", const(9))], [compare(binary(var("result"), "*", X), "==", const(12))]),
    )  # fmt: skip
    f = function([give(call(inverse, X, Y))], params={"x": ir.INT, "y": ir.INT})
    assert outcome(m, f, 3, 1) == ("returned", 4)
    assert outcome(m, f, 0, 1) == ("exception", "ZeroDivisionError")
    assert outcome(m, f, 3, 9) == ("contract", "ViolationError")
    assert outcome(m, f, 5, 1) == ("contract", "ViolationError")
    turned = call(inverse, binary(X, "//", const(0)), index(XS, const(0)), order=(1, 0))
    assert outcome(m, function([give(turned)], params={"x": ir.INT, "xs": INTS}), 1, [])[1] == "IndexError"
    picky = function([give(X)], name="h", params={"x": ir.INT}, promise=contract([binary(const(1), "//", X)]))
    g = function([give(call(picky, X))], params={"x": ir.INT})
    assert outcome(m, g, 1) == ("returned", 1)
    assert outcome(m, g, 0) == ("contract", "ZeroDivisionError")
    assert outcome(m, g, 2) == ("contract", "ViolationError")
    kept = function(
        [give(X)], name="k", params={"x": ir.INT}, promise=contract(ensures=[compare(ir.Old(X, ir.INT, AT), "==", X)])
    )
    assert outcome(m, function([give(call(kept, Y))], params={"x": ir.INT, "y": ir.INT}), 5, 6) == ("returned", 6)


def spin(body: list[ir.Stmt], test: ir.Expr | None = None) -> ir.Function:
    return function(
        [assign("i", const(0)), loop("f.0", test or const(True), body), give(var("i"))], params={"n": ir.INT}
    )


def case_cycles(m: ModuleType) -> None:
    i = var("i")
    step = binary(i, "+", const(1))
    assert outcome(m, spin([]), 1, cycles=True) == ("cycle", "f.0")
    assert outcome(m, spin([]), 1) == ("exhausted", None)
    assert outcome(m, spin([assign("i", binary(step, "%", const(7)))]), 1, cycles=True) == ("cycle", "f.0")
    lasso = branch(compare(i, "==", const(40)), [assign("i", const(31))], [assign("i", step)])
    assert outcome(m, spin([lasso]), 1, cycles=True) == ("cycle", "f.0")
    assert outcome(m, spin([assign("i", step)], compare(i, "<", N)), 90, cycles=True) == ("returned", 90)
    assert outcome(m, spin([assign("i", step)]), 90, cycles=True) == ("exhausted", None)
    # The value repeats but not the type: a later step may tell them apart, so this is not the same state.
    typed = spin(
        [assign("j", i), assign("i", choose(const(1), compare(i, "==", const(0)), const(2)))], compare(i, "<", const(2))
    )
    assert outcome(m, typed, 1, cycles=True) == ("returned", 2)
    flip: list[ir.Stmt] = [
        assign("xs", listing(const(True), kind=INTS)),
        branch(compare(i, "==", const(0)), [assign("xs", listing(const(1)))]),
        assign("i", step),
    ]
    assert outcome(m, spin(flip, compare(i, "<", const(3))), 1, cycles=True)[0] == "returned"
    # Equal locals in two activations, or in two iterations of an outer loop, prove nothing.
    quick = loop("f.0.0", compare(i, "<", const(2)), [assign("i", step)])
    outer: list[ir.Stmt] = [
        each("f.0", "k", span(const(0), N), [assign("k", const(0)), assign("i", const(0)), quick]),
        give(i),
    ]
    assert outcome(m, function([assign("k", const(0)), *outer], params={"n": ir.INT}), 6, cycles=True) == (
        "returned",
        2,
    )
    # A name that is bound in one state and not in the other makes them different.
    binds = [
        branch(
            compare(N, "==", const(1)),
            [assign("n", const(2))],
            [branch(compare(N, "==", const(2)), [assign("z", const(1)), assign("n", const(1))])],
        )
    ]
    later = function(
        [
            loop(
                "f.0",
                compare(N, "<", const(3)),
                [branch(compare(N, "==", const(2)), [branch(both(const(True)), binds)], binds)],
            )
        ],
        params={"n": ir.INT},
    )
    assert outcome(m, later, 1, cycles=True)[0] == "cycle"


def case_exact(m: ModuleType) -> None:
    """`i` alternates between 1 and True once, which `==` cannot see: only then does the loop end."""
    i, j = var("i"), var("j")
    body: list[ir.Stmt] = [
        branch(compare(j, "==", const(1)), [assign("i", const(True))]),
        branch(compare(j, "==", const(2)), [give(i)]),
        assign("j", binary(j, "+", const(1))),
    ]
    f = function([assign("i", const(1)), assign("j", const(0)), loop("f.0", const(True), body)])
    assert outcome(m, f, cycles=True) == ("returned", True)
    exact = m.compiled.__globals__["_exact"]
    pairs = [(1, True, False), ([1], [True], False), ((0, [1]), (0, [1]), True), ("a", "a", True), ([1], [1, 2], False)]
    assert all(exact(left, right) is wanted for left, right, wanted in pairs)


def verdicts(m: ModuleType, f: ir.Function, *inputs: list[Any], **more: Any) -> list[str]:
    return [
        m.judge(f, arguments, steps=more.get("steps", STEPS), partial=more.get("partial", False)).status
        for arguments in inputs
    ]


def case_judging(m: ModuleType) -> None:
    params: dict[str, ir.Type] = {"x": ir.INT}
    body: list[ir.Stmt] = [
        branch(compare(X, "==", const(1)), [throw("KeyError")]),
        branch(compare(X, "==", const(2)), [throw("ValueError")]),
        branch(compare(X, "==", const(3)), [loop("f.0", const(True), [])]),
        branch(compare(X, "==", const(4)), [check(const(False))]),
        branch(compare(X, "==", const(5)), [loop("f.1", const(True), [assign("x", binary(X, "+", const(1)))])]),
        assign("x", binary(X, "+", const(1))),
        give(X),
    ]
    post = compare(var("result"), "==", binary(X, "+", const(1)), "!=", const(8))  # parameters as at entry
    f = function(body, params=params, promise=contract(
        [compare(X, ">=", const(0))], [post],
        [("LookupError", compare(X, "<", const(9))), ("KeyError", compare(X, "<", const(8))),
         ("AssertionError", const(True))],
    ))  # fmt: skip
    assert verdicts(m, f, [-1], [0], [1], [2], [3], [4], [5], [7]) == [
        "invalid", "holds", "holds", "violates", "diverges", "unknown", "unknown", "violates",
    ]  # fmt: skip
    assert verdicts(m, f, [3], [0], partial=True) == ["unknown", "holds"]
    assert verdicts(m, f, [True], ["a"], [], [0, 0]) == ["invalid"] * 4
    either = contract(exsures=[("LookupError", const(True)), ("KeyError", compare(X, "<", const(0)))])
    assert verdicts(m, function([throw("KeyError")], params=params, promise=either), [1], [-1]) == ["violates", "holds"]
    assert verdicts(m, function([throw("IndexError")], params=params, promise=either), [1]) == ["holds"]
    raising = binary(const(1), "//", X)
    assert verdicts(m, function([give(X)], params=params, promise=contract([raising])), [0], [1], [2]) == [
        "ill_defined",
        "holds",
        "invalid",
    ]
    assert verdicts(m, function([give(X)], params=params, promise=contract(ensures=[raising])), [0], [2]) == [
        "ill_defined",
        "violates",
    ]
    endless = quantify("all", "k", span(const(0), const(10**9)), const(True))
    assert verdicts(m, function([give(X)], params=params, promise=contract([endless])), [0]) == ["unknown"]
    picky = function([give(X)], name="h", params=params, promise=contract([raising]))
    listing_all = contract(exsures=[("Exception", const(True))])
    g = function([give(call(picky, X))], params=params, promise=listing_all)
    assert verdicts(m, g, [0], [1], [2]) == ["ill_defined", "holds", "unknown"]
    g = function([give(call(picky, X))], params=params, promise=contract(exsures=[("LookupError", const(True))]))
    assert verdicts(m, g, [0], [1], [2]) == ["ill_defined", "holds", "violates"]
    silent = replace(picky, contract=replace(picky.contract, notation="nagini"))
    assert verdicts(m, function([give(call(silent, X))], params=params), [1], [2]) == ["holds", "unknown"]
    assert verdicts(m, function([check(X), give(X)], params=params), [0], [1]) == ["violates", "holds"]
    bad = m.judge(f, [7], steps=STEPS)
    assert bad.clause is f.contract.ensures[0]
    assert "text" in bad.detail


def case_types(m: ModuleType) -> None:
    two = ir.TupleOf((ir.INT, FLAGS))
    good: list[tuple[Any, ir.Type]] = [
        (1, ir.INT),
        (True, ir.BOOL),
        ("", ir.STR),
        (None, ir.NONE),
        ([], INTS),
        ((1, [True]), two),
    ]
    assert all(m.conforms(value, kind) for value, kind in good)
    bad: list[tuple[Any, ir.Type]] = [
        (True, ir.INT), (1, ir.BOOL), (1.0, ir.INT), ([True], INTS), ((1,), two), ([1, [True]], two), ((1, [0]), two),
        (0, ir.NONE), ((1,), INTS),
    ]  # fmt: skip
    assert not any(m.conforms(value, kind) for value, kind in bad)


STATEMENT_CASES = [
    case_statements, case_loops, case_states, case_calls, case_cycles, case_exact, case_judging, case_types,
]  # fmt: skip
