"""A certificate store as one request sees it: one tenant, one mode, and failures that are noted once.

A store that fails never changes a verdict. After its first failure the shelf stays closed for the request, the request
goes on as without a store, and the failure is handed back beside the verdict.
"""

from __future__ import annotations

from collections.abc import Awaitable, Mapping, Sequence
from enum import StrEnum
from typing import TypeVar

from verifier.errors import VerifierError
from verifier.model import Certificate, Json
from verifier.ports import CertificateStore

T = TypeVar("T")


class Mode(StrEnum):
    """What a request may do with the store.

    `off` touches nothing. `read` looks up only. `read-write` also stores. `read-enforcing` looks up, and a miss is an
    error. `audit` believes no record: certificates are derived again and compared with it, and whatever diverges is
    quarantined.
    """

    OFF = "off"
    READ = "read"
    READ_WRITE = "read-write"
    READ_ENFORCING = "read-enforcing"
    AUDIT = "audit"


class Shelf:
    """One request's view of a store. `error` is the first failure; `incidents` are what has to be told to people."""

    def __init__(self, store: CertificateStore | None, scope: str, mode: Mode) -> None:
        self.scope, self.mode = scope, mode
        self.error: VerifierError | None = None
        self.incidents: list[str] = []
        self._store = store if mode is not Mode.OFF else None

    @property
    def writable(self) -> bool:
        """Whether this request may store and quarantine."""
        return self.mode in (Mode.READ_WRITE, Mode.AUDIT)

    async def recall(self, request_key: str) -> Mapping[str, Json] | None:
        """The authentic record of an identical request, or None."""
        return None if self._store is None else await self._try(self._store.recall(self.scope, request_key), None)

    async def get(self, certificate_id: str) -> Certificate | None:
        """A certificate by its content address, or None."""
        return None if self._store is None else await self._try(self._store.get(self.scope, certificate_id), None)

    async def by_claim(self, claim_key: str) -> Sequence[tuple[str, Certificate, Mapping[str, str]]]:
        """Every certificate of a claim key."""
        return () if self._store is None else await self._try(self._store.by_claim(self.scope, claim_key), ())

    async def put(self, certificate: Certificate, renaming: Mapping[str, str]) -> None:
        """Keep a certificate, where this request may."""
        if self._store is not None and self.writable:
            await self._try(self._store.put(self.scope, certificate, renaming), "")

    async def remember(self, request_key: str, record: Mapping[str, Json]) -> None:
        """Keep the record of this request, where it may."""
        if self._store is not None and self.writable:
            await self._try(self._store.remember(self.scope, request_key, record), None)

    async def quarantine(self, certificate_id: str, why: str) -> None:
        """Take a certificate out of service (or only report it, where this request may not write)."""
        self.incidents.append(f"certificate {certificate_id[:12]}: {why}")
        if self._store is not None and self.writable:
            await self._try(self._store.quarantine(self.scope, certificate_id, why), None)

    async def _try(self, call: Awaitable[T], otherwise: T) -> T:
        """The answer of the store; at its first failure the shelf closes."""
        try:
            return await call
        except VerifierError as error:
            if error.code != "store-unavailable":
                raise
            self.error, self._store = error, None
            return otherwise
