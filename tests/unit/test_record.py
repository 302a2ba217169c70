"""Records for programs and for people: the same facts, and never a colour code where nobody can see it."""

from __future__ import annotations

import io
import json
from dataclasses import replace

from rich.console import Console

from api.cli.record import FIELDS, to_json
from api.cli.table import Progress, render, show, summary
from api.collect import Item
from api.decide import Record
from verifier.case import Attempt
from verifier.errors import VerifierError
from verifier.model import (
    Certificate,
    Check,
    Counterexample,
    Draft,
    Grounds,
    Hit,
    Level,
    LoopNotes,
    Obligation,
    Origin,
    Outcome,
    Reason,
    Result,
    Side,
    Span,
    Verdict,
)

ITEM = Item("a.py::f", "contract", Origin("a.py", 3), {"source": "", "function": "f", "partial": False})
NOTES = {"f.0": LoopNotes(("i <= n",), ("n - i",))}
PROVED = Record(
    ITEM,
    Verdict(
        Outcome.VERIFIED,
        Grounds.PROOF,
        Level.L1,
        drafter="symbolic",
        certificate=Certificate("contract", "k", Side.PROOF, NOTES, ()),
    ),
    0.12345,
    Hit("canonical", True),
)
CASE = "def test_f():\n    assert f(0) > 0\n"
REFUTED = Record(
    ITEM,
    Verdict(
        Outcome.REFUTED,
        Grounds.COUNTEREXAMPLE,
        Level.L3,
        counterexample=Counterexample({"x": "0", "xs": "[1]"}, "returned 0", CASE),
    ),
    1.0,
)
UNSUPPORTED = Record(
    ITEM, Verdict(Outcome.UNDECIDED, reason=Reason.UNSUPPORTED, detail="a dict", span=Span(7, 5, 7, 9)), 0.0
)
BROKEN = Record(
    ITEM,
    Verdict(Outcome.UNDECIDED, reason=Reason.ERROR, detail="no such name `y`", span=Span(3, 2, 3, 4)),
    0.0,
    error=VerifierError("bad-contract", "no such name `y`", place="a.py", span=Span(3, 2, 3, 4)),
)
EVERY = (PROVED, REFUTED, UNSUPPORTED, BROKEN)


def printed(*, terminal: bool) -> str:
    console = Console(file=io.StringIO(), force_terminal=terminal, width=120, highlight=False, no_color=not terminal)
    show(console, EVERY, None)
    assert isinstance(console.file, io.StringIO)
    return console.file.getvalue()


def test_every_record_has_every_key_in_order() -> None:
    for record in EVERY:
        assert tuple(to_json(record, None)) == FIELDS
        json.dumps(to_json(record, None), allow_nan=False)


def test_values() -> None:
    proved, refuted, unsupported, broken = (to_json(record, None) for record in EVERY)
    assert proved["level"] == "L1"
    assert proved["seconds"] == 0.123
    assert proved["cache"] == {"rung": "canonical", "rederived": True}
    assert proved["annotations"] == {"f.0": {"invariants": ["i <= n"], "decreases": ["n - i"]}}
    assert refuted["counterexample"] == {
        "arguments": {"x": "0", "xs": "[1]"}, "observed": "returned 0", "pytest": CASE,
    }  # fmt: skip
    assert refuted["detail"] == "returned 0"
    assert unsupported["detail"] == "a.py:7:5: a dict"
    assert unsupported["error"] is None
    assert broken["error"] == {
        "code": "bad-contract", "message": "no such name `y`", "line": 3, "column": 2,
        "hint": "Correct the contract at the place named.",
    }  # fmt: skip


def test_partial_correctness_is_said() -> None:
    item = replace(ITEM, body={"source": "", "function": "f", "partial": True})
    assert str(to_json(replace(PROVED, item=item), None)["detail"]).startswith("partial correctness")
    assert to_json(PROVED, None)["detail"] == ""


def test_exit_codes() -> None:
    assert [record.exit_code for record in EVERY] == [0, 1, 2, 4]


def test_table_without_terminal_is_plain() -> None:
    text = printed(terminal=False)
    assert "\x1b" not in text
    assert "a.py:7:5: a dict" in text
    assert "error: a.py:3:2: no such name `y`" in text
    assert "with x=0, xs=[1]" in text
    assert CASE in text
    assert "4 claims: 1 verified, 1 refuted, 2 undecided; 1 from the cache" in text


def test_table_on_a_terminal_has_colours() -> None:
    assert "\x1b[" in printed(terminal=True)


def test_square_brackets_are_no_markup() -> None:
    item = Item("[bold]x[dim].py::f", "contract", Origin("[bold]x[dim].py", 1), {})
    console = Console(file=io.StringIO(), width=120)
    console.print(render([item], ["check [red]"], 120))
    assert isinstance(console.file, io.StringIO)
    assert "[bold]x[dim].py::f" in console.file.getvalue()
    assert "check [red]" in console.file.getvalue()


def test_an_error_beside_a_verdict_does_not_hide_the_reason() -> None:
    error = VerifierError("store-unavailable", "cannot store", place="store")
    console = Console(file=io.StringIO(), width=120)
    show(console, [replace(REFUTED, error=error)], None)
    assert isinstance(console.file, io.StringIO)
    text = console.file.getvalue()
    assert "returned 0\n  with x=0" in text
    assert "error: store: cannot store" in text


def test_a_narrow_terminal_keeps_names_whole() -> None:
    item = Item("a_module.py::a_function_name", "contract", Origin("a_module.py", 1), {})
    console = Console(file=io.StringIO(), width=60)
    console.print(render([item], [replace(REFUTED, item=item)], console.width))
    assert isinstance(console.file, io.StringIO)
    assert "a_module.py::a_function_name  refuted  counterexample  L3" in console.file.getvalue()


def test_a_table_taller_than_the_screen_leaves_nothing_behind() -> None:
    console = Console(file=io.StringIO(), force_terminal=True, width=100, height=5)
    with Progress(console, [ITEM] * 20) as progress:
        progress.watch(19, "the last row")
    assert isinstance(console.file, io.StringIO)
    assert "the last row" not in console.file.getvalue()


def test_why_an_own_draft_did_not_help_is_said() -> None:
    goal = Obligation("f.0: invariant 1 holds at entry", "initiation", "solvers", "", "digest", Span(3, 5, 3, 9))
    check = Check(goal, Result.FAIL, Level.L1, Reason.NOT_INDUCTIVE, "a case against it")
    own = Attempt(Draft("submitted", Side.PROOF, NOTES), (check,))
    told = str(to_json(replace(PROVED, attempts=(own,)), None)["detail"])
    assert told.endswith("f.0: invariant 1 holds at entry (line 3, column 5): a case against it")


def test_summary_of_one() -> None:
    assert summary([PROVED]) == "1 claim: 1 verified; 1 from the cache"
