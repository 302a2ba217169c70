"""The terms of contracts and annotations: `Result`, `Old`, `Implies`, `Forall`, `Exists`, `Iterations`."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING, NoReturn

from checkers.lang import ir
from checkers.lang.ir import BOOL, INT
from checkers.lang.lower_quantifiers import read_bounded
from verifier.errors import VerifierError

if TYPE_CHECKING:
    from checkers.lang.lower_expressions import Reader


def read_term(reader: Reader, name: str, node: ast.Call) -> ir.Expr:
    """A call of one of Nagini's names inside an expression. Raises Unsupported, VerifierError (`bad-contract`)."""
    mode = reader.scope.mode
    if mode == "body":
        reader.refuse(f"`{name}` outside a contract", node)
    if mode == "icontract":
        reader.refuse(f"`{name}` in an icontract condition", node)
    if node.keywords or any(isinstance(item, ast.Starred) for item in node.args):
        reader.refuse(f"keyword or unpacked arguments of `{name}`", node)
    match name:
        case "Result":
            return _result(reader, node)
        case "Old":
            return _old(reader, node)
        case "Implies":
            return _implies(reader, node)
        case "Forall":
            return read_bounded(reader, "all", node)
        case "Exists":
            return read_bounded(reader, "any", node)
        case "Iterations":
            return _iterations(reader, node)
        case _:
            return reader.refuse(f"`{name}`", node)


def _bad(reader: Reader, node: ast.AST, message: str) -> NoReturn:
    raise VerifierError("bad-contract", message, span=reader.span(node))


def _count(reader: Reader, name: str, node: ast.Call, count: int) -> None:
    if len(node.args) != count:
        _bad(reader, node, f"`{name}` takes {count} argument{'' if count == 1 else 's'}, not {len(node.args)}")


def _result(reader: Reader, node: ast.Call) -> ir.Expr:
    _count(reader, "Result", node, 0)
    if reader.scope.mode != "ensures" or reader.scope.result is None:
        _bad(reader, node, "`Result()` stands in a postcondition only")
    return ir.Var("result", reader.scope.result, reader.span(node))


def _old(reader: Reader, node: ast.Call) -> ir.Expr:
    _count(reader, "Old", node, 1)
    if reader.scope.mode == "ensures":
        return reader.loose(node.args[0])
    if reader.scope.mode != "annotation":
        _bad(reader, node, "`Old` stands in a postcondition or a loop annotation only")
    with reader.scope.at_entry():
        operand = reader.value(node.args[0])
    return ir.Old(operand, operand.type, reader.span(node))


def _implies(reader: Reader, node: ast.Call) -> ir.Expr:
    _count(reader, "Implies", node, 2)
    span = reader.span(node)
    condition, consequence = (reader.truth(item) for item in node.args)
    if consequence.type != BOOL:
        consequence = ir.Builtin("bool", (consequence,), BOOL, consequence.span)
    return ir.BoolOp("or", (ir.Unary("not", condition, BOOL, condition.span), consequence), BOOL, span)


def _iterations(reader: Reader, node: ast.Call) -> ir.Expr:
    _count(reader, "Iterations", node, 0)
    if reader.scope.mode != "annotation" or not reader.scope.inside_for:
        _bad(reader, node, "`Iterations()` stands in an annotation of a `for` loop only")
    return ir.Iterations(INT, reader.span(node))
