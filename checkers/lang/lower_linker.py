"""What a name outside a function means: a function of the module, a constant, a builtin. Every look-up is recorded.

A name is trusted only if the whole module binds it once, directly at module level, or not at all (then it is the
builtin). Each function is lowered at most once a module.
"""

from __future__ import annotations

import ast
import builtins
from collections.abc import Callable
from dataclasses import dataclass, field

from checkers.lang import ir
from checkers.lang.contract_names import unknown_stars
from checkers.lang.ir import BOOL, INT, STR, ListOf, TupleOf, Type
from checkers.lang.lower_source import Binding, Source, Text, nesting
from checkers.lang.types_join import SCALARS
from verifier.errors import Unsupported, VerifierError
from verifier.model import Span

MAX_CALL_DEPTH = 8
MAX_NESTING = 150
MAX_NODES = 20_000
MAX_BITS = 4096
"""Of an int literal: far below what CPython refuses to print in decimal."""

Reads = dict[tuple[str, str], str | None]


@dataclass(frozen=True, slots=True)
class Lowered:
    """A function with what its callers need to know.

    `returned`: positions of the parameters whose list the result may be or hold. `loops`: whether it, or anything it
    calls, has a loop. `size`: nodes with every call expanded. `defaults`: the literal of each parameter that has one.
    """

    function: ir.Function
    reads: Reads
    returned: frozenset[int]
    loops: bool
    size: int
    depth: int
    defaults: tuple[ir.Expr | None, ...]
    scopes: dict[str, dict[str, Type]]


Build = Callable[["Linker", ast.FunctionDef, bool], Lowered]


@dataclass(slots=True)
class Linker:
    """The functions and constants of one module, lowered on demand by `build`."""

    source: Source
    build: Build
    ready: dict[str, Lowered | VerifierError] = field(default_factory=dict)
    active: list[tuple[str, int]] = field(default_factory=list)

    def function(self, name: str, span: Span, *, safety: bool = False) -> Lowered:
        """The lowered function of this name. Raises Unsupported for recursion, depth, and whatever lowering refuses."""
        if name in [other for other, _ in self.active]:
            raise Unsupported(f"recursion through `{name}`", span)
        if len(self.active) > MAX_CALL_DEPTH:
            raise Unsupported("calls nested too deeply", span)
        key = f"{name}!" if safety else name
        if key not in self.ready:
            self.ready[key] = self._lower(name, span, safety)
        found = self.ready[key]
        if isinstance(found, VerifierError):
            raise found.with_traceback(None)
        return found

    def _lower(self, name: str, span: Span, safety: bool) -> Lowered | VerifierError:
        node = self.definition(name, span)
        depth = nesting(node)
        if depth + sum(other for _, other in self.active) > MAX_NESTING:
            return Unsupported("expression too deeply nested", self.source.text.span(node))
        self.active.append((name, depth))
        try:
            return self.build(self, node, safety)
        except VerifierError as error:
            return error
        finally:
            self.active.pop()

    def definition(self, name: str, span: Span) -> ast.FunctionDef:
        """The only definition of a module-level function. Raises Unsupported, naming what stands against it."""
        binding = self.source.unique(name)
        if binding is None:
            raise Unsupported(f"`{name}` is not bound exactly once, directly at module level", span)
        if isinstance(binding.node, ast.AsyncFunctionDef):
            raise Unsupported(f"asynchronous function `{name}`", self.source.text.span(binding.node))
        if not isinstance(binding.node, ast.FunctionDef):
            raise Unsupported(f"call of `{name}`, which is not a function of this module", span)
        return binding.node

    def binding(self, name: str, span: Span) -> Binding | None:
        """The only binding of a global name, or None for a name that the module leaves alone (a builtin).

        Raises Unsupported where the name is bound more than once or might come from a star import.
        """
        found = self.source.bindings.get(name)
        if found:
            single = self.source.unique(name)
            if single is None:
                raise Unsupported(f"`{name}` is not bound exactly once, directly at module level", span)
            return single
        stars = unknown_stars(self.source)
        if stars:
            raise Unsupported(f"`{name}` may come from `from {stars[0]} import *`", span)
        return None

    def is_builtin(self, name: str, span: Span, reads: Reads) -> bool:
        """Whether a global name is the builtin of that name; recorded. Raises Unsupported where it is shadowed."""
        if not hasattr(builtins, name):
            return False
        if name in self.source.bindings:
            raise Unsupported(f"`{name}` is shadowed in the module", span)
        if self.binding(name, span) is None:
            reads["builtin", name] = None
            return True
        return False

    def constant(self, name: str, span: Span, reads: Reads) -> ir.Expr | None:
        """The literal that a module-level constant holds; recorded. None when the name is not bound at all."""
        binding = self.binding(name, span)
        if binding is None:
            return None
        value = getattr(binding.node, "value", None) if binding.kind == "assign" else None
        expr = literal(self.source.text, value, span) if value is not None else None
        if expr is None:
            raise Unsupported(f"global `{name}`, which is not an immutable literal", span)
        reads["global", name] = self.source.text.segment(binding.node)
        return expr

    def note_import(self, name: str, reads: Reads) -> None:
        """Record that `name` was reached through an import (or a star import)."""
        single = self.source.unique(name)
        nodes = [single.node] if single is not None else [node for _, node in self.source.stars]
        reads["import", name] = "\n".join(map(self.source.text.segment, nodes))

    # --- annotations of types ----------------------------------------------------------------------------------

    def read_type(self, node: ast.expr, what: str, reads: Reads) -> Type:
        """The type that an annotation names. Raises Unsupported naming it and the place `what` that it describes."""
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            return self._quoted(node, what, reads)
        span = self.source.text.span(node)
        if isinstance(node, ast.Constant) and node.value is None:
            return ir.NONE
        if isinstance(node, ast.Name) and node.id in SCALARS and self.is_builtin(node.id, span, reads):
            return SCALARS[node.id]
        if isinstance(node, ast.Subscript):
            container = self._container(node.value, reads)
            if container == "list":
                item = self.read_type(node.slice, what, reads)
                if item in (INT, BOOL):
                    assert isinstance(item, ir.Scalar)
                    return ListOf(item)
            if container == "tuple":
                return self._tuple(node.slice, what, reads)
        raise Unsupported(f"type `{self.source.text.segment(node)}` of {what}", span)

    def _quoted(self, node: ast.Constant, what: str, reads: Reads) -> Type:
        span = self.source.text.span(node)
        try:
            inner = ast.parse(str(node.value), mode="eval").body
        except (SyntaxError, ValueError, RecursionError, MemoryError):
            raise Unsupported(f"type {node.value!r} of {what}", span) from None
        if nesting(inner) > MAX_NESTING:
            raise Unsupported(f"type of {what} nested too deeply", span)
        for child in ast.walk(inner):
            ast.copy_location(child, node)
        return self.read_type(inner, what, reads)

    def _tuple(self, node: ast.expr, what: str, reads: Reads) -> Type:
        items = node.elts if isinstance(node, ast.Tuple) else [node]
        kinds = tuple(self.read_type(item, what, reads) for item in items)
        if ir.NONE in kinds:
            raise Unsupported(f"None inside the type of {what}", self.source.text.span(node))
        return TupleOf(kinds)

    def _container(self, node: ast.expr, reads: Reads) -> str | None:
        span = self.source.text.span(node)
        if isinstance(node, ast.Name):
            if node.id in ("list", "tuple") and self.is_builtin(node.id, span, reads):
                return node.id
            if node.id in ("List", "Tuple") and self._from_typing(node.id, reads):
                return node.id.lower()
            single = self.source.unique(node.id)
            if single is not None and single.module == "typing" and single.original in ("List", "Tuple"):
                reads["import", node.id] = self.source.text.segment(single.node)
                return single.original.lower()
        if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name) and node.attr in ("List", "Tuple"):
            single = self.source.unique(node.value.id)
            if single is not None and single.module == "typing" and single.original is None:
                reads["import", node.value.id] = self.source.text.segment(single.node)
                return node.attr.lower()
        return None

    def _from_typing(self, name: str, reads: Reads) -> bool:
        if name in self.source.bindings:
            return False
        stars = [node for module, node in self.source.stars if module == "typing"]
        if not stars or unknown_stars(self.source):
            return False
        reads["import", name] = self.source.text.segment(stars[0])
        return True


