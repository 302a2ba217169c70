"""Greedy, deterministic shrinking of an input: shorter lists, then values nearer to zero, while it still shows."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from checkers.lang.interp import Value

Input = tuple[Value, ...]


def shrink(values: Input, still: Callable[[Input], bool], *, tries: int = 400) -> Input:
    """The smallest input reached from `values` by steps that keep `still` true; `still` is called `tries` times at
    most. `still(values)` is taken for granted."""
    left = tries
    while True:
        for smaller in _smaller(values):
            if left == 0:
                return values
            left -= 1
            if still(smaller):
                values = smaller
                break
        else:
            return values


def size(values: Input) -> tuple[int, int, int, str]:
    """An order in which smaller inputs come first: items, then magnitude, then signs, then text."""
    sizes = [_size(value) for value in values]
    return (sum(x for x, _, _ in sizes), sum(x for _, x, _ in sizes), sum(x for _, _, x in sizes), repr(values))


def _size(value: Value) -> tuple[int, int, int]:
    match value:
        case bool() | None:
            return (0, int(value or False), 0)
        case int():
            return (0, abs(value), int(value < 0))
        case str():
            return (len(value), sum(map(ord, value)), 0)
        case _:
            inner = [_size(item) for item in value]
            extra = len(value) if isinstance(value, list) else 0
            return (extra + sum(x for x, _, _ in inner), sum(x for _, x, _ in inner), sum(x for _, _, x in inner))


def _smaller(values: Input) -> Iterator[Input]:
    for at, value in enumerate(values):
        for simpler in _simpler(value):
            yield (*values[:at], simpler, *values[at + 1 :])
    yield from _together(values)


def _together(values: Input) -> Iterator[Input]:
    """Two integers moved towards zero by the same step, since preconditions often tie them together."""
    numbers = [at for at, value in enumerate(values) if type(value) is int]
    for position, first in enumerate(numbers):
        for second in numbers[position + 1 :]:
            a, b = values[first], values[second]
            assert isinstance(a, int)
            assert isinstance(b, int)
            for step in (a, a // 2, 1 if a > 0 else -1):
                if step and abs(a - step) + abs(b - step) < abs(a) + abs(b):
                    moved = list(values)
                    moved[first], moved[second] = a - step, b - step
                    yield tuple(moved)


def _simpler(value: Value) -> Iterator[Value]:
    """Simpler values of the same type, the simplest first."""
    match value:
        case True:
            yield False
        case bool() | None:
            return
        case int():
            yield from _nearer(value)
        case str():
            yield from (value[:at] + value[at + 1 :] for at in range(len(value)))
            yield from (value[:at] + "a" + value[at + 1 :] for at, letter in enumerate(value) if letter != "a")
        case list():
            yield from _shorter(value)
            yield from ([*value[:at], item, *value[at + 1 :]] for at, old in enumerate(value) for item in _simpler(old))
        case tuple():
            yield from ((*value[:at], item, *value[at + 1 :]) for at, old in enumerate(value) for item in _simpler(old))


def _nearer(value: int) -> Iterator[int]:
    if value < 0:
        yield -value
    sign = 1 if value > 0 else -1
    size = abs(value)
    seen = set()
    for smaller in (0, 1, 2, size.bit_length(), size // 1024, size // 16, size // 2, size - 16, size - 2, size - 1):
        if 0 <= smaller < size and smaller not in seen:
            seen.add(smaller)
            yield sign * smaller


def _shorter(value: list[Value]) -> Iterator[list[Value]]:
    if not value:
        return
    yield []
    half = len(value) // 2
    if half:
        yield value[:half]
        yield value[half:]
    yield from (value[:at] + value[at + 1 :] for at in range(len(value)))
