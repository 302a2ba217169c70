"""Content addresses: canonical JSON (RFC 8785) and domain-separated SHA-256 digests over length-prefixed parts.

Every key of the product is made here and nowhere else. The encoder refuses whatever has more than one spelling or no
exact one: floats, integers of 2**53 and above (they travel as decimal strings), lone surrogates, keys that are not
strings, and every type that is not plain JSON. Equal keys therefore mean equal content.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from typing import TypeAlias

import rfc8785

from verifier.codec import certificate_to_json
from verifier.errors import VerifierError
from verifier.model import Canonical, Certificate, Claim, Json, Manifest
from verifier.ports import Kind

Plain: TypeAlias = "None | bool | int | str | Sequence[Plain] | Mapping[str, Plain]"
"""What the encoder takes: JSON without floats; tuples count as lists, any mapping as an object."""

DEPTH = 64
"""Nesting that canonical JSON may have; deeper values are refused, never a RecursionError."""

INTEGER_LIMIT = 2**53
"""Integers must be smaller in magnitude (RFC 8785 section 3.2.2.3); larger ones travel as decimal strings."""


def canonical_json(value: object) -> bytes:
    """The one UTF-8 encoding of a value (RFC 8785).

    Raises VerifierError (`bad-claim`) on anything that is not exact plain JSON, naming the place inside the value.
    """
    return rfc8785.dumps(_plain(value, "$", 0))


def digest(domain: str, *parts: str | bytes) -> str:
    """SHA-256 (hex) over the domain and the parts, each prefixed by its length in eight bytes, so none can run over."""
    state = hashlib.sha256()
    for part in (domain, *parts):
        data = part if isinstance(part, bytes) else _utf8(part)
        state.update(len(data).to_bytes(8, "big"))
        state.update(data)
    return state.hexdigest()


def sha256(data: bytes) -> str:
    """The plain SHA-256 of some bytes (hex): what `sha256sum` prints, for subjects and attachments of receipts."""
    return hashlib.sha256(data).hexdigest()


def claim_key(kind: Kind, canonical: Canonical) -> str:
    """The key on which certificates hang: equal for twins, and free of policy, budget and checker build."""
    return digest("claim/1", kind.name, str(kind.canon_version), canonical.text)


def claim_digest(claim: Claim) -> str:
    """The digest of a claim exactly as submitted (kind and body; never its name or origin)."""
    return digest("body/1", claim.kind, canonical_json(claim.body))


def input_root(submitted: str, reads: str) -> str:
    """The digest of everything that was read for a request: its claim's digest, and its manifest's root."""
    return digest("input/1", submitted, reads)


def request_key(*, claim: str, policy: str, fingerprint: str, root: str, scope: str) -> str:
    """The key on which finished requests hang: claim key, policy digest, checker build, input root and tenant.

    The budget is not part of it: proofs and refutations hold under any budget, and a record of a spent budget names
    that budget and answers only requests that it covers.
    """
    return digest("request/1", claim, policy, fingerprint, root, scope)


def certificate_id(certificate: Certificate) -> str:
    """The content address of a certificate."""
    return digest("certificate/1", canonical_json(certificate_to_json(certificate)))


def manifest_root(manifest: Manifest) -> str:
    """The digest of a manifest's canonical JSON."""
    return digest("manifest/1", canonical_json(manifest.entries))


def obligation_digest(name: str, form: str, script: str) -> str:
    """What evidence binds to: an obligation's name, form and script."""
    return digest("obligation/1", name, form, script)


def _plain(value: object, place: str, depth: int) -> Json:
    """`value` as exact JSON types, or an error that names `place`."""
    if depth > DEPTH:
        raise VerifierError("bad-claim", f"canonical JSON is nested at most {DEPTH} deep", place=place)
    if value is None or type(value) is bool:
        return value
    if type(value) is int:
        if abs(value) >= INTEGER_LIMIT:
            raise VerifierError("bad-claim", "an integer of 2**53 or above must be a decimal string", place=place)
        return value
    if type(value) is str:
        _utf8(value, place)
        return value
    if isinstance(value, list | tuple):
        return [_plain(item, f"{place}[{index}]", depth + 1) for index, item in enumerate(value)]
    if isinstance(value, Mapping):
        return _object(value, place, depth)
    raise VerifierError("bad-claim", f"{type(value).__name__} has no canonical JSON form", place=place)


def _object(value: Mapping[object, object], place: str, depth: int) -> dict[str, Json]:
    """A mapping with string keys as exact JSON types."""
    result: dict[str, Json] = {}
    for key, item in value.items():
        if type(key) is not str:
            raise VerifierError("bad-claim", f"an object key is a {type(key).__name__}, not a string", place=place)
        _utf8(key, place)
        result[key] = _plain(item, f"{place}.{key}", depth + 1)
    return result


def _utf8(text: str, place: str | None = None) -> bytes:
    """The UTF-8 bytes of a text; a lone surrogate has none."""
    try:
        return text.encode("utf-8")
    except UnicodeEncodeError as error:
        raise VerifierError("bad-claim", "a lone surrogate cannot be encoded", place=place) from error
