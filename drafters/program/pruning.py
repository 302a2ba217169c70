"""Leaving out conjuncts that a finished proof does not need: fewer conjuncts are easier for the second solver."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass, field

from checkers.lang.lower import Program
from checkers.program.goals import goals
from checkers.smt.pool import Pool
from drafters.program.dominance import strongest
from verifier.model import Annotations, Budget, LoopNotes, Obligation

_USES = ("post", "assert", "safety")
_KEPT = ("initiation", "preservation", "rank")
_ABREAST = 2


@dataclass(slots=True)
class Prover:
    """Asks Z3 alone about the goals of one program under changing annotations; remembers what it proved.

    `failed` names goals in the order in which they failed: those are asked first the next time.
    """

    program: Program
    pool: Pool
    budget: Budget
    partial: bool
    proved: set[str] = field(default_factory=set)
    failed: dict[str, None] = field(default_factory=dict)

    async def missing(self, annotations: Annotations, *, inductive: bool = False) -> Obligation | None:
        """The first goal that is not proved, or None. `inductive`: the invariants and ranks are known to be, so that
        only the goals that use them are asked."""
        found = list(goals(self.program, annotations, partial=self.partial))
        if inductive:
            found = [goal for goal in found if goal.role not in _KEPT]
        found = [goal for goal in found if goal.script not in self.proved]
        found.sort(key=lambda goal: (goal.name not in self.failed, goal.role not in _USES))
        for start in range(0, len(found), _ABREAST):
            goal = await self._first_open(found[start : start + _ABREAST])
            if goal is not None:
                self.failed[goal.name] = None
                return goal
        return None

    async def _first_open(self, abreast: Sequence[Obligation]) -> Obligation | None:
        units, seconds = self.budget.resources, self.budget.seconds
        calls = (self.pool.ask("z3", goal.script, resources=units, seconds=seconds) for goal in abreast)
        answers = await asyncio.gather(*calls)
        for goal, answer in zip(abreast, answers, strict=True):
            if answer.status != "unsat":
                return goal
            self.proved.add(goal.script)
        return None


async def prune(prover: Prover, annotations: Annotations) -> Annotations:
    """A subset of the invariants under which every goal is still proved; tries a bounded number of times.

    Blocks of conjuncts are left out, half of them first, then smaller blocks; disjunctions and long ones go first.
    Ranks are kept.
    """
    kept = [(path, text) for path, notes in annotations.items() for text in notes.invariants]
    kept.sort(key=lambda item: (" or " in item[1] and " for " not in item[1], len(item[1])))
    tries = 8 * prover.budget.units + 2 * len(kept) if len(kept) > 1 else 0
    size = (len(kept) + 1) // 2
    end = len(kept)
    while tries > 0 and size > 0:
        start = max(0, end - size)
        smaller = kept[:start] + kept[end:]
        tries -= 1
        if await prover.missing(_only(annotations, smaller)) is None:
            kept = smaller
        end = start
        if end == 0:
            size //= 2
            end = len(kept)
    return _only(annotations, kept)


def condensed(annotations: Annotations) -> Annotations:
    """The annotations without conjuncts that another one implies by its form: the same meaning, no solver needed."""
    return {path: LoopNotes(strongest(notes.invariants), notes.decreases) for path, notes in annotations.items()}


def _only(annotations: Annotations, kept: list[tuple[str, str]]) -> Annotations:
    """The annotations with the invariants in `kept` alone, in their old order."""
    return {
        path: LoopNotes(tuple(text for text in notes.invariants if (path, text) in kept), notes.decreases)
        for path, notes in annotations.items()
    }
