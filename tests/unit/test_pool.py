"""The pool of solver processes, with the real solvers."""

from __future__ import annotations

import asyncio
import os
import signal
import sys
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from checkers.smt.pool import Answer, HoudiniTask, Pool, Site

UNSAT = "(declare-const x Int)(assert (> x 2))(assert (< x 3))(check-sat)"
SAT = "(declare-const x Int)(assert (= x 7))(check-sat)"
HARD = """(declare-const x Int)(declare-const y Int)(declare-const z Int)
(assert (= (+ (* x x x) (* y y y) (* z z z)) 33))(assert (> x 1000))(check-sat)"""


@pytest.fixture
async def pool() -> AsyncIterator[Pool]:
    async with Pool(workers=1) as found:
        yield found


async def ask_both(pool: Pool, script: str, **options: bool) -> tuple[Answer, Answer]:
    return await pool.both(script, resources=200_000, seconds=5, **options)


async def test_both_solvers_answer_and_are_counted(pool: Pool) -> None:
    assert [answer.status for answer in await ask_both(pool, UNSAT)] == ["unsat", "unsat"]
    z3, cvc5 = await ask_both(pool, SAT, model=True)
    for answer in (z3, cvc5):
        assert answer.status == "sat"
        assert answer.model is not None
        assert "".join(answer.model.split()).count("(define-funx()Int7)") == 1
    assert z3.spent > 0
    assert cvc5.spent == 0
    assert pool.counters == {("z3", "unsat"): 1, ("cvc5", "unsat"): 1, ("z3", "sat"): 1, ("cvc5", "sat"): 1}


async def test_versions_are_those_of_the_wheels(pool: Pool) -> None:
    assert (await pool.version("z3") or "").count(".") >= 2
    assert (await pool.version("cvc5") or "").count(".") == 2


async def test_units_end_z3_and_the_clock_ends_cvc5(pool: Pool) -> None:
    z3 = await pool.ask("z3", HARD, resources=50_000, seconds=20)
    assert (z3.status, z3.detail) == ("unknown", "resources")
    cvc5 = await pool.ask("cvc5", HARD, resources=1, seconds=0.3)
    assert cvc5.status == "killed"
    assert (await pool.ask("cvc5", UNSAT, resources=1, seconds=5)).status == "unsat"


async def test_an_earlier_question_does_not_change_a_later_answer(pool: Pool) -> None:
    first = await pool.ask("z3", HARD, resources=100_000, seconds=20)
    for script in (
        SAT,
        UNSAT,
        "(set-option :timeout 1)(set-option :smt.random_seed 7)(assert true)(check-sat)",
        "(bad",
    ):
        await pool.ask("z3", script, resources=100_000, seconds=5)
    assert await pool.ask("z3", HARD, resources=100_000, seconds=20) == first


async def test_lazy_stops_cvc5_when_z3_gave_up(pool: Pool) -> None:
    z3, cvc5 = await pool.both(HARD, resources=20_000, seconds=20, lazy=True)
    assert z3.status == "unknown"
    assert (cvc5.status, cvc5.detail) == ("killed", "not needed")


async def test_a_refused_script_is_an_error_with_the_solvers_text(pool: Pool) -> None:
    z3, cvc5 = await ask_both(pool, "(declare-const x Int)\n(assert (> x y))(check-sat)")
    assert (z3.status, cvc5.status) == ("error", "error")
    assert "line 2 column" in z3.detail
    assert "'y'" in cvc5.detail
    assert [answer.status for answer in await ask_both(pool, UNSAT)] == ["unsat", "unsat"]


async def test_a_cancelled_call_frees_its_worker(pool: Pool) -> None:
    call = asyncio.create_task(pool.ask("cvc5", HARD, resources=1, seconds=30))
    await asyncio.sleep(0.2)
    call.cancel()
    with pytest.raises(asyncio.CancelledError):
        await call
    assert (await pool.ask("cvc5", UNSAT, resources=1, seconds=5)).status == "unsat"


async def test_more_calls_than_workers_wait_their_turn(pool: Pool) -> None:
    answers = await asyncio.gather(*(pool.ask("z3", UNSAT, resources=10_000, seconds=5) for _ in range(8)))
    assert {answer.status for answer in answers} == {"unsat"}
    assert pool.counters["z3", "unsat"] == 8


async def test_a_worker_that_dies_is_replaced(pool: Pool) -> None:
    await pool.version("z3")
    call = asyncio.create_task(pool.ask("z3", HARD, resources=10**9, seconds=30))
    await asyncio.sleep(0.2)
    for child in children():
        if "z3" in Path(f"/proc/{child}/cmdline").read_text().split("\0"):
            os.kill(child, signal.SIGSEGV)
    answer = await call
    assert answer.status == "error"
    assert "SIGSEGV" in answer.detail
    assert (await pool.ask("z3", UNSAT, resources=10_000, seconds=5)).status == "unsat"


async def test_workers_end_with_the_pool() -> None:
    before = set(children())
    async with Pool(workers=1) as pool:
        await ask_both(pool, UNSAT)
        assert len(set(children()) - before) == 2
    assert set(children()) <= before


