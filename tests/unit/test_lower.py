"""Lowering against CPython: the same value or exception on the same inputs, and consistent types throughout."""

from __future__ import annotations

import itertools
from collections.abc import Iterator

import pytest

from checkers.lang import ir
from checkers.lang.interp import Raised, Returned, execute
from checkers.lang.ir import BOOL, INT, ListOf
from checkers.lang.lower import Program, lower
from checkers.lang.types_join import holds_list, is_open, join
from tests.unit.agreements import AGREE

INTS = (-3, -1, 0, 1, 2, 7)
LISTS: tuple[list[int], ...] = ([], [0], [3, -1], [1, 1, 2], [5, 4, 3, 2])


def _inputs(function: ir.Function) -> Iterator[tuple[object, ...]]:
    yield from itertools.product(*(LISTS if isinstance(param.type, ListOf) else INTS for param in function.params))


def real(source: str, arguments: tuple[object, ...]) -> tuple[str, object]:
    space: dict[str, object] = {}
    exec(source, space)
    try:
        return "returned", space["f"](*arguments)  # type: ignore[operator]
    except Exception as error:  # noqa: BLE001 - whatever it raises is what we compare
        return "raised", type(error).__name__


@pytest.mark.parametrize("name", AGREE)
def test_lowered_code_behaves_as_in_cpython(name: str) -> None:
    program = lower(AGREE[name], "f", safety=True)
    check_types(program)
    for arguments in _inputs(program.function):
        kind, seen = real(AGREE[name], tuple(list(item) if isinstance(item, list) else item for item in arguments))
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


def test_a_list_that_may_be_unbound_is_read_where_cpython_reads_it() -> None:
    source = "def f(a: int, b: int) -> None:\n    if a:\n        xs = [1]\n    xs[1 // b] = a\n    xs.append(1 // b)\n"
    _, first, second, third, fourth, fifth, _ = lower(source, "f", safety=True).function.body
    assert isinstance(first, ir.Assign)
    assert first.target == "$1"
    assert isinstance(second, ir.Evaluate)
    assert isinstance(third, ir.SetItem)
    assert isinstance(fourth, ir.Evaluate)
    assert isinstance(fifth, ir.Append)


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
