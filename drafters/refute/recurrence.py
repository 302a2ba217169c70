"""Drafter `recurrence`: a `while` loop that runs away without ever repeating a state.

An input on which the interpreter does not end is recorded at each loop's head; facts about its late states that
Houdini finds kept by one iteration make a candidate for a recurrent set (see `checkers.program.recurrence`).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import permutations

from checkers.lang import ir
from checkers.lang.annotate import parse_expression
from checkers.lang.interp import Exhausted, Fault, State, Value, evaluate, execute, judge
from checkers.lang.lower import Program
from checkers.program.arguments import write_arguments
from checkers.program.houdini import recurrent
from checkers.program.inputs import Input, sample_inputs
from checkers.program.kind import ProgramKind
from checkers.smt.pool import Pool
from drafters.program.render import text
from verifier.errors import VerifierError
from verifier.model import Budget, Claim, Draft, Side
from verifier.ports import Trail

_STEPS = 3_000
_TAIL = 24
"""Late states that a fact has to hold in."""
_INPUTS = 60
_TRIED = 3
"""Runaway inputs that are looked into."""


class Recurrence:
    """Implements `verifier.ports.Drafter` for total claims about programs."""

    name = "recurrence"

    def __init__(self, kind: ProgramKind, pool: Pool) -> None:
        self._kind = kind
        self._pool = pool

    async def draft(self, claim: Claim, budget: Budget, _hints: Sequence[Draft]) -> Trail:
        """A refutation by non-termination, or nothing."""
        program = self._kind.program(claim)
        whiles = [loop for loop in ir.loops(program.function.body) if isinstance(loop, ir.While)]
        if not whiles or claim.body.get("partial") is True:
            return Trail()
        runaway = list(_runaway(program))
        for arguments, tails in runaway:
            for loop in whiles:
                states = tails.get(loop.path, [])
                if len(states) < _TAIL:
                    continue
                candidates = [line for line in _facts(loop, states) if _held(program, loop, line, states)]
                region = await recurrent(program, loop.path, candidates, self._pool, budget)
                if region is not None:
                    witness = write_arguments(program.function, arguments)
                    return Trail((Draft(self.name, Side.REFUTATION, region, witness),))
        return Trail(notes=(f"{len(runaway)} inputs on which the function runs on",) if runaway else ())


def _runaway(program: Program) -> Iterator[tuple[Input, Mapping[str, list[State]]]]:
    """Valid inputs that do not end within the steps, with the last states at each loop's head."""
    found = 0
    for arguments in sample_inputs(program, _INPUTS):
        tails: dict[str, list[State]] = {}

        def observe(state: State, tails: dict[str, list[State]] = tails) -> None:
            tail = tails.setdefault(state.path, [])
            tail.append(State(state.path, dict(state.env), state.iterations, dict(state.entry)))
            if len(tail) > _TAIL:
                del tail[0]

        if not isinstance(execute(program.function, arguments, steps=_STEPS, observe=observe), Exhausted):
            continue
        if judge(program.function, arguments, steps=_STEPS).status == "unknown":
            yield arguments, tails
            found += 1
            if found == _TRIED:
                return


def _facts(loop: ir.While, states: Sequence[State]) -> Iterator[str]:
    """Candidate facts: the guard, tests of the body, bounds and order of ints, parity, fixed bools."""
    yield text(loop.test)
    for stmt in ir.statements(loop.body):
        if isinstance(stmt, ir.If):
            yield text(stmt.test)
            yield f"not ({text(stmt.test)})"
    env = states[-1].env
    ints = [name for name, value in env.items() if type(value) is int and not name.startswith("$")]
    for name, value in env.items():
        if type(value) is bool:
            yield f"{name} == {value}"
    for name in ints:
        values = [state.env[name] for state in states]
        numbers = [value for value in values if isinstance(value, int)]
        for bound in sorted({min(numbers), max(numbers), -1, 0, 1}):
            yield f"{name} >= {bound}"
            yield f"{name} <= {bound}"
        yield f"{name} % 2 == 0"
        yield f"{name} % 2 == 1"
    for one, other in permutations(ints, 2):
        yield f"{one} <= {other}"
        yield f"{one} < {other}"
        yield f"{one} == {other}"
        yield f"{one} >= 0 - {other}"


def _held(program: Program, loop: ir.While, line: str, states: Sequence[State]) -> bool:
    try:
        expr = parse_expression(program, loop.path, line)
        return all(_true(expr, state) for state in states)
    except VerifierError:
        return False


def _true(expr: ir.Expr, state: State) -> bool:
    try:
        value: Value = evaluate(expr, state.env, entry=state.entry)
    except Fault:
        return False
    return bool(value)
