"""The few strong candidates for functions that multiply: the facts that a short proof needs, and not much more."""

import pytest

from checkers.lang.lower import lower
from drafters.program.symbolic import look_at_loops, trace
from drafters.program.templates import LEAN, candidates
from verifier.model import BUDGETS

POWERS = """
import icontract
@icontract.require(lambda n: n >= 0)
@icontract.ensure(lambda n, result: result >= 0)
def powers(n: int) -> int:
    total = 0
    i = 0
    while i < n:
        i += 1
        total += i * i * i
    return total
"""

BEZOUT = """
import icontract
@icontract.require(lambda a, b: a >= 1 and b >= 1)
@icontract.ensure(lambda a, b, result: result[0] == result[1] * a + result[2] * b)
def bezout(a: int, b: int) -> tuple[int, int, int]:
    x, y, p, q, r, s = a, b, 1, 0, 0, 1
    while x != y:
        if x > y:
            x, p, r = x - y, p - q, r - s
        else:
            y, q, s = y - x, q - p, s - r
    return x, p, r
"""

FACTORIALS = """
import icontract
@icontract.require(lambda n: n >= 1)
@icontract.ensure(lambda n, result: result[0] == result[1] * n)
def factorials(n: int) -> tuple[int, int]:
    whole = 1
    before = 1
    k = 1
    while k <= n:
        whole = whole * k
        if k < n:
            before = before * k
        k += 1
    return whole, before
"""


def offered(source: str, name: str) -> tuple[str, ...]:
    program = lower(source, name)
    (view,) = look_at_loops(program, trace(program, BUDGETS["small"])).values()
    return candidates(view, LEAN)


@pytest.mark.parametrize(
    ("source", "name", "needed"),
    [
        (POWERS, "powers", "i <= n"),
        (POWERS, "powers", "i < n or i == n"),
        (POWERS, "powers", "4 * total == i * i * i * i + 2 * i * i * i + i * i"),
        (BEZOUT, "bezout", "x == p * a + r * b"),
        (BEZOUT, "bezout", "x >= 1"),
        (FACTORIALS, "factorials", "k > n or whole == before"),
        (FACTORIALS, "factorials", "k <= n or whole == before * n"),
    ],
)
def test_the_needed_fact_is_offered(source: str, name: str, needed: str) -> None:
    assert needed in offered(source, name)


@pytest.mark.parametrize(("source", "name"), [(POWERS, "powers"), (BEZOUT, "bezout"), (FACTORIALS, "factorials")])
def test_there_are_few(source: str, name: str) -> None:
    assert len(offered(source, name)) <= 25
