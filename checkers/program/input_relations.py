"""What a program's own conditions say about good inputs: its constants, conjuncts, and roots of its comparisons.

A comparison with all but one parameter known is treated as if it were linear in the unknown: its root (a number, the
length of a list, or the items of one) is worth trying. A wrong guess costs a few evaluations.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache

from checkers.lang import ir
from checkers.lang.interp import Fault, Value, evaluate
from checkers.program import input_pools as pools

STEPS = 2_000
"""Interpreter steps for one look at a condition."""
_FARTHEST = 2**70
_LONGEST = 64


@dataclass(frozen=True, slots=True)
class Condition:
    """A Boolean expression, the parameters that it reads, and the quantified variables around it with the list
    parameter that each goes through (None for a range)."""

    expr: ir.Expr
    names: frozenset[str]
    bound: tuple[tuple[str, str | None], ...] = ()


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


def comparisons(function: ir.Function) -> tuple[Condition, ...]:
    """Every comparison of numbers over parameters (and quantified variables): the precondition's first."""
    params = frozenset(param.name for param in function.params)
    found: dict[ir.Expr, Condition] = {}
    for expr in _expressions(function):
        for link, bound in _compared(expr, ()):
            names = free(link) - {name for name, _ in bound}
            numbers = all(item.type in (ir.INT, ir.BOOL) for item in link.operands)
            names |= {through for _, through in bound if through is not None}
            if names and names <= params and numbers:
                found.setdefault(link, Condition(link, names, bound))
    return tuple(found.values())


def _compared(
    expr: ir.Expr, bound: tuple[tuple[str, str | None], ...]
) -> Iterator[tuple[ir.Compare, tuple[tuple[str, str | None], ...]]]:
    if isinstance(expr, ir.Compare):
        for link in _links(expr):
            yield link, bound
    if isinstance(expr, ir.Quantifier):
        through = expr.domain.name if isinstance(expr.domain, ir.Var) else None
        bound = (*bound, (expr.variable, through))
    for operand in ir.operands(expr):
        yield from _compared(operand, bound)


def _expressions(function: ir.Function) -> Iterator[ir.Expr]:
    contract = function.contract
    yield from (clause.expr for clause in contract.requires)
    for stmt in ir.statements(function.body):
        yield from ir.expressions(stmt)
    yield from (clause.expr for clause in contract.ensures)
    yield from (item.clause.expr for item in contract.exsures)


def constants(function: ir.Function) -> tuple[int, ...]:
    """The integer literals of contract, body and callees, nearest to zero first; at most sixteen."""
    found = {value for value in _literals(function) if type(value) is int}
    return tuple(sorted(found - {0, 1}, key=lambda value: (abs(value), value)))[:16]


def texts(function: ir.Function) -> tuple[str, ...]:
    """The string literals of contract, body and callees, short ones first; at most sixteen."""
    return tuple(sorted({value for value in _literals(function) if isinstance(value, str)}, key=lambda t: (len(t), t)))[
        :16
    ]


def _literals(function: ir.Function) -> Iterator[Value]:
    for each in (function, *ir.callees(function)):
        for expr in _expressions(each):
            for node in ir.walk(expr):
                if isinstance(node, ir.Const):
                    yield node.value
                elif isinstance(node, ir.Unary) and node.op == "-" and isinstance(node.operand, ir.Const):
                    yield -node.operand.value if type(node.operand.value) is int else None


