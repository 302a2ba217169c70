"""The refuting drafters: what they find is judged again, shrunk, and in the kind's own form."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from checkers.lang import ir
from checkers.lang.interp import Exhausted, Raised, execute, judge
from checkers.lang.lower import lower
from checkers.program.arguments import read_arguments
from checkers.program.inputs import sample_inputs
from checkers.program.kind import ProgramKind
from checkers.sandbox import Sandbox
from checkers.smt.pool import Pool
from drafters.refute.enumeration import Enumeration
from drafters.refute.hypothesis_search import HypothesisSearch
from drafters.refute.models import Models, bounded, read_model
from drafters.refute.unroll import CUT, TooLarge, unrolled
from verifier.model import BUDGETS, Draft, Side
from verifier.ports import Drafter, Trail

SMALL = BUDGETS["small"]
NAMES = "from verifier.contracts import Ensures, Exsures, Forall, Implies, Requires, Result\n"


def draft(drafter: str, source: str, name: str = "contract", hints: tuple[Draft, ...] = (), **body: Any) -> Trail:
    """The trail of one drafter; what it drafts must really break the claim."""

    async def story() -> Trail:
        async with Pool(1) as pool, Sandbox() as sandbox:
            kind = ProgramKind(name, pool, None)
            claim = kind.parse({"source": NAMES + source, "function": "f", **body})
            made: dict[str, Drafter] = {
                "enumeration": Enumeration(kind),
                "models": Models(kind, pool),
                "hypothesis": HypothesisSearch(kind, sandbox),
            }
            trail = await made[drafter].draft(claim, SMALL, hints)
            function = kind.program(claim).function
        for item in trail.drafts:
            assert (item.drafter, item.side) == (drafter, Side.REFUTATION)
            arguments = read_arguments(function, item.witness)
            assert arguments is not None
            judged = judge(function, arguments, steps=SMALL.steps, partial=body.get("partial", False))
            assert judged.status in ("violates", "diverges")
        return trail

    return asyncio.run(story())


def found(trail: Trail) -> Any:
    (only,) = trail.drafts
    assert isinstance(only.witness, dict)
    return only.witness["arguments"]


def test_the_smallest_violation_is_drafted() -> None:
    source = "def f(x: int) -> int:\n    Ensures(Result() >= 0)\n    return x if x < -1000 else abs(x)\n"
    assert found(draft("enumeration", source)) == ["-1001"]


def test_exceptions_count_and_listed_ones_do_not() -> None:
    source = "def f(a: int, b: int) -> int:\n    {}\n    return a // b\n"
    assert found(draft("enumeration", source.format("Requires(b >= 0)"))) == ["0", "0"]
    assert draft("enumeration", source.format("Exsures(ZeroDivisionError, b == 0)")).drafts == ()
    assert found(draft("enumeration", source.format("Exsures(ZeroDivisionError, a > 0)"))) == ["0", "0"]


def test_safety_claims_are_refuted() -> None:
    assert found(draft("enumeration", "def f(xs: list[int]) -> int:\n    return xs[0]\n", "safety")) == ["[]"]


def test_repeated_states_never_end_unless_the_claim_is_partial() -> None:
    source = "def f(n: int) -> int:\n    Ensures(Result() == 0)\n    while n != 0:\n        n = abs(n)\n    return n\n"
    assert found(draft("enumeration", source)) == ["1"]
    assert draft("enumeration", source, partial=True).drafts == ()


def test_choices_are_exhausted() -> None:
    source = (
        "def f(c: list[bool]) -> int:\n    Ensures(Result() != 5)\n    n = 0\n    for b in c:\n"
        "        n = n + 1 if b else n - 2\n    return n\n"
    )
    assert found(draft("enumeration", source)) == [str([True] * 5)]


def test_a_true_claim_leaves_a_witness() -> None:
    trail = draft(
        "enumeration", "def f(x: int) -> int:\n    Requires(x > 41)\n    Ensures(Result() > 41)\n    return x\n"
    )
    assert trail.drafts == ()
    assert trail.hints["witness"] == {"arguments": ["42"]}


def test_a_witness_returns_normally() -> None:
    source = (
        "def f(x: int) -> int:\n    Exsures(ValueError, x < 3)\n    if x < 3:\n        raise ValueError\n    return x\n"
    )
    assert draft("enumeration", source).hints["witness"] == {"arguments": ["3"]}


def test_a_witness_may_take_long() -> None:
    source = (
        "def f() -> int:\n    Ensures(Result() >= 0)\n    i = 0\n    while i < 100000:\n        i += 1\n    return i\n"
    )
    trail = draft("enumeration", source)
    assert (trail.drafts, trail.hints["witness"]) == ((), {"arguments": []})


def test_a_contract_that_raises_is_named() -> None:
    trail = draft(
        "enumeration", "def f(xs: list[int]) -> int:\n    Ensures(xs[0] == Result())\n    return xs[0] if xs else 0\n"
    )
    assert trail.drafts == ()
    assert trail.hints["ill_defined"] == {"arguments": ["[]"]}
    assert "IndexError" in trail.notes[-1]


def test_hints_are_tried_first() -> None:
    source = "def f(x: int) -> int:\n    Ensures(Result() == 0)\n    return 1 if x * x * x == 1860867 else 0\n"
    assert draft("enumeration", source.replace("1860867", "123 * 123 * 123 + 0 * x")).drafts != ()
    hint = Draft("old", Side.REFUTATION, witness={"arguments": ["77777"]})
    hard = (
        "def f(x: int) -> int:\n    Ensures(Result() == 0)\n    y = x + 5\n    return int(y % 77782 == 0 and y > 5)\n"
    )
    assert found(draft("enumeration", hard, hints=(hint, Draft("junk", Side.PROOF, witness="?")))) == ["77777"]


def test_the_work_is_bounded() -> None:
    source = "def f(n: int) -> int:\n    Requires(n > 0)\n    i = 0\n"
    source += "    while i != n + n + 1:\n        i += 2\n    return i\n"
    trail = draft("enumeration", source)
    assert trail.drafts == ()
    assert trail.hints == {}


def test_models_solve_what_enumeration_cannot() -> None:
    source = (
        "def f(x: int, y: int, xs: list[int]) -> int:\n    Requires(x > y and len(xs) == 3)\n"
        "    Ensures(Result() != 0)\n"
        "    if 7 * x - y == 123456789 and y > 3000 and xs[2] == x + 1:\n        return 0\n    return 1\n"
    )
    assert draft("enumeration", source).drafts == ()
    assert draft("models", source).drafts != ()


def test_models_find_a_witness() -> None:
    source = (
        "def f(xs: list[int], b: list[bool], t: tuple[int, bool], s: str) -> int:\n"
        "    Requires(len(xs) == 4 and Forall(range(len(xs)), lambda i: xs[i] == i * i))\n"
        "    Requires(len(b) == 2 and b[1] and not b[0] and t[0] == -9 and t[1] and len(s) == 2)\n    return 0\n"
    )
    trail = draft("models", source)
    assert trail.hints["witness"] == {"arguments": ["[0, 1, 4, 9]", "[False, True]", "(-9, True)", "'aa'"]} or (
        str(trail.hints["witness"]).startswith("{'arguments': ['[0, 1, 4, 9]', '[False, True]', '(-9, True)', ")
    )


def test_models_say_nothing_about_an_impossible_precondition() -> None:
    trail = draft("models", "def f(x: int) -> int:\n    Requires(x > 3 and x < 4)\n    return 0\n")
    assert (trail.drafts, trail.hints) == ((), {})


def test_a_model_is_read_by_its_items() -> None:
    async def function() -> Any:
        async with Pool(1) as pool:
            kind = ProgramKind("contract", pool, None)
            source = NAMES + "def f(xs: list[int], s: str, b: bool) -> int:\n    Requires(True)\n    return 0\n"
            return kind.program(kind.parse({"source": source, "function": "f"})).function

    subject = asyncio.run(function())
    model = (
        "(define-fun len.py.xs () Int\n  2)\n(define-fun py.xs@0 () Int (- 7))(define-fun |py.xs@1| () Int 3)\n"
        "(define-fun len.py.s () Int 1)(define-fun py.s@0 () Int 55296)(define-fun py.b () Bool true)"
        "(define-fun py.xs () (Array Int Int) ?)"
    )
    assert read_model(subject, model) == ([-7, 3], "\ud800", True)
    assert read_model(subject, "") == ([], "", False)
    assert read_model(subject, "(define-fun len.py.xs () Int 41)") is None
    script = "(declare-fun py.xs () (Array Int Int))\n(declare-fun len.py.xs () Int)\n(check-sat)\n"
    text = bounded(subject, script, 2, 9)
    assert text.count("(check-sat)") == 1
    assert text.endswith("(check-sat)\n")
    assert "(assert (= |py.xs@1| (select |py.xs| 1)))" in text
    assert "|py.s@0|" not in text


LOOPS = {
    "while": "while x > 0:\n        x -= 2\n    return x",
    "for range": "for i in range(x):\n        y += i\n    return y",
    "for down": "for i in range(x, y, -2):\n        y += i\n    else:\n        y += 1\n    return y",
    "for list": "for v in xs:\n        y = y * 2 + v\n    return y",
    "break": "for v in xs:\n        if v == 1:\n            break\n        y += v\n"
    "    else:\n        y = 99\n    return y",
    "continue": "while x > 0:\n        x -= 1\n        if x == 1:\n            continue\n        y += x\n    return y",
    "return inside": "for v in xs:\n        if v < 0:\n            return v\n        y += 1\n    return y",
    "raise inside": "for v in xs:\n        y += 10 // v\n    return y",
    "target afterwards": "i = 7\n    for i in range(x):\n        i += 5\n    return i",
    "unbound target": "for i in range(x):\n        pass\n    return i",
    "nested": "for v in xs:\n        for i in range(v):\n            if i == x:\n                break\n"
    "            y += 1\n        if y == 3:\n            continue\n        y += 10\n    return y",
    "break in else": "while x > 0:\n        x -= 1\n        for v in xs:\n            if v > x:\n"
    "                break\n        else:\n            break\n        y += 1\n    return y",
    "end evaluated once": "for i in range(len(xs)):\n        y += i\n        x = x + 1\n    return x + y",
}


@pytest.mark.parametrize("name", LOOPS)
def test_unrolled_programs_agree_on_short_runs(name: str) -> None:
    source = f"{NAMES}def f(x: int, y: int, xs: list[int]) -> int:\n    Requires(True)\n    {LOOPS[name]}\n"
    program = lower(source, "f")
    short = unrolled(program, 3).function
    assert not any(ir.loops(short.body))
    compared = cut = 0
    for values in sample_inputs(program, 150):
        there, here = (execute(function, values, steps=2_000) for function in (program.function, short))
        if isinstance(here, Raised) and here.exception == CUT:
            cut += 1
        elif not isinstance(there, Exhausted):
            compared += 1
            same = [(item.exception,) if isinstance(item, Raised) else item for item in (there, here)]
            assert same[0] == same[1], values
    assert compared > 30
    assert cut > 0


def test_what_cannot_be_unrolled_is_refused() -> None:
    loop = "while x > 0:\n        x -= 1\n"
    listed = f"{NAMES}def f(x: int) -> int:\n    Exsures(BlockingIOError, True)\n    {loop}    return x\n"
    callee = f"{NAMES}def f(x: int) -> int:\n    Requires(True)\n    return g(x)\n\n\n"
    callee += f"def g(x: int) -> int:\n    {loop}    return x\n"
    large = f"{NAMES}def f(x: int) -> int:\n    Requires(True)\n    {loop}    return x\n"
    for source, rounds in ((listed, 2), (callee, 2), (large, 900)):
        with pytest.raises(TooLarge):
            unrolled(lower(source, "f"), rounds)


def test_models_reach_behind_loops() -> None:
    source = (
        "def f(n: int, k: int) -> int:\n    Requires(n >= 0)\n    Ensures(Result() != 424242)\n    s = 0\n"
        "    for i in range(n):\n        if i == 2:\n            break\n        s += k * 3\n    return s\n"
    )
    assert draft("enumeration", source).drafts == ()
    assert draft("models", source).drafts != ()


@pytest.mark.sandbox
def test_hypothesis_is_confirmed_and_shrunk() -> None:
    source = "def f(x: int, xs: list[int]) -> int:\n    Ensures(Result() < 3)\n    return sum_(xs)\n\n\n"
    source += "def sum_(xs: list[int]) -> int:\n    s = 0\n    for x in xs:\n        s += x\n    return s\n"
    assert found(draft("hypothesis", source)) == ["0", "[3]"]


@pytest.mark.sandbox
def test_hypothesis_finds_nothing_in_a_true_claim() -> None:
    trail = draft("hypothesis", "def f(x: int) -> int:\n    Requires(x > 0)\n    Ensures(Result() > 0)\n    return x\n")
    assert (trail.drafts, trail.notes) == ((), ("no failing input",))
