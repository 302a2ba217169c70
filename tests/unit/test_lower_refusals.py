"""What leaves the subset is named, with its line and column; nothing is skipped and nothing is guessed."""

from __future__ import annotations

import pytest

from checkers.lang.lower import lower
from verifier.errors import Unsupported

SIGNATURES = [
    ("def f(x): return 1", 1, 7, "parameter `x` without a type annotation"),
    ("def f(x: float) -> int: return 1", 1, 10, "type `float` of the parameter `x`"),
    ("def f(x: list[str]) -> int: return 1", 1, 10, "type `list[str]` of the parameter `x`"),
    ("def f(x: list[list[int]]) -> int: return 1", 1, 10, "type `list[list[int]]`"),
    ("def f(x: tuple[int, ...]) -> int: return 1", 1, 21, "type `...` of the parameter `x`"),
    ("def f(x: None) -> int: return 1", 1, 7, "type `None`"),
    ("def f(x: int | None) -> int: return 1", 1, 10, "type `int | None`"),
    ("def f(x: 'in t') -> int: return 1", 1, 10, "type 'in t' of the parameter `x`"),
    ("def f(*x: int) -> int: return 1", 1, 8, "parameter `*x`"),
    ("def f(**x: int) -> int: return 1", 1, 9, "parameter `**x`"),
    ("def f(*, x: int) -> int: return 1", 1, 10, "keyword-only parameter `x`"),
    ("def f(x: int, /) -> int: return 1", 1, 7, "positional-only parameter `x`"),
    ("def f(x: list[int] = []) -> int: return 1", 1, 22, "default of `x` that is mutable"),
    ("def f(x: int = None) -> int: return 1", 1, 16, "default of `x` that is not a literal of type `int`"),
    ("def f(x: bool = 2) -> int: return 1", 1, 17, "default of `x` that is not a literal of type `bool`"),
    ("def f(x: int) -> int:\n    yield x", 2, 5, "generator function `f`"),
    ("async def f(x: int) -> int: return 1", 1, 1, "asynchronous function `f`"),
    ("def f(x: int) -> float: return 1", 1, 18, "type `float` of the returned value"),
]

STATEMENTS = [
    ("try:\n        pass\n    finally:\n        pass", 2, 5, "`try`"),
    ("with x:\n        pass", 2, 5, "`with`"),
    ("match x:\n        case 1: pass", 2, 5, "`match`"),
    ("import os", 2, 5, "`import` in a function"),
    ("global y", 2, 5, "`global`"),
    ("del x", 2, 5, "`del`"),
    ("def g() -> int: return 1", 2, 5, "nested function"),
    ("class A: pass", 2, 5, "class"),
    ("y = lambda: 1", 2, 9, "lambda"),
    ("for a, b in xs:\n        pass", 2, 9, "loop target other than a name"),
    ("for a in (1, 2):\n        pass", 2, 14, "iteration over `tuple[int, int]`"),
    ("for a in range(0, x, x):\n        pass", 2, 26, "`range` with a step"),
    ("for a in range(0, x, 0):\n        pass", 2, 26, "`range` with a step"),
    ("for a in range(0, x, True):\n        pass", 2, 26, "`range` with a step"),
    ("raise", 2, 5, "`raise` without an exception"),
    ("raise ValueError from KeyError", 2, 5, "`raise … from` an exception"),
    ("raise UnicodeDecodeError", 2, 11, "exception `UnicodeDecodeError`"),
    ("raise OSError(2, 'x')", 2, 11, "exception `OSError`"),
    ("raise StopIteration", 2, 11, "exception `StopIteration`"),
    ("raise UserWarning", 2, 11, "exception `UserWarning`"),
    ("raise KeyboardInterrupt", 2, 11, "exception `KeyboardInterrupt`"),
    ("raise Own()", 2, 11, "exception `Own`"),
    ("raise ValueError(f'{x:>3}')", 2, 22, "f-string with more than plain names"),
    ("raise ValueError(x / 2)", 2, 22, "`/` on `int` and `int`"),
    ("assert x, str(x)", 2, 15, "message of `assert`"),
    ("assert x, f'{y}'\n    y = 1", 2, 15, "which may be unbound"),
    ("if x:\n        y = 1\n    assert x, f'{y}'", 4, 15, "which may be unbound"),
    ("for y in xs:\n        pass\n    assert x, f'{y}'", 4, 15, "which may be unbound"),
    ("for i in xs:\n        y = 1\n    assert x, f'{y}'", 4, 15, "which may be unbound"),
    ("while x:\n        y = 1\n        break\n    assert x, f'{y}'", 5, 15, "which may be unbound"),
    ("for i in xs:\n        break\n    else:\n        y = 1\n    assert x, f'{y}'", 6, 15, "which may be unbound"),
    ("for y in xs:\n        assert y, f'{y}'", 0, 0, ""),
    ("while True:\n        y = 1\n        if x: break\n        y = 2\n    x = y", 0, 0, ""),
    ("x: int", 0, 0, ""),
    ("y: bool = x", 2, 5, "`y` changes type from `bool` to `int`"),
    ("y = x\n    y = 'a'", 3, 5, "`y` changes type from `int` to `str`"),
    ("y: int = 1\n    y: bool = True", 3, 5, "`y` changes type"),
    ("y = None", 2, 9, "None as a value"),
    ("y = xs\n    y = (1,)", 3, 5, "`y` changes type from `list[int]` to `tuple[int]`"),
    ("y, z = 1, 2, 3", 2, 5, "unpacking of 3 values into 2 targets"),
    ("y, *z = 1, 2", 2, 5, "unpacking with `*`"),
    ("y, z = xs", 2, 5, "unpacking of `list[int]`"),
    ("x.y = 1", 2, 5, "assignment to the attribute `y`"),
    ("xs[0:1] = [1]", 2, 5, "assignment to a slice"),
    ("xs.pop()", 2, 5, "method call `.pop(…)`"),
    ("print(x)", 2, 5, "`print(…)`"),
    ("z = y", 2, 9, "unknown name `y`"),
    ("y = y + 1", 2, 9, "never given a value of a known type"),
    ("g(x)", 2, 5, "call of the unknown name `g`"),
    ("x(1)", 2, 5, "call of the variable `x`"),
    ("len(xs)(1)", 2, 5, "call of a computed function"),
]

