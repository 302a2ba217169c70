"""Looking up and recording: identical requests replay, twins re-derive, and nothing else is ever served."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from index.memory import MemoryStore
from tests.divisors import PRIME, DivisorKind, Scripted, claim, factor
from verifier.errors import VerifierError
from verifier.keys import certificate_id
from verifier.model import BUDGETS, Certificate, Hit, Outcome, Reason, Result, Side
from verifier.pipeline import Pipeline, Request
from verifier.policy import NAMED, load

FACTORS = Scripted("factors", (factor("x", 7, (13,)),))
Parts = dict[str, Any]


def road(store: MemoryStore, kind: DivisorKind | None = None, *drafters: Scripted, **parts: Any) -> Pipeline:
    return Pipeline({"divisor": kind or DivisorKind()}, {"divisor": drafters}, store, **({"fingerprint": "b1"} | parts))


async def filled() -> MemoryStore:
    store = MemoryStore()
    assert (await road(store, None, FACTORS).verify(Request(claim(91)))).verdict.outcome is Outcome.VERIFIED
    return store


async def test_the_identical_request_replays_without_any_check() -> None:
    store, kind, late = await filled(), DivisorKind(), Scripted("late")
    first = await road(MemoryStore(), None, FACTORS).verify(Request(claim(91)))
    again = await road(store, kind, late).verify(Request(claim(91)))
    assert again.hit == Hit("replay", rederived=False)
    assert (kind.calls, late.asked) == ([], 0)
    assert again.verdict.certificate == first.verdict.certificate
    assert (again.verdict.drafter, again.verdict.tried) == ("factors", ("factors",))
    assert [check.result for check in again.verdict.checks] == [Result.PASS, Result.PASS]


async def test_always_deriving_again_climbs_to_the_canonical_rung() -> None:
    kind = DivisorKind()
    again = await road(await filled(), kind, rederive="always").verify(Request(claim(91)))
    assert again.hit == Hit("canonical", rederived=True)
    assert kind.calls == ["x divides", "x % 13 == 0"]


async def test_a_renamed_twin_hits_in_its_own_names_and_then_replays() -> None:
    store = await filled()
    twin = await road(store).verify(Request(claim(91, "y")))
    assert twin.hit.rung == "canonical"
    assert twin.verdict.certificate is not None
    assert list(twin.verdict.certificate.annotations) == ["y.0"]
    assert twin.verdict.certificate.evidence[0].data == {"y": "7"}
    assert (await road(store).verify(Request(claim(91, "y")))).hit.rung == "replay"
    original = await road(store).verify(Request(claim(91)))
    assert original.verdict.certificate is not None
    assert list(original.verdict.certificate.annotations) == ["x.0"]


@pytest.mark.parametrize("n", [90, 92, 97, 19, 910])
async def test_no_other_claim_is_ever_served(n: int) -> None:
    result = await road(await filled()).verify(Request(claim(n)))
    assert (result.hit.rung, result.verdict.outcome) == (None, Outcome.UNDECIDED)


@pytest.mark.parametrize(
    ("parts", "kind", "policy"),
    [
        ({"fingerprint": "b2"}, DivisorKind(), "proof"),
        ({}, DivisorKind(reads=(("name", "len", None),)), "proof"),
        ({}, DivisorKind(), '{"all": [{"check": "x divides"}]}'),
    ],
    ids=["another build", "another read", "another policy"],
)
async def test_what_changed_is_derived_again(parts: Parts, kind: DivisorKind, policy: str) -> None:
    result = await road(await filled(), kind, **parts).verify(Request(claim(91), load(policy)))
    assert result.hit == Hit("canonical", rederived=True)


async def test_another_scope_or_canonical_version_sees_nothing() -> None:
    store = await filled()
    assert (await road(store, scope="tenant-b").verify(Request(claim(91)))).hit.rung is None
    assert (await road(store, DivisorKind(canon_version=2)).verify(Request(claim(91)))).hit.rung is None


async def test_a_policy_that_asks_for_more_is_not_answered_by_less() -> None:
    result = await road(await filled(), None, Scripted("k", (factor("x", 7),))).verify(
        Request(claim(91), NAMED["kernel"])
    )
    assert (result.hit.rung, result.verdict.outcome) == (None, Outcome.VERIFIED)


async def test_proofs_and_refutations_are_free_of_budget() -> None:
    store = MemoryStore()
    await road(store, None, Scripted("p", (PRIME,))).verify(Request(claim(97), budget=BUDGETS["large"]))
    for budget in BUDGETS.values():
        again = await road(store).verify(Request(claim(97), budget=budget))
        assert (again.hit.rung, again.verdict.outcome) == ("replay", Outcome.REFUTED)


async def test_a_spent_budget_answers_only_equal_and_smaller_ones() -> None:
    store, n = MemoryStore(), 7919 * 3
    drafter = Scripted("p", (PRIME,))
    first = await road(store, None, drafter).verify(Request(claim(n), budget=BUDGETS["medium"]))
    assert first.verdict.reason is Reason.BUDGET
    for name, rung in (("small", "replay"), ("medium", "replay"), ("large", None)):
        again = await road(store, None, drafter).verify(Request(claim(n), budget=BUDGETS[name]))
        assert again.hit.rung == rung, name


async def test_a_spent_budget_says_nothing_about_other_drafters_or_the_submitters_draft() -> None:
    store, n = MemoryStore(), 7919 * 3
    await road(store, None, Scripted("p", (PRIME,))).verify(Request(claim(n)))
    better = Scripted("f", (factor("x", 3),))
    own = Request(claim(n), draft=factor("x", 7919))
    assert (await road(store, None, better, search="drafters-2").verify(Request(claim(n)))).hit.rung is None
    assert (await road(store, scope="b").verify(own)).verdict.outcome is Outcome.VERIFIED
    assert (await road(store).verify(own)).verdict.outcome is Outcome.VERIFIED


async def test_kills_and_submitted_drafts_that_fail_leave_nothing() -> None:
    store = MemoryStore()
    result = await road(store, DivisorKind(mark=False), Scripted("p", (PRIME,))).verify(Request(claim(7919 * 3)))
    assert result.verdict.reason is Reason.BUDGET
    await road(store).verify(Request(claim(7919 * 3), draft=PRIME))
    await road(store, None, Scripted("crash", failure=ValueError())).verify(Request(claim(91)))
    await road(store, None, Scripted("wrong", (factor("x", 5),))).verify(Request(claim(91)))
    assert (await store.stats("local")).records == 0


@pytest.mark.parametrize("mode", ["off", "read"])
async def test_modes_that_may_not_write_leave_nothing(mode: str) -> None:
    store = MemoryStore()
    await road(store, None, FACTORS, mode=mode).verify(Request(claim(91)))
    assert await store.stats("local") == await MemoryStore().stats("local")


async def test_enforcing_makes_a_miss_an_error() -> None:
    store = MemoryStore()
    with pytest.raises(VerifierError) as caught:
        await road(store, None, FACTORS, mode="read-enforcing").verify(Request(claim(91)))
    assert (caught.value.code, caught.value.exit_code) == ("cache-miss", 5)
    assert await store.stats("local") == await MemoryStore().stats("local")


async def test_off_touches_nothing_and_enforcing_serves_hits() -> None:
    store = await filled()
    assert (await road(store, None, FACTORS, mode="off").verify(Request(claim(91)))).hit.rung is None
    assert (await road(store, mode="read").verify(Request(claim(91)))).hit.rung == "replay"
    assert (await road(store, mode="read-enforcing").verify(Request(claim(91)))).hit.rung == "replay"


async def poisoned(side: Side = Side.PROOF) -> tuple[MemoryStore, str]:
    """A store whose certificate for one claim key is in truth about nothing."""
    found = await road(MemoryStore(), None, FACTORS).verify(Request(claim(91)))
    held = found.verdict.certificate
    assert held is not None
    forged = Certificate(held.kind, held.claim_key, side, {}, (replace(held.evidence[0], data={"x": "5"}),))
    store = MemoryStore()
    return store, await store.put("local", forged, {"x": "v0"})


@pytest.mark.parametrize("side", Side)
async def test_a_certificate_that_fails_is_quarantined_reported_and_missed(side: Side) -> None:
    store, key = await poisoned(side)
    result = await road(store, None, FACTORS).verify(Request(claim(91)))
    assert (result.hit.rung, result.verdict.outcome) == (None, Outcome.VERIFIED)
    assert len(result.incidents) == 1
    assert key[:12] in result.incidents[0]
    assert await store.get("local", key) is None


async def test_reading_modes_report_but_do_not_quarantine() -> None:
    store, key = await poisoned()
    result = await road(store, None, FACTORS, mode="read").verify(Request(claim(91)))
    assert result.incidents
    assert await store.get("local", key) is not None


async def test_a_certificate_that_cannot_be_derived_here_stays() -> None:
    store = MemoryStore()
    await road(store, None, Scripted("p", (PRIME,))).verify(Request(claim(7919), budget=BUDGETS["medium"]))
    again = await road(store, fingerprint="b2").verify(Request(claim(7919)))
    assert (again.hit.rung, again.verdict.outcome, again.incidents) == (None, Outcome.UNDECIDED, ())
    assert (await store.stats("local")).certificates == 1


async def test_audit_derives_again_and_quarantines_a_record_that_diverges() -> None:
    store = await filled()
    assert (await road(store, mode="audit").verify(Request(claim(91)))).hit == Hit("canonical", rederived=True)
    key = next(iter([key async for key, _ in store.iterate("local")]))
    (request, record), *_ = store._tenants["local"].records.items()
    verdict = record["verdict"]
    assert isinstance(verdict, dict)
    await store.remember("local", request, {**record, "verdict": {**verdict, "outcome": "refuted"}})
    result = await road(store, mode="audit").verify(Request(claim(91)))
    assert any("its record says refuted" in text for text in result.incidents)
    assert await store.get("local", key) is None


async def test_a_record_of_another_shape_is_a_miss() -> None:
    store = await filled()
    (request, record), *_ = store._tenants["local"].records.items()
    changes: list[dict[str, Any]] = [
        {"format": 2}, {"extra": 1}, {"verdict": {}}, {"units": "x"}, {"claim": "0" * 64}, {"policy": ""},
    ]  # fmt: skip
    for change in changes:
        await store.remember("local", request, {**record, **change})
        assert (await road(store, mode="read").verify(Request(claim(91)))).hit.rung == "canonical"


async def test_a_replay_needs_its_certificate() -> None:
    store = await filled()
    (request, record), *_ = store._tenants["local"].records.items()
    await store.quarantine("local", str(record["certificate"]), "test")
    await store.remember("local", request, record)
    assert (await road(store).verify(Request(claim(91)))).hit.rung is None


class FullStore(MemoryStore):
    """A store whose disk is full, or that cannot be read."""

    def __init__(self, *failing: str) -> None:
        super().__init__()
        self.failing, self.calls = failing, 0

    def _fail(self, name: str) -> None:
        self.calls += 1
        if name in self.failing:
            raise VerifierError("store-unavailable", "no space left", place="/cache")

    async def put(self, *arguments: Any) -> str:
        self._fail("put")
        return await super().put(*arguments)

    async def remember(self, *arguments: Any) -> None:
        self._fail("remember")
        await super().remember(*arguments)

    async def recall(self, *arguments: Any) -> Any:
        self._fail("recall")
        return await super().recall(*arguments)


@pytest.mark.parametrize("failing", ["put", "remember", "recall"])
async def test_a_failing_store_never_costs_the_verdict_and_is_told(failing: str) -> None:
    result = await road(FullStore(failing), None, FACTORS).verify(Request(claim(91)))
    assert result.verdict.outcome is Outcome.VERIFIED
    assert result.store_error is not None
    assert result.store_error.code == "store-unavailable"


async def test_a_store_that_failed_once_is_left_alone() -> None:
    store = FullStore("recall", "put", "remember")
    await road(store, None, FACTORS).verify(Request(claim(91)))
    assert store.calls == 1
    with pytest.raises(VerifierError, match="no space left"):
        await road(FullStore("recall"), mode="read-enforcing").verify(Request(claim(91)))


async def test_a_hit_keeps_the_ids_of_what_it_rests_on() -> None:
    store = await filled()
    again = await road(store).verify(Request(claim(91)))
    assert again.verdict.certificate is not None
    assert await store.get("local", certificate_id(again.verdict.certificate)) == again.verdict.certificate
