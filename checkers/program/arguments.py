"""Arguments as Python literals, the form in which witnesses and counterexamples travel."""

from __future__ import annotations

import ast
from collections.abc import Sequence

from checkers.lang import ir
from checkers.lang.interp import Value, conforms
from verifier.model import Json


def write_arguments(function: ir.Function, arguments: Sequence[Value]) -> Json:
    """`{"arguments": [literal, …]}` in the order of the parameters, so that renaming does not matter."""
    assert len(arguments) == len(function.params)
    return {"arguments": [literal(value) for value in arguments]}


def literal(value: Value) -> str:
    """`repr`, with ints too long for decimal conversion (CPython's limit of 4,300 digits) in hexadecimal."""
    match value:
        case bool():
            return repr(value)
        case int():
            return repr(value) if value.bit_length() < 14_000 else hex(value)
        case list():
            return f"[{', '.join(map(literal, value))}]"
        case tuple():
            return f"({', '.join(map(literal, value))}{',' if len(value) == 1 else ''})"
    return repr(value)


def read_arguments(function: ir.Function, data: Json) -> tuple[Value, ...] | None:
    """The arguments in untrusted data, or None where they are not exactly literals of the parameters' types."""
    if not isinstance(data, dict) or not isinstance(texts := data.get("arguments"), list):
        return None
    if len(texts) != len(function.params):
        return None
    values: list[Value] = []
    for text, param in zip(texts, function.params, strict=True):
        value = _literal(text)
        if value is _UNREADABLE or not conforms(value, param.type):
            return None
        values.append(value)  # type: ignore[arg-type]  # conforms() has checked the type
    return tuple(values)


_UNREADABLE = object()


def _literal(text: Json) -> object:
    if not isinstance(text, str) or len(text) > 1_000_000:
        return _UNREADABLE
    try:
        return ast.literal_eval(text)
    except (ValueError, SyntaxError, TypeError, MemoryError, RecursionError):
        return _UNREADABLE
