"""Receipts for tests: made on the road, and altered with all digests made consistent again.

`python -m tests.receipts` writes the cases of `tests/vectors/receipts/` anew.
"""

from __future__ import annotations

import asyncio
import copy
import json
from collections.abc import Callable
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any

from tests.divisors import PRIME, DivisorKind, Scripted, claim, factor
from verifier.keys import canonical_json
from verifier.model import Certificate, Draft, Evidence, Grounds, Level, LoopNotes, Manifest, Outcome, Reason, Side
from verifier.pipeline import Pipeline, Request
from verifier.policy import NAMED, parse
from verifier.receipt.build import build, encode
from verifier.receipt.parse import parse as parse_receipt
from verifier.receipt.statement import Receipt, identity

BUILD = "build-1"
FOLDER = Path(__file__).parent / "vectors" / "receipts"


async def make(n: int, *drafts: Draft) -> bytes:
    """The receipt of a verdict about `n`."""
    kinds, drafters = {"divisor": DivisorKind()}, {"divisor": [Scripted("drafter", drafts)]}
    pipeline = Pipeline(kinds, drafters, None, BUILD, clock=lambda: "2026-01-02T03:04:05Z")
    return (await pipeline.verify(Request(claim(n)))).receipt


@cache
def proof() -> bytes:
    """91 is composite: 7, with a note about 13."""
    return asyncio.run(make(91, factor("x", 7, (13,))))


@cache
def refutation() -> bytes:
    """97 is not."""
    return asyncio.run(make(97, PRIME))


@cache
def undecided() -> bytes:
    """91, when nobody proposes a thing."""
    return asyncio.run(make(91))


def altered(data: bytes, change: Callable[[Receipt], Receipt]) -> bytes:
    """The receipt with a change and consistent digests: what a forger would send."""
    return encode(build(change(parse_receipt(data))))


def edited(data: bytes, change: Callable[[dict[str, Any]], object], *, seal: bool = True) -> bytes:
    """The receipt with a change of its raw JSON; `seal` makes its `id` consistent again."""
    statement: dict[str, Any] = copy.deepcopy(json.loads(data))
    change(statement)
    if seal:
        statement["predicate"]["id"] = identity(statement)
    return canonical_json(statement)


def certificate(change: Callable[[Certificate], Certificate]) -> Callable[[Receipt], Receipt]:
    """A change of the certificate."""

    def apply(receipt: Receipt) -> Receipt:
        held = receipt.certificate
        assert held is not None
        return replace(receipt, verdict=replace(receipt.verdict, certificate=change(held)))

    return apply


def evidence(change: Callable[[tuple[Evidence, ...]], tuple[Evidence, ...]]) -> Callable[[Receipt], Receipt]:
    """A change of the evidence."""
    return certificate(lambda held: replace(held, evidence=change(held.evidence)))


def verdict(**fields: Any) -> Callable[[Receipt], Receipt]:
    """A change of the verdict."""
    return lambda receipt: replace(receipt, verdict=replace(receipt.verdict, **fields))


def _counterexample(receipt: Receipt) -> Receipt:
    assert receipt.verdict.counterexample is not None
    return verdict(counterexample=replace(receipt.verdict.counterexample, arguments={"n": "96"}))(receipt)


def _check_name(receipt: Receipt) -> Receipt:
    first, *rest = receipt.verdict.checks
    return verdict(checks=(replace(first, obligation=replace(first.obligation, name="post")), *rest))(receipt)


