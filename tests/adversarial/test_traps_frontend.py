"""Traps and hostile sources for the front end: what Python does differently from what the text suggests is refused by
name, and no input makes the front end crash."""

from __future__ import annotations

import pytest

from checkers.lang.interp import Returned, execute
from checkers.lang.lower import lower
from checkers.lang.module import discover
from verifier.errors import Unsupported, VerifierError

HEAD = "def f(xs: list[int], n: int) -> list[int]:\n"


def refusal(source: str) -> str:
    with pytest.raises(Unsupported) as caught:
        lower(source, "f", safety=True)
    assert caught.value.span is not None
    return caught.value.construct


# --- aliasing and mutation (traps 7, 8, 9) --------------------------------------------------------------------


@pytest.mark.parametrize(
    ("body", "construct"),
    [
        ("xs.append(n)", "mutation of the parameter `xs`"),
        ("xs[0] = n", "mutation of the parameter `xs`"),
        ("xs[0] += n", "mutation of the parameter `xs`"),
        ("xs += [n]", "mutation of the parameter `xs`"),
        ("xs = list(xs)\n    xs.append(n)", "mutation of the parameter `xs`"),
        ("ys = xs\n    ys.append(n)", "may be the same list as `xs`"),
        ("ys = xs\n    ys += [n]", "may be the same list as `xs`"),
        ("ys = [n]\n    zs = ys\n    ys[0] = 2\n    xs = zs", "may be the same list as `zs`"),
        ("ys = zs = [n]\n    ys[0] = 2\n    xs = zs", "may be the same list as `zs`"),
        ("ys, zs = xs, [n]\n    ys.append(1)", "may be the same list as"),
        ("ys = xs if n else [n]\n    ys.append(1)", "may be the same list as `xs`"),
        ("ys = xs or [n]\n    ys.append(1)", "may be the same list as `xs`"),
        ("ys = [n]\n    t = (ys, 1)\n    ys.append(1)\n    xs = t[0]", "may be the same list as `t`"),
        ("t = ([n], 1)\n    ys = t[0]\n    ys.append(1)\n    xs = t[0]", "may be the same list as `t`"),
        ("ys, zs = twice(n)\n    ys.append(1)\n    xs = zs", "may be the same list as"),
        ("ys = same(xs)\n    ys.append(1)", "may be the same list as `xs`"),
        ("ys = [n]\n    zs = indirect(ys)\n    ys.append(1)\n    xs = zs", "may be the same list as `zs`"),
        ("ys = [n]\n    for y in ys:\n        ys.append(y)", "mutation of `ys` while it is iterated over"),
        (
            "ys = [n]\n    for y in ys:\n        while n:\n            ys[0] = 2",
            "mutation of `ys` while it is iterated",
        ),
        ("ys = [n]\n    for y in same(ys):\n        ys += [1]", "mutation of `ys` while it is iterated"),
        ("ys = [n]\n    for y in (ys if n else xs):\n        ys += [1]", "mutation of `ys` while it is iterated"),
    ],
)
def test_shared_and_foreign_lists_are_not_mutated(body: str, construct: str) -> None:
    helpers = "def same(xs: list[int]) -> list[int]:\n    return xs\n"
    helpers += "def indirect(xs: list[int]) -> list[int]:\n    t = (1, same(xs))\n    ys = t[1]\n    return ys\n"
    helpers += "def twice(n: int) -> tuple[list[int], list[int]]:\n    a = [n]\n    return a, a\n"
    assert construct in refusal(f"{HEAD}    {body}\n    return xs\n{helpers}")


@pytest.mark.parametrize(
    "body",
    [
        "ys = xs[:]\n    ys.append(n)",
        "ys = list(xs)\n    ys[0] = n",
        "ys = xs + [n]\n    ys += xs",
        "ys = [n]\n    for y in ys:\n        ys = ys + [y]",
        "ys = fresh(n)\n    ys.append(1)",
        "ys = [1] if n else xs[1:]\n    ys.append(1)",
        "ys = [n]\n    m = length(ys)\n    ys.append(m)",
        "ys = []\n    for x in xs:\n        ys.append(x)",
    ],
)
def test_fresh_lists_are_mutated_freely(body: str) -> None:
    helpers = "def fresh(n: int) -> list[int]:\n    a = [n]\n    b = a\n    return b\n"
    helpers += "def length(xs: list[int]) -> int:\n    return len(xs)\n"
    lower(f"{HEAD}    {body}\n    return ys\n{helpers}", "f", safety=True)


