"""What travels along the road: the request, the admitted case, and the result that comes out."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

from verifier.errors import VerifierError
from verifier.keys import claim_digest, claim_key, input_root, manifest_root, request_key
from verifier.model import BUDGETS, Budget, Canonical, Check, Claim, Draft, Hit, Manifest, Verdict
from verifier.policy import NAMED, Policy
from verifier.ports import Kind

Progress = Callable[[str, str], None]
"""Called with a stage (`admit`, `look up`, `draft`, `check`, `decide`, `record`) and a detail for people."""


def silent(stage: str, detail: str) -> None:
    """Progress that nobody watches."""


@dataclass(frozen=True, slots=True)
class Request:
    """A claim, the policy that its verdict must satisfy, the budget, and perhaps the submitter's own draft."""

    claim: Claim
    policy: Policy = NAMED["proof"]
    budget: Budget = BUDGETS["small"]
    draft: Draft | None = None


@dataclass(frozen=True, slots=True)
class Case:
    """A request whose claim its kind has admitted: canonical, read, and keyed.

    `submitted`, `reads` and `policy` are the digests of the claim as submitted, the manifest and the policy.
    """

    request: Request
    kind: Kind
    claim: Claim
    canonical: Canonical
    manifest: Manifest
    submitted: str
    reads: str
    policy: str
    claim_key: str
    request_key: str


@dataclass(frozen=True, slots=True)
class Attempt:
    """One draft and what the checks said about it; `explain` shows them."""

    draft: Draft
    checks: tuple[Check, ...]


@dataclass(frozen=True, slots=True)
class Result:
    """A verdict, how it was found, its receipt (canonical JSON), and what has to be told beside it.

    `store_error` is a failure of the store: the verdict stands, it was only not looked up or not kept. `incidents` name
    quarantined certificates and diverging records. `attempts` are the drafts that were checked in this run.
    """

    claim: Claim
    verdict: Verdict
    hit: Hit
    receipt: bytes
    receipt_id: str
    claim_key: str | None = None
    attempts: tuple[Attempt, ...] = field(default=(), repr=False)
    incidents: tuple[str, ...] = ()
    store_error: VerifierError | None = None


def open_case(request: Request, kind: Kind, fingerprint: str, scope: str) -> Case:
    """Admit a request: parse, make canonical, read, and key. Raises VerifierError, or Unsupported with its place."""
    parsed = kind.parse(request.claim.body)
    claim = Claim(parsed.kind, parsed.body, request.claim.name or parsed.name, request.claim.origin)
    canonical, manifest = kind.canonicalise(claim), kind.read(claim)
    key, submitted, reads, policy = (
        claim_key(kind, canonical),
        claim_digest(claim),
        manifest_root(manifest),
        request.policy.digest,
    )
    root = input_root(submitted, reads)
    request_id = request_key(claim=key, policy=policy, fingerprint=fingerprint, root=root, scope=scope)
    return Case(request, kind, claim, canonical, manifest, submitted, reads, policy, key, request_id)
