"""Contracts: from conditions as syntax to typed clauses in the scope that their notation gives them."""

from __future__ import annotations

import ast

from checkers.lang import ir
from checkers.lang.contract import Condition, bad, check_argument
from checkers.lang.contract_names import contract_name
from checkers.lang.ir import Type
from checkers.lang.lower_expressions import Reader
from checkers.lang.lower_frame import Frame
from checkers.lang.lower_raise import exception_name
from checkers.lang.lower_scope import Mode, Scope
from checkers.lang.types_join import settle
from verifier.errors import Unsupported


def read_contract(frame: Frame, *, safety: bool) -> ir.Contract:
    """The typed contract of a function whose body is lowered. `safety` leaves the postconditions out.

    Raises Unsupported, VerifierError (`bad-contract`).
    """
    conditions = frame.conditions
    for name in conditions.names:
        frame.linker.note_import(name, frame.reads)
    requires = tuple(_clause(frame, item, "requires") for item in conditions.requires)
    snapshots = _snapshots(frame)
    ensures = () if safety else tuple(_clause(frame, item, "ensures", snapshots) for item in conditions.ensures)
    exsures = tuple(_exsures(frame, node, item) for node, item in conditions.exsures)
    return ir.Contract(requires, ensures, exsures, conditions.notation)


def _exsures(frame: Frame, node: ast.expr, item: Condition) -> ir.Exsures:
    name = exception_name(frame.linker, node, frame.linker.source.text.span(node), frame.reads)
    return ir.Exsures(name, _clause(frame, item, "requires"))


def _clause(frame: Frame, item: Condition, mode: Mode, snapshots: dict[str, ir.Expr] | None = None) -> ir.Clause:
    text = frame.linker.source.text
    if item.named:
        expr = _named(frame, item, mode)
    else:
        expr = Reader(_scope(frame, item, mode, snapshots)).truth(item.body)
    return ir.Clause(expr, text.segment(item.body), text.span(item.body))


def _scope(frame: Frame, item: Condition, mode: Mode, snapshots: dict[str, ir.Expr] | None = None) -> Scope:
    if item.arguments is None:
        scope = frame.scope(mode, dict(frame.params))
        scope.result = frame.returns if mode == "ensures" else None
        return scope
    names: dict[str, Type] = {name: frame.params[name] for name in item.arguments if name in frame.params}
    if "result" in item.arguments and mode == "ensures":
        assert frame.returns is not None
        names["result"] = frame.returns
    scope = frame.scope("icontract", names)
    if "OLD" in item.arguments and mode == "ensures":
        if not snapshots:
            bad(frame.linker.source, item.body, "the condition uses `OLD`, but there is no snapshot")
        scope.snapshots = snapshots
    return scope


def _named(frame: Frame, item: Condition, mode: Mode) -> ir.Expr:
    """A condition given as the name of a function: a call with the parameters that it names."""
    assert isinstance(item.body, ast.Name)
    source, name = frame.linker.source, item.body.id
    if contract_name(source, item.body) is not None or name not in source.bindings:
        bad(source, item.body, f"the condition `{name}` is not a function of this module")
    node = frame.linker.definition(name, source.text.span(item.body))
    if node.args.defaults:
        raise Unsupported(f"condition `{name}` with a default argument", source.text.span(item.body))
    arguments = tuple(arg.arg for arg in node.args.args)
    for argument in arguments:
        check_argument(source, item.body, argument, set(frame.params), {"result"} if mode == "ensures" else set())
    words = [ast.copy_location(ast.Name(argument, ast.Load()), item.body) for argument in arguments]
    call = ast.copy_location(ast.Call(item.body, [*words], []), item.body)
    return Reader(_scope(frame, Condition(call, arguments), mode)).truth(call)


def _snapshots(frame: Frame) -> dict[str, ir.Expr]:
    """The value of each snapshot on the entry values. icontract evaluates them whether or not a postcondition looks, so
    only captures that cannot raise are accepted."""
    found: dict[str, ir.Expr] = {}
    for name, item in frame.conditions.snapshots.items():
        if item.named:
            raise Unsupported("snapshot that is not a lambda", frame.linker.source.text.span(item.body))
        expr = settle(Reader(_scope(frame, item, "requires")).loose(item.body))
        if any(_may_raise(node) for node in ir.walk(expr)):
            raise Unsupported("snapshot that may raise", frame.linker.source.text.span(item.body))
        found[name] = expr
    return found


def _may_raise(expr: ir.Expr) -> bool:
    return isinstance(expr, ir.Index | ir.Call | ir.Quantifier) or (
        isinstance(expr, ir.Binary) and expr.op in ("//", "%")
    )
