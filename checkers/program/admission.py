"""The last look before a fresh certificate counts: real CPython, in the sandbox, must agree. Trusted.

A refutation's input is executed once; a proved function is executed under its contract on generated inputs. The code on
trial can forge what it reports, so a report is only ever compared with the reference interpreter: a forgery can
withhold a verdict, never make one.
"""

from __future__ import annotations

from collections.abc import Sequence

from checkers.lang import ir
from checkers.lang.exceptions import covers
from checkers.lang.interp import Judgement, Raised, Returned, Value, judge
from checkers.lang.lower import Program
from checkers.program.arguments import literal
from checkers.program.inputs import spread_inputs
from checkers.sandbox import Observation, Sandbox, Trial
from verifier.errors import VerifierError
from verifier.keys import obligation_digest
from verifier.model import Check, Level, Obligation, Reason, Result

_OUTLIVES = 1.5
"""Seconds after which CPython is taken not to end; the interpreter has proved that it does not."""
_SAMPLES = 40
_STEPS = 3_000
"""Interpreter steps for each of them."""


async def admit_refutation(
    program: Program, arguments: Sequence[Value], judgement: Judgement, sandbox: Sandbox | None
) -> Check:
    """CPython, under the contract, must show what `judgement` says of this input."""
    if sandbox is None:
        return _check(Result.UNKNOWN, Reason.NOT_CHECKABLE, "no sandbox to execute the counterexample in")
    seconds = _OUTLIVES if judgement.status == "diverges" else 5.0
    try:
        (seen,) = await sandbox.run(trial(program, [arguments]), seconds=seconds)
    except VerifierError as error:
        if error.code != "sandbox-unavailable":
            raise
        return _check(Result.UNKNOWN, Reason.NOT_CHECKABLE, f"{error.message} {error.hint}")
    if agrees(judgement, seen):
        return _check(Result.PASS, None, f"CPython {describe(seen)}")
    detail = f"the interpreter says: {judgement.detail}; CPython {describe(seen)}"
    return _check(Result.UNKNOWN, Reason.ERROR, detail)


async def admit_proof(program: Program, sandbox: Sandbox | None, *, partial: bool) -> Check:
    """No generated input may violate the proved contract, in the interpreter or in CPython."""
    function = program.function
    inputs: list[tuple[Value, ...]] = []
    for arguments in spread_inputs(program, _SAMPLES):
        judgement = judge(function, arguments, steps=_STEPS, partial=partial)
        if judgement.status in ("violates", "diverges"):
            return _check(Result.FAIL, Reason.ERROR, f"proved, yet on {list(arguments)}: {judgement.detail}")
        if judgement.status == "holds":
            inputs.append(arguments)
    if sandbox is None or not inputs or sandbox.level.name == "unavailable":
        return _check(Result.PASS, None, f"{len(inputs)} inputs in the interpreter")
    for arguments, seen in zip(inputs, await sandbox.run(trial(program, inputs)), strict=True):
        if breaks(function, seen):
            return _check(Result.FAIL, Reason.ERROR, f"proved, yet on {list(arguments)} CPython {describe(seen)}")
    return _check(Result.PASS, None, f"{len(inputs)} inputs in CPython")


def trial(program: Program, inputs: Sequence[Sequence[Value]]) -> Trial:
    """The program and its contract, for the sandbox."""
    contract = program.function.contract
    return Trial(
        program.source,
        program.function.name,
        tuple(clause.text for clause in contract.requires),
        tuple(clause.text for clause in contract.ensures),
        tuple(tuple(map(literal, arguments)) for arguments in inputs),
    )


def agrees(judgement: Judgement, seen: Observation) -> bool:
    """Whether CPython shows the violation that the interpreter found."""
    if judgement.status == "diverges":
        return seen.status == "killed"
    if judgement.status != "violates" or seen.pre is not True:
        return False
    checked_at_run_time = seen.status == "raised" and seen.exception.rpartition(".")[2] == "ViolationError"
    match judgement.outcome:
        case Returned(value=value):
            false = seen.status == "returned" and seen.value == literal(value) and False in seen.post
            return false or checked_at_run_time
        case Raised(exception=exception, cause="contract"):
            return checked_at_run_time
        case Raised(exception=exception):
            return seen.status == "raised" and seen.exception == exception
    return False


def breaks(function: ir.Function, seen: Observation) -> bool:
    """Whether CPython saw a valid input violate the contract."""
    if seen.pre is not True:
        return False
    if seen.status == "returned":
        return not all(seen.post)
    listed = [item.exception for item in function.contract.exsures]
    resource = {"RecursionError", "MemoryError", "OverflowError"}
    return (
        seen.status == "raised"
        and seen.exception not in resource
        and not any(covers(name, seen.exception) for name in listed)
    )


def describe(seen: Observation) -> str:
    """One observation in words."""
    if seen.status == "returned":
        return f"returned {seen.value}"
    return f"raised {seen.exception}" if seen.status == "raised" else f"was {seen.status}"


def _check(result: Result, reason: Reason | None, detail: str) -> Check:
    name = "CPython agrees in the sandbox"
    obligation = Obligation(name, "admission", "execution", "", obligation_digest(name, "execution", ""))
    return Check(obligation, result, Level.L3, reason, detail)
