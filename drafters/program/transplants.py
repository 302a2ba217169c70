"""Comparisons of the program with one part replaced by a moving term, in every relation that the states allow.

A test of a local that is not bound at the loop's head (`middle * middle <= n`) becomes a fact about each moving
variable (`low * low <= n`, `high * high > n`); so does a promise (`n < (low + 1) * (low + 1)`).
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from checkers.lang import ir
from drafters.program.render import NEGATED, conjuncts, free_names, replace_expression, simplified, substitute, text
from drafters.program.view import View, literals

_RELATIONS: tuple[ir.CompareOp, ...] = ("==", "<", ">", "<=", ">=")


def transplants(view: View) -> Iterator[str]:
    """Comparisons with a name, or a name shifted by a constant, replaced by each moving variable."""
    moving = [ir.Var(name, ir.INT, view.loop.span) for name in view.names(ir.INT) if name in view.modified]
    promised = frozenset(view.promises())
    for source in dict.fromkeys(_sources(view)):
        if not isinstance(source, ir.Compare) or len(source.ops) != 1 or source.ops[0] not in NEGATED:
            continue
        if any(operand.type != ir.INT for operand in source.operands):
            continue
        for part in _parts(view, source, everything=source in promised):
            for term in moving:
                moved = replace_expression(source, part, term)
                if not isinstance(moved, ir.Compare) or moved == source or moved.operands[0] == moved.operands[1]:
                    continue
                if view.admits(moved):
                    yield from _relations(view, moved)


def _sources(view: View) -> Iterator[ir.Expr]:
    """The comparisons of tests and promises; entry values where parameters are reassigned."""
    for stmt in ir.statements(view.function.body):
        if isinstance(stmt, ir.If | ir.While | ir.Assert):
            yield from literals(stmt.test)
        if isinstance(stmt, ir.Return):
            names = {**view.entry(), "result": stmt.value}
            for clause in view.function.contract.ensures:
                for part in conjuncts(simplified(substitute(clause.expr, names))):
                    yield from literals(part)


def _parts(view: View, source: ir.Expr, *, everything: bool) -> tuple[ir.Expr, ...]:
    """The subexpressions to replace: variables that move or are unbound at the head (or all), alone or shifted."""
    bound = view.table.names()
    found: dict[ir.Expr, None] = {}
    for node in ir.walk(source):
        core = node
        if isinstance(node, ir.Binary) and node.op in ("+", "-") and isinstance(node.right, ir.Const):
            core = node.left
        if isinstance(core, ir.Var) and core.type == ir.INT:
            if everything or core.name in view.modified or core.name not in bound:
                found[node] = None
    return tuple(found)


def _relations(view: View, moved: ir.Compare) -> Iterator[str]:
    """The strongest relations between the two sides that hold in every state."""
    left, right = (view.table.integers(text(side)) for side in moved.operands)
    if left is None or right is None or not free_names(moved) & view.modified:
        return
    signs = {(a > b) - (a < b) for a, b in zip(left, right, strict=True)}
    allowed = {"==": {0}, "<": {-1}, ">": {1}, "<=": {-1, 0}, ">=": {0, 1}}
    for op in _RELATIONS:
        if signs <= allowed[op]:
            yield text(replace(moved, ops=(op,)))
