"""The drafter `symbolic`: candidates from templates and traces, filtered on recorded states, kept by Houdini.

Proposes only. Each tier adds candidates; the first tier whose survivors prove every goal with one solver is pruned
and given out. Work is bounded by the budget's units, never by a clock.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from checkers.lang import ir
from checkers.lang.interp import judge
from checkers.lang.lower import Program
from checkers.lang.machine import Value
from checkers.program.arguments import write_arguments
from checkers.program.houdini import inductive, ranked
from checkers.program.kind import ProgramKind
from checkers.smt.pool import Pool
from drafters.program.lean import exits
from drafters.program.pruning import Prover, condensed, prune
from drafters.program.rankings import rankings
from drafters.program.samples import traced_inputs
from drafters.program.templates import (
    LEAN,
    TIERS,
    candidates,
    costly,
    divides,
    hard,
    multiplies,
    normal,
    promises_ranges,
    reads_lists,
)
from drafters.program.traces import Recording, record
from drafters.program.view import View, constants_of, look, owner
from verifier.model import Annotations, Budget, Claim, Draft, Json, LoopNotes, Side
from verifier.ports import Trail

_INPUTS = 60
_SEARCH = 8
_STEPS = 6_000


@dataclass(frozen=True, slots=True)
class SymbolicDrafter:
    """Drafts invariants and ranks for every loop of a program claim. Ownership: borrows the pool of the caller."""

    kind: ProgramKind
    pool: Pool
    name: str = field(default="symbolic")

    async def draft(self, claim: Claim, budget: Budget, hints: Sequence[Draft]) -> Trail:
        """One draft, or two to try in turn; the side is a refutation if a traced run already broke the contract."""
        program = self.kind.program(claim)
        partial = bool(claim.body.get("partial", False))
        recording = trace(program, budget)
        broken = _broken(program, recording, partial, budget)
        if broken is not None:
            witness = write_arguments(program.function, broken)
            return Trail((Draft(self.name, Side.REFUTATION, witness=witness),), ("a traced run breaks the claim",))
        witness = None if recording.returned is None else write_arguments(program.function, recording.returned)
        extra: Mapping[str, Json] = {} if witness is None else {"witness": witness}
        found, notes = await self._annotate(program, recording, partial, budget, hints)
        drafts = tuple(Draft(self.name, Side.PROOF, annotations, witness) for annotations in found)
        return Trail(drafts, notes, extra)

    async def _annotate(
        self, program: Program, recording: Recording, partial: bool, budget: Budget, hints: Sequence[Draft]
    ) -> tuple[tuple[Annotations, ...], tuple[str, ...]]:
        """The first tier's annotations that prove everything, pruned and whole; else the last tier's, with notes."""
        if not program.loops:
            return ({},), ("no loops: no annotations needed",)
        views = look_at_loops(program, recording)
        notes: list[str] = []
        search = Budget(budget.name, _SEARCH * budget.units)  # one search stands for many goals
        prover = Prover(program, self.pool, budget, partial)
        latest: Annotations = {}
        refused: set[tuple[str, str]] = set()
        numeric = _numeric(views)
        for tier in range(LEAN if numeric else 0, TIERS):
            offered = {
                path: [text for text in candidates(view, tier, _given(hints, path)) if (path, text) not in refused]
                for path, view in views.items()
            }
            survivors, complete = await self._inductive(program, offered, search)
            refused |= {
                (path, text)
                for path, texts in offered.items()
                for text in texts
                if text not in survivors[path].invariants and (costly(text) if complete else hard(text))
            }
            latest = condensed(survivors)
            if not partial:
                ranks = {path: rankings(view) for path, view in views.items() if isinstance(view.loop, ir.While)}
                finished = await ranked(program, latest, ranks, self.pool, search)
                if finished is None:
                    notes.append(f"tier {tier}: no rank was proved")
                    continue
                latest = finished
            goal = await prover.missing(latest, inductive=True)
            if goal is None:
                small = await prune(prover, latest, _kept(views) if tier == LEAN else (), deep=numeric)
                both = (small,) if small == latest else (small, latest)  # the second solver may need more than Z3
                return both, (f"tier {tier} proves every goal",)
            notes.append(f"tier {tier}: not proved: {goal.name}")
        return (latest,), tuple(notes)

    async def _inductive(
        self, program: Program, offered: Mapping[str, Sequence[str]], budget: Budget
    ) -> tuple[Annotations, bool]:
        """Houdini twice, on the easy candidates and on all of them; and whether the second search ended.

        The easy survivors are inductive on their own. If the second search loses one of them, it was cut short: then
        they alone are the answer.
        """
        easy = {path: [text for text in texts if not hard(text)] for path, texts in offered.items()}
        first = await inductive(program, easy, self.pool, budget)
        if easy == {path: list(texts) for path, texts in offered.items()}:
            return first, True
        second = await inductive(program, offered, self.pool, budget)
        complete = all(set(first[path].invariants) <= set(second[path].invariants) for path in offered)
        return (second if complete else first), complete


def trace(program: Program, budget: Budget) -> Recording:
    """Record the program's loops on small inputs inside the precondition."""
    function = program.function
    inputs = traced_inputs(function, constants_of(function), _INPUTS)
    return record(function, tuple(program.loops), inputs, min(_STEPS, budget.steps))


def look_at_loops(program: Program, recording: Recording) -> Mapping[str, View]:
    """One view for each loop, callees' loops included."""
    constants = constants_of(program.function)
    return {
        path: look(owner(program.function, path), loop, recording.tables[path], program.scopes[path], constants)
        for path, loop in program.loops.items()
    }


def _kept(views: Mapping[str, View]) -> frozenset[tuple[str, str]]:
    """What the guards leave open at the exits: it helps the second solver, though Z3 may not need it."""
    found = ((path, normal(text)) for path, view in views.items() for text in exits(view))
    return frozenset((path, text) for path, text in found if text is not None)


def _numeric(views: Mapping[str, View]) -> bool:
    """Whether few strong candidates are tried first: numbers are multiplied or divided, and no facts range over any."""
    products = any(multiplies(view) or divides(view) for view in views.values())
    return products and not any(reads_lists(view) or promises_ranges(view) for view in views.values())


def _given(hints: Sequence[Draft], path: str) -> tuple[str, ...]:
    """The invariants that earlier or neighbouring drafts hold for a loop of the same path."""
    found = (hint.annotations.get(path, LoopNotes()) for hint in hints if hint.side is Side.PROOF)
    return tuple(line for notes in found for line in notes.invariants)


def _broken(program: Program, recording: Recording, partial: bool, budget: Budget) -> tuple[Value, ...] | None:
    """The arguments of a traced run that violates the contract, as the interpreter judges it."""
    for arguments in recording.inputs:
        verdict = judge(program.function, arguments, steps=min(_STEPS, budget.steps), partial=partial)
        if verdict.status in ("violates", "diverges"):
            return arguments
    return None
