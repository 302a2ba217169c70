"""Finding claims: every function that seems to carry a contract is found, whatever its place or notation."""

from __future__ import annotations

import pytest

from checkers.lang.module import discover
from verifier.errors import VerifierError

MODULE = '''
import icontract as ic
from icontract import require as needs
from nagini_contracts.contracts import *
import deal

@ic.require(lambda x: x)
def one(x): pass

@needs(lambda x: x)
async def two(x): pass

class Box:
    @ic.ensure(lambda result: result)
    def three(self): pass

def four(x):
    "text"
    Requires(x)
    def five():
        Ensures(x)

@deal.pre(lambda x: x)
def six(x): pass

def seven(x):
    """Text.

    post: x
    """

def eight(x):
    while x:
        Invariant(x)

def nine(x):
    return x

if True:
    @require(lambda x: x)
    def ten(x): pass
'''


def test_every_notation_and_place_is_found_in_source_order() -> None:
    assert [(found.name, found.notation) for found in discover(MODULE)] == [
        ("one", "icontract"),
        ("two", "icontract"),
        ("Box.three", "icontract"),
        ("four", "nagini"),
        ("four.five", "nagini"),
        ("six", "deal"),
        ("seven", "pep316"),
        ("eight", "nagini"),
        ("ten", "icontract"),
    ]


def test_safety_finds_plain_functions_too() -> None:
    assert ("nine", "none") in [(found.name, found.notation) for found in discover(MODULE, safety=True)]
    assert discover("def f(x): return x") == ()


def test_the_span_is_that_of_the_definition() -> None:
    (found,) = discover("def é(x): pass; y = 'ü'\n", safety=True)
    assert (found.span.line, found.span.column, found.span.end_line, found.span.end_column) == (1, 1, 1, 24)


def test_a_name_of_the_users_own_is_no_contract() -> None:
    assert discover("def Requires(x): return x\ndef f(x):\n    Requires(x)\n") == ()


@pytest.mark.parametrize(
    ("source", "line", "column"),
    [
        ("def f(:\n", 1, 7),
        ("x = 1\ny = 'open\n", 2, 5),
        ("x = 1\nreturn 3\n", 2, 1),
        ("def f(a, a): pass", 1, 10),
        ("x = 1\ny\0", 2, 2),
        ("(" * 300, 1, 201),
        ("-" * 50_000 + "1", 1, 1),
        ("a" + ".b" * 20_000, 1, 1),
        ("x = [" * 150, 1, 1),
        ("x = " + "9" * 5000, 1, 1),
        ("\ud800", 1, 1),
    ],
)
def test_what_python_cannot_compile_is_a_syntax_error_with_its_place(source: str, line: int, column: int) -> None:
    with pytest.raises(VerifierError) as caught:
        discover(source)
    assert caught.value.code == "syntax-error"
    span = caught.value.span
    assert span is not None
    assert span.line == line
    assert column in (1, span.column)


def test_warnings_of_the_compiler_are_no_errors() -> None:
    assert discover("x = '\\d'\ny = 1 is 1\n") == ()