def order(function: ir.Function) -> tuple[int, ...]:
    """The positions of the parameters in an order in which each is known before those that equal a term of it."""
    names = [param.name for param in function.params]
    lists = {param.name for param in function.params if isinstance(param.type, ir.ListOf)}
    needs: dict[str, set[str]] = {name: set() for name in names}
    conditions = conjuncts(function.contract.requires)
    bounded = frozenset[str]().union(*(condition.names for condition in conditions if len(condition.names) == 1))
    for condition in conditions:
        match condition.expr:
            case ir.Compare(ops=("==",), operands=(left, right)):
                sides = [(_determined(left), right), (_determined(right), left)]
                fitting = [(name, free(other)) for name, other in sides if name in needs and name not in free(other)]
                # A list is easier to make for a given length than a number for a given list.
                for name, others in sorted(fitting, key=lambda item: (item[0] not in lists, item[0] in bounded))[:1]:
                    needs[name] |= others & needs.keys()
    placed: list[str] = []
    while len(placed) < len(names):
        left_over = [name for name in names if name not in placed]
        free_now = [name for name in left_over if needs[name] <= {*placed}]
        placed.append((free_now or left_over)[0])
    return tuple(names.index(name) for name in placed)


def _determined(expr: ir.Expr) -> str:
    """The parameter that an equation with this side determines (up to its items), or an empty text."""
    match expr:
        case ir.Var(name=name) | ir.Builtin(name="len", args=(ir.Var(name=name),)):
            return name
    return ""


def truth(condition: Condition, env: Mapping[str, Value]) -> bool:
    """Whether the condition holds in `env`; a condition that raises does not."""
    try:
        return bool(evaluate(condition.expr, env, steps=STEPS))
    except Fault:
        return False


Gap = Callable[[int], int | None]


def guesses(conditions: Sequence[Condition], param: ir.Param, env: Mapping[str, Value]) -> Iterator[Value]:
    """Values of `param` that solve, or only just miss, a comparison whose other names are all in `env`."""
    for condition in conditions:
        if param.name not in condition.names or not condition.names <= env.keys() | {param.name}:
            continue
        match param.type:
            case ir.ListOf(item=item):
                for length in _roots(_gap(condition, param.name, env, lambda k: _filled(item, k)), far=False):
                    yield from _of_length(item, length)
                if item == ir.INT:
                    for root in _roots(_gap(condition, param.name, env, lambda k: [k] * 4), far=False):
                        for start in (root, root + 1, root - 1):
                            yield from pools.around(start)
            case ir.Scalar(name="str"):
                for length in _roots(_gap(condition, param.name, env, lambda k: "a" * k), far=False):
                    yield from ("a" * size for size in (length, length + 1, length - 1) if 0 <= size <= _LONGEST)
            case ir.Scalar(name="int"):
                for root in _roots(_gap(condition, param.name, env, lambda k: k), far=True):
                    yield from (root, root + 1, root - 1)


def _gap(condition: Condition, name: str, env: Mapping[str, Value], probe: Callable[[int], Value]) -> Gap:
    """Left side minus right side as a function of what `probe` makes of a number."""
    left, right = ir.operands(condition.expr)

    def gap(number: int) -> int | None:
        inside = {**env, name: probe(number)}
        for variable, through in condition.bound:
            inside[variable] = number if through == name else 0
        try:
            a, b = evaluate(left, inside, steps=STEPS), evaluate(right, inside, steps=STEPS)
        except Fault:
            return None
        return a - b if isinstance(a, int) and isinstance(b, int) else None

    return gap


def _roots(gap: Gap, *, far: bool) -> Iterator[int]:
    """Where the line through two points meets zero; with `far`, also where the sign changes far away."""
    for start in (0, 1, 2):
        first, second = gap(start), gap(start + 1)
        if first is not None and second is not None:
            if first != second:
                yield start - first // (second - first)
            break
    if far:
        for end in (_FARTHEST, -_FARTHEST):
            yield from _bisect(gap, end)


def _bisect(gap: Gap, far: int) -> Iterator[int]:
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


def _filled(item: ir.Scalar, length: int) -> Value:
    values: dict[str, Value] = {"int": 0, "bool": False, "str": "a"}
    return [values.get(item.name)] * length


def _of_length(item: ir.Scalar, length: int) -> Iterator[Value]:
    for size in (length, length + 1, length - 1):
        if 0 <= size <= _LONGEST:
            yield from pools.shaped(size) if item == ir.INT else pools.patterns(size, (False, True))
