"""A function's head: its parameters with types and defaults, and what keeps it out of the subset."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from checkers.lang import ir
from checkers.lang.contract_names import notation
from checkers.lang.ir import NONE, Type
from checkers.lang.lower_linker import Linker, Reads, literal
from checkers.lang.types_join import coerce
from verifier.errors import Unsupported

_RESERVED = frozenset(("result", "OLD"))


def read_signature(linker: Linker, node: ast.FunctionDef, reads: Reads) -> dict[str, Type]:
    """The parameters with their types, in order. Raises Unsupported."""
    _refuse_forms(linker, node)
    params: dict[str, Type] = {}
    for arg in node.args.args:
        span = linker.source.text.span(arg)
        if arg.arg in _RESERVED and notation(linker.source, node) != "none":
            raise Unsupported(f"parameter called `{arg.arg}`", span, "Contracts give this name another meaning.")
        if arg.annotation is None:
            hint = f"Write its type, for example `{arg.arg}: int`."
            raise Unsupported(f"parameter `{arg.arg}` without a type annotation", span, hint)
        kind = linker.read_type(arg.annotation, f"the parameter `{arg.arg}`", reads)
        if kind == NONE:
            raise Unsupported(f"type `None` of the parameter `{arg.arg}`", span)
        params[arg.arg] = kind
    return params


def read_defaults(linker: Linker, node: ast.FunctionDef, params: dict[str, Type]) -> tuple[ir.Expr | None, ...]:
    """The default of each parameter, or None: immutable literals of the declared type. Raises Unsupported."""
    defaults: list[ir.Expr | None] = [None] * (len(params) - len(node.args.defaults))
    names = list(params)
    for name, item in zip(names[len(defaults) :], node.args.defaults, strict=True):
        span = linker.source.text.span(item)
        if isinstance(item, ast.List | ast.Dict | ast.Set | ast.ListComp | ast.Call):
            raise Unsupported(f"default of `{name}` that is mutable or computed", span)
        value = literal(linker.source.text, item)
        fitted = None if value is None else coerce(value, params[name])
        if fitted is None:
            raise Unsupported(f"default of `{name}` that is not a literal of type `{params[name]}`", span)
        defaults.append(fitted)
    return tuple(defaults)


def _refuse_forms(linker: Linker, node: ast.FunctionDef) -> None:
    text, args = linker.source.text, node.args
    for stars, arg in (("*", args.vararg), ("**", args.kwarg)):
        if arg is not None:
            raise Unsupported(f"parameter `{stars}{arg.arg}`", text.span(arg))
    if args.posonlyargs:
        raise Unsupported(f"positional-only parameter `{args.posonlyargs[0].arg}`", text.span(args.posonlyargs[0]))
    if args.kwonlyargs:
        raise Unsupported(f"keyword-only parameter `{args.kwonlyargs[0].arg}`", text.span(args.kwonlyargs[0]))
    if getattr(node, "type_params", None):
        raise Unsupported(f"type parameters of `{node.name}`", text.span(node))
    for child in _own(node):
        if isinstance(child, ast.Yield | ast.YieldFrom):
            raise Unsupported(f"generator function `{node.name}`", text.span(child))


def _own(node: ast.FunctionDef) -> Iterator[ast.AST]:
    """The nodes of a body that belong to the function itself."""
    todo: list[ast.AST] = list(node.body)
    while todo:
        child = todo.pop()
        yield child
        if not isinstance(child, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef | ast.Lambda):
            todo.extend(ast.iter_child_nodes(child))
