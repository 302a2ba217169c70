"""Cases for the expressions of the reference interpreter; each takes the module under test."""

from __future__ import annotations

from types import ModuleType
from typing import Any

from checkers.lang import ir
from tests.terms import (
    AT,
    INTS,
    binary,
    both,
    builtin,
    choose,
    compare,
    const,
    cut,
    index,
    listing,
    pair,
    quantify,
    span,
    unary,
    var,
)

X, Y, XS, N = var("x"), var("y"), var("xs", INTS), var("n")
LIST = [4, 5, 6]


def env() -> dict[str, Any]:
    """A fresh environment: a mutant may change it."""
    return {"x": 7, "y": -2, "xs": [4, 5, 6], "s": "aΩb", "t": True, "n": 3, "e": []}


def same(left: object, right: object) -> bool:
    """Equal in value and exact type."""
    return repr(left) == repr(right) and type(left) is type(right)


def case_values(m: ModuleType) -> None:
    s, t, e = var("s", ir.STR), var("t", ir.BOOL), var("e", INTS)
    boom = binary(X, "//", const(0))
    expected: list[tuple[ir.Expr, object]] = [
        (binary(X, "//", Y), -4),
        (binary(X, "%", Y), -1),
        (binary(X, "-", Y), 9),
        (binary(X, "*", Y), -14),
        (binary(Y, "**", const(3)), -8),
        (binary(X, "<<", const(2)), 28),
        (binary(Y, ">>", const(1)), -1),
        (binary(Y, "&", const(7)), 6),
        (binary(t, "&", const(False), ir.BOOL), False),
        (binary(t, "+", t), 2),
        (binary(t, "|", const(False), ir.BOOL), True),
        (binary(t, "|", t, ir.BOOL), True),
        (binary(t, "^", t, ir.BOOL), False),
        (binary(XS, "+", listing(const(True)), INTS), [4, 5, 6, True]),
        (binary(s, "+", s, ir.STR), "aΩbaΩb"),
        (unary("-", t), -1),
        (unary("+", t), 1),
        (unary("~", t), -2),
        (unary("not", e), True),
        (unary("~", X), -8),
        (compare(X, "<", const(8), "<", const(8)), False),
        (compare(X, ">", const(8), ">", boom), False),
        (compare(const(1), "==", t), True),
        (compare(X, "in", XS), False),
        (compare(const(5), "in", XS), True),
        (compare(X, "not in", XS), True),
        (compare(XS, "==", XS, "!=", e), True),
        (compare(X, ">=", const(7)), True),
        (compare(X, "<=", const(6)), False),
        (compare(X, "<=", const(7)), True),
        (compare(const(4), "in", listing(const(2**70), const(4))), True),
        (compare(binary(const(2), "**", const(70)), "in", listing(const(2**70))), True),
        (compare(X, "!=", const(7)), False),
        (both(const(0), boom), 0),
        (both(X, t), True),
        (both(X, const(0), boom, op="or"), 7),
        (both(e, X, op="or"), 7),
        (both(e, const(0), op="or"), 0),
        (choose(const(1), s, boom), 1),
        (choose(boom, e, const(2)), 2),
        (index(XS, const(-3)), 4),
        (index(s, const(1)), "Ω"),
        (ir.Item(pair(X, t), 1, ir.BOOL, AT), True),
        (cut(XS, const(-2), None), [5, 6]),
        (cut(XS, None, const(1)), [4]),
        (cut(s, const(1), const(9)), "Ωb"),
        (cut(XS, const(2), const(1)), []),
        (cut(XS, None, const(0)), []),
        (pair(X, XS), (7, LIST)),
        (builtin("len", s), 3),
        (builtin("abs", Y), 2),
        (builtin("min", X, Y), -2),
        (builtin("max", const(1), t), 1),
        (builtin("max", t, const(1)), True),
        (builtin("bool", Y, kind=ir.BOOL), True),
        (builtin("int", t), 1),
        (builtin("list", XS, kind=INTS), LIST),
    ]
    for expr, value in expected:
        assert same(m.evaluate(expr, env()), value), expr


def fault(m: ModuleType, expr: ir.Expr, scope: dict[str, Any] | None = None, **more: Any) -> tuple[str, str]:
    try:
        m.evaluate(expr, env() if scope is None else scope, **more)
    except m.Fault as found:
        return found.exception, found.cause
    return "", ""


