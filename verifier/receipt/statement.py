"""The shape of a receipt: an in-toto Statement v1 with our predicate, as typed data.

Everything that a verdict rests on is attached, each attachment under its SHA-256: the claim as submitted, the policy,
the manifest of reads, and the certificate. A receipt is exactly the bytes of its canonical JSON. It is unsigned: who
made it is not shown, only whether its verdict can be derived again.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from verifier.keys import canonical_json, sha256
from verifier.model import Budget, Certificate, Hit, Json, Manifest, Verdict
from verifier.policy import Policy

STATEMENT = "https://in-toto.io/Statement/v1"
"""`_type` of the statement (in-toto attestation framework, Statement v1)."""

PREDICATE = "urn:generative-verifier:verdict/v1"
"""`predicateType`. Every field of this version is critical: a reader that does not know one must refuse."""

ISSUER = "urn:generative-verifier"
"""`verifier.id`: the software that decided (SLSA VSA borrows the same field for an installation)."""

SIZE_LIMIT = 16 * 2**20
"""Bytes that a receipt may have."""


@dataclass(frozen=True, slots=True)
class Receipt:
    """A well-formed receipt. Nothing in it is believed before its verdict is derived again.

    `claim_key` and `canonical` (SHA-256 of the canonical text) are None where the claim left the subset before it could
    be made canonical. `time` is RFC 3339 in UTC. `id` is the digest of everything else in the statement.
    """

    kind: str
    name: str
    body: Mapping[str, Json]
    claim_key: str | None
    canonical: str | None
    canon_version: int
    policy: Policy
    budget: Budget
    manifest: Manifest | None
    verdict: Verdict
    hit: Hit
    fingerprint: str
    version: str
    time: str | None
    id: str = ""

    @property
    def certificate(self) -> Certificate | None:
        """The certificate that the verdict rests on."""
        return self.verdict.certificate


def subjects(claim: Json, canonical: str | None) -> list[Json]:
    """What a receipt speaks of: the claim, its canonical text, and each text of its body by the digest of its file."""
    assert isinstance(claim, dict)
    body = claim["body"]
    assert isinstance(body, dict)
    found = [("claim", sha256(canonical_json(claim)))]
    found += [("canonical", canonical)] if canonical is not None else []
    found += [
        (f"body.{field}", sha256(text.encode("utf-8"))) for field, text in sorted(body.items()) if type(text) is str
    ]
    return [{"name": name, "digest": {"sha256": value}} for name, value in found]


def limits(budget: Budget) -> dict[str, Json]:
    """The deterministic limits of a budget, in its units."""
    return {
        "budget": budget.name,
        "units": budget.units,
        "resources": budget.resources,
        "steps": budget.steps,
        "examples": budget.examples,
    }


def identity(statement: Mapping[str, Json]) -> str:
    """The digest of a statement without its own `id`: what any altered bit breaks."""
    predicate = statement["predicate"]
    assert isinstance(predicate, dict)
    rest = {field: value for field, value in predicate.items() if field != "id"}
    return sha256(canonical_json({**statement, "predicate": rest}))