# --- names that do not mean what they say (traps 13, 14, 18, 19) -----------------------------------------------

SHADOWS = [
    "len = abs\n",
    "def len(x): return 0\n",
    "def len(xs: list[int]) -> int:\n    return 0\n",
    "import len\n",
    "from other import max as len\n",
    "from other import *\n",
    "class len: pass\n",
    "for len in (1,): pass\n",
    "with open('x') as len: pass\n",
    "try:\n    pass\nexcept ValueError as len:\n    pass\n",
    "(len := abs)\n",
    "[len := abs for _ in (1,)]\n",
    "if (len := abs): pass\n",
    "def g(x=(len := abs)): pass\n",
    "def g():\n    global len\n    len = abs\n",
    "class A:\n    def g(self):\n        global len\n        len = abs\n",
    "match 1:\n    case len: pass\n",
    "len += 1\n",
    "del len\n",
    "a, (len, b) = 1, (2, 3)\n",
    "len: object = abs\n",
    "if False:\n    len = abs\n",
]


@pytest.mark.parametrize("shadow", SHADOWS)
def test_a_shadowed_builtin_is_never_the_builtin(shadow: str) -> None:
    for source in (shadow + HEAD + "    return [len(xs)]\n", HEAD + "    return [len(xs)]\n" + shadow):
        assert "len" in refusal(source) or "may come from" in refusal(source)


@pytest.mark.parametrize(
    ("name", "shadow"),
    [
        ("int", "int = str\n"),
        ("list", "list = tuple\n"),
        ("range", "range = list\n"),
        ("range", "def range(n: int) -> int:\n    return n\n"),
    ],
)
def test_types_and_range_are_builtins_too(name: str, shadow: str) -> None:
    source = HEAD + "    for i in range(n):\n        pass\n    return xs\n"
    assert f"`{name}` is shadowed" in refusal(shadow + source)


def test_an_unshadowed_local_of_that_name_is_a_variable() -> None:
    lower("def f(len: int) -> int:\n    max = len\n    return max\n", "f", safety=True)
    assert "variable `len`" in refusal(HEAD + "    len = 3\n    return [len(xs)]\n")


@pytest.mark.parametrize(
    "rebinding",
    [
        "LIMIT = 4\n",
        "LIMIT += 1\n",
        "def g():\n    global LIMIT\n    LIMIT = 4\n",
        "for LIMIT in (1, 2): pass\n",
        "import LIMIT\n",
        "if True:\n    LIMIT = 4\n",
    ],
)
def test_a_constant_is_bound_exactly_once(rebinding: str) -> None:
    source = "LIMIT = 3\n" + HEAD + "    return [LIMIT]\n"
    lower(source, "f", safety=True)
    assert "`LIMIT` is not bound exactly once" in refusal(source + rebinding)


@pytest.mark.parametrize(
    "value",
    [
        "[1]",
        "abs(3)",
        "7 // 2",
        "2**-1",
        "2**5000",
        "True + 1",
        "-0x" + "f" * 2000,
        "{}",
        "1.5",
        "None",
        "lambda: 1",
        "(1, [2])",
    ],
)
def test_a_constant_is_an_immutable_literal(value: str) -> None:
    assert "`LIMIT`" in refusal(f"LIMIT = {value}\n{HEAD}    return [LIMIT]\n")


@pytest.mark.parametrize(
    "line",
    [
        "globals()['LIMIT'] = 4",
        "exec('LIMIT = 4')",
        "import builtins",
        "import importlib as i",
        "from importlib import reload",
        "import sys\nsys.modules[__name__]",
        "from sys import modules",
        "f.__defaults__ = (1,)",
        "f.__code__ = g.__code__",
        "import other\nother.len = 3",
        "setattr(f, 'x', 1)",
        "vars()",
        "__builtins__",
        "getattr(f, '__glo' + 'bals__')",
        "x = f.__globals__",
        "def g(m):\n    m.len = 3",
        "del f.x",
    ],
)
def test_a_module_that_touches_its_own_names_has_no_claims(line: str) -> None:
    assert "in the module" in refusal(f"{HEAD}    return xs\n{line}\n")


@pytest.mark.parametrize(
    "decorator", ["functools.cache", "cache", "staticmethod", "wraps(f)", "(lambda g: g)", "contextmanager"]
)
def test_only_contracts_decorate(decorator: str) -> None:
    assert "decorator" in refusal(f"@{decorator}\n{HEAD}    return xs\n")
    assert "decorator" in refusal(
        f"{HEAD}    return g(xs)\n@{decorator}\ndef g(xs: list[int]) -> list[int]:\n    return xs\n"
    )


