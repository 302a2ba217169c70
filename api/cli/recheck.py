"""`verifier recheck`: five lines for each receipt, and the exit code that they give."""

from __future__ import annotations

import asyncio
import json as jsonlib
import os
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import typer

from api.settings import load
from api.wiring import build, kinds
from checkers.smt.pool import Pool
from verifier.errors import VerifierError
from verifier.receipt.recheck import Exit, Report, recheck

WORST_FIRST = (Exit.FAILED, Exit.MALFORMED, 3, Exit.OTHERWISE, Exit.NOT_HERE, Exit.EQUAL)
_SIZE = 32 * 2**20


def run(files: Sequence[str], flags: Mapping[str, Any], *, json: bool) -> int:
    """Re-check every file and print its lines; the worst exit code. Raises VerifierError for unreadable files."""
    settings = load(flags, os.environ, Path.cwd()).settings
    contents = [(name, read(name)) for name in files]
    return asyncio.run(_run(contents, settings.workers, json=json))


def read(name: str) -> bytes:
    """The bytes of a receipt file. Raises VerifierError (`no-such-file`)."""
    try:
        with Path(name).open("rb") as file:
            return file.read(_SIZE + 1)  # a longer one is refused by the parser, without being read to its end
    except OSError as error:
        reason = error.strerror or "unreadable"
        raise VerifierError("no-such-file", f"cannot be read: {reason}", place=name, hint="Check the path.") from None


async def _run(contents: Sequence[tuple[str, bytes]], workers: int, *, json: bool) -> int:
    codes: list[int] = []
    async with Pool(workers=workers) as pool:
        # No sandbox: whatever a receipt holds, its Python is never run.
        registered, fingerprint = kinds(pool, None), build()
        for name, data in contents:
            report = await recheck(data, registered, fingerprint=fingerprint)
            typer.echo(jsonlib.dumps(_object(name, report)) if json else _lines(name, report))
            codes.append(int(report.exit_code))
    return min(codes, key=[int(code) for code in WORST_FIRST].index)


def _lines(name: str, report: Report) -> str:
    return "\n".join([f"{name}:", *(f"  {line.name + ':':<17} {line.text}" for line in report.lines)])


def _object(name: str, report: Report) -> dict[str, Any]:
    lines = {line.name.replace(" ", "_").replace("-", "_"): line.text for line in report.lines}
    return {"file": name, **lines, "exit_code": int(report.exit_code)}
