"""The kernel's functions on bit vectors. Trusted; depends on the kernel's values only.

Semantics: The SMT-LIB Standard 2.6, theory FixedSizeBitVectors and logic QF_BV. Division by zero is total there.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import reduce

from checkers.kernel.values import BITS, Open, Value, bits, fit


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


def _vector(value: Value) -> tuple[int, int]:
    kind = value.sort
    if not isinstance(kind, tuple) or kind[0] != "BitVec" or not isinstance(kind[1], int):
        raise Open("a bit vector is expected")
    return kind[1], value.data


def _signed(width: int, number: int) -> int:
    return number - 2**width if number >> (width - 1) else number


def apply_bits(name: str, args: Sequence[Value]) -> Value:
    """A bit-vector function on values."""
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
    "bvult": lambda a, b: a < b,
    "bvule": lambda a, b: a <= b,
    "bvugt": lambda a, b: a > b,
    "bvuge": lambda a, b: a >= b,
    "bvslt": lambda a, b: a < b,
    "bvsle": lambda a, b: a <= b,
    "bvsgt": lambda a, b: a > b,
    "bvsge": lambda a, b: a >= b,
}

BITVECTORS = frozenset([*_BITS, *_BITS_ORDER, *_BITS_OTHER])
"""Names with a fixed meaning."""