def literal(text: Text, node: ast.expr, span: Span | None = None) -> ir.Expr | None:
    """An immutable literal of the subset (int, bool, str without lone surrogates, a negative int, a sum, product or
    power of int literals such as `2**63 - 1`, a tuple), or None.

    `span` places the expression where it is used rather than where it is written.
    """
    place = span or text.span(node)
    match node:
        case ast.Constant(value=bool(value)):
            return ir.Const(value, BOOL, place)
        case ast.Constant(value=int(value)):
            return ir.Const(value, INT, place) if value.bit_length() <= MAX_BITS else None
        case ast.Constant(value=str(value)) if not any("\ud800" <= sign <= "\udfff" for sign in value):
            return ir.Const(value, STR, place)
        case ast.UnaryOp(op=ast.USub(), operand=ast.Constant(value=int(value))) if not isinstance(value, bool):
            return ir.Const(-value, INT, place) if value.bit_length() <= MAX_BITS else None
        case ast.BinOp(op=ast.Add() | ast.Sub() | ast.Mult() | ast.Pow() as op, left=left, right=right):
            number = _folded(op, literal(text, left, span), literal(text, right, span))
            return None if number is None else ir.Const(number, INT, place)
        case ast.Tuple(elts=items):
            parts = [literal(text, item, span) for item in items]
            known = tuple(part for part in parts if part is not None)
            if len(known) != len(parts):
                return None
            return ir.TupleLit(known, TupleOf(tuple(part.type for part in known)), place)
        case _:
            return None


def _folded(op: ast.operator, left: ir.Expr | None, right: ir.Expr | None) -> int | None:
    """The int that two int literals make; None for anything else, for a negative power, and for huge numbers."""
    if not (isinstance(left, ir.Const) and isinstance(right, ir.Const) and left.type == right.type == INT):
        return None
    assert isinstance(left.value, int)
    assert isinstance(right.value, int)
    a, b = left.value, right.value
    match op:
        case ast.Add():
            number = a + b
        case ast.Sub():
            number = a - b
        case ast.Mult():
            number = a * b
        case _:
            if b < 0 or a.bit_length() * b > MAX_BITS:
                return None
            number = a**b
    return number if number.bit_length() <= MAX_BITS else None
