from __future__ import annotations

from pathlib import Path

import pytest

from api.collect import Wanted, collect
from api.decide import worst
from verifier.errors import VerifierError

ENSURED = "from icontract import ensure\n\n@ensure(lambda result: result)\ndef f() -> bool:\n    return True\n"


def test_worst_order() -> None:
    order = [5, 4, 1, 3, 2, 0]
    for index, code in enumerate(order):
        assert worst(order[index:]) == code
        assert worst(list(reversed(order[index:]))) == code
    assert worst([]) == 0


def test_same_file_twice_is_one_claim(tmp_path: Path) -> None:
    path = tmp_path / "f.py"
    path.write_text(ENSURED, encoding="utf-8")
    assert len(collect([str(path), f"{path}::f", str(path)], Wanted())) == 1


def test_source_is_read_as_python_reads_it(tmp_path: Path) -> None:
    path = tmp_path / "f.py"
    path.write_bytes(b"\xef\xbb\xbf# caf\xc3\xa9\r\n" + ENSURED.replace("\n", "\r\n").encode())
    (item,) = collect([str(path)], Wanted())
    assert item.body is not None
    assert "\r" not in str(item.body["source"])
    path.write_bytes(b"# -*- coding: latin-1 -*-\n# caf\xe9\n" + ENSURED.encode())
    assert collect([str(path)], Wanted())[0].body is not None


@pytest.mark.parametrize(
    ("data", "line", "column"),
    [(b"x = 1\ny = '\xff'\n", 2, 6), (b"# -*- coding: no-such -*-\n", 1, 1)],
)
def test_undecodable_source_has_a_place(tmp_path: Path, data: bytes, line: int, column: int) -> None:
    path = tmp_path / "f.py"
    path.write_bytes(data)
    (item,) = collect([str(path)], Wanted())
    assert item.error is not None
    assert item.error.code == "syntax-error"
    assert item.error.span is not None
    assert (item.error.span.line, item.error.span.column) == (line, column)


def test_neither_python_nor_smtlib(tmp_path: Path) -> None:
    path = tmp_path / "f.txt"
    path.write_text("x", encoding="utf-8")
    (item,) = collect([str(path)], Wanted())
    assert item.error is not None
    assert item.error.code == "bad-claim"


@pytest.mark.parametrize(
    ("text", "question", "asked"),
    [
        ("(check-sat)", None, "satisfiable"),
        ("(set-info :status unsat)", None, "unsatisfiable"),
        ("(set-info :status sat)", None, "satisfiable"),
        ("; (set-info :status unsat)", None, "satisfiable"),
        ("(set-info :question valid)\n(set-info :status unsat)", None, "valid"),
        ("(set-info :status unsat)", "valid", "valid"),
    ],
)
def test_question_of_a_formula(tmp_path: Path, text: str, question: str | None, asked: str) -> None:
    path = tmp_path / "f.smt2"
    path.write_text(text, encoding="utf-8")
    (item,) = collect([str(path)], Wanted(question=question))
    assert item.body is not None
    assert item.body["question"] == asked


def test_missing_file(tmp_path: Path) -> None:
    with pytest.raises(VerifierError) as caught:
        collect([str(tmp_path / "none.py")], Wanted())
    assert (caught.value.code, caught.value.exit_code) == ("no-such-file", 4)
