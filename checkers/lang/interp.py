"""The reference interpreter: runs a lowered function on real Python values, within a deterministic number of steps.

Trusted. It falsifies candidates, records loop states, and decides what a replayed input shows, without running a
stranger's Python. `evaluate` compiles expressions, `statements` the rest; no clock, no randomness. An execution that
leaves the limits on steps, sizes or nesting ends as `Exhausted`, which proves nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from checkers.lang import ir
from checkers.lang.exceptions import covers
from checkers.lang.machine import Fault, Repeated, Run, Spent, State, Value
from checkers.lang.statements import compiled, compiled_expression
from verifier.model import Span

__all__ = [
    "Cycle", "Exhausted", "Fault", "Judgement", "Outcome", "Raised", "Returned", "State", "Value",
    "conforms", "evaluate", "execute", "judge",
]  # fmt: skip


@dataclass(frozen=True, slots=True)
class Returned:
    """The function returned `value`."""

    value: Value


@dataclass(frozen=True, slots=True)
class Raised:
    """The function raised `exception`; `cause` as in `evaluate.Fault` (never `budget`)."""

    exception: str
    span: Span
    cause: str


@dataclass(frozen=True, slots=True)
class Cycle:
    """The loop `path` repeated a complete state: the execution never ends."""

    path: str
    span: Span


@dataclass(frozen=True, slots=True)
class Exhausted:
    """The execution did not end within its limits. Nothing follows from it."""


Outcome = Returned | Raised | Cycle | Exhausted


def evaluate(
    expr: ir.Expr,
    env: Mapping[str, Value],
    *,
    entry: Mapping[str, Value] | None = None,
    iterations: int | None = None,
    steps: int = 10_000,
) -> Value:
    """The value of a contract or annotation expression in `env`; `Old` reads `entry` (or `env` where there is none).

    Raises nothing but `Fault`; running out of steps, sizes or nesting is a `Fault` of cause `budget`.
    """
    try:
        value: Value = compiled_expression(expr)(env, Run(steps, entry=entry, iterations=iterations))
    except (Spent, RecursionError, MemoryError):
        raise Fault("Exhausted", expr.span, "budget") from None
    return value


def execute(
    function: ir.Function,
    arguments: Sequence[Value],
    *,
    steps: int,
    observe: Callable[[State], None] | None = None,
    cycles: bool = False,
) -> Outcome:
    """Run the body of `function` on `arguments` (its own contract is not looked at; `judge` does that).

    `observe` sees every arrival at a loop's head, those of callees included; what it raises passes through. With
    `cycles`, a repeated complete state ends the execution as `Cycle`. One step is a statement, an arrival at a loop's
    head, a quantifier's item, a call, or 32 items of a list that is copied or compared.
    """
    try:
        return Returned(compiled(function).run(arguments, Run(steps, observe, cycles)))
    except Fault as fault:
        return Raised(fault.exception, fault.span, fault.cause)
    except Repeated as repeated:
        return Cycle(repeated.path, repeated.span)
    except (Spent, RecursionError, MemoryError):
        return Exhausted()


def conforms(value: object, kind: ir.Type) -> bool:
    """Whether `value` is of exactly the type `kind`, item by item: `True` is no `int` here."""
    match kind:
        case ir.ListOf(item=item):
            return type(value) is list and all(conforms(each, item) for each in value)
        case ir.TupleOf(items=items):
            return type(value) is tuple and len(value) == len(items) and all(map(conforms, value, items))
        case ir.Scalar(name="None"):
            return value is None
    return type(value) is {"int": int, "bool": bool, "str": str}[kind.name]


# --- judging ---------------------------------------------------------------------------------------------------

Status = Literal["holds", "invalid", "violates", "diverges", "unknown", "ill_defined"]


@dataclass(frozen=True, slots=True)
class Judgement:
    """What one input shows of a contract; `clause` is the one that decided, where there is one.

    `holds`; `invalid`: the input does not satisfy the precondition or the parameter types; `violates`; `diverges`: it
    never ends (and the claim is total); `ill_defined`: a contract expression raises; `unknown`: the limits ended it.
    """

    status: Status
    detail: str
    outcome: Outcome | None = None
    clause: ir.Clause | None = None


def judge(function: ir.Function, arguments: Sequence[Value], *, steps: int, partial: bool = False) -> Judgement:
    """Run `function` on `arguments` under its contract. `steps` bounds the body and each clause on its own.

    A failed `assert` and a false contract of a callee are obligations: they never hold. Nothing follows where `exsures`
    lists AssertionError, or where CPython does not check the callee's contract (Nagini's notation). When several
    `exsures` speak about a raised exception, each of their conditions has to hold.
    """
    if len(arguments) != len(function.params) or not all(
        conforms(value, param.type) for value, param in zip(arguments, function.params, strict=True)
    ):
        return Judgement("invalid", "the arguments do not have the parameters' types")
    entry = {param.name: value for param, value in zip(function.params, arguments, strict=True)}
    refused = _examine("invalid", "the precondition", function.contract.requires, entry, None, steps)
    if refused is not None:
        return refused
    outcome = execute(function, arguments, steps=steps, cycles=True)
    match outcome:
        case Exhausted():
            return Judgement("unknown", f"did not end within {steps} steps", outcome)
        case Cycle(span=span):
            status: Status = "unknown" if partial else "diverges"
            return Judgement(status, f"the loop at line {span.line} repeats a state and never ends", outcome)
        case Raised():
            return _judge_exception(function, outcome, entry, steps)
        case Returned(value=value):
            env = {**entry, "result": value}
            refused = _examine("violates", "the postcondition", function.contract.ensures, env, outcome, steps)
            return refused or Judgement("holds", "returned normally and met the contract", outcome)


def _examine(
    status: Status,
    what: str,
    clauses: Iterable[ir.Clause],
    env: Mapping[str, Value],
    outcome: Outcome | None,
    steps: int,
) -> Judgement | None:
    """The judgement of the first clause that is false or raises, in order; None when all hold."""
    for clause in clauses:
        try:
            if not evaluate(clause.expr, env, steps=steps):
                return Judgement(status, f"{what} `{clause.text}` is false", outcome, clause)
        except Fault as fault:
            if fault.cause == "budget":
                return Judgement("unknown", f"{what} `{clause.text}` did not end within {steps} steps", outcome, clause)
            return Judgement("ill_defined", f"{what} `{clause.text}` raises {fault.exception}", outcome, clause)
    return None


def _judge_exception(function: ir.Function, raised: Raised, entry: Mapping[str, Value], steps: int) -> Judgement:
    line = raised.span.line
    listed = any(covers(item.exception, "AssertionError") for item in function.contract.exsures)
    if raised.cause == "assert":
        return Judgement("unknown" if listed else "violates", f"the assert statement at line {line} fails", raised)
    if raised.cause == "contract":
        if raised.exception in ("ViolationError", "Unmet"):
            status: Status = "unknown" if listed or raised.exception == "Unmet" else "violates"
            return Judgement(status, f"the contract of the function called at line {line} is violated", raised)
        return Judgement("ill_defined", f"a callee's contract raises {raised.exception} at line {line}", raised)
    speaking = [item.clause for item in function.contract.exsures if covers(item.exception, raised.exception)]
    if not speaking:
        return Judgement("violates", f"raises {raised.exception} at line {line}, which is not listed", raised)
    refused = _examine("violates", f"on {raised.exception}, the condition", speaking, entry, raised, steps)
    return refused or Judgement("holds", f"raised {raised.exception}, as listed", raised)
