"""Keys: one spelling, exact, prefixed by length; and every option moves the key that it belongs to."""

from __future__ import annotations

import hashlib
import inspect
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import pytest

from tests.divisors import DivisorKind, claim
from verifier.errors import VerifierError
from verifier.fingerprint import builds, fingerprint, installed, python, sources
from verifier.keys import (
    INTEGER_LIMIT,
    canonical_json,
    certificate_id,
    claim_digest,
    claim_key,
    digest,
    input_root,
    manifest_root,
    obligation_digest,
    request_key,
)
from verifier.model import Canonical, Certificate, Claim, Evidence, Json, LoopNotes, Manifest, Side
from verifier.policy import NAMED, load


def test_canonical_json_has_one_spelling() -> None:
    value = {"b": [1, True, None, "é\n"], "a": {}, "€": 0, "\U0001f600": 1, "\ufb33": 2}
    assert canonical_json(value) == ('{"a":{},"b":[1,true,null,"é\\n"],"€":0,"\U0001f600":1,"\ufb33":2}'.encode())
    assert canonical_json(dict(reversed(value.items()))) == canonical_json(value)
    assert canonical_json((1, (2,))) == canonical_json([1, [2]])


class Text(str):
    __slots__ = ()


@pytest.mark.parametrize(
    "value",
    [1.0, float("nan"), float("inf"), INTEGER_LIMIT, -INTEGER_LIMIT, b"x", {1}, object(), {1: 2}, {None: 1},
     {True: 1}, "\ud800", {"\udfff": 1}, Text("x"), 1j, Side.PROOF, range(2)],
)  # fmt: skip
def test_whatever_has_no_exact_form_is_refused(value: object) -> None:
    for wrapped in (value, [value], {"a": {"b": [value]}}):
        with pytest.raises(VerifierError):
            canonical_json(wrapped)


def test_integers_below_the_limit_are_kept() -> None:
    assert canonical_json([INTEGER_LIMIT - 1, 1 - INTEGER_LIMIT]) == b"[9007199254740991,-9007199254740991]"


def test_true_is_not_one() -> None:
    assert canonical_json(True) != canonical_json(1)
    assert canonical_json("1") != canonical_json(1)


def test_deep_nesting_is_an_error_never_a_crash() -> None:
    value: Any = 1
    for _ in range(100_000):
        value = [value]
    with pytest.raises(VerifierError, match="nested"):
        canonical_json(value)


def test_digest_is_sha256_over_prefixed_parts() -> None:
    expected = hashlib.sha256(b"\0\0\0\0\0\0\0\1d\0\0\0\0\0\0\0\2ab\0\0\0\0\0\0\0\0").hexdigest()
    assert digest("d", "ab", b"") == expected
    parts = [("ab", "c"), ("a", "bc"), ("abc",), ("abc", ""), ("", "abc"), ("a", "b", "c")]
    assert len({digest("d", *part) for part in parts}) == len(parts)
    assert digest("d", "x") != digest("e", "x")
    assert digest("a", "b") != digest("ab")


REQUEST = {"claim": "c", "policy": "p", "fingerprint": "f", "root": "r", "scope": "local"}


@pytest.mark.parametrize("option", REQUEST)
def test_every_part_of_a_request_moves_its_key(option: str) -> None:
    assert set(inspect.signature(request_key).parameters) == set(REQUEST)
    assert request_key(**(REQUEST | {option: "other"})) != request_key(**REQUEST)


def test_parts_of_a_request_do_not_trade_places() -> None:
    swapped = REQUEST | {"policy": "f", "fingerprint": "p"}
    assert request_key(**swapped) != request_key(**REQUEST)


def test_every_part_of_a_claim_moves_its_key() -> None:
    base = claim_key(DivisorKind(), Canonical("t", {}))
    assert claim_key(DivisorKind(name="other"), Canonical("t", {})) != base
    assert claim_key(DivisorKind(canon_version=2), Canonical("t", {})) != base
    assert claim_key(DivisorKind(), Canonical("u", {})) != base
    assert claim_key(DivisorKind(), Canonical("t", {"x": "v0"})) == base


def test_the_body_as_submitted_counts_and_its_display_does_not() -> None:
    body: dict[str, Json] = {"source": "s", "function": "f", "partial": False}
    base = Claim("contract", body, "a name")
    assert claim_digest(base) == claim_digest(Claim("contract", body, "another name"))
    others = [Claim("safety", body, "")]
    changes: list[dict[str, Json]] = [{"source": "t"}, {"function": "g"}, {"partial": True}, {"extra": None}]
    others += [Claim("contract", {**body, **change}, "") for change in changes]
    assert len({claim_digest(item) for item in (base, *others)}) == 6
    assert len({input_root(item, reads) for item in "ab" for reads in "cd"}) == 4