def case_faults(m: ModuleType) -> None:
    assert fault(m, binary(X, "//", const(0))) == ("ZeroDivisionError", "exception")
    assert fault(m, binary(X, "%", const(False))) == ("ZeroDivisionError", "exception")
    assert fault(m, index(XS, const(3))) == ("IndexError", "exception")
    assert fault(m, index(XS, const(-4))) == ("IndexError", "exception")
    assert fault(m, index(XS, const(2**80))) == ("IndexError", "exception")
    assert fault(m, var("missing")) == ("UnboundLocalError", "exception")
    # A generator has a scope of its own, and CPython names the superclass there; its first iterable is outside.
    assert fault(m, quantify("all", "k", XS, var("missing")))[0] == "NameError"
    assert fault(m, quantify("all", "k", var("missing", INTS), const(True)))[0] == "UnboundLocalError"
    assert fault(m, binary(X, "<<", const(-1))) == ("ValueError", "exception")
    assert fault(m, binary(X, ">>", const(-1))) == ("ValueError", "exception")
    assert fault(m, ir.Iterations(ir.INT, AT))[0] == "ValueError"


def case_limits(m: ModuleType) -> None:
    huge = const(1 << 19_999)
    assert fault(m, binary(huge, "*", const(2))) == ("Exhausted", "budget")
    assert fault(m, binary(huge, "+", huge)) == ("Exhausted", "budget")
    assert fault(m, binary(const(3), "**", const(100_000_000))) == ("Exhausted", "budget")
    assert fault(m, binary(const(3), "<<", const(10**15))) == ("Exhausted", "budget")
    assert m.evaluate(binary(const(0), "<<", const(10**15)), {}) == 0
    assert m.evaluate(binary(huge, "-", const(1)), {}) == (1 << 19_999) - 1
    long = {"xs": [0] * 60_000}
    assert fault(m, binary(XS, "+", XS, INTS), long, steps=10**6) == ("Exhausted", "budget")
    assert fault(m, binary(XS, "+", listing(const(1)), INTS), long, steps=1000) == ("Exhausted", "budget")
    assert fault(m, cut(XS, None, None), long, steps=1000) == ("Exhausted", "budget")
    assert fault(m, builtin("list", XS, kind=INTS), long, steps=1000) == ("Exhausted", "budget")
    assert fault(m, compare(const(9), "in", XS), long, steps=1000) == ("Exhausted", "budget")
    assert fault(m, quantify("all", "k", span(const(0), const(10**9)), const(True)), steps=99) == (
        "Exhausted",
        "budget",
    )
    deep: ir.Expr = const(1)
    for _ in range(20_000):
        deep = unary("-", deep)
    assert fault(m, deep) == ("Exhausted", "budget")


def case_quantifiers(m: ModuleType) -> None:
    k = var("k")
    five = compare(k, "==", const(5))
    stop = binary(const(1), "//", binary(k, "-", const(6)))  # raises at 6
    assert m.evaluate(quantify("any", "k", XS, five), env()) is True
    assert m.evaluate(quantify("all", "k", XS, five), env()) is False
    assert m.evaluate(quantify("all", "k", var("e", INTS), const(False)), env()) is True
    assert m.evaluate(quantify("any", "k", var("e", INTS), const(True)), env()) is False
    assert m.evaluate(quantify("all", "k", span(const(5), const(0), -2), compare(k, ">", const(0))), env()) is True
    assert m.evaluate(quantify("any", "k", span(const(0), N), compare(k, "==", N)), env()) is False
    assert m.evaluate(quantify("all", "k", XS, five, when=compare(k, ">", const(4), "<", const(6))), env()) is False
    assert m.evaluate(quantify("all", "k", XS, five, when=five), env()) is True
    assert m.evaluate(quantify("all", "k", XS, k), env()) is True
    assert m.evaluate(quantify("any", "k", XS, both(five, stop, op="or")), env()) is True
    assert fault(m, quantify("any", "k", XS, both(five, stop, op="or"), eager=True))[0] == "ZeroDivisionError"
    outer = env()
    assert m.evaluate(quantify("any", "x", XS, compare(X, "==", const(7))), outer) is False  # shadows the outer x
    assert outer == env()
    old = ir.Old(binary(X, "+", k), ir.INT, AT)
    assert m.evaluate(quantify("any", "k", XS, compare(old, "==", const(105))), env(), entry={"x": 100}) is True
    assert m.evaluate(ir.Old(X, ir.INT, AT), env()) == 7
    assert m.evaluate(ir.Iterations(ir.INT, AT), env(), iterations=4) == 4


EXPRESSION_CASES = [case_values, case_faults, case_limits, case_quantifiers]
