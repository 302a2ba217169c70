"""Writing a receipt."""

from __future__ import annotations

from verifier.codec import certificate_to_json, manifest_to_json
from verifier.keys import canonical_json, manifest_root, sha256
from verifier.model import Json
from verifier.receipt.statement import ISSUER, PREDICATE, STATEMENT, Receipt, identity, limits, subjects
from verifier.verdicts import verdict_to_json


def build(receipt: Receipt) -> dict[str, Json]:
    """The statement as JSON, complete with its `id` (any `id` of the argument is ignored)."""
    claim: Json = {"kind": receipt.kind, "body": dict(receipt.body)}
    attachments: dict[str, Json] = {}
    statement: dict[str, Json] = {
        "_type": STATEMENT,
        "subject": subjects(claim, receipt.canonical),
        "predicateType": PREDICATE,
        "predicate": {
            "verifier": {"id": ISSUER, "version": receipt.version},
            "claim": {
                "kind": receipt.kind,
                "name": receipt.name,
                "digest": _attach(attachments, claim),
                "key": receipt.claim_key,
                "canonical": receipt.canonical,
            },
            "canonVersion": receipt.canon_version,
            "policy": {"uri": receipt.policy.name, "digest": _attach(attachments, receipt.policy.to_json())},
            **_outcome(receipt),
            "checkers": [_checker(receipt, attachments)],
            "manifest": _manifest(receipt, attachments),
            "cache": {"rung": receipt.hit.rung, "rederived": receipt.hit.rederived},
            "timeVerified": receipt.time,
            "attachments": attachments,
        },
    }
    predicate = statement["predicate"]
    assert isinstance(predicate, dict)
    predicate["id"] = identity(statement)
    return statement


def encode(statement: dict[str, Json]) -> bytes:
    """The bytes of a receipt: exactly its canonical JSON, without a final newline."""
    return canonical_json(statement)


def receipt_id(statement: dict[str, Json]) -> str:
    """The `id` of a statement that `build` made."""
    predicate = statement["predicate"]
    assert isinstance(predicate, dict)
    return str(predicate["id"])


def _outcome(receipt: Receipt) -> dict[str, Json]:
    """The verdict, with the untrusted story of its drafts apart."""
    verdict = verdict_to_json(receipt.verdict)
    drafts: Json = {"drafter": verdict.pop("drafter"), "tried": verdict.pop("tried")}
    return {**verdict, "draft": drafts}


def _checker(receipt: Receipt, attachments: dict[str, Json]) -> Json:
    """The checker build, what it accepted, and within which limits."""
    certificate = receipt.certificate
    return {
        "fingerprint": receipt.fingerprint,
        "certificate": None if certificate is None else _attach(attachments, certificate_to_json(certificate)),
        "outcome": receipt.verdict.outcome.value,
        "limits": limits(receipt.budget),
    }


def _manifest(receipt: Receipt, attachments: dict[str, Json]) -> Json:
    """What was read, and its root."""
    if receipt.manifest is None:
        return None
    entries = manifest_to_json(receipt.manifest)
    return {"root": manifest_root(receipt.manifest), "digest": _attach(attachments, entries)}


def _attach(attachments: dict[str, Json], content: Json) -> str:
    """Attach content under its SHA-256, and return that."""
    key = sha256(canonical_json(content))
    attachments[key] = content
    return key
