"""Drafter `hypothesis`: a property-based search of the real function in the sandbox, confirmed by the interpreter."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import islice

from checkers.lang.interp import judge
from checkers.lang.lower import Program
from checkers.program.arguments import read_arguments, write_arguments
from checkers.program.inputs import sample_inputs
from checkers.program.kind import ProgramKind
from checkers.sandbox import Hunt, Sandbox
from drafters.refute.enumeration import BROKEN, is_partial, smallest
from verifier.errors import VerifierError
from verifier.model import Budget, Claim, Draft, Side
from verifier.ports import Trail

SEEDS = 8
SHARE = 3
"""An example costs about this many times as much here as in the interpreter."""


class HypothesisSearch:
    """Implements `verifier.ports.Drafter`. Without a sandbox it drafts nothing and says so."""

    name = "hypothesis"

    def __init__(self, kind: ProgramKind, sandbox: Sandbox) -> None:
        self._kind = kind
        self._sandbox = sandbox

    async def draft(self, claim: Claim, budget: Budget, hints: Sequence[Draft]) -> Trail:  # noqa: ARG002 - the port
        """A refutation if the search finds an input and the interpreter agrees. Raises like `Kind.parse`."""
        program = self._kind.program(claim)
        function, partial = program.function, is_partial(claim)
        try:
            found = await self._sandbox.search(hunt(program, budget), seconds=budget.seconds / 2)
        except VerifierError as error:
            return Trail(notes=(error.message,))
        values = None if found is None else read_arguments(function, {"arguments": list(found)})
        if values is None:
            return Trail(notes=("no failing input",))
        judgement = judge(function, values, steps=budget.steps, partial=partial)
        if judgement.status not in BROKEN:
            return Trail(notes=(f"the interpreter does not confirm {', '.join(map(repr, values))}",))
        values = smallest(program, values, budget, partial=partial)
        return Trail((Draft(self.name, Side.REFUTATION, witness=write_arguments(function, values)),))


def hunt(program: Program, budget: Budget) -> Hunt:
    """The search for one program."""
    function, contract = program.function, program.function.contract
    return Hunt(
        source=program.source,
        function=function.name,
        requires=tuple(clause.text for clause in contract.requires),
        ensures=tuple(clause.text for clause in contract.ensures),
        params=tuple((param.name, str(param.type)) for param in function.params),
        raises=tuple(item.exception for item in contract.exsures),
        examples=budget.examples // SHARE,
        seeds=tuple(tuple(map(repr, values)) for values in islice(sample_inputs(program, SEEDS), SEEDS)),
    )
