"""`verifier cache stats`: what the certificate store holds."""

from __future__ import annotations

import asyncio
import json as jsonlib
import os
from collections import Counter
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import typer

from api.settings import Settings, load, shown
from index.files import FileStore

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
    """Certificates in all and by what they argue for, files, and bytes on disk. A missing store is empty."""
    sides: Counter[str] = Counter()
    if settings.store.exists():
        async for _identifier, certificate in FileStore(settings.store).iterate(SCOPE):
            sides[certificate.side.value] += 1
    files = [path for path in settings.store.rglob("*") if path.is_file()] if settings.store.exists() else []
    return {
        "certificates": sides.total(),
        "proofs": sides["proof"],
        "refutations": sides["refutation"],
        "quarantined": sum("quarantine" in path.parts[-3:-1] for path in files),
        "bytes": sum(path.stat().st_size for path in files),
    }
