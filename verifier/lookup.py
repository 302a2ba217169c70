"""The two rungs of the cache that this file climbs: `replay`, then `canonical`. Each proposes; checks decide.

`replay` serves the record of an identical request: same claim as submitted, same reads, same policy, same checker
build, authentic, its certificate still in service. It is the one answer that is not derived again, and says so.
`canonical` takes the certificates of the claim key, re-instantiates them through the renaming, regenerates all
obligations and checks every one.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from verifier.case import Case
from verifier.decision import conclude
from verifier.derivation import FORMS, Standing, examine, standing
from verifier.errors import Unsupported, VerifierError
from verifier.fields import Fields
from verifier.keys import certificate_id
from verifier.model import (
    Annotations,
    Canonical,
    Certificate,
    Check,
    Evidence,
    Hit,
    Json,
    Obligation,
    Outcome,
    Result,
    Verdict,
)
from verifier.shelf import Mode, Shelf
from verifier.verdicts import verdict_from_json, verdict_to_json

RECORD = 1
"""Format of the records of finished requests."""


@dataclass(frozen=True, slots=True)
class Found:
    """A verdict from the store, and its rung."""

    verdict: Verdict
    hit: Hit


def write_record(case: Case, verdict: Verdict, fingerprint: str, search: str) -> dict[str, Json]:
    """The record of a finished request: everything that has to be equal again, and the verdict."""
    certificate = verdict.certificate
    return {
        "format": RECORD,
        "request": case.request_key,
        "claim": case.submitted,
        "manifest": case.reads,
        "policy": case.policy,
        "fingerprint": fingerprint,
        "search": search,
        "units": case.request.budget.units,
        "certificate": None if certificate is None else certificate_id(certificate),
        "verdict": verdict_to_json(verdict),
    }


async def replay(case: Case, shelf: Shelf, fingerprint: str, search: str) -> Found | None:
    """The record of the identical request, if there is one that may answer."""
    record = await shelf.recall(case.request_key)
    if record is None:
        return None
    try:
        verdict = await _read_record(record, case, shelf, fingerprint, search)
    except VerifierError:
        return None  # a record of another format is no answer; it is overwritten by the next
    return None if verdict is None else Found(verdict, Hit("replay", rederived=False))


async def _read_record(
    record: Mapping[str, Json], case: Case, shelf: Shelf, fingerprint: str, search: str
) -> Verdict | None:
    """The verdict of a record in which everything is equal again, or None."""
    fields = Fields(record, "record")
    if fields.number("format") != RECORD:
        return None
    same = (
        fields.text("request") == case.request_key,
        fields.text("claim") == case.submitted,
        fields.text("manifest") == case.reads,
        fields.text("policy") == case.policy,
        fields.text("fingerprint") == fingerprint,
    )
    searched, units, key = fields.text("search"), fields.number("units"), fields.text_or_none("certificate")
    certificate = None if key is None else await shelf.get(key)
    if not all(same) or (key is not None and (certificate is None or certificate.claim_key != case.claim_key)):
        return None
    verdict = verdict_from_json(fields.take("verdict"), "record.verdict", certificate)
    fields.close()
    if verdict.outcome is Outcome.REFUTED and certificate is not None:
        # A counterexample names the file that the claim was found in, which is no part of the record.
        counterexample = case.kind.counterexample(case.claim, certificate.evidence)
        return replace(verdict, counterexample=counterexample)
    if verdict.outcome is Outcome.UNDECIDED:
        # A spent budget says nothing about a larger one, about other drafters, or about a draft of the submitter's.
        equal = searched == search and case.request.draft is None
        return verdict if equal and units >= case.request.budget.units else None
    return verdict


async def canonical(case: Case, shelf: Shelf) -> Found | None:
    """The first certificate of the claim key that derives a verdict which the policy accepts.

    Certificates in the claim's own names come first. One that fails for its own canonical text is quarantined; one
    that could only not be derived here (budget, missing solver) is passed over. In audit mode every certificate is
    derived, and two that argue for opposite sides are both quarantined.
    """
    found: dict[str, Verdict] = {}
    held = await shelf.by_claim(case.claim_key)
    for key, certificate, renaming in sorted(held, key=lambda entry: not _same_names(case, entry[2])):
        verdict, failure = await _rederive(case, certificate, renaming)
        if failure is not None:
            await shelf.quarantine(key, f"does not derive its verdict again: {failure}")
        if verdict is not None:
            found[key] = verdict
            if shelf.mode is not Mode.AUDIT:
                break
    if len({verdict.outcome for verdict in found.values()}) > 1:
        for key in found:
            await shelf.quarantine(key, "certificates for opposite sides of one claim both derive")
        return None
    return next((Found(verdict, Hit("canonical", rederived=True)) for verdict in found.values()), None)


async def compare(case: Case, shelf: Shelf, found: Found | None) -> None:
    """Audit: hold the record of the request against what was derived; if they differ, quarantine what it rests on."""
    record = await shelf.recall(case.request_key)
    if record is None or found is None:
        return
    verdict, key = record.get("verdict"), record.get("certificate")
    outcome = verdict.get("outcome") if isinstance(verdict, dict) else None
    if isinstance(key, str) and outcome != found.verdict.outcome.value:
        await shelf.quarantine(key, f"its record says {outcome}, but {found.verdict.outcome.value} was derived")


async def _rederive(
    case: Case, certificate: Certificate, renaming: Mapping[str, str]
) -> tuple[Verdict | None, str | None]:
    """The verdict that a stored certificate derives for this claim, or what speaks against the certificate, or neither.

    Its evidence binds the obligations of the claim that it was made for; those of a renamed twin carry other names. So
    the evidence is only offered here, and a twin's certificate is made of what the checks left.
    """
    kind, budget = case.kind, case.request.budget
    if (certificate.kind, certificate.claim_key) != (kind.name, case.claim_key):
        return None, "it was filed under another claim"
    try:
        annotations, evidence = _transfer(case, certificate, renaming)
        obligations = kind.obligations(case.claim, certificate.side, annotations)
    except Unsupported:
        raise
    except VerifierError as error:
        if error.exit_code != 4:
            raise
        return None, error.message
    offers = _pair(obligations, evidence)
    checks = await examine(kind, case.claim, obligations, lambda item: offers.get(item.digest), budget)
    match standing(checks):
        case Standing.HOLDS:
            policy, side = case.request.policy, certificate.side
            verdict = conclude(kind, case.claim, case.claim_key, policy, side, annotations, checks, "index")
            exact = [item.obligation for item in certificate.evidence] == [item.digest for item in obligations]
            if verdict is not None and exact and _same_names(case, renaming):
                verdict = replace(verdict, certificate=certificate)
            return verdict, None
        case Standing.OTHERWISE:
            return None, _failure(checks)
        case Standing.NOT_HERE:
            return None, None


def _transfer(
    case: Case, certificate: Certificate, renaming: Mapping[str, str]
) -> tuple[Annotations, tuple[Evidence, ...]]:
    """Annotations and evidence in the names of this claim."""
    if _same_names(case, renaming):
        return certificate.annotations, certificate.evidence
    source = Canonical(case.canonical.text, renaming)
    evidence = tuple(
        Evidence(item.obligation, item.form, case.kind.carry(item.data, source, case.canonical))
        for item in certificate.evidence
    )
    return case.kind.rename(certificate.annotations, source, case.canonical), evidence


def _same_names(case: Case, renaming: Mapping[str, str]) -> bool:
    """Whether a certificate was made for a claim in the same names."""
    return dict(renaming) == dict(case.canonical.renaming)


def _pair(obligations: Sequence[Obligation], evidence: Sequence[Evidence]) -> dict[str, Evidence]:
    """Evidence to offer for each obligation: its own, else the next unclaimed piece of the right form, in order."""
    own = {item.obligation: item for item in evidence}
    wanted = {obligation.digest for obligation in obligations}
    spare = [item for item in evidence if item.obligation not in wanted]
    offers = {key: item for key, item in own.items() if key in wanted}
    for obligation in obligations:
        if obligation.digest in offers:
            continue
        fit = next((item for item in spare if item.form == FORMS.get(obligation.form)), None)
        if fit is not None:
            spare.remove(fit)
            offers[obligation.digest] = Evidence(obligation.digest, fit.form, fit.data)
    return offers


def _failure(checks: Sequence[Check]) -> str:
    """The first check that did not pass, for people."""
    failed = next(check for check in checks if check.result is not Result.PASS)
    return f"{failed.obligation.name}: {failed.detail or failed.result.value}"
