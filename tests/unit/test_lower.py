"""Lowering against CPython: the same value or the same exception on the same inputs, and consistent types throughout."""

from __future__ import annotations

import itertools
from collections.abc import Iterator

import pytest

from checkers.lang import ir
from checkers.lang.interp import Raised, Returned, execute
from checkers.lang.ir import BOOL, INT, ListOf
from checkers.lang.lower import Program, lower
from checkers.lang.types_join import holds_list, is_open, join

INTS = (-3, -1, 0, 1, 2, 7)
LISTS = ([], [0], [3, -1], [1, 1, 2], [5, 4, 3, 2])

AGREE = {
    "swap": "def f(a: int, b: int) -> int:\n    a, b = b, a % b\n    return a * 100 + b\n",
    "rotation": "def f(a: int, b: int) -> int:\n    c = 9\n    a, b, c = c, a, b\n    return a * 100 + b * 10 + c\n",
    "swap of items": "def f(xs: list[int], i: int) -> list[int]:\n    ys = xs[:]\n    ys[i], ys[0] = ys[0], ys[i]\n    return ys\n",
    "target index read late": "def f(xs: list[int], i: int) -> list[int]:\n    ys = list(xs)\n    i, ys[i] = 0, 5\n    return ys\n",
    "chained index": "def f(xs: list[int], i: int) -> list[int]:\n    ys = list(xs)\n    i = ys[i] = 1\n    return ys\n",
    "chained names": "def f(a: int, b: int) -> int:\n    c = d = a - b\n    c += 1\n    return c * 10 + d\n",
    "same target twice": "def f(a: int, b: int) -> int:\n    c, c = a, b\n    return c\n",
    "nested targets": "def f(a: int, b: int) -> int:\n    t = (a, b)\n    c, (d, e) = 1, t\n    return c + 10 * d + 100 * e\n",
    "unpacking itself": "def f(a: int, b: int) -> int:\n    t = (a, b)\n    a, b = b, a\n    a, b = t[1], a\n    return a * 10 + b\n",
    "augmented item": "def f(xs: list[int], i: int) -> list[int]:\n    ys = [1] + xs\n    ys[i] -= ys[0] * 2\n    return ys\n",
    "augmented list": "def f(xs: list[int], i: int) -> list[int]:\n    ys = []\n    ys += xs\n    ys += ys\n    return ys\n",
    "rebinding a parameter": "def f(xs: list[int], i: int) -> list[int]:\n    xs = xs + [i]\n    return xs + xs[1:]\n",
    "floor and sign": "def f(a: int, b: int) -> int:\n    return a // b * 1000 + a % b\n",
    "power and shift": "def f(a: int, b: int) -> int:\n    return (a ** 3 << 2) + (b >> 1) + (a & 7) + (3 & b) - -a\n",
    "bits of bools": "def f(a: int, b: int) -> bool:\n    return (a > 0) ^ (b > 0) | (a == b) & True\n",
    "bool arithmetic": "def f(a: int, b: int) -> int:\n    return (a > b) + (a < b) * 2 - (not a)\n",
    "operands": "def f(a: int, b: int) -> int:\n    return (a and b) * 10 + (a or b)\n",
    "mixed truth": "def f(xs: list[int], i: int) -> bool:\n    if xs and i and xs[0] > i or not xs:\n        return True\n    return False\n",
    "chain stops early": "def f(a: int, b: int) -> bool:\n    return 0 < a < 10 // b\n",
    "conditional": "def f(a: int, b: int) -> int:\n    return a // b if b else a\n",
    "empty choice": "def f(xs: list[int], i: int) -> list[int]:\n    return [] if i else xs\n",
    "membership": "def f(xs: list[int], i: int) -> bool:\n    return i in xs or i in (7, 8) or i not in [1, True, 2]\n",
    "quantifiers": "def f(xs: list[int], i: int) -> bool:\n    return all(x > i for x in xs if x) or any([x // i > 0 for x in xs])\n",
    "nested quantifiers": "def f(xs: list[int], i: int) -> bool:\n    return any(x == y + i for x in xs for y in xs if x if y)\n",
    "shadowing variable": "def f(xs: list[int], i: int) -> int:\n    if any(i > 2 for i in xs):\n        return i\n    return -i\n",
    "all of a list": "def f(xs: list[int], i: int) -> bool:\n    return all(xs) and not any(xs[i:])\n",
    "last value": "def f(xs: list[int], i: int) -> int:\n    for v in xs:\n        pass\n    return v\n",
    "range end once": "def f(a: int, b: int) -> int:\n    n = a\n    s = 0\n    for i in range(n):\n        n = 0\n        i = i * 2\n        s += i\n    return s\n",
    "negative step": "def f(a: int, b: int) -> int:\n    s = 0\n    for i in range(a, b, -2):\n        s = s * 10 + i\n    return s\n",
    "loop else": "def f(xs: list[int], i: int) -> int:\n    for v in xs:\n        if v == i:\n            break\n    else:\n        return -1\n    return v\n",
    "while else": "def f(a: int, b: int) -> int:\n    while a > 0:\n        a -= 1\n        if a == b:\n            continue\n        if a == 2:\n            break\n    else:\n        a = 50\n    return a\n",
    "break in else": "def f(a: int, b: int) -> int:\n    while True:\n        for i in range(a):\n            if i == b:\n                break\n        else:\n            break\n        return i\n    return -1\n",
    "unbound": "def f(a: int, b: int) -> int:\n    if a > b:\n        c = 1\n    return c\n",
    "unbound list before index": "def f(a: int, b: int) -> list[int]:\n    if a > 0:\n        xs = [1, 2]\n    xs[1 // b] = 3\n    return xs\n",
    "unbound list before value": "def f(a: int, b: int) -> list[int]:\n    if a > 0:\n        xs = [1, 2]\n    xs.append(1 // b)\n    return xs\n",
    "unbound list augmented": "def f(a: int, b: int) -> list[int]:\n    if a > 0:\n        xs = [1, 2]\n    xs[1 // b] += 1 % a\n    return xs\n",
    "call order": "def f(a: int, b: int) -> int:\n    return g(y=1 // a, x=[0][b])\ndef g(x: int, y: int = 3, z: int = 4) -> int:\n    return x + y * z\n",
    "default argument": "def f(a: int, b: int) -> int:\n    return g(a) + g(z=b, x=1)\ndef g(x: int, y: int = -3, z: int = True) -> int:\n    return x + 10 * y + 100 * z\n",
    "callee returns its argument": "def f(xs: list[int], i: int) -> list[int]:\n    return g(xs, i)[1:]\ndef g(xs: list[int], i: int) -> list[int]:\n    if i > 0:\n        return xs\n    return xs + [i]\n",
    "callee with a loop": "def f(xs: list[int], i: int) -> int:\n    t = 0\n    while t < i and total(xs) > t:\n        t += 1\n    return t\ndef total(xs: list[int]) -> int:\n    s = 0\n    for x in xs:\n        s += x\n    return s\n",
    "constant": "LIMIT = -4\nPAIR: tuple[int, int] = (1, 2)\ndef f(a: int, b: int) -> int:\n    return a * LIMIT + b * PAIR[-1]\n",
    "exception": "def f(a: int, b: int) -> int:\n    if a > b:\n        raise KeyError(f'{a} {b!r}', 1 // b)\n    assert a != b, f'{a}'\n    raise ValueError\n",
    "tuple of lists": "def f(xs: list[int], i: int) -> tuple[int, list[int]]:\n    out = []\n    for x in xs:\n        out.append(x + i)\n    return len(out), out\n",
    "slices": "def f(xs: list[int], i: int) -> list[int]:\n    return xs[i:] + xs[:i] + xs[i:-1:1] + xs[:]\n",
    "extremes": "def f(a: int, b: int) -> int:\n    return max(a, b, 0) - min(a, b) + abs(a < b) + int(a > b) + bool(a)\n",
    "no result": "def f(a: int, b: int) -> None:\n    g(a)\n    if a:\n        return\n    a // b\ndef g(x: int) -> None:\n    assert x < 7\n",
    "inferred result": "def f(a: int, b: int):\n    if a:\n        return a > b\n    return b\n",
    "late type": "def f(a: int, b: int) -> int:\n    s = 0\n    for i in range(a):\n        if i > 1:\n            s += last\n        last = i\n    return s\n",
    "only raises": "def f(a: int, b: int):\n    raise ZeroDivisionError\n",
    "text": "def f(a: int, b: int) -> str:\n    s = 'xy' + 'é'\n    t = ''\n    for c in s:\n        if c != 'y':\n            t += c\n    return t[a:] + s[b]\n",
}  # fmt: skip


