"""`raise` of built-in exceptions, and the messages of `raise` and `assert`."""

from __future__ import annotations

import ast
import builtins
from typing import TYPE_CHECKING

from checkers.lang import ir
from checkers.lang.exceptions import KNOWN
from checkers.lang.lower_linker import Linker, Reads
from verifier.errors import Unsupported
from verifier.model import Span

if TYPE_CHECKING:
    from checkers.lang.lower_statements import Builder


def exception_name(linker: Linker, node: ast.expr, span: Span, reads: Reads) -> str:
    """The built-in exception class behind a name, by its own name. Raises Unsupported for any that is not in
    `exceptions.KNOWN`: `covers` has no opinion about it."""
    if not isinstance(node, ast.Name):
        raise Unsupported("exception that is not a plain name", span)
    found = getattr(builtins, node.id, None)
    if not (isinstance(found, type) and issubclass(found, BaseException)):
        raise Unsupported(f"exception `{node.id}`, which is not built in", span)
    if found.__name__ not in KNOWN:
        raise Unsupported(f"exception `{node.id}`", span)
    linker.is_builtin(node.id, span, reads)
    return found.__name__


def read_raise(builder: Builder, stmt: ast.Raise) -> ir.Raise:
    """`raise E`, `raise E(args)`, `raise E(args) from None`. Raises Unsupported for any other form."""
    if stmt.exc is None:
        raise builder.refuse("`raise` without an exception", stmt)
    if stmt.cause is not None and not (isinstance(stmt.cause, ast.Constant) and stmt.cause.value is None):
        raise builder.refuse("`raise … from` an exception", stmt)
    call = stmt.exc if isinstance(stmt.exc, ast.Call) else None
    target = call.func if call is not None else stmt.exc
    name = target.id if isinstance(target, ast.Name) else ""
    if name in builder.frame.local_names or name in builder.frame.params:
        raise builder.refuse(f"`raise` of the variable `{name}`", stmt)
    exception = exception_name(builder.frame.linker, target, builder.span(target), builder.frame.reads)
    args: list[ir.Expr] = []
    if call is not None:
        if call.keywords or any(isinstance(item, ast.Starred) for item in call.args):
            raise builder.refuse("keyword or unpacked arguments of an exception", call)
        for item in call.args:
            args.extend(_argument(builder, item))
    return ir.Raise(exception, tuple(args), builder.span(stmt))


def _argument(builder: Builder, node: ast.expr) -> list[ir.Expr]:
    if isinstance(node, ast.JoinedStr):
        return [builder.reader.value(name) for name in _plain_names(builder, node)]
    if isinstance(node, ast.Constant) and node.value is None:
        return []
    return [builder.reader.value(node)]


def check_message(builder: Builder, node: ast.expr) -> None:
    """The message of an `assert` must be evaluated without an exception. Raises Unsupported."""
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        return
    if not isinstance(node, ast.JoinedStr):
        raise builder.refuse("message of `assert` other than a constant or a plain f-string", node)
    for name in _plain_names(builder, node):
        builder.reader.value(name)
        if not builder.is_bound(name.id) and name.id in builder.frame.local_names:
            raise builder.refuse(f"message of `assert` with `{name.id}`, which may be unbound", node)


def _plain_names(builder: Builder, node: ast.JoinedStr) -> list[ast.Name]:
    names: list[ast.Name] = []
    for part in node.values:
        if isinstance(part, ast.FormattedValue):
            if not isinstance(part.value, ast.Name) or part.format_spec is not None:
                raise builder.refuse("f-string with more than plain names", node)
            names.append(part.value)
    return names
