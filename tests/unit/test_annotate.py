"""Drafted annotations: read in the scope of their loop, or refused as a bad draft that names loop, text and place."""

from __future__ import annotations

import pytest

from checkers.lang import ir
from checkers.lang.annotate import annotate, parse_expression
from checkers.lang.interp import evaluate
from checkers.lang.lower import Program, lower
from verifier.errors import VerifierError
from verifier.model import LoopNotes

SOURCE = """
def f(xs: list[int], n: int) -> int:
    total = 0
    for x in xs:
        total += clip(x, n)
    while total > 0:
        total -= 1
    n, total = total, n
    return total
def clip(x: int, n: int) -> int:
    return x if x < n else n
def looped(x: int) -> int:
    for i in range(x):
        pass
    return x
"""


def program() -> Program:
    return lower(SOURCE, "f", safety=True)


def test_names_are_those_of_the_loop_and_the_module() -> None:
    expr = parse_expression(program(), "f.0", " total <= clip(n, 3) * Iterations() and Old(n) == n ")
    env = {"xs": [1, 2], "n": 2, "total": 4, "x": 2}
    assert evaluate(expr, env, entry={"xs": [1, 2], "n": 2}, iterations=2) is True  # type: ignore[arg-type]
    assert evaluate(expr, env, entry={"xs": [1, 2], "n": 3}, iterations=2) is False  # type: ignore[arg-type]


def test_quantifiers_implications_and_old_values() -> None:
    text = "Forall(range(len(xs)), lambda n: Implies(xs[n] > 0, Exists(xs, lambda x: x == Old(xs[n]))))"
    expr = parse_expression(program(), "f.1", text)
    assert [node.variable for node in ir.walk(expr) if isinstance(node, ir.Quantifier)] == ["n_1", "x_1"]
    env = {"xs": [1, -2], "n": 2, "total": 4}
    assert evaluate(expr, env, entry={"xs": [1, -2], "n": 2}) is True  # type: ignore[arg-type]


def test_a_whole_draft() -> None:
    notes = {"f.1": LoopNotes(("total >= 0", "xs == Old(xs)"), ("total", "n"))}
    found = annotate(program(), notes)
    assert (len(found["f.1"].invariants), len(found["f.1"].decreases)) == (2, 2)


BAD = [
    ("f.2", "n > 0", "there is no such loop; there are f.0, f.1"),
    ("f.0", "y > 0", "the name `y` is not defined here"),
    ("f.0", "n >", "invalid syntax"),
    ("f.0", "n > 0; n", "invalid syntax"),
    ("f.0", "n = 1", ""),
    ("f.0", "", "invalid syntax"),
    ("f.0", "Result() > 0", "postcondition only"),
    ("f.0", "Old(total) > 0", "not defined here"),
    ("f.1", "Iterations() > 0", "annotation of a `for` loop only"),
    ("f.0", "looped(n) > 0", "has a loop"),
    ("f.0", "f(xs, n) > 0", "has a loop"),
    ("f.0", "missing(n)", "the function `missing` is not defined"),
    ("f.0", "Forall(int, lambda k: k > 0)", "bounded"),
    ("f.0", "__import__('os')", ""),
    ("f.0", "[k for k in xs]", "list comprehension"),
    ("f.0", "n is n", "`is`"),
    ("f.0", "xs.append(1)", "method call"),
    ("f.0", "(lambda: n)()", "computed function"),
    ("f.0", "-" * 200 + "n", "nests too deeply"),
    ("f.0", "-" * 10_000 + "n", ""),
    ("f.0", "(" * 500, ""),
    ("f.0", "n" * 30_000, "too long"),
    ("f.0", "n\0", ""),
    ("f.0", "\ud800", ""),
    ("f.0", "f'{n}'", "f-string"),
]


@pytest.mark.parametrize(("path", "text", "message"), BAD)
def test_a_bad_draft_is_named(path: str, text: str, message: str) -> None:
    with pytest.raises(VerifierError) as caught:
        parse_expression(program(), path, text)
    assert caught.value.code == "bad-draft"
    assert message in caught.value.message
    assert f"loop {path}" in caught.value.message


def test_a_rank_is_a_number_and_places_are_those_of_the_text() -> None:
    with pytest.raises(VerifierError) as caught:
        annotate(program(), {"f.1": LoopNotes((), ("xs",))})
    assert "`list[int]` where a number is needed" in caught.value.message
    with pytest.raises(VerifierError) as caught:
        annotate(program(), {"f.1": LoopNotes(("n > 0 and missing",), ())})
    assert caught.value.span is not None
    assert (caught.value.span.line, caught.value.span.column) == (1, 11)
