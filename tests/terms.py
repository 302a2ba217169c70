"""Short ways to write the IR by hand, for tests that must not depend on the front end."""

from __future__ import annotations

from collections.abc import Sequence

from checkers.lang import ir
from verifier.model import Span

AT = Span(1, 1, 1, 2)
NOTES = ir.Annotation()
INTS, FLAGS = ir.ListOf(ir.INT), ir.ListOf(ir.BOOL)


def const(value: int | bool | str | None) -> ir.Const:
    kinds: dict[type, ir.Type] = {bool: ir.BOOL, int: ir.INT, str: ir.STR, type(None): ir.NONE}
    return ir.Const(value, kinds[type(value)], AT)


def var(name: str, kind: ir.Type = ir.INT) -> ir.Var:
    return ir.Var(name, kind, AT)


def unary(op: str, operand: ir.Expr) -> ir.Unary:
    return ir.Unary(op, operand, ir.BOOL if op == "not" else ir.INT, AT)  # type: ignore[arg-type]


def binary(left: ir.Expr, op: str, right: ir.Expr, kind: ir.Type = ir.INT) -> ir.Binary:
    return ir.Binary(op, left, right, kind, AT)  # type: ignore[arg-type]


def compare(first: ir.Expr, *rest: str | ir.Expr) -> ir.Compare:
    ops, operands = rest[::2], (first, *rest[1::2])
    return ir.Compare(ops, operands, ir.BOOL, AT)  # type: ignore[arg-type]


def both(*operands: ir.Expr, op: str = "and") -> ir.BoolOp:
    return ir.BoolOp(op, operands, operands[-1].type, AT)  # type: ignore[arg-type]


def choose(then: ir.Expr, test: ir.Expr, orelse: ir.Expr) -> ir.IfExp:
    return ir.IfExp(test, then, orelse, then.type, AT)


def index(base: ir.Expr, position: ir.Expr) -> ir.Index:
    return ir.Index(base, position, base.type.item if isinstance(base.type, ir.ListOf) else ir.STR, AT)


def cut(base: ir.Expr, lower: ir.Expr | None, upper: ir.Expr | None) -> ir.Slice:
    return ir.Slice(base, lower, upper, base.type, AT)


def listing(*items: ir.Expr, kind: ir.Type = INTS) -> ir.ListLit:
    return ir.ListLit(items, kind, AT)


def pair(*items: ir.Expr) -> ir.TupleLit:
    return ir.TupleLit(items, ir.TupleOf(tuple(item.type for item in items)), AT)


def builtin(name: str, *args: ir.Expr, kind: ir.Type = ir.INT) -> ir.Builtin:
    return ir.Builtin(name, args, kind, AT)  # type: ignore[arg-type]


def call(function: ir.Function, *args: ir.Expr, order: tuple[int, ...] | None = None) -> ir.Call:
    return ir.Call(function, args, order or tuple(range(len(args))), function.returns, AT)


def span(start: ir.Expr, stop: ir.Expr, step: int = 1) -> ir.Range:
    return ir.Range(start, stop, step, AT)


def quantify(
    kind: str, variable: str, domain: ir.Range | ir.Expr, body: ir.Expr, *, when: ir.Expr | None = None,
    eager: bool = False,
) -> ir.Quantifier:  # fmt: skip
    return ir.Quantifier(kind, variable, ir.INT, domain, when, body, eager, ir.BOOL, AT)  # type: ignore[arg-type]


def assign(target: str, value: ir.Expr) -> ir.Assign:
    return ir.Assign(target, value, AT)


def store(target: str, position: ir.Expr, value: ir.Expr) -> ir.SetItem:
    return ir.SetItem(target, position, value, AT)


def append(target: str, value: ir.Expr) -> ir.Append:
    return ir.Append(target, value, AT)


def branch(test: ir.Expr, then: Sequence[ir.Stmt], orelse: Sequence[ir.Stmt] | None = None) -> ir.If:
    return ir.If(test, tuple(then), tuple(orelse or ()), AT)


def loop(
    path: str,
    test: ir.Expr,
    body: Sequence[ir.Stmt],
    orelse: Sequence[ir.Stmt] | None = None,
    given: ir.Annotation = NOTES,
) -> ir.While:
    return ir.While(path, test, tuple(body), tuple(orelse or ()), given, AT)


def each(
    path: str, target: str, domain: ir.Range | ir.Expr, body: Sequence[ir.Stmt], orelse: Sequence[ir.Stmt] | None = None
) -> ir.For:
    return ir.For(path, target, ir.INT, domain, tuple(body), tuple(orelse or ()), NOTES, AT)


def give(value: ir.Expr) -> ir.Return:
    return ir.Return(value, AT)


def throw(exception: str, *args: ir.Expr) -> ir.Raise:
    return ir.Raise(exception, args, AT)


def check(test: ir.Expr) -> ir.Assert:
    return ir.Assert(test, AT)


BREAK, CONTINUE = ir.Break(AT), ir.Continue(AT)


def clause(expr: ir.Expr) -> ir.Clause:
    return ir.Clause(expr, "text", AT)


def contract(
    requires: Sequence[ir.Expr] | None = None,
    ensures: Sequence[ir.Expr] | None = None,
    exsures: Sequence[tuple[str, ir.Expr]] | None = None,
) -> ir.Contract:
    return ir.Contract(
        tuple(map(clause, requires or ())),
        tuple(map(clause, ensures or ())),
        tuple(ir.Exsures(name, clause(expr)) for name, expr in exsures or ()),
    )


def function(
    body: Sequence[ir.Stmt],
    *,
    name: str = "f",
    params: dict[str, ir.Type] | None = None,
    locals_: dict[str, ir.Type] | None = None,
    returns: ir.Type = ir.INT,
    promise: ir.Contract | None = None,
) -> ir.Function:
    declared = tuple(ir.Param(each_name, kind) for each_name, kind in (params or {}).items())
    return ir.Function(
        name, declared, returns, promise or ir.Contract(), tuple(body), tuple((locals_ or {}).items()), AT
    )
