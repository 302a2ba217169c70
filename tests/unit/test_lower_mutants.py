"""Each mutant of the front end lowers something otherwise than CPython runs it, or accepts what must be refused."""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from functools import cache
from types import ModuleType

import pytest

from checkers.lang import (
    contract,
    contract_names,
    lower,
    lower_aliasing,
    lower_assignments,
    lower_calls,
    lower_contract,
    lower_expressions,
    lower_frame,
    lower_linker,
    lower_quantifiers,
    lower_raise,
    lower_scope,
    lower_signature,
    lower_source,
    lower_statements,
    lower_terms,
    types_join,
)
from checkers.lang.interp import Raised, Returned, execute
from checkers.lang.ir import ListOf
from tests.adversarial import test_traps_frontend as traps
from tests.mutation import survivors
from tests.unit import mutations_lower as mutations
from tests.unit import test_contract as contracts
from tests.unit import test_lower as agreement
from tests.unit import test_lower_refusals as refusals
from tests.unit.agreements import AGREE
from verifier.errors import VerifierError

ORDER = [
    types_join, lower_source, contract_names, contract, lower_linker, lower_scope, lower_aliasing, lower_frame,
    lower_quantifiers, lower_terms, lower_calls, lower_expressions, lower_raise, lower_assignments, lower_statements,
    lower_contract, lower_signature, lower,
]  # fmt: skip

LATE_CONDITION = """
from icontract import require
@require(lambda x: outer(x))
def f(x: int) -> int:
    return x
def outer(x: int) -> int:
    return inner(x)
def inner(x: int) -> int:
    for i in range(x):
        pass
    return x
"""


def check(module: ModuleType) -> None:
    try:
        _check(module)
    except pytest.fail.Exception as failure:
        raise AssertionError(str(failure)) from None


def _check(module: ModuleType) -> None:
    """The front end in `module` agrees with CPython, with icontract's order, and with the tables of refusals."""
    for source in AGREE.values():
        _agree(module, source)
    for source, *_, message in refusals.SIGNATURES:
        _refused(module, source, message)
    for statement, _, _, message in refusals.STATEMENTS:
        head = "def f(x: int, xs: list[int]) -> None:\n    "
        if message:
            _refused(module, head + statement + "\n", message)
        else:
            module.lower(head + statement + "\n", "f", safety=True)
    for expression, _, message in refusals.EXPRESSIONS:
        head = "def f(x: int, xs: list[int], bs: list[bool]) -> int:\n    return "
        _refused(module, head + expression, message)
    for head, source, _, _, message in (*contracts.BAD, *contracts.UNSUPPORTED):
        if "class A" not in source:
            _refused(module, head + source, message, safety=False)
    for shadow in traps.SHADOWS:
        _refused(module, shadow + traps.HEAD + "    return [len(xs)]\n", "")
    for body in ("def f(n: int) -> int:\n    return n\n" + extra for extra in ("f = 3\n", "if n:\n    f = 3\n")):
        _refused(module, body, "bound exactly once")
    _refused(module, "if True:\n    def f(n: int) -> int:\n        return n\n", "bound exactly once")
    _refused(module, "def f(n: int) -> int:\n    return " + "-" * 170 + "n\n", "nest")
    _refused(module, LATE_CONDITION, "loop", safety=False)
    _hand_picked(module)


def _hand_picked(module: ModuleType) -> None:
    _run(contracts.test_conditions_stand_in_the_order_in_which_icontract_evaluates_them, contracts, module)
    _run(contracts.test_safety_needs_no_contract_and_drops_postconditions, contracts, module)
    _run(agreement.test_a_list_that_may_be_unbound_is_read_where_cpython_reads_it, agreement, module)
    _run(agreement.test_loops_are_numbered_in_source_order_at_each_level, agreement, module)
    _run(agreement.test_types_of_locals_are_joined_over_the_whole_function, agreement, module)
    _run(refusals.test_the_type_of_a_loop_variable_is_that_of_the_items, refusals, module)
    _run(refusals.test_calls_out_of_bounds, refusals, module)
    for name, suite in (("test_shared_and_foreign_lists_are_not_mutated", traps), ("test_calls", refusals)):
        for arguments in _parameters(getattr(suite, name)):
            _run(getattr(suite, name), suite, module, *arguments)
    for name in ("may_fall_off", "cannot_fall_off"):
        test = getattr(refusals, f"test_a_function_that_{name}_its_end")
        for (body,) in _parameters(test):
            _run(test, refusals, module, body)
    for (line,) in _parameters(traps.test_a_module_that_touches_its_own_names_has_no_claims):
        _run(traps.test_a_module_that_touches_its_own_names_has_no_claims, traps, module, line)


def _parameters(test: object) -> list[tuple[object, ...]]:
    (mark,) = test.pytestmark  # type: ignore[attr-defined]
    return [item if isinstance(item, tuple) else (item,) for item in mark.args[1]]


def _run(test: object, suite: ModuleType, module: ModuleType, *arguments: object) -> None:
    saved = suite.lower
    suite.lower = module.lower  # type: ignore[attr-defined]
    try:
        test(*arguments)  # type: ignore[operator]
    finally:
        suite.lower = saved  # type: ignore[attr-defined]


def _refused(module: ModuleType, source: str, message: str, *, safety: bool = True) -> None:
    with pytest.raises(VerifierError) as caught:
        module.lower(source, "f", safety=safety)
    assert message in caught.value.message, (source, caught.value.message)


@cache
def _expected(source: str, lists: tuple[bool, ...]) -> list[tuple[tuple[object, ...], tuple[str, object]]]:
    """What CPython does, on a few inputs."""
    values = [((), (5, 4, 3)) if is_list else (-1, 0, 3) for is_list in lists]
    inputs = itertools.product(*values)
    return [(item, agreement.real(source, tuple(map(_thaw, item)))) for item in inputs]


def _thaw(item: object) -> object:
    return list(item) if isinstance(item, tuple) else item


def _agree(module: ModuleType, source: str) -> None:
    function = module.lower(source, "f", safety=True).function
    lists = tuple(isinstance(param.type, ListOf) for param in function.params)
    for arguments, (kind, seen) in _expected(source, lists):
        outcome = execute(function, list(map(_thaw, arguments)), steps=3_000)  # type: ignore[arg-type]
        expected = Returned(seen) if kind == "returned" else seen  # type: ignore[arg-type]
        assert expected == (outcome.exception if isinstance(outcome, Raised) else outcome), (source, arguments)


TABLES: list[tuple[ModuleType, Sequence[tuple[str, str]]]] = [
    (types_join, mutations.JOIN),
    (lower_source, mutations.SOURCE),
    (contract, mutations.CONTRACT),
    (lower_linker, mutations.LINKER),
    (lower_aliasing, mutations.ALIASING),
    (lower_quantifiers, mutations.QUANTIFIERS),
    (lower_calls, mutations.CALLS),
    (lower_expressions, mutations.EXPRESSIONS),
    (lower_assignments, mutations.ASSIGNMENTS),
    (lower_statements, mutations.STATEMENTS),
    (lower_contract, mutations.CLAUSES),
    (lower, mutations.LOWER),
]


@pytest.mark.parametrize(("module", "table"), TABLES, ids=[module.__name__ for module, _ in TABLES])
def test_every_mutant_is_noticed(module: ModuleType, table: Sequence[tuple[str, str]]) -> None:
    through = ORDER[ORDER.index(module) + 1 :]
    assert survivors(module, table, check, through=through) == []
