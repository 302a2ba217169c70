"""The examples of the documentation get the verdicts that they are meant to have, and answer from the cache."""

from __future__ import annotations

import pytest

from tests.acceptance.conftest import Run
from tests.house import ROOT

EXPECTED = {  # in the order of the walk
    "arithmetic.py::sum_to": ("verified", "proof"),
    "arithmetic.py::absolute": ("refuted", "counterexample"),
    "arithmetic.py::integer_root": ("verified", "proof"),
    "arithmetic.py::gcd": ("verified", "proof"),
    "arithmetic.py::average": ("refuted", "counterexample"),
    "arithmetic.py::clamp": ("verified", "proof"),
    "change.smt2": ("verified", "proof"),
    "limits.py::root_by_bisection": ("refuted", "nontermination"),
    "limits.py::between": ("undecided", "vacuous"),
    "limits.py::share": ("undecided", "unsupported"),
    "lists.py::largest": ("verified", "proof"),
    "lists.py::insertion_point": ("verified", "proof"),
    "lists.py::insert_sorted": ("verified", "proof"),
    "lists.py::count_cells": ("verified", "proof"),
    "ordering.smt2": ("verified", "proof"),
    "overflow.smt2": ("refuted", "counterexample"),
    "parity.smt2": ("verified", "proof"),
}


@pytest.mark.sandbox
def test_examples_have_their_verdicts_and_then_come_from_the_cache(verifier: Run) -> None:
    first = verifier("verify", ".", "--json", cwd=ROOT / "docs" / "examples")
    found = {line["claim"]: (line["outcome"], line["grounds"] or line["reason"]) for line in first.lines}
    assert found == EXPECTED
    assert list(found) == list(EXPECTED)
    assert first.code == 1
    second = verifier("verify", ".", "--json", cwd=ROOT / "docs" / "examples")
    rungs = {line["claim"]: line["cache"]["rung"] for line in second.lines if line["outcome"] != "undecided"}
    assert set(rungs.values()) == {"replay"}
    assert [(line["claim"], line["outcome"]) for line in second.lines] == [
        (line["claim"], line["outcome"]) for line in first.lines
    ]


def test_examples_hold_no_invariants() -> None:
    for path in (ROOT / "docs" / "examples").glob("*.py"):
        text = path.read_text(encoding="utf-8")
        assert "Invariant(" not in text
        assert "Decreases(" not in text
