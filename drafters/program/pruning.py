"""Leaving out conjuncts that a finished proof does not need: fewer conjuncts are easier for the second solver."""

from __future__ import annotations

from checkers.lang.lower import Program
from checkers.program.houdini import open_goals
from checkers.smt.pool import Pool
from verifier.model import Annotations, Budget, LoopNotes


async def prune(
    program: Program, annotations: Annotations, pool: Pool, budget: Budget, *, partial: bool
) -> Annotations:
    """A subset of the invariants under which every goal is still proved; tries a bounded number of times.

    Blocks of conjuncts are left out, half of them first, then smaller blocks; later conjuncts go first, since
    candidates come in order of likelihood. Ranks are kept.
    """
    kept = [(path, text) for path, notes in annotations.items() for text in notes.invariants]
    tries = 6 + 2 * budget.units if len(kept) > 4 else 0
    size = len(kept) // 2
    end = len(kept)
    while tries > 0 and size > 0:
        start = max(0, end - size)
        smaller = kept[:start] + kept[end:]
        tries -= 1
        if not await open_goals(program, _only(annotations, smaller), pool, budget, partial=partial):
            kept = smaller
        end = start
        if end == 0:
            size //= 2
            end = len(kept)
    return _only(annotations, kept)


def _only(annotations: Annotations, kept: list[tuple[str, str]]) -> Annotations:
    return {
        path: LoopNotes(tuple(text for owner, text in kept if owner == path), notes.decreases)
        for path, notes in annotations.items()
    }
