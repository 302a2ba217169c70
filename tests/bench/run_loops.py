"""Decides our own loops and the classics, end to end and without hand-written invariants, and prints a table.

Run as `python -m tests.bench.run_loops [FOLDER …]` (default: `loops` and `classics`). Each line holds the expected and
the found outcome, seconds for the whole claim, and these as a multiple of what the two solvers alone need for the
goals of the accepted certificate. Ends with 1 if one outcome is wrong.
"""

from __future__ import annotations

import asyncio
import json
import statistics
import sys
import time
from collections import Counter
from dataclasses import dataclass
from pathlib import Path

from api.settings import Settings
from api.wiring import Parts
from verifier.case import Request
from verifier.model import BUDGETS, Certificate, Claim, Side
from verifier.ports import Kind

BENCH = Path(__file__).parent


@dataclass(frozen=True, slots=True)
class Row:
    """One function: what is true, what was found, and how long it took in seconds; `bare` for the solvers alone."""

    name: str
    expected: str
    outcome: str
    detail: str
    seconds: float
    bare: float

    @property
    def mark(self) -> str:
        """`wrong` is an outcome that contradicts the truth; `open` is undecided."""
        return "ok" if self.outcome == self.expected else "open" if self.outcome == "undecided" else "WRONG"


async def measure(parts: Parts, file: Path, function: str, expected: str) -> Row:
    """Verify one function with a cold cache and warm solvers."""
    kind = parts.kinds["contract"]
    claim = kind.parse({"source": file.read_text(encoding="utf-8"), "function": function})
    start = time.perf_counter()
    result = await parts.pipeline.verify(Request(claim))
    seconds = time.perf_counter() - start
    verdict = result.verdict
    bare = 0.0 if verdict.certificate is None else await bare_seconds(parts, kind, claim, verdict.certificate)
    return Row(function, expected, verdict.outcome.value, verdict.detail, seconds, bare)


async def bare_seconds(parts: Parts, kind: Kind, claim: Claim, certificate: Certificate) -> float:
    """What both solvers need, one after the other, for the goals of a proof."""
    if certificate.side is not Side.PROOF:
        return 0.0
    goals = kind.obligations(claim, certificate.side, certificate.annotations)
    scripts = [goal.script for goal in goals if goal.form == "solvers"]
    budget = BUDGETS["small"]
    start = time.perf_counter()
    for script in scripts:
        await parts.pool.ask("z3", script, resources=budget.resources, seconds=budget.seconds)
        await parts.pool.ask("cvc5", script, resources=budget.resources, seconds=budget.seconds)
    return time.perf_counter() - start


async def run(folders: list[str]) -> int:
    """Print one table a folder and a summary; returns the number of wrong outcomes."""
    wrong = 0
    async with Parts(Settings.model_validate({"cache_mode": "off"})) as parts:
        for solver in ("z3", "cvc5"):
            await parts.pool.ask(solver, "(check-sat)", resources=1_000, seconds=30)
        for folder in folders:
            manifest = json.loads((BENCH / folder / "manifest.json").read_text(encoding="utf-8"))
            rows = []
            for place, expected in manifest.items():
                file, function = place.split("::")
                rows.append(await measure(parts, BENCH / folder / file, function, expected))
                show(rows[-1])
            wrong += summarise(folder, rows)
    return wrong


def show(row: Row) -> None:
    """One line of the table."""
    times = f"{row.seconds / row.bare:6.1f}x" if row.bare else "      -"
    print(f"{row.mark:5}  {row.outcome:9}  {row.seconds:6.2f} s {times}  {row.name}", flush=True)
    if row.mark != "ok":
        print(f"       expected {row.expected}: {row.detail}", flush=True)


def summarise(folder: str, rows: list[Row]) -> int:
    """The shares and the median; returns the number of wrong outcomes."""
    marks = Counter(row.mark for row in rows)
    seconds = [row.seconds for row in rows]
    print(
        f"{folder}: {marks['ok']} of {len(rows)} decided rightly, {marks['WRONG']} wrong, {marks['open']} open; "
        f"median {statistics.median(seconds):.2f} s, longest {max(seconds):.2f} s\n"
    )
    return marks["WRONG"]


if __name__ == "__main__":
    sys.exit(1 if asyncio.run(run(sys.argv[1:] or ["loops", "classics"])) else 0)
