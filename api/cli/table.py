"""The table for people: live while claims are decided, plain text without colours where there is no terminal."""

from __future__ import annotations

from collections.abc import Sequence
from types import TracebackType
from typing import Self

from rich.console import Console
from rich.live import Live
from rich.syntax import Syntax
from rich.table import Table
from rich.text import Text

from api.cli.record import call, detail
from api.collect import Item
from api.decide import Record
from verifier.model import Outcome

STYLES = {
    Outcome.VERIFIED: "bold green",
    Outcome.REFUTED: "bold red",
    Outcome.UNDECIDED: "yellow",
    Outcome.CONFLICTING: "bold magenta",
}
COLUMNS = ("claim", "outcome", "grounds", "level", "time", "cache")


def render(items: Sequence[Item], states: Sequence[str | Record]) -> Table:
    """One row a claim: its record, or the stage that it is in."""
    table = Table(box=None, pad_edge=False, header_style="bold")
    for name in COLUMNS:
        table.add_column(name, no_wrap=name != "claim", justify="right" if name == "time" else "left", overflow="fold")
    for item, state in zip(items, states, strict=True):
        if isinstance(state, Record):
            table.add_row(item.name, *_cells(state))
        else:
            table.add_row(item.name, Text(state, style="dim"), "", "", "", "")
    return table


class Progress:
    """Shows the table while it fills, on a terminal only; then nothing, so that the final table can be printed."""

    def __init__(self, console: Console, items: Sequence[Item]) -> None:
        self.states: list[str | Record] = ["waiting"] * len(items)
        self._items = items
        self._live = Live(
            get_renderable=lambda: render(items, self.states), console=console, transient=True, refresh_per_second=8
        )
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
            self._live.stop()


def show(console: Console, records: Sequence[Record], receipts: str | None) -> None:
    """The final table, then what went wrong with each claim that is not verified, then counterexamples."""
    console.print(render([record.item for record in records], list(records)))
    for record in records:
        if record.verdict.outcome is not Outcome.VERIFIED or record.error is not None or detail(record):
            _explain(console, record)
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


def _explain(console: Console, record: Record) -> None:
    verdict = record.verdict
    console.print()
    title = Text(record.item.name, style="bold")
    title.append(f": {verdict.outcome.value}", style=STYLES[verdict.outcome])
    title.append(f" ({verdict.grounds or verdict.reason or ''})", style="dim")
    console.print(title)
    if record.error is not None:
        console.print(Text(record.error.diagnostics()), soft_wrap=True)
    if (record.error is None or record.incidents) and (text := detail(record)):
        console.print(Text(f"  {text}"), soft_wrap=True)
    if verdict.counterexample is not None:
        console.print(Text(f"  with {call(verdict.counterexample.arguments) or 'no arguments'}"), soft_wrap=True)
        console.print()
        show_case(console, verdict.counterexample.pytest)
