"""The other commands: recheck, explain, doctor, cache stats, config show."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.acceptance.conftest import Run

Write = Callable[[str, str], Path]
LINES = ["parsed:", "signed:", "logged:", "evidence present:", "re-derived:"]
HEAD = "from icontract import ensure, require\n\n"
COUNT = HEAD + (
    "@require(lambda n: n >= 0)\n"
    "@ensure(lambda n, result: result == n)\n"
    "def count(n: int) -> int:\n"
    "    i = 0\n"
    "    while i < n:\n"
    "        i += 1\n"
    "    return i\n"
)
WRONG = HEAD + "@ensure(lambda x, result: result > x)\ndef bump(x: int) -> int:\n    return x * 2\n"


def receipt_of(verifier: Run, write: Write, tmp_path: Path, source: str) -> Path:
    write("f.py", source)
    line = verifier("verify", "f.py", "--receipt-dir", "receipts", "--json").one
    return tmp_path / str(line["receipt"])


def test_receipt_derives_again_without_store_or_source(verifier: Run, write: Write, tmp_path: Path) -> None:
    receipt = receipt_of(verifier, write, tmp_path, COUNT)
    (tmp_path / "f.py").unlink()
    done = verifier("recheck", receipt, env={"VERIFIER_STORE": str(tmp_path / "nowhere")})
    assert done.code == 0, done
    head, *lines = done.out.splitlines()
    assert head.startswith(str(receipt))
    assert [line.strip().split(":")[0] + ":" for line in lines] == LINES
    assert "unsigned" in lines[1]
    assert not (tmp_path / "nowhere").exists()


@pytest.mark.sandbox
def test_receipt_of_a_refutation_derives_again(verifier: Run, write: Write, tmp_path: Path) -> None:
    assert verifier("recheck", receipt_of(verifier, write, tmp_path, WRONG)).code == 0


def test_recheck_never_runs_the_code_of_a_receipt(verifier: Run, write: Write, tmp_path: Path) -> None:
    trap = tmp_path / "ran"
    source = f"open({str(trap)!r}, 'w').close()\n" + COUNT
    receipt = receipt_of(verifier, write, tmp_path, source)
    trap.unlink(missing_ok=True)
    assert verifier("recheck", receipt).code in (0, 2)
    assert not trap.exists()


def test_altered_receipts_are_malformed_or_derive_otherwise(verifier: Run, write: Write, tmp_path: Path) -> None:
    receipt = receipt_of(verifier, write, tmp_path, COUNT)
    data = receipt.read_bytes()
    for name, changed in {
        "space": data + b" ",
        "pretty": json.dumps(json.loads(data), indent=1).encode(),
        "word": data.replace(b'"verified"', b'"refuted"'),
        "cut": data[:-5],
        "empty": b"",
    }.items():
        path = tmp_path / f"{name}.json"
        path.write_bytes(changed)
        assert verifier("recheck", path).code == 4, name


def test_worst_code_of_many_receipts(verifier: Run, write: Write, tmp_path: Path) -> None:
    receipt = receipt_of(verifier, write, tmp_path, COUNT)
    bad = write("bad.json", "{}")
    done = verifier("recheck", receipt, bad, "--json")
    assert done.code == 4
    assert [line["exit_code"] for line in done.lines] == [0, 4]
    assert verifier("recheck", tmp_path / "missing.json").code == 4


def test_explain_shows_invariants_beside_the_code(verifier: Run, write: Write) -> None:
    write("f.py", COUNT)
    done = verifier("explain", "f.py::count")
    assert done.code == 0, done
    lines = done.out.splitlines()
    loop = next(index for index, line in enumerate(lines) if "while i < n" in line)
    assert any("invariant" in line for line in lines[loop - 6 : loop])
    assert any("decreases" in line for line in lines[loop - 6 : loop])
    assert "drafted by: symbolic" in done.out
    assert "preservation" in done.out
    assert "shown" in done.out
    assert "tried, in this order:" in done.out


def test_explain_a_receipt(verifier: Run, write: Write, tmp_path: Path) -> None:
    done = verifier("explain", receipt_of(verifier, write, tmp_path, COUNT))
    assert done.code == 0, done
    assert "invariant" in done.out
    assert "re-derived:" in done.out


@pytest.mark.sandbox
def test_explain_prints_only_the_case(verifier: Run, write: Write) -> None:
    write("f.py", WRONG)
    done = verifier("explain", "f.py::bump", "--counterexample")
    assert done.code == 1
    compile(done.out, "case.py", "exec")
    assert "def test_" in done.out


def test_explain_says_where_something_is_unsupported(verifier: Run, write: Write) -> None:
    write("f.py", HEAD + "@ensure(lambda result: result >= 0)\ndef f(x: int) -> int:\n    return len({x: 1})\n")
    done = verifier("explain", "f.py::f")
    assert done.code == 2
    assert "f.py:5:" in done.out


def test_doctor(verifier: Run) -> None:
    done = verifier("doctor", "--json")
    findings = {finding["name"]: finding for finding in json.loads(done.out)}
    assert list(findings) == ["verifier", "python", "z3", "cvc5", "sandbox", "store", "icontract"]
    assert done.code == 0, done
    assert findings["z3"]["detail"][0].isdigit()
    assert all(finding["remedy"] for finding in findings.values() if finding["state"] != "ok")
    assert "sandbox" in verifier("doctor").out


def test_doctor_says_when_the_store_cannot_be_written(verifier: Run, write: Write) -> None:
    write("file", "")
    done = verifier("doctor", "--store", "file/store", "--json")
    (finding,) = [item for item in json.loads(done.out) if item["name"] == "store"]
    assert finding["state"] == "limited"
    assert finding["remedy"]


def test_cache_stats(verifier: Run, write: Write) -> None:
    assert json.loads(verifier("cache", "stats", "--json").out)["certificates"] == 0
    write("f.py", COUNT)
    assert verifier("verify", "f.py").code == 0
    counts = json.loads(verifier("cache", "stats", "--json").out)
    assert (counts["certificates"], counts["proofs"], counts["refutations"]) == (1, 1, 0)
    assert counts["bytes"] > 0
    assert "certificates" in verifier("cache", "stats").out


def test_config_show(verifier: Run, write: Write) -> None:
    write("pyproject.toml", '[tool.verifier]\nbudget = "medium"\n')
    shown = json.loads(verifier("config", "show", "--json", env={"VERIFIER_JOBS": "3"}).out)
    assert shown["budget"]["value"] == "medium"
    assert shown["budget"]["source"].endswith("pyproject.toml")
    assert shown["jobs"] == {"value": 3, "source": "VERIFIER_JOBS"}
    assert shown["policy"] == {"value": "proof", "source": "default"}
    assert "medium" in verifier("config", "show").out


def test_version(verifier: Run) -> None:
    done = verifier("--version")
    assert (done.code, done.out) == (0, "verifier 0.1.0\n")
