"""Values of one type, small ones first: boundary integers, short lists, all short choice lists, and patterns."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import islice, product

from checkers.lang import ir
from checkers.lang.interp import Value

SMALL = (0, 1, -1, 2, -2, 3, 4, 5, -3, 7, 6, 8, 10, -5, 12, 16, -10, 25, 64, 100, -100)
BOUNDARIES = tuple(sign * (2**power) + step for power in (31, 63, 64) for sign in (1, -1) for step in (0, -1, 1))
TELLING = ((2, 1), (1, 2, 3), (3, 2, 1), (0, 0, 0), (1, 3, 2), (2, 3, 1), (-1, -2, -3), (5, 5), (0, 2, 4, 6))
LONGEST = 12
TEXTS = (
    "", "a", "b", "aa", "ab", "ba", "A", "0", " ", "aba", "abc", "aab", "-1", "\x00", "é", "\ud800", "\U0002ffff",
    "\U00030000", "\U0010ffff", "abcabc", "(())", "aaaaaaaa",
)  # fmt: skip


def pool(kind: ir.Type, constants: Sequence[int], texts: Sequence[str] = ()) -> tuple[Value, ...]:
    """Distinct values of `kind` in the order in which to try them. `constants` and `texts` are values of interest."""
    match kind:
        case ir.ListOf(item=ir.Scalar(name="bool")):
            return distinct(_choices(constants))
        case ir.ListOf(item=item):
            return distinct(_lists(pool(item, constants, texts), item, constants))
        case ir.TupleOf(items=items):
            return distinct(list(islice(_mixed([pool(item, constants, texts) for item in items]), 400)))
        case ir.Scalar(name="int"):
            near = [c + step for step in (0, 1, -1) for c in constants]
            return distinct([*SMALL[:4], *near, *SMALL[4:], *(-c for c in constants), *BOUNDARIES])
        case ir.Scalar(name="bool"):
            return (False, True)
        case ir.Scalar(name="str"):
            letters = [letter for text in texts for letter in text]
            return distinct(
                [*TEXTS[:4], *texts, *(t + "a" for t in texts), *(t[::-1] for t in texts), *letters, *TEXTS]
            )
    return (None,)


def distinct(values: Iterable[Value]) -> tuple[Value, ...]:
    """`values` without repetitions, where True and 1 differ; the first of each stays."""
    found: dict[str, Value] = {}
    for value in values:
        found.setdefault(repr(value), value)
    return tuple(found.values())


def _mixed(pools: Sequence[Sequence[Value]]) -> Iterator[tuple[Value, ...]]:
    """Tuples over `pools`, by the sum of their positions."""
    reach = sum(len(items) - 1 for items in pools)
    for total in range(min(reach, 40) + 1):
        for places in _compositions(total, [len(items) - 1 for items in pools]):
            yield tuple(items[place] for items, place in zip(pools, places, strict=True))


def _compositions(total: int, limits: Sequence[int]) -> Iterator[tuple[int, ...]]:
    if not limits:
        if total == 0:
            yield ()
        return
    for first in range(min(total, limits[0]) + 1):
        for rest in _compositions(total - first, limits[1:]):
            yield (first, *rest)


def _choices(constants: Sequence[int]) -> Iterator[Value]:
    """Lists of bool that stand for nondeterministic choices: all up to length 6, and longer patterns in between; some
    are long enough to count up to a constant of the program."""
    for length in range(3):
        yield from (list[Value](items) for items in product((False, True), repeat=length))
    for length in (3, 5, 8, LONGEST):
        yield from patterns(length, (False, True))
    for length in range(3, 7):
        yield from (list[Value](items) for items in product((True, False), repeat=length))
    for constant in constants:
        if LONGEST < constant <= 100:
            yield from patterns(constant + 1, (False, True))
            yield from patterns(2 * constant + 2, (False, True))
    state = 1
    for _ in range(60):
        state = state * 6364136223846793005 % 2**64 + 1442695040888963407
        length = 6 + (state >> 40) % (LONGEST - 5)
        yield [bool(state >> 20 + at & 1) for at in range(length)]


def patterns(length: int, items: Sequence[Value]) -> Iterator[Value]:
    """A few telling lists of one length over two different items: constant, alternating, split, one odd one out."""
    low, high = items[0], items[1]
    yield [high] * length
    yield [low] * length
    yield [high if at % 2 else low for at in range(length)]
    yield [low if at % 2 else high for at in range(length)]
    yield [high if at < length // 2 else low for at in range(length)]
    yield [low] * (length - 1) + [high]
    yield [high] + [low] * (length - 1)


def _lists(items: Sequence[Value], item: ir.Scalar, constants: Sequence[int]) -> Iterator[Value]:
    """Lists of int or str: short ones over the first items, sorted, reversed, constant and mixed longer ones."""
    yield []
    yield from ([value] for value in items[:4])
    first = items[:3]
    yield from ([*pair] for pair in product(first, repeat=2))
    if item == ir.INT:
        yield from map(list[Value], TELLING)
        yield from (list[Value]((constant,)) for constant in constants)
        yield from around(constants[0] if constants else 0)
    yield from ([value] for value in items[4:24])
    yield from ([*triple] for triple in product(first, repeat=3))
    yield from ([*pair] for pair in product(items[:8], repeat=2))
    if item == ir.INT:
        steps = ((0, 0), (0, 1), (1, 0), (0, 1, 2))
        yield from (list[Value](c + step for step in each) for c in constants for each in steps)
        for length in (4, 5, 7, 10):
            yield from shaped(length)
        yield [2**63, -(2**63), 0]
    yield from ([*four] for four in product(items[:2], repeat=4))


def around(start: int) -> Iterator[Value]:
    """Integer lists whose items are `start` or lie next to it."""
    yield [start]
    for length in (2, 3, 4, 5, 6, 8):
        yield [start] * length
        yield [start + at for at in range(length)]
        yield [start - at for at in range(length)]


def coarse(value: Value) -> int:
    """A rough size: bits of numbers by fours, items of lists and strings by threes."""
    match value:
        case bool() | None:
            return 0
        case int():
            return value.bit_length() // 4
        case str():
            return len(value) // 3
        case list():
            return len(value) // 3 + max(map(coarse, value), default=0)
    return sum(map(coarse, value))


def shaped(length: int) -> Iterator[Value]:
    """Integer lists of one length: rising, falling, constant, alternating, hilly, with one odd item."""
    yield [*range(length)]
    yield [*range(length, 0, -1)]
    yield [at - length // 2 for at in range(length)]
    yield [min(at, length - at) for at in range(length)]
    yield from patterns(length, (0, 1))
    yield [at * 7 % 5 - 2 for at in range(length)]
    yield [at // 2 for at in range(length)]
