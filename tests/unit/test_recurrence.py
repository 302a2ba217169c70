"""Recurrent sets: what never ends is refuted by one, and no wrong set or wrong input is taken for one."""

from __future__ import annotations

from types import ModuleType

import pytest
import z3

from checkers.lang.lower import Program, lower
from checkers.program import recurrence
from tests.mutation import survivors
from verifier.errors import VerifierError
from verifier.model import Annotations, LoopNotes

HEAD = "from verifier.contracts import *\n\n"

SOURCES = {
    "down": """
def f(x: int) -> int:
    Requires(x < 5)
    Ensures(True)
    while x != 0:
        x -= 1
    return x
""",
    "leaves_by_break": """
def f(x: int) -> int:
    Ensures(True)
    while x != 0:
        x -= 1
        if x < -10:
            break
    return x
""",
    "leaves_by_return": """
def f(x: int) -> int:
    Ensures(True)
    while x != 0:
        x -= 1
        if x < -10:
            return 1
    return x
""",
    "raises": """
def f(x: int) -> int:
    Ensures(True)
    while x != 0:
        x -= 1
        y = 1 // (x + 10)
    return x
""",
    "continues": """
def f(x: int) -> int:
    Ensures(True)
    while x != 0:
        if x < 0:
            x -= 1
            continue
        x -= 1
    return x
""",
    "unbound": """
def f(x: int) -> int:
    Ensures(True)
    while x != 0:
        if x > 100:
            y = 1
        x = x - 1 + 0 * y
    return x
""",
    "nested": """
def f(x: int) -> int:
    Ensures(True)
    while x != 0:
        x -= 1
        i = 0
        while i < 3:
            i += 1
    return x
""",
    "for": """
def f(x: int) -> int:
    Ensures(True)
    for i in range(x):
        x += 1
    return x
""",
}
RECURRENT = [("down", ("x < 0",), -1), ("continues", ("x < 0",), -3), ("nested", ("x < 0",), -1)]
NOT_RECURRENT = [
    ("down", ("x < 3",), -1),
    ("down", ("x != 0",), -1),
    ("leaves_by_break", ("x < 0",), -1),
    ("leaves_by_return", ("x < 0",), -1),
    ("raises", ("x < 0",), -1),
    ("unbound", ("x < 0",), -1),
]


def program(name: str) -> Program:
    return lower(HEAD + SOURCES[name], "f")


def region(*invariants: str, path: str = "f.0") -> Annotations:
    return {path: LoopNotes(invariants)}


def closed(module: ModuleType, name: str, invariants: tuple[str, ...]) -> bool:
    """Whether Z3 proves that one iteration stays in the set."""
    for goal in module.recurrence_goals(program(name), region(*invariants)):
        solver = z3.Solver(ctx=z3.Context())
        solver.set("rlimit", 300_000)
        solver.from_string(goal.script)
        if solver.check() != z3.unsat:
            return False
    return True


def reached(module: ModuleType, name: str, invariants: tuple[str, ...], value: int) -> str:
    status: str = module.reaches(program(name), region(*invariants), (value,), steps=500).status
    return status


@pytest.mark.parametrize(("name", "invariants", "value"), RECURRENT)
def test_recurrent_sets_are_closed_and_reached(name: str, invariants: tuple[str, ...], value: int) -> None:
    assert closed(recurrence, name, invariants)
    assert reached(recurrence, name, invariants, value) == "diverges"


@pytest.mark.parametrize(("name", "invariants", "value"), NOT_RECURRENT)
def test_other_sets_are_not_closed(name: str, invariants: tuple[str, ...], value: int) -> None:
    assert not closed(recurrence, name, invariants)


def test_an_input_has_to_be_valid_and_to_come_into_the_set() -> None:
    assert reached(recurrence, "down", ("x < 0",), 3) == "unknown"
    assert reached(recurrence, "down", ("x < 0",), 7) == "invalid"
    assert reached(recurrence, "down", ("x < -100",), -1) == "diverges"
    assert reached(recurrence, "down", ("1 // x > 5",), -1) == "unknown"


@pytest.mark.parametrize(
    "annotations",
    [
        region("x < 0", path="f.1"),
        region(),
        {**region("x < 0"), **region("i < 3", path="f.0.0")},
        {"f.0": LoopNotes((), ("x",))},
    ],
)
def test_a_set_describes_one_loop(annotations: Annotations) -> None:
    with pytest.raises(VerifierError) as problem:
        recurrence.recurrence_goals(program("nested"), annotations)
    assert problem.value.code == "bad-draft"


def test_a_for_loop_has_no_recurrent_set() -> None:
    with pytest.raises(VerifierError, match="while"):
        recurrence.recurrence_goals(program("for"), region("x > 0"))


MUTANTS = [
    ('executor.prove(state, test, f"{loop.path}: the guard holds", "guard", loop.span)', "pass"),
    ('executor.prove(left, t.FALSE, f"{loop.path}: no break", "guard", loop.span)', "pass"),
    ('executor.prove(Symbolic(path, {}), t.FALSE, f"{loop.path}: no return", "guard", loop.span)', "pass"),
    ('executor.cuts.check_head(noted, LoopHead(edge, {}, None), "preservation")', "pass"),
    ('executor.fresh(f"bound.{name}", t.BOOL)', "t.TRUE"),
    ("state.path == loop.path and all(", "state.path == loop.path and any("),
    ('if valid.status in ("invalid", "ill_defined"):', "if False:"),
    ("len(parsed) != 1 or ", ""),
    ("not isinstance(loop, ir.While) or ", ""),
    ("    except Fault:\n        return False", "    except Fault:\n        return True"),
]


def noticed(module: ModuleType) -> None:
    """Raise unless every set and every input above is judged rightly."""
    for name, invariants, value in RECURRENT:
        assert closed(module, name, invariants)
        assert reached(module, name, invariants, value) == "diverges"
    for name, invariants, _ in NOT_RECURRENT:
        assert not closed(module, name, invariants)
    assert reached(module, "down", ("x < 0",), 7) == "invalid"
    assert reached(module, "down", ("x < 0", "x < -1", "x > 100"), -1) == "unknown"
    assert reached(module, "down", ("1 // x > 5",), 2) == "unknown"
    assert refuses(module, "for", region("x > 0"))
    assert refuses(module, "nested", {**region("x < 0"), **region("i < 3", path="f.0.0")})


def refuses(module: ModuleType, name: str, annotations: Annotations) -> bool:
    try:
        module.recurrence_goals(program(name), annotations)
    except VerifierError:
        return True
    return False


def test_mutants_are_noticed() -> None:
    assert survivors(recurrence, MUTANTS, noticed) == []
