"""Receipts: what they hold, that they survive the round trip, and what re-checking one says."""

from __future__ import annotations

import asyncio
import hashlib
import json
from typing import Any

import pytest

from tests.divisors import DivisorKind, claim
from tests.receipts import BUILD, altered, proof, refutation, undecided
from verifier.errors import Unsupported, VerifierError
from verifier.model import BUDGETS, Budget, Check, Claim, Evidence, Level, Obligation, Reason, Result, Span
from verifier.pipeline import Pipeline, Request
from verifier.receipt.build import build, encode
from verifier.receipt.parse import parse
from verifier.receipt.recheck import Report, recheck


def check(data: bytes, kind: DivisorKind | None = None, fingerprint: str = BUILD, **options: Any) -> Report:
    return asyncio.run(recheck(data, {"divisor": kind or DivisorKind()}, fingerprint=fingerprint, **options))


@pytest.mark.parametrize("data", [proof(), refutation(), undecided()], ids=["proof", "refutation", "undecided"])
def test_the_round_trip_is_exact(data: bytes) -> None:
    assert encode(build(parse(data))) == data
    assert altered(data, lambda receipt: receipt) == data


def test_it_is_an_in_toto_statement_that_names_its_subjects_by_plain_sha256() -> None:
    statement = json.loads(proof())
    assert statement["_type"] == "https://in-toto.io/Statement/v1"
    assert statement["predicateType"].endswith("verdict/v1")
    digests = {item["name"]: item["digest"]["sha256"] for item in statement["subject"]}
    assert digests["body.n"] == hashlib.sha256(b"91").hexdigest()
    assert digests["canonical"] == hashlib.sha256(b"(composite 91)").hexdigest()
    assert set(digests) == {"claim", "canonical", "body.n", "body.variable"}


def test_it_attaches_everything_that_the_verdict_rests_on() -> None:
    receipt = parse(proof())
    assert (receipt.kind, receipt.body) == ("divisor", claim(91).body)
    assert receipt.policy.name == "proof"
    assert receipt.manifest is not None
    assert receipt.certificate is not None
    assert receipt.certificate.claim_key == receipt.claim_key
    assert (receipt.budget, receipt.fingerprint, receipt.time) == (BUDGETS["small"], BUILD, "2026-01-02T03:04:05Z")


def test_a_sound_receipt_re_derives_and_says_that_it_is_unsigned() -> None:
    kind = DivisorKind()
    report = check(proof(), kind)
    assert report.exit_code == 0
    assert {line.name: line.text for line in report.lines} == {
        "parsed": f"receipt {parse(proof()).id[:12]}, verified by proof at L1",
        "signed": "unsigned",
        "logged": "not logged",
        "evidence present": "2 pieces",
        "re-derived": "equal: verified by proof at L1, 2 checks",
    }
    assert kind.calls == ["x divides", "x % 13 == 0"]
    assert "true" not in " ".join(line.text for line in report.lines)


def test_an_unsupported_claim_has_a_receipt_that_claims_nothing() -> None:
    pipeline = Pipeline({"divisor": DivisorKind()}, {}, None, BUILD)
    request = Request(Claim("divisor", {"n": "-4", "variable": "x"}, "negative"))
    result = asyncio.run(pipeline.verify(request))
    receipt = parse(result.receipt)
    assert (receipt.claim_key, receipt.canonical, receipt.manifest, receipt.time) == (None, None, None, None)
    assert receipt.id == result.receipt_id
    report = check(result.receipt)
    assert report.exit_code == 2
    assert report.lines[-1].text == "nothing to derive: the verdict is undecided (unsupported)"


class Lacking(DivisorKind):
    """No second solver here."""

    async def check(self, claim: Claim, obligation: Obligation, evidence: Evidence | None, budget: Budget) -> Check:
        if obligation.form == "solvers":
            raise VerifierError("solver-unavailable", "cvc5 is not installed")
        return await super().check(claim, obligation, evidence, budget)


class Killed(DivisorKind):
    """A slow machine."""

    async def check(self, claim: Claim, obligation: Obligation, evidence: Evidence | None, budget: Budget) -> Check:
        return Check(obligation, Result.UNKNOWN, Level.L0, Reason.BUDGET, "killed after 5 s")


class Narrow(DivisorKind):
    """A build that does not support the claim."""

    def parse(self, body: Any) -> Claim:
        raise Unsupported("numbers", Span(1, 1, 1, 2))


class Contrary(DivisorKind):
    """Solvers that disagree."""

    async def check(self, claim: Claim, obligation: Obligation, evidence: Evidence | None, budget: Budget) -> Check:
        return Check(obligation, Result.UNKNOWN, Level.L0, Reason.SOLVER_DISAGREEMENT, "z3: unsat, cvc5: sat")


class Broken(DivisorKind):
    """A defect of this tool."""

    def canonicalise(self, claim: Claim) -> Any:
        raise ZeroDivisionError("boom")


@pytest.mark.parametrize(
    ("kind", "code", "named"),
    [
        (Lacking(), 2, "cvc5 is not installed"),
        (Killed(), 2, "killed after 5 s"),
        (Narrow(), 2, "numbers"),
        (Contrary(), 1, "z3: unsat, cvc5: sat"),
        (Broken(), 5, "ZeroDivisionError: boom"),
    ],
)
def test_what_keeps_a_receipt_from_being_derived_is_named(kind: DivisorKind, code: int, named: str) -> None:
    report = check(proof(), kind)
    assert report.exit_code == code
    assert named in report.lines[-1].text


def test_a_crash_inside_a_check_is_not_here() -> None:
    class Crashing(DivisorKind):
        async def check(self, *_: object) -> Check:
            raise MemoryError("full")

    assert check(proof(), Crashing()).exit_code == 2


def test_keys_of_another_canonical_version_are_not_compared_but_everything_is_derived() -> None:
    assert check(proof(), DivisorKind(canon_version=2)).exit_code == 0


def test_goals_of_another_build_that_differ_are_not_here() -> None:
    class Renamed(DivisorKind):
        def obligations(self, *arguments: Any) -> Any:
            from dataclasses import replace

            return tuple(replace(item, digest="0" * 64) for item in super().obligations(*arguments))

    assert check(proof(), Renamed(), fingerprint="build-2").exit_code == 2
    assert check(proof(), Renamed()).exit_code == 1


def test_another_build_may_word_a_counterexample_otherwise() -> None:
    class Wordy(DivisorKind):
        def counterexample(self, *arguments: Any) -> Any:
            from dataclasses import replace

            found = super().counterexample(*arguments)
            assert found is not None
            return replace(found, observed="97 is a prime number")

    assert check(refutation(), Wordy(), fingerprint="build-2").exit_code == 0
    assert check(refutation(), Wordy()).exit_code == 1


def test_re_checking_runs_no_admission() -> None:
    class Executing(DivisorKind):
        async def admit(self, *_: object) -> Check | None:
            raise AssertionError("would run a stranger's code")

    assert check(proof(), Executing()).exit_code == 0
