"""The README agrees with the command, and the command starts quickly because it imports nothing heavy."""

from __future__ import annotations

import os
import re
import subprocess
import sys
import time

import pytest

from api.cli.main import EXIT_CODES
from api.cli.record import FIELDS
from api.settings import Settings
from tests.house import ROOT
from verifier.model import Outcome, Reason

HEAVY = ("z3", "cvc5", "hypothesis", "pydantic", "rich", "rfc8785", "cryptography", "checkers", "drafters", "asyncio")
COMMANDS = ("verifier", "verifier verify", "verifier recheck", "verifier explain")
README = (ROOT / "README.md").read_text(encoding="utf-8")


def text_of(command: str) -> str:
    """What `command --help` prints, 100 columns wide and without colours."""
    environment = {**os.environ, "COLUMNS": "100", "NO_COLOR": "1", "TERM": "dumb"}
    done = subprocess.run(
        [sys.executable, "-m", "api.cli.main", *command.split()[1:], "--help"],
        cwd=ROOT, env=environment, capture_output=True, text=True, timeout=60, check=True,
    )  # fmt: skip
    return "\n".join(line.rstrip() for line in done.stdout.strip().splitlines())


@pytest.mark.parametrize("command", COMMANDS)
def test_readme_shows_the_help_text(command: str) -> None:
    blocks = re.findall(r"```console\n\$ (verifier[^\n]*) --help\n(.*?)\n```", README, re.DOTALL)
    assert dict(blocks)[command] == text_of(command)


def test_readme_lists_every_key_of_a_json_line() -> None:
    table = README.split("## JSON Lines")[1].split("\n## ")[0]
    assert re.findall(r"`(\w+)`", " ".join(re.findall(r"^\| ([^|]*) \|", table, re.MULTILINE))) == list(FIELDS)


def test_readme_lists_every_outcome_and_reason() -> None:
    table = README.split("## JSON Lines")[1].split("\n## ")[0]
    assert all(f"`{word.value}`" in table for word in (*Outcome, *Reason))


def test_readme_and_help_agree_on_exit_codes() -> None:
    assert "in the order 5, 4, 1, 3, 2, 0" in " ".join(EXIT_CODES.split())
    assert "in the order 5, 4, 1, 3, 2, 0" in README


def test_guide_lists_every_setting() -> None:
    guide = (ROOT / "docs/guide/settings.md").read_text(encoding="utf-8")
    assert re.findall(r"^\| `(\w+)` \|", guide, re.MULTILINE) == list(Settings.model_fields)


def test_links_of_documents_lead_somewhere() -> None:
    for document in [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]:
        for target in re.findall(r"\]\((?!https?://)([^)#]+)\)", document.read_text(encoding="utf-8")):
            assert (document.parent / target).exists(), (document.name, target)


def test_help_imports_nothing_heavy() -> None:
    code = (
        "import sys; from api.cli.main import main\n"
        "try: main(['--help'])\n"
        "except SystemExit: pass\n"
        f"print('loaded:', [name for name in {HEAVY!r} if name in sys.modules])"
    )
    command = [sys.executable, "-c", code]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=60, check=True)
    assert done.stdout.splitlines()[-1] == "loaded: []"


def test_help_answers_in_under_300_ms() -> None:
    def once() -> float:
        start = time.perf_counter()
        text_of("verifier")
        return time.perf_counter() - start

    assert min(once() for _ in range(5)) < 0.3
