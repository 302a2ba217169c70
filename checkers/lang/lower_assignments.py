"""Assignments in CPython's order: all right sides first, then the targets from left to right, each fully evaluated."""

from __future__ import annotations

import ast
from collections.abc import Sequence
from typing import TYPE_CHECKING

from checkers.lang import ir
from checkers.lang.ir import ListOf, TupleOf

if TYPE_CHECKING:
    from checkers.lang.lower_statements import Builder


def assign(builder: Builder, targets: Sequence[ast.expr], value: ast.expr, stmt: ast.stmt) -> Sequence[ir.Stmt]:
    """`target = … = value`."""
    if len(targets) == 1:
        return _single(builder, targets[0], value, stmt)
    names = [target.id for target in targets if isinstance(target, ast.Name)]
    first = targets[0]
    if len(names) == len(targets) and len(set(names)) == len(names) and isinstance(first, ast.Name):
        done = list(_single(builder, first, value, stmt))
        for target in targets[1:]:
            done.extend(_store(builder, target, builder.reader.loose(_load(first)), stmt))
        return done
    held, done = _hold(builder, builder.reader.loose(value), stmt)
    for target in targets:
        done.extend(_store(builder, target, held, stmt))
    return done


def _load(name: ast.Name) -> ast.Name:
    return ast.copy_location(ast.Name(name.id, ast.Load()), name)


def _single(builder: Builder, target: ast.expr, value: ast.expr, stmt: ast.stmt) -> Sequence[ir.Stmt]:
    if isinstance(target, ast.Tuple | ast.List):
        if isinstance(value, ast.Tuple | ast.List):
            return _parallel(builder, target, value, stmt)
        held, done = _hold(builder, builder.reader.value(value), stmt)
        return [*done, *_store(builder, target, held, stmt)]
    return _store(builder, target, builder.reader.loose(value), stmt)


def _hold(
    builder: Builder, value: ir.Expr, stmt: ast.stmt, target: ast.expr | None = None
) -> tuple[ir.Expr, list[ir.Stmt]]:
    """The value under a temporary name, with the type of the variable that it is meant for."""
    span = builder.span(stmt)
    if isinstance(value, ir.Const):
        return value, []
    if isinstance(target, ast.Name):
        value = builder.frame.admit(target.id, value, span)
    name = builder.frame.temporary(value.type)
    return ir.Var(name, value.type, value.span), [ir.Assign(name, value, span)]


def _parallel(
    builder: Builder, target: ast.Tuple | ast.List, value: ast.Tuple | ast.List, stmt: ast.stmt
) -> Sequence[ir.Stmt]:
    """`a, b = x, y`. A value is stored at once unless a later value reads its target or the targets are not plain."""
    _check_count(builder, target, len(value.elts), stmt)
    names = [item.id for item in target.elts if isinstance(item, ast.Name)]
    plain = len(set(names)) == len(target.elts)
    done: list[ir.Stmt] = []
    later: list[tuple[ast.expr, ir.Expr]] = []
    for position, (place, item) in enumerate(zip(target.elts, value.elts, strict=True)):
        expr = builder.reader.loose(item)
        reads = {
            node.id for rest in value.elts[position + 1 :] for node in ast.walk(rest) if isinstance(node, ast.Name)
        }
        if plain and isinstance(place, ast.Name) and place.id not in reads:
            done.extend(_store(builder, place, expr, stmt))
        else:
            held, steps = _hold(builder, expr, stmt, place)
            done.extend(steps)
            later.append((place, held))
    for place, held in later:
        done.extend(_store(builder, place, held, stmt))
    return done


def _check_count(builder: Builder, target: ast.Tuple | ast.List, count: int, stmt: ast.stmt) -> None:
    if any(isinstance(item, ast.Starred) for item in target.elts):
        raise builder.refuse("unpacking with `*`", stmt)
    if len(target.elts) != count:
        raise builder.refuse(f"unpacking of {count} values into {len(target.elts)} targets", stmt)


