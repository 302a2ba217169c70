"""Bytes that are no receipt, and receipts of another shape: each must be refused."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from verifier.receipt.statement import SIZE_LIMIT, subjects

RAW: dict[str, bytes] = {
    "empty": b"",
    "not UTF-8": b'{"\xff":1}',
    "UTF-16": '{"a":1}'.encode("utf-16"),
    "an array": b"[]",
    "a number": b"1",
    "null": b"null",
    "deep": b"[" * 100_000 + b"]" * 100_000,
    "deep objects": b'{"a":' * 70 + b"1" + b"}" * 70,
    "a float": b'{"a":1.5}',
    "an exponent": b'{"a":1e2}',
    "not a number": b'{"a":NaN}',
    "infinite": b'{"a":-Infinity}',
    "a large integer": b'{"a":9007199254740993}',
    "a huge integer": b'{"a":' + b"9" * 10_000 + b"}",
    "minus zero": b'{"a":-0}',
    "a double key": b'{"a":1,"a":1}',
    "keys out of order": b'{"b":1,"a":1}',
    "a needless escape": b'{"\\u0061":1}',
    "a lone surrogate": b'{"a":"\\ud800"}',
    "too large": b'{"a":"' + b"x" * SIZE_LIMIT + b'"}',
}


def set_in(*path: str | int, to: Any) -> Callable[[dict[str, Any]], None]:
    def change(statement: dict[str, Any]) -> None:
        place: Any = statement
        for step in path[:-1]:
            place = place[step]
        place[path[-1]] = to

    return change


def drop(*path: str | int) -> Callable[[dict[str, Any]], None]:
    def change(statement: dict[str, Any]) -> None:
        place: Any = statement
        for step in path[:-1]:
            place = place[step]
        del place[path[-1]]

    return change


def swap_attachment(statement: dict[str, Any]) -> None:
    attachments = statement["predicate"]["attachments"]
    first, second, *_ = attachments
    attachments[first], attachments[second] = attachments[second], attachments[first]


def weaken_policy(statement: dict[str, Any]) -> None:
    """Another policy under the digest of the first."""
    predicate = statement["predicate"]
    predicate["policy"]["uri"] = "custom"
    predicate["attachments"][predicate["policy"]["digest"]] = {"level_at_least": "L0"}


def change_kind(statement: dict[str, Any]) -> None:
    """A kind that the attached claim does not have, with the subject that belongs to it."""
    predicate = statement["predicate"]
    claim = predicate["attachments"][predicate["claim"]["digest"]]
    predicate["claim"]["kind"] = "contract"
    statement["subject"] = subjects({**claim, "kind": "contract"}, predicate["claim"]["canonical"])


def double_checker(statement: dict[str, Any]) -> None:
    """The one checker twice."""
    statement["predicate"]["checkers"] *= 2


def drop_canonical(statement: dict[str, Any]) -> None:
    """A claim key without a canonical text."""
    predicate = statement["predicate"]
    predicate["claim"]["canonical"] = None
    statement["subject"] = subjects(predicate["attachments"][predicate["claim"]["digest"]], None)


SHAPES: dict[str, Callable[[dict[str, Any]], None]] = {
    "another statement type": set_in("_type", to="https://in-toto.io/Statement/v0.1"),
    "another predicate": set_in("predicateType", to="urn:generative-verifier:verdict/v2"),
    "an unknown field of the statement": set_in("critical", to=True),
    "an unknown field of the predicate": set_in("predicate", "votes", to=[]),
    "an unknown field of a check": set_in("predicate", "checks", 0, "weight", to=1),
    "an unknown field of the cache": set_in("predicate", "cache", "audit", to=True),
    "no subject": set_in("subject", to=[]),
    "another subject": set_in("subject", 0, "digest", "sha256", to="0" * 64),
    "a renamed subject": set_in("subject", 0, "name", to="another"),
    "an attachment under another digest": swap_attachment,
    "content that nothing refers to": set_in(
        "predicate", "attachments", "74234e98afe7498fb5daf1f36ac2d78acc339464f950703b8c019892f982b90b", to=None
    ),
    "a named policy with another name": set_in("predicate", "policy", "uri", to="kernel"),
    "an outcome that the checker did not give": set_in("predicate", "checkers", 0, "outcome", to="refuted"),
    "two checkers": double_checker,
    "limits of no budget": set_in("predicate", "checkers", 0, "limits", "units", to=7),
    "a flag that is a number": set_in("predicate", "cache", "rederived", to=1),
    "a version that is a flag": set_in("predicate", "canonVersion", to=True),
    "a span of flags": set_in("predicate", "checks", 0, "span", to=[1, 1, 1, True]),
    "a time without a zone": set_in("predicate", "timeVerified", to="2026-01-02T03:04:05"),
    "a time in other digits": set_in("predicate", "timeVerified", to="\u0662026-01-02T03:04:05Z"),
    "a decided verdict without certificate": set_in("predicate", "checkers", 0, "certificate", to=None),
    "a decided verdict with a reason": set_in("predicate", "reason", to="budget"),
    "a decided verdict without level": set_in("predicate", "level", to=None),
    "an unknown outcome": set_in("predicate", "outcome", to="proved"),
    "an unknown level": set_in("predicate", "level", to="L4"),
    "a key that is none": set_in("predicate", "claim", "key", to="0"),
    "a key taken away": set_in("predicate", "claim", "key", to=None),
    "a kind that the claim does not have": change_kind,
    "another policy under the old digest": weaken_policy,
    "a manifest root that does not match": set_in("predicate", "manifest", "root", to="0" * 64),
    "no checks": drop("predicate", "checks"),
    "no attachments": drop("predicate", "attachments"),
    "no verifier": drop("predicate", "verifier"),
    "another verifier": set_in("predicate", "verifier", "id", to="urn:other"),
}

OPEN_SHAPES: dict[str, Callable[[dict[str, Any]], None]] = {
    "a key without a canonical text": drop_canonical,
    "no key": set_in("predicate", "claim", "key", to=None),
    "an undecided verdict without reason": set_in("predicate", "reason", to=None),
    "an undecided verdict with grounds": set_in("predicate", "grounds", to="proof"),
    "an undecided verdict with a level": set_in("predicate", "level", to="L1"),
    "a decided verdict without certificate": set_in("predicate", "outcome", to="verified"),
}
"""Changes of an undecided receipt."""
