"""The checker build as one digest: every source byte of the trusted packages, the Python minor version, the solver
builds and the options. Any change gives another fingerprint, so no stored verdict outlives what produced it.
"""

from __future__ import annotations

import importlib.metadata
import sys
from collections.abc import Iterable, Mapping
from pathlib import Path

from verifier.keys import canonical_json, digest
from verifier.model import Json

SOLVERS = ("z3-solver", "cvc5")
"""Distributions whose builds are part of a fingerprint."""


def sources(packages: Iterable[Path]) -> dict[str, bytes]:
    """Every Python file below the package folders, by `package/relative/path.py`. Raises OSError."""
    found: dict[str, bytes] = {}
    for package in packages:
        for path in package.rglob("*.py"):
            found[f"{package.name}/{path.relative_to(package).as_posix()}"] = path.read_bytes()
    return found


def builds(distributions: Iterable[str] = SOLVERS) -> dict[str, str | None]:
    """The installed version of each distribution (None where it is absent), without importing it."""
    found: dict[str, str | None] = {}
    for name in distributions:
        try:
            found[name] = importlib.metadata.version(name)
        except importlib.metadata.PackageNotFoundError:
            found[name] = None
    return found


def python() -> str:
    """The interpreter's name and minor version, such as `cpython-3.11`."""
    return f"{sys.implementation.name}-{sys.version_info.major}.{sys.version_info.minor}"


def fingerprint(
    files: Mapping[str, bytes], versions: Mapping[str, str | None], interpreter: str, options: Mapping[str, Json]
) -> str:
    """The digest of a build: pure, over what `sources`, `builds` and `python` read, and the checkers' options."""
    parts: list[str | bytes] = [interpreter, canonical_json(versions), canonical_json(options)]
    for name in sorted(files):
        parts += [name, files[name]]
    return digest("build/1", *parts)


def installed(packages: Iterable[Path], options: Mapping[str, Json] | None = None) -> str:
    """The fingerprint of the packages as they lie on this disk, with the solvers and the Python of this process."""
    return fingerprint(sources(packages), builds(), python(), options or {})
