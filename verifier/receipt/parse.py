"""Reading a receipt, strictly: one byte string has one meaning, and everything else is malformed.

Refused: more than 16 MiB, nesting above 64, duplicate keys, floats, large integers, bytes that are not their own
canonical form (white space and trailing bytes included), unknown or missing fields, attachments that do not match their
digests or that nobody refers to, and an `id` that does not match. All surface as VerifierError (`bad-receipt`).
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from typing import NoReturn

from verifier.codec import certificate_from_json, manifest_from_json
from verifier.errors import VerifierError
from verifier.fields import Fields, json_value
from verifier.keys import canonical_json, manifest_root, sha256
from verifier.model import BUDGETS, Budget, Certificate, Hit, Json, Manifest, Verdict
from verifier.policy import NAMED, Policy
from verifier.policy import parse as parse_policy
from verifier.receipt.statement import (
    ISSUER,
    PREDICATE,
    SIZE_LIMIT,
    STATEMENT,
    Receipt,
    identity,
    subjects,
)
from verifier.verdicts import verdict_from_json

_HEX = re.compile(r"[0-9a-f]{64}")
_TIME = re.compile(r"\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(\.\d{1,6})?Z", re.ASCII)
_VERDICT = ("outcome", "grounds", "level", "reason", "detail", "checks", "counterexample", "span")


def parse(data: bytes) -> Receipt:
    """The receipt that these bytes are. Raises VerifierError (`bad-receipt`) and names the place."""
    statement = load(data)
    fields = Fields(statement, "receipt")
    _constant(fields, "_type", STATEMENT)
    _constant(fields, "predicateType", PREDICATE)
    subject, predicate = fields.take("subject"), Fields(fields.take("predicate"), "predicate")
    fields.close()
    if _hex(predicate, "id") != identity(statement):
        raise predicate.error("does not match the rest of the receipt", "id")
    receipt = _predicate(predicate, identity(statement))
    if subject != subjects({"kind": receipt.kind, "body": dict(receipt.body)}, receipt.canonical):
        raise VerifierError("bad-receipt", "does not name what the receipt is about", place="receipt.subject")
    return receipt


def load(data: bytes) -> dict[str, Json]:
    """The JSON object that these bytes are the canonical form of."""
    if len(data) > SIZE_LIMIT:
        raise VerifierError("bad-receipt", f"more than {SIZE_LIMIT} bytes")
    try:
        value = json.loads(
            data.decode("utf-8"), object_pairs_hook=_distinct, parse_float=_refuse, parse_constant=_refuse
        )
        canonical = canonical_json(value)
    except VerifierError as error:
        raise VerifierError("bad-receipt", error.message, place=error.place) from error
    except (ValueError, RecursionError) as error:
        raise VerifierError("bad-receipt", f"not JSON: {error}") from error
    if canonical != data:
        raise VerifierError("bad-receipt", "the bytes are not the canonical form of what they say")
    if not isinstance(value, dict):
        raise VerifierError("bad-receipt", "must be an object")
    return value


def _distinct(pairs: list[tuple[str, object]]) -> dict[str, object]:
    """An object whose keys are all different."""
    result = dict(pairs)
    if len(result) != len(pairs):
        raise ValueError("a key stands twice in one object")
    return result


def _refuse(text: str) -> NoReturn:
    """Floats and the like have no place in a receipt."""
    raise ValueError(f"the number {text[:40]} is not an integer")


class _Attachments:
    """The attachments by digest; each must be asked for, and match."""

    def __init__(self, value: Mapping[str, object]) -> None:
        self._held = value
        self._left = set(value)
        for key, content in value.items():
            if sha256(canonical_json(content)) != key:
                raise VerifierError("bad-receipt", "does not match its digest", place=f"attachments.{key[:12]}")

    def take(self, fields: Fields, field: str) -> object:
        """The content that a field names by its digest."""
        key = fields.text(field)
        if key not in self._held:
            raise fields.error("names an attachment that is not there", field)
        self._left.discard(key)
        return self._held[key]

    def close(self) -> None:
        """Nothing is attached that nobody refers to."""
        if self._left:
            raise VerifierError("bad-receipt", "holds content that nothing refers to", place="attachments")


def _predicate(fields: Fields, identifier: str) -> Receipt:
    """The predicate, field by field."""
    attachments = _Attachments(fields.mapping("attachments"))
    verifier = Fields(fields.take("verifier"), "verifier")
    _constant(verifier, "id", ISSUER)
    version = verifier.text("version")
    verifier.close()
    kind, name, key, canonical, body = _claim(Fields(fields.take("claim"), "claim"), attachments)
    policy = _policy(Fields(fields.take("policy"), "policy"), attachments)
    fingerprint, budget, certificate, outcome = _checker(fields, attachments)
    verdict = _verdict(fields, certificate)
    if outcome != verdict.outcome.value:
        raise fields.error("disagrees with the checker's", "outcome")
    receipt = Receipt(
        kind, name, body, key, canonical, fields.number("canonVersion"), policy, budget,
        _manifest(fields, attachments), verdict, _hit(fields), fingerprint, version, _time(fields), identifier,
    )  # fmt: skip
    attachments.close()
    fields.close()
    if (key is None) != (canonical is None) or (verdict.certificate is not None and key is None):
        raise VerifierError(
            "bad-receipt", "claim key, canonical text and certificate do not go together", place="claim"
        )
    return receipt


def _claim(fields: Fields, attachments: _Attachments) -> tuple[str, str, str | None, str | None, dict[str, Json]]:
    """Kind, name, claim key, digest of the canonical text, and body."""
    kind, name = fields.text("kind"), fields.text("name")
    key, canonical = _hex_or_none(fields, "key"), _hex_or_none(fields, "canonical")
    content = Fields(attachments.take(fields, "digest"), "claim")
    fields.close()
    if content.text("kind") != kind:
        raise content.error("differs from the kind that is stated", "kind")
    body = {field: json_value(value, f"claim.{field}") for field, value in content.mapping("body").items()}
    content.close()
    return kind, name, key, canonical, body


def _policy(fields: Fields, attachments: _Attachments) -> Policy:
    """The policy; one that goes by the name of a known policy must be that policy."""
    name, tree = fields.text("uri"), attachments.take(fields, "digest")
    fields.close()
    try:
        policy = parse_policy(tree, name)
    except VerifierError as error:
        raise VerifierError("bad-receipt", error.message, place=error.place) from error
    if name in NAMED and policy.digest != NAMED[name].digest:
        raise fields.error(f"is called {name!r} but is another one")
    return policy


def _checker(fields: Fields, attachments: _Attachments) -> tuple[str, Budget, Certificate | None, str]:
    """Fingerprint, budget, certificate and outcome of the one checker build of a receipt."""
    rows = fields.items("checkers")
    if len(rows) != 1:
        raise fields.error("must hold exactly one entry", "checkers")
    row = Fields(rows[0], "checkers[0]")
    fingerprint, outcome = row.text("fingerprint"), row.text("outcome")
    budget = _budget(Fields(row.take("limits"), "checkers[0].limits"))
    if row.peek("certificate") is None:
        certificate = None
        row.take("certificate")
    else:
        certificate = certificate_from_json(attachments.take(row, "certificate"))
    row.close()
    return fingerprint, budget, certificate, outcome


def _budget(fields: Fields) -> Budget:
    """The budget by its name and units. What a unit bought (`resources`, `steps`, `examples`) belongs to the build that
    made the receipt; re-checking spends what it buys here."""
    name, units = fields.text("budget"), fields.number("units")
    for bought in ("resources", "steps", "examples"):
        fields.number(bought)
    fields.close()
    budget = BUDGETS.get(name)
    if budget is None or units != budget.units:
        raise fields.error("is no budget that is known", "budget")
    return budget


def _verdict(fields: Fields, certificate: Certificate | None) -> Verdict:
    """The verdict, put together again."""
    drafts = Fields(fields.take("draft"), "draft")
    parts: dict[str, object] = {field: fields.take(field) for field in _VERDICT}
    parts |= {"drafter": drafts.take("drafter"), "tried": drafts.take("tried")}
    drafts.close()
    return verdict_from_json(parts, "predicate", certificate)


def _manifest(fields: Fields, attachments: _Attachments) -> Manifest | None:
    """The manifest, whose root must match."""
    value = fields.take("manifest")
    if value is None:
        return None
    row = Fields(value, "manifest")
    manifest = manifest_from_json(attachments.take(row, "digest"))
    if row.text("root") != manifest_root(manifest):
        raise row.error("is not the root of what is attached", "root")
    row.close()
    return manifest


def _hit(fields: Fields) -> Hit:
    """How the verdict was found."""
    cache = Fields(fields.take("cache"), "cache")
    hit = Hit(cache.text_or_none("rung"), cache.flag("rederived"))
    cache.close()
    return hit


def _time(fields: Fields) -> str | None:
    """The time that the issuer stated: RFC 3339, UTC."""
    time = fields.text_or_none("timeVerified")
    if time is not None and not _TIME.fullmatch(time):
        raise fields.error("must be RFC 3339 in UTC", "timeVerified")
    return time


def _constant(fields: Fields, field: str, value: str) -> None:
    """A field with one possible value."""
    if (found := fields.text(field)) != value:
        raise fields.error(f"must be {value}, not {found!r}", field)


def _hex(fields: Fields, field: str) -> str:
    """A SHA-256 digest."""
    text = fields.text(field)
    if not _HEX.fullmatch(text):
        raise fields.error("must be a SHA-256 digest", field)
    return text


def _hex_or_none(fields: Fields, field: str) -> str | None:
    """A SHA-256 digest, or null."""
    text = fields.text_or_none(field)
    if text is not None and not _HEX.fullmatch(text):
        raise fields.error("must be a SHA-256 digest or null", field)
    return text
