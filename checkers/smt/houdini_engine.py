"""Houdini inside a Z3 worker: the largest subset of candidate formulas that is inductive over all sites.

Flanagan and Leino, "Houdini, an annotation assistant for ESC/Java" (2001), with model-based batch elimination: one
satisfiable query drops every candidate that its model falsifies, one unsatisfiable query confirms all the rest.
Untrusted: whatever survives is proved again, goal by goal, by both solvers.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

import z3

from checkers.smt.z3_engine import spent, text_of

PER_QUERY = 20
"""A query may spend this fraction of the task's resources: one hard candidate must not eat them all."""
PER_RETRY = 4
"""The same fraction for the last try of a goal that Z3 gave up on."""
TOTAL = 8
"""All queries together may spend this many times the task's resources."""


class Capped(Exception):
    """The cap on queries or on resources was reached."""


class Meter:
    """Counts queries and resources over all sites. Raises Capped beyond the caps."""

    def __init__(self, resources: int, queries: int) -> None:
        self.resources = resources
        self.limit = queries
        self.queries = 0

    def check(self, solver: z3.Solver, assumptions: Sequence[z3.BoolRef], fraction: int) -> z3.CheckSatResult:
        """One query under a fraction of the resources."""
        if self.queries >= self.limit or spent(solver) > self.resources * TOTAL:
            raise Capped
        self.queries += 1
        solver.set("rlimit", max(self.resources // fraction, 1))
        return solver.check(*assumptions)


class Place:
    """One site with its persistent solver.

    `refuters[k]` is a literal that implies that goal k is false; `core` are the candidates that the last complete
    confirmation rested on: nothing has to be repeated while they live. `unsure` are the goals that Z3 gave up on.
    """

    def __init__(self, context: z3.Context, head: str, site: Mapping[str, Any], meter: Meter) -> None:
        self.meter = meter
        self.context = context
        self.goals = [int(index) for index, _ in site["goals"]]
        tail = "".join(f"\n(assert {text})" for _, text in site["goals"])
        asserted = list(z3.parse_smt2_string(head + site["context"] + tail, ctx=context))
        split = len(asserted) - len(self.goals)
        self.facts, self.formulas = asserted[:split], asserted[split:]
        self.refuters = [z3.Bool(f"r!{k}", ctx=context) for k in range(len(self.goals))]
        self.solver = z3.Solver(ctx=context)
        self.solver.add(self.facts)
        for refuter, formula in zip(self.refuters, self.formulas, strict=True):
            self.solver.add(z3.Implies(refuter, z3.Not(formula), ctx=context))
        self.used = sorted({int(name) for name in re.findall(r"\bh!(\d+)\b", site["context"])})
        self.literals = {index: z3.Bool(f"h!{index}", ctx=context) for index in self.used}
        self.core: set[int] | None = None
        self.unsure: list[int] = []
        self.fresh = 0

    def settled(self, alive: set[int]) -> bool:
        """Whether the last confirmation still stands."""
        return self.core is not None and self.core <= alive

    def drop(self, alive: set[int]) -> None:
        """Remove from `alive` every candidate with a goal here that a model refutes under the alive ones."""
        self.core, self.unsure = None, []
        core: set[int] = set()
        pending = [[k for k, index in enumerate(self.goals) if index in alive]]
        while pending:
            batch = [k for k in pending.pop() if self.goals[k] in alive]
            if batch:
                self._step(batch, pending, core, alive)
        self.core = core

    def _step(self, batch: list[int], pending: list[list[int]], core: set[int], alive: set[int]) -> None:
        """One query about a batch: confirm it, drop what the model falsifies, or split it when Z3 gives up."""
        query = z3.Bool(f"q!{self.fresh}", ctx=self.context)
        self.fresh += 1
        self.solver.add(z3.Implies(query, z3.Or(*(self.refuters[k] for k in batch), self.context)))
        assumptions = [self.literals[index] for index in self.used if index in alive]
        answer = self.meter.check(self.solver, [*assumptions, query], PER_QUERY)
        if answer == z3.unsat:
            core.update(int(str(literal)[2:]) for literal in self.solver.unsat_core() if str(literal)[:2] == "h!")
            return
        false = self._falsified(batch) if answer == z3.sat else []
        if false:
            alive.difference_update(self.goals[k] for k in false)
            pending.append(batch)
        elif len(batch) == 1:
            self.unsure += batch
        else:
            middle = len(batch) // 2
            pending += [batch[middle:], batch[:middle]]

    def _falsified(self, batch: list[int]) -> list[int]:
        """The goals of the batch that the model makes false: their refuter is true, or they evaluate to false."""
        model = self.solver.model()
        return [
            k
            for k in batch
            if z3.is_true(model.eval(self.refuters[k])) or z3.is_false(model.eval(self.formulas[k], True))
        ]

    def retry(self, alive: set[int]) -> bool:
        """The last try for the goals that Z3 gave up on, each in a solver of its own (Z3 is stronger outside its
        incremental mode); what is not proved now is dropped. Returns whether anything was dropped."""
        while self.unsure:
            k = self.unsure.pop()
            if self.goals[k] not in alive:
                continue
            hypotheses = [index for index in self.used if index in alive]
            solver = z3.Solver(ctx=self.context)
            solver.add(self.facts)
            solver.add([self.literals[index] for index in hypotheses])
            solver.add(z3.Not(self.formulas[k]))
            if self.meter.check(solver, [], PER_RETRY) != z3.unsat:
                alive.discard(self.goals[k])
                return True
            assert self.core is not None
            self.core.update(hypotheses)
        return False


def serve(request: Mapping[str, Any]) -> dict[str, Any]:
    """Run a task. Replies `done` with `alive`, `complete`, `queries`; `error` with Z3's text for unreadable input."""
    count = int(request["candidates"])
    context = z3.Context()
    meter = Meter(int(request["resources"]), 60 + 8 * count + 20 * len(request["sites"]))
    head = "".join(f"(declare-const h!{k} Bool)\n" for k in range(count)) + request["declarations"] + "\n"
    alive = set(range(count))
    try:
        places = [Place(context, head, site, meter) for site in request["sites"]]
        complete = _fixpoint(places, alive)
    except z3.Z3Exception as error:
        return {"status": "error", "detail": text_of(error), "queries": meter.queries}
    if not complete:
        kept = set(alive)
        for place in places:
            unproved = place.unsure if place.settled(kept) else range(len(place.goals))
            alive -= {place.goals[k] for k in unproved}
    return {"status": "done", "alive": sorted(alive), "complete": complete, "queries": meter.queries}


def _fixpoint(places: Sequence[Place], alive: set[int]) -> bool:
    """Visit unsettled sites in order until all are settled; only then judge the goals that Z3 gave up on, because
    fewer hypotheses make them easier. False when a cap ended it."""
    try:
        while True:
            while unsettled := [place for place in places if not place.settled(alive)]:
                for place in unsettled:
                    place.drop(alive)
            if not any(place.retry(alive) for place in places):
                return True
    except Capped:
        return False
