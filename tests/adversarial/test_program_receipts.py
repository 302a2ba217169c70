"""Receipts of real programs: they re-derive without running anything, and a forger who recomputes everything fails."""

from __future__ import annotations

from dataclasses import replace

import pytest

from checkers.program.kind import ProgramKind
from checkers.smt.pool import Pool
from tests.adversarial.test_cache_pitfalls import BASE, MUTANTS, NOTES, WITNESS, ask, filled
from tests.receipts import altered
from verifier.derivation import FORMS
from verifier.keys import claim_key, sha256
from verifier.model import Certificate, Check, Claim, Evidence, Level, Result, Side
from verifier.receipt.parse import parse
from verifier.receipt.recheck import recheck
from verifier.receipt.statement import Receipt

FALSE = ("operator flipped", "comparison loosened", "off by one", "contract strengthened")
"""Mutants that break their contract."""


def forge(receipt: Receipt, kind: ProgramKind, source: str) -> Receipt:
    """The receipt of another program with every digest, key, check and piece of evidence made to fit."""
    claim = Claim("contract", {**receipt.body, "source": source}, "walk")
    canonical, manifest = kind.canonicalise(claim), kind.read(claim)
    key = claim_key(kind, canonical)
    goals = kind.obligations(claim, Side.PROOF, NOTES)
    evidence = tuple(
        Evidence(goal.digest, FORMS[goal.form], WITNESS if goal.form == "replay" else {"z3": "unsat"}) for goal in goals
    )
    checks = tuple(Check(goal, Result.PASS, Level.L3 if goal.form == "replay" else Level.L1) for goal in goals)
    certificate = Certificate("contract", key, Side.PROOF, NOTES, evidence)
    return replace(
        receipt,
        body=claim.body,
        claim_key=key,
        canonical=sha256(canonical.text.encode("utf-8")),
        manifest=manifest,
        verdict=replace(receipt.verdict, checks=checks, certificate=certificate),
    )


@pytest.mark.parametrize("name", FALSE)
async def test_a_complete_forgery_for_a_false_program_derives_otherwise(name: str) -> None:
    async with Pool(workers=1) as pool:
        road, first = await filled(pool)
        kind = road.kind("contract")
        assert isinstance(kind, ProgramKind)
        data = altered(first.receipt, lambda receipt: forge(receipt, kind, MUTANTS[name]))
        report = await recheck(data, road.kinds, fingerprint="b1")
        assert report.exit_code == 1, report.lines


async def test_a_sound_receipt_re_derives_and_a_changed_claim_does_not() -> None:
    async with Pool(workers=1) as pool:
        road, first = await filled(pool)
        report = await recheck(first.receipt, road.kinds, fingerprint="b1")
        assert report.exit_code == 0, report.lines
        for body in ({"partial": True}, {"source": MUTANTS["bound of the contract"]}, {"source": BASE + "\n# more\n"}):
            changed = altered(first.receipt, lambda item, body=body: replace(item, body={**item.body, **body}))  # type: ignore[misc]
            code = (await recheck(changed, road.kinds, fingerprint="b1")).exit_code
            assert code == (0 if "# more" in str(body.get("source")) else 1), body


async def test_re_checking_never_runs_the_source() -> None:
    async with Pool(workers=1) as pool:
        road, first = await filled(pool)
        trap = 'raise SystemExit("the source was run")\n'
        noisy = altered(
            first.receipt, lambda item: replace(item, body={**item.body, "source": f"{item.body['source']}\n{trap}"})
        )
        assert (await recheck(noisy, road.kinds, fingerprint="b1")).exit_code in (0, 1, 2)


async def test_a_claim_and_its_twin_have_receipts_of_their_own() -> None:
    async with Pool(workers=1) as pool:
        road, first = await filled(pool)
        twin = await road.verify(ask(BASE.replace("low", "bottom")))
        assert twin.hit.rung == "canonical"
        assert (await recheck(twin.receipt, road.kinds, fingerprint="b1")).exit_code == 0
        assert parse(twin.receipt).claim_key == parse(first.receipt).claim_key
        assert parse(twin.receipt).body != parse(first.receipt).body


async def test_without_solvers_a_proof_is_not_re_derivable_here(monkeypatch: pytest.MonkeyPatch) -> None:
    async with Pool(workers=1) as pool:
        _, first = await filled(pool)

    async def missing(self: Pool, solver: str, script: str, **_: object) -> object:
        from checkers.smt.pool import Answer

        return Answer("missing", detail=f"{solver} is not installed")

    monkeypatch.setattr(Pool, "ask", missing)
    async with Pool(workers=1) as bare:
        kinds = {"contract": ProgramKind("contract", bare, None)}
        report = await recheck(first.receipt, kinds, fingerprint="b1")
        assert report.exit_code == 2
        assert "not installed" in report.lines[-1].text
