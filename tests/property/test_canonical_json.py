"""Canonical JSON and digests over generated values: exact, injective, and independent of order."""

from __future__ import annotations

import hashlib
import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from verifier.errors import VerifierError
from verifier.keys import INTEGER_LIMIT, canonical_json, digest

TEXT = st.text(st.characters(exclude_categories=["Cs"]))
SCALARS = st.none() | st.booleans() | st.integers(1 - INTEGER_LIMIT, INTEGER_LIMIT - 1) | TEXT
VALUES = st.recursive(SCALARS, lambda inner: st.lists(inner, max_size=4) | st.dictionaries(TEXT, inner, max_size=4))


def exact(value: Any) -> Any:
    """A value with its types, so that 1 and True differ."""
    if isinstance(value, list):
        return [exact(item) for item in value]
    if isinstance(value, dict):
        return {key: exact(item) for key, item in value.items()}
    return (type(value).__name__, value)


@given(VALUES)
def test_it_reads_back_as_the_same_value(value: Any) -> None:
    data = canonical_json(value)
    assert exact(json.loads(data)) == exact(value)
    assert canonical_json(json.loads(data)) == data


@given(VALUES, VALUES)
def test_different_values_have_different_bytes(left: Any, right: Any) -> None:
    assert (canonical_json(left) == canonical_json(right)) == (exact(left) == exact(right))


@given(st.dictionaries(TEXT, SCALARS), st.randoms(use_true_random=False))
def test_the_order_of_keys_does_not_matter(value: dict[str, Any], random: Any) -> None:
    items = list(value.items())
    random.shuffle(items)
    assert canonical_json(dict(items)) == canonical_json(value)


@given(st.dictionaries(TEXT, st.none(), min_size=2))
def test_keys_stand_in_the_order_of_their_utf_16_units(value: dict[str, None]) -> None:
    keys = list(json.loads(canonical_json(value)))
    assert keys == sorted(value, key=lambda key: key.encode("utf-16-be"))


@given(VALUES, st.floats() | st.integers(min_value=INTEGER_LIMIT) | st.binary() | st.just("\ud800"))
def test_one_bad_part_anywhere_refuses_the_whole(value: Any, bad: Any) -> None:
    for whole in ([value, bad], {"a": value, "b": {"c": [bad]}}):
        with pytest.raises(VerifierError):
            canonical_json(whole)


@given(st.lists(TEXT | st.binary()), st.lists(TEXT | st.binary()))
def test_digests_agree_only_for_equal_parts(left: list[str | bytes], right: list[str | bytes]) -> None:
    def raw(parts: list[str | bytes]) -> list[bytes]:
        return [part.encode() if isinstance(part, str) else part for part in parts]

    assert (digest("d", *left) == digest("d", *right)) == (raw(left) == raw(right))


@given(TEXT, st.lists(st.binary()))
def test_a_digest_is_what_its_description_says(domain: str, parts: list[bytes]) -> None:
    whole = [domain.encode(), *parts]
    data = b"".join(len(part).to_bytes(8, "big") + part for part in whole)
    assert digest(domain, *parts) == hashlib.sha256(data).hexdigest()
