"""The goal generator and the encoding, against functions whose truth is known, with a list of mutants to be noticed."""

from __future__ import annotations

from functools import cache
from types import ModuleType

import pytest
import z3

from checkers.lang.interp import judge
from checkers.lang.lower import Program, lower
from checkers.program import cuts, execute, goals, loops
from checkers.program.inputs import sample_inputs
from checkers.smt import context, division, encode, sequences, terms, values
from checkers.smt import print as printing
from tests.mutation import survivors
from tests.unit import mutations_goals as lists
from tests.unit.cases_goals import HEAD, PROVABLE, UNPROVABLE

CHAIN = [terms, printing, division, values, context, sequences, encode, loops, cuts, execute, goals]


@cache
def read(source: str) -> Program:
    """The program of a case; the front end is not under test here."""
    return lower(HEAD + source, "f")


def proved(module: ModuleType, source: str) -> bool:
    """Whether Z3 proves every goal."""
    program = read(source)
    for goal in module.goals(program, {}, partial=False):
        solver = z3.Solver(ctx=z3.Context())
        solver.set("rlimit", 300_000)
        solver.from_string(goal.script)
        if solver.check() != z3.unsat:
            return False
    return True


@pytest.mark.parametrize("name", PROVABLE)
def test_true_functions_are_proved(name: str) -> None:
    assert proved(goals, PROVABLE[name])


@pytest.mark.parametrize("name", UNPROVABLE)
def test_false_functions_are_not_proved(name: str) -> None:
    assert not proved(goals, UNPROVABLE[name])


@pytest.mark.parametrize("name", PROVABLE)
def test_the_interpreter_agrees_with_the_truth(name: str) -> None:
    program = lower(HEAD + PROVABLE[name], "f")
    statuses = {judge(program.function, inputs, steps=5000).status for inputs in sample_inputs(program, 200)}
    assert not statuses & {"violates", "diverges", "ill_defined"}
    assert "holds" in statuses


def noticed(module: ModuleType) -> None:
    """Raise unless all truths come out right."""
    for source in UNPROVABLE.values():
        assert not proved(module, source), source
    for source in PROVABLE.values():
        assert proved(module, source), source


@pytest.mark.timeout(600)
@pytest.mark.parametrize("module", CHAIN[:-1], ids=lambda module: str(module.__name__))
def test_mutants_are_noticed(module: ModuleType) -> None:
    table = lists.TABLES[module.__name__]
    assert survivors(module, table, noticed, through=CHAIN[CHAIN.index(module) + 1 :]) == []
