"""The kernel's theory functions on exact values. Trusted; depends on nothing.

Values are Python bools, ints and Fractions, each with its sort. A function that is given other sorts than the standard
asks for raises Open, as does everything that is not evaluated. Division by zero never comes here.
Semantics: The SMT-LIB Standard 2.6, theories Core, Ints, Reals, Reals_Ints, ArraysEx, FixedSizeBitVectors.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import reduce
from itertools import combinations, pairwise
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
        return bits(4 * (len(token) - 2), int(token[2:], 16))
    if re.fullmatch(r"#b[01]+", token):
        return bits(len(token) - 2, int(token[2:], 2))
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


def apply(name: str, args: Sequence[Value]) -> Value:
    """A theory's function on values."""
    if name in _CORE:
        return _CORE[name](args)
    if name in _ORDER:
        numbers, _ = _numbers(args, 2)
        return Value("Bool", all(_ORDER[name](a, b) for a, b in pairwise(numbers)))
    if name in _NUMBER:
        return _NUMBER[name](args)
    if name in _BITS or name in _BITS_ORDER or name in _BITS_OTHER:
        return _on_bits(name, args)
    raise Open(f"{name} is not evaluated")


def apply_indexed(name: str, indices: Sequence[int], args: Sequence[Value]) -> Value:
    """An indexed function, such as `((_ extract 3 0) x)`."""
    if name == "divisible" and len(indices) == 1 and indices[0] > 0:
        return Value("Bool", fit(("Int",), args)[0].data % indices[0] == 0)
    if len(args) != 1 or max(indices, default=0) > BITS:
        raise Open(f"{name} is not evaluated")
    width, number = _vector(args[0])
    match name, *indices:
        case "extract", int() as high, int() as low if width > high >= low:
            return bits(high - low + 1, number >> low)
        case "zero_extend", int() as more:
            return bits(width + more, number)
        case "sign_extend", int() as more:
            return bits(width + more, _signed(width, number))
        case "repeat", int() as times if times > 0 and width * times <= BITS:
            return bits(width * times, sum(number << width * k for k in range(times)))
        case "rotate_left", int() as count:
            count %= width
            return bits(width, number << count | number >> (width - count))
        case "rotate_right", int() as count:
            count %= width
            return bits(width, number >> count | number << (width - count))
    raise Open(f"{name} is not evaluated")


# --- Core and arrays -------------------------------------------------------------------------------------------------


def _alike(args: Sequence[Value], least: int = 2) -> Sequence[Value]:
    """Arguments of one sort; integers beside reals count as reals."""
    if len(args) < least:
        raise Open("a function is given too few arguments")
    if {arg.sort for arg in args} == {"Int", "Real"}:
        return fit(("Real",) * len(args), args)
    if len({arg.sort for arg in args}) != 1:
        raise Open("arguments of different sorts are compared")
    return args


def equal(a: Value, b: Value) -> bool:
    """Equality of two values of one sort; arrays are equal iff they agree everywhere."""
    if not isinstance(a.data, Table) or a.data == b.data:
        return bool(a.data == b.data)
    kind, left, right = a.sort, a.data, b.data
    assert isinstance(kind, tuple)
    if isinstance(left.default, Table) or any(isinstance(item, Table) for _, item in left.items | right.items):
        raise Open("arrays of arrays are not compared")
    one, other = dict(left.items), dict(right.items)
    keys = one.keys() | other.keys()
    if any(one.get(key, left.default) != other.get(key, right.default) for key in keys):
        return False
    return bool(left.default == right.default) or len(keys) == _size(kind[1])


def _size(sort: object) -> int | None:
    """How many values an index sort has; None where it has infinitely many. Raises Open where that is not known."""
    if sort == "Bool":
        return 2
    if sort in ("Int", "Real"):
        return None
    if isinstance(sort, tuple) and sort[0] == "BitVec":
        return int(2 ** sort[1]) if sort[1] <= 64 else None  # no table here has so many items
    raise Open("arrays with such indices are not compared")


def _and(args: Sequence[Value]) -> Value:
    return Value("Bool", all(boolean(arg) for arg in _alike(args)))


def _or(args: Sequence[Value]) -> Value:
    return Value("Bool", any(boolean(arg) for arg in _alike(args)))


def _xor(args: Sequence[Value]) -> Value:
    return Value("Bool", sum([boolean(arg) for arg in _alike(args)]) % 2 == 1)


def _implies(args: Sequence[Value]) -> Value:
    *left, last = [boolean(arg) for arg in _alike(args)]
    return Value("Bool", last or not all(left))


