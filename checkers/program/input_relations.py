"""What a program's own conditions say about good inputs: its constants, conjuncts, and roots of its comparisons.

A comparison over parameters, with all but one of them known, is treated as if it were linear in the unknown: its root
(or the length or first item with which a list meets it) is worth trying. A wrong guess costs one evaluation.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache

from checkers.lang import ir
from checkers.lang.interp import Fault, Value, evaluate
from checkers.program import input_pools as pools

STEPS = 2_000
"""Interpreter steps for one look at a condition."""
_FARTHEST = 2**70


@dataclass(frozen=True, slots=True)
class Condition:
    """A Boolean expression and the parameters that it reads."""

    expr: ir.Expr
    names: frozenset[str]


@lru_cache(maxsize=4096)
def free(expr: ir.Expr) -> frozenset[str]:
    """The names that `expr` reads, without the variables that it quantifies."""
    if isinstance(expr, ir.Var):
        return frozenset({expr.name})
    if isinstance(expr, ir.Quantifier):
        ends = ir.operands(expr)
        outside = 2 if isinstance(expr.domain, ir.Range) else 1
        inside = frozenset[str]().union(*map(free, ends[outside:])) - {expr.variable}
        return inside.union(*map(free, ends[:outside]))
    return frozenset[str]().union(*map(free, ir.operands(expr)))


def conjuncts(clauses: Sequence[ir.Clause]) -> tuple[Condition, ...]:
    """The clauses, with `and` and chained comparisons taken apart."""
    return tuple(Condition(part, free(part)) for clause in clauses for part in _parts(clause.expr))


def _parts(expr: ir.Expr) -> Iterator[ir.Expr]:
    match expr:
        case ir.BoolOp(op="and", operands=operands):
            for operand in operands:
                yield from _parts(operand)
        case ir.Compare():
            yield from _links(expr)
        case _:
            yield expr


def _links(expr: ir.Compare) -> Iterator[ir.Compare]:
    for at, op in enumerate(expr.ops):
        yield ir.Compare((op,), expr.operands[at : at + 2], ir.BOOL, expr.span)


def comparisons(program: ir.Function) -> tuple[Condition, ...]:
    """Every comparison of numbers over parameters alone: those of the precondition first, then body, then the rest."""
    params = frozenset(param.name for param in program.params)
    found: dict[ir.Expr, Condition] = {}
    for expr in _expressions(program):
        for node in ir.walk(expr):
            if isinstance(node, ir.Compare):
                for link in _links(node):
                    names = free(link)
                    if names and names <= params and all(item.type in (ir.INT, ir.BOOL) for item in link.operands):
                        found.setdefault(link, Condition(link, names))
    return tuple(found.values())


def _expressions(program: ir.Function) -> Iterator[ir.Expr]:
    contract = program.contract
    yield from (clause.expr for clause in contract.requires)
    for stmt in ir.statements(program.body):
        yield from ir.expressions(stmt)
    yield from (clause.expr for clause in contract.ensures)
    yield from (item.clause.expr for item in contract.exsures)


def constants(program: ir.Function) -> tuple[int, ...]:
    """The integer literals of contract, body and callees, nearest to zero first; at most sixteen."""
    found: set[int] = set()
    for function in (program, *ir.callees(program)):
        for expr in _expressions(function):
            found |= {node.value for node in ir.walk(expr) if isinstance(node, ir.Const) and type(node.value) is int}
        for stmt in ir.statements(function.body):
            if isinstance(stmt, ir.For) and isinstance(stmt.iterable, ir.Range):
                found.add(stmt.iterable.step)
    return tuple(sorted(found - {0, 1}, key=lambda value: (abs(value), value)))[:16]


def truth(condition: Condition, env: Mapping[str, Value]) -> bool:
    """Whether the condition holds in `env`; a condition that raises does not."""
    try:
        return bool(evaluate(condition.expr, env, steps=STEPS))
    except Fault:
        return False


def guesses(conditions: Sequence[Condition], param: ir.Param, env: Mapping[str, Value]) -> Iterator[Value]:
    """Values of `param` that solve, or only just miss, a comparison whose other names are all in `env`."""
    for condition in conditions:
        if param.name in condition.names and condition.names <= env.keys() | {param.name}:
            for root in _roots(condition.expr, param, env):
                yield from _near(param.type, root)


def _roots(expr: ir.Expr, param: ir.Param, env: Mapping[str, Value]) -> Iterator[int]:
    left, right = ir.operands(expr)

    def gap(probe: int) -> int | None:
        inside = {**env, param.name: _probe(param.type, probe)}
        try:
            a, b = evaluate(left, inside, steps=STEPS), evaluate(right, inside, steps=STEPS)
        except Fault:
            return None
        return a - b if isinstance(a, int) and isinstance(b, int) else None

    zero, one = gap(0), gap(1)
    if zero is None or one is None:
        zero, one = one, gap(2)
        if zero is None or one is None:
            return
    if one != zero:
        yield -zero // (one - zero)
    if param.type == ir.INT:
        for far in (_FARTHEST, -_FARTHEST):
            yield from _bisect(gap, far)


def _bisect(gap: object, far: int) -> Iterator[int]:
    """A sign change of `gap` between zero and `far`, if its ends differ in sign."""
    assert callable(gap)
    near, start, end = 0, gap(0), gap(far)
    if start is None or end is None or (start > 0) == (end > 0):
        return
    while abs(far - near) > 1:
        middle = (near + far) // 2
        value = gap(middle)
        if value is None:
            return
        if (value > 0) == (start > 0):
            near = middle
        else:
            far = middle
    yield from (near, far)


def _probe(kind: ir.Type, number: int) -> Value:
    match kind:
        case ir.ListOf(item=ir.Scalar(name="int")):
            return [0] * number
        case ir.ListOf(item=ir.Scalar(name="bool")):
            return [False] * number
        case ir.ListOf() | ir.TupleOf():
            return None
        case ir.Scalar(name="str"):
            return "a" * number
        case ir.Scalar(name="bool"):
            return bool(number)
    return number


def _near(kind: ir.Type, root: int) -> Iterator[Value]:
    """The value or values that `root` (a number, or a length) and its neighbours stand for."""
    match kind:
        case ir.Scalar(name="int"):
            yield from (root, root + 1, root - 1)
        case ir.Scalar(name="str"):
            yield from ("a" * length for length in (root, root + 1, root - 1) if 0 <= length <= 64)
        case ir.ListOf(item=ir.Scalar(name="bool")):
            for length in (root, root + 1, root - 1):
                if 0 <= length <= 64:
                    yield from pools.patterns(length, (False, True))
        case ir.ListOf(item=ir.Scalar(name="int")):
            for length in (root, root + 1, root - 1):
                if 0 <= length <= 64:
                    yield from pools.shaped(length)