def _inputs(function: ir.Function) -> Iterator[tuple[object, ...]]:
    yield from itertools.product(*(LISTS if isinstance(param.type, ListOf) else INTS for param in function.params))


def _real(source: str, arguments: tuple[object, ...]) -> tuple[str, object]:
    space: dict[str, object] = {}
    exec(source, space)
    try:
        return "returned", space["f"](*arguments)  # type: ignore[operator]
    except Exception as error:
        return "raised", type(error).__name__


@pytest.mark.parametrize("name", AGREE)
def test_lowered_code_behaves_as_in_cpython(name: str) -> None:
    program = lower(AGREE[name], "f", safety=True)
    check_types(program)
    for arguments in _inputs(program.function):
        kind, seen = _real(AGREE[name], tuple(list(item) if isinstance(item, list) else item for item in arguments))
        outcome = execute(program.function, arguments, steps=10_000)  # type: ignore[arg-type]
        if kind == "returned":
            assert isinstance(outcome, Returned), (arguments, outcome, seen)
            assert (outcome.value, type(outcome.value)) == (seen, type(seen)), arguments
        else:
            assert isinstance(outcome, Raised), (arguments, outcome, seen)
            assert outcome.exception == seen, arguments


# --- types -----------------------------------------------------------------------------------------------------


