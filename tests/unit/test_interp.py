"""The reference interpreter on hand-written IR: values as CPython gives them, faults, loop states, cycles, judging.

Every case takes the module under test, so that the mutation list runs the same cases on mutants.
"""

from __future__ import annotations

from collections.abc import Callable
from types import ModuleType

import pytest

from checkers.lang import evaluate as expressions
from checkers.lang import interp, machine, statements
from tests.mutation import survivors
from tests.terms import const, span, var
from tests.unit.cases_evaluate import EXPRESSION_CASES
from tests.unit.cases_interp import STATEMENT_CASES, for_function, outcome
from tests.unit.mutations_interp import EVALUATE, INTERP, MACHINE, STATEMENTS

CASES = [*EXPRESSION_CASES, *STATEMENT_CASES]


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.__name__.removeprefix("case_"))
def test_interpreter(case: Callable[[ModuleType], None]) -> None:
    case(interp)


def battery(module: ModuleType) -> None:
    for case in CASES:
        case(module)


def test_the_cases_notice_every_mutant_of_expressions() -> None:
    assert survivors(expressions, EVALUATE, battery, through=[statements, interp]) == []


def test_the_cases_notice_every_mutant_of_statements() -> None:
    assert survivors(statements, STATEMENTS, battery, through=[interp]) == []


def test_the_cases_notice_every_mutant_of_judging() -> None:
    assert survivors(interp, INTERP, battery) == []


def test_the_cases_notice_every_mutant_of_the_machine() -> None:
    assert survivors(machine, MACHINE, battery, through=[expressions, statements, interp]) == []


def test_steps_are_deterministic() -> None:
    f = for_function(span(const(0), var("n")))
    counts = [
        next(steps for steps in range(200) if outcome(interp, f, 5, [], steps=steps)[0] == "returned") for _ in range(3)
    ]
    assert len(set(counts)) == 1
