"""Formula claims from text to check, with the real solvers, the kernel, and twins."""

from __future__ import annotations

from collections.abc import AsyncIterator

import pytest

from checkers.formula.kind import FormulaKind
from checkers.smt.pool import Pool
from drafters.formula import SolverModel
from verifier.errors import VerifierError
from verifier.model import BUDGETS, Check, Claim, Evidence, Grounds, Json, Level, Reason, Result, Side

SMALL = BUDGETS["small"]
INTS = "(declare-const x Int)(declare-const y Int)"
TRUE = f"{INTS}(assert (or (< x y) (>= x y)))(check-sat)"
FALSE = f"{INTS}(assert (< x x))(check-sat)"
OPEN = f"{INTS}(assert (< x y))(check-sat)"
HARD = f"{INTS}(declare-const z Int)(assert (= (+ (* x x x) (* y y y) (* z z z)) 33))(assert (> x 1000))(check-sat)"


@pytest.fixture
async def kind() -> AsyncIterator[FormulaKind]:
    async with Pool(workers=1) as pool:
        yield FormulaKind(pool)


def claim(kind: FormulaKind, smtlib: str, question: str) -> Claim:
    return kind.parse({"smtlib": smtlib, "question": question})


async def check(kind: FormulaKind, asked: Claim, side: Side, data: Json = None, form: str = "model/1") -> Check:
    (obligation,) = kind.obligations(asked, side, {})
    evidence = None if data is None else Evidence(obligation.digest, form, data)
    return await kind.check(asked, obligation, evidence, SMALL)


@pytest.mark.parametrize(
    ("smtlib", "question", "side", "level"),
    [
        (TRUE, "valid", Side.PROOF, Level.L1),
        (TRUE, "satisfiable", Side.PROOF, Level.L3),
        (TRUE, "unsatisfiable", Side.REFUTATION, Level.L3),
        (FALSE, "valid", Side.REFUTATION, Level.L3),
        (FALSE, "satisfiable", Side.REFUTATION, Level.L1),
        (FALSE, "unsatisfiable", Side.PROOF, Level.L1),
        (OPEN, "valid", Side.REFUTATION, Level.L3),
        (OPEN, "satisfiable", Side.PROOF, Level.L3),
        (OPEN, "unsatisfiable", Side.REFUTATION, Level.L3),
    ],
)
async def test_the_right_side_passes_and_the_other_fails(
    kind: FormulaKind, smtlib: str, question: str, side: Side, level: Level
) -> None:
    asked = claim(kind, smtlib, question)
    passed = await check(kind, asked, side)
    assert (passed.result, passed.level) == (Result.PASS, level)
    assert passed.evidence is not None
    other = await check(kind, asked, Side.REFUTATION if side is Side.PROOF else Side.PROOF)
    assert other.result is Result.FAIL
    again = await kind.check(asked, passed.obligation, passed.evidence, SMALL)
    assert (again.result, again.level) == (Result.PASS, level)


async def test_a_model_is_evaluated_without_a_solver(kind: FormulaKind) -> None:
    model: Json = {"model": "(define-fun x () Int 1)(define-fun y () Int 2)"}
    asked = claim(kind, OPEN, "valid")
    assert (await check(kind, asked, Side.PROOF)).result is Result.FAIL
    before = dict(kind._pool.counters)
    wrong = await check(kind, asked, Side.REFUTATION, model)  # it satisfies the formula, so it refutes nothing
    assert (wrong.result, wrong.reason) == (Result.FAIL, Reason.NOT_REFUTED)
    right = await check(kind, claim(kind, OPEN, "satisfiable"), Side.PROOF, model)
    assert (right.result, right.level) == (Result.PASS, Level.L3)
    assert dict(kind._pool.counters) == before


async def test_offered_rubbish_is_not_believed(kind: FormulaKind) -> None:
    asked = claim(kind, FALSE, "satisfiable")
    rubbish: list[Json] = [{"model": "(define-fun x () Int 1)"}, {"model": "(("}, {"model": 3}, [], "x"]
    for data in rubbish:
        assert (await check(kind, asked, Side.PROOF, data)).result is Result.FAIL
    for form in ("solvers/1", "replay/1", "model/2"):
        assert (await check(kind, asked, Side.PROOF, {"z3": {"version": "9"}}, form)).result is Result.FAIL


async def test_a_model_beyond_the_kernel_needs_both_solvers_and_says_so(kind: FormulaKind) -> None:
    asked = claim(kind, "(declare-const s String)(assert (= (str.len s) 2))(check-sat)", "satisfiable")
    passed = await check(kind, asked, Side.PROOF)
    assert (passed.result, passed.level) == (Result.PASS, Level.L1)
    assert "the kernel cannot evaluate" in passed.detail
    assert kind.grounds(Side.REFUTATION, (passed.evidence,) if passed.evidence else ()) is Grounds.PROOF