def check_types(program: Program) -> None:
    """Every expression's type follows from its operands', and nothing is left open."""
    for function in (program.function, *ir.callees(program.function)):
        variables = {**{param.name: param.type for param in function.params}, **dict(function.locals)}
        assert not any(map(is_open, variables.values()))
        for stmt in ir.statements(function.body):
            for expr in ir.expressions(stmt):
                for node in ir.walk(expr):
                    _check(node, variables, {})
            if isinstance(stmt, ir.Assign):
                assert _fits(stmt.value.type, variables[stmt.target])
            if isinstance(stmt, ir.Return):
                assert _fits(stmt.value.type, function.returns)


def _fits(given: ir.Type, wanted: ir.Type) -> bool:
    return given == wanted or (given, wanted) == (BOOL, INT)


def _check(node: ir.Expr, variables: dict[str, ir.Type], quantified: dict[str, ir.Type]) -> None:
    assert not is_open(node.type), node
    match node:
        case ir.Const(value=value, type=kind):
            assert type(value).__name__ == str(kind) or value is None
        case ir.Var(name=name, type=kind) if name in variables:
            assert variables[name] == kind
        case ir.ListLit(items=items, type=ListOf(item=item)):
            assert all(_fits(part.type, item) for part in items)
        case ir.TupleLit(items=items, type=ir.TupleOf(items=kinds)):
            assert all(_fits(part.type, kind) for part, kind in zip(items, kinds, strict=True))
        case ir.BoolOp(operands=items, type=kind):
            assert all(_fits(part.type, kind) for part in items)
        case ir.IfExp(then=then, orelse=orelse, type=kind):
            assert _fits(then.type, kind)
            assert _fits(orelse.type, kind)
        case ir.Compare(operands=items, ops=ops):
            for op, left, right in zip(ops, items[:-1], items[1:], strict=True):
                assert join(left.type, right.type) is not None or op in ("in", "not in")
                assert op not in ("==", "!=") or not holds_list(left.type) or left.type == right.type
        case ir.Call(function=function, args=args, type=kind, order=order):
            assert sorted(order) == list(range(len(function.params)))
            assert all(_fits(arg.type, param.type) for arg, param in zip(args, function.params, strict=True))
            assert kind == function.returns
        case ir.Slice(base=base, type=kind) | ir.Builtin(name="list", args=(base,), type=kind):
            assert base.type == kind
        case ir.Index(base=base, type=kind):
            assert kind == (base.type.item if isinstance(base.type, ListOf) else base.type)
        case _:
            pass


