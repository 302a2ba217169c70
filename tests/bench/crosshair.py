"""CrossHair on the eight classics, on the same machine and in the same run as ours, for `docs/benchmarks.md`.

CrossHair lives in an environment of its own (`make bench` installs it there), since it pins its solver. It has no
notion of a proof for unbounded loops: `Confirmed` counts as verified, an error as refuted, the rest as undecided.
"""

from __future__ import annotations

import json
import os
import subprocess
import time
from dataclasses import dataclass
from pathlib import Path

CLASSICS = Path(__file__).parent / "classics"
PER_CONDITION = 10
"""Seconds that CrossHair may spend on one postcondition."""


@dataclass(frozen=True, slots=True)
class Answer:
    """What CrossHair said of one function."""

    function: str
    expected: str
    outcome: str
    seconds: float

    @property
    def mark(self) -> str:
        """`ok`, `open` or `WRONG`, as for ours."""
        return "ok" if self.outcome == self.expected else "open" if self.outcome == "undecided" else "WRONG"


def ask(command: Path, function: str, expected: str) -> Answer:
    """Run CrossHair on one function, process start included (it has no warm mode)."""
    start = time.perf_counter()
    done = subprocess.run(
        [
            str(command),
            "check",
            "--report_all",
            "--analysis_kind=icontract",
            f"--per_condition_timeout={PER_CONDITION}",
            f"classics.{function}",
        ],
        cwd=CLASSICS,
        env={**os.environ, "PYTHONPATH": str(CLASSICS)},
        capture_output=True,
        text=True,
        timeout=600,
        check=False,
    )
    seconds = time.perf_counter() - start
    said = done.stdout + done.stderr
    if "error:" in said:
        return Answer(function, expected, "refuted", seconds)
    confirmed = "Confirmed over all paths" in said and "Not confirmed" not in said
    return Answer(function, expected, "verified" if confirmed else "undecided", seconds)


def compare(command: Path) -> None:
    """Print CrossHair's answers on the classics."""
    manifest = json.loads((CLASSICS / "manifest.json").read_text(encoding="utf-8"))
    answers = [ask(command, place.partition("::")[2], expected) for place, expected in manifest.items()]
    for answer in answers:
        print(f"{answer.mark:5}  {answer.outcome:9}  {answer.seconds:6.2f} s  {answer.function}")
    decided = sum(answer.mark == "ok" for answer in answers)
    wrong = sum(answer.mark == "WRONG" for answer in answers)
    print(f"CrossHair, {PER_CONDITION} s a condition: {decided} of {len(answers)} decided rightly, {wrong} wrong\n")