def test_a_function_is_defined_once() -> None:
    source = HEAD + "    return xs\n"
    for again in (source, "f = 3\n", "if True:\n    def f(): pass\n", "from other import f\n", "del f\n"):
        assert "`f` is not bound exactly once" in refusal(source + again)


def test_a_callee_is_the_one_that_runs() -> None:
    source = HEAD + "    return [g(n)]\ndef g(n: int) -> int:\n    return n\n"
    lower(source, "f", safety=True)
    for again in (
        "g = abs\n",
        "def g(n: int) -> int:\n    return 1\n",
        "try:\n    from other import g\nfinally: pass\n",
    ):
        assert "`g` is not bound exactly once" in refusal(source + again)
    assert "not a function" in refusal(source.replace("def g(n: int) -> int:\n    return n\n", "g = abs\n"))


def test_class_bodies_and_comprehensions_do_not_bind_module_names() -> None:
    source = "class A:\n    len = 3\n    def max(self): pass\nys = [len for len in (1, 2)]\nzs = lambda len: len\n"
    lower(source + HEAD + "    return [len(xs)]\n", "f", safety=True)


# --- places that are not module level --------------------------------------------------------------------------


def test_methods_nested_and_asynchronous_functions_are_found_and_named() -> None:
    source = "import icontract\nclass A:\n    @icontract.require(lambda x: x)\n    def m(self, x: int): pass\n"
    source += "def outer():\n    @icontract.require(lambda x: x)\n    def inner(x: int): pass\n"
    source += "@icontract.require(lambda x: x)\nasync def later(x: int): pass\n"
    found = {item.name: item for item in discover(source)}
    for name, construct in (
        ("A.m", "method `A.m`"),
        ("outer.inner", "nested function `outer.inner`"),
        ("later", "asynchronous function `later`"),
    ):
        with pytest.raises(Unsupported) as caught:
            lower(source, name)
        assert (caught.value.construct, caught.value.span) == (construct, found[name].span)


# --- hostile input ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "body",
    [
        "return " + "-" * 400 + "n",
        "return " + "+".join(["n"] * 600),
        "return " + "not " * 300 + "n",
        "return " + "n if n else " * 300 + "n",
        "if n:\n        pass\n" + "".join("    elif n:\n        pass\n" for _ in range(300)) + "    return n",
        "return " + "abs(" * 160 + "n" + ")" * 160,
        "return " + "[" * 150 + "n" + "]" * 150,
    ],
)
def test_deep_nesting_is_reported(body: str) -> None:
    with pytest.raises(VerifierError) as caught:
        lower(f"def f(n: int) -> int:\n    {body}\n", "f", safety=True)
    assert caught.value.code in ("syntax-error", "bad-claim")
    assert "nest" in caught.value.message


@pytest.mark.parametrize("depth", [50, 130])
def test_what_nests_less_is_read_and_run(depth: int) -> None:
    for expression in ("-" * depth + "n", "+".join(["n"] * depth), "abs(" * (depth // 2) + "n" + ")" * (depth // 2)):
        function = lower(f"def f(n: int) -> int:\n    return {expression}\n", "f", safety=True).function
        assert execute(function, [2], steps=10_000) == Returned(eval(expression, {"n": 2}))


def test_what_nests_elsewhere_does_not_matter() -> None:
    lower("x = " + "+".join(["1"] * 600) + "\ndef f(n: int) -> int:\n    return n\n", "f", safety=True)


def test_a_thousand_statements_are_read_quickly() -> None:
    body = "".join(f"    x{i} = x{i - 1} + 1\n" for i in range(1, 1000))
    function = lower(f"def f(x0: int) -> int:\n{body}    return x999\n", "f", safety=True).function
    assert len(function.locals) == 999


def test_types_that_flow_backwards_settle() -> None:
    body = "".join(f"        x{i} = x{i + 1}\n" for i in range(60))
    source = f"def f(n: int) -> int:\n    x0 = False\n    for i in range(n):\n{body}        x60 = n\n    return x0\n"
    assert dict(lower(source, "f", safety=True).function.locals)["x0"] is not None


def test_columns_count_code_points() -> None:
    with pytest.raises(Unsupported) as caught:
        lower("def f(n: int) -> int:\n    'é😀'; return 'é😀' == n\n", "f", safety=True)
    assert caught.value.span is not None
    assert (caught.value.span.line, caught.value.span.column) == (2, 18)
