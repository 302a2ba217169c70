"""The Protocols through which the pipeline reaches everything outside the core. Declared with an implementation only.

All ports are asynchronous where they may wait. A port never decides: only a `Kind`'s checks do.
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Protocol

from verifier.model import (
    Annotations,
    Budget,
    Canonical,
    Certificate,
    Check,
    Claim,
    Counterexample,
    Draft,
    Evidence,
    Grounds,
    Json,
    Manifest,
    Obligation,
    Side,
)


class Resolver(Protocol):
    """The only way for a kind to read anything beside the claim's body; it records what was asked."""

    def lookup(self, resolver: str, name: str) -> str | None:
        """The text behind a name, or None; both answers enter the manifest."""
        ...


class Kind(Protocol):
    """One sort of claim: how it is read, made canonical, turned into obligations, and checked. Trusted."""

    @property
    def name(self) -> str:
        """The registered name, such as `contract`."""
        ...

    @property
    def canon_version(self) -> int:
        """Version of the canonical form; part of every claim key."""
        ...

    def parse(self, body: Mapping[str, Json]) -> Claim:
        """The claim in normal form. Raises VerifierError (bad input) or Unsupported."""
        ...

    def canonicalise(self, claim: Claim) -> Canonical:
        """The canonical text and the renaming into it. Raises like `parse`."""
        ...

    def read(self, claim: Claim) -> Manifest:
        """What the claim depends on, failed look-ups included."""
        ...

    def obligations(self, claim: Claim, side: Side, annotations: Annotations) -> tuple[Obligation, ...]:
        """Everything that must pass for `side` to hold under these annotations. Raises VerifierError (`bad-draft`)."""
        ...

    async def check(self, claim: Claim, obligation: Obligation, evidence: Evidence | None, budget: Budget) -> Check:
        """Decide one obligation. `evidence` may carry untrusted data (a witness, a model) and is never believed."""
        ...

    async def admit(self, claim: Claim, side: Side, evidence: Sequence[Evidence], budget: Budget) -> Check | None:
        """A last cross-check before a *fresh* certificate is accepted (real execution in the sandbox), or None.

        A result other than pass withholds the verdict. Not run by `recheck`.
        """
        ...

    def grounds(self, side: Side, evidence: Sequence[Evidence]) -> Grounds:
        """The grounds that accepted evidence gives."""
        ...

    def counterexample(self, claim: Claim, evidence: Sequence[Evidence]) -> Counterexample | None:
        """The counterexample that a refutation's evidence shows, for people."""
        ...

    def rename(self, annotations: Annotations, source: Canonical, target: Canonical) -> Annotations:
        """Annotations of one claim re-instantiated for another with the same canonical text."""
        ...

    def carry(self, witness: Json, source: Canonical, target: Canonical) -> Json:
        """A witness or model of one claim re-instantiated for another with the same canonical text."""
        ...


@dataclass(frozen=True, slots=True)
class Trail:
    """What one drafter leaves beside its drafts: why it has none, for `tried` and for the reason of `undecided`."""

    drafts: tuple[Draft, ...] = ()
    notes: tuple[str, ...] = ()
    hints: Mapping[str, Json] = field(default_factory=dict)


class Drafter(Protocol):
    """Proposes drafts. Untrusted. Drafters run in fixed order; the first draft that the checker accepts wins."""

    @property
    def name(self) -> str:
        """Named in the verdict, such as `templates`."""
        ...

    async def draft(self, claim: Claim, budget: Budget, hints: Sequence[Draft]) -> Trail:
        """Drafts in the order in which to try them; `hints` are earlier or neighbouring drafts."""
        ...


class CertificateStore(Protocol):
    """Keeps certificates and records, content-addressed. `scope` is the tenant; a foreign scope sees nothing.

    Idempotent. Raises VerifierError (`store-unavailable`) when it cannot read or write; a corrupted entry is
    quarantined and reads as absent.
    """

    async def put(self, scope: str, certificate: Certificate, renaming: Mapping[str, str]) -> str:
        """Store a certificate with the renaming of the claim that it was made for; returns its id."""
        ...

    async def get(self, scope: str, certificate_id: str) -> Certificate | None:
        """The certificate with this id, or None."""
        ...

    async def by_claim(self, scope: str, claim_key: str) -> Sequence[tuple[str, Certificate, Mapping[str, str]]]:
        """`(id, certificate, renaming)` of every certificate of a claim key, oldest id order fixed."""
        ...

    async def quarantine(self, scope: str, certificate_id: str, why: str) -> None:
        """Take a certificate, and every record that rests on it, out of service; keep it for inspection."""
        ...

    def iterate(self, scope: str, cursor: str | None = None) -> AsyncIterator[tuple[str, Certificate]]:
        """Every certificate after `cursor`, in id order."""
        ...

    async def pin(self, scope: str, certificate_id: str) -> None:
        """Keep a certificate through `delete_unpinned`."""
        ...

    async def delete_unpinned(self, scope: str) -> int:
        """Delete certificates that are not pinned, with their records; returns how many."""
        ...

    async def remember(self, scope: str, request_key: str, record: Mapping[str, Json]) -> None:
        """Store the authenticated record of a finished request (rung `replay`)."""
        ...

    async def recall(self, scope: str, request_key: str) -> Mapping[str, Json] | None:
        """The record of an identical request if it is authentic, else None."""
        ...