def _store(builder: Builder, target: ast.expr, value: ir.Expr, stmt: ast.stmt) -> list[ir.Stmt]:
    """Store a value that is already evaluated (or that may be evaluated now) in one target."""
    span = builder.span(stmt)
    match target:
        case ast.Name(id=name):
            fitted = builder.frame.admit(name, value, span)
            builder.bind(name)
            return [ir.Assign(name, fitted, span)]
        case ast.Tuple(elts=items) | ast.List(elts=items):
            if not isinstance(value.type, TupleOf):
                raise builder.refuse(f"unpacking of `{value.type}`", stmt)
            _check_count(builder, target, len(value.type.items), stmt)
            done: list[ir.Stmt] = []
            for position, item in enumerate(items):
                part = ir.Item(value, position, value.type.items[position], value.span)
                done.extend(_store(builder, item, part, stmt))
            return done
        case ast.Subscript():
            return _store_item(builder, target, value, stmt)
        case _:
            raise builder.refuse("assignment target other than a name, a tuple or a list item", target)


def _list_target(builder: Builder, target: ast.Subscript) -> ir.Var:
    if isinstance(target.slice, ast.Slice):
        raise builder.refuse("assignment to a slice", target)
    base = builder.reader.loose(target.value)
    if not isinstance(base, ir.Var) or not isinstance(base.type, ListOf):
        raise builder.refuse(f"item assignment on `{base.type}`", target)
    return base


def _store_item(builder: Builder, target: ast.Subscript, value: ir.Expr, stmt: ast.stmt) -> list[ir.Stmt]:
    """`xs[i] = value`: value, then `xs`, then `i`. Where `xs` may be unbound it is read before `i` can raise."""
    base = _list_target(builder, target)
    builder.mutates(base.name, stmt)
    index = builder.reader.number(target.slice)
    builder.frame.admit_item(base.name, value, builder.span(stmt))
    done: list[ir.Stmt] = []
    if not builder.is_bound(base.name):
        value, done = _hold(builder, value, stmt)
        done.append(ir.Evaluate(base, base.span))
    return [*done, ir.SetItem(base.name, index, value, builder.span(stmt))]


def augmented(builder: Builder, stmt: ast.AugAssign) -> Sequence[ir.Stmt]:
    """`x op= e` and `xs[i] op= e`: the target is read once, before `e`."""
    match stmt.target:
        case ast.Name() as name:
            before = builder.reader.loose(_load(name))
            if isinstance(before.type, ListOf):
                if not isinstance(stmt.op, ast.Add):
                    raise builder.refuse(f"augmented assignment to `{before.type}`", stmt)
                builder.mutates(name.id, stmt)
            value = builder.reader.combine(stmt.op, before, builder.reader.loose(stmt.value), stmt)
            return _store(builder, name, value, stmt)
        case ast.Subscript() as target:
            return _augmented_item(builder, target, stmt)
        case _:
            raise builder.refuse("assignment target other than a name, a tuple or a list item", stmt.target)


def _augmented_item(builder: Builder, target: ast.Subscript, stmt: ast.AugAssign) -> Sequence[ir.Stmt]:
    base = _list_target(builder, target)
    builder.mutates(base.name, stmt)
    index = builder.reader.number(target.slice)
    done: list[ir.Stmt] = []
    if any(isinstance(node, ir.Call | ir.Quantifier) for node in ir.walk(index)):
        if not builder.is_bound(base.name):
            done.append(ir.Evaluate(base, base.span))
        index, steps = _hold(builder, index, stmt)
        done.extend(steps)
    assert isinstance(base.type, ListOf)
    item = ir.Index(base, index, base.type.item, builder.span(target))
    value = builder.reader.combine(stmt.op, item, builder.reader.loose(stmt.value), stmt)
    builder.frame.admit_item(base.name, value, builder.span(stmt))
    return [*done, ir.SetItem(base.name, index, value, builder.span(stmt))]
