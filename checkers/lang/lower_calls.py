"""Calls: the builtins of the subset, pure functions of the module, quantifiers, and the terms of contracts."""

from __future__ import annotations

import ast
from collections.abc import Callable
from typing import TYPE_CHECKING

from checkers.lang import ir
from checkers.lang.contract_names import TERMS, contract_name
from checkers.lang.ir import BOOL, INT, STR, ListOf
from checkers.lang.lower_quantifiers import read_quantifier
from checkers.lang.lower_terms import read_term
from verifier.errors import VerifierError

if TYPE_CHECKING:
    from checkers.lang.lower_expressions import Reader
    from checkers.lang.lower_linker import Lowered


def read_call(reader: Reader, node: ast.Call) -> ir.Expr:
    """A call. Raises Unsupported naming the function that is not of the subset."""
    scope, func = reader.scope, node.func
    if isinstance(func, ast.Name) and func.id in scope.hidden:
        reader.refuse(f"call of the variable `{func.id}`", node)
    if scope.draft and isinstance(func, ast.Name) and func.id in TERMS:
        return read_term(reader, func.id, node)
    library = contract_name(scope.linker.source, func, scope.hidden)
    if library is not None:
        if library.notation != "nagini" or not library.sure:
            reader.refuse(f"call of `{library.name}`", node)
        scope.linker.note_import(library.bound, scope.reads)
        return read_term(reader, library.name, node)
    if isinstance(func, ast.Attribute):
        reader.refuse(f"method call `.{func.attr}(…)`", node)
    if not isinstance(func, ast.Name):
        reader.refuse("call of a computed function", node)
    if scope.linker.is_builtin(func.id, reader.span(func), scope.reads):
        return _builtin(reader, func.id, node)
    return _inline(reader, func.id, node)


# --- builtins --------------------------------------------------------------------------------------------------


def _builtin(reader: Reader, name: str, node: ast.Call) -> ir.Expr:
    known = _BUILTINS.get(name)
    if known is None:
        reader.refuse(f"`{name}(…)`", node)
    if node.keywords:
        reader.refuse(f"keyword argument of `{name}`", node)
    if any(isinstance(item, ast.Starred) for item in node.args):
        reader.refuse("unpacking with `*`", node)
    return known(reader, name, node)


def _one(reader: Reader, name: str, node: ast.Call) -> ast.expr:
    if len(node.args) != 1:
        reader.refuse(f"`{name}` of {len(node.args)} arguments", node)
    return node.args[0]


def _len(reader: Reader, name: str, node: ast.Call) -> ir.Expr:
    value = reader.value(_one(reader, name, node))
    if not (isinstance(value.type, ListOf) or value.type == STR):
        reader.refuse(f"`len` of `{value.type}`", node)
    return ir.Builtin("len", (value,), INT, reader.span(node))


def _abs(reader: Reader, name: str, node: ast.Call) -> ir.Expr:
    return ir.Builtin("abs", (reader.number(_one(reader, name, node)),), INT, reader.span(node))


def _int(reader: Reader, name: str, node: ast.Call) -> ir.Expr:
    return ir.Builtin("int", (reader.number(_one(reader, name, node)),), INT, reader.span(node))


def _bool(reader: Reader, name: str, node: ast.Call) -> ir.Expr:
    return ir.Builtin("bool", (reader.truth(_one(reader, name, node)),), BOOL, reader.span(node))


def _list(reader: Reader, name: str, node: ast.Call) -> ir.Expr:
    if not node.args:
        return reader.loose(ast.copy_location(ast.List([], ast.Load()), node))
    value = reader.value(_one(reader, name, node))
    if not isinstance(value.type, ListOf):
        reader.refuse(f"`list` of `{value.type}`", node)
    return ir.Builtin("list", (value,), value.type, reader.span(node))


def _extreme(reader: Reader, name: str, node: ast.Call) -> ir.Expr:
    if len(node.args) < 2:
        reader.refuse(f"`{name}` of fewer than two arguments", node)
    values = tuple(reader.number(item) for item in node.args)
    return ir.Builtin("min" if name == "min" else "max", values, INT, reader.span(node))


def _quantifier(reader: Reader, name: str, node: ast.Call) -> ir.Expr:
    return read_quantifier(reader, "all" if name == "all" else "any", _one(reader, name, node), node)


_BUILTINS: dict[str, Callable[[Reader, str, ast.Call], ir.Expr]] = {
    "len": _len, "abs": _abs, "int": _int, "bool": _bool, "list": _list, "min": _extreme, "max": _extreme,
    "all": _quantifier, "any": _quantifier,
}  # fmt: skip


# --- functions of the module -----------------------------------------------------------------------------------


def _inline(reader: Reader, name: str, node: ast.Call) -> ir.Expr:
    scope, source = reader.scope, reader.scope.linker.source
    if name not in source.bindings:
        scope.linker.binding(name, reader.span(node.func))
        if scope.mode == "body":
            reader.refuse(f"call of the unknown name `{name}`", node)
        message = f"the function `{name}` is not defined"
        raise VerifierError("bad-contract", message, span=reader.span(node.func))
    lowered = scope.linker.function(name, reader.span(node))
    if scope.mode != "body" and lowered.loops:
        reader.refuse(f"call of `{name}`, which has a loop, in a contract", node)
    scope.reads.update(lowered.reads)
    scope.calls[name] = lowered
    given, order = _arguments(reader, name, node, lowered)
    args = tuple(given[position] for position in range(len(lowered.function.params)))
    return ir.Call(lowered.function, args, tuple(order), lowered.function.returns, reader.span(node))


def _arguments(reader: Reader, name: str, node: ast.Call, lowered: Lowered) -> tuple[dict[int, ir.Expr], list[int]]:
    """Arguments by parameter position, and the positions in the order of evaluation (defaults are literals, last)."""
    params = lowered.function.params
    places = {param.name: position for position, param in enumerate(params)}
    if any(isinstance(item, ast.Starred) for item in node.args) or any(word.arg is None for word in node.keywords):
        reader.refuse("unpacked arguments of a call", node)
    if len(node.args) > len(params):
        reader.refuse(f"call of `{name}` with too many arguments", node)
    pairs = list(enumerate(node.args))
    for word in node.keywords:
        assert word.arg is not None
        if word.arg not in places or places[word.arg] in [position for position, _ in pairs]:
            reader.refuse(f"call of `{name}` with the argument `{word.arg}`", node)
        pairs.append((places[word.arg], word.value))
    given: dict[int, ir.Expr] = {}
    for position, item in pairs:
        given[position] = reader.fit(reader.loose(item), params[position].type, item)
    order = [position for position, _ in pairs]
    for position, default in enumerate(lowered.defaults):
        if position not in given:
            if default is None:
                reader.refuse(f"call of `{name}` without the argument `{params[position].name}`", node)
            given[position] = default
            order.append(position)
    return given, order
