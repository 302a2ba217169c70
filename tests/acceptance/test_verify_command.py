"""`verifier verify`: verdicts, exit codes, JSON Lines, the table for people, and the cache."""

from __future__ import annotations

import re
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from api.cli.record import FIELDS
from tests.acceptance.conftest import Run

Write = Callable[[str, str], Path]

HEAD = "from icontract import ensure, require\n\n"
DOUBLE = HEAD + "@ensure(lambda x, result: result == 2 * x)\ndef double(x: int) -> int:\n    return x + x\n"
WRONG = HEAD + "@ensure(lambda x, result: result > x)\ndef bump(x: int) -> int:\n    return x * 2\n"
SUM = HEAD + (
    "@require(lambda n: n >= 0)\n"
    "@ensure(lambda n, result: result == n * (n + 1) // 2)\n"
    "def sum_to(n: int) -> int:\n"
    "    total = 0\n"
    "    for i in range(1, n + 1):\n"
    "        total += i\n"
    "    return total\n"
)
RENAMED = HEAD + (
    "@require(lambda limit: limit >= 0)\n"
    "@ensure(lambda limit, result: result == limit * (limit + 1) // 2)\n"
    "def add_up(limit: int) -> int:\n"
    '    """Another name for everything, and a docstring."""\n'
    "    amount = 0\n"
    "    for step in range(1, limit + 1):\n"
    "        amount += step  # one more\n"
    "    return amount\n"
)
UNSUPPORTED = HEAD + "@ensure(lambda result: result >= 0)\ndef half(x: int) -> float:\n    return abs(x) / 2\n"
VACUOUS = HEAD + (
    "@require(lambda x: x > 0 and x < 0)\n"
    "@ensure(lambda result: result == 1)\n"
    "def never(x: int) -> int:\n"
    "    return 0\n"
)


def test_a_true_contract_is_verified(verifier: Run, write: Write) -> None:
    write("double.py", DOUBLE)
    done = verifier("verify", "double.py", "--json")
    line = done.one
    assert done.code == 0, done
    assert list(line) == list(FIELDS)
    assert (line["claim"], line["kind"]) == ("double.py::double", "contract")
    assert (line["outcome"], line["grounds"]) == ("verified", "proof")
    assert line["reason"] is line["counterexample"] is line["receipt"] is line["error"] is None
    assert line["cache"] == {"rung": None, "rederived": True}
    assert (line["path"], line["line"]) == ("double.py", 4)


def test_a_loop_is_proved_without_help(verifier: Run, write: Write) -> None:
    write("sum.py", SUM)
    done = verifier("verify", "sum.py", "--json")
    assert done.code == 0, done
    assert done.one["level"] == "L1"
    assert done.one["annotations"]["sum_to.0"]["invariants"]


@pytest.mark.sandbox
def test_a_false_contract_is_refuted_with_a_runnable_case(verifier: Run, write: Write, tmp_path: Path) -> None:
    write("bump.py", WRONG)
    done = verifier("verify", "bump.py", "--json")
    line = done.one
    assert done.code == 1, done
    assert (line["outcome"], line["grounds"], line["level"]) == ("refuted", "counterexample", "L3")
    assert int(line["counterexample"]["arguments"]["x"]) <= 0
    case = write("test_case.py", line["counterexample"]["pytest"])
    run = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", case.name],
        cwd=tmp_path, capture_output=True, text=True, timeout=120,
    )  # fmt: skip
    assert run.returncode == 1, run.stdout
    assert "1 failed" in run.stdout


@pytest.mark.parametrize(
    ("source", "reason", "words"),
    [(UNSUPPORTED, "unsupported", ":4:"), (VACUOUS, "vacuous", "")],
    ids=["unsupported", "vacuous"],
)
def test_undecided_has_a_reason_and_a_place(
    verifier: Run, write: Write, source: str, reason: str, words: str
) -> None:
    write("f.py", source)
    done = verifier("verify", "f.py", "--json")
    line = done.one
    assert done.code == 2, done
    assert (line["outcome"], line["reason"]) == ("undecided", reason)
    assert line["grounds"] is line["level"] is None
    assert line["detail"]
    assert words in line["detail"]


@pytest.mark.sandbox
def test_partial_is_said_and_asked_for(verifier: Run, write: Write) -> None:
    spin = "@ensure(lambda result: result == 0)\ndef spin(x: int) -> int:\n    while True:\n        pass\n"
    write("f.py", HEAD + spin)
    total = verifier("verify", "f.py", "--json")
    assert (total.code, total.one["grounds"]) == (1, "nontermination"), total
    partial = verifier("verify", "f.py", "--partial", "--json")
    assert (partial.code, partial.one["reason"]) == (2, "no_witness"), partial
    write("g.py", HEAD + "@require(lambda n: n >= 0)\n@ensure(lambda result: result == 0)\n"
          "def countdown(n: int) -> int:\n    while n != 0:\n        n -= 2\n    return n\n")  # fmt: skip
    total = verifier("verify", "g.py", "--json")
    assert (total.code, total.one["grounds"]) == (1, "nontermination"), total
    partial = verifier("verify", "g.py", "--partial", "--json")
    assert partial.code == 0, partial
    assert partial.one["detail"].startswith("partial correctness")


def test_safety_takes_functions_without_contract(verifier: Run, write: Write) -> None:
    write("f.py", "def last(xs: list[int]) -> int:\n    if len(xs) == 0:\n        return 0\n    return xs[-1]\n")
    assert verifier("verify", "f.py").code == 4
    done = verifier("verify", "f.py", "--safety", "--json")
    assert done.code == 0, done
    assert done.one["kind"] == "safety"


