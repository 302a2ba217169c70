"""The canonical form of formulas: twins meet, and whatever meets is equivalent (Z3 is the oracle)."""

from __future__ import annotations

from random import Random

import z3
from hypothesis import given
from hypothesis import strategies as st

from checkers.formula.canonical import canonicalise
from checkers.formula.smtlib import parse
from tests.formulas import CONSTANTS, boolean, decoded, mutate, script_of, text_of, twin
from verifier.errors import VerifierError
from verifier.model import Canonical

RENAMED = {name: f"v{index * 7 % 10}" for index, name in enumerate(CONSTANTS)}
SEEDS = st.integers(0, 10**9)


def canonical(script: str) -> Canonical:
    return canonicalise(parse(script), "valid")


def equivalent(one: str, other: str) -> bool | None:
    """Whether two formulas over the declared names are equivalent; None where Z3 gives up."""
    solver = z3.Solver(ctx=z3.Context())
    solver.set("rlimit", 400_000)
    declarations = script_of([]).replace("(check-sat)", "")
    solver.from_string(f"{declarations}(assert (distinct {one} {other}))")
    answer = solver.check()
    return None if answer == z3.unknown else answer == z3.unsat


@given(SEEDS)
def test_the_text_means_what_the_formula_means(seed: int) -> None:
    tree = boolean(Random(seed), 3)
    found = canonical(script_of([tree]))
    names = {new: old for old, new in found.renaming.items()}
    assert equivalent(text_of(tree), decoded(found.text, names)) is not False


@given(SEEDS)
def test_renamed_reordered_and_reformatted_twins_meet(seed: int) -> None:
    random = Random(seed)
    trees = [boolean(random, 3) for _ in range(2)]
    original = canonical(script_of(trees))
    other = canonical(script_of([twin(tree, random) for tree in trees], RENAMED, random))
    assert original.text == other.text


@given(SEEDS)
def test_one_edit_mutants_meet_only_when_they_are_equivalent(seed: int) -> None:
    random = Random(seed)
    tree = boolean(random, 3)
    mutant = mutate(tree, random)
    try:
        one, other = canonical(script_of([tree])), canonical(script_of([mutant]))
    except VerifierError:  # the edit took an argument too many away
        return
    if one.text != other.text:
        return
    back = {new: old for old, new in one.renaming.items()}
    renaming = {old: back[new] for old, new in other.renaming.items()}
    assert equivalent(text_of(tree), text_of(mutant, renaming)) is not False
