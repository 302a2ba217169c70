"""The table for people: live while claims are decided, plain text without colours where there is no terminal."""

from __future__ import annotations

import os
from collections.abc import Sequence
from types import TracebackType
from typing import Self

from rich.console import Console
from rich.live import Live
from rich.syntax import Syntax
from rich.table import Table
from rich.text import Text

from api.cli.record import call, detail, tells_more
from api.collect import Item
from api.decide import Record
from verifier.model import Outcome, Reason

STYLES = {
    Outcome.VERIFIED: "bold green",
    Outcome.REFUTED: "bold red",
    Outcome.UNDECIDED: "yellow",
    Outcome.CONFLICTING: "bold magenta",
}
COLUMNS = ("claim", "outcome", "grounds", "level", "time", "cache")
SEARCHED = (Reason.NO_DRAFT, Reason.NOT_INDUCTIVE, Reason.BUDGET, Reason.NOT_CHECKABLE)
"""Reasons of which `verifier explain` shows more than the one line."""
NARROW = 80
"""Terminals below this width go without the last two columns, so that names stay readable."""


def console_for_people() -> Console:
    """Standard output: as wide as the terminal, or wide enough for a table where there is none."""
    console = Console(highlight=False)
    if not console.is_terminal and "COLUMNS" not in os.environ:
        console.width = 160
    return console


def render(items: Sequence[Item], states: Sequence[str | Record], width: int) -> Table:
    """One row a claim: its record, or the stage that it is in. The folder that all share is told once, on top."""
    columns = COLUMNS if width >= NARROW else COLUMNS[:-2]
    folder = _shared_folder([item.origin.path for item in items])
    table = Table(box=None, pad_edge=False, header_style="bold")
    for name in columns:
        title = Text(f"{name} in {folder}" if folder and name == "claim" else name)
        table.add_column(title, justify="right" if name == "time" else "left", overflow="fold", no_wrap=name != "claim")
    for item, state in zip(items, states, strict=True):
        claim = Text(item.name.removeprefix(folder))
        if isinstance(state, Record):
            table.add_row(claim, *_cells(state)[: len(columns) - 1])
        else:
            table.add_row(claim, Text(state, style="dim", overflow="ellipsis"))
    return table


def _shared_folder(paths: Sequence[str]) -> str:
    """The folder, with its final slash, below which all paths lie; empty where there is none."""
    common = os.path.commonprefix(list(paths))  # noqa: RUF071 - cut back to a whole folder in the next line
    return common[: common.rfind("/") + 1]


class Progress:
    """Shows the table while it fills, on a terminal only; then nothing, so that the final table can be printed."""

    def __init__(self, console: Console, items: Sequence[Item]) -> None:
        self.states: list[str | Record] = ["waiting"] * len(items)
        self._items = items
        self._console = console
        self._ended = False
        self._live = Live(get_renderable=self._table, console=console, transient=True, refresh_per_second=8)
        self._enabled = console.is_terminal

    def watch(self, position: int, state: str | Record) -> None:
        """Take in what happened to one claim."""
        self.states[position] = state

    def __enter__(self) -> Self:
        if self._enabled:
            self._live.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._enabled:
            self._ended = True  # the last refresh is of nothing: a table taller than the screen would leave its top
            self._live.stop()

    def _table(self) -> Table:
        return Table(box=None) if self._ended else render(self._items, self.states, self._console.width)


def show(console: Console, records: Sequence[Record], receipts: str | None) -> None:
    """The final table, then what went wrong with each claim that is not verified.

    A single counterexample is printed as its pytest case; of several, how to print each.
    """
    console.print(render([record.item for record in records], list(records), console.width))
    cases = sum(bool(found.pytest) for record in records if (found := record.verdict.counterexample) is not None)
    for record in records:
        if record.verdict.outcome is not Outcome.VERIFIED or record.error is not None or detail(record):
            _explain(console, record, whole_case=cases == 1)
    console.print()
    console.print(Text(summary(records)))
    if receipts is not None:
        console.print(Text(f"receipts: {receipts}"))


def summary(records: Sequence[Record]) -> str:
    """`13 claims: 9 verified, 3 refuted, 1 undecided; 12 from the cache`."""
    counts = {outcome: sum(record.verdict.outcome is outcome for record in records) for outcome in Outcome}
    parts = ", ".join(f"{count} {outcome.value}" for outcome, count in counts.items() if count)
    hits = sum(record.hit.rung is not None for record in records)
    cached = f"; {hits} from the cache" if hits else ""
    return f"{len(records)} {'claim' if len(records) == 1 else 'claims'}: {parts}{cached}"


def show_case(console: Console, text: str) -> None:
    """A pytest case: highlighted on a terminal, and always fit to be copied."""
    if console.is_terminal and not console.no_color:
        console.print(Syntax(text.rstrip("\n"), "python", background_color="default"))
    else:
        console.print(Text(text.rstrip("\n")), soft_wrap=True)


def _cells(record: Record) -> tuple[Text | str, ...]:
    verdict = record.verdict
    outcome = Text(verdict.outcome.value, style=STYLES[verdict.outcome])
    why = verdict.grounds.value if verdict.grounds else verdict.reason.value if verdict.reason else ""
    rung = record.hit.rung or ""
    if rung and record.hit.rederived:
        rung += ", re-derived"
    return outcome, why, verdict.level.name if verdict.level is not None else "", f"{record.seconds:.2f} s", rung


def _explain(console: Console, record: Record, *, whole_case: bool) -> None:
    verdict = record.verdict
    console.print()
    title = Text(record.item.name, style="bold")
    title.append(f": {verdict.outcome.value}", style=STYLES[verdict.outcome])
    title.append(f" ({verdict.grounds or verdict.reason or ''})", style="dim")
    console.print(title)
    if tells_more(record) and (text := detail(record)):
        console.print(Text(f"  {text}"), soft_wrap=True)
    if (found := verdict.counterexample) is not None:
        console.print(Text(f"  with {call(found.arguments) or 'no arguments'}"), soft_wrap=True)
    if record.error is not None:
        console.print(Text(record.error.diagnostics()), soft_wrap=True)
    elif verdict.reason in SEARCHED and record.item.kind != "formula":
        console.print(Text(f"  goals and invariants: {_command(record)}", style="dim"), soft_wrap=True)
    if found is None or not found.pytest:
        return
    if whole_case:
        console.print()
        show_case(console, found.pytest)
    else:
        console.print(Text(f"  pytest case: {_command(record, ' --counterexample')}", style="dim"), soft_wrap=True)


def _command(record: Record, *wanted: str) -> str:
    """The command that explains a record."""
    body = record.item.body or {}
    flags = [*wanted, *([" --partial"] if body.get("partial") else [])]
    flags += [" --safety"] if record.item.kind == "safety" else []
    return f"verifier explain {record.item.name}{''.join(flags)}"
