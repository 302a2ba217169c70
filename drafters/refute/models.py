"""Drafter `models`: inputs from solver models, of the precondition and of goals that fail. Untrusted.

Programs with loops are unrolled a few times first. A question is asked for small values first: a model then is a small
input. The items of lists are read
through extra constants that name them, so that no model of an array has to be understood.
"""

from __future__ import annotations

import re
from collections.abc import AsyncIterator, Iterator, Mapping, Sequence

from checkers.lang import ir
from checkers.lang.interp import Value, judge
from checkers.lang.lower import Program
from checkers.program.goals import goals, precondition_script
from checkers.program.inputs import Input
from checkers.program.kind import ProgramKind
from checkers.smt.context import variable
from checkers.smt.pool import Pool
from drafters.refute.enumeration import Findings, is_partial, report
from drafters.refute.unroll import TooLarge, unrolled
from verifier.errors import VerifierError
from verifier.model import Budget, Claim, Draft
from verifier.ports import Trail

LIMITS = ((4, 16), (12, 1024), (40, None))
"""Longest list and largest magnitude of an integer, for the three questions."""
GOALS = 24
"""Failing goals looked at."""
ROLES = ("post", "safety")
ROUNDS = (2, 5)
"""How often loops are unrolled."""
SHARE = 8
"""The part of a goal's resources that one question may use."""

_CHECK = "(check-sat)"
_DECLARED = re.compile(r"^\(declare-(?:fun|const) (\|[^|]*\||\S+) (?:\(\) )?(.+)\)$", re.MULTILINE)
_DEFINED = re.compile(r"\(define-fun (\|[^|]*\||\S+) \(\) (?:Int|Bool)\s+(\(- \d+\)|\d+|true|false)\)")


class Models:
    """Implements `verifier.ports.Drafter` for claims about programs."""

    name = "models"

    def __init__(self, kind: ProgramKind, pool: Pool) -> None:
        self._kind = kind
        self._pool = pool

    async def draft(self, claim: Claim, budget: Budget, hints: Sequence[Draft]) -> Trail:  # noqa: ARG002 - the port
        """A refutation if a model breaks the claim, and a witness of the precondition. Raises like `Kind.parse`."""
        program, partial = self._kind.program(claim), is_partial(claim)
        findings = Findings()
        async for values in self._inputs(program, budget):
            judgement = judge(program.function, values, steps=budget.steps, partial=partial)
            if findings.note(values, judgement):
                break
        return report(program, findings, self.name, budget, partial=partial)

    async def _inputs(self, program: Program, budget: Budget) -> AsyncIterator[Input]:
        async for values in self._models(program.function, precondition_script(program.function), budget):
            yield values
        for rounds in ROUNDS if any(ir.loops(program.function.body)) else (0,):
            for script in failing(program, rounds):
                async for values in self._models(program.function, script, budget):
                    yield values

    async def _models(self, function: ir.Function, script: str, budget: Budget) -> AsyncIterator[Input]:
        for longest, largest in LIMITS:
            answer = await self._pool.ask(
                "z3",
                bounded(function, script, longest, largest),
                resources=budget.resources // SHARE,
                seconds=budget.seconds,
                model=True,
            )
            if answer.status == "sat" and answer.model is not None:
                values = read_model(function, answer.model)
                if values is not None:
                    yield values
                return
            if answer.status not in ("unsat", "unknown"):
                return


def failing(program: Program, rounds: int) -> list[str]:
    """The scripts of the goals of `program` with its loops unrolled `rounds` times, most telling first."""
    try:
        found = goals(unrolled(program, rounds), {}, partial=True)
    except (VerifierError, TooLarge):
        return []
    return [item.script for role in ROLES for item in found if item.form == "solvers" and item.role == role][:GOALS]


def bounded(function: ir.Function, script: str, longest: int, largest: int | None) -> str:
    """`script` with bounds on the parameters that it declares, and constants that name the items of lists."""
    declared = {name.strip("|"): sort for name, sort in _DECLARED.findall(script)}
    lines: list[str] = []
    for name, kind in leaves(function):
        if isinstance(kind, ir.ListOf) or kind == ir.STR:
            if f"len.{name}" in declared:
                lines.append(f"(assert (<= {symbol(f'len.{name}')} {longest}))")
            if name in declared:
                lines += _items(name, kind, longest, largest)
        elif kind == ir.INT and name in declared and largest is not None:
            lines.append(f"(assert (<= (- {largest}) {symbol(name)} {largest}))")
    head, found, tail = script.rpartition(_CHECK)
    return head + "\n".join([*lines, found]) + tail


def _items(name: str, kind: ir.Type, longest: int, largest: int | None) -> Iterator[str]:
    sort = "Bool" if kind == ir.ListOf(ir.BOOL) else "Int"
    for place in range(longest):
        item = symbol(f"{name}@{place}")
        yield f"(declare-fun {item} () {sort})"
        yield f"(assert (= {item} (select {symbol(name)} {place})))"
        if kind == ir.ListOf(ir.INT) and largest is not None:
            yield f"(assert (<= (- {largest}) {item} {largest}))"


def leaves(function: ir.Function) -> Iterator[tuple[str, ir.Type]]:
    """The names by which goals know the parameters, tuples taken apart."""
    for param in function.params:
        yield from _leaves(variable(param.name), param.type)


def _leaves(name: str, kind: ir.Type) -> Iterator[tuple[str, ir.Type]]:
    if isinstance(kind, ir.TupleOf):
        for place, item in enumerate(kind.items):
            yield from _leaves(f"{name}.{place}", item)
    else:
        yield name, kind


def symbol(name: str) -> str:
    """A name as a quoted symbol, which means the same as the plain one."""
    return f"|{name}|"


def read_model(function: ir.Function, model: str) -> Input | None:
    """The arguments in a model of a script that `bounded` made; what the model leaves open is zero, False or empty.

    None when a length is out of reach.
    """
    found = {name.strip("|"): text for name, text in _DEFINED.findall(model)}
    try:
        return tuple(_value(variable(param.name), param.type, found) for param in function.params)
    except ValueError:
        return None


def _value(name: str, kind: ir.Type, found: Mapping[str, str]) -> Value:
    match kind:
        case ir.TupleOf(items=items):
            return tuple(_value(f"{name}.{place}", item, found) for place, item in enumerate(items))
        case ir.ListOf(item=item):
            return [_value(f"{name}@{place}", item, found) for place in range(_length(name, found))]
        case ir.STR:
            codes = (_number(found.get(f"{name}@{place}", "97")) for place in range(_length(name, found)))
            return "".join(map(chr, codes))
        case ir.BOOL:
            return found.get(name) == "true"
        case ir.INT:
            return _number(found.get(name, "0"))
    return None


def _length(name: str, found: Mapping[str, str]) -> int:
    length = _number(found.get(f"len.{name}", "0"))
    if not 0 <= length <= LIMITS[-1][0]:
        raise ValueError(name)
    return length


def _number(text: str) -> int:
    return -int(text[2:].strip(" )")) if text.startswith("(") else int(text)
