"""Solvers that lie, crash, disagree or stay silent, and scripts that try to confuse them."""

from __future__ import annotations

from dataclasses import replace

import pytest

from checkers.formula.decide import decide_satisfiable, decide_unsatisfiable
from checkers.formula.kind import FormulaKind
from checkers.smt.pool import Answer, Pool
from verifier.errors import VerifierError
from verifier.model import BUDGETS, Check, Level, Reason, Result, Side

SMALL = BUDGETS["small"]
SCRIPT = "(declare-const x Int)(assert (> x 3))(check-sat)"
UNSAT, SAT, UNKNOWN = (
    Answer("unsat"),
    Answer("sat", model="(define-fun x () Int 0)"),
    Answer("unknown", detail="resources"),
)
KILLED, MISSING = Answer("killed", detail="killed after 4 s"), Answer("missing", detail="cvc5 cannot be imported")
CRASHED = Answer("error", detail="the solver process was ended by SIGSEGV")
REFUSED = Answer("error", detail="some construct is not supported")


class Told(Pool):
    """A pool whose solvers say what the test wants: the answers of liars, which no honest solver gives."""

    def __init__(self, z3: Answer, cvc5: Answer) -> None:
        super().__init__()
        self.told = (z3, cvc5)

    async def both(
        self, script: str, *, resources: int, seconds: float, model: bool = False, lazy: bool = False
    ) -> tuple[Answer, Answer]:
        return self.told


async def decide(z3: Answer, cvc5: Answer, *, satisfiable: bool) -> Check:
    pool = Told(z3, cvc5)
    kind = FormulaKind(pool)
    claim = kind.parse({"smtlib": SCRIPT, "question": "satisfiable"})
    side = Side.PROOF if satisfiable else Side.REFUTATION
    (obligation,) = kind.obligations(claim, side, {})
    printed = kind.printed(claim)
    if satisfiable:
        return await decide_satisfiable(pool, obligation, printed, None, SMALL)
    return await decide_unsatisfiable(pool, obligation, printed, SMALL)


@pytest.mark.parametrize(
    ("z3", "cvc5", "reason"),
    [
        (UNSAT, UNKNOWN, Reason.BUDGET),
        (UNKNOWN, UNSAT, Reason.BUDGET),
        (UNSAT, KILLED, Reason.BUDGET),
        (UNKNOWN, KILLED, Reason.BUDGET),
        (UNSAT, SAT, Reason.SOLVER_DISAGREEMENT),
        (SAT, UNSAT, Reason.SOLVER_DISAGREEMENT),
        (UNSAT, MISSING, Reason.NOT_CHECKABLE),
        (MISSING, UNSAT, Reason.NOT_CHECKABLE),
        (UNSAT, CRASHED, Reason.ERROR),
        (CRASHED, CRASHED, Reason.ERROR),
        (UNSAT, REFUSED, Reason.NOT_CHECKABLE),
    ],
)
async def test_one_solver_alone_never_decides(z3: Answer, cvc5: Answer, reason: Reason) -> None:
    for satisfiable in (True, False):
        check = await decide(z3, cvc5, satisfiable=satisfiable)
        assert (check.result, check.level, check.reason) == (Result.UNKNOWN, Level.L0, reason)


async def test_a_false_model_is_not_evidence_of_a_model() -> None:
    lone = await decide(SAT, UNKNOWN, satisfiable=True)  # x = 0 does not satisfy x > 3
    assert (lone.result, lone.reason) == (Result.UNKNOWN, Reason.BUDGET)
    good = replace(SAT, model="(define-fun x () Int 9)")
    found = await decide(UNKNOWN, good, satisfiable=True)
    assert (found.result, found.level) == (Result.PASS, Level.L3)


async def test_two_refusals_are_the_scripts_fault_and_two_kills_are_not() -> None:
    with pytest.raises(VerifierError):
        await decide(REFUSED, REFUSED, satisfiable=False)
    killed = await decide(KILLED, KILLED, satisfiable=False)
    assert killed.reason is Reason.BUDGET
    assert killed.evidence is None  # a kill is a matter of time: nothing may be remembered of it


@pytest.mark.parametrize(
    "attack",
    [
        "(assert false)(check-sat)(reset)(assert true)",
        "(push 1)(assert false)(pop 1)(assert true)(check-sat)",  # Z3's API reads this as unsatisfiable
        "(set-option :smt.arith.solver 1)(assert true)(check-sat)",
        '(set-option :regular-output-channel "/tmp/x")(assert true)(check-sat)',
        "(define-fun-rec f ((x Int)) Int (+ 1 (f x)))(assert (= (f 0) 0))(check-sat)",
        "(declare-fun not (Bool) Bool)(assert (not true))(check-sat)",
        "(define-fun + ((a Int) (b Int)) Int 0)(assert (= (+ 1 1) 0))(check-sat)",
        "(assert (let ((true false)) true))(check-sat)",
        "(assert |; not a comment\n(check-sat)",
        "(eval true)(assert true)(check-sat)",
        '(include "x")(assert true)(check-sat)',
        "(assert true)(minimize 3)(check-sat)",
        "(declare-rel p (Int))(assert true)(check-sat)",
    ],
)
def test_scripts_that_change_the_rules_are_refused(attack: str) -> None:
    kind = FormulaKind(Pool())
    with pytest.raises(VerifierError) as caught:
        kind.parse({"smtlib": attack, "question": "unsatisfiable"})
    assert caught.value.code == "bad-smtlib"
    assert caught.value.span is not None


async def test_a_script_too_deep_for_a_solver_is_an_error_not_a_verdict() -> None:
    script = "(declare-const p Bool)(assert " + "(not " * 150_001 + "p" + ")" * 150_001 + ")(check-sat)"
    async with Pool(workers=1) as pool:
        for answer in await pool.both(script, resources=4_000_000, seconds=10):
            assert answer.status in ("sat", "error", "unknown", "killed")
        healthy = await pool.both("(assert false)(check-sat)", resources=1_000, seconds=10)
        assert [answer.status for answer in healthy] == ["unsat", "unsat"]


async def test_memory_is_limited() -> None:
    async with Pool(workers=1, memory=300 * 2**20) as pool:
        wide = "(declare-const x (_ BitVec 4096))(declare-const y (_ BitVec 4096))(assert (= (bvmul x y) (bvudiv y x)))"
        answer = await pool.ask("z3", f"{wide}(check-sat)", resources=2**31, seconds=20)
        assert answer.status in ("error", "unknown")
        assert (await pool.ask("z3", "(assert false)(check-sat)", resources=1_000, seconds=10)).status == "unsat"


@pytest.mark.parametrize("char", ["\U0002ffff", "\U0002fffe", "a", "é"])
async def test_one_character_strings_end_where_the_standard_ends_them(char: str) -> None:
    """In SMT-LIB every character is at most #x2FFFF; so this is valid here, though it is false of Python's strings."""
    script = '(declare-const s String)(assert (=> (= (str.len s) 1) (str.<= s "\\u{2ffff}")))(check-sat)'
    async with Pool(workers=1) as pool:
        kind = FormulaKind(pool)
        claim = kind.parse({"smtlib": script, "question": "valid"})
        (obligation,) = kind.obligations(claim, Side.PROOF, {})
        assert (await kind.check(claim, obligation, None, SMALL)).result is Result.PASS
        inner = script.replace("\\u{2ffff}", char)
        kind.parse({"smtlib": inner, "question": "valid"})
