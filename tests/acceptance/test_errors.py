"""Bad input of every sort: a message with a place and a remedy, exit code 4, and no traceback."""

from __future__ import annotations

import json
import os
import resource
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.acceptance.conftest import Run
from tests.house import ROOT

Write = Callable[[str, str], Path]
HEAD = "from icontract import ensure, require\n\n"
GOOD = HEAD + "@ensure(lambda x, result: result == 2 * x)\ndef double(x: int) -> int:\n    return x + x\n"


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["verify", "missing.py"], "no such file"),
        (["verify", "good.py::nothing"], "no function `nothing`; there are: double"),
        (["verify", "plain.py"], "no function with a contract"),
        (["verify", "empty"], "no contract"),
        (["verify", "good.py", "--policy", "hope"], "hope"),
        (["verify", "good.py", "--policy", "zero.json"], "children"),
        (["verify", "good.py", "--budget", "huge"], "budget"),
        (["verify", "good.py", "--question", "maybe"], "unknown question"),
        (["verify", "good.py", "--draft", "plain.py"], "cannot be read"),
        (["verify", "good.py", "--draft", "other.json"], "no claim is about the function `other`"),
        (["verify", "good.py", "--sandbox", "none"], "sandbox"),
        (["verify", "good.py", "--bogus"], "--bogus"),
        (["verify"], "PATH"),
        (["prove", "good.py"], "prove"),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, list) else "",
)
def test_bad_requests(verifier: Run, write: Write, tmp_path: Path, arguments: list[str], words: str) -> None:
    write("good.py", GOOD)
    write("plain.py", "x = 1\n")
    write("zero.json", '{"all": []}')
    write("other.json", '{"format": 1, "function": "other", "annotations": {}}')
    (tmp_path / "empty").mkdir()
    done = verifier(*arguments)
    assert done.code == 4, done
    assert words in done.err
    assert "Traceback" not in done.err
    assert done.out == ""


@pytest.mark.parametrize(
    ("source", "code", "line"),
    [
        ("def f(:\n", "syntax-error", 1),
        ("x = 1\ny = (\n", "syntax-error", 2),
        ("x = '\0'\n", "syntax-error", 1),
        (HEAD + "@ensure(lambda y, result: result == y)\ndef f(x: int) -> int:\n    return x\n", "bad-contract", 3),
        (HEAD + "@ensure(lambda result: result == bound)\ndef f(x: int) -> int:\n    return x\n", "bad-contract", 3),
    ],
    ids=["syntax", "unclosed", "nul", "no such parameter", "unknown name"],
)
def test_bad_source_is_a_line_of_its_own(verifier: Run, write: Write, source: str, code: str, line: int) -> None:
    write("a.py", source)
    write("b.py", GOOD)
    done = verifier("verify", "a.py", "b.py", "--json")
    bad, good = done.lines
    assert done.code == 4, done
    assert (bad["outcome"], bad["reason"], bad["error"]["code"]) == ("undecided", "error", code)
    assert bad["error"]["line"] == line
    assert bad["error"]["column"] >= 1
    assert bad["error"]["hint"]
    assert good["outcome"] == "verified"


def test_missing_annotation_is_named(verifier: Run, write: Write) -> None:
    write("f.py", HEAD + "@ensure(lambda x, result: result == x)\ndef f(x):\n    return x\n")
    done = verifier("verify", "f.py", "--json")
    assert done.code in (2, 4), done
    assert "annotation" in done.one["detail"]


def test_contract_that_can_raise_is_reported(verifier: Run, write: Write) -> None:
    write("f.py", HEAD + "@ensure(lambda xs, result: result == xs[0])\ndef f(xs: list[int]) -> int:\n    return 0\n")
    done = verifier("verify", "f.py", "--json")
    assert done.one["outcome"] != "verified"
    assert done.code != 0


@pytest.mark.parametrize(
    "text",
    [
        "(assert",
        "(check-sat)\n(check-sat)",
        "(declare-const x Int)\n(assert (> x y))\n(check-sat)",
        "(exit",
        "(push 1)",
    ],
)
def test_bad_smtlib_has_a_place(verifier: Run, write: Write, text: str) -> None:
    write("f.smt2", text)
    done = verifier("verify", "f.smt2", "--json")
    assert done.code == 4, done
    assert done.one["error"]["code"] == "bad-smtlib"
    assert done.one["error"]["line"] >= 1
    assert done.one["error"]["column"] >= 1


