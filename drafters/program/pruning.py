"""Leaving out conjuncts that a finished proof does not need: fewer conjuncts are easier for the second solver."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Container, Sequence
from dataclasses import dataclass, field

from checkers.lang.lower import Program
from checkers.program.goals import goals
from checkers.smt.pool import Pool
from drafters.program.dominance import strongest
from drafters.program.templates import hard
from verifier.model import Annotations, Budget, LoopNotes, Obligation

_USES = ("post", "assert", "safety")
_KEPT = ("initiation", "preservation", "rank")
_ABREAST = 2
_UNITS = 8
_HEAVY = 4
_PATIENCE = 500_000
"""Units that one goal gets at least while conjuncts are left out: what needs much more is better kept."""
_DIVISORS = 150_000
"""The same where a conjunct speaks of all divisors: those goals are quick when they hold, and endless otherwise."""
_COMBINATIONS = (
    ("equality",),
    ("equality", "bound"),
    ("equality", "quantified"),
    ("equality", "bound", "quantified"),
    ("equality", "bound", "product"),
    ("equality", "bound", "disjunction"),
    ("equality", "bound", "product", "disjunction"),
    ("equality", "bound", "product", "disjunction", "quantified"),
)
_INVARIANT = re.compile(r"([\w.]+): invariant (\d+) ")


@dataclass(slots=True)
class Prover:
    """Asks Z3 alone about the goals of one program under changing annotations; remembers what it proved.

    `failed` names goals in the order in which they failed: those are asked first the next time. `spent` counts Z3's
    resource units, `hardest` those of the most costly proved goal; `patience` may lower what one goal gets.
    """

    program: Program
    pool: Pool
    budget: Budget
    partial: bool
    proved: set[str] = field(default_factory=set)
    failed: dict[str, None] = field(default_factory=dict)
    spent: int = 0
    hardest: int = 0
    patience: int | None = None

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
        units, seconds = min(self.patience or self.budget.resources, self.budget.resources), self.budget.seconds
        calls = (self.pool.ask("z3", goal.script, resources=units, seconds=seconds) for goal in abreast)
        answers = await asyncio.gather(*calls)
        self.spent += sum(answer.spent for answer in answers)
        for goal, answer in zip(abreast, answers, strict=True):
            if answer.status != "unsat":
                return goal
            self.proved.add(goal.script)
            self.hardest = max(self.hardest, answer.spent)
        return None


Item = tuple[str, str]


async def prune(
    prover: Prover, annotations: Annotations, kept_always: Container[Item] = (), *, deep: bool = False
) -> Annotations:
    """A subset of the invariants under which every goal is still proved. Ranks and `kept_always` are kept.

    Starts from the smallest combination of sorts of conjuncts that is enough, then leaves out blocks of shrinking
    size, long ones first, until the units for it are spent. `deep`: with a block go the invariants that needed it.
    """
    divisors = any(_sort(text) == "quantified" and "%" in text for _, text in _items(annotations))
    prover.patience = max(_DIVISORS if divisors else _PATIENCE, 2 * prover.hardest)
    enough = await _enough(prover, annotations, kept_always)
    stay = [item for item in enough if item in kept_always]
    kept = sorted((item for item in enough if item not in kept_always), key=lambda item: len(item[1]))
    size = len(kept) // 2
    end = len(kept)
    limit = prover.spent + _UNITS * prover.budget.resources
    while size > 0 and prover.spent < limit:
        start = max(0, end - size)
        smaller = _only(annotations, kept[:start] + kept[end:] + stay)
        if deep:
            found = await _provable(prover, smaller)
        else:
            found = smaller if await prover.missing(smaller) is None else None
        if found is not None:
            left = _items(found)
            kept = [item for item in kept if item in left]
        end = min(start, len(kept))
        if end == 0:
            size //= 2
            end = len(kept)
    return _only(annotations, kept + stay)


def _items(annotations: Annotations) -> list[Item]:
    return [(path, text) for path, notes in annotations.items() for text in notes.invariants]


async def _enough(prover: Prover, annotations: Annotations, kept_always: Container[Item]) -> list[Item]:
    """The conjuncts of the first combination of sorts that proves every goal; all of them if none does."""
    items = _items(annotations)
    tried: list[list[Item]] = []
    for sorts in _COMBINATIONS:
        kept = [item for item in items if item in kept_always or _sort(item[1]) in sorts]
        found = None if kept in tried else await _provable(prover, _only(annotations, kept))
        if found is not None:
            return _items(found)
        tried.append(kept)
    return items


async def _provable(prover: Prover, annotations: Annotations) -> Annotations | None:
    """The annotations without a few invariants that are not proved within the units of one goal, if the rest is."""
    for _ in range(_HEAVY):
        goal = await prover.missing(annotations)
        if goal is None:
            return annotations
        place = _INVARIANT.match(goal.name)
        if place is None:
            return None
        path, number = place[1], int(place[2]) - 1
        number -= len(prover.program.loops[path].given.invariants)
        notes = annotations[path]
        fewer = tuple(text for index, text in enumerate(notes.invariants) if index != number)
        annotations = {**annotations, path: LoopNotes(fewer, notes.decreases)}
    return None


def _sort(text: str) -> str:
    """Equality, bound, quantified, product (also remainders) or disjunction."""
    if " for " in text:
        return "quantified"
    if " or " in text:
        return "disjunction"
    if " == " in text:
        return "equality"
    return "product" if hard(text) else "bound"


def condensed(annotations: Annotations) -> Annotations:
    """The annotations without conjuncts that another one implies by its form: the same meaning, no solver needed."""
    return {path: LoopNotes(strongest(notes.invariants), notes.decreases) for path, notes in annotations.items()}


def _only(annotations: Annotations, kept: list[Item]) -> Annotations:
    """The annotations with the invariants in `kept` alone, in their old order."""
    return {
        path: LoopNotes(tuple(text for text in notes.invariants if (path, text) in kept), notes.decreases)
        for path, notes in annotations.items()
    }
