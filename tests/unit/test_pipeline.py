"""The road: what each step lets through, what wins, what is kept, and which reason is given."""

from __future__ import annotations

import asyncio
from dataclasses import replace

import pytest

from index.memory import MemoryStore
from tests.divisors import PRIME, DivisorKind, Scripted, claim, factor
from verifier.errors import VerifierError
from verifier.model import BUDGETS, Budget, Check, Claim, Evidence, Level, Obligation, Outcome, Reason, Result, Side
from verifier.pipeline import Pipeline, Request
from verifier.policy import NAMED, Policy, load
from verifier.ports import Drafter


def road(*drafters: Drafter, kind: DivisorKind | None = None, store: MemoryStore | None = None) -> Pipeline:
    kind = kind or DivisorKind()
    return Pipeline({kind.name: kind}, {kind.name: drafters}, store, "build-1")


def asking(n: int, policy: Policy = NAMED["proof"], budget: str = "small") -> Request:
    return Request(claim(n), policy, BUDGETS[budget])


async def test_a_proof_is_verified_with_its_certificate() -> None:
    result = await road(Scripted("factors", (factor("x", 7, (13,)),))).verify(asking(91))
    verdict = result.verdict
    assert (verdict.outcome, verdict.level, verdict.drafter) == (Outcome.VERIFIED, Level.L1, "factors")
    assert verdict.certificate is not None
    assert verdict.certificate.claim_key == result.claim_key
    assert [item.form for item in verdict.certificate.evidence] == ["replay/1", "solvers/1"]
    assert result.hit.rung is None
    assert result.hit.rederived


async def test_a_refutation_has_a_counterexample() -> None:
    verdict = (await road(Scripted("prime", (PRIME,))).verify(asking(97))).verdict
    assert verdict.outcome is Outcome.REFUTED
    assert verdict.counterexample is not None
    assert verdict.certificate is not None
    assert verdict.certificate.side is Side.REFUTATION


async def test_an_unregistered_kind_is_refused_and_the_known_ones_are_listed() -> None:
    with pytest.raises(VerifierError, match="divisor") as caught:
        await road().verify(Request(Claim("fact", {}, "a fact")))
    assert caught.value.code == "unknown-kind"


async def test_bad_input_is_an_error_and_unsupported_input_a_verdict() -> None:
    with pytest.raises(VerifierError) as caught:
        await road().verify(Request(Claim("divisor", {"n": "x"}, "bad")))
    assert caught.value.code == "bad-claim"
    result = await road().verify(Request(Claim("divisor", {"n": "-4", "variable": "x"}, "negative")))
    assert (result.verdict.reason, result.verdict.detail) == (Reason.UNSUPPORTED, "negative numbers")
    assert result.verdict.span is not None
    assert result.claim_key is None


async def test_the_first_accepted_draft_wins_and_later_drafters_are_not_asked() -> None:
    late = Scripted("late", (factor("x", 13),))
    result = await road(Scripted("early", (factor("x", 5), factor("x", 7))), late).verify(asking(91))
    assert result.verdict.outcome is Outcome.VERIFIED
    assert result.verdict.tried == ("early",)
    assert late.asked == 0
    assert [attempt.draft.witness for attempt in result.attempts] == [{"x": "5"}, {"x": "7"}]


async def test_the_submitted_draft_goes_first_and_is_believed_no_more_than_others() -> None:
    drafter = Scripted("factors", (factor("x", 7),))
    own = replace(asking(91), draft=factor("x", 13))
    result = await road(drafter).verify(own)
    assert (result.verdict.drafter, drafter.asked) == ("submitted", 0)
    wrong = replace(asking(91), draft=factor("x", 14))
    result = await road(drafter).verify(wrong)
    assert (result.verdict.drafter, result.verdict.tried) == ("factors", ("submitted", "factors"))


async def test_an_unreadable_draft_is_the_submitters_error_but_only_a_note_of_a_drafter() -> None:
    bad = factor("y", 7, (7,))
    with pytest.raises(VerifierError) as caught:
        await road().verify(replace(asking(91), draft=bad))
    assert caught.value.code == "bad-draft"
    verdict = (await road(Scripted("odd", (bad,))).verify(asking(91))).verdict
    assert (verdict.reason, verdict.detail) == (Reason.NO_DRAFT, "odd: there is no loop y.0")


