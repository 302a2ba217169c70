"""All benchmarks of the program kinds in one run: our loops, the classics three times over, CrossHair on the classics.

Run by `make bench`; `VERIFIER_CROSSHAIR` names the `crosshair` command. Without it that part is left out, and said so.
"""

from __future__ import annotations

import asyncio
import os
import sys
from pathlib import Path

from tests.bench import crosshair, run_loops

ROUNDS = 3


def main() -> int:
    """Print every table; 1 if one of our outcomes is wrong."""
    wrong = asyncio.run(run_loops.run(["loops", *["classics"] * ROUNDS]))
    command = os.environ.get("VERIFIER_CROSSHAIR")
    if command and Path(command).exists():
        crosshair.compare(Path(command))
    else:
        print("CrossHair is not installed here: its part of the table is left out")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
