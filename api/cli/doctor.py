"""`verifier doctor`: what this machine has and what it lacks, with a remedy for each."""

from __future__ import annotations

import asyncio
import importlib.util
import json as jsonlib
import os
import platform
import tempfile
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, Literal

import typer

from api.settings import Settings, load, shown
from checkers.sandbox.service import Sandbox
from checkers.smt.pool import Pool
from verifier import __version__


@dataclass(frozen=True, slots=True)
class Finding:
    """One line. `missing` means that nothing can be verified; `limited` that something can not."""

    name: str
    state: Literal["ok", "limited", "missing"]
    detail: str
    remedy: str | None = None


def run(flags: Mapping[str, Any], *, json: bool) -> int:
    """Print the findings; 0, or 5 when something essential is missing. Raises VerifierError."""
    settings = load(flags, os.environ, Path.cwd()).settings
    findings = asyncio.run(examine(settings))
    if json:
        typer.echo(jsonlib.dumps([asdict(finding) for finding in findings], indent=2))
    else:
        _print(findings)
    return 5 if any(finding.state == "missing" for finding in findings) else 0


async def examine(settings: Settings) -> tuple[Finding, ...]:
    """Every finding, in a fixed order. Starts each solver once."""
    async with Pool(workers=1) as pool:
        solvers = [await _solver(pool, name) for name in ("z3", "cvc5")]
    return (
        Finding("verifier", "ok", f"{__version__}, on {platform.machine()} {platform.system()}"),
        _python(),
        *solvers,
        _sandbox(settings),
        _store(settings.store),
        _icontract(),
    )


def _python() -> Finding:
    name, version = platform.python_implementation(), platform.python_version()
    if name != "CPython":
        return Finding("python", "limited", f"{name} {version}", "Counterexamples are replayed in CPython: use it.")
    return Finding("python", "ok", f"{name} {version}")


async def _solver(pool: Pool, name: Literal["z3", "cvc5"]) -> Finding:
    version = await pool.version(name)
    package = {"z3": "z3-solver", "cvc5": "cvc5"}[name]
    if version is None:
        return Finding(name, "missing", "does not start", f"pip install --force-reinstall {package}")
    return Finding(name, "ok", version)


def _sandbox(settings: Settings) -> Finding:
    level = Sandbox(settings.sandbox).level
    if level.name == "unavailable":
        return Finding("sandbox", "limited", f"no fences: {', '.join(level.missing)} missing", level.remedy)
    if level.missing:
        return Finding("sandbox", "limited", f"{level.name}, without {', '.join(level.missing)}", level.remedy)
    return Finding("sandbox", "ok", level.name)


def _store(folder: Path) -> Finding:
    """Whether the store's folder, or the nearest parent that exists, can be written."""
    place = str(shown(folder))
    existing = next((parent for parent in (folder, *folder.parents) if parent.exists()), folder)
    try:
        with tempfile.TemporaryFile(dir=existing):
            return Finding("store", "ok", place if existing == folder else f"{place} (made at first use)")
    except OSError as error:
        remedy = "Choose a folder that you can write with --store, or use --no-cache."
        return Finding("store", "limited", f"{place}: {error.strerror}", remedy)


def _icontract() -> Finding:
    if importlib.util.find_spec("icontract") is None:
        remedy = "Nothing to do to verify: contracts are read, not run. To run your code: pip install icontract."
        return Finding("icontract", "ok", f"not installed. {remedy}")
    return Finding("icontract", "ok", "installed")


def _print(findings: tuple[Finding, ...]) -> None:
    from rich.console import Console
    from rich.text import Text

    console = Console(highlight=False)
    styles = {"ok": "green", "limited": "yellow", "missing": "bold red"}
    for finding in findings:
        line = Text(f"{finding.name:<10}")
        line.append(f"{finding.state:<9}", style=styles[finding.state])
        line.append(finding.detail)
        console.print(line, soft_wrap=True)
        if finding.remedy:
            console.print(Text(f"{'':<19}{finding.remedy}", style="dim"), soft_wrap=True)
