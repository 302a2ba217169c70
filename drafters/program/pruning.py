"""Leaving out conjuncts that a finished proof does not need: fewer conjuncts are easier for the second solver."""

from __future__ import annotations

from checkers.lang.lower import Program
from checkers.program.goals import goals
from checkers.smt.pool import Pool
from drafters.program.dominance import strongest
from verifier.model import Annotations, Budget, LoopNotes

_ROLES = ("post", "assert", "safety", "rank", "well-defined", "preservation", "initiation")


async def prune(
    program: Program, annotations: Annotations, pool: Pool, budget: Budget, *, partial: bool
) -> Annotations:
    """A subset of the invariants under which every goal is still proved; tries a bounded number of times.

    Blocks of conjuncts are left out, half of them first, then smaller blocks; later conjuncts go first, since
    candidates come in order of likelihood. Ranks are kept.
    """
    kept = [(path, text) for path, notes in annotations.items() for text in notes.invariants]
    tries = 8 + 2 * budget.units if len(kept) > 3 else 0
    size = (len(kept) + 1) // 2
    end = len(kept)
    proved: set[str] = set()
    while tries > 0 and size > 0:
        start = max(0, end - size)
        smaller = kept[:start] + kept[end:]
        tries -= 1
        if await _proves(program, _only(annotations, smaller), pool, budget, partial, proved):
            kept = smaller
        end = start
        if end == 0:
            size //= 2
            end = len(kept)
    return _only(annotations, kept)


def condensed(annotations: Annotations) -> Annotations:
    """The annotations without conjuncts that another one implies by its form: the same meaning, no solver needed."""
    return {path: LoopNotes(strongest(notes.invariants), notes.decreases) for path, notes in annotations.items()}


async def _proves(
    program: Program, annotations: Annotations, pool: Pool, budget: Budget, partial: bool, proved: set[str]
) -> bool:
    """Whether Z3 proves every goal within the budget; stops at the first that it does not."""
    found = goals(program, annotations, partial=partial)
    for goal in sorted(found, key=lambda item: _ROLES.index(item.role) if item.role in _ROLES else len(_ROLES)):
        if goal.script in proved:
            continue
        answer = await pool.ask("z3", goal.script, resources=budget.resources, seconds=budget.seconds)
        if answer.status != "unsat":
            return False
        proved.add(goal.script)
    return True


def _only(annotations: Annotations, kept: list[tuple[str, str]]) -> Annotations:
    return {
        path: LoopNotes(tuple(text for owner, text in kept if owner == path), notes.decreases)
        for path, notes in annotations.items()
    }
