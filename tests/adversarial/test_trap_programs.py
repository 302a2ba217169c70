"""Trap programs: what Python does and what the text suggests are two things, and no verdict may follow the text.

The programs and their truths stand in `programs/`. Each truth is first put to CPython, then the claim goes the whole
road: a true claim is never refuted, a false one never verified, and where nothing can be decided nothing is.
"""

from __future__ import annotations

from collections.abc import AsyncIterator

import pytest
import pytest_asyncio

from tests.soundness import Road
from tests.traps import Trap, opinion, traps
from verifier.errors import VerifierError
from verifier.model import Outcome, Reason, Verdict

ALLOWED = {
    "true": {Outcome.VERIFIED, Outcome.UNDECIDED},
    "false": {Outcome.REFUTED, Outcome.UNDECIDED},
    "never": {Outcome.UNDECIDED},
    "unsupported": {Outcome.UNDECIDED},
}
RUNAWAY = frozenset(
    {"rank_given_is_unbounded", "rank_reads_the_entry", "runs_away", "steps_over_zero", "while_with_side_exit"}
)
"""Loops that never end without repeating a state: to prove that takes seconds each. One more is in the quick run."""
TRAPS = tuple(traps())
STATED = tuple(trap for trap in TRAPS if trap.truth in ("true", "false"))

pytestmark = pytest.mark.asyncio(loop_scope="module")


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def road() -> AsyncIterator[Road]:
    async with Road() as open_road:
        yield open_road


async def decided(road: Road, source: str, name: str, errors: set[str]) -> Verdict | None:
    """The verdict; None when the claim is refused with one of these errors."""
    try:
        return await road.verdict(source, name)
    except VerifierError as error:
        if error.code not in errors:
            raise
        return None


@pytest.mark.parametrize(
    "trap",
    [
        pytest.param(trap, id=f"{trap.file}.{trap.name}", marks=[pytest.mark.long] if trap.name in RUNAWAY else [])
        for trap in TRAPS
    ],
)
@pytest.mark.sandbox
async def test_no_verdict_follows_the_text(road: Road, trap: Trap) -> None:
    verdict = await decided(road, trap.source, trap.name, {"bad-contract", "no-claim", "no-such-file"})
    if verdict is None:
        return
    assert verdict.outcome in ALLOWED[trap.truth], verdict
    assert verdict.reason not in (Reason.ERROR, Reason.SOLVER_DISAGREEMENT), verdict.detail
    if trap.truth == "unsupported":
        assert verdict.reason is Reason.UNSUPPORTED
        assert verdict.span is not None


@pytest.mark.parametrize("trap", STATED, ids=lambda trap: trap.name)
async def test_the_stated_truth_is_that_of_cpython(trap: Trap) -> None:
    tried, broken = opinion(trap)
    assert tried, "no valid input"
    assert (broken is None) is (trap.truth == "true"), broken


def prepared(body: str, *, post: str = "result == n", head: str = "") -> str:
    source = f"import icontract\n{head}\n@icontract.ensure(lambda n, result: {post})\n"
    return f"{source}def f(n: int) -> int:\n{body}"


HUGE = "0x" + "f" * 5000
CHAIN = "".join(f"def h{i}(n: int) -> int:\n    return h{i - 1}(h{i - 1}(n))\n" for i in range(1, 13))
HOSTILE = {
    "literal that CPython does not print": prepared(f"    return n + {HUGE} - {HUGE}\n"),
    "such a literal in the contract": prepared("    return n\n", post=f"result == n + {HUGE}"),
    "such a global": prepared("    return n + K\n", head=f"K = {HUGE}\n"),
    "such a default": prepared("    return g(n)\n", head=f"def g(n: int, k: int = {HUGE}) -> int:\n    return n\n"),
    "such an index": prepared(f"    return [1][{HUGE}]\n"),
    "such an index of a tuple": prepared(f"    return (1, 2)[-{HUGE}]\n"),
    "such a step": prepared(f"    for i in range(0, 5, {HUGE}):\n        break\n    return n\n"),
    "such a power": prepared("    return n + 10**10**10\n"),
    "result that CPython does not print": prepared(
        "    x = n + 2**64\n    x = x**15\n    return x**15\n", post="result < 0"
    ),
    "many operators": prepared(f"    return {'-' * 900}n\n"),
    "many operands": prepared(f"    return n{' + 0' * 3000}\n"),
    "many parentheses": prepared(f"    return {'(' * 150}n{')' * 150}\n"),
    "many branches": prepared("".join(f"    if n == {i}:\n        return n\n" for i in range(300)) + "    return n\n"),
    "many calls": prepared("    return h12(n)\n", head=f"def h0(n: int) -> int:\n    return n\n{CHAIN}"),
    "null character": prepared("    return n\n") + "\0",
    "lone surrogate": prepared("    return n\n") + "# \ud800\n",
    "unfinished": prepared("    return (n\n"),
}


@pytest.mark.sandbox
@pytest.mark.parametrize("source", HOSTILE.values(), ids=HOSTILE.keys())
async def test_hostile_shapes_end_in_a_named_outcome(road: Road, source: str) -> None:
    verdict = await decided(road, source, "f", {"syntax-error"})
    assert verdict is None or verdict.reason not in (Reason.ERROR, Reason.SOLVER_DISAGREEMENT), verdict.detail
