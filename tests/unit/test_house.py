"""The rules of the house that reviews forget: sizes, arrows, clocks, and who may import what."""

from __future__ import annotations

import ast
import re
import shutil
import statistics
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

from tests.house import PACKAGES, ROOT, File, files, length

LONG_FILES = {
    "checkers/lang/ir.py": "the vocabulary of the whole trusted base, read as one page",
}
"""Files of 400 lines and more, each with its reason."""

LONG_FUNCTIONS: dict[str, str] = {
    "checkers/smt/encode.py::value": "one case for each sort of expression, read beside the interpreter's",
}
"""`file::function` of 40 lines and more, each with its reason."""

CLOCKS = {"time", "datetime", "random", "secrets", "uuid", "zoneinfo", "calendar", "sched"}
CLOCK_USES = {
    "os.environ", "os.getenv", "os.urandom", "os.getpid", "os.times",
    "asyncio.sleep", "asyncio.timeout", "asyncio.wait_for", "asyncio.wait",
}  # fmt: skip
CLOCK_ROOMS = ("checkers/smt/pool", "checkers/smt/worker", "checkers/sandbox/")
"""The hard kill lives here, and the sandbox draws test inputs; nowhere else below the drafters."""

SOLVER_ROOMS = tuple(f"checkers/smt/{name}" for name in ("worker", "z3_engine", "cvc5_engine", "houdini_engine"))
"""Modules that run inside worker processes only."""


def names(found: list[File]) -> list[str]:
    return [file.name for file in found]


def test_files_are_short() -> None:
    sizes = {file.name: file.text.count("\n") for file in files()}
    assert {name for name, size in sizes.items() if size >= 400} <= set(LONG_FILES)
    assert statistics.median(sizes.values()) < 150


def test_functions_are_short() -> None:
    found = {
        f"{file.name}::{function.name}": length(function) for file in files() for function in file.functions()
    }
    long = {name: lines for name, lines in found.items() if lines >= 40}
    assert not set(long) - set(LONG_FUNCTIONS), long


def test_exceptions_to_the_size_rules_still_exist() -> None:
    sizes = {file.name: file.text.count("\n") for file in files()}
    assert all(sizes.get(name, 0) >= 400 for name in LONG_FILES)
    found = {f"{file.name}::{function.name}" for file in files() for function in file.functions()}
    assert set(LONG_FUNCTIONS) <= found


def test_no_clock_randomness_or_environment_below_the_drafters() -> None:
    guilty = [
        file
        for file in files("verifier", "checkers")
        if not file.name.startswith(CLOCK_ROOMS)
        and ({name.split(".")[0] for name in file.imports} & CLOCKS or file.attributes & CLOCK_USES)
    ]
    assert not names(guilty)


def test_solvers_are_imported_in_worker_modules_only() -> None:
    roots = {file.name: {name.split(".")[0] for name in file.imports} for file in files()}
    guilty = [name for name, found in roots.items() if found & {"z3", "cvc5"} and not name.startswith(SOLVER_ROOMS)]
    assert not guilty
    importers = {
        file.name
        for file in files()
        if file.imports & {room.replace("/", ".") for room in SOLVER_ROOMS if room.endswith("_engine")}
    }
    assert all(name.startswith(SOLVER_ROOMS) for name in importers)


def test_only_the_core_of_the_pipeline_makes_verdicts() -> None:
    """Law 1: nothing in `drafters/` can write a verdict, a certificate or a check."""
    forbidden = {f"verifier.model.{name}" for name in ("Verdict", "Certificate", "Check")}
    assert not names([file for file in files("drafters") if file.imports & forbidden])


@pytest.mark.parametrize("folder", [*PACKAGES, "tests"])
def test_nothing_is_left_to_do(folder: str) -> None:
    pattern = re.compile(r"\b(TO" r"DO|FIX" r"ME|XX" r"X|HA" r"CK)\b")
    assert not names([file for file in files(folder) if pattern.search(file.text)])


def test_no_stubs() -> None:
    for file in files():
        assert "raise NotImplemented" not in file.text, file.name


def test_public_things_have_docstrings() -> None:
    bare = []
    for file in files():
        if not ast.get_docstring(file.tree):
            bare.append(file.name)
        for node in file.tree.body:
            public = isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef) and node.name[0] != "_"
            if public and not ast.get_docstring(node):  # type: ignore[arg-type]
                bare.append(f"{file.name}::{node.name}")  # type: ignore[attr-defined]
    assert not bare


def test_test_files_have_unique_names() -> None:
    found = [path.name for path in (ROOT / "tests").rglob("test_*.py")]
    assert len(found) == len(set(found))


def test_top_level_holds_what_it_should() -> None:
    expected = {
        *PACKAGES, "tests", "docs", "pyproject.toml", "README.md", "Makefile", "LICENSE", "CHANGELOG.md",
        "build", "dist",
    }  # fmt: skip
    found = {path.name for path in ROOT.iterdir() if not path.name.startswith(".") and path.name != "__pycache__"}
    assert found <= expected


def test_wheel_ships_exactly_the_packages() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    assert tuple(project["tool"]["hatch"]["build"]["targets"]["wheel"]["packages"]) == PACKAGES
    assert all((ROOT / package / "py.typed").exists() for package in PACKAGES)


def test_every_lint_exclusion_has_a_reason() -> None:
    text = (ROOT / "pyproject.toml").read_text(encoding="utf-8")
    ignores = re.search(r"^ignore = \[\n(.*?)^\]", text, re.MULTILINE | re.DOTALL)
    assert ignores is not None
    assert all("#" in line for line in ignores.group(1).splitlines())


def test_documents_name_no_machine() -> None:
    pattern = re.compile(r"/(?:work|home|root|tmp|Users)/\w")
    documents = [ROOT / "README.md", ROOT / "CHANGELOG.md", *sorted((ROOT / "docs").rglob("*.md"))]
    assert not [path.name for path in documents if pattern.search(path.read_text(encoding="utf-8"))]


def test_arrows_of_the_house_hold() -> None:
    tool = Path(sys.executable).with_name("lint-imports")
    command = str(tool) if tool.exists() else shutil.which("lint-imports")
    assert command, "import-linter is part of the [dev] extra"
    done = subprocess.run([command, "--no-cache"], cwd=ROOT, capture_output=True, text=True, timeout=120)
    assert done.returncode == 0, done.stdout + done.stderr
