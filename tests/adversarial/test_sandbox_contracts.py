"""What a trial observes of honest functions, in every notation; the search; weak mode and missing fences."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from typing import TypeVar

import pytest

from checkers.sandbox import Hunt, Observation, Sandbox, Trial, fences
from checkers.sandbox.trial import observation
from verifier.errors import VerifierError

T = TypeVar("T")
pytestmark = pytest.mark.sandbox


def with_sandbox(work: Callable[[Sandbox], Awaitable[T]], mode: str = "strict") -> T:
    async def story() -> T:
        async with Sandbox("weak" if mode == "weak" else "strict") as sandbox:
            return await work(sandbox)

    return asyncio.run(story())


def observe(source: str, requires: tuple[str, ...], ensures: tuple[str, ...], *inputs: str) -> list[Observation]:
    trial = Trial(source, "f", requires, ensures, tuple((text,) for text in inputs))
    return list(with_sandbox(lambda sandbox: sandbox.run(trial)))


ICONTRACT = """
from icontract import ensure, require, snapshot
def positive(x: int) -> bool: return x > 0
@require(positive)
@snapshot(lambda x: x + 1, name="up")
@ensure(lambda result, OLD: result == OLD.up)
def f(x: int) -> int:
    return x + 1 if x != 3 else 10
