"""Expressions of the reference interpreter: each IR node becomes a Python closure with CPython's own semantics.

Trusted. Values are real Python values, so `True` stays `True` and `//` floors. Lists are never mutated in place
(see `ir`): every list is a value that may be shared, kept or compared later without a copy. Raising is by `Fault`
alone; running out of steps or growing beyond the size limits is by `Spent`.
"""

from __future__ import annotations

import operator
import sys
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Any

from checkers.lang import ir
from checkers.lang.machine import BITS, ITEMS, Code, Enter, Fault, Run, Spent

_BOUND = 1 << BITS


@dataclass(frozen=True, slots=True)
class Scope:
    """What compiling an expression needs: how to enter callees, the quantified variables around it, and the
    exception of a read of an unbound name (in a generator's own scope CPython raises the superclass NameError)."""

    link: Callable[[ir.Function], Enter]
    bound: frozenset[str] = frozenset()
    unbound: str = "UnboundLocalError"


def compile_expression(expr: ir.Expr, scope: Scope) -> Code:
    """The closure that evaluates `expr`. It raises `Fault` and `Spent`, and never changes its environment."""
    return _COMPILERS[type(expr)](expr, scope)


# --- leaves and operators --------------------------------------------------------------------------------------


def _const(expr: ir.Const, _scope: Scope) -> Code:
    value = expr.value
    return lambda _env, _run: value


def _var(expr: ir.Var, scope: Scope) -> Code:
    name, span, unbound = expr.name, expr.span, scope.unbound

    def read(env: Mapping[str, Any], _run: Run) -> Any:
        try:
            return env[name]
        except KeyError:
            raise Fault(unbound, span) from None

    return read


def _unary(expr: ir.Unary, scope: Scope) -> Code:
    operand = compile_expression(expr.operand, scope)
    match expr.op:
        case "-":
            return lambda env, run: -operand(env, run)
        case "+":
            return lambda env, run: +operand(env, run)
        case "~":
            return lambda env, run: ~+operand(env, run)  # `+` first: CPython warns about `~` on a bool
        case "not":
            return lambda env, run: not operand(env, run)


def _power(base: int, exponent: int) -> int:
    if base.bit_length() * exponent > BITS + exponent:
        raise Spent
    return int(base**exponent)


def _shift_left(value: int, count: int) -> int:
    if count > BITS:
        if value == 0:
            return 0
        raise Spent
    return value << count


_ARITHMETIC: dict[str, Callable[[Any, Any], Any]] = {
    "+": operator.add,
    "-": operator.sub,
    "*": operator.mul,
    "//": operator.floordiv,
    "%": operator.mod,
    "**": _power,
    "<<": _shift_left,
    ">>": operator.rshift,
    "&": operator.and_,
    "|": operator.or_,
    "^": operator.xor,
}
_GROWING = {"+", "-", "*", "**", "<<"}


def _binary(expr: ir.Binary, scope: Scope) -> Code:
    left, right = compile_expression(expr.left, scope), compile_expression(expr.right, scope)
    if expr.type not in (ir.INT, ir.BOOL):
        return _join(expr, left, right)
    apply, span = _ARITHMETIC[expr.op], expr.span
    if expr.op in _GROWING:

        def grow(env: Mapping[str, Any], run: Run) -> Any:
            first, second = left(env, run), right(env, run)
            try:
                result = apply(first, second)
            except ValueError:  # a negative shift
                raise Fault("ValueError", span) from None
            if -_BOUND < result < _BOUND:
                return result
            raise Spent

        return grow

    def calculate(env: Mapping[str, Any], run: Run) -> Any:
        first, second = left(env, run), right(env, run)
        try:
            return apply(first, second)
        except ZeroDivisionError:
            raise Fault("ZeroDivisionError", span) from None
        except ValueError:
            raise Fault("ValueError", span) from None

    return calculate