async def test_hints_gather_and_a_hinted_witness_serves_a_draft_without_one() -> None:
    plain = replace(factor("x", 7, (7,)), witness=None)
    first, second = Scripted("first", (plain,), {"witness": {"x": "13"}}), Scripted("second")
    result = await road(first, second).verify(asking(91))
    assert result.verdict.outcome is Outcome.VERIFIED
    failing = Scripted("first", (factor("x", 5),), {"witness": {"x": "13"}})
    await road(failing, second).verify(asking(91))
    assert [draft.drafter for draft in second.seen] == ["first", "first"]


async def test_equal_drafts_are_checked_once() -> None:
    kind = DivisorKind()
    await road(Scripted("a", (factor("x", 5),) * 3), Scripted("b", (factor("x", 5),)), kind=kind).verify(asking(91))
    assert kind.calls == ["x divides"]


async def test_no_obligations_is_no_proof() -> None:
    class Empty(DivisorKind):
        def obligations(self, *_: object) -> tuple[Obligation, ...]:
            return ()

    verdict = (await road(Scripted("a", (factor("x", 7),)), kind=Empty()).verify(asking(91))).verdict
    assert verdict.outcome is Outcome.UNDECIDED


@pytest.mark.parametrize("lie", ["no evidence", "other obligation", "other digest"])
async def test_a_pass_that_is_not_about_the_question_is_an_error(lie: str) -> None:
    class Lying(DivisorKind):
        async def check(self, claim: Claim, obligation: Obligation, evidence: Evidence | None, budget: Budget) -> Check:
            held = Evidence("0" * 64 if lie == "other digest" else obligation.digest, "solvers/1", None)
            asked = replace(obligation, name="another") if lie == "other obligation" else obligation
            return Check(asked, Result.PASS, Level.L1, evidence=None if lie == "no evidence" else held)

    verdict = (await road(Scripted("a", (factor("x", 7),)), kind=Lying()).verify(asking(91))).verdict
    assert (verdict.outcome, verdict.reason) == (Outcome.UNDECIDED, Reason.ERROR)


async def test_one_solver_alone_never_verifies_whatever_the_policy_says() -> None:
    class Single(DivisorKind):
        async def check(self, claim: Claim, obligation: Obligation, evidence: Evidence | None, budget: Budget) -> Check:
            return replace(await super().check(claim, obligation, evidence, budget), level=Level.L0)

    policy = load('{"level_at_least": "L0"}')
    for n, draft in ((91, factor("x", 7)), (97, PRIME)):
        verdict = (await road(Scripted("a", (draft,)), kind=Single()).verify(asking(n, policy))).verdict
        assert (verdict.outcome, verdict.reason) == (Outcome.UNDECIDED, Reason.NOT_ENOUGH_EVIDENCE)


async def test_the_policy_may_ask_for_more_and_the_search_goes_on() -> None:
    solver, kernel = Scripted("solver", (factor("x", 7, (7,)),)), Scripted("kernel", (factor("x", 7),))
    verdict = (await road(solver).verify(asking(91, NAMED["kernel"]))).verdict
    assert verdict.reason is Reason.NOT_ENOUGH_EVIDENCE
    verdict = (await road(solver, kernel).verify(asking(91, NAMED["kernel"]))).verdict
    assert (verdict.outcome, verdict.level) == (Outcome.VERIFIED, Level.L3)


@pytest.mark.parametrize("result", [Result.FAIL, Result.UNKNOWN])
async def test_an_admission_other_than_pass_withholds_the_verdict_and_keeps_nothing(result: Result) -> None:
    store = MemoryStore()
    drafters = (Scripted("a", (factor("x", 7),)), Scripted("b", (factor("x", 13),)))
    outcome = await road(*drafters, kind=DivisorKind(admission=result), store=store).verify(asking(91))
    assert (outcome.verdict.outcome, outcome.verdict.reason) == (Outcome.UNDECIDED, Reason.ERROR)
    assert "verified withheld" in outcome.verdict.detail
    assert outcome.verdict.certificate is None
    assert drafters[1].asked == 0
    assert (await store.stats("local")).certificates == 0
    assert (await store.stats("local")).records == 0


async def test_a_crashing_drafter_is_passed_over_but_not_forgotten() -> None:
    crash = Scripted("crash", failure=ZeroDivisionError("boom"))
    verdict = (await road(crash, Scripted("a", (factor("x", 7),))).verify(asking(91))).verdict
    assert verdict.outcome is Outcome.VERIFIED
    verdict = (await road(crash, Scripted("a", (factor("x", 5),))).verify(asking(91))).verdict
    assert (verdict.reason, verdict.detail) == (Reason.ERROR, "drafter crash failed: ZeroDivisionError: boom")


