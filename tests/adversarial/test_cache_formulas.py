"""The pitfalls of proof caches, with formulas: twins hit, one changed coefficient, comparator or sort never does."""

from __future__ import annotations

import pytest

from checkers.formula.kind import FormulaKind
from checkers.smt.pool import Pool
from index.memory import MemoryStore
from tests.divisors import Scripted
from verifier.model import Claim, Draft, Json, Outcome, Side
from verifier.pipeline import Pipeline, Request
from verifier.receipt.recheck import recheck

BASE = """(set-logic QF_LIA)
(declare-const x Int)
(declare-const y Int)
(assert (< (+ x (* 2 y)) 3))
(assert (> x 1))
(assert (>= y 1))
(check-sat)
"""
MODEL: Json = {"model": "((define-fun x () Int 2) (define-fun y () Int 0))"}


def replaced(*pairs: tuple[str, str], base: str = BASE) -> str:
    for old, new in pairs:
        assert old in base, old
        base = base.replace(old, new)
    return base


TWINS = {
    "reformatted": "; a comment\n" + BASE.replace("\n", "\n\n"),
    "renamed": replaced((" x ", " a "), (" y)", " b)"), ("const y", "const b"), (">= y", ">= b")),
    "reordered": replaced(("(assert (> x 1))\n(assert (>= y 1))", "(assert (>= y 1))\n(assert (> x 1))")),
}
MUTANTS = {
    "coefficient": replaced(("* 2 y", "* 3 y")),
    "constant": replaced(("y)) 3)", "y)) 4)")),
    "comparator": replaced((">= y", "> y")),
    "direction": replaced(("(> x 1)", "(< x 1)")),
    "sort": replaced(("declare-const y Int", "declare-const y Real"), ("QF_LIA", "QF_LIRA"), ("* 2 y", "* 2.0 y"),
                     (">= y 1", ">= y 1.0"), ("(+ x", "(+ (to_real x)"), ("y)) 3)", "y)) 3.0)")),
    "swapped": replaced(("(+ x (* 2 y))", "(+ y (* 2 x))")),
    "dropped": replaced(("(assert (>= y 1))\n", "")),
}  # fmt: skip


def ask(text: str, question: str = "unsatisfiable") -> Request:
    return Request(Claim("formula", {"smtlib": text, "question": question}, question))


async def test_twins_hit_and_mutants_do_not() -> None:
    async with Pool(workers=1) as pool:
        kinds, store = {"formula": FormulaKind(pool)}, MemoryStore()
        drafter = Scripted("given", (Draft("given", Side.PROOF),))
        first = await Pipeline(kinds, {"formula": [drafter]}, store, "b1").verify(ask(BASE))
        assert first.verdict.outcome is Outcome.VERIFIED, first.verdict
        assert (await recheck(first.receipt, kinds, fingerprint="b1")).exit_code == 0
        road = Pipeline(kinds, {}, store, "b1")
        for name, text in TWINS.items():
            result = await road.verify(ask(text))
            assert (result.verdict.outcome, result.hit.rung) == (Outcome.VERIFIED, "canonical"), name
        for name, text in MUTANTS.items():
            result = await road.verify(ask(text))
            assert (result.verdict.outcome, result.hit.rung) == (Outcome.UNDECIDED, None), name
        for question in ("satisfiable", "valid"):
            assert (await road.verify(ask(BASE, question))).hit.rung is None


@pytest.mark.parametrize("question", ["satisfiable", "unsatisfiable"])
async def test_a_model_is_carried_to_a_twin_and_needs_no_solver(question: str) -> None:
    base = replaced(("(assert (>= y 1))\n", ""))
    twin = replaced((" x ", " a "), (" y)", " b)"), ("const y", "const b"), base=base)
    side = Side.PROOF if question == "satisfiable" else Side.REFUTATION
    outcome = Outcome.VERIFIED if question == "satisfiable" else Outcome.REFUTED
    async with Pool(workers=1) as pool:
        kinds, store = {"formula": FormulaKind(pool)}, MemoryStore()
        drafter = Scripted("given", (Draft("given", side, witness=MODEL),))
        first = await Pipeline(kinds, {"formula": [drafter]}, store, "b1").verify(ask(base, question))
        assert first.verdict.outcome is outcome, first.verdict
        assert (await recheck(first.receipt, kinds, fingerprint="b1")).exit_code == 0
        result = await Pipeline(kinds, {}, store, "b1").verify(ask(twin, question))
        assert (result.verdict.outcome, result.hit.rung) == (outcome, "canonical"), result
        assert (await recheck(result.receipt, kinds, fingerprint="b1")).exit_code == 0
        assert not pool.counters