def test_a_function_without_contract_is_no_claim(verifier: Run, write: Write) -> None:
    write("f.py", "def f(x: int) -> int:\n    return x\n")
    done = verifier("verify", "f.py::f")
    assert done.code == 4
    assert "--safety" in done.out + done.err


def test_unknown_setting_is_named(verifier: Run, write: Write) -> None:
    write("good.py", GOOD)
    write("pyproject.toml", '[tool.verifier]\nbugdet = "small"\n')
    done = verifier("verify", "good.py")
    assert done.code == 4
    assert "`bugdet`" in done.err
    assert "Known settings" in done.err


def disk_full() -> None:
    """No file may grow: every write to one fails, as on a full disk."""
    resource.setrlimit(resource.RLIMIT_FSIZE, (0, 0))


def test_full_disk_leaves_the_verdict_and_nothing_half_written(verifier: Run, write: Write, tmp_path: Path) -> None:
    write("good.py", GOOD)
    done = verifier("verify", "good.py", "--receipt-dir", "receipts", "--json", before=disk_full)
    line = done.one
    assert (done.code, line["outcome"], line["error"]["code"]) == (5, "verified", "store-unavailable"), done
    assert line["receipt"] is None
    assert "Traceback" not in done.err
    left = [path for folder in (".store", "receipts") for path in (tmp_path / folder).rglob("*") if path.is_file()]
    assert not left
    assert verifier("verify", "good.py").code == 0


def test_damaged_store_entries_are_put_aside_and_named(verifier: Run, write: Write, tmp_path: Path) -> None:
    write("good.py", GOOD)
    assert verifier("verify", "good.py").code == 0
    entries = [path for path in (tmp_path / ".store").rglob("*.json") if path.is_file()]
    assert len(entries) == 2  # a certificate and a record
    for path in entries:
        path.write_bytes(path.read_bytes()[:-20])
    done = verifier("verify", "good.py", "--json")
    assert (done.code, done.one["outcome"], done.one["cache"]["rung"]) == (0, "verified", None), done
    assert all(path.name in done.err for path in entries), done
    assert json.loads(verifier("cache", "stats", "--json").out)["quarantined"] >= 2


def test_unusable_store_leaves_the_verdict_and_says_so(verifier: Run, write: Write) -> None:
    write("good.py", GOOD)
    done = verifier("verify", "good.py", "--store", "good.py/store", "--json")
    assert done.code == 5, done
    assert "store" in (done.out + done.err)
    assert "Traceback" not in done.err


def test_reader_that_leaves_early_is_no_failure(write: Write, tmp_path: Path) -> None:
    write("good.py", GOOD)
    environment = {**os.environ, "PYTHONPATH": str(ROOT), "VERIFIER_STORE": str(tmp_path / "s")}
    environment["VERIFIER_KEY_FILE"] = str(tmp_path / "k")
    process = subprocess.Popen(
        [sys.executable, "-m", "api.cli.main", "verify", "good.py", "--json"],
        cwd=tmp_path, env=environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
    )  # fmt: skip
    assert process.stdout is not None
    assert process.stderr is not None
    process.stdout.close()
    assert b"Traceback" not in process.stderr.read()
    process.stderr.close()
    assert process.wait(60) == 141


def test_interrupting_is_clean(write: Write, tmp_path: Path) -> None:
    loop = (
        "@ensure(lambda a, b, c, result: result == a * b * c)\n"
        "def volume(a: int, b: int, c: int) -> int:\n"
        "    total = 0\n"
        "    for i in range(a):\n"
        "        for j in range(b):\n"
        "            for k in range(c):\n"
        "                total += 1\n"
        "    return total\n"
    )
    write("f.py", HEAD + "\n".join(loop.replace("volume", f"volume{index}") for index in range(12)))
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    process = subprocess.Popen(
        [sys.executable, "-m", "api.cli.main", "verify", "f.py", "--no-cache", "--budget", "large"],
        cwd=tmp_path, env=environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
    )  # fmt: skip
    time.sleep(2.0)
    process.send_signal(signal.SIGINT)
    out, err = process.communicate(timeout=60)
    assert process.returncode == 130, (out, err)
    assert "Traceback" not in err
    assert err.strip() in ("interrupted", "")