EXPRESSIONS = [
    ("x / 2", 1, "`/` on `int` and `int`"),
    ("x @ 2", 1, "`@`"),
    ("x ** -1", 1, "outside 0..16"),
    ("x ** 17", 1, "outside 0..16"),
    ("x ** x", 1, "not a literal"),
    ("2 << x", 1, "not a literal"),
    ("1 << 257", 1, "outside 0..256"),
    ("x & 5", 1, "mask"),
    ("x | 1", 1, "`|` on int"),
    ("x ^ True", 1, "`^` on int"),
    ("1.5", 1, "float literal"),
    ("2j", 1, "complex literal"),
    ("b'a'", 1, "bytes literal"),
    ("'\\ud800' == 'a'", 1, "str literal"),
    ("f'{x}'", 1, "f-string"),
    ("x is 1", 1, "`is`"),
    ("x is not None", 1, "`is not`"),
    ("x == 'a'", 1, "`==` on `int` and `str`"),
    ("xs == (1,)", 1, "`==` on `list[int]` and `tuple[int]`"),
    ("xs == bs", 1, "`list[bool]` where `list[int]` is needed"),
    ("'a' < 'b'", 1, "`<` on `str` and `str`"),
    ("xs < xs", 1, "`<` on `list[int]`"),
    ("'a' in 'ab'", 1, "`in` on `str` and `str`"),
    ("'a' in xs", 1, "`in` on `str`"),
    ("'a' * 2", 1, "`*` on `str` and `int`"),
    ("xs * 2", 1, "`*` on `list[int]` and `int`"),
    ("xs + bs", 1, "`list[bool]` where `list[int]` is needed"),
    ("'a' + x", 1, "`+` on `str` and `int`"),
    ("x and xs", 1, "`and`/`or` of"),
    ("x if x else xs", 1, "conditional expression of `int` and `list[int]`"),
    ("[x, 'a']", 5, "list of `str`"),
    ("[i for i in xs]", 1, "list comprehension"),
    ("{1: 2}", 1, "dict"),
    ("{1}", 1, "set"),
    ("(y := 1)", 2, "assignment expression"),
    ("xs[::2]", 4, "slice with a step"),
    ("xs[::1.0]", 4, "slice with a step"),
    ("(1, 2)[2]", 1, "out of range"),
    ("(1, 2)[x]", 1, "not a literal"),
    ("x[0]", 1, "subscript of `int`"),
    ("xs['a']", 4, "`str` where a number is needed"),
    ("-xs", 2, "`list[int]` where a number is needed"),
    ("x.real", 1, "attribute `.real`"),
    ("len(x)", 1, "`len` of `int`"),
    ("max(xs)", 1, "`max` of fewer than two"),
    ("max(x, 1, key=abs)", 1, "keyword argument of `max`"),
    ("sum(xs)", 1, "`sum(…)`"),
    ("int('1')", 5, "`str` where a number is needed"),
    ("range(3)", 1, "`range(…)`"),
    ("len", 1, "`len` as a value"),
    ("all(x for x, y in xs)", 11, "unpacking in a comprehension"),
    ("all(x > y for x in xs if y for y in xs)", 26, "`y` read before its place"),
    ("all(i > x for i in xs for x in range(x))", 38, "`x` read before its place"),
    ("all(x for x in xs for x in xs)", 4, "one variable twice"),
    ("all(*[xs])", 1, "unpacking with `*`"),
    ("None", 1, "function returns `None`"),
]