async def test_a_drafter_that_lacks_something_leaves_a_note_or_an_error() -> None:
    lacking = Scripted("lacking", failure=VerifierError("sandbox-unavailable", "no fences"))
    assert (await road(lacking).verify(asking(91))).verdict.reason is Reason.ERROR
    refusing = Scripted("refusing", failure=VerifierError("bad-draft", "cannot"))
    assert (await road(refusing).verify(asking(91))).verdict.reason is Reason.NO_DRAFT


async def test_a_crashing_check_is_an_error_never_a_pass() -> None:
    class Crashing(DivisorKind):
        async def check(self, *_: object) -> Check:
            raise RecursionError("deep")

    verdict = (await road(Scripted("a", (factor("x", 7),)), kind=Crashing()).verify(asking(91))).verdict
    assert (verdict.reason, verdict.detail) == (Reason.ERROR, "x divides: RecursionError: deep")


async def test_cancelling_is_not_swallowed() -> None:
    class Slow(DivisorKind):
        async def check(self, *_: object) -> Check:
            await asyncio.Event().wait()
            raise AssertionError

    task = asyncio.create_task(road(Scripted("a", (factor("x", 7),)), kind=Slow()).verify(asking(91)))
    for _ in range(10):
        await asyncio.sleep(0)
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task


async def test_checks_stop_at_the_first_failure_in_order_however_they_finish() -> None:
    class Backwards(DivisorKind):
        async def check(self, claim: Claim, obligation: Obligation, evidence: Evidence | None, budget: Budget) -> Check:
            delay = {"x divides": 8, "x % 7 == 0": 6, "x % 5 == 0": 4, "x % 3 == 0": 0}[obligation.name]
            for _ in range(delay):
                await asyncio.sleep(0)
            return await super().check(claim, obligation, evidence, budget)

    draft = factor("x", 7, (7, 5, 3))
    result = await road(Scripted("a", (draft,)), kind=Backwards()).verify(asking(91))
    assert [check.obligation.name for check in result.verdict.checks] == ["x divides", "x % 7 == 0", "x % 5 == 0"]
    assert result.verdict.detail == "x % 5 == 0: does not divide"
    assert result.verdict.reason is Reason.NOT_INDUCTIVE
    assert result.verdict.span is not None


async def test_the_reason_that_says_most_is_given() -> None:
    verdict = (await road(Scripted("a", (PRIME, factor("x", 7, (3,)), factor("x", 3)))).verify(asking(91 * 91))).verdict
    assert verdict.reason is Reason.NO_WITNESS
    verdict = (await road(Scripted("a", (PRIME, factor("x", 7, (3,))))).verify(asking(91 * 91))).verdict
    assert verdict.reason is Reason.NOT_INDUCTIVE
    verdict = (await road(Scripted("a", (PRIME,))).verify(asking(91 * 91))).verdict
    assert verdict.reason is Reason.BUDGET
    verdict = (await road(Scripted("a", (PRIME,))).verify(asking(91))).verdict
    assert verdict.reason is Reason.NOT_REFUTED
    verdict = (await road(Scripted("a", notes=("nothing fits",))).verify(asking(91))).verdict
    assert (verdict.reason, verdict.detail) == (Reason.NO_DRAFT, "a: nothing fits")


@pytest.mark.parametrize("reason", [Reason.SOLVER_DISAGREEMENT, Reason.VACUOUS])
async def test_a_final_reason_ends_the_search(reason: Reason) -> None:
    class Final(DivisorKind):
        async def check(self, claim: Claim, obligation: Obligation, evidence: Evidence | None, budget: Budget) -> Check:
            return Check(obligation, Result.UNKNOWN, Level.L0, reason)

    store, late = MemoryStore(), Scripted("late", (factor("x", 13),))
    verdict = (await road(Scripted("a", (factor("x", 7),)), late, kind=Final(), store=store).verify(asking(91))).verdict
    assert (verdict.outcome, verdict.reason, late.asked) == (Outcome.UNDECIDED, reason, 0)
    assert (await store.stats("local")).records == 0


async def test_progress_tells_the_steps_in_order() -> None:
    seen: list[str] = []
    pipeline = road(Scripted("a", (factor("x", 7),)), store=MemoryStore())
    await pipeline.verify(asking(91), lambda stage, detail: seen.append(stage))
    assert seen == ["admit", "look up", "draft", "check", "check", "decide", "record"]