"""

NAGINI = """
import verifier.contracts as c
from nagini_contracts.contracts import *
from verifier.contracts import Implies as If
def f(xs: list[int]) -> int:
    Requires(xs[0] > 0)
    c.Ensures(Result() == xs[99])
    for x in xs:
        Invariant(1 // 0 == 1)
        Decreases(xs[99])
    return xs[0]
"""


def test_icontract_raises_itself() -> None:
    pytest.importorskip("icontract")
    seen = observe(ICONTRACT, ("positive",), ("result == OLD.up",), "1", "-1", "3")
    assert [(item.status, item.pre, item.post, item.exception) for item in seen] == [
        ("returned", True, (True,), ""),
        ("error", False, (), ""),
        ("raised", True, (), "ViolationError"),
    ]
    assert "AssertionError" in seen[2].mro


def test_contract_statements_are_not_steps_of_the_computation() -> None:
    ensures = ("Result() == Old(xs[0])", "If(len(xs) > 5, xs[5] == 0)", "c.Forall(xs, lambda x: x >= 2)", "xs[9] == 1")
    seen = observe(NAGINI, ("xs[0] > 0",), ensures, "[1]", "[2]", "[]", "[0]", "[2, 1, 3, 4, 5, 0]")
    assert [(item.status, item.pre, item.post) for item in seen] == [
        ("returned", True, (True, True, False, None)),
        ("returned", True, (True, True, True, None)),
        ("error", None, ()),
        ("error", False, ()),
        ("returned", True, (True, True, False, None)),
    ]


def test_preconditions_are_read_in_order() -> None:
    seen = observe("def f(xs): return 0", ("len(xs) > 0", "xs[0] > 0"), (), "[]", "[0]", "[1]")
    assert [item.pre for item in seen] == [False, False, True]


def test_values_and_types_are_told_apart() -> None:
    source = "def f(x): return [True, 1, 1.0, '\\ud800', None, (x,), 10 ** 5000 % 7][x]"
    seen = observe(source, (), (), *map(str, range(6)))
    shown = [
        ("True", "bool"),
        ("1", "int"),
        ("1.0", "float"),
        ("'\\ud800'", "str"),
        ("None", "NoneType"),
        ("(5,)", "tuple"),
    ]
    assert [(item.value, item.type) for item in seen] == shown


def test_arguments_are_fresh_copies() -> None:
    source = "def f(xs):\n    xs.append(len(xs))\n    return xs\n"
    seen = observe(source, (), ("len(result) == len(xs) + 1",), "[7]", "[7]")
    assert {(item.arguments_after, item.post) for item in seen} == {(("[7, 1]",), (True,))}


def test_postconditions_see_the_scope_of_the_module() -> None:
    source = "LIMIT = 5\ndef helper(x): return x + LIMIT\ndef f(x): return x + 5\n"
    (seen,) = observe(source, ("x < LIMIT",), ("all(result == helper(x) for _ in range(LIMIT))",), "1")
    assert seen.post == (True,)


CLUTTERED = """
from __future__ import annotations
import numpy as np, math
from .sibling import helper
from typing import *
LIMIT: Final = 3
table = np.zeros(LIMIT)
class Model(np.Module):
    limit = helper(LIMIT)
def g(x: int) -> int:
    return x + LIMIT + (UNIT if True else 0)
for UNIT in (1,):
    pass
def f(x: int) -> int:
    return g(x) * math.trunc(1)
while True:
    pass
"""


def test_a_module_that_does_not_load_is_cut_down_to_what_the_function_needs() -> None:
    (seen,) = observe(CLUTTERED, (), ("result == x + LIMIT + 1",), "1")
    assert (seen.value, seen.post) == ("5", (True,))
    loops = CLUTTERED.replace("import numpy as np, math", "import math").replace("from .sibling import helper", "")
    loops = loops.replace("np.zeros(LIMIT)", "0").replace("np.Module", "object").replace("helper(LIMIT)", "0")
    (seen,) = observe(loops, (), (), "1")
    assert seen.value == "5"


def test_what_the_function_needs_must_load() -> None:
    (seen,) = observe("import numpy as np\ndef f(x): return np.abs(x)\n", (), (), "1")
    assert (seen.status, seen.exception) == ("error", "ModuleNotFoundError")


HUNTED = "def f(x: int, c: list[bool], s: str, t: tuple[int, bool]) -> int:\n    return {}\n"
PARAMS = (("x", "int"), ("c", "list[bool]"), ("s", "str"), ("t", "tuple[int, bool]"))


@pytest.mark.parametrize(
    ("body", "requires", "ensures", "raises", "expected"),
    [
        ("x if x > 999 else 0", (), ("result == 0",), (), ("1000", "[]", "''", "(0, False)")),
        ("1 // (len(c) - 2)", (), (), (), ("0", "[False, False]", "''", "(0, False)")),
        ("1 // (len(c) - 2)", (), (), ("ArithmeticError",), None),
        ("x", ("x > 2", "s == ''"), ("result < 3",), (), ("3", "[]", "''", "(0, False)")),
        ("0", (), ("result == 0",), (), None),
    ],
)
def test_search_shrinks_what_it_finds(
    body: str,
    requires: tuple[str, ...],
    ensures: tuple[str, ...],
    raises: tuple[str, ...],
    expected: tuple[str, ...] | None,
) -> None:
    hunt = Hunt(HUNTED.format(body), "f", requires, ensures, PARAMS, raises, 200)
    first, second = (with_sandbox(lambda sandbox: sandbox.search(hunt)) for _ in range(2))
    assert first == second == expected


def test_search_uses_its_seeds_and_survives_endless_functions() -> None:
    source = "def f(x):\n    while x == 777777: pass\n    return x\n"
    seeds = (("777777",), ("123456789",))
    hunt = Hunt(source, "f", ("x > 99999",), ("result != 123456789",), (("x", "int"),), (), 300, seeds)
    assert with_sandbox(lambda sandbox: sandbox.search(hunt)) == ("123456789",)


def test_search_of_a_hopeless_function_ends_early() -> None:
    hunt = Hunt("def f(x):\n    while True: pass\n", "f", (), (), (("x", "int"),), (), 10_000)
    assert with_sandbox(lambda sandbox: sandbox.search(hunt, seconds=20.0)) is None


def test_weak_mode_runs_and_says_what_is_missing() -> None:
    level = Sandbox("weak").level
    assert (level.name, level.missing) == ("weak", ("landlock", "seccomp"))
    trial = Trial("def f(x): return x", "f", (), (), (("4",),))
    (seen,) = with_sandbox(lambda sandbox: sandbox.run(trial), "weak")
    assert seen.value == "4"


def test_missing_fences_refuse(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(fences, "missing", lambda: ("landlock",))
    level = Sandbox().level
    assert (level.name, level.missing) == ("unavailable", ("landlock",))
    assert "weak" in level.remedy
    with pytest.raises(VerifierError) as caught:
        with_sandbox(lambda sandbox: sandbox.run(Trial("def f(x): return x", "f", (), (), (("4",),))))
    assert caught.value.code == "sandbox-unavailable"
    assert "landlock" in caught.value.diagnostics()


@pytest.mark.parametrize(
    "report",
    [
        {},
        {"status": "verified"},
        {
            "status": "returned",
            "value": 1,
            "type": "",
            "exception": "",
            "mro": [],
            "after": [],
            "post": [],
            "pre": None,
        },
        {
            "status": "returned",
            "value": "",
            "type": "",
            "exception": "",
            "mro": [],
            "after": [],
            "post": [1],
            "pre": True,
        },
        {"status": "returned", "value": "", "type": "", "exception": "", "mro": [], "after": [], "post": [True] * 3},
        {
            "status": "returned",
            "value": "",
            "type": "",
            "exception": "",
            "mro": [1],
            "after": [],
            "post": [],
            "pre": True,
        },
    ],
)
def test_malformed_reports_are_errors(report: dict[str, object]) -> None:
    assert observation(report, 1) == Observation("error")
