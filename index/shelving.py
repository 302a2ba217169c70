"""What every certificate store agrees on: names that are safe to use, what a record rests on, and counts."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass

from verifier.errors import VerifierError
from verifier.model import Json

_SCOPE = re.compile(r"[a-z0-9][a-z0-9_-]{0,63}")
_KEY = re.compile(r"[0-9a-f]{64}")


@dataclass(frozen=True, slots=True)
class Stats:
    """What one tenant has in a store: counts, and bytes on disk (or of canonical JSON, in memory)."""

    certificates: int
    records: int
    pinned: int
    quarantined: int
    bytes: int


def checked_scope(scope: str) -> str:
    """A tenant's name that is safe as a folder: lower-case letters, digits, `-`, `_`. Raises VerifierError."""
    if not _SCOPE.fullmatch(scope):
        raise VerifierError("bad-config", f"{scope!r} is not a tenant name (a-z, 0-9, - and _, at most 64)")
    return scope


def checked_key(key: str) -> str:
    """A SHA-256 digest in hex. Raises VerifierError: a key of any other form is a defect of the caller."""
    if not _KEY.fullmatch(key):
        raise VerifierError("internal", f"{key!r} is not a content address")
    return key


def is_key(text: str) -> bool:
    """Whether a file name is a content address."""
    return _KEY.fullmatch(text) is not None


def rests_on(record: Mapping[str, Json]) -> str | None:
    """The certificate that a record rests on."""
    key = record.get("certificate")
    return key if isinstance(key, str) and is_key(key) else None
