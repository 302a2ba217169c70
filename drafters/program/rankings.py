"""Ranking functions for `while` loops: from guards, from differences that fall in all recorded steps, and pairs.

A candidate is a tuple of integer expressions that falls lexicographically. Every candidate given out fell, and was not
negative where an iteration began, in all recorded steps.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations, permutations

from checkers.lang import ir
from drafters.program.render import negate, operand
from drafters.program.view import View, literals

_SINGLES = 8
_PAIRS = 8


@dataclass(frozen=True, slots=True)
class Measure:
    """An integer expression with its value in every recorded state."""

    text: str
    values: tuple[int, ...]


def rankings(view: View) -> tuple[tuple[str, ...], ...]:
    """Candidates for a `while` loop, simplest first; empty for a `for` loop, which needs none."""
    if not isinstance(view.loop, ir.While):
        return ()
    steps = view.table.steps
    texts = dict.fromkeys((*from_guard(view), *from_terms(view)))
    measures = [found for text in texts if (found := _measure(view, text)) is not None]
    singles = [item for item in measures if falls((item,), steps)]
    if not singles:
        more = [_measure(view, text) for text in dict.fromkeys(fitted(view))]
        singles = [item for item in more if item is not None and falls((item,), steps)]
    chosen: list[tuple[str, ...]] = [(item.text,) for item in singles[:_SINGLES]]
    if not singles:
        chosen += [(first.text, second.text) for first, second in _pairs(measures, steps)]
    return tuple(chosen)


def _measure(view: View, text: str) -> Measure | None:
    values = view.table.integers(text)
    return None if values is None else Measure(text, values)


def falls(measures: Sequence[Measure], steps: Sequence[tuple[int, int]]) -> bool:
    """Whether in every step no component was negative before, and one fell while those before it did not rise."""
    for before, after in steps:
        if any(measure.values[before] < 0 for measure in measures):
            return False
        for measure in measures:
            if measure.values[after] < measure.values[before]:
                break
            if measure.values[after] > measure.values[before]:
                return False
        else:
            return False
    return True


def from_guard(view: View) -> Iterator[str]:
    """Distances that the guard says are positive, each alone and sums of them."""
    distances: list[str] = []
    assert isinstance(view.loop, ir.While)
    for part in literals(view.loop.test):
        if view.admits(part):
            distances.extend(_distances(part))
    yield from distances
    yield from (f"max({distance}, 0)" for distance in distances)
    for first, second in combinations(distances[:6], 2):
        yield f"{first} + ({second})"
    for stmt in ir.statements(view.loop.body):
        if isinstance(stmt, ir.If):
            for part in literals(stmt.test):
                if view.admits(part):
                    both = (*_distances(part), *_distances(negate(part)))
                    yield from (f"max({distance}, 0)" for distance in both)


def _distances(part: ir.Expr) -> Iterator[str]:
    """What is at least zero (or moves towards zero) while the literal holds."""
    if isinstance(part, ir.Var) and part.type == ir.BOOL:
        yield f"int({part.name})"
        yield f"1 - int({part.name})"
        return
    if isinstance(part, ir.Var | ir.Binary) and part.type == ir.INT:
        yield from (operand(part), f"-{operand(part)}", f"abs({operand(part)})")
        return
    if not isinstance(part, ir.Compare) or len(part.ops) != 1 or part.operands[0].type != ir.INT:
        return
    left, right = map(operand, part.operands)
    match part.ops[0]:
        case "<" | "<=":
            yield from _minus(right, left, part.ops[0] == "<=")
        case ">" | ">=":
            yield from _minus(left, right, part.ops[0] == ">=")
        case "!=" | "==":
            yield from _minus(left, right, False)
            yield from _minus(right, left, False)
            yield f"abs({left} - {_grouped(right)})" if right != "0" else f"abs({left})"


def _minus(left: str, right: str, closed: bool) -> Iterator[str]:
    if left == "0":
        yield f"-{_grouped(right)}"
    elif right == "0":
        yield left
    else:
        yield f"{left} - {_grouped(right)}"
    if closed:
        yield f"{left} - {_grouped(right)} + 1"


def _grouped(text: str) -> str:
    return text if " " not in text and not text.startswith("-") else f"({text})"


def from_terms(view: View) -> Iterator[str]:
    """Single moving terms, and moving terms against fixed ones and constants."""
    moving = [term for term in view.terms if term in view.moving]
    fixed = [term for term in view.terms if term not in view.moving]
    yield from moving
    yield from (f"{other} - {term}" for term in moving for other in fixed)
    yield from (f"{term} - {other}" for term in moving for other in fixed)
    yield from (f"{second} - {first}" for first, second in permutations(moving[:5], 2))
    near = sorted({value + shift for value in view.constants for shift in (0, 1)})
    yield from (f"{value} - {term}" for term in moving for value in near)
    yield from (f"max({value} - {term}, 0)" for term in moving for value in (*near, 0, 1))
    yield from (f"max({term} - {value}, 0)" if value else f"max({term}, 0)" for term in moving for value in (*near, 0))
    yield from (f"1 - int({name})" for name in view.names(ir.BOOL) if name in view.modified)
    yield from (f"int({name})" for name in view.names(ir.BOOL) if name in view.modified)


def fitted(view: View) -> Iterator[str]:
    """Small linear combinations of up to three terms that fall in every step, raised by the least value seen."""
    moving = [term for term in view.terms if term in view.moving][:5]
    fixed = [term for term in view.terms if term not in view.moving][:4]
    for first, second in permutations(moving, 2):
        for scale, sign in ((1, "+"), (2, "+"), (3, "+"), (2, "-"), (3, "-"), (1, "-")):
            lead = first if scale == 1 else f"{scale} * {first}"
            body = f"{lead} {sign} {second}"
            yield from _raised(view, body)
            yield from _raised(view, f"-({body})")
            for other in fixed:
                yield from _raised(view, f"{other} - ({body})")
                yield from _raised(view, f"2 * {other} - ({body})")
    for term in moving:
        for other in fixed:
            yield from (f"2 * {other} - {term} + {offset}" for offset in (0, 1))


def _raised(view: View, body: str) -> Iterator[str]:
    values = view.table.integers(body)
    starts = {before for before, _ in view.table.steps}
    if values is None or not starts:
        return
    if all(values[after] < values[before] for before, after in view.table.steps):
        least = min(values[before] for before in starts)
        yield body if least >= 0 else f"{body} + {-least}"


def _pairs(measures: Sequence[Measure], steps: Sequence[tuple[int, int]]) -> list[tuple[Measure, Measure]]:
    """Lexicographic pairs: the first component never rises, and the second falls where the first stays."""
    steady = [item for item in measures if all(item.values[b] <= item.values[a] for a, b in steps)]
    steady = [item for item in steady if any(item.values[b] < item.values[a] for a, b in steps)]
    found: list[tuple[Measure, Measure]] = []
    seen: set[tuple[tuple[int, ...], tuple[int, ...]]] = set()
    for first in steady[:24]:
        for second in measures:
            key = (first.values, second.values)
            if key not in seen and first is not second and falls((first, second), steps):
                seen.add(key)
                found.append((first, second))
                if len(found) >= _PAIRS:
                    return found
    return found
