"""Drafted annotations: from text to typed IR in the scope of their loop. Drafts are untrusted, so every problem is
reported as one error of the draft that names loop, text and place.

The language is that of contracts: variables of the function at the loop's head, `Old(e)`, `Iterations()` in `for`
loops, `Implies(a, b)`, `Forall` and `Exists` over ranges and lists, `all` and `any` over comprehensions, and pure
functions of the module that have no loop. Quantifiers are bounded.
"""

from __future__ import annotations

import ast
import warnings
from collections.abc import Callable, Mapping

from checkers.lang import ir
from checkers.lang.lower import Program, build
from checkers.lang.lower_expressions import Reader
from checkers.lang.lower_linker import MAX_NESTING, Linker
from checkers.lang.lower_scope import Scope
from checkers.lang.lower_source import Text, nesting, parse
from verifier.errors import VerifierError
from verifier.model import Annotations, Span

__all__ = ["annotate", "parse_expression"]

MAX_LENGTH = 20_000
"""Characters of one annotation."""


def annotate(program: Program, annotations: Annotations) -> Mapping[str, ir.Annotation]:
    """Each loop's annotation as IR. Raises VerifierError (`bad-draft`); spans point into the text of the annotation."""
    found: dict[str, ir.Annotation] = {}
    for path, notes in annotations.items():
        invariants = tuple(_read(program, path, text, Reader.truth) for text in notes.invariants)
        decreases = tuple(_read(program, path, text, Reader.number) for text in notes.decreases)
        found[path] = ir.Annotation(invariants, decreases)
    return found


def parse_expression(program: Program, path: str, text: str) -> ir.Expr:
    """One expression in the scope of the loop `path`. Raises VerifierError (`bad-draft`)."""
    return _read(program, path, text, Reader.truth)


def _read(program: Program, path: str, text: str, read: Callable[[Reader, ast.expr], ir.Expr]) -> ir.Expr:
    text = text.strip()
    try:
        return read(Reader(_scope(program, path, text)), _syntax(text))
    except VerifierError as error:
        message = f"loop {path}: `{_shown(text)}`: {error.message}"
        raise VerifierError("bad-draft", message, span=error.span) from None
    except RecursionError:
        raise VerifierError("bad-draft", f"loop {path}: `{_shown(text)}`: nested too deeply") from None


def _shown(text: str) -> str:
    return text if len(text) <= 200 else f"{text[:200]}…"


def _syntax(text: str) -> ast.expr:
    if len(text) > MAX_LENGTH:
        raise VerifierError("bad-draft", "the text is too long")
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            node = ast.parse(text, mode="eval").body
    except SyntaxError as error:
        line, column = error.lineno or 1, max(error.offset or 1, 1)
        raise VerifierError("bad-draft", error.msg or "syntax", span=Span(line, column, line, column)) from None
    except (ValueError, RecursionError, MemoryError):
        raise VerifierError("bad-draft", "the text is not an expression") from None
    if nesting(node) > MAX_NESTING:
        raise VerifierError("bad-draft", "the text nests too deeply")
    return node


def _scope(program: Program, path: str, text: str) -> Scope:
    loop = program.loops.get(path)
    if loop is None:
        raise VerifierError("bad-draft", f"there is no such loop; there are {', '.join(program.loops) or 'none'}")
    names = dict(program.scopes[path])
    functions = {item.name: item for item in (program.function, *ir.callees(program.function))}
    owner = functions[path.partition(".")[0]]
    return Scope(
        linker=Linker(parse(program.source), build),
        text=Text(text),
        mode="annotation",
        names=names,
        unknown=frozenset(),
        taken={*names, "result"},
        reads={},
        calls={},
        entry={param.name: param.type for param in owner.params},
        inside_for=isinstance(loop, ir.For),
        draft=True,
    )
