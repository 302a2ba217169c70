"""Statements: from syntax to IR, in CPython's order of evaluation, with definite assignment and reachability.

`bound` holds the variables that are certainly bound at the current point; None means that the point cannot be reached.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Sequence

from checkers.lang import ir
from checkers.lang.contract import read_notes
from checkers.lang.contract_names import contract_name
from checkers.lang.ir import BOOL, NONE
from checkers.lang.lower_aliasing import sources
from checkers.lang.lower_assignments import assign, augmented
from checkers.lang.lower_expressions import Reader
from checkers.lang.lower_frame import Frame
from checkers.lang.lower_quantifiers import read_domain
from checkers.lang.lower_raise import check_message, read_raise
from verifier.errors import Unsupported, VerifierError
from verifier.model import Span

_NAMES: dict[str, str] = {
    "FunctionDef": "nested function", "AsyncFunctionDef": "nested asynchronous function", "ClassDef": "class",
    "Delete": "`del`", "With": "`with`", "AsyncWith": "`async with`", "AsyncFor": "`async for`", "Try": "`try`",
    "TryStar": "`try` with `except*`", "Match": "`match`", "Import": "`import` in a function",
    "ImportFrom": "`import` in a function", "Global": "`global`", "Nonlocal": "`nonlocal`",
}  # fmt: skip


class Builder:
    """One pass over one function's body."""

    def __init__(self, frame: Frame) -> None:
        self.frame = frame
        self.source = frame.linker.source
        self.bound: frozenset[str] | None = frozenset(frame.params)
        self.prefix = frame.node.name
        self.count = 0
        self.breaks: list[bool] = []
        self.iterated: list[frozenset[str]] = []

    @property
    def reader(self) -> Reader:
        """A reader of body expressions with the types known now."""
        return Reader(self.frame.scope("body"))

    def span(self, node: ast.AST) -> Span:
        """Where the node stands."""
        return self.source.text.span(node)

    def refuse(self, construct: str, node: ast.AST) -> Unsupported:
        """The error that names a construct at its place."""
        return Unsupported(construct, self.span(node))

    def is_bound(self, name: str) -> bool:
        """Whether the variable certainly has a value here."""
        return self.bound is None or name in self.bound

    def bind(self, name: str) -> None:
        """The variable has a value from here on."""
        if self.bound is not None:
            self.bound |= {name}

    def mutates(self, name: str, node: ast.AST) -> None:
        """Record a mutation of the list `name`. Raises Unsupported for a parameter or a list being iterated over."""
        if name in self.frame.params:
            raise self.refuse(f"mutation of the parameter `{name}`", node)
        if any(name in names for names in self.iterated):
            raise self.refuse(f"mutation of `{name}` while it is iterated over", node)
        self.frame.mutations.append((name, self.span(node)))

    # --- blocks ------------------------------------------------------------------------------------------------

    def block(self, body: Sequence[ast.stmt]) -> tuple[ir.Stmt, ...]:
        """The statements of one block."""
        found: list[ir.Stmt] = []
        for stmt in body:
            found.extend(self._guarded(lambda stmt=stmt: self.statement(stmt), ()))  # type: ignore[misc]
        return tuple(found)

    def _guarded(self, read: Callable[[], Sequence[ir.Stmt]], default: Sequence[ir.Stmt]) -> Sequence[ir.Stmt]:
        """What `read` gives; while types are inferred, nothing where it cannot be read yet."""
        try:
            return read()
        except VerifierError:
            if self.frame.final:
                raise
        return default

    def _test(self, node: ast.expr) -> ir.Expr:
        """A condition; while types are inferred, a stand-in where it cannot be read yet."""
        try:
            return self.reader.truth(node)
        except VerifierError:
            if self.frame.final:
                raise
            return ir.Const(True, BOOL, self.span(node))

    def statement(self, stmt: ast.stmt) -> Sequence[ir.Stmt]:
        """One statement. Raises Unsupported, VerifierError, Pending."""
        match stmt:
            case ast.Assign(targets=targets, value=value):
                return assign(self, targets, value, stmt)
            case ast.AnnAssign():
                return assign(self, [stmt.target], stmt.value, stmt) if stmt.value is not None else self._bare(stmt)
            case ast.AugAssign():
                return augmented(self, stmt)
            case ast.If():
                return self._if(stmt)
            case ast.While():
                return self._while(stmt)
            case ast.For():
                return self._for(stmt)
            case ast.Expr(value=value):
                return self._expression(stmt, value)
            case _:
                return self._jump(stmt)

    def _bare(self, stmt: ast.AnnAssign) -> Sequence[ir.Stmt]:
        if not isinstance(stmt.target, ast.Name):
            raise self.refuse("annotation of something other than a name", stmt)
        return ()

    def _jump(self, stmt: ast.stmt) -> Sequence[ir.Stmt]:
        span = self.span(stmt)
        match stmt:
            case ast.Pass():
                return ()
            case ast.Return(value=value):
                return self._return(value, span)
            case ast.Break():
                self.breaks[-1], self.bound = self.breaks[-1] or self.bound is not None, None
                return (ir.Break(span),)
            case ast.Continue():
                self.bound = None
                return (ir.Continue(span),)
            case ast.Raise():
                raised = read_raise(self, stmt)
                self.bound = None
                return (raised,)
            case ast.Assert():
                return self._assert(stmt)
            case _:
                name = type(stmt).__name__
                raise self.refuse(_NAMES.get(name, name), stmt)

    def _return(self, value: ast.expr | None, span: Span) -> Sequence[ir.Stmt]:
        if value is None or (isinstance(value, ast.Constant) and value.value is None):
            expr: ir.Expr = ir.Const(None, NONE, span)
        else:
            expr = self.reader.whatever(value)
        expr = self.frame.admit_return(expr, span)
        self.bound = None
        return (ir.Return(expr, span),)

    def _assert(self, stmt: ast.Assert) -> Sequence[ir.Stmt]:
        test = self._test(stmt.test)
        if stmt.msg is not None:
            check_message(self, stmt.msg)
        if isinstance(test, ir.Const) and not test.value:
            self.bound = None
        return (ir.Assert(test, self.span(stmt)),)

    def _expression(self, stmt: ast.Expr, value: ast.expr) -> Sequence[ir.Stmt]:
        if isinstance(value, ast.Constant) and (isinstance(value.value, str) or value.value is ...):
            return ()
        if isinstance(value, ast.Call):
            library = contract_name(self.source, value.func, self.reader.scope.hidden)
            if library is not None and library.notation == "nagini":
                raise self.refuse(f"`{library.name}` at this place", stmt)
            if isinstance(value.func, ast.Attribute) and value.func.attr == "append":
                return self._append(value, value.func, stmt)
        return (ir.Evaluate(self.reader.settle(self.reader.whatever(value)), self.span(stmt)),)

    def _append(self, call: ast.Call, func: ast.Attribute, stmt: ast.stmt) -> Sequence[ir.Stmt]:
        if not isinstance(func.value, ast.Name) or len(call.args) != 1 or call.keywords:
            raise self.refuse("method call `.append(…)`", call)
        target = self.reader.loose(func.value)
        if not isinstance(target, ir.Var) or not isinstance(target.type, ir.ListOf):
            raise self.refuse(f"`.append(…)` on `{target.type}`", call)
        self.mutates(target.name, stmt)
        value = self.reader.value(call.args[0])
        self.frame.admit_item(target.name, value, self.span(call.args[0]))
        append = ir.Append(target.name, value, self.span(stmt))
        return (append,) if self.is_bound(target.name) else (ir.Evaluate(target, target.span), append)

    # --- branches and loops ------------------------------------------------------------------------------------

    def _if(self, stmt: ast.If) -> Sequence[ir.Stmt]:
        test = self._test(stmt.test)
        before = self.bound
        then = self.block(stmt.body)
        after, self.bound = self.bound, before
        orelse = self.block(stmt.orelse)
        self.bound = _meet(after, self.bound)
        return (ir.If(test, then, orelse, self.span(stmt)),)

    def _path(self) -> str:
        path = f"{self.prefix}.{self.count}"
        self.count += 1
        return path

    def _body(self, path: str, body: Sequence[ast.stmt], iterated: frozenset[str]) -> tuple[tuple[ir.Stmt, ...], bool]:
        """The body of the loop `path`, and whether a `break` leaves it."""
        outer = self.prefix, self.count
        self.prefix, self.count = path, 0
        self.breaks.append(False)
        self.iterated.append(iterated)
        try:
            return self.block(body), self.breaks[-1]
        finally:
            self.breaks.pop()
            self.iterated.pop()
            self.prefix, self.count = outer

    def _given(self, stmt: ast.While | ast.For) -> tuple[ir.Annotation, Sequence[ast.stmt]]:
        notes = read_notes(self.source, stmt.body, frozenset(self.frame.visible()))
        for name in notes.names:
            self.frame.linker.note_import(name, self.frame.reads)
        if not self.frame.final:
            return ir.Annotation(), notes.body
        reader = Reader(self.frame.annotation_scope(inside_for=isinstance(stmt, ast.For)))
        invariants = tuple(reader.truth(item) for item in notes.invariants)
        ranks = tuple(reader.number(item) for item in notes.decreases)
        return ir.Annotation(invariants, ranks), notes.body

    def _while(self, stmt: ast.While) -> Sequence[ir.Stmt]:
        path = self._path()
        test = self._test(stmt.test)
        given, inner = self._given(stmt)
        before = self.bound
        body, breaks = self._body(path, inner, frozenset())
        endless = isinstance(test, ir.Const) and bool(test.value)
        self.bound = None if endless else before
        orelse = self.block(stmt.orelse)
        if breaks:
            self.bound = before
        return (ir.While(path, test, body, orelse, given, self.span(stmt)),)

    def _for(self, stmt: ast.For) -> Sequence[ir.Stmt]:
        path = self._path()
        if not isinstance(stmt.target, ast.Name):
            raise self.refuse("loop target other than a name", stmt.target)
        name = stmt.target.id
        iterable, item = read_domain(self.reader, stmt.iter)
        fitted = self.frame.admit(name, ir.Var(name, item, self.span(stmt.target)), self.span(stmt.target))
        if self.frame.visible()[name] != item and self.frame.final:
            raise self.refuse(f"`{name}` changes type from `{self.frame.visible()[name]}` to `{item}`", stmt.target)
        given, inner = self._given(stmt)
        held = frozenset[str]() if isinstance(iterable, ir.Range) else sources(iterable, self.frame.calls)
        before = self.bound
        self.bind(name)
        body, breaks = self._body(path, inner, held)
        self.bound = before
        orelse = self.block(stmt.orelse)
        if breaks:
            self.bound = before
        return (ir.For(path, name, fitted.type, iterable, body, orelse, given, self.span(stmt)),)


def _meet(left: frozenset[str] | None, right: frozenset[str] | None) -> frozenset[str] | None:
    """What is bound where two ways join."""
    if left is None or right is None:
        return right if left is None else left
    return left & right
