"""Sampled inputs: they satisfy the precondition, small ones come first, narrow preconditions are met."""

from __future__ import annotations

from itertools import islice

import pytest

from checkers.lang.interp import conforms
from checkers.lang.lower import Program, lower
from checkers.program.input_pools import coarse, distinct
from checkers.program.inputs import admits, sample_inputs, spread_inputs


def program(params: str, *requires: str, body: str = "return 0") -> Program:
    lines = "".join(f"    Requires({text})\n" for text in requires)
    names = "from verifier.contracts import Exists, Forall, Implies, Requires, Result\n"
    return lower(f"{names}def f({params}) -> int:\n{lines}    Requires(True)\n    {body}\n", "f")


def naive(values: tuple[object, ...], names: list[str], requires: tuple[str, ...]) -> bool:
    """CPython's own opinion about a precondition."""
    helpers = {"Implies": lambda a, b: not a or b, "Forall": lambda d, p: all(map(p, d))}
    scope = {**dict(zip(names, values, strict=True)), **helpers}
    return all(eval(text, scope) for text in requires)


NARROW = [
    ("n: int", ("n == 100",)),
    ("x: int, y: int", ("x >= 10 and y == x",)),
    ("k: int, xs: list[int]", ("0 <= k <= len(xs)", "all(xs[i] <= xs[i + 1] for i in range(len(xs) - 1))")),
    ("n: int", ("n * n == 10000",)),
    ("n: int", ("n > 1000000000000",)),
    ("a: int, b: int, c: int", ("a == b + c", "b > 50 and c > b")),
    ("xs: list[int], n: int", ("len(xs) == n and n >= 7",)),
    ("n: int, xs: list[int]", ("n == len(xs)", "n >= 7")),
    ("xs: list[int]", ("len(xs) > 20",)),
    ("xs: list[int]", ("len(xs) > 0 and xs[0] == 77",)),
    ("a: int, b: int, c: int, d: int", ("a < b < c < d", "a > 1000")),
    ("x: int", ("x % 97 == 13 and x > 500",)),
    ("xs: list[int], x: int", ("x in xs and len(xs) >= 3",)),
    ("xs: list[int], ys: list[int]", ("len(xs) == len(ys) and len(xs) > 5",)),
    ("xs: list[int]", ("all(x > 1000 for x in xs) and len(xs) > 2",)),
    ("xs: list[int]", ("Forall(xs, lambda x: x > 40 and x < 45)", "len(xs) == 5")),
    ("lo: int, hi: int, xs: list[int]", ("all(lo <= x and x < hi for x in xs)", "len(xs) >= 2")),
    ("s: str", ("s == 'hello'",)),
    ("s: str", ("len(s) == 9",)),
    ("b: list[bool], n: int", ("len(b) == n and n == 9",)),
    ("x: int, y: int", ("2 * x + 3 * y == 101", "x >= 0 and y >= 0")),
    ("x: int, y: int", ("x == 2 * y and y == 1000",)),
    ("x: int, y: int, z: int", ("x + y + z == 100 and x == y and y == 25",)),
    ("xs: list[int]", ("len(xs) == 3 and xs[0] + xs[1] + xs[2] == 60",)),
    ("i: int, j: int, n: int, k: int", ("n > 0 and k > n and 0 <= i < n and j == i + k",)),
    ("a: int, b: int", ("a > 0 and b > 0 and a % b == 0 and a != b",)),
    ("n: int", ("1 <= n <= 1000 and n % 7 == 0 and n % 11 == 0",)),
    ("x: int, b: bool", ("Implies(b, x == 41) and b",)),
    ("x: int, y: int", ("x - y == 1234567 and y < -99",)),
]


@pytest.mark.parametrize(("params", "requires"), NARROW, ids=[" & ".join(requires) for _, requires in NARROW])
def test_narrow_preconditions_are_met(params: str, requires: tuple[str, ...]) -> None:
    subject = program(params, *requires)
    found = list(sample_inputs(subject, 50))
    assert found
    names = [param.name for param in subject.function.params]
    for values in found:
        assert all(conforms(v, p.type) for v, p in zip(values, subject.function.params, strict=True))
        assert naive(values, names, requires)
        assert admits(subject.function, values)


def test_the_same_inputs_every_time() -> None:
    subject = program("x: int, xs: list[int]", "x > 3 or len(xs) > 2")
    assert list(sample_inputs(subject, 100)) == list(sample_inputs(subject, 100))


def test_inputs_are_distinct_and_counted() -> None:
    found = list(sample_inputs(program("x: int, b: bool"), 60))
    assert len(found) == 60 == len({repr(values) for values in found})


def test_small_inputs_come_first() -> None:
    found = list(sample_inputs(program("x: int, y: int, xs: list[int]"), 200))
    sizes = [sum(map(coarse, values)) for values in found]
    assert sum(sizes[:20]) * 4 < sum(sizes[-20:])
    assert max(sizes[:10]) <= 2


def test_boundaries_are_reached() -> None:
    found = {values[0] for values in sample_inputs(program("x: int"), 600)}
    for power in (31, 63, 64):
        for step in (-1, 0, 1):
            assert {2**power + step, -(2**power) + step} <= found


def test_a_lone_integer_is_tried_densely() -> None:
    found = {values[0] for values in sample_inputs(program("x: int"), 600)}
    assert {*range(-100, 300)} <= found


def test_a_literal_of_the_body_is_reached() -> None:
    subject = program("x: int, y: int", body="return 1 if 3 * x == 123456 else 0")
    found = {values[0] for values in sample_inputs(subject, 300)}
    assert {41151, 41152, 41153} & found == {41151, 41152, 41153}


def test_short_choice_lists_are_exhausted() -> None:
    found = {tuple(values[0]) for values in sample_inputs(program("c: list[bool]"), 500)}  # type: ignore[arg-type]
    for length in range(7):
        assert sum(len(item) == length for item in found) == 2**length
    assert max(map(len, found)) >= 12


def test_choice_lists_can_count_up_to_a_constant() -> None:
    subject = program("c: list[bool]", body="return 1 if len(c) * 2 > 76 else 40")
    assert any(len(values[0]) > 40 for values in sample_inputs(subject, 500))  # type: ignore[arg-type]


def test_equal_lists_occur() -> None:
    found = list(sample_inputs(program("xs: list[int], ys: list[int]"), 200))
    assert any(xs == ys and xs for xs, ys in found)


def test_spread_inputs_reach_small_and_large_values() -> None:
    found = spread_inputs(program("x: int, y: int", "x <= y"), 40)
    assert 20 <= len(found) <= 40
    assert found[0] == (0, 0)
    assert any(abs(value) > 2**62 for values in found for value in values if isinstance(value, int))
    assert spread_inputs(program("", "True"), 40) == ((),)


def test_no_parameters() -> None:
    assert list(sample_inputs(program(""), 10)) == [()]
    assert list(sample_inputs(program("", "False"), 10)) == []


def test_an_impossible_precondition_ends() -> None:
    assert list(sample_inputs(program("x: int, y: int, z: int", "x > y and y > z and z > x"), 100)) == []


def test_a_precondition_that_raises_admits_nothing() -> None:
    assert list(islice(sample_inputs(program("x: int", "1 // 0 == x"), 10), 1)) == []


def test_distinct_tells_true_from_one() -> None:
    assert distinct([1, True, 1, [0], [False], [0]]) == (1, True, [0], [False])