async def test_a_spent_budget_is_unknown_and_marked(kind: FormulaKind) -> None:
    found = await check(kind, claim(kind, HARD, "unsatisfiable"), Side.PROOF)
    assert (found.result, found.reason) == (Result.UNKNOWN, Reason.BUDGET)
    assert found.evidence is not None
    assert found.evidence.form == "spent/1"


async def test_division_by_zero_is_never_guessed(kind: FormulaKind) -> None:
    script = "(declare-const x Int)(assert (= (div x 0) 5))(check-sat)"
    offered = await check(kind, claim(kind, script, "satisfiable"), Side.PROOF, {"model": "(define-fun x () Int 1)"})
    assert offered.result is Result.PASS
    assert offered.evidence is not None
    assert offered.evidence.data != {"model": "(define-fun x () Int 1)"}
    valid = await check(kind, claim(kind, script.replace("5", "(div x 0)"), "valid"), Side.PROOF)
    assert valid.result is Result.PASS


@pytest.mark.parametrize(
    ("script", "line", "column"),
    [
        ("(declare-const s String)\n\n(assert (= (str.len s) s))(check-sat)", 3, None),
        ("(declare-const x Int)\n(assert (str.frob x))(check-sat)", 2, 19),
    ],
)
async def test_what_only_the_solvers_can_refuse_is_bad_input_at_its_place(
    kind: FormulaKind, script: str, line: int, column: int | None
) -> None:
    with pytest.raises(VerifierError) as caught:
        await check(kind, claim(kind, script, "unsatisfiable"), Side.PROOF)
    assert caught.value.code == "bad-smtlib"
    assert caught.value.span is not None
    assert caught.value.span.line == line
    assert column is None or caught.value.span.column == column


@pytest.mark.parametrize(
    "body",
    [{}, {"smtlib": TRUE}, {"smtlib": 3, "question": "valid"}, {"smtlib": TRUE, "question": "true"},
     {"smtlib": TRUE, "question": "valid", "partial": True}],
)  # fmt: skip
def test_a_body_of_another_shape_is_refused(kind: FormulaKind, body: dict[str, Json]) -> None:
    with pytest.raises(VerifierError, match=r"formula claim|question") as caught:
        kind.parse(body)
    assert caught.value.code == "bad-claim"


async def test_a_twin_takes_over_a_model(kind: FormulaKind) -> None:
    one = claim(kind, f"{INTS}(assert (> (* 2 x) (+ y 9)))(check-sat)", "satisfiable")
    twin = "(declare-const |a b| Int)(declare-const x Int)(assert (< (+ 9 x) (* |a b| 2)))(check-sat)"
    other = claim(kind, twin, "satisfiable")
    source, target = kind.canonicalise(one), kind.canonicalise(other)
    assert source.text == target.text
    carried = kind.carry({"model": "(define-fun x () Int 8)(define-fun y () Int 2)"}, source, target)
    before = dict(kind._pool.counters)
    assert (await check(kind, other, Side.PROOF, carried)).level is Level.L3
    assert dict(kind._pool.counters) == before


async def test_a_counterexample_is_shown_by_constant(kind: FormulaKind) -> None:
    asked = claim(kind, OPEN, "valid")
    passed = await check(kind, asked, Side.REFUTATION, {"model": "(define-fun x () Int 5)(define-fun y () Int (- 2))"})
    assert passed.evidence is not None
    shown = kind.counterexample(asked, (passed.evidence,))
    assert shown is not None
    assert shown.arguments == {"x": "5", "y": "(- 2)"}
    assert kind.grounds(Side.REFUTATION, (passed.evidence,)) is Grounds.COUNTEREXAMPLE


@pytest.mark.parametrize(
    ("smtlib", "question", "side"),
    [(TRUE, "valid", Side.PROOF), (OPEN, "valid", Side.REFUTATION), (FALSE, "satisfiable", Side.REFUTATION),
     (OPEN, "satisfiable", Side.PROOF), (HARD, "satisfiable", Side.PROOF)],
)  # fmt: skip
async def test_the_drafter_argues_for_the_right_side(kind: FormulaKind, smtlib: str, question: str, side: Side) -> None:
    asked = claim(kind, smtlib, question)
    trail = await SolverModel(kind, kind._pool).draft(asked, SMALL, ())
    assert [draft.side for draft in trail.drafts] == [side]


async def test_the_drafter_leaves_errors_to_the_check(kind: FormulaKind) -> None:
    asked = claim(kind, "(assert (str.frob 1))(check-sat)", "valid")
    trail = await SolverModel(kind, kind._pool).draft(asked, SMALL, ())
    assert len(trail.drafts) == 1
    assert trail.notes
