"""Ranking candidates: each falls, from a non-negative value, in every recorded step."""

import pytest

from checkers.lang.lower import lower
from drafters.program.rankings import Measure, falls, rankings
from drafters.program.samples import traced_inputs
from drafters.program.traces import record
from drafters.program.view import constants_of, look

HEAD = (
    "import icontract\n@icontract.require(lambda {params}: {pre})\n@icontract.ensure(lambda result: result <= result)\n"
)


def ranks(source: str, params: str, pre: str = "True") -> tuple[tuple[str, ...], ...]:
    program = lower(HEAD.format(params=params, pre=pre) + source.lstrip(), "f")
    function, constants = program.function, constants_of(program.function)
    recording = record(function, ["f.0"], traced_inputs(function, constants, 40), 4_000)
    return rankings(look(function, program.loops["f.0"], recording.tables["f.0"], program.scopes["f.0"], constants))


COUNTER = """
def f(n: int) -> int:
    i = 0
    while i < n:
        i += 1
    return i
"""
DOWN = """
def f(n: int) -> int:
    while n != 0:
        n -= 1
    return n
"""
RACE = """
def f(a: int, b: int) -> int:
    while a > 0 and b > 0:
        a -= 1
        b += 1
    return a
"""
SUBTRACT = """
def f(a: int, b: int) -> int:
    while a != b:
        if a > b:
            a -= b
        else:
            b -= a
    return a
"""
PHASES = """
def f(y: int) -> int:
    x = -50
    while x < 0:
        x = x + y
        y = y + 1
    return y
"""

CASES = [
    (COUNTER, "n", "True", ("n - i",)),
    (DOWN, "n", "n >= 0", ("n",)),
    (RACE, "a", "True", ("a",)),
    (SUBTRACT, "a, b", "a > 0 and b > 0", ("a + b",)),
]


@pytest.mark.parametrize(("source", "params", "pre", "expected"), CASES)
def test_the_usual_rank_is_found(source: str, params: str, pre: str, expected: tuple[str, ...]) -> None:
    assert expected in ranks(source, params, pre)


def test_phases_need_a_pair() -> None:
    found = ranks(PHASES, "y")
    assert found
    assert all(len(rank) == 2 for rank in found)


def test_a_for_loop_needs_none() -> None:
    assert ranks("def f(n: int) -> int:\n    for i in range(n):\n        n = n\n    return n\n", "n") == ()


def test_falling_is_lexicographic_and_never_from_below_zero() -> None:
    steps = [(0, 1), (1, 2)]
    assert falls((Measure("x", (2, 1, 0)),), steps)
    assert not falls((Measure("x", (2, 2, 0)),), steps)
    assert falls((Measure("x", (2, 2, 0)), Measure("y", (5, 4, 9))), steps)
    assert not falls((Measure("x", (-1, -2, -3)),), steps)
