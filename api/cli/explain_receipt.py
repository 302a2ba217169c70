"""`verifier explain RECEIPT`: the claim, its annotations and goals, derived again here; nothing of it is run."""

from __future__ import annotations

import asyncio

from rich.console import Console
from rich.text import Text

from api.cli.explain import ENDLESS, INVARIANT, goals, listing
from api.cli.recheck import read
from api.cli.table import STYLES, console_for_people, show_case
from api.settings import Settings
from api.wiring import build, kinds
from checkers.smt.pool import Pool
from verifier.model import Grounds
from verifier.receipt.recheck import Report, recheck
from verifier.receipt.statement import Receipt


def explain_receipt(file: str, settings: Settings, *, only_case: bool) -> int:
    """Explain one receipt; the exit code of `recheck`. Raises VerifierError (`no-such-file`)."""
    report = asyncio.run(_recheck(read(file), settings.workers))
    console = console_for_people()
    receipt = report.receipt
    if only_case and receipt is not None and receipt.verdict.counterexample is not None:
        show_case(console, receipt.verdict.counterexample.pytest)
    elif receipt is not None:
        _show(console, receipt, report)
    for line in () if only_case else report.lines:
        console.print(Text(f"{line.name + ':':<17} {line.text}"), soft_wrap=True)
    return int(report.exit_code)


async def _recheck(data: bytes, workers: int) -> Report:
    async with Pool(workers=workers) as pool:
        return await recheck(data, kinds(pool, None), fingerprint=build())


def _show(console: Console, receipt: Receipt, report: Report) -> None:
    verdict = receipt.verdict
    title = Text(receipt.name, style="bold")
    title.append(f": {verdict.outcome.value}, it says", style=STYLES[verdict.outcome])
    console.print(title)
    if verdict.drafter is not None:
        console.print(Text(f"drafted by: {verdict.drafter}, it says"))
    console.print()
    notes = receipt.certificate.annotations if receipt.certificate is not None else {}
    endless = verdict.grounds is Grounds.NONTERMINATION
    listing(console, receipt.body, receipt.kind, notes, ENDLESS if endless else INVARIANT)
    if report.checks:
        console.print(Text("Derived again, here:"))
        console.print(goals(report.checks))
        console.print()
    if verdict.counterexample is not None and verdict.counterexample.pytest:
        console.print(Text("A receipt holds no paths: to run this case, save its source as claim.py.\n"))
        show_case(console, verdict.counterexample.pytest)
        console.print()
