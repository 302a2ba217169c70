"""The reference interpreter against CPython itself: same value, same exact type, same exception class, same arguments
afterwards. The front end stands between the source and the interpreter, so it is compared as well.
"""

from __future__ import annotations

import copy
import os
import random
import warnings
from collections import Counter
from typing import Any

import icontract
import pytest

from checkers.lang import interp
from checkers.lang.lower import lower
from tests.programs import Generated, build, generate, mutants_of, samples
from tests.straight import arguments, straight
from verifier.errors import Unsupported

LONG = os.environ.get("VERIFIER_LONG") == "1"
CHUNKS = 40 if LONG else 4
PROGRAMS = 200 if LONG else 50
INPUTS = 6


def observe(function: Any, inputs: list[Any]) -> tuple[str, str]:
    """What CPython does, with types: `repr` tells True from 1, and a list from a tuple, at every depth."""
    try:
        return "value", repr(function(*inputs))
    except Exception as error:  # noqa: BLE001 - which class it is, is the observation
        return "exception", type(error).__name__


def predict(program: Any, inputs: list[Any]) -> tuple[str, str] | None:
    """What the interpreter says; None when its limits ended the run."""
    match interp.execute(program, inputs, steps=20_000):
        case interp.Returned(value=value):
            return "value", repr(value)
        case interp.Raised(exception=exception):
            return "exception", exception
    return None


@pytest.mark.parametrize("chunk", range(CHUNKS))
def test_arbitrary_programs(chunk: int) -> None:
    seen: Counter[str] = Counter()
    for seed in range(chunk * PROGRAMS, (chunk + 1) * PROGRAMS):
        rng = random.Random(seed)
        source, params = straight(rng)
        try:
            program = lower(source, "f", safety=True).function
        except Unsupported:
            seen["unsupported"] += 1
            continue
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", SyntaxWarning)
            function = build(source, "f")
        for _ in range(INPUTS):
            inputs = arguments(rng, params)
            predicted = predict(program, inputs)
            if predicted is None:
                seen["exhausted"] += 1
                continue
            after = copy.deepcopy(inputs)
            observed = observe(function, after)
            assert observed == predicted, f"seed {seed}, {inputs}\n{source}"
            assert repr(after) == repr(inputs), f"seed {seed}: arguments changed\n{source}"
            seen[observed[0]] += 1
    runs = PROGRAMS * INPUTS
    assert seen["value"] > runs * 0.4
    assert seen["exception"] > runs * 0.1
    assert seen["unsupported"] < PROGRAMS * 0.05
    assert seen["exhausted"] < runs * 0.05


def judged(example: Generated, inputs: list[Any]) -> str:
    """What the real icontract shows: `holds`, `ViolationError` of either side, or the exception that leaves."""
    try:
        build(example.source, example.name)(*copy.deepcopy(inputs))
    except Exception as error:  # noqa: BLE001 - which class it is, is the observation
        return type(error).__name__
    return "holds"


@pytest.mark.parametrize("chunk", range(CHUNKS))
def test_contracts_as_icontract_checks_them(chunk: int) -> None:
    seen: Counter[str] = Counter()
    for seed in range(chunk * PROGRAMS, (chunk + 1) * PROGRAMS):
        example = generate(random.Random(seed))
        if example.notation != "icontract":
            continue
        function = lower(example.source, example.name).function
        for inputs in samples(example.params, 12):
            verdict = interp.judge(function, inputs, steps=20_000)
            observed = judged(example, inputs)
            where = f"seed {seed}, {inputs}: {verdict.status}, {observed}\n{example.source}"
            seen[verdict.status] += 1
            match verdict.status:
                case "holds":
                    assert observed == "holds", where
                case "invalid":
                    assert observed == "ViolationError", where
                case "violates" if verdict.clause is not None:
                    assert observed == "ViolationError", where
                case "violates" | "ill_defined":
                    assert observed not in ("holds", "ViolationError"), where
    assert seen["holds"] > PROGRAMS
    assert seen["violates"] > PROGRAMS // 10
    assert seen["invalid"] > PROGRAMS // 4
    assert seen["unknown"] + seen["diverges"] == 0


