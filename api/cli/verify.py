"""`verifier verify`: collect claims, decide them with one warm set of parts, and show the verdicts."""

from __future__ import annotations

import asyncio
import json
import os
import re
from collections.abc import Mapping, Sequence
from contextlib import aclosing, suppress
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import typer

from api.cli.record import to_json
from api.collect import QUESTIONS, Item, Wanted, collect
from api.decide import Order, Record, decide, worst
from api.settings import Settings, load
from api.wiring import Parts, named_budget, named_policy, read_draft
from verifier.errors import VerifierError
from verifier.keys import digest
from verifier.model import Draft


@dataclass(frozen=True, slots=True)
class Options:
    """What belongs to one run and is no setting."""

    json: bool = False
    partial: bool = False
    safety: bool = False
    question: str | None = None
    draft: str | None = None

    @property
    def wanted(self) -> Wanted:
        """What to look for in files. Raises VerifierError for a question that nobody knows."""
        if self.question is not None and self.question not in QUESTIONS:
            raise VerifierError("bad-claim", f"unknown question `{self.question}`", hint=f"Use {', '.join(QUESTIONS)}.")
        return Wanted(self.safety, self.partial, self.question)


def run(paths: Sequence[str], flags: Mapping[str, Any], options: Options) -> int:
    """Decide and show every claim below `paths`; returns the exit code. Raises VerifierError."""
    settings = load(flags, os.environ, Path.cwd()).settings
    items = collect(paths, options.wanted)
    return asyncio.run(_run(items, settings, order_for(items, settings, options), json_lines=options.json))


def order_for(items: Sequence[Item], settings: Settings, options: Options) -> Order:
    """What to ask of the items. Raises VerifierError for a policy, budget or draft that cannot be read."""
    policy, budget = named_policy(settings.policy), named_budget(settings.budget)
    return Order(policy, budget, drafts(options.draft, items), settings.workers)


def drafts(file: str | None, items: Sequence[Item]) -> Mapping[str, Draft]:
    """The submitter's draft by function name. Raises VerifierError (`bad-draft`) when no claim is meant."""
    if file is None:
        return {}
    function, draft = read_draft(Path(file))
    names = {str(item.body.get("function")) for item in items if item.body is not None}
    if function not in names:
        hint = "The draft's `function` has to name a function that is verified here."
        raise VerifierError("bad-draft", f"no claim is about the function `{function}`", place=file, hint=hint)
    return {function: draft}


async def _run(items: Sequence[Item], settings: Settings, order: Order, *, json_lines: bool) -> int:
    async with Parts(settings) as parts:
        if json_lines:
            return await _print_lines(items, parts, order)
        return await _print_table(items, parts, order)


async def _print_lines(items: Sequence[Item], parts: Parts, order: Order) -> int:
    codes = []
    async with aclosing(decide(items, parts.pipeline, order, lambda _position, _state: None)) as records:
        async for record in records:
            kept, receipt = keep_receipt(record, parts.settings.receipt_dir)
            typer.echo(json.dumps(to_json(kept, receipt)))
            codes.append(kept.exit_code)
    return worst(codes)


async def _print_table(items: Sequence[Item], parts: Parts, order: Order) -> int:
    from api.cli.table import Progress, console_for_people, show

    console, folder = console_for_people(), parts.settings.receipt_dir
    with Progress(console, items) as progress:
        async with aclosing(decide(items, parts.pipeline, order, progress.watch)) as records:
            kept = [keep_receipt(record, folder) async for record in records]
    found, written = [record for record, _ in kept], any(receipt is not None for _, receipt in kept)
    show(console, found, str(folder) if written else None)
    return worst([record.exit_code for record in found])


def keep_receipt(record: Record, folder: Path | None) -> tuple[Record, str | None]:
    """Write the receipt of a claim where one is wanted, and give its path; a failure is told beside the verdict."""
    if folder is None or record.receipt is None:
        return record, None
    try:
        return record, write_receipt(record.item, record.receipt, folder)
    except VerifierError as error:
        return replace(record, error=record.error or error), None


def write_receipt(item: Item, receipt: bytes, folder: Path) -> str:
    """Write a receipt, whole or not at all; returns its path. Raises VerifierError (`store-unavailable`)."""
    stem = re.sub(r"[^A-Za-z0-9_.]+", "-", item.name.replace(".py::", ".")).strip("-.")
    mark = digest("file/1", item.name)[:8]  # different names never share a file
    path = folder / f"{stem[-120:]}.{item.kind}.{mark}.json"
    part = path.with_suffix(".part")
    try:
        folder.mkdir(parents=True, exist_ok=True)
        part.write_bytes(receipt)
        part.replace(path)
    except OSError as error:
        with suppress(OSError):
            part.unlink()
        what = f"no receipt written: {error.strerror}"
        raise VerifierError("store-unavailable", what, place=str(folder), hint="Check the folder.") from None
    return str(path)
