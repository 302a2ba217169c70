"""Lists are values in the IR. This module proves, per function, that nobody can tell: a list that is changed in place
is reachable through one local variable only. Flow-insensitive, hence coarse, hence simple.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from checkers.lang import ir
from checkers.lang.lower_linker import Lowered
from checkers.lang.types_join import holds_list
from verifier.errors import Unsupported
from verifier.model import Span


def sources(expr: ir.Expr, calls: Mapping[str, Lowered]) -> frozenset[str]:
    """The variables whose list the value of `expr` may be or hold. Empty for a fresh value.

    `calls` says of each function called which parameters its result may hold.
    """
    match expr:
        case ir.Var(name=name, type=kind):
            return frozenset((name,)) if holds_list(kind) else frozenset()
        case ir.IfExp(then=then, orelse=orelse):
            return sources(then, calls) | sources(orelse, calls)
        case ir.BoolOp(operands=items) | ir.TupleLit(items=items):
            return frozenset[str]().union(*(sources(item, calls) for item in items))
        case ir.Item(base=base):
            return sources(base, calls) if holds_list(expr.type) else frozenset()
        case ir.Call(function=function, args=args):
            held = calls[function.name].returned
            return frozenset[str]().union(*(sources(args[position], calls) for position in held))
        case _:
            return frozenset()


def check_aliasing(
    body: tuple[ir.Stmt, ...], mutations: Iterable[tuple[str, Span]], calls: Mapping[str, Lowered]
) -> None:
    """Raise Unsupported unless every mutated list is assigned fresh values only and never stored under another name."""
    assigns = [stmt for stmt in ir.statements(body) if isinstance(stmt, ir.Assign)]
    held = [(stmt.target, sources(stmt.value, calls)) for stmt in assigns]
    for name, span in mutations:
        for target, names in held:
            if target == name and names:
                shared = ", ".join(f"`{other}`" for other in sorted(names))
                raise Unsupported(f"mutation of `{name}`, which may be the same list as {shared}", span)
            if target != name and name in names:
                raise Unsupported(f"mutation of `{name}`, which may be the same list as `{target}`", span)


def returned(function: ir.Function, calls: Mapping[str, Lowered]) -> frozenset[int]:
    """The positions of the parameters whose list the function's result may be or hold."""
    edges: dict[str, set[str]] = {}
    reached: set[str] = set()
    for stmt in ir.statements(function.body):
        if isinstance(stmt, ir.Assign):
            edges.setdefault(stmt.target, set()).update(sources(stmt.value, calls))
        elif isinstance(stmt, ir.Return):
            reached |= sources(stmt.value, calls)
    todo = list(reached)
    while todo:
        for name in edges.get(todo.pop(), set()) - reached:
            reached.add(name)
            todo.append(name)
    return frozenset(position for position, param in enumerate(function.params) if param.name in reached)
