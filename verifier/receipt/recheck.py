"""Re-checking a receipt: derive its verdict again, offline, from what it attaches, and compare.

The claim is parsed, made canonical and keyed again; all obligations are regenerated from it; the evidence must cover
exactly those; every one is checked; the policy is applied; and outcome, grounds, level, checks and counterexample must
come out as stated. The receipt's Python is never run: counterexamples replay in the reference interpreter.

Not derived, and never said to be: who made the receipt, when, which drafter found the proof, and the cache rung.
An undecided verdict claims nothing that could be derived; it re-checks as `not re-derivable`.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from enum import IntEnum

from verifier.decision import conclude
from verifier.derivation import Standing, derive, standing
from verifier.errors import Unsupported, VerifierError
from verifier.keys import claim_key, manifest_root, sha256
from verifier.model import Budget, Check, Claim, Json, Result, Verdict
from verifier.ports import Kind
from verifier.receipt.parse import parse
from verifier.receipt.statement import Receipt
from verifier.verdicts import verdict_to_json


class Exit(IntEnum):
    """Exit codes of `verifier recheck`. (3, trust or log failure, needs signatures: there are none yet.)"""

    EQUAL = 0
    OTHERWISE = 1
    NOT_HERE = 2
    MALFORMED = 4
    FAILED = 5


@dataclass(frozen=True, slots=True)
class Line:
    """One of the five lines of a report."""

    name: str
    text: str


@dataclass(frozen=True, slots=True)
class Report:
    """What re-checking found: always the lines parsed, signed, logged, evidence present, re-derived; and an exit code.

    `checks` are those of this run. `receipt` is None where the bytes are malformed.
    """

    lines: tuple[Line, ...]
    exit_code: Exit
    receipt: Receipt | None = None
    checks: tuple[Check, ...] = ()


@dataclass(frozen=True, slots=True)
class _Finding:
    """How the derivation ended."""

    code: Exit
    text: str
    checks: tuple[Check, ...] = ()


async def recheck(
    data: bytes, kinds: Mapping[str, Kind], *, fingerprint: str = "", budget: Budget | None = None
) -> Report:
    """Re-check the bytes of one receipt. Never raises for anything that is in them.

    `fingerprint` is the checker build that re-checks; where it differs from the receipt's, goals that differ are "not
    re-derivable here" rather than an answer. `budget` is the receipt's own unless given.
    """
    try:
        receipt = parse(data)
    except VerifierError as error:
        where = f"{error.place}: " if error.place else ""
        return Report(_lines(f"malformed: {where}{error.message}", "not looked at", "not looked at"), Exit.MALFORMED)
    try:
        finding = await _derive(receipt, kinds, fingerprint, budget or receipt.budget)
    except VerifierError as error:
        finding = _Finding(Exit.FAILED if error.code == "internal" else Exit.NOT_HERE, f"not here: {error.message}")
    except Exception as error:  # noqa: BLE001  # a failure of this tool must not read as one of the receipt
        finding = _Finding(Exit.FAILED, f"the tool failed: {type(error).__name__}: {error}")
    lines = _lines(f"receipt {receipt.id[:12]}, {_stated(receipt.verdict)}", _evidence(receipt), finding.text)
    return Report(lines, finding.code, receipt, finding.checks)


async def _derive(receipt: Receipt, kinds: Mapping[str, Kind], fingerprint: str, budget: Budget) -> _Finding:
    """Derive the verdict of a well-formed receipt again, and compare."""
    if receipt.certificate is None:
        return _Finding(Exit.NOT_HERE, f"nothing to derive: the verdict is {_stated(receipt.verdict)}")
    if (kind := kinds.get(receipt.kind)) is None:
        return _Finding(Exit.NOT_HERE, f"not here: claims of kind {receipt.kind!r} are not known")
    try:
        claim = kind.parse(receipt.body)
        if (mismatch := _identity(receipt, kind, claim)) is not None:
            return _otherwise(mismatch)
        checks = await derive(kind, claim, receipt.certificate, budget)
    except Unsupported as error:
        return _Finding(Exit.NOT_HERE, f"not here: {error.message}")
    except VerifierError as error:
        if error.exit_code != 4:
            raise
        return _otherwise(f"the claim cannot be read: {error.message}")
    return _compare(receipt, kind, claim, checks, same_build=fingerprint == receipt.fingerprint)


def _compare(receipt: Receipt, kind: Kind, claim: Claim, checks: tuple[Check, ...], *, same_build: bool) -> _Finding:
    """The finding that the checks of a derivation give."""
    assert receipt.certificate is not None
    certificate, failed = receipt.certificate, next((item for item in checks if item.result is not Result.PASS), None)
    match standing(checks):
        case Standing.NOT_HERE:
            assert failed is not None
            return _Finding(Exit.NOT_HERE, f"not here: {_told(failed)}", checks)
        case Standing.OTHERWISE:
            assert failed is not None
            if failed.obligation.role == "evidence" and not same_build:
                return _Finding(Exit.NOT_HERE, f"not here: another checker build made it: {_told(failed)}", checks)
            return _otherwise(_told(failed), checks)
        case Standing.HOLDS:
            pass
    side, key, annotations = certificate.side, certificate.claim_key, certificate.annotations
    derived = conclude(kind, claim, key, receipt.policy, side, annotations, checks, receipt.verdict.drafter)
    if derived is None:
        return _otherwise(f"the certificate does not satisfy the policy {receipt.policy.name!r}", checks)
    if fields := _differences(receipt.verdict, derived, same_build=same_build):
        return _otherwise(f"{_stated(derived)} was derived; {', '.join(fields)} differ from what is stated", checks)
    return _Finding(Exit.EQUAL, f"equal: {_stated(derived)}, {_count(len(checks), 'check')}", checks)


def _identity(receipt: Receipt, kind: Kind, claim: Claim) -> str | None:
    """What keeps the certificate from belonging to the claim, or None.

    Keys of another version of the canonical form cannot be compared; the obligations come from the claim itself anyway.
    """
    certificate = receipt.certificate
    assert certificate is not None
    if certificate.claim_key != receipt.claim_key or certificate.kind != receipt.kind:
        return "the certificate belongs to another claim"
    if receipt.manifest is None or manifest_root(kind.read(claim)) != manifest_root(receipt.manifest):
        return "what is read for the claim differs from the manifest"
    canonical = kind.canonicalise(claim)
    if receipt.canon_version != kind.canon_version:
        return None
    if claim_key(kind, canonical) != receipt.claim_key:
        return "the claim has another key"
    return None if sha256(canonical.text.encode("utf-8")) == receipt.canonical else "the canonical text differs"


def _differences(stated: Verdict, derived: Verdict, *, same_build: bool) -> list[str]:
    """The fields of a verdict that came out otherwise. Another build may word or group its checks in other ways."""
    left, right = verdict_to_json(stated), verdict_to_json(replace(derived, tried=stated.tried))
    if not same_build:
        for side in (left, right):
            side["checks"] = None
            side["counterexample"] = _arguments(side["counterexample"])
    return [field for field in left if left[field] != right[field]]


def _arguments(counterexample: Json) -> Json:
    """The arguments of a counterexample."""
    return counterexample["arguments"] if isinstance(counterexample, dict) else None


def _otherwise(text: str, checks: tuple[Check, ...] = ()) -> _Finding:
    """Derived otherwise."""
    return _Finding(Exit.OTHERWISE, f"otherwise: {text}", checks)


def _told(check: Check) -> str:
    """A check that did not pass, for people."""
    return f"{check.obligation.name}: {check.detail or check.result.value}"


def _stated(verdict: Verdict) -> str:
    """Outcome with grounds and level, or with its reason."""
    if verdict.grounds is None or verdict.level is None:
        return f"{verdict.outcome} ({verdict.reason})"
    return f"{verdict.outcome} by {verdict.grounds} at {verdict.level.name}"


def _evidence(receipt: Receipt) -> str:
    """The line about evidence."""
    certificate = receipt.certificate
    return "none" if certificate is None else _count(len(certificate.evidence), "piece")


def _count(number: int, noun: str) -> str:
    """`1 check`, `2 checks`."""
    return f"{number} {noun}{'' if number == 1 else 's'}"


def _lines(parsed: str, evidence: str, derived: str) -> tuple[Line, ...]:
    """The five lines. A receipt of this version is neither signed nor logged."""
    return (
        Line("parsed", parsed),
        Line("signed", "unsigned"),
        Line("logged", "not logged"),
        Line("evidence present", evidence),
        Line("re-derived", derived),
    )
