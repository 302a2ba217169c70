"""Inputs for tracing: small, varied, inside the precondition, and long enough for loops to turn several times.

A refuter wants boundary values; a tracer wants typical runs. The generator is deterministic: a fixed seed per call.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from random import Random

from checkers.lang import ir
from checkers.lang.interp import Fault, evaluate
from checkers.lang.machine import Value
from drafters.program.render import conjuncts

_MODES = ("small", "positive", "mixed", "constants", "wide")


def traced_inputs(function: ir.Function, constants: Sequence[int], count: int) -> Iterator[tuple[Value, ...]]:
    """At most `count` distinct argument tuples that satisfy `function`'s precondition, in a fixed order."""
    random = Random(20_011)  # noqa: S311 - inputs for tests, not secrets
    facts = tuple(part for clause in function.contract.requires for part in conjuncts(clause.expr))
    seen: set[str] = set()
    for attempt in range(count * 6):
        mode = _MODES[attempt % len(_MODES)]
        arguments = {param.name: _value(param.type, mode, constants, random) for param in function.params}
        if attempt % 4 == 3:
            _liken(arguments, function, random)
        admitted = _repaired(arguments, facts, random)
        if admitted is None or repr(admitted) in seen:
            continue
        seen.add(repr(admitted))
        yield tuple(admitted[param.name] for param in function.params)
        if len(seen) == count:
            return


def _liken(arguments: dict[str, Value], function: ir.Function, random: Random) -> None:
    """Make parameters of one type alike: chance alone seldom makes two lists equal, or different in one place."""
    first: dict[ir.Type, Value] = {}
    for param in function.params:
        known = first.setdefault(param.type, arguments[param.name])
        if isinstance(param.type, ir.ListOf) and isinstance(known, list) and known is not arguments[param.name]:
            alike = list(known)
            if alike and random.random() < 0.5:
                alike[random.randrange(len(alike))] = random.choice(alike)
            arguments[param.name] = alike


def _value(kind: ir.Type, mode: str, constants: Sequence[int], random: Random) -> Value:
    match kind:
        case ir.Scalar("int"):
            return _integer(mode, constants, random)
        case ir.Scalar("bool"):
            return random.random() < 0.5
        case ir.Scalar("str"):
            return "".join(random.choice("abc ") for _ in range(random.randrange(6)))
        case ir.ListOf(ir.Scalar("bool")):
            share = random.choice((0.2, 0.5, 0.5, 0.8, 1.0))
            return [random.random() < share for _ in range(random.randrange(13))]
        case ir.ListOf(item):
            return _list(item, mode, constants, random)
        case ir.TupleOf(items):
            return tuple(_value(item, mode, constants, random) for item in items)
        case _:
            return None


def _integer(mode: str, constants: Sequence[int], random: Random) -> int:
    match mode:
        case "small":
            return random.randrange(0, 5)
        case "positive":
            return random.randrange(1, 14)
        case "constants":
            return random.choice((*constants, 0, 1)) + random.randrange(-1, 2)
        case "wide":
            return random.randrange(-40, 90)
        case _:
            return random.randrange(-6, 10)


def _list(item: ir.Type, mode: str, constants: Sequence[int], random: Random) -> Value:
    inner = mode if mode == "constants" else random.choice(("small", "mixed", "mixed"))
    values = [_value(item, inner, constants, random) for _ in range(random.randrange(8))]
    match random.randrange(6):
        case 0 | 1:
            return sorted(values, key=lambda value: (str(type(value)), value))
        case 2:
            return values[:1] * len(values)
        case 3:
            return values[: len(values) // 2] + values[: len(values) // 2][::-1]
        case _:
            return values


def _repaired(arguments: dict[str, Value], facts: Sequence[ir.Expr], random: Random) -> Mapping[str, Value] | None:
    """The arguments, changed where single comparisons of the precondition ask for it, or None."""
    for _ in range(4):
        broken = next((fact for fact in facts if not _holds(fact, arguments)), None)
        if broken is None:
            return arguments
        if not _bend(arguments, broken, random):
            return None
    return arguments if all(_holds(fact, arguments) for fact in facts) else None


def _holds(fact: ir.Expr, arguments: Mapping[str, Value]) -> bool:
    try:
        return bool(evaluate(fact, arguments))
    except Fault:
        return False


def _bend(arguments: dict[str, Value], fact: ir.Expr, random: Random) -> bool:
    """Set an int parameter that stands alone on one side of a comparison so that the comparison holds."""
    if not isinstance(fact, ir.Compare) or len(fact.ops) != 1:
        return False
    left, right = fact.operands
    mirrored: Mapping[str, str] = {"<": ">", ">": "<", "<=": ">=", ">=": "<="}
    sides = [(left, fact.ops[0], right), (right, mirrored.get(fact.ops[0], fact.ops[0]), left)]
    random.shuffle(sides)
    for side, op, other in sides:
        if not isinstance(side, ir.Var) or side.type != ir.INT:
            continue
        try:
            value = evaluate(other, arguments)
        except Fault:
            continue
        if isinstance(value, int):
            gap = random.choice((0, 0, 1, 2, 5, 9))
            shifts = {"<": -1 - gap, "<=": -gap, ">": 1 + gap, ">=": gap, "!=": 1 + gap}
            arguments[side.name] = value + shifts.get(op, 0)
            return True
    return False
