"""Bounded quantifiers (`all`, `any` over comprehensions and lists) and the domains that loops share with them."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING, Literal

from checkers.lang import ir
from checkers.lang.ir import BOOL, INT, STR, ListOf, Type
from checkers.lang.lower_linker import literal

if TYPE_CHECKING:
    from checkers.lang.lower_expressions import Reader

Kind = Literal["all", "any"]


def read_domain(reader: Reader, node: ast.expr) -> tuple[ir.Range | ir.Expr, Type]:
    """What a loop or quantifier runs over, and the type of its items: `range(…)`, a list or a string."""
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "range":
        scope = reader.scope
        if "range" not in scope.hidden and scope.linker.is_builtin("range", reader.span(node.func), scope.reads):
            return _range(reader, node), INT
    value = reader.value(node)
    if isinstance(value.type, ListOf):
        return value, value.type.item
    if value.type == STR:
        return value, STR
    return reader.refuse(f"iteration over `{value.type}`", node)


def _range(reader: Reader, node: ast.Call) -> ir.Range:
    span = reader.span(node)
    if node.keywords or any(isinstance(item, ast.Starred) for item in node.args) or not 1 <= len(node.args) <= 3:
        reader.refuse("`range` with these arguments", node)
    ends = [reader.number(item) for item in node.args[:2]]
    start = ends[0] if len(ends) == 2 else ir.Const(0, INT, span)
    step = 1
    if len(node.args) == 3:
        given = literal(reader.scope.text, node.args[2])
        if not (isinstance(given, ir.Const) and given.type == INT and given.value):
            reader.refuse("`range` with a step that is not a literal other than 0", node.args[2])
        assert isinstance(given.value, int)
        step = given.value
    return ir.Range(start, ends[-1], step, span)


def read_quantifier(reader: Reader, kind: Kind, node: ast.expr, whole: ast.AST) -> ir.Expr:
    """`all(node)` or `any(node)`: a generator expression, a list comprehension, or a list."""
    if isinstance(node, ast.GeneratorExp | ast.ListComp):
        _refuse_early_names(reader, node)
        return _nest(reader, kind, node, 0)
    value = reader.value(node)
    if not isinstance(value.type, ListOf):
        reader.refuse(f"`{kind}` of `{value.type}`", whole)
    with reader.scope.quantify("item", value.type.item) as name:
        body = ir.Var(name, value.type.item, value.span)
        return ir.Quantifier(kind, name, value.type.item, value, None, body, False, BOOL, reader.span(whole))


def _nest(reader: Reader, kind: Kind, node: ast.GeneratorExp | ast.ListComp, depth: int) -> ir.Expr:
    if depth == len(node.generators):
        return reader.truth(node.elt)
    part = node.generators[depth]
    if part.is_async:
        reader.refuse("asynchronous comprehension", node)
    if not isinstance(part.target, ast.Name):
        reader.refuse("unpacking in a comprehension", part.target)
    domain, item = read_domain(reader, part.iter)
    with reader.scope.quantify(part.target.id, item) as name:
        condition = _conjunction(reader, part.ifs)
        body = _nest(reader, kind, node, depth + 1)
    eager = isinstance(node, ast.ListComp)
    return ir.Quantifier(kind, name, item, domain, condition, body, eager, BOOL, reader.span(node))


def _conjunction(reader: Reader, conditions: list[ast.expr]) -> ir.Expr | None:
    if not conditions:
        return None
    if len(conditions) == 1:
        return reader.truth(conditions[0])
    whole = ast.copy_location(ast.BoolOp(ast.And(), conditions), conditions[0])
    return reader.truth(whole)


def _refuse_early_names(reader: Reader, node: ast.GeneratorExp | ast.ListComp) -> None:
    """All targets are local to the comprehension: a domain or condition that names a later target (or a second one of
    the same name) would read an unbound variable, not the outer one."""
    targets = [part.target.id if isinstance(part.target, ast.Name) else "" for part in node.generators]
    if len(set(targets)) < len(targets):
        reader.refuse("comprehension that uses one variable twice", node)
    for position, part in enumerate(node.generators):
        if position:
            _refuse_names(reader, part.iter, targets[position:])
        for condition in part.ifs:
            _refuse_names(reader, condition, targets[position + 1 :])


def _refuse_names(reader: Reader, expr: ast.expr, names: list[str]) -> None:
    for child in ast.walk(expr):
        if isinstance(child, ast.Name) and child.id in names:
            reader.refuse(f"`{child.id}` read before its place in the comprehension", child)


def read_bounded(reader: Reader, kind: Kind, node: ast.Call) -> ir.Expr:
    """`Forall(domain, lambda k: e)` or `Exists(…)`."""
    name = "Forall" if kind == "all" else "Exists"
    if len(node.args) != 2 or node.keywords:
        reader.refuse(f"`{name}` with these arguments", node)
    domain_node, predicate = node.args
    if isinstance(domain_node, ast.Name) and domain_node.id in ("int", "bool", "str", "object"):
        reader.refuse(f"`{name}` over all of `{domain_node.id}` (quantifiers are bounded)", node)
    if not isinstance(predicate, ast.Lambda):
        reader.refuse(f"`{name}` without a lambda", predicate)
    args = predicate.args
    plain = len(args.args) == 1 and not (args.defaults or args.posonlyargs or args.kwonlyargs)
    if not plain or args.vararg or args.kwarg:
        reader.refuse(f"`{name}` with a lambda of other than one plain parameter", predicate)
    if isinstance(predicate.body, ast.Tuple):
        reader.refuse(f"triggers in `{name}`", predicate.body)
    domain, item = read_domain(reader, domain_node)
    with reader.scope.quantify(args.args[0].arg, item) as variable:
        body = reader.truth(predicate.body)
    return ir.Quantifier(kind, variable, item, domain, None, body, False, BOOL, reader.span(node))
