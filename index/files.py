"""The file store: a folder of content-addressed entries, safe for several processes at once.

    FOLDER/SCOPE/certificates/aa/bb/ID.json     certificate, and the renaming of the claim that it was made for
    FOLDER/SCOPE/claims/aa/CLAIM_KEY/ID         empty marker: this certificate hangs on this claim key
    FOLDER/SCOPE/records/aa/REQUEST_KEY.json    record of a finished request, authenticated
    FOLDER/SCOPE/rests/aa/ID/REQUEST_KEY        empty marker: this record rests on this certificate
    FOLDER/SCOPE/pins/ID                        empty marker
    FOLDER/SCOPE/quarantine/NAME                what was taken out of service, and NAME.why
    FOLDER/SCOPE/scratch/                       files on their way into place

Nothing in the folder is trusted. Certificates are checked again by whoever uses them. Digests are checked on each read,
and an entry that does not match is moved to quarantine, named in `warnings`, and reads as absent. Records are verdicts
without a proof, so each carries an HMAC-SHA256 under a key that lives outside the folder: a folder that was
shared, restored or tampered with cannot serve a forged verdict. Markers are only hints for finding entries.
"""

from __future__ import annotations

import asyncio
import hmac
import json
import os
from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import TypeVar

from index.disk import disk, make_folder, read_whole, secret_key, touch, write_whole
from index.shelving import Stats, checked_key, checked_scope, is_key, rests_on
from verifier.codec import certificate_from_json, certificate_to_json
from verifier.errors import VerifierError
from verifier.fields import Fields, json_value
from verifier.keys import canonical_json, certificate_id, digest
from verifier.model import Certificate, Json

T = TypeVar("T")
_Entry = tuple[Certificate, dict[str, str]]


