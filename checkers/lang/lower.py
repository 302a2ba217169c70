"""From source text to a typed function with its contract: sound or named.

Trusted: everything that is proved later is proved about what this module returns. A construct that is not understood
exactly raises `Unsupported` with its line, column and name; nothing is skipped.
"""

from __future__ import annotations

import ast
from collections.abc import Mapping
from dataclasses import dataclass

from checkers.lang import ir
from checkers.lang.contract import read_conditions
from checkers.lang.contract_names import notation
from checkers.lang.ir import NONE, Type
from checkers.lang.lower_aliasing import check_aliasing, returned
from checkers.lang.lower_contract import read_contract
from checkers.lang.lower_frame import Frame, declarations, local_names
from checkers.lang.lower_linker import MAX_CALL_DEPTH, MAX_NODES, Linker, Lowered, Reads
from checkers.lang.lower_signature import read_defaults, read_signature
from checkers.lang.lower_source import FunctionNode, Source, parse, refuse_dynamic
from checkers.lang.lower_statements import Builder
from verifier.errors import Unsupported, VerifierError
from verifier.model import Span

__all__ = ["Program", "lower"]


@dataclass(frozen=True, slots=True)
class Program:
    """A lowered function, ready for every later step.

    `reads` lists each look-up outside the function: `(resolver, name, text)`, sorted; the resolvers are `function`,
    `global`, `import` and `builtin` (whose text is None: the module does not shadow it). `loops` and `scopes` are by
    loop path and include the loops of inlined functions; a scope holds parameters and locals with their types.
    """

    function: ir.Function
    source: str
    reads: tuple[tuple[str, str, str | None], ...]
    loops: Mapping[str, ir.Loop]
    scopes: Mapping[str, Mapping[str, Type]]


def lower(source: str, name: str, *, safety: bool = False) -> Program:
    """The function `name` of a module with its contract.

    `safety` drops the postconditions and asks for no contract. Raises Unsupported (line, column, construct),
    VerifierError: `syntax-error`, `bad-contract`, `no-such-file` (no such function), `no-claim` (no contract).
    """
    module = parse(source)
    try:
        return _lower(module, name, safety)
    except RecursionError:
        raise Unsupported("expression too deeply nested", Span(1, 1, 1, 1)) from None


def _lower(module: Source, name: str, safety: bool) -> Program:
    node = _find(module, name)
    span = module.text.span(node)
    if not safety and notation(module, node) == "none":
        raise VerifierError("no-claim", f"`{name}` has no contract", span=span)
    refuse_dynamic(module)
    lowered = Linker(module, build).function(name, span, safety=safety)
    loops: dict[str, ir.Loop] = {}
    for function in (lowered.function, *ir.callees(lowered.function)):
        loops.update((loop.path, loop) for loop in ir.loops(function.body))
    reads = tuple(sorted(((*key, text) for key, text in lowered.reads.items()), key=lambda item: item[:2]))
    return Program(lowered.function, module.text.text, reads, loops, lowered.scopes)


def _find(module: Source, name: str) -> FunctionNode:
    places = [place for place in module.places if place.name == name]
    if not places:
        raise VerifierError("no-such-file", f"there is no function `{name}`")
    place = places[0]
    span = module.text.span(place.node)
    if place.inside == "class":
        raise Unsupported(f"method `{name}`", span)
    if place.inside == "function":
        raise Unsupported(f"nested function `{name}`", span)
    if isinstance(place.node, ast.AsyncFunctionDef):
        raise Unsupported(f"asynchronous function `{name}`", span)
    if module.unique(name) is None:
        raise Unsupported(f"`{name}` is not bound exactly once, directly at module level", span)
    return place.node


# --- one function ----------------------------------------------------------------------------------------------