def test_a_failed_look_up_is_not_a_missing_one() -> None:
    roots = [(), (("name", "len", None),), (("name", "len", ""),), (("name", "len", "0"),), (("callee", "len", None),)]
    assert len({manifest_root(Manifest(entries)) for entries in roots}) == len(roots)


def test_obligations_bind_name_form_and_script() -> None:
    texts = [("n", "f", "s"), ("m", "f", "s"), ("n", "g", "s"), ("n", "f", "t"), ("nf", "", "s")]
    assert len({obligation_digest(*item) for item in texts}) == len(texts)


EVIDENCE = Evidence("0" * 64, "replay/1", {"x": "1"})
FIELDS: Mapping[str, tuple[Any, ...]] = {
    "kind": ("contract", "safety"),
    "claim_key": ("0" * 64, "1" * 64),
    "side": (Side.PROOF, Side.REFUTATION),
    "annotations": ({}, {"f.0": LoopNotes(("x",))}, {"f.0": LoopNotes((), ("x",))}, {"f.1": LoopNotes(("x",))}),
    "evidence": ((), (EVIDENCE,), (EVIDENCE, EVIDENCE), (Evidence("0" * 64, "replay/1", {"x": "2"}),),
                 (Evidence("0" * 64, "model/1", {"x": "1"}),), (Evidence("1" * 64, "replay/1", {"x": "1"}),)),
}  # fmt: skip


def test_every_field_of_a_certificate_moves_its_id() -> None:
    base = {field: values[0] for field, values in FIELDS.items()}
    made = [Certificate(**(base | {field: value})) for field, values in FIELDS.items() for value in values[1:]]
    assert len({certificate_id(item) for item in (Certificate(**base), *made)}) == len(made) + 1


def test_policies_are_keyed_by_their_tree() -> None:
    assert load('{"level_at_least": "L1"}').digest == NAMED["proof"].digest
    assert NAMED["kernel"].digest != NAMED["proof"].digest
    assert load('{"all": [{"check": "a"}]}').digest != load('{"any": [{"check": "a"}]}').digest


PARTS: Mapping[str, Any] = {
    "files": {"verifier/a.py": b"x", "checkers/b.py": b"y"},
    "versions": {"z3-solver": "4.16", "cvc5": None},
    "interpreter": "cpython-3.11",
    "options": {"workers": 2},
}


@pytest.mark.parametrize(
    ("part", "value"),
    [
        ("files", {"verifier/a.py": b"x", "checkers/b.py": b"z"}),
        ("files", {"verifier/a.py": b"x", "checkers/c.py": b"y"}),
        ("files", {"verifier/a.py": b"x"}),
        ("files", {"verifier/a.py": b"x", "checkers/b.py": b"y", "checkers/c.py": b""}),
        ("versions", {"z3-solver": "4.17", "cvc5": None}),
        ("versions", {"z3-solver": "4.16", "cvc5": "1.3"}),
        ("interpreter", "cpython-3.12"),
        ("options", {"workers": 3}),
        ("options", {}),
    ],
)
def test_every_part_of_a_build_moves_its_fingerprint(part: str, value: object) -> None:
    make: Callable[..., str] = fingerprint
    assert make(**(dict(PARTS) | {part: value})) != make(**PARTS)


def test_the_order_of_files_does_not_matter() -> None:
    turned = dict(PARTS) | {"files": dict(reversed(PARTS["files"].items()))}
    assert fingerprint(**turned) == fingerprint(**PARTS)


def test_the_installed_build_reads_every_source_file(tmp_path: Path) -> None:
    package = tmp_path / "pack"
    (package / "deep").mkdir(parents=True)
    (package / "a.py").write_bytes(b"a = 1\n")
    (package / "deep" / "b.py").write_bytes(b"b = 1\n")
    assert sources([package]) == {"pack/a.py": b"a = 1\n", "pack/deep/b.py": b"b = 1\n"}
    before = installed([package])
    assert installed([package]) == before
    (package / "deep" / "b.py").write_bytes(b"b = 2\n")
    assert installed([package]) != before
    assert builds(["no-such-distribution"]) == {"no-such-distribution": None}
    assert python().startswith("cpython-3.") or "-" in python()


def test_a_claim_with_a_float_has_no_key() -> None:
    with pytest.raises(VerifierError):
        claim_digest(Claim("contract", {"x": 1.5}, ""))  # type: ignore[dict-item]
    assert claim_digest(claim(91))
