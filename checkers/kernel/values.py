"""The kernel's values: exact, each with its sort. Trusted; depends on nothing.

Values are Python bools, ints and Fractions. Whatever is not evaluated, and every wrong sort, raises Open.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, TypeAlias

Sort: TypeAlias = "str | tuple[str | int | Sort, ...]"

BITS = 1_000_000
"""Size in bits of a number beyond which nothing is evaluated."""


@dataclass(frozen=True, slots=True)
class Value:
    """A value of a sort. `data`: bool, int (Int, BitVec), Fraction (Real), Table (Array), str (element of a sort)."""

    sort: Sort
    data: Any


@dataclass(frozen=True, slots=True)
class Table:
    """An array: `items` are those that differ from `default`."""

    items: frozenset[tuple[Any, Any]]
    default: Any


class Open(Exception):
    """This evaluator cannot say: an unknown construct, a value that the model leaves open, a limit, an ill sort."""


def boolean(value: Value) -> bool:
    """The truth value of a Bool."""
    if value.sort != "Bool":
        raise Open("a Bool is expected")
    return value.data is True


def literal(token: str, real_numerals: bool) -> Value | None:
    """The value of a literal, or None for a name."""
    if token in ("true", "false"):
        return Value("Bool", token == "true")
    if re.fullmatch(r"0|[1-9][0-9]*", token):
        if len(token) > 4_000:
            raise Open("a number is too large")
        return Value("Real", Fraction(int(token))) if real_numerals else Value("Int", int(token))
    if re.fullmatch(r"[0-9]+\.[0-9]+", token):
        if len(token) > 4_000:
            raise Open("a number is too large")
        return Value("Real", Fraction(token))
    if re.fullmatch(r"#x[0-9a-fA-F]+", token):
        return bits(4 * (len(token) - 2), int(f"0{token[1:]}", 16))
    if re.fullmatch(r"#b[01]+", token):
        return bits(len(token) - 2, int(f"0{token[1:]}", 2))
    if token[0] in '"#:' or token[0].isdigit():
        raise Open(f"the literal {token[:40]} is not evaluated")
    return None


def bits(width: int, number: int) -> Value:
    """A bit vector; the number is taken modulo 2**width."""
    if not 0 < width <= BITS:
        raise Open("a bit vector has at least one bit")
    return Value(("BitVec", width), number % 2**width)


def show(value: Value) -> str:
    """A value as SMT-LIB writes it; arrays by their items."""
    match value.data:
        case bool():
            return "true" if value.data else "false"
        case Table(items=items, default=default):
            return f"{dict(sorted(items, key=str))!r}, elsewhere {default!r}"
        case int() if isinstance(value.sort, tuple):
            return f"#b{value.data:0{value.sort[1]}b}"
        case int() | Fraction():
            return f"(- {-value.data})" if value.data < 0 else str(value.data)
    return str(value.data) or "any"


def fit(sorts: Sequence[Sort], args: Sequence[Value]) -> tuple[Value, ...]:
    """The arguments in the sorts that are asked for: an integer counts as a real where one is wanted."""
    if len(sorts) != len(args):
        raise Open("a function is given the wrong number of arguments")
    return tuple(_cast(sort, arg) for sort, arg in zip(sorts, args, strict=True))


def _cast(sort: Sort, arg: Value) -> Value:
    if arg.sort == sort:
        return arg
    if sort == "Real" and arg.sort == "Int":
        return Value("Real", Fraction(arg.data))
    raise Open("a function is given an argument of another sort")