class FileStore:
    """A CertificateStore in a folder. `key_file` must lie outside it.

    `warnings` names every entry that was found damaged or not authentic; `on_warning` is told at once.
    Raises VerifierError (`store-unavailable`) for whatever the disk refuses, `bad-config` for unusable names and paths.
    """

    def __init__(self, folder: Path, key_file: Path, on_warning: Callable[[str], None] | None = None) -> None:
        self.folder, self.key_file = Path(folder), Path(key_file)
        self.warnings: list[str] = []
        self._on_warning = on_warning
        self._key: bytes | None = None
        if self.key_file.resolve().is_relative_to(self.folder.resolve()):
            raise VerifierError("bad-config", "the key of the store must lie outside its folder", place=str(key_file))

    async def put(self, scope: str, certificate: Certificate, renaming: Mapping[str, str]) -> str:
        """Store a certificate; one that was taken out of service stays out."""
        return await self._run("store a certificate", self._put, scope, certificate, renaming)

    async def get(self, scope: str, certificate_id: str) -> Certificate | None:
        """A certificate in service."""
        entry = await self._run("read a certificate", self._read, checked_scope(scope), checked_key(certificate_id))
        return None if entry is None else entry[0]

    async def by_claim(self, scope: str, claim_key: str) -> Sequence[tuple[str, Certificate, Mapping[str, str]]]:
        """The certificates of a claim key, in id order."""
        return await self._run("look up a claim", self._by_claim, checked_scope(scope), checked_key(claim_key))

    async def quarantine(self, scope: str, certificate_id: str, why: str) -> None:
        """Take a certificate and every record that rests on it out of service; keep it for inspection."""
        await self._run("quarantine", self._quarantine, checked_scope(scope), checked_key(certificate_id), why)

    async def iterate(self, scope: str, cursor: str | None = None) -> AsyncIterator[tuple[str, Certificate]]:
        """Every certificate after the cursor, in id order."""
        for key in await self._run("list certificates", self._ids, checked_scope(scope)):
            if cursor is None or key > cursor:
                if (certificate := await self.get(scope, key)) is not None:
                    yield key, certificate

    async def pin(self, scope: str, certificate_id: str) -> None:
        """Keep a certificate through `delete_unpinned`."""
        if await self.get(scope, certificate_id) is not None:
            await self._run("pin", touch, self._place(scope, "pins", certificate_id))

    async def delete_unpinned(self, scope: str) -> int:
        """Delete certificates that are not pinned, with their records."""
        return await self._run("delete certificates", self._delete_unpinned, checked_scope(scope))

    async def remember(self, scope: str, request_key: str, record: Mapping[str, Json]) -> None:
        """Store the record of a finished request under this installation's key."""
        await self._run("store a record", self._remember, checked_scope(scope), checked_key(request_key), record)

    async def recall(self, scope: str, request_key: str) -> Mapping[str, Json] | None:
        """The record of an identical request, if it is authentic and what it rests on is in service."""
        return await self._run("read a record", self._recall, checked_scope(scope), checked_key(request_key))

    async def stats(self, scope: str) -> Stats:
        """Counts, and bytes on disk."""
        return await self._run("count entries", self._stats, checked_scope(scope))

    # --- certificates -------------------------------------------------------------------------------------------

    def _put(self, scope: str, certificate: Certificate, renaming: Mapping[str, str]) -> str:
        key = certificate_id(certificate)
        path = self._certificate(checked_scope(scope), key)
        if self._withdrawn(scope, key):
            return key
        claim_key = checked_key(certificate.claim_key)
        marker = self._place(scope, "claims", claim_key[:2], claim_key, key)
        if self._read(scope, key) is None:
            content: dict[str, Json] = {
                "certificate": certificate_to_json(certificate), "renaming": dict(renaming),
            }  # fmt: skip
            write_whole(path, _sealed(content), self._place(scope, "scratch"))
        touch(marker)
        return key

    def _read(self, scope: str, key: str) -> _Entry | None:
        """One entry whose digests hold; another is quarantined and absent."""
        path = self._certificate(scope, key)
        if (data := read_whole(path)) is None or self._withdrawn(scope, key):
            return None
        try:
            fields = Fields(_unsealed(data), "entry")
            certificate = certificate_from_json(fields.take("certificate"))
            renaming = {name: str(value) for name, value in fields.mapping("renaming").items()}
            fields.close()
            if certificate_id(certificate) != key:
                raise fields.error("holds another certificate than its name says")
        except (VerifierError, ValueError, RecursionError) as error:
            self._damaged(scope, path, str(error))
            return None
        return certificate, renaming

    def _by_claim(self, scope: str, claim_key: str) -> list[tuple[str, Certificate, Mapping[str, str]]]:
        folder = self._place(scope, "claims", claim_key[:2], claim_key)
        found: list[tuple[str, Certificate, Mapping[str, str]]] = []
        for key in filter(is_key, _names(folder)):
            entry = self._read(scope, key)
            if entry is not None and entry[0].claim_key == claim_key:
                found.append((key, *entry))
        return found

    def _ids(self, scope: str) -> list[str]:
        """The ids of all certificate entries, sorted."""
        root = self._place(scope, "certificates")
        leaves = (root / first / second for first in _names(root) for second in _names(root / first))
        names = (name.removesuffix(".json") for leaf in leaves for name in _names(leaf))
        return sorted(filter(is_key, names))

    def _delete_unpinned(self, scope: str) -> int:
        pinned = set(_names(self._place(scope, "pins")))
        gone = [key for key in self._ids(scope) if key not in pinned]
        for key in gone:
            entry = self._read(scope, key)
            self._drop_records(scope, key)
            _remove(self._certificate(scope, key))
            if entry is not None:
                _remove(self._place(scope, "claims", entry[0].claim_key[:2], entry[0].claim_key, key))
        return len(gone)

    # --- records ------------------------------------------------------------------------------------------------

    def _remember(self, scope: str, request_key: str, record: Mapping[str, Json]) -> None:
        if (key := rests_on(record)) is not None:
            if self._withdrawn(scope, key):
                return
            touch(self._place(scope, "rests", key[:2], key, request_key))
        content: dict[str, Json] = {"record": dict(record), "mac": self._mac(scope, request_key, record)}
        write_whole(self._record(scope, request_key), _sealed(content), self._place(scope, "scratch"))

    def _recall(self, scope: str, request_key: str) -> Mapping[str, Json] | None:
        path = self._record(scope, request_key)
        if (data := read_whole(path)) is None:
            return None
        try:
            fields = Fields(_unsealed(data), "entry")
            record = {name: json_value(item, name) for name, item in fields.mapping("record").items()}
            mac = fields.text("mac")
            fields.close()
            expected = self._mac(scope, request_key, record)
        except (ValueError, RecursionError) as error:
            self._damaged(scope, path, str(error))
            return None
        except VerifierError as error:
            if error.code == "store-unavailable":
                raise
            self._damaged(scope, path, error.message)
            return None
        if not hmac.compare_digest(mac.encode("utf-8"), expected.encode("utf-8")):
            self._warn(f"{path}: the record was not made by this installation; it is ignored")
            return None
        key = rests_on(record)
        return record if key is None or self._in_service(scope, key) else None

    def _mac(self, scope: str, request_key: str, record: Mapping[str, Json]) -> str:
        """The code that binds a record to its tenant, its request and this installation."""
        if self._key is None:
            self._key = secret_key(self.key_file)
        return hmac.new(
            self._key, digest("record/1", scope, request_key, canonical_json(record)).encode("ascii"), "sha256"
        ).hexdigest()

    def _drop_records(self, scope: str, key: str) -> None:
        """Delete every record that rests on a certificate."""
        folder = self._place(scope, "rests", key[:2], key)
        for request_key in filter(is_key, _names(folder)):
            _remove(self._record(scope, request_key))
            _remove(folder / request_key)

    # --- quarantine ---------------------------------------------------------------------------------------------

    def _quarantine(self, scope: str, key: str, why: str) -> None:
        # The note comes first: from then on the certificate is out of service, wherever a crash may fall.
        note = self._place(scope, "quarantine", f"{key}.why")
        write_whole(note, why.encode("utf-8", "replace") + b"\n", self._place(scope, "scratch"))
        self._drop_records(scope, key)
        _remove(self._place(scope, "pins", key))
        with suppress(FileNotFoundError):
            os.replace(self._certificate(scope, key), self._place(scope, "quarantine", f"{key}.json"))

    def _withdrawn(self, scope: str, key: str) -> bool:
        """Whether a certificate was taken out of service."""
        return self._place(scope, "quarantine", f"{key}.why").exists()

    def _in_service(self, scope: str, key: str) -> bool:
        """Whether there is an entry of a certificate that was not taken out of service; it is not read."""
        return self._certificate(scope, key).exists() and not self._withdrawn(scope, key)

    def _damaged(self, scope: str, path: Path, why: str) -> None:
        """Move a damaged entry aside, where it no longer stands in the way of a sound one, and name it."""
        self._warn(f"{path}: damaged, moved to quarantine: {why}")
        with suppress(OSError):  # a folder that we may only read keeps it; it reads as absent all the same
            make_folder(self._place(scope, "quarantine"))
            os.replace(path, self._place(scope, "quarantine", f"damaged-{path.name}"))

    def _warn(self, text: str) -> None:
        self.warnings.append(text)
        if self._on_warning is not None:
            self._on_warning(text)

    # --- the folder ---------------------------------------------------------------------------------------------

    def _stats(self, scope: str) -> Stats:
        root, sizes = self._place(scope), []
        for folder, _, names in os.walk(root):
            sizes += [(Path(folder) / name).lstat().st_size for name in names]
        records = self._place(scope, "records")
        count = sum(len(_names(records / first)) for first in _names(records))
        aside = _names(self._place(scope, "quarantine"))
        held = [name for name in aside if name.endswith(".why") or name.startswith("damaged-")]
        return Stats(len(self._ids(scope)), count, len(_names(self._place(scope, "pins"))), len(held), sum(sizes))

    def _place(self, scope: str, *parts: str) -> Path:
        return self.folder.joinpath(checked_scope(scope), *parts)

    def _certificate(self, scope: str, key: str) -> Path:
        return self._place(scope, "certificates", key[:2], key[2:4], f"{key}.json")

    def _record(self, scope: str, request_key: str) -> Path:
        return self._place(scope, "records", request_key[:2], f"{request_key}.json")

    async def _run(self, doing: str, work: Callable[..., T], *arguments: object) -> T:
        """Do file work off the event loop; what the disk refuses becomes `store-unavailable`."""

        def call() -> T:
            with disk(self.folder, doing):
                return work(*arguments)

        return await asyncio.to_thread(call)


def _sealed(content: dict[str, Json]) -> bytes:
    """Canonical JSON with its own digest, which shows damage (not forgery)."""
    return canonical_json({**content, "digest": digest("entry/1", canonical_json(content))})


def _unsealed(data: bytes) -> dict[str, object]:
    """The content of an entry whose digest holds. Raises ValueError or VerifierError."""
    value = json.loads(data.decode("utf-8"))
    fields = Fields(value, "entry")
    seal = fields.text("digest")
    content = {name: item for name, item in value.items() if name != "digest"}
    if digest("entry/1", canonical_json(content)) != seal:
        raise fields.error("does not match its digest")
    return content


def _names(folder: Path) -> list[str]:
    """The names in a folder, sorted; none where there is no such folder."""
    try:
        return sorted(os.listdir(folder))
    except (FileNotFoundError, NotADirectoryError):
        return []


def _remove(path: Path) -> None:
    """Delete a file that may be gone already."""
    with suppress(FileNotFoundError):
        path.unlink()
