"""Reading and writing certificates, drafts, manifests and verdicts: exact round trips, strict refusals."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable
from typing import Any

import pytest

from tests.divisors import PRIME, DivisorKind, Scripted, claim, factor
from verifier.codec import (
    certificate_from_json,
    certificate_to_json,
    draft_from_json,
    manifest_from_json,
    manifest_to_json,
)
from verifier.errors import VerifierError
from verifier.keys import canonical_json
from verifier.model import Certificate, Draft, Evidence, Level, LoopNotes, Manifest, Side, Verdict
from verifier.pipeline import Pipeline, Request
from verifier.verdicts import verdict_from_json, verdict_to_json

CERTIFICATE = Certificate(
    "contract",
    "0" * 64,
    Side.PROOF,
    {"f.0": LoopNotes(("0 <= i", "i <= n"), ("n - i",)), "f.0.0": LoopNotes()},
    (Evidence("1" * 64, "replay/1", {"arguments": ["1"]}), Evidence("2" * 64, "solvers/1", None)),
)
Change = Callable[[dict[str, Any]], object]


def test_a_certificate_survives_the_round_trip_in_format_1() -> None:
    value = certificate_to_json(CERTIFICATE)
    assert set(value) == {"format", "kind", "claim_key", "side", "annotations", "evidence"}
    assert value["format"] == 1
    assert certificate_from_json(json.loads(canonical_json(value))) == CERTIFICATE


CHANGES: dict[str, tuple[Change, str]] = {
    "another format": (lambda value: value.update(format=2), "certificate.format"),
    "a format that is a flag": (lambda value: value.update(format=True), "certificate.format"),
    "an unknown field": (lambda value: value.update(goals=[]), "certificate"),
    "a missing field": (lambda value: value.pop("side"), "certificate.side"),
    "an unknown side": (lambda value: value.update(side="both"), "certificate.side"),
    "annotations that are a list": (lambda value: value.update(annotations=[]), "certificate.annotations.loops"),
    "notes without ranks": (lambda value: value["annotations"]["f.0"].pop("decreases"),
                            "certificate.annotations.f.0.decreases"),
    "invariants that are a text": (lambda value: value["annotations"]["f.0"].update(invariants="x"),
                                   "certificate.annotations.f.0.invariants"),
    "an invariant that is a number": (lambda value: value["annotations"]["f.0"].update(invariants=[1]),
                                      "certificate.annotations.f.0.invariants"),
    "evidence that is an object": (lambda value: value.update(evidence={}), "certificate.evidence"),
    "evidence without data": (lambda value: value["evidence"][0].pop("data"), "certificate.evidence[0].data"),
    "evidence with a float": (lambda value: value["evidence"][0].update(data=[1.5]), "certificate.evidence[0].data[0]"),
    "evidence with more": (lambda value: value["evidence"][0].update(goal=""), "certificate.evidence[0]"),
}  # fmt: skip


@pytest.mark.parametrize("name", CHANGES)
def test_other_certificates_are_refused_by_place(name: str) -> None:
    change, place = CHANGES[name]
    value = json.loads(canonical_json(certificate_to_json(CERTIFICATE)))
    change(value)
    with pytest.raises(VerifierError) as caught:
        certificate_from_json(value)
    assert (caught.value.code, caught.value.place) == ("bad-receipt", place)


@pytest.mark.parametrize("value", [None, 1, "x", [], {}, {1: 2}])
def test_what_is_no_certificate_is_refused(value: object) -> None:
    with pytest.raises(VerifierError):
        certificate_from_json(value)


def test_a_submitted_draft_names_its_function() -> None:
    value = {"format": 1, "function": "f", "annotations": {"f.0": {"invariants": ["x >= 0"], "decreases": []}}}
    assert draft_from_json(value) == ("f", Draft("submitted", Side.PROOF, {"f.0": LoopNotes(("x >= 0",))}))
    changes: list[dict[str, Any]] = [{"format": 2}, {"goals": []}, {"function": 1}, {"annotations": {"f.0": {}}}]
    for change in changes:
        with pytest.raises(VerifierError) as caught:
            draft_from_json({**value, **change})
        assert (caught.value.code, caught.value.exit_code) == ("bad-draft", 4)


def test_manifests_are_sorted_and_distinct() -> None:
    manifest = Manifest((("callee", "half", "0" * 64), ("name", "len", None)))
    assert manifest_from_json(manifest_to_json(manifest)) == manifest
    rows: list[list[Any]] = [["name", "len", None], ["name", "abs", None]]
    wrong: list[object] = [rows, [rows[0], rows[0]], [["name", "len"]], [["name", "len", 1]], [[1, "len", None]]]
    for bad in (*wrong, {}, None):
        with pytest.raises(VerifierError):
            manifest_from_json(bad)


async def made(number: int, *drafts: Draft) -> Verdict:
    drafters = {"divisor": [Scripted("d", drafts)]}
    return (await Pipeline({"divisor": DivisorKind()}, drafters, None, "b").verify(Request(claim(number)))).verdict


@pytest.mark.parametrize(
    ("number", "drafts"), [(91, (factor("x", 7, (13,)),)), (97, (PRIME,)), (91, (factor("x", 5),)), (91, ())]
)
def test_a_verdict_survives_the_round_trip(number: int, drafts: tuple[Draft, ...]) -> None:
    verdict = asyncio.run(made(number, *drafts))
    value = verdict_to_json(verdict)
    again = verdict_from_json(json.loads(canonical_json(value)), "verdict", verdict.certificate)
    assert verdict_to_json(again) == value
    assert (again.outcome, again.level, again.certificate) == (verdict.outcome, verdict.level, verdict.certificate)
    assert [check.obligation.script for check in again.checks] == [""] * len(verdict.checks)


def test_a_verdict_must_be_consistent() -> None:
    verdict = asyncio.run(made(91, factor("x", 7)))
    value = verdict_to_json(verdict)
    wrong: list[dict[str, Any]] = [{"level": None}, {"grounds": None}, {"reason": "budget"}, {"outcome": "undecided"},
                                   {"level": 3}, {"level": "L7"}, {"extra": 1}]  # fmt: skip
    for change in wrong:
        with pytest.raises(VerifierError):
            verdict_from_json({**value, **change}, "verdict", verdict.certificate)
    with pytest.raises(VerifierError):
        verdict_from_json(value, "verdict", None)
    assert verdict.level is Level.L3
