"""Candidates of single loops: the invariant that the proof needs is among them, and all hold in the states."""

import pytest

from checkers.lang.annotate import parse_expression
from checkers.lang.lower import Program, lower
from drafters.program.render import text
from drafters.program.symbolic import look_at_loops, trace
from drafters.program.templates import TIERS, candidates, hard, normal
from verifier.errors import VerifierError
from verifier.model import BUDGETS

SEARCH = """
import icontract
@icontract.ensure(lambda xs, key, result: result == -1 or xs[result] == key)
@icontract.ensure(lambda xs, key, result: result != -1 or all(x != key for x in xs))
def search(xs: list[int], key: int) -> int:
    for i in range(len(xs)):
        if xs[i] == key:
            return i
    return -1
"""

LARGEST = """
import icontract
@icontract.require(lambda xs: len(xs) > 0)
@icontract.ensure(lambda xs, result: all(x <= result for x in xs) and result in xs)
def largest(xs: list[int]) -> int:
    best = xs[0]
    for x in xs:
        if x > best:
            best = x
    return best
"""

REVERSED = """
import icontract
@icontract.ensure(lambda xs, result: all(result[k] == xs[len(xs) - 1 - k] for k in range(len(xs))))
def reversed_copy(xs: list[int]) -> list[int]:
    out = list(xs)
    i = 0
    j = len(xs) - 1
    while i < j:
        t = out[i]
        out[i] = out[j]
        out[j] = t
        i += 1
        j -= 1
    return out
"""

ROOT = """
import icontract
@icontract.require(lambda n: n >= 0)
@icontract.ensure(lambda n, result: result * result <= n < (result + 1) * (result + 1))
def root(n: int) -> int:
    low = 0
    high = n + 1
    while high - low > 1:
        middle = (low + high) // 2
        if middle * middle <= n:
            low = middle
        else:
            high = middle
    return low
"""

MARKED = """
import icontract
@icontract.ensure(lambda n, result: n <= 0 or result < n)
def marked(n: int, choices: list[bool]) -> int:
    i = 0
    m = 0
    while i < n:
        if i < len(choices) and choices[i]:
            m = i
        i += 1
    return m
"""

SQUARES = """
import icontract
@icontract.require(lambda n: n >= 0)
@icontract.ensure(lambda n, result: 6 * result == n * (n + 1) * (2 * n + 1))
def squares(n: int) -> int:
    total = 0
    i = 0
    while i < n:
        i += 1
        total += i * i
    return total
"""

CASES = [
    (SEARCH, "search", 0, "all(xs[k] != key for k in range(i))"),
    (LARGEST, "largest", 0, "all(xs[k] <= best for k in range(Iterations()))"),
    (LARGEST, "largest", 0, "any(xs[k] == best for k in range(len(xs)))"),
    (REVERSED, "reversed_copy", 0, "all(out[k] == xs[k] for k in range(j + 1) if i <= k)"),
    (REVERSED, "reversed_copy", 0, "all(out[k] == xs[len(xs) - 1 - k] for k in range(i))"),
    (ROOT, "root", 0, "low * low <= n"),
    (ROOT, "root", 0, "high * high > n"),
    (MARKED, "marked", 0, "m <= i"),
    (MARKED, "marked", 1, "i == 0 or m < i"),
    (SQUARES, "squares", 0, "6 * total == 2 * i * i * i + 3 * i * i + i"),
]


def offered(source: str, name: str, tier: int) -> tuple[Program, tuple[str, ...]]:
    program = lower(source, name)
    views = look_at_loops(program, trace(program, BUDGETS["small"]))
    return program, candidates(views[f"{name}.0"], tier)


@pytest.mark.parametrize(("source", "name", "tier", "needed"), CASES)
def test_the_needed_candidate_is_offered(source: str, name: str, tier: int, needed: str) -> None:
    assert needed in offered(source, name, tier)[1]


@pytest.mark.parametrize(("source", "name"), dict.fromkeys((case[0], case[1]) for case in CASES))
def test_candidates_can_be_read_again_and_are_few(source: str, name: str) -> None:
    for tier in range(TIERS):
        program, found = offered(source, name, tier)
        assert len(found) <= 220
        assert len(found) == len(set(found))
        for candidate in found:
            parse_expression(program, f"{name}.0", candidate)


def test_the_same_program_gives_the_same_candidates() -> None:
    assert offered(MARKED, "marked", 1)[1] == offered(MARKED, "marked", 1)[1]


@pytest.mark.parametrize(
    "shown",
    [
        "all(xs[k] != key for k in range(i) if 2 <= k)",
        "any(xs[k] == i for k in range(1, i))",
        "(xs[0] if i > 0 else -key) <= 3",
        "not (i < 3 and key == 2) or xs[1:i] == xs",
        "all(all(xs[a] <= xs[b] for a in range(b)) for b in range(len(xs)))",
        "max(i, abs(key), 3) // 2 % 5 >= -1",
    ],
)
def test_rendering_reads_back_to_the_same_expression(shown: str) -> None:
    program = lower(SEARCH, "search")
    expr = parse_expression(program, "search.0", shown)
    assert text(expr) == shown
    assert parse_expression(program, "search.0", text(expr)) == expr


def test_nonsense_is_no_candidate() -> None:
    assert normal("x <") is None
    assert hard("x * y <= 3")
    assert not hard("2 * x <= 3")
    with pytest.raises(VerifierError):
        parse_expression(lower(SEARCH, "search"), "search.0", "nowhere == 1")
