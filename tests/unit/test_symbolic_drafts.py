"""The drafter as a whole, with real solvers: proofs without hand-written invariants, refutations from traced runs."""

from collections.abc import AsyncIterator
from pathlib import Path

import pytest
import pytest_asyncio

from checkers.program.kind import ProgramKind
from checkers.smt.pool import Pool
from drafters.program.symbolic import SymbolicDrafter
from verifier.model import BUDGETS, Draft, LoopNotes, Result, Side

BENCH = Path(__file__).parent.parent / "bench"
PROVED = [
    ("loops/linear_a.py", "count_up"),
    ("loops/linear_a.py", "split_three"),
    ("loops/linear_b.py", "last_marked"),
    ("loops/linear_c.py", "halve_pairs"),
    ("loops/linear_c.py", "climb"),
    ("loops/nonlinear.py", "divide_by_subtraction"),
    ("classics/classics.py", "isqrt"),
    ("classics/classics.py", "list_max"),
    ("classics/classics.py", "insert_sorted"),
]


@pytest_asyncio.fixture
async def pool() -> AsyncIterator[Pool]:
    async with Pool(1) as running:
        yield running


async def drafted(pool: Pool, file: str, name: str, hints: tuple[Draft, ...] = ()) -> tuple[Draft, tuple[str, ...]]:
    kind = ProgramKind("contract", pool, None)
    claim = kind.parse({"source": (BENCH / file).read_text(), "function": name})
    trail = await SymbolicDrafter(kind, pool).draft(claim, BUDGETS["small"], hints)
    draft = trail.drafts[0]
    if draft.side is Side.PROOF:
        for obligation in kind.obligations(claim, draft.side, draft.annotations):
            if obligation.form == "solvers":
                check = await kind.check(claim, obligation, None, BUDGETS["small"])
                assert check.result is Result.PASS, (obligation.name, check.detail)
    return draft, trail.notes


@pytest.mark.parametrize(("file", "name"), PROVED)
async def test_both_solvers_accept_the_draft(pool: Pool, file: str, name: str) -> None:
    draft, _ = await drafted(pool, file, name)
    assert draft.side is Side.PROOF
    assert draft.witness is not None


async def test_a_broken_claim_is_not_proved_but_refuted(pool: Pool) -> None:
    draft, notes = await drafted(pool, "loops/linear_a.py", "drain_negative")
    assert draft.side is Side.REFUTATION
    assert notes == ("a traced run breaks the claim",)


async def test_drafts_are_the_same_every_time(pool: Pool) -> None:
    first = await drafted(pool, "loops/linear_a.py", "count_down")
    assert first == await drafted(pool, "loops/linear_a.py", "count_down")


async def test_pruning_leaves_what_is_needed(pool: Pool) -> None:
    draft, _ = await drafted(pool, "loops/linear_a.py", "count_up")
    assert draft.annotations["count_up.0"] == LoopNotes(("x <= n",), ("n - x",))


async def test_unreadable_hints_do_no_harm(pool: Pool) -> None:
    hint = Draft("neighbour", Side.PROOF, {"count_up.0": LoopNotes(("nowhere == 1", "x <", "x <= n"), ())})
    draft, _ = await drafted(pool, "loops/linear_a.py", "count_up", (hint,))
    assert draft.annotations["count_up.0"].invariants == ("x <= n",)
