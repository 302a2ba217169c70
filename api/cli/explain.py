"""`verifier explain`: what was shown, where it stands in the source, who found it, and what failed and why."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import typer
from rich.console import Console
from rich.table import Table
from rich.text import Text

from api.cli.listing import annotated
from api.cli.record import call, detail, failed, tells_more
from api.cli.table import STYLES, console_for_people, show_case
from api.cli.verify import Options, order_for
from api.collect import Item, collect
from api.decide import Order, Record, decide_all, worst
from api.settings import Settings, load
from api.wiring import Parts
from verifier.model import Annotations, Check, Grounds, Json, Outcome, Reason, Result, Side

INVARIANT, ENDLESS = "invariant", "endless: never leaves"
MARKS = {Result.PASS: ("shown", "green"), Result.FAIL: ("failed", "bold red"), Result.UNKNOWN: ("unknown", "yellow")}


def run(subject: str, flags: Mapping[str, Any], options: Options, *, only_case: bool) -> int:
    """Explain every claim that `subject` names, or one receipt; returns the exit code. Raises VerifierError."""
    # A stored answer would hide what became of the draft that is asked about.
    fresh = {"cache_mode": "off"} if options.draft is not None else {}
    settings = load({**flags, **fresh}, os.environ, Path.cwd()).settings
    if subject.endswith(".json"):
        from api.cli.explain_receipt import explain_receipt

        return explain_receipt(subject, settings, only_case=only_case)
    items = collect([subject], options.wanted)
    order = order_for(items, settings, options)
    records = asyncio.run(_decide(items, settings, order))
    console = console_for_people()
    for number, record in enumerate(records):
        if only_case:
            show_only_case(console, record)
            continue
        if number:
            console.print()
        show(console, record)
    return worst([record.exit_code for record in records])


async def _decide(items: Sequence[Item], settings: Settings, order: Order) -> list[Record]:
    async with Parts(settings) as parts:
        return await decide_all(items, parts.pipeline, order)


def show_only_case(console: Console, record: Record) -> None:
    """The counterexample as a pytest case, fit to be written to a file; on stderr why there is none."""
    found = record.verdict.counterexample
    if found is None or not found.pytest:
        typer.echo(f"{record.item.name}: {record.verdict.outcome.value}, no pytest case", err=True)
    else:
        show_case(console, found.pytest)


def show(console: Console, record: Record) -> None:
    """Everything about one record."""
    _headline(console, record)
    if record.error is not None:
        console.print(Text(record.error.diagnostics()), soft_wrap=True)
    notes = _annotations(record)
    if record.item.body is not None and record.verdict.reason is not Reason.UNSUPPORTED:
        console.print()
        endless = record.verdict.grounds is Grounds.NONTERMINATION
        listing(console, record.item.body, record.item.kind, notes, ENDLESS if endless else INVARIANT)
    if record.verdict.checks:
        console.print(goals(record.verdict.checks))
        console.print()
    _attempts(console, record)
    if record.verdict.tried:
        console.print(Text(f"tried, in this order: {', '.join(record.verdict.tried)}"))
    if (found := record.verdict.counterexample) is not None:
        console.print(Text(f"fails with {call(found.arguments) or 'no arguments'}: {found.observed}"), soft_wrap=True)
        if found.pytest:
            console.print()
            show_case(console, found.pytest)


def goals(checks: Sequence[Check]) -> Table:
    """What had to be shown, in order, with the place in the source and what was said about it."""
    table = Table(box=None, pad_edge=False, header_style="bold")
    for name in ("goal", "role", "place", "result", "level", "why"):
        table.add_column(name, overflow="fold")
    for check in checks:
        span, (word, style) = check.obligation.span, MARKS[check.result]
        place = f"{span.line}:{span.column}" if span is not None else ""
        level = check.level.name if check.result is Result.PASS else ""
        why = check.detail or (check.reason.value if check.reason is not None else "")
        table.add_row(
            Text(check.obligation.name), check.obligation.role, place, Text(word, style=style), level, Text(why)
        )
    return table


def _headline(console: Console, record: Record) -> None:
    verdict = record.verdict
    title = Text(record.item.name, style="bold")
    title.append(f": {verdict.outcome.value}", style=STYLES[verdict.outcome])
    words = [verdict.grounds or verdict.reason or "", verdict.level.name if verdict.level is not None else ""]
    title.append(f" ({', '.join(str(word) for word in words if word)})", style="dim")
    console.print(title)
    if record.hit.rung is not None:
        how = "checked again" if record.hit.rederived else "the stored record of the same request"
        console.print(Text(f"from the cache, rung {record.hit.rung}: {how}"))
    if verdict.drafter is not None:
        console.print(Text(f"{'proof' if verdict.grounds is Grounds.PROOF else 'input'} drafted by: {verdict.drafter}"))
    if tells_more(record) and (text := detail(record)) and verdict.outcome is not Outcome.REFUTED:
        console.print(Text(text), soft_wrap=True)
    if record.item.body is not None and record.item.body.get("partial"):
        console.print(Text("partial correctness: endless runs are no violation"))


def _annotations(record: Record) -> Annotations:
    """The accepted annotations, else those of the proof attempt that got furthest."""
    if record.verdict.certificate is not None:
        return record.verdict.certificate.annotations
    proofs = [attempt for attempt in record.attempts if attempt.draft.side is Side.PROOF]
    best = max(proofs, key=lambda attempt: sum(check.result is Result.PASS for check in attempt.checks), default=None)
    return best.draft.annotations if best is not None else {}


def listing(console: Console, body: Mapping[str, Json], kind: str, notes: Annotations, word: str) -> None:
    """The source with its annotations, or a formula's question."""
    if kind == "formula":
        console.print(Text(f"question: {body['question']}\n"))
        return
    for number, line in annotated(body, kind, notes, word):
        text = Text(f"{number:>5}  " if number is not None else f"{'':>5}  ", style="dim")
        text.append(line, style="" if number is not None else "cyan")
        console.print(text, soft_wrap=True)
    console.print()


def _attempts(console: Console, record: Record) -> None:
    """The drafts that were checked and not accepted. A proof comes again with a witness: its last try counts."""
    accepted = record.verdict.certificate
    proofs = [] if accepted is None or accepted.side is not Side.PROOF else [accepted.annotations]
    lines = []
    for draft, text in reversed([(attempt.draft, failed(attempt)) for attempt in record.attempts]):
        proof = draft.side is Side.PROOF
        if not text or (proof and draft.annotations in proofs):
            continue
        proofs += [draft.annotations] if proof else []
        lines.append(f"{'proof' if proof else 'counterexample'} drafted by {draft.drafter} not accepted: {text}")
    for line in reversed(lines):
        console.print(Text(line), soft_wrap=True)
