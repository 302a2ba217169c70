"""Shrinking: small results, always still showing, within the tries."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from drafters.refute.shrink import Input, shrink, size

CASES: list[tuple[Input, Callable[[Input], bool], Input]] = [
    ((2**70,), lambda v: v[0] > 1000, (1001,)),  # type: ignore[operator]
    ((-(2**40),), lambda v: v[0] < -3, (-4,)),  # type: ignore[operator]
    ((-5,), lambda v: v[0] != 0, (1,)),
    (([5, 9, 3, 7],), lambda v: 9 in v[0], ([9],)),  # type: ignore[operator]
    (([3, 1, 2, 8, 8],), lambda v: len(v[0]) >= 2 and v[0] != sorted(v[0]), ([1, 0],)),  # type: ignore[arg-type, type-var]
    ((True, False), lambda v: True, (False, False)),
    (("hello world",), lambda v: "w" in str(v[0]), ("w",)),
    ((500, 510), lambda v: v[1] - v[0] == 10, (0, 10)),  # type: ignore[operator]
    (((7, [True, True]),), lambda v: v[0][0] > 2, ((3, []),)),  # type: ignore[operator, index]
    ((None,), lambda v: True, (None,)),
    ((), lambda v: True, ()),
]


@pytest.mark.parametrize(("values", "still", "expected"), CASES, ids=[repr(values) for values, _, _ in CASES])
def test_the_smallest_input_is_found(values: Input, still: Callable[[Input], bool], expected: Input) -> None:
    assert repr(shrink(values, still)) == repr(expected)


def numbers(values: Input) -> list[int]:
    assert isinstance(values[0], list)
    return [item for item in values[0] if isinstance(item, int)]


@given(st.lists(st.integers(), max_size=8), st.integers(0, 40))
def test_the_result_still_shows_and_is_no_larger(items: list[int], tries: int) -> None:
    calls = 0

    def still(values: Input) -> bool:
        nonlocal calls
        calls += 1
        return sum(numbers(values)) % 3 == sum(items) % 3

    result = shrink((list(items),), still, tries=tries)
    assert calls <= tries
    assert sum(numbers(result)) % 3 == sum(items) % 3
    assert size(result) <= size((list(items),))