def test_both_notations_mean_the_same() -> None:
    for seed in range(PROGRAMS):
        example = generate(random.Random(seed))
        if example.notation == "nagini":
            function = lower(example.source, example.name).function
            clauses = [compile(clause, "<clause>", "eval") for clause in example.requires]
            names = [name for name, _ in example.params]
            for inputs in samples(example.params, 8):
                valid = all(eval(clause, dict(zip(names, inputs, strict=True))) for clause in clauses)
                assert (interp.judge(function, inputs, steps=20_000).status != "invalid") is valid


def test_mutants_still_agree_and_cycles_are_never_invented() -> None:
    """Mutants often loop for ever. A reported cycle must not end in many times the steps (nor anything else)."""
    cycles = 0
    loops = (generate(random.Random(seed)) for seed in range(CHUNKS * 10))
    for example in (each for each in loops if "while" in each.body):
        for mutant in mutants_of(example.source):
            try:
                function = lower(mutant, example.name, safety=True).function
            except Unsupported:
                continue
            for inputs in samples(example.params, 5):
                plain = interp.execute(function, inputs, steps=3_000)
                watched = interp.execute(function, inputs, steps=3_000, cycles=True)
                if isinstance(watched, interp.Cycle):
                    cycles += 1
                    assert interp.execute(function, inputs, steps=30_000) == interp.Exhausted(), mutant
                else:
                    assert watched == plain, mutant
    assert cycles > 3


def ends(step: Any, state: tuple[int, int], goal: int) -> bool:
    """Brute force over a finite state space: whether `x == goal` is ever met."""
    seen = set()
    while state not in seen:
        if state[0] == goal:
            return True
        seen.add(state)
        state = step(*state)
    return False


def test_cycles_of_finite_machines_are_found_exactly() -> None:
    rng = random.Random(2)
    found: Counter[bool] = Counter()
    for _ in range(400 if LONG else 120):
        a, b, c, d = (rng.randrange(7) for _ in range(4))
        size, goal = rng.randint(2, 11), rng.randrange(11)
        source = (
            f"def f(x: int, y: int) -> int:\n    for i in range(1):\n        while x != {goal}:\n"
            f"            x, y = ({a} * x + y + {b}) % {size}, ({c} * x + {d} * y + 1) % {size}\n    return y\n"
        )
        function = lower(source, "f", safety=True).function
        x, y = rng.randrange(size), rng.randrange(size)
        step = eval(f"lambda x, y: (({a} * x + y + {b}) % {size}, ({c} * x + {d} * y + 1) % {size})")
        wanted = interp.Returned if ends(step, (x, y), goal) else interp.Cycle
        assert type(interp.execute(function, [x, y], steps=20_000, cycles=True)) is wanted, source
        found[wanted is interp.Cycle] += 1
    assert min(found.values()) > 20


CALLEES = """
from icontract import ensure, require

@require(lambda d: d != 0)
@ensure(lambda n, d, result: n == 0 or result != 5)
def share(n: int, d: int) -> int:
    return n // d

@require(lambda xs: xs[0] >= 0)
def head(xs: list[int]) -> int:
    return xs[0]

def outer(n: int, d: int, xs: list[int]) -> int:
    return share(n, d) + head(xs)
"""


def test_contracts_of_callees() -> None:
    program = lower(CALLEES, "outer", safety=True).function
    function = build(CALLEES, "outer")
    for n in range(-6, 7):
        for d in (-1, 0, 1, 2):
            for xs in ([], [0], [-1, 1], [2]):
                assert predict(program, [n, d, xs]) == observe(function, [n, d, xs])
    assert icontract.ViolationError.__name__ == "ViolationError"