async def test_a_missing_wheel_is_said_so(pool: Pool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "cvc5.py").write_text("raise ImportError('no such wheel')")
    monkeypatch.setenv("PYTHONPATH", str(tmp_path))
    answer = await pool.ask("cvc5", UNSAT, resources=1, seconds=5)
    assert answer.status == "missing"
    assert "no such wheel" in answer.detail
    assert await pool.version("cvc5") is None
    assert (await pool.ask("z3", UNSAT, resources=10_000, seconds=5)).status == "unsat"


def test_the_parent_imports_no_solver() -> None:
    import subprocess

    code = (
        "import sys, checkers.smt.pool, checkers.formula.kind; sys.exit('z3' in sys.modules or 'cvc5' in sys.modules)"
    )
    root = Path(__file__).resolve().parents[2]
    assert subprocess.run([sys.executable, "-c", code], cwd=root, check=False).returncode == 0


def children() -> list[int]:
    """The processes whose parent is this one."""
    found = []
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit():
            try:
                status = (entry / "stat").read_text()
            except OSError:
                continue
            state, parent = status.rpartition(")")[2].split()[:2]
            if int(parent) == os.getpid() and state != "Z":
                found.append(int(entry.name))
    return found


# --- Houdini -------------------------------------------------------------------------------------------------------

SUM = "(declare-const i Int)(declare-const s Int)(declare-const n Int)(declare-const j Int)(declare-const t Int)"


def loop(candidates: list[tuple[str, str]]) -> HoudiniTask:
    """`i = s = 0; while i < n: s += i; i += 1` with candidates over `i s n` and the same over `j t n` after a round."""
    hypotheses = "".join(f"(assert (=> h!{k} {before}))" for k, (before, _) in enumerate(candidates))
    step = f"{hypotheses}(assert (and (< i n) (= j (+ i 1)) (= t (+ s i))))"
    return HoudiniTask(
        SUM,
        (
            Site("(assert (and (= i 0) (= s 0) (>= n 0)))", tuple((k, one) for k, (one, _) in enumerate(candidates))),
            Site(step, tuple((k, two) for k, (_, two) in enumerate(candidates))),
        ),
        len(candidates),
    )


async def test_houdini_keeps_the_largest_inductive_subset(pool: Pool) -> None:
    task = loop(
        [
            ("(<= 0 i)", "(<= 0 j)"),
            ("(<= i n)", "(<= j n)"),
            ("(< i 5)", "(< j 5)"),
            ("(= s 0)", "(= t 0)"),
            ("(<= 0 s)", "(<= 0 t)"),  # inductive only together with the first
            ("(= (* 2 s) (* i (- i 1)))", "(= (* 2 t) (* j (- j 1)))"),
            ("(= n 3)", "(= n 3)"),
        ]
    )
    result = await pool.houdini(task, resources=4_000_000, seconds=10)
    assert (result.alive, result.complete) == ((0, 1, 4, 5), True)
    assert await pool.houdini(task, resources=4_000_000, seconds=10) == result


async def test_houdini_takes_hundreds_of_candidates_in_few_queries(pool: Pool) -> None:
    candidates = [("(<= 0 i)", "(<= 0 j)"), ("(<= 0 s)", "(<= 0 t)")]
    for k in range(-100, 100):
        number = str(k) if k >= 0 else f"(- {-k})"
        candidates.append((f"(<= i (+ s {number}))", f"(<= j (+ t {number}))"))
    result = await pool.houdini(loop(candidates), resources=4_000_000, seconds=10)
    assert result.complete
    assert result.alive == (0, 1, *range(103, 202))
    assert result.queries < 60


async def test_houdini_reads_quantified_candidates(pool: Pool) -> None:
    before, after = "(forall ((k Int)) (=> (and (<= 0 k) (< k {})) (= (select {} k) {})))", "(and (<= 0 {}) (<= {} n))"
    candidates = [before.format("i", "a", 0), before.format("i", "a", 1), after.format("i", "i")]
    later = [before.format("j", "b", 0), before.format("j", "b", 1), after.format("j", "j")]
    task = HoudiniTask(
        "(declare-const a (Array Int Int))(declare-const b (Array Int Int))(declare-const i Int)(declare-const j Int)"
        "(declare-const n Int)",
        (
            Site("(assert (and (= i 0) (>= n 0)))", tuple(enumerate(candidates))),
            Site(
                "".join(f"(assert (=> h!{k} {one}))" for k, one in enumerate(candidates))
                + "(assert (and (< i n) (= j (+ i 1)) (= b (store a i 0))))",
                tuple(enumerate(later)),
            ),
        ),
        3,
    )
    result = await pool.houdini(task, resources=4_000_000, seconds=10)
    assert (result.alive, result.complete) == ((0, 2), True)


async def test_houdini_never_keeps_what_it_could_not_prove(pool: Pool) -> None:
    hard = "(not (= (+ (* i i i) (* s s s) (* n n n)) 33))"
    task = HoudiniTask(SUM, (Site("(assert (> i 1000))", ((0, hard), (1, "(> i 5)"))),), 2)
    assert (await pool.houdini(task, resources=100_000, seconds=20)).alive == (1,)
    killed = await pool.houdini(task, resources=10**9, seconds=0.3)
    assert (killed.alive, killed.complete) == ((), False)
    broken = await pool.houdini(HoudiniTask("", (Site("", ((0, "(> x"),)),), 1), resources=1000, seconds=5)
    assert (broken.alive, broken.complete) == ((), False)
    assert broken.detail
    assert pool.counters["houdini", "incomplete"] == 2