def _not(args: Sequence[Value]) -> Value:
    return Value("Bool", not boolean(fit(("Bool",), args)[0]))


def _equal(args: Sequence[Value]) -> Value:
    return Value("Bool", all(equal(a, b) for a, b in pairwise(_alike(args))))


def _distinct(args: Sequence[Value]) -> Value:
    return Value("Bool", not any(equal(a, b) for a, b in combinations(_alike(args), 2)))


def _select(args: Sequence[Value]) -> Value:
    kind, table, index, _ = _array(args, 2)
    return Value(kind, next((item for key, item in table.items if key == index), table.default))


def _store(args: Sequence[Value]) -> Value:
    _, table, index, item = _array(args, 3)
    kept = frozenset(pair for pair in table.items if pair[0] != index)
    return Value(args[0].sort, Table(kept if item == table.default else kept | {(index, item)}, table.default))


def _array(args: Sequence[Value], count: int) -> tuple[Sort, Table, Any, Any]:
    """Item sort, table, index and (for a store) item."""
    kind = args[0].sort if args else ""
    if len(args) != count or not isinstance(kind, tuple) or kind[0] != "Array":
        raise Open("an array is expected")
    _, index, item = kind
    assert not isinstance(index, int), "no such sort is read"
    assert not isinstance(item, int), "no such sort is read"
    if isinstance(index, tuple) and index[0] == "Array":
        raise Open("arrays with arrays as indices are not evaluated")
    rest = fit((index, item)[: count - 1], args[1:])
    return item, args[0].data, rest[0].data, rest[-1].data


_CORE: dict[str, Callable[[Sequence[Value]], Value]] = {
    "and": _and, "or": _or, "xor": _xor, "=>": _implies, "not": _not, "=": _equal, "distinct": _distinct,
    "select": _select, "store": _store,
}  # fmt: skip

# --- Ints and Reals --------------------------------------------------------------------------------------------------

_ORDER: dict[str, Callable[[Any, Any], bool]] = {
    "<": lambda a, b: a < b,
    "<=": lambda a, b: a <= b,
    ">": lambda a, b: a > b,
    ">=": lambda a, b: a >= b,
}


def _numbers(args: Sequence[Value], least: int) -> tuple[list[Any], Sort]:
    alike = _alike(args, least)
    if alike[0].sort not in ("Int", "Real"):
        raise Open("a number is expected")
    return [arg.data for arg in alike], alike[0].sort


def _number(sort: Sort, data: int | Fraction) -> Value:
    if max(data.numerator.bit_length(), data.denominator.bit_length()) > BITS:
        raise Open("a number is too large")
    return Value(sort, data)


def _sum(args: Sequence[Value]) -> Value:
    numbers, sort = _numbers(args, 2)
    return _number(sort, sum(numbers[1:], numbers[0]))


def _minus(args: Sequence[Value]) -> Value:
    numbers, sort = _numbers(args, 1)
    return _number(sort, -numbers[0] if len(numbers) == 1 else numbers[0] - sum(numbers[1:]))


def _product(args: Sequence[Value]) -> Value:
    numbers, sort = _numbers(args, 2)
    return reduce(lambda value, number: _number(sort, value.data * number), numbers[1:], _number(sort, numbers[0]))


def _divide(args: Sequence[Value]) -> Value:
    numbers, _ = _numbers(args, 2)
    return reduce(
        lambda value, number: _number("Real", value.data / number), numbers[1:], _number("Real", Fraction(numbers[0]))
    )


def _div(args: Sequence[Value]) -> Value:
    numbers = [arg.data for arg in fit(("Int",) * max(len(args), 2), args)]
    return _number("Int", reduce(_floor, numbers))


def _floor(a: int, b: int) -> int:
    """Boute's Euclidean division: the remainder lies in 0..|b|-1."""
    return a // b if b > 0 else -(a // -b)


def _mod(args: Sequence[Value]) -> Value:
    a, b = (arg.data for arg in fit(("Int", "Int"), args))
    return _number("Int", a % abs(b))


def _abs(args: Sequence[Value]) -> Value:
    numbers, sort = _numbers(args, 1)
    if len(numbers) != 1:
        raise Open("abs takes one number")
    return _number(sort, abs(numbers[0]))


_NUMBER: dict[str, Callable[[Sequence[Value]], Value]] = {
    "+": _sum, "-": _minus, "*": _product, "/": _divide, "div": _div, "mod": _mod, "abs": _abs,
    "to_real": lambda args: fit(("Real",), args)[0],
    "to_int": lambda args: Value("Int", fit(("Real",), args)[0].data.__floor__()),
    "is_int": lambda args: Value("Bool", fit(("Real",), args)[0].data.denominator == 1),
}  # fmt: skip

