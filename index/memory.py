"""A certificate store in memory: for one process, for tests of everything that needs a store, and for `--no-cache` runs
that still want single proofs within the run. The same contract as the file store, by the same test suite.
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Mapping, Sequence
from dataclasses import dataclass, field

from index.shelving import Stats, checked_key, checked_scope, rests_on
from verifier.codec import certificate_from_json, certificate_to_json
from verifier.keys import canonical_json, certificate_id
from verifier.model import Certificate, Json


@dataclass(slots=True)
class _Tenant:
    """Everything of one tenant."""

    certificates: dict[str, tuple[Certificate, dict[str, str]]] = field(default_factory=dict)
    records: dict[str, dict[str, Json]] = field(default_factory=dict)
    pins: set[str] = field(default_factory=set)
    quarantined: dict[str, tuple[Certificate | None, str]] = field(default_factory=dict)


class MemoryStore:
    """A CertificateStore that forgets when the process ends."""

    def __init__(self) -> None:
        self._tenants: dict[str, _Tenant] = {}

    async def put(self, scope: str, certificate: Certificate, renaming: Mapping[str, str]) -> str:
        """Store a certificate; one in quarantine stays there."""
        tenant, key = self._tenant(scope), certificate_id(certificate)
        checked_key(certificate.claim_key)
        if key not in tenant.quarantined:
            frozen = certificate_from_json(certificate_to_json(certificate))
            tenant.certificates.setdefault(key, (frozen, dict(renaming)))
        return key

    async def get(self, scope: str, certificate_id: str) -> Certificate | None:
        """A certificate in service."""
        entry = self._tenant(scope).certificates.get(checked_key(certificate_id))
        return None if entry is None else entry[0]

    async def by_claim(self, scope: str, claim_key: str) -> Sequence[tuple[str, Certificate, Mapping[str, str]]]:
        """The certificates of a claim key, in id order."""
        checked_key(claim_key)
        found = sorted(self._tenant(scope).certificates.items(), key=lambda item: item[0])
        return [(key, held, renaming) for key, (held, renaming) in found if held.claim_key == claim_key]

    async def quarantine(self, scope: str, certificate_id: str, why: str) -> None:
        """Take a certificate and every record that rests on it out of service."""
        tenant, key = self._tenant(scope), checked_key(certificate_id)
        entry = tenant.certificates.pop(key, None)
        tenant.quarantined.setdefault(key, (None if entry is None else entry[0], why))
        tenant.pins.discard(key)
        tenant.records = {name: held for name, held in tenant.records.items() if rests_on(held) != key}

    async def iterate(self, scope: str, cursor: str | None = None) -> AsyncIterator[tuple[str, Certificate]]:
        """Every certificate after the cursor, in id order."""
        held = self._tenant(scope).certificates
        for key in sorted(held):
            if (cursor is None or key > cursor) and key in held:
                yield key, held[key][0]

    async def pin(self, scope: str, certificate_id: str) -> None:
        """Keep a certificate through `delete_unpinned`."""
        tenant = self._tenant(scope)
        if checked_key(certificate_id) in tenant.certificates:
            tenant.pins.add(certificate_id)

    async def delete_unpinned(self, scope: str) -> int:
        """Delete certificates that are not pinned, with their records."""
        tenant = self._tenant(scope)
        gone = set(tenant.certificates) - tenant.pins
        tenant.certificates = {key: entry for key, entry in tenant.certificates.items() if key not in gone}
        tenant.records = {name: held for name, held in tenant.records.items() if rests_on(held) not in gone}
        return len(gone)

    async def remember(self, scope: str, request_key: str, record: Mapping[str, Json]) -> None:
        """Store the record of a finished request; this process is its own authority."""
        tenant = self._tenant(scope)
        if rests_on(record) not in tenant.quarantined:
            tenant.records[checked_key(request_key)] = dict(record)

    async def recall(self, scope: str, request_key: str) -> Mapping[str, Json] | None:
        """The record of an identical request, if what it rests on is in service."""
        tenant = self._tenant(scope)
        record = tenant.records.get(checked_key(request_key))
        if record is None or (rests_on(record) is not None and rests_on(record) not in tenant.certificates):
            return None
        return dict(record)

    async def stats(self, scope: str) -> Stats:
        """Counts, and bytes of canonical JSON."""
        tenant = self._tenant(scope)
        held = [canonical_json(certificate_to_json(entry)) for entry, _ in tenant.certificates.values()]
        held += [canonical_json(record) for record in tenant.records.values()]
        size = sum(map(len, held))
        return Stats(len(tenant.certificates), len(tenant.records), len(tenant.pins), len(tenant.quarantined), size)

    def _tenant(self, scope: str) -> _Tenant:
        """One tenant's part."""
        return self._tenants.setdefault(checked_scope(scope), _Tenant())
