"""The kernel's functions of the theories Core, Ints, Reals, Reals_Ints and ArraysEx. Trusted.

A function that is given other sorts than the standard asks for raises Open, as does everything that is not evaluated.
Division by zero never comes here. Semantics: The SMT-LIB Standard 2.6.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction
from functools import reduce
from itertools import combinations, pairwise
from typing import Any

from checkers.kernel.bitvectors import BITVECTORS, apply_bits
from checkers.kernel.values import BITS, Open, Sort, Table, Value, boolean, fit


def apply(name: str, args: Sequence[Value]) -> Value:
    """A theory's function on values."""
    if name in _CORE:
        return _CORE[name](args)
    if name in _ORDER:
        numbers, _ = _numbers(args, 2)
        return Value("Bool", all(_ORDER[name](a, b) for a, b in pairwise(numbers)))
    if name in _NUMBER:
        return _NUMBER[name](args)
    if name in BITVECTORS:
        return apply_bits(name, args)
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
    return Value("Bool", all(boolean(arg) for arg in _alike(args, 1)))


def _or(args: Sequence[Value]) -> Value:
    return Value("Bool", any(boolean(arg) for arg in _alike(args, 1)))


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

THEORY = frozenset([*_CORE, *_ORDER, *_NUMBER, *BITVECTORS, "true", "false", "ite", "divisible"])
"""Names with a fixed meaning."""