def refusal(source: str) -> Unsupported:
    with pytest.raises(Unsupported) as caught:
        lower(source, "f", safety=True)
    return caught.value


@pytest.mark.parametrize(("source", "line", "column", "construct"), SIGNATURES)
def test_signatures(source: str, line: int, column: int, construct: str) -> None:
    error = refusal(source)
    assert construct in error.construct
    assert error.span is not None
    assert (error.span.line, error.span.column) == (line, column)


@pytest.mark.parametrize(("statement", "line", "column", "construct"), STATEMENTS)
def test_statements(statement: str, line: int, column: int, construct: str) -> None:
    source = f"def f(x: int, xs: list[int]) -> None:\n    {statement}\n"
    if not construct:
        lower(source, "f", safety=True)
        return
    error = refusal(source)
    assert construct in error.construct
    assert error.span is not None
    assert (error.span.line, error.span.column) == (line, column), error.construct


@pytest.mark.parametrize(("expression", "column", "construct"), EXPRESSIONS)
def test_expressions(expression: str, column: int, construct: str) -> None:
    source = f"def f(x: int, xs: list[int], bs: list[bool]) -> int:\n    return {expression}\n"
    error = refusal(source)
    assert construct in error.construct
    assert error.span is not None
    start = 5 if expression == "None" else 12
    assert (error.span.line, error.span.column) == (2, start + column - 1), error.construct


@pytest.mark.parametrize(
    "body",
    [
        "if x:\n        return 1",
        "while x:\n        return 1",
        "for i in range(x):\n        return 1",
        "while True:\n        if x:\n            break",
        "while True:\n        for i in range(x):\n            pass\n        else:\n            break",
        "if x:\n        return 1\n    elif x < 3:\n        return 2",
    ],
)
def test_a_function_that_may_fall_off_its_end(body: str) -> None:
    assert "may end without `return`" in refusal(f"def f(x: int) -> int:\n    {body}\n").construct


@pytest.mark.parametrize(
    "body",
    [
        "while True:\n        if x:\n            return 1",
        "while 1:\n        for i in range(x):\n            break\n        else:\n            return 1",
        "if x:\n        return 1\n    else:\n        raise ValueError",
        "while x:\n        x -= 1\n    else:\n        return 1",
        "assert False",
        "for i in range(x):\n        pass\n    else:\n        return 1",
    ],
)
def test_a_function_that_cannot_fall_off_its_end(body: str) -> None:
    lower(f"def f(x: int) -> int:\n    {body}\n", "f", safety=True)


@pytest.mark.parametrize(
    ("body", "construct"),
    [
        ("return x", "function returns `int` where `bool` is declared"),
        ("return", "function returns `None` where `bool` is declared"),
        ("return x and True", "function returns `int` where `bool` is declared"),
    ],
)
def test_results_of_another_type(body: str, construct: str) -> None:
    assert refusal(f"def f(x: int) -> bool:\n    {body}\n").construct == construct


def test_the_type_of_a_loop_variable_is_that_of_the_items() -> None:
    source = "def f(bs: list[bool]) -> int:\n    b = 3\n    for b in bs:\n        pass\n    return b\n"
    assert "`b` changes type" in refusal(source).construct


def test_calls_out_of_bounds() -> None:
    chain = "".join(f"def g{i}(x: int) -> int:\n    return g{i + 1}(x)\n" for i in range(12))
    source = f"def f(x: int) -> int:\n    return g0(x)\n{chain}def g12(x: int) -> int:\n    return x\n"
    assert refusal(source).construct == "calls nested too deeply"
    wide = "def f(x: int) -> int:\n    return g0(x)\n" + "".join(
        f"def g{i}(x: int) -> int:\n    return " + " + ".join([f"g{i + 1}(x)"] * 9) + "\n" for i in range(6)
    )
    assert "too large" in refusal(wide + "def g6(x: int) -> int:\n    return x\n").construct


@pytest.mark.parametrize(
    ("call", "construct"),
    [
        ("g()", "without the argument `x`"),
        ("g(1, 2, 3)", "too many arguments"),
        ("g(1, x=2)", "with the argument `x`"),
        ("g(1, z=2)", "with the argument `z`"),
        ("g(*[1])", "unpacked arguments"),
        ("g('a')", "`str` where `int` is needed"),
        ("f(x)", "recursion through `f`"),
        ("h(x)", "recursion through `h`"),
    ],
)
def test_calls(call: str, construct: str) -> None:
    source = f"def f(x: int) -> int:\n    return {call}\ndef g(x: int, y: int = 1) -> int:\n    return x\n"
    source += "def h(x: int) -> int:\n    return i(x)\ndef i(x: int) -> int:\n    return h(x)\n"
    assert construct in refusal(source).construct
