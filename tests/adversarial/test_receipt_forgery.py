"""Receipts under attack: consistent forgeries derive otherwise; everything else is malformed. None passes."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.divisors import DivisorKind
from tests.malformed import OPEN_SHAPES, RAW, SHAPES, set_in
from tests.receipts import BUILD, FOLDER, edited, forged, proof, refutation, undecided
from verifier.errors import VerifierError
from verifier.receipt.parse import parse
from verifier.receipt.recheck import Report, recheck


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


@pytest.mark.parametrize("name", RAW)
def test_what_is_no_receipt_at_all_is_malformed(name: str) -> None:
    report = check(RAW[name])
    assert report.exit_code == 4
    assert report.lines[0].text.startswith("malformed")


@pytest.mark.parametrize("name", SHAPES)
def test_other_shapes_are_malformed(name: str) -> None:
    assert check(edited(proof(), SHAPES[name])).exit_code == 4


@pytest.mark.parametrize("name", OPEN_SHAPES)
def test_other_shapes_of_an_undecided_receipt_are_malformed(name: str) -> None:
    assert check(edited(undecided(), OPEN_SHAPES[name])).exit_code == 4


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