@cache
def forged() -> dict[str, tuple[bytes, int, str]]:
    """Case name to receipt, expected exit code, and why: each but the sound ones is what a forger could send."""
    good, bad, open_ = proof(), refutation(), undecided()
    other = parse_receipt(asyncio.run(make(77, factor("x", 7))))
    tree = parse({"all": [{"check": "no such check"}]})
    notes = {"x.0": LoopNotes(("x % 7 == 0",))}
    return {
        "proof": (good, 0, "a sound proof"),
        "refutation": (bad, 0, "a sound refutation"),
        "undecided": (open_, 2, "an undecided verdict claims nothing that could be derived"),
        "form_unknown_fail": (
            altered(good, evidence(lambda held: (replace(held[0], form="replay/9"), *held[1:]))),
            2, "evidence of a form that is not known here is never a pass",
        ),
        "kind_unknown_fail": (
            altered(good, lambda receipt: replace(certificate(lambda held: replace(held, kind="fact"))(receipt),
                                                  kind="fact")),
            2, "the kind is not known here",
        ),
        "outcome_fail": (altered(good, verdict(outcome=Outcome.REFUTED)), 1, "a proof sold as a refutation"),
        "outcome_refutation_fail": (altered(bad, verdict(outcome=Outcome.VERIFIED)), 1, "and the reverse"),
        "undecided_with_certificate_fail": (
            altered(good, verdict(outcome=Outcome.UNDECIDED, reason=Reason.BUDGET, grounds=None, level=None)),
            1, "what was proved is stated as undecided",
        ),
        "level_fail": (altered(good, verdict(level=Level.L3)), 1, "the level is raised"),
        "grounds_fail": (altered(good, verdict(grounds=Grounds.NONTERMINATION)), 1, "other grounds"),
        "detail_fail": (altered(good, verdict(detail="for all numbers")), 1, "a text that was not derived"),
        "check_dropped_fail": (
            altered(good, lambda item: verdict(checks=item.verdict.checks[:1])(item)), 1, "a check is not stated",
        ),
        "check_renamed_fail": (altered(good, _check_name), 1, "a check goes by another name"),
        "counterexample_fail": (altered(bad, _counterexample), 1, "a counterexample that was not found"),
        "evidence_missing_fail": (altered(good, evidence(lambda held: held[:1])), 1, "an obligation without evidence"),
        "evidence_double_fail": (altered(good, evidence(lambda held: (*held, held[0]))), 1, "evidence twice"),
        "evidence_extra_fail": (
            altered(good, evidence(lambda held: (*held, Evidence("0" * 64, "solvers/1", None)))),
            1, "evidence for an obligation that does not exist",
        ),
        "evidence_none_fail": (altered(good, evidence(lambda held: ())), 1, "no evidence at all"),
        "witness_fail": (
            altered(good, evidence(lambda held: (replace(held[0], data={"x": "5"}), *held[1:]))),
            1, "a witness that does not divide",
        ),
        "annotations_fail": (
            altered(good, certificate(lambda held: replace(held, annotations=notes))), 1, "other annotations",
        ),
        "annotations_dropped_fail": (
            altered(good, certificate(lambda held: replace(held, annotations={}))), 1, "annotations taken away",
        ),
        "side_fail": (
            altered(good, certificate(lambda held: replace(held, side=Side.REFUTATION))), 1, "the other side",
        ),
        "claim_fail": (
            altered(good, lambda receipt: replace(receipt, body=claim(97).body)), 1, "a certificate for another claim",
        ),
        "claim_and_key_fail": (
            altered(good, lambda receipt: replace(
                certificate(lambda held: replace(held, claim_key=other.claim_key or ""))(receipt),
                body=other.body, claim_key=other.claim_key, canonical=other.canonical)),
            1, "the same with consistent keys: the obligations are those of the other claim",
        ),
        "claim_unreadable_fail": (
            altered(good, lambda receipt: replace(receipt, body={"n": "x"})), 1, "a claim that its kind refuses",
        ),
        "certificate_key_fail": (
            altered(good, certificate(lambda held: replace(held, claim_key="0" * 64))), 1, "another key",
        ),
        "certificate_kind_fail": (
            altered(good, certificate(lambda held: replace(held, kind="fact"))), 1, "a certificate of another kind",
        ),
        "key_fail": (
            altered(good, lambda receipt: replace(
                certificate(lambda held: replace(held, claim_key="0" * 64))(receipt), claim_key="0" * 64)),
            1, "a key that is not the claim's",
        ),
        "canonical_text_fail": (
            altered(good, lambda receipt: replace(receipt, canonical="0" * 64)), 1, "another canonical text",
        ),
        "manifest_fail": (
            altered(good, lambda receipt: replace(receipt, manifest=Manifest((("name", "len", None),)))),
            1, "a read that does not happen",
        ),
        "policy_fail": (
            altered(good, lambda receipt: replace(receipt, policy=NAMED["kernel"])), 1, "a policy that is not met",
        ),
        "policy_custom_fail": (
            altered(good, lambda receipt: replace(receipt, policy=tree)), 1, "a policy that names a check nobody made",
        ),
    }  # fmt: skip


def write() -> None:
    """Write every case into its folder: the receipt, the exit code, and one line why."""
    for name, (data, code, why) in forged().items():
        folder = FOLDER / name
        folder.mkdir(parents=True, exist_ok=True)
        (folder / "receipt.json").write_bytes(data)
        (folder / "expected.txt").write_text(f"{code}\n{why}\n", encoding="utf-8")


if __name__ == "__main__":
    write()