# --- Bit vectors -----------------------------------------------------------------------------------------------------


def _vector(value: Value) -> tuple[int, int]:
    kind = value.sort
    if not isinstance(kind, tuple) or kind[0] != "BitVec" or not isinstance(kind[1], int):
        raise Open("a bit vector is expected")
    return kind[1], value.data


def _signed(width: int, number: int) -> int:
    return number - 2**width if number >> (width - 1) else number


def _on_bits(name: str, args: Sequence[Value]) -> Value:
    pairs = [_vector(arg) for arg in args]
    if name == "concat" and len(pairs) >= 2:
        width, number = reduce(lambda a, b: (a[0] + b[0], a[1] << b[0] | b[1]), pairs)
        return bits(width, number)
    width = pairs[0][0] if pairs else 0
    numbers = [number for _, number in pairs]
    if any(each != width for each, _ in pairs):
        raise Open("bit vectors of different widths")
    if name in ("bvnot", "bvneg") and len(numbers) == 1:
        return bits(width, ~numbers[0] if name == "bvnot" else -numbers[0])
    many = name in ("bvand", "bvor", "bvxor", "bvadd", "bvmul")
    if len(numbers) < 2 or (len(numbers) > 2 and not many):
        raise Open(f"{name} is given the wrong number of arguments")
    if name in _BITS_ORDER:
        a, b = (_signed(width, number) if name[2] == "s" else number for number in numbers)
        return Value("Bool", _BITS_ORDER[name](a, b))
    if name == "bvcomp" and len(numbers) == 2:
        return bits(1, int(numbers[0] == numbers[1]))
    return bits(width, reduce(lambda a, b: _BITS[name](width, a, b) % 2**width, numbers))


def _udiv(width: int, a: int, b: int) -> int:
    return a // b if b else 2**width - 1


def _urem(_width: int, a: int, b: int) -> int:
    return a % b if b else a


def _sdiv(width: int, a: int, b: int) -> int:
    """Truncates; by zero it gives -1 for a non-negative dividend and 1 for a negative one."""
    x, y = _signed(width, a), _signed(width, b)
    quotient = _udiv(width, abs(x), abs(y))
    return -quotient if (x < 0) != (y < 0) else quotient


def _srem(width: int, a: int, b: int) -> int:
    """The sign follows the dividend."""
    x, y = _signed(width, a), _signed(width, b)
    remainder = _urem(width, abs(x), abs(y))
    return -remainder if x < 0 else remainder


def _smod(width: int, a: int, b: int) -> int:
    """The sign follows the divisor."""
    x, y = _signed(width, a), _signed(width, b)
    return x % y if y else x


_BITS: dict[str, Callable[[int, int, int], int]] = {
    "bvand": lambda _, a, b: a & b,
    "bvor": lambda _, a, b: a | b,
    "bvxor": lambda _, a, b: a ^ b,
    "bvnand": lambda _, a, b: ~(a & b),
    "bvnor": lambda _, a, b: ~(a | b),
    "bvxnor": lambda _, a, b: ~(a ^ b),
    "bvadd": lambda _, a, b: a + b,
    "bvsub": lambda _, a, b: a - b,
    "bvmul": lambda _, a, b: a * b,
    "bvudiv": _udiv,
    "bvurem": _urem,
    "bvsdiv": _sdiv,
    "bvsrem": _srem,
    "bvsmod": _smod,
    "bvshl": lambda width, a, b: a << b if b < width else 0,
    "bvlshr": lambda _, a, b: a >> b,
    "bvashr": lambda width, a, b: _signed(width, a) >> b,
}
_BITS_OTHER = frozenset(["concat", "bvnot", "bvneg", "bvcomp"])
_BITS_ORDER: dict[str, Callable[[int, int], bool]] = {
    "bvult": lambda a, b: a < b, "bvule": lambda a, b: a <= b, "bvugt": lambda a, b: a > b, "bvuge": lambda a, b: a >= b,
    "bvslt": lambda a, b: a < b, "bvsle": lambda a, b: a <= b, "bvsgt": lambda a, b: a > b, "bvsge": lambda a, b: a >= b,
}  # fmt: skip

THEORY = frozenset([*_CORE, *_ORDER, *_NUMBER, *_BITS, *_BITS_ORDER, *_BITS_OTHER, "true", "false", "ite", "divisible"])
"""Names with a fixed meaning."""