# --- paths, scopes, reads ---------------------------------------------------------------------------------------


def test_loops_are_numbered_in_source_order_at_each_level() -> None:
    source = """
def f(n: int) -> int:
    s = 0
    if n:
        while n > 3:
            n -= 1
            for i in range(n):
                s += helper(i)
            else:
                for j in range(n):
                    pass
    else:
        for k in range(n):
            pass
    for v in range(3):
        pass
    else:
        while False:
            pass
    return s
def helper(n: int) -> int:
    for q in range(n):
        pass
    return n
"""
    program = lower(source, "f", safety=True)
    assert sorted(program.loops) == ["f.0", "f.0.0", "f.0.1", "f.1", "f.2", "f.3", "helper.0"]
    assert dict(program.scopes["f.0"]) == dict.fromkeys(("n", "s", "i", "j", "k", "v"), INT)
    assert dict(program.scopes["helper.0"]) == {"n": INT, "q": INT}


def test_every_look_up_is_recorded() -> None:
    source = "import icontract as ic\nLIMIT = 3\ndef g(x: int) -> int:\n    return x + LIMIT\n"
    source += "@ic.require(lambda x: x > 0)\ndef f(x: int) -> int:\n    return g(abs(x))\n"
    assert lower(source, "f").reads == (
        ("builtin", "abs", None),
        ("builtin", "int", None),
        ("function", "f", "@ic.require(lambda x: x > 0)\ndef f(x: int) -> int:\n    return g(abs(x))"),
        ("function", "g", "def g(x: int) -> int:\n    return x + LIMIT"),
        ("global", "LIMIT", "LIMIT = 3"),
        ("import", "ic", "import icontract as ic"),
    )


def test_types_of_locals_are_joined_over_the_whole_function() -> None:
    source = "def f(n: int):\n    x = True\n    ys = []\n    zs = []\n    t = (ys, x)\n    while n:\n        x = n\n"
    source += "        ys = ys + [n > 0]\n    zs.append(True)\n    zs.append(n)\n    return t\n"
    function = lower(source, "f", safety=True).function
    assert {name: str(kind) for name, kind in function.locals} == {
        "x": "int",
        "ys": "list[bool]",
        "zs": "list[int]",
        "t": "tuple[list[bool], int]",
    }
    assert str(function.returns) == "tuple[list[bool], int]"


def test_quantified_variables_never_share_a_name_with_anything_in_the_function() -> None:
    source = "def f(k: int, xs: list[int]) -> bool:\n    k_1 = 3\n"
    source += "    return all(k > k_1 and any(k > 0 for k in xs) for k in xs) or k > 0\n"
    returned = lower(source, "f", safety=True).function.body[-1]
    assert isinstance(returned, ir.Return)
    names = [node.variable for node in ir.walk(returned.value) if isinstance(node, ir.Quantifier)]
    assert names == ["k_2", "k_3"]


def test_typing_and_quoted_annotations_are_understood() -> None:
    source = "from __future__ import annotations\nimport typing\nfrom typing import List as L, Tuple\n"
    source += (
        "def f(a: L[int], b: 'list[bool]', c: typing.List[int], d: Tuple[int, 'str'], e: tuple[()]) -> None: ...\n"
    )
    kinds = [str(param.type) for param in lower(source, "f", safety=True).function.params]
    assert kinds == ["list[int]", "list[bool]", "list[int]", "tuple[int, str]", "tuple[()]"]
