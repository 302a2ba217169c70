"""Counterexamples as pytest files: run by pytest itself, they fail on the bug and pass on its repair."""

from __future__ import annotations

import ast
import os
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

import pytest

from checkers.lang.interp import Value, judge
from checkers.lang.lower import lower
from checkers.program.pytest_case import pytest_case


@dataclass(frozen=True)
class Case:
    source: str
    repair: tuple[str, str]
    arguments: tuple[Value, ...]


CASES = {
    "icontract_post": Case(
        "import icontract\n\n\n@icontract.require(lambda x: x < 10)\n@icontract.ensure(lambda result: result >= 0)\n"
        "def f(x: int) -> int:\n    return x\n",
        ("return x", "return abs(x)"),
        (-3,),
    ),
    "nagini_post": Case(
        "import verifier.contracts as c\nfrom verifier.contracts import Implies as If, Result\n\nLIMIT = 1\n\n\n"
        "def f(xs: list[int]) -> int:\n    c.Requires(c.Forall(xs, lambda x: x >= 0))\n"
        "    c.Ensures(If(len(xs) > LIMIT, Result() >= c.Old(xs[1])) and c.Exists(range(9), lambda k: k >= 0))\n"
        "    return xs[0] if xs else 0\n",
        ("return xs[0] if xs else 0", "return max(xs[0], xs[1]) if len(xs) > 1 else 0"),
        ([0, 5],),
    ),
    "exception": Case(
        "from verifier.contracts import Ensures, Requires, Result\n\n\ndef f(total: int, count: int) -> int:\n"
        "    Requires(count >= 0)\n    Ensures(Result() <= total)\n    return total // count\n",
        ("return total // count", "return total // (count + 1)"),
        (1, 0),
    ),
    "listed_exception": Case(
        "from verifier.contracts import Ensures, Exsures, Result\n\n\ndef f(xs: list[int], k: int) -> int:\n"
        "    Ensures(Result() >= 0 or Result() < 0)\n    Exsures(IndexError, k >= len(xs))\n    return xs[k]\n",
        ("return xs[k]", "return xs[k] if k >= 0 else 0"),
        ([], -1),
    ),
    "assertion": Case(
        "from verifier.contracts import Requires\n\n\ndef f(s: str) -> int:\n    Requires(len(s) < 9)\n"
        "    assert s != 'é\\n\"'\n    return 0\n",
        ("assert s != 'é\\n\"'\n    ", ""),
        ('é\n"',),
    ),
    "endless": Case(
        "from verifier.contracts import Ensures, Result\n\n\ndef f(n: int) -> int:\n    Ensures(Result() == 0)\n"
        "    while n != 0:\n        n = abs(n)\n    return n\n",
        ("n = abs(n)", "n = 0"),
        (5,),
    ),
}
# The repaired `listed_exception` and `endless` meet their contracts on the very input of the counterexample.


ROOT = Path(__file__).parents[2]


def run(folder: Path) -> dict[str, str]:
    command = [
        sys.executable,
        "-m",
        "pytest",
        "-q",
        "-rA",
        "-p",
        "no:cacheprovider",
        "--rootdir",
        str(folder),
        str(folder),
    ]
    environment = {**os.environ, "PYTHONPATH": str(ROOT), "PYTHONDONTWRITEBYTECODE": "1"}
    done = subprocess.run(command, capture_output=True, text=True, cwd=folder, timeout=120, env=environment)
    assert "ModuleNotFoundError" not in done.stdout
    lines = [line.split() for line in done.stdout.splitlines() if line.startswith(("PASSED ", "FAILED "))]
    return {Path(words[1].partition("::")[0]).stem.removeprefix("test_"): words[0] for words in lines}


def write(folder: Path, *, repaired: bool) -> None:
    for name, case in CASES.items():
        source = case.source
        if repaired:
            assert source.count(case.repair[0]) == 1
            source = source.replace(*case.repair)
        (folder / f"{name}.py").write_text(source, "utf-8")


def test_cases_fail_on_the_bug_and_pass_on_the_repair(tmp_path: Path) -> None:
    write(tmp_path, repaired=False)
    for name, case in CASES.items():
        program = lower(case.source, "f")
        judgement = judge(program.function, case.arguments, steps=10_000)
        assert judgement.status in ("violates", "diverges"), name
        text = pytest_case(
            program, case.arguments, judgement, f"{name}.py" if name != "endless" else str(tmp_path / "endless.py")
        )
        (tmp_path / f"test_{name}.py").write_text(text, "utf-8")
    assert run(tmp_path) == dict.fromkeys(CASES, "FAILED")
    write(tmp_path, repaired=True)
    assert run(tmp_path) == dict.fromkeys(CASES, "PASSED")


@pytest.mark.parametrize("path", ["a b/ü.py", "quo\"te'.py", "../x-y.py", "C:\\tmp\\f.py", "new\nline.py"])
def test_any_path_gives_valid_python(path: str) -> None:
    case = CASES["icontract_post"]
    program = lower(case.source, "f")
    text = pytest_case(program, case.arguments, judge(program.function, case.arguments, steps=1000), path)
    names = [node.name for node in ast.walk(ast.parse(text)) if isinstance(node, ast.FunctionDef)]
    assert names == ["load", "test_f_meets_its_contract"]
    assert repr(path) in text
