"""`verifier cache stats`: what the certificate store holds."""

from __future__ import annotations

import asyncio
import json as jsonlib
import os
from collections.abc import Mapping
from dataclasses import asdict
from pathlib import Path
from typing import Any

import typer

from api.settings import Settings, load, shown
from index.files import FileStore
from verifier.model import Side

SCOPE = "local"


def run(flags: Mapping[str, Any], *, json: bool) -> int:
    """Print the counts; returns the exit code. Raises VerifierError (`store-unavailable`)."""
    settings = load(flags, os.environ, Path.cwd()).settings
    counts = asyncio.run(count(settings))
    if json:
        typer.echo(jsonlib.dumps({"store": str(shown(settings.store)), **counts}, indent=2))
    else:
        typer.echo(f"store         {shown(settings.store)}")
        for name, value in counts.items():
            typer.echo(f"{name:<13} {value}")
    return 0


async def count(settings: Settings) -> dict[str, int]:
    """Certificates in all and by what they argue for, records, quarantined entries, and bytes on disk."""
    store = FileStore(settings.store, settings.key_file)
    sides = {side.value: 0 for side in Side}
    async for _identifier, certificate in store.iterate(SCOPE):
        sides[certificate.side.value] += 1
    stats = asdict(await store.stats(SCOPE))
    counts = {"certificates": stats.pop("certificates"), "proofs": sides["proof"], "refutations": sides["refutation"]}
    return {**counts, **stats}