def build(linker: Linker, node: ast.FunctionDef, safety: bool) -> Lowered:
    """Lower one function: infer the types of its locals, then read it for good. Raises Unsupported, VerifierError."""
    frame = _frame(linker, node)
    _infer(frame)
    frame.start(final=True)
    builder = Builder(frame)
    body = builder.block(frame.conditions.body)
    if builder.bound is not None:
        body = (*body, _end(frame))
    if frame.returned is None and frame.declared_return is None:
        frame.returned = NONE
    check_aliasing(body, frame.mutations, frame.calls)
    contract = read_contract(frame, safety=safety)
    return _finish(frame, body, contract)


def _frame(linker: Linker, node: ast.FunctionDef) -> Frame:
    reads: Reads = {}
    params = read_signature(linker, node, reads)
    names = local_names(node)
    conditions = read_conditions(linker.source, node, names | frozenset(params))
    declared = declarations(linker, node, params, reads)
    returns = None if node.returns is None else linker.read_type(node.returns, "the returned value", reads)
    read_defaults(linker, node, params)
    return Frame(linker, node, params, names, conditions, declared, returns, types=dict(declared), reads=reads)


def _infer(frame: Frame) -> None:
    """Passes over the body until the types of locals and of the result stand still. Raises Unsupported if they do not
    (each pass widens a type, and a type can be widened a few times only)."""
    for _ in range(4 * len(frame.local_names) + 16):
        frame.start(final=False)
        Builder(frame).block(frame.conditions.body)
        if not frame.changed and not frame.close():
            return
    raise Unsupported("types that do not settle", frame.linker.source.text.span(frame.node))


def _end(frame: Frame) -> ir.Return:
    """What happens where control falls off the end: None is returned, which must be the declared type."""
    last = frame.linker.source.text.span(frame.node.body[-1])
    place = Span(last.end_line, last.end_column, last.end_line, last.end_column)
    if frame.returns not in (None, NONE):
        raise Unsupported("function that may end without `return`", frame.linker.source.text.span(frame.node))
    if frame.returns is None:
        frame.returned = NONE
    return ir.Return(ir.Const(None, NONE, place), place)


def _finish(frame: Frame, body: tuple[ir.Stmt, ...], contract: ir.Contract) -> Lowered:
    assert frame.returns is not None
    types = {**frame.types, **frame.temporaries}
    params = tuple(ir.Param(name, kind) for name, kind in frame.params.items())
    span = frame.linker.source.text.span(frame.node)
    function = ir.Function(frame.node.name, params, frame.returns, contract, body, tuple(sorted(types.items())), span)
    own = {loop.path: frame.visible() for loop in ir.loops(body)}
    scopes = {path: scope for call in frame.calls.values() for path, scope in call.scopes.items()} | own
    size = _size(function, frame.calls)
    depth = 1 + max((call.depth for call in frame.calls.values()), default=0)
    if size > MAX_NODES:
        raise Unsupported("function that is too large when its calls are inlined", span)
    if depth > MAX_CALL_DEPTH + 1:
        raise Unsupported("calls nested too deeply", span)
    loops = bool(own) or any(call.loops for call in frame.calls.values())
    frame.reads["function", frame.node.name] = _text(frame)
    defaults = read_defaults(frame.linker, frame.node, frame.params)
    result = returned(function, frame.calls)
    return Lowered(function, frame.reads, result, loops, size, depth, defaults, scopes)


def _text(frame: Frame) -> str:
    """The function's text with its decorators."""
    node = frame.node
    first = min([node.lineno, *(item.lineno for item in node.decorator_list)])
    return "\n".join(frame.linker.source.text.lines[first - 1 : node.end_lineno])


def _size(function: ir.Function, calls: Mapping[str, Lowered]) -> int:
    contract = function.contract
    clauses = (*contract.requires, *contract.ensures, *(item.clause for item in contract.exsures))
    exprs = [clause.expr for clause in clauses]
    total = 0
    for stmt in ir.statements(function.body):
        total += 1
        exprs.extend(ir.expressions(stmt))
        if isinstance(stmt, ir.While | ir.For):
            exprs.extend((*stmt.given.invariants, *stmt.given.decreases))
    for expr in exprs:
        for item in ir.walk(expr):
            total += calls[item.function.name].size if isinstance(item, ir.Call) else 1
    return total
