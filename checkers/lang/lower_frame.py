"""What is known about one function while its body is lowered, pass by pass, until its types stand still."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass, field

from checkers.lang import ir
from checkers.lang.contract import Conditions
from checkers.lang.ir import INT, NONE, ListOf, Scalar, Type
from checkers.lang.lower_linker import Linker, Lowered, Reads
from checkers.lang.lower_scope import Mode, Scope
from checkers.lang.lower_source import bound
from checkers.lang.types_join import coerce, is_open, join, settled
from verifier.errors import Unsupported
from verifier.model import Span


@dataclass(slots=True)
class Frame:
    """One function. `types` grows monotonically over the passes; a declared type never changes.

    `final` is the last pass, in which every problem is an error; before it, a statement that cannot be read yet is
    skipped. `changed` tells that a pass learnt something. `mutations` lists every place that changes a list.
    """

    linker: Linker
    node: ast.FunctionDef
    params: dict[str, Type]
    local_names: frozenset[str]
    conditions: Conditions
    declared: dict[str, Type]
    declared_return: Type | None
    types: dict[str, Type] = field(default_factory=dict)
    returned: Type | None = None
    final: bool = False
    changed: bool = False
    temporaries: dict[str, Type] = field(default_factory=dict)
    mutations: list[tuple[str, Span]] = field(default_factory=list)
    reads: Reads = field(default_factory=dict)
    calls: dict[str, Lowered] = field(default_factory=dict)

    @property
    def returns(self) -> Type | None:
        """The return type as far as it is known."""
        return self.declared_return or self.returned

    def start(self, *, final: bool) -> None:
        """Begin a pass."""
        self.final, self.changed = final, False
        self.temporaries, self.mutations = {}, []

    def visible(self) -> dict[str, Type]:
        """Parameters and locals with their types, temporaries left out."""
        return {**self.params, **self.types}

    def scope(self, mode: Mode, names: dict[str, Type] | None = None) -> Scope:
        """A scope of this function: all its variables, or only `names`."""
        shown = self.visible() if names is None else names
        unknown = frozenset[str]() if mode == "icontract" else self.local_names - frozenset(shown)
        taken = set(self.params) | self.local_names | {"result"}
        return Scope(self.linker, self.linker.source.text, mode, shown, unknown, taken, self.reads, self.calls)

    def annotation_scope(self, *, inside_for: bool) -> Scope:
        """The scope of a loop's annotation."""
        scope = self.scope("annotation")
        scope.entry, scope.inside_for = dict(self.params), inside_for
        return scope

    def admit(self, name: str, value: ir.Expr, span: Span) -> ir.Expr:
        """`value` with the type of the variable `name`, which may still grow. Raises Unsupported."""
        fixed = self.params.get(name) or self.declared.get(name)
        if fixed is None:
            self._grow(name, value.type)
        known = fixed or self.types[name]
        fitted = coerce(value, known)
        if fitted is None:
            raise Unsupported(f"`{name}` changes type from `{known}` to `{value.type}`", span)
        return fitted

    def admit_item(self, name: str, value: ir.Expr, span: Span) -> None:
        """Let the list `name` hold `value`. Raises Unsupported."""
        kind = self.visible().get(name)
        if not isinstance(kind, ListOf) or not isinstance(value.type, Scalar):
            raise Unsupported(f"`{value.type}` stored in `{kind}`", span)
        wanted = join(kind, ListOf(value.type))
        if wanted is None or value.type not in (INT, ir.BOOL):
            raise Unsupported(f"`{value.type}` stored in `{kind}`", span)
        if wanted != kind:
            if name in self.params or name in self.declared:
                raise Unsupported(f"`{value.type}` stored in `{kind}`", span)
            self._grow(name, wanted)

    def admit_return(self, value: ir.Expr, span: Span) -> ir.Expr:
        """`value` with the function's return type, which may still grow where it is not declared."""
        if self.declared_return is None:
            joined = value.type if self.returned is None else join(self.returned, value.type)
            if joined is None:
                raise Unsupported(f"function returns `{self.returned}` and `{value.type}`", span)
            if joined != self.returned:
                self.returned, self.changed = joined, True
        assert self.returns is not None
        fitted = coerce(value, self.returns)
        if fitted is None:
            raise Unsupported(f"function returns `{value.type}` where `{self.returns}` is declared", span)
        return fitted

    def temporary(self, kind: Type) -> str:
        """A fresh `$` name."""
        name = f"${len(self.temporaries) + 1}"
        self.temporaries[name] = kind
        return name

    def close(self) -> bool:
        """Read every item type that is still open as int; whether there was one."""
        found = [name for name, kind in self.types.items() if is_open(kind)]
        for name in found:
            self.types[name] = settled(self.types[name])
        if self.returned is not None and is_open(self.returned):
            self.returned = settled(self.returned)
            return True
        return bool(found)

    def _grow(self, name: str, kind: Type) -> None:
        known = self.types.get(name)
        joined = kind if known is None else join(known, kind)
        if joined is not None and joined != known and kind != NONE:
            self.types[name], self.changed = joined, True


def local_names(node: ast.FunctionDef) -> frozenset[str]:
    """Every name that the body makes local, bare annotations included; parameters are left out."""
    names = {name for name, _ in bound(node.body)}
    names |= {stmt.target.id for stmt in _annotated(node.body) if isinstance(stmt.target, ast.Name)}
    return frozenset(names - {arg.arg for arg in node.args.args})


def _annotated(body: list[ast.stmt]) -> Iterator[ast.AnnAssign]:
    todo: list[ast.AST] = list(body)
    while todo:
        node = todo.pop(0)
        if isinstance(node, ast.AnnAssign):
            yield node
        if not isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef | ast.expr):
            todo.extend(ast.iter_child_nodes(node))


def declarations(linker: Linker, node: ast.FunctionDef, params: dict[str, Type], reads: Reads) -> dict[str, Type]:
    """The types that annotated assignments declare. Raises Unsupported where two of them disagree."""
    found: dict[str, Type] = {}
    for stmt in _annotated(node.body):
        if not isinstance(stmt.target, ast.Name):
            continue
        name, span = stmt.target.id, linker.source.text.span(stmt)
        kind = linker.read_type(stmt.annotation, f"`{name}`", reads)
        before = params.get(name) or found.get(name)
        if before not in (None, kind) or kind == NONE:
            raise Unsupported(f"`{name}` changes type from `{before}` to `{kind}`", span)
        if name not in params:
            found[name] = kind
    return found