def _join(expr: ir.Binary, left: Code, right: Code) -> Code:
    """`+` on lists, strings or tuples: the only operator on them in the IR."""
    if expr.op != "+":
        raise ValueError(f"no operator {expr.op} on {expr.type}")

    def join(env: Mapping[str, Any], run: Run) -> Any:
        first, second = left(env, run), right(env, run)
        size = len(first) + len(second)
        if size > ITEMS:
            raise Spent
        run.spend(size >> 5)
        return first + second

    return join


# --- comparisons and choices -----------------------------------------------------------------------------------

_COMPARISONS: dict[str, Callable[[Any, Any], bool]] = {
    "==": operator.eq,
    "!=": operator.ne,
    "<": operator.lt,
    "<=": operator.le,
    ">": operator.gt,
    ">=": operator.ge,
    "in": lambda item, items: item in items,
    "not in": lambda item, items: item not in items,
}


def _compare(expr: ir.Compare, scope: Scope) -> Code:
    first, *rest = (compile_expression(operand, scope) for operand in expr.operands)
    tests = [_COMPARISONS[op] for op in expr.ops]
    if len(tests) == 1 and all(isinstance(operand.type, ir.Scalar) for operand in expr.operands):
        test, second = tests[0], rest[0]
        return lambda env, run: test(first(env, run), second(env, run))
    links = tuple(zip(tests, rest, strict=True))

    def chain(env: Mapping[str, Any], run: Run) -> bool:
        left = first(env, run)
        for test, operand in links:
            right = operand(env, run)
            if isinstance(right, list | str | tuple):
                run.spend(len(right) >> 5)
            if not test(left, right):
                return False
            left = right
        return True

    return chain


def _bool_op(expr: ir.BoolOp, scope: Scope) -> Code:
    *init, last = (compile_expression(operand, scope) for operand in expr.operands)
    if expr.op == "and":

        def conjunction(env: Mapping[str, Any], run: Run) -> Any:
            for operand in init:
                value = operand(env, run)
                if not value:
                    return value
            return last(env, run)

        return conjunction

    def disjunction(env: Mapping[str, Any], run: Run) -> Any:
        for operand in init:
            value = operand(env, run)
            if value:
                return value
        return last(env, run)

    return disjunction


def _if_exp(expr: ir.IfExp, scope: Scope) -> Code:
    test, then, orelse = (compile_expression(part, scope) for part in (expr.test, expr.then, expr.orelse))
    return lambda env, run: then(env, run) if test(env, run) else orelse(env, run)


# --- sequences -------------------------------------------------------------------------------------------------


def _index(expr: ir.Index, scope: Scope) -> Code:
    base, index, span = compile_expression(expr.base, scope), compile_expression(expr.index, scope), expr.span

    def pick(env: Mapping[str, Any], run: Run) -> Any:
        items = base(env, run)
        position = index(env, run)
        try:
            return items[position]
        except IndexError:
            raise Fault("IndexError", span) from None

    return pick


def _item(expr: ir.Item, scope: Scope) -> Code:
    base, position = compile_expression(expr.base, scope), expr.position
    return lambda env, run: base(env, run)[position]


def _slice(expr: ir.Slice, scope: Scope) -> Code:
    base = compile_expression(expr.base, scope)
    lower = _missing if expr.lower is None else compile_expression(expr.lower, scope)
    upper = _missing if expr.upper is None else compile_expression(expr.upper, scope)

    def cut(env: Mapping[str, Any], run: Run) -> Any:
        items = base(env, run)
        start = lower(env, run)
        piece = items[start : upper(env, run)]
        run.spend(len(piece) >> 5)
        return piece

    return cut


def _missing(_env: Mapping[str, Any], _run: Run) -> None:
    """The bound that a slice leaves out."""


def _list_lit(expr: ir.ListLit, scope: Scope) -> Code:
    items = tuple(compile_expression(item, scope) for item in expr.items)
    return lambda env, run: [item(env, run) for item in items]


def _tuple_lit(expr: ir.TupleLit, scope: Scope) -> Code:
    items = tuple(compile_expression(item, scope) for item in expr.items)
    return lambda env, run: tuple([item(env, run) for item in items])