def test_folder_is_walked_in_order_without_hidden_parts(verifier: Run, write: Write) -> None:
    write("b/two.py", DOUBLE)
    write("a/one.py", DOUBLE)
    write("a/no_contract.py", "x = 1\n")
    write(".hidden/three.py", WRONG)
    write("env/pyvenv.cfg", "")
    write("env/four.py", WRONG)
    done = verifier("verify", ".", "--json")
    assert [line["claim"] for line in done.lines] == ["a/one.py::double", "b/two.py::double"]
    assert done.code == 0


def test_one_function_of_a_file(verifier: Run, write: Write) -> None:
    write("f.py", DOUBLE + "\n\n" + WRONG.removeprefix(HEAD))
    done = verifier("verify", "f.py::double", "--json")
    assert done.code == 0, done
    assert done.one["claim"] == "f.py::double"


@pytest.mark.sandbox
def test_worst_exit_code_wins_and_order_is_kept(verifier: Run, write: Write) -> None:
    write("a.py", DOUBLE)
    write("b.py", WRONG)
    write("c.py", UNSUPPORTED)
    done = verifier("verify", "c.py", "b.py", "a.py", "--json")
    assert [line["outcome"] for line in done.lines] == ["undecided", "refuted", "verified"]
    assert done.code == 1


def test_second_run_replays_and_a_twin_is_checked_again(verifier: Run, write: Write) -> None:
    write("sum.py", SUM)
    write("twin.py", RENAMED)
    first = verifier("verify", "sum.py", "--json").one
    again = verifier("verify", "sum.py", "--json").one
    twin = verifier("verify", "twin.py", "--json").one
    assert first["cache"] == {"rung": None, "rederived": True}
    assert again["cache"] == {"rung": "replay", "rederived": False}
    assert twin["cache"] == {"rung": "canonical", "rederived": True}
    assert {line["outcome"] for line in (first, again, twin)} == {"verified"}


def test_no_cache_touches_nothing(verifier: Run, write: Write, tmp_path: Path) -> None:
    write("double.py", DOUBLE)
    for _ in range(2):
        assert verifier("verify", "double.py", "--no-cache", "--json").one["cache"]["rung"] is None
    assert not (tmp_path / ".store").exists()


def test_enforcing_mode_fails_on_a_miss(verifier: Run, write: Write) -> None:
    write("double.py", DOUBLE)
    miss = verifier("verify", "double.py", "--cache-mode", "read-enforcing", "--json")
    assert miss.code in (4, 5)
    assert miss.one["error"]["code"] == "cache-miss"
    assert verifier("verify", "double.py").code == 0
    assert verifier("verify", "double.py", "--cache-mode", "read-enforcing").code == 0


@pytest.mark.sandbox
def test_table_for_people(verifier: Run, write: Write) -> None:
    write("a.py", DOUBLE)
    write("b.py", WRONG)
    done = verifier("verify", "a.py", "b.py")
    assert "\x1b" not in done.out
    assert re.search(r"a\.py::double +verified +proof +L[13] +\d+\.\d\d s", done.out)
    assert re.search(r"b\.py::bump +refuted +counterexample +L3", done.out)
    assert "def test_" in done.out
    assert "2 claims: 1 verified, 1 refuted" in done.out
    assert done.err == ""


def test_own_draft_is_checked_and_used(verifier: Run, write: Write) -> None:
    write("sum.py", SUM)
    write("draft.json", '{"format": 1, "function": "sum_to", "annotations": {"sum_to.0": {"invariants": '
          '["2 * total == i * (i - 1)", "1 <= i <= n + 1"], "decreases": []}}}')  # fmt: skip
    done = verifier("verify", "sum.py", "--draft", "draft.json", "--no-cache", "--json")
    assert done.code == 0, done
    assert "2 * total == i * (i - 1)" in done.one["annotations"]["sum_to.0"]["invariants"]


def test_wrong_draft_does_not_make_a_verdict(verifier: Run, write: Write) -> None:
    write("f.py", HEAD + "@ensure(lambda n, result: result == n)\ndef same(n: int) -> int:\n"
          "    i = 0\n    while i < n:\n        i += 1\n    return i\n")  # fmt: skip
    write("draft.json", '{"format": 1, "function": "same", "annotations": '
          '{"same.0": {"invariants": ["i == n"], "decreases": ["n - i"]}}}')  # fmt: skip
    assert verifier("verify", "f.py", "--draft", "draft.json", "--json").one["outcome"] != "verified"


@pytest.mark.parametrize(
    ("text", "question", "outcome"),
    [
        ("(declare-const x Int)(assert (> x 3))(check-sat)", None, "verified"),
        ("(declare-const x Int)(assert (> x 3))(check-sat)", "unsatisfiable", "refuted"),
        ("(declare-const x Int)(assert (> x 3))(check-sat)", "valid", "refuted"),
        ("(declare-const x Int)(assert (= (+ x 1) (+ 1 x)))(check-sat)", "valid", "verified"),
        ("(declare-const x Int)\n(set-info :status unsat)\n(assert (< x x))(check-sat)", None, "verified"),
        ("(declare-const x Int)\n(set-info :status unsat)\n(assert (< x 0))(check-sat)", None, "refuted"),
    ],
)
def test_formulas(verifier: Run, write: Write, text: str, question: str | None, outcome: str) -> None:
    write("f.smt2", text)
    extra = ("--question", question) if question else ()
    done = verifier("verify", "f.smt2", "--json", *extra)
    assert done.one["outcome"] == outcome, done
    assert done.one["kind"] == "formula"
