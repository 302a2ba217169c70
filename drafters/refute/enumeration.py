"""Drafter `enumeration`: the reference interpreter over small and boundary inputs; the first one that breaks the
claim is shrunk and drafted. It also finds the input that shows the precondition not to be vacuous."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from checkers.lang.interp import Judgement, Returned, judge
from checkers.lang.lower import Program
from checkers.program.arguments import read_arguments, write_arguments
from checkers.program.inputs import Input, sample_inputs
from checkers.program.kind import ProgramKind
from drafters.refute.shrink import shrink
from verifier.model import Budget, Claim, Draft, Json, Side
from verifier.ports import Trail

QUICK = 3_000
"""Interpreter steps of a first look at an input; the smallest inputs that need more get the whole budget later."""
TIRED = 40
"""Inputs that may need more than `QUICK` steps before first looks become ten times shorter."""
REVISITED = 3
PATIENT = 1_000_000
"""Interpreter steps for the smallest input when no other has returned: a loop over a large literal needs them."""
SHRINKING = 300

BROKEN = ("violates", "diverges")


@dataclass(slots=True)
class Findings:
    """What the inputs tried so far have shown."""

    broken: Input | None = None
    witness: Input | None = None
    ill_defined: tuple[Input, str] | None = None
    exhausted: list[Input] = field(default_factory=list)
    tried: int = 0

    def note(self, values: Input, judgement: Judgement) -> bool:
        """Take one judgement in; whether the search is over."""
        self.tried += judgement.status != "invalid"
        if judgement.status in BROKEN:
            self.broken = values
        elif judgement.status == "ill_defined" and self.ill_defined is None:
            self.ill_defined = (values, judgement.detail)
        elif judgement.status == "unknown":
            self.exhausted.append(values)
        elif judgement.status == "holds" and self.witness is None and isinstance(judgement.outcome, Returned):
            self.witness = values
        return self.broken is not None


class Enumeration:
    """Implements `verifier.ports.Drafter` for claims about programs."""

    name = "enumeration"

    def __init__(self, kind: ProgramKind) -> None:
        self._kind = kind

    async def draft(self, claim: Claim, budget: Budget, hints: Sequence[Draft]) -> Trail:
        """A refutation if an input breaks the claim; `hints["witness"]` for one that satisfies the precondition and
        returns; `hints["ill_defined"]` for one on which a contract expression raises. Raises like `Kind.parse`."""
        program = self._kind.program(claim)
        function, partial = program.function, is_partial(claim)
        earlier = [read_arguments(function, hint.witness) for hint in hints]
        seeds = [values for values in earlier if values is not None]
        findings = await explore(program, seeds, budget, partial=partial)
        return report(program, findings, self.name, budget, partial=partial)


def is_partial(claim: Claim) -> bool:
    """Whether the claim leaves termination out."""
    return claim.body.get("partial") is True


async def explore(program: Program, seeds: Sequence[Input], budget: Budget, *, partial: bool) -> Findings:
    """Judge `seeds` and then sampled inputs until one breaks the claim or the budget's examples are used up."""
    findings = Findings()
    quick = min(QUICK, budget.steps)
    if await _judge_all(program, seeds, budget.steps, findings, partial=partial):
        return findings
    if await _judge_all(program, sample_inputs(program, budget.examples), quick, findings, partial=partial):
        return findings
    again, findings.exhausted = findings.exhausted[:REVISITED], []
    if budget.steps > quick and await _judge_all(program, again, budget.steps, findings, partial=partial):
        return findings
    if findings.witness is None:
        await _judge_all(program, again[:1], max(PATIENT, budget.steps), findings, partial=partial)
    return findings


async def _judge_all(
    program: Program, inputs: Iterable[Input], steps: int, findings: Findings, *, partial: bool
) -> bool:
    for number, values in enumerate(inputs):
        if number % 16 == 0:
            await asyncio.sleep(0)  # lets a cancellation or a faster drafter through
        if len(findings.exhausted) == TIRED:
            steps = min(steps, QUICK // 10)
        if findings.note(values, judge(program.function, values, steps=steps, partial=partial)):
            return True
    return False


def smallest(program: Program, values: Input, budget: Budget, *, partial: bool) -> Input:
    """`values`, shrunk while the claim breaks in the same way."""
    steps = budget.steps
    status = judge(program.function, values, steps=steps, partial=partial).status
    return shrink(
        values,
        lambda smaller: judge(program.function, smaller, steps=steps, partial=partial).status == status,
        tries=SHRINKING,
    )


def report(program: Program, findings: Findings, name: str, budget: Budget, *, partial: bool) -> Trail:
    """The trail of one refuter's findings."""
    hints: dict[str, Json] = {}
    if findings.witness is not None:
        hints["witness"] = write_arguments(program.function, findings.witness)
    notes = [f"{findings.tried} inputs tried"]
    if findings.ill_defined is not None:
        values, detail = findings.ill_defined
        hints["ill_defined"] = write_arguments(program.function, values)
        notes.append(f"{detail} on {', '.join(map(repr, values))}")
    if findings.broken is None:
        return Trail(notes=tuple(notes), hints=hints)
    values = smallest(program, findings.broken, budget, partial=partial)
    draft = Draft(name, Side.REFUTATION, witness=write_arguments(program.function, values))
    return Trail((draft,), tuple(notes), hints)
