"""Receipts under attack: consistent forgeries derive otherwise; everything else is malformed. None passes."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.divisors import DivisorKind
from tests.receipts import BUILD, FOLDER, edited, forged, proof, refutation, undecided
from verifier.errors import VerifierError
from verifier.receipt.parse import parse
from verifier.receipt.recheck import Report, recheck
from verifier.receipt.statement import SIZE_LIMIT


def check(data: bytes, kind: DivisorKind | None = None, fingerprint: str = BUILD) -> Report:
    return asyncio.run(recheck(data, {"divisor": kind or DivisorKind()}, fingerprint=fingerprint))


CASES = forged()


@pytest.mark.parametrize("name", CASES)
def test_forgeries_with_consistent_digests(name: str) -> None:
    data, code, why = CASES[name]
    report = check(data)
    assert report.exit_code == code, (why, report.lines)
    assert [line.name for line in report.lines] == ["parsed", "signed", "logged", "evidence present", "re-derived"]
    assert report.lines[1].text == "unsigned"
    assert report.lines[2].text == "not logged"


@pytest.mark.parametrize("folder", sorted(FOLDER.iterdir()), ids=lambda folder: folder.name)
def test_vectors(folder: Path) -> None:
    code, why = (folder / "expected.txt").read_text(encoding="utf-8").splitlines()
    report = check((folder / "receipt.json").read_bytes())
    assert report.exit_code == int(code), (why, report.lines)


@pytest.mark.parametrize("name", CASES)
def test_another_build_never_turns_a_forgery_into_a_pass(name: str) -> None:
    data, code, why = CASES[name]
    report = check(data, fingerprint="build-2")
    reworded = name in ("check_dropped_fail", "check_renamed_fail")
    assert report.exit_code == code or reworded or (code == 1 and report.exit_code == 2), why


@pytest.mark.parametrize("make", [proof, refutation, undecided])
def test_flipping_any_single_bit_is_malformed(make: Callable[[], bytes]) -> None:
    good = make()
    for position in range(len(good)):
        for bit in (position % 8,) if position % 16 else range(8):
            flipped = bytearray(good)
            flipped[position] ^= 1 << bit
            with pytest.raises(VerifierError) as caught:
                parse(bytes(flipped))
            assert caught.value.code == "bad-receipt", (position, bit)


def test_cutting_or_stretching_is_malformed() -> None:
    good = proof()
    for size in range(0, len(good), 7):
        assert check(good[:size]).exit_code == 4
    for tail in (b"\n", b" ", b"\0", b"{}", good, b","):
        assert check(good + tail).exit_code == 4
        assert check(tail + good).exit_code == 4
    assert check(b"\xef\xbb\xbf" + good).exit_code == 4


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


@pytest.mark.parametrize("name", RAW)
def test_what_is_no_receipt_at_all_is_malformed(name: str) -> None:
    report = check(RAW[name])
    assert report.exit_code == 4
    assert report.lines[0].text.startswith("malformed")


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
    "two checkers": set_in("predicate", "checkers", to=[{}, {}]),
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
    "a kind that the claim does not have": set_in("predicate", "claim", "kind", to="contract"),
    "a manifest root that does not match": set_in("predicate", "manifest", "root", to="0" * 64),
    "no checks": drop("predicate", "checks"),
    "no attachments": drop("predicate", "attachments"),
    "no verifier": drop("predicate", "verifier"),
    "another verifier": set_in("predicate", "verifier", "id", to="urn:other"),
}


@pytest.mark.parametrize("name", SHAPES)
def test_other_shapes_are_malformed(name: str) -> None:
    assert check(edited(proof(), SHAPES[name])).exit_code == 4


def test_an_id_that_does_not_match_is_malformed() -> None:
    assert check(edited(proof(), set_in("predicate", "draft", "drafter", to="me"), seal=False)).exit_code == 4
    assert check(edited(proof(), set_in("predicate", "id", to="0" * 64), seal=False)).exit_code == 4


@pytest.mark.parametrize("name", ["..", "$", "__class__"])
def test_names_of_fields_are_only_names(name: str) -> None:
    assert check(edited(proof(), set_in("predicate", name, to={}))).exit_code == 4


def test_white_space_and_indentation_are_malformed() -> None:
    value = json.loads(proof())
    for text in (json.dumps(value), json.dumps(value, indent=1), json.dumps(value, separators=(",", ":"))):
        if text.encode() != proof():
            assert check(text.encode()).exit_code == 4
