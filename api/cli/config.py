"""`verifier config show`: the effective settings, and where each value comes from."""

from __future__ import annotations

import json as jsonlib
import os
from pathlib import Path

import typer
from rich.console import Console
from rich.table import Table

from api.settings import load, shown


def run(*, json: bool) -> int:
    """Print the settings seen from the current folder; returns the exit code. Raises VerifierError."""
    effective = load({}, os.environ, Path.cwd())
    values = {key: shown(value) for key, value in effective.settings}
    if json:
        document = {key: {"value": value, "source": shown(effective.sources[key])} for key, value in values.items()}
        typer.echo(jsonlib.dumps(document, indent=2))
        return 0
    table = Table("setting", "value", "from", box=None, pad_edge=False)
    for key, value in values.items():
        table.add_row(key, "none" if value is None else str(value), str(shown(effective.sources[key])))
    Console().print(table)
    return 0