_BUILTINS: dict[str, Callable[..., Any]] = {
    "len": len, "abs": abs, "min": min, "max": max, "bool": bool, "int": int, "list": list,
}  # fmt: skip


def _builtin(expr: ir.Builtin, scope: Scope) -> Code:
    args = tuple(compile_expression(arg, scope) for arg in expr.args)
    apply = _BUILTINS[expr.name]
    if expr.name == "list":

        def copy(env: Mapping[str, Any], run: Run) -> Any:
            result = list(args[0](env, run))
            run.spend(len(result) >> 5)
            return result

        return copy
    if len(args) == 1:
        (only,) = args
        return lambda env, run: apply(only(env, run))
    return lambda env, run: apply(*[arg(env, run) for arg in args])


# --- calls, quantifiers, annotations ---------------------------------------------------------------------------


def _call(expr: ir.Call, scope: Scope) -> Code:
    enter, span, count = scope.link(expr.function), expr.span, len(expr.args)
    ordered = tuple((position, compile_expression(expr.args[position], scope)) for position in expr.order)

    def call(env: Mapping[str, Any], run: Run) -> Any:
        values: list[Any] = [None] * count
        for position, arg in ordered:
            values[position] = arg(env, run)
        run.spend(1)
        return enter(values, run, span)

    return call


def compile_domain(domain: ir.Range | ir.Expr, scope: Scope) -> Code:
    """The closure that gives what a loop or quantifier goes through: a `range` or a sequence."""
    if not isinstance(domain, ir.Range):
        return compile_expression(domain, scope)
    start, stop = compile_expression(domain.start, scope), compile_expression(domain.stop, scope)
    step = domain.step
    return lambda env, run: range(start(env, run), stop(env, run), step)


def _quantifier(expr: ir.Quantifier, scope: Scope) -> Code:
    domain = compile_domain(expr.domain, scope)
    # Python 3.12 inlines list comprehensions (PEP 709), so there an unbound name is read in the function's own scope.
    inlined = expr.eager and sys.version_info >= (3, 12)
    inner = replace(
        scope, bound=scope.bound | {expr.variable}, unbound=scope.unbound if inlined else "NameError"
    )  # fmt: skip
    body = compile_expression(expr.body, inner)
    condition = None if expr.condition is None else compile_expression(expr.condition, inner)
    variable, eager, wanted = expr.variable, expr.eager, expr.kind == "any"

    def quantify(env: Mapping[str, Any], run: Run) -> bool:
        found = False
        local = dict(env)
        for item in domain(env, run):
            run.left -= 1
            if run.left < 0:
                raise Spent
            local[variable] = item
            if condition is not None and not condition(local, run):
                continue
            if bool(body(local, run)) is wanted:
                found = True
                if not eager:
                    break
        return found is wanted

    return quantify


def _old(expr: ir.Old, scope: Scope) -> Code:
    operand, bound = compile_expression(expr.operand, scope), scope.bound

    def recall(env: Mapping[str, Any], run: Run) -> Any:
        if run.entry is None:
            return operand(env, run)
        return operand({**run.entry, **{name: env[name] for name in bound}}, run)

    return recall


def _iterations(expr: ir.Iterations, _scope: Scope) -> Code:
    span = expr.span

    def count(_env: Mapping[str, Any], run: Run) -> int:
        if run.iterations is None:
            raise Fault("ValueError", span)
        return run.iterations

    return count


_COMPILERS: dict[type, Callable[[Any, Scope], Code]] = {
    ir.Const: _const,
    ir.Var: _var,
    ir.Unary: _unary,
    ir.Binary: _binary,
    ir.Compare: _compare,
    ir.BoolOp: _bool_op,
    ir.IfExp: _if_exp,
    ir.Index: _index,
    ir.Item: _item,
    ir.Slice: _slice,
    ir.ListLit: _list_lit,
    ir.TupleLit: _tuple_lit,
    ir.Builtin: _builtin,
    ir.Call: _call,
    ir.Quantifier: _quantifier,
    ir.Old: _old,
    ir.Iterations: _iterations,
}
