"""Runs the command as a user would: a process of its own, a fresh store, a folder of its own."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from tests.house import ROOT


@dataclass(frozen=True, slots=True)
class Done:
    """A finished command."""

    code: int
    out: str
    err: str

    @property
    def lines(self) -> list[dict[str, Any]]:
        """The JSON Lines that it printed."""
        return [json.loads(line) for line in self.out.splitlines()]

    @property
    def one(self) -> dict[str, Any]:
        """The only line."""
        (line,) = self.lines
        return line


Run = Callable[..., Done]


@pytest.fixture
def verifier(tmp_path: Path) -> Run:
    """`verifier(arguments…, env={…}, before=in_the_child)`, run in `tmp_path` with a store of its own."""

    def run(
        *arguments: str | Path,
        env: Mapping[str, str] | None = None,
        cwd: Path = tmp_path,
        before: Callable[[], None] | None = None,
    ) -> Done:
        environment = {
            **{key: value for key, value in os.environ.items() if not key.startswith("VERIFIER_")},
            "PYTHONPATH": str(ROOT),
            "VERIFIER_STORE": str(tmp_path / ".store"),
            "VERIFIER_KEY_FILE": str(tmp_path / ".key"),
            "COLUMNS": "160",
            **(env or {}),
        }
        done = subprocess.run(
            [sys.executable, "-m", "api.cli.main", *map(str, arguments)],
            cwd=cwd, env=environment, capture_output=True, text=True, timeout=240, preexec_fn=before,
        )  # fmt: skip
        return Done(done.returncode, done.stdout, done.stderr)

    return run


@pytest.fixture
def write(tmp_path: Path) -> Callable[[str, str], Path]:
    """`write(name, text)` makes a file below `tmp_path`."""

    def make(name: str, text: str) -> Path:
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
        return path

    return make
