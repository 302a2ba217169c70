"""Leaving out facts that follow from one other fact by their form alone: `x <= n + 1` beside `x <= n`.

The conjunction keeps its meaning, so an inductive set stays inductive and no solver has to be asked. Works on text:
comparisons are brought into the form `sum of factor * atom <= bound` with opaque atoms.
"""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

_Form = tuple[tuple[str, int], ...]


@dataclass(frozen=True, slots=True)
class Limit:
    """`form <= bound`; an equality is two of them."""

    form: _Form
    bound: int


def strongest(texts: Sequence[str]) -> tuple[str, ...]:
    """The texts in their order, without those that follow from a single other one, or from none."""
    parsed = {text: ast.parse(text, mode="eval").body for text in texts}
    best: dict[_Form, int] = {}
    for node in parsed.values():
        for limit in _limits(node):
            best[limit.form] = min(limit.bound, best.get(limit.form, limit.bound))
    kept: dict[str, ast.expr] = {}
    granted: set[_Form] = set()
    exact = {form for node in parsed.values() if _is_equality(node) for form in (item.form for item in _limits(node))}
    for text, node in parsed.items():
        limits = tuple(_limits(node))
        if _trivial(limits):
            continue
        if limits and not _is_equality(node):
            (limit,) = limits
            if limit.bound > best[limit.form] or limit.form in exact or limit.form in granted:
                continue
            granted.add(limit.form)
        elif _is_equality(node) and limits:
            if limits[0].form in granted:
                continue
            granted.update(limit.form for limit in limits)
        kept[text] = node
    facts = {ast.unparse(node) for node in kept.values()}
    return tuple(_without_narrow_ranges([text for text, node in kept.items() if not _weakened(node, facts, best)]))


def _trivial(limits: Sequence[Limit]) -> bool:
    """A comparison of something with itself that always holds."""
    return bool(limits) and all(not limit.form and limit.bound >= 0 for limit in limits)


def _is_equality(node: ast.expr) -> bool:
    return isinstance(node, ast.Compare) and isinstance(node.ops[0], ast.Eq)


def _weakened(node: ast.expr, facts: set[str], best: Mapping[_Form, int]) -> bool:
    """A disjunction of which one part is a fact itself or follows from a bound."""
    if not isinstance(node, ast.BoolOp) or not isinstance(node.op, ast.Or):
        return False
    for part in node.values:
        limits = tuple(_limits(part))
        follows = bool(limits) and all(best.get(limit.form, limit.bound + 1) <= limit.bound for limit in limits)
        if follows or ast.unparse(part) in facts:
            return True
    return False


def _limits(node: ast.expr) -> Iterator[Limit]:
    """The linear bounds that a single comparison of numbers says; none for anything else."""
    if not isinstance(node, ast.Compare) or len(node.ops) != 1:
        return
    if any(
        isinstance(side, ast.List | ast.Tuple | ast.BoolOp | ast.Compare) for side in (node.left, node.comparators[0])
    ):
        return
    gap = _linear(node.left, 1)
    gap.update(_linear(node.comparators[0], -1))
    bound = -gap.pop("", 0)
    form = tuple(sorted((atom, factor) for atom, factor in gap.items() if factor))
    mirrored = tuple((atom, -factor) for atom, factor in form)
    match node.ops[0]:
        case ast.LtE():
            yield Limit(form, bound)
        case ast.Lt():
            yield Limit(form, bound - 1)
        case ast.GtE():
            yield Limit(mirrored, -bound)
        case ast.Gt():
            yield Limit(mirrored, -bound - 1)
        case ast.Eq():
            yield Limit(form, bound)
            yield Limit(mirrored, -bound)


def _linear(node: ast.expr, factor: int) -> Counter[str]:
    """`factor * node` as factors of opaque atoms; the constant under the empty name."""
    match node:
        case ast.Constant(value=int(value)) if not isinstance(node.value, bool):
            return Counter({"": factor * value})
        case ast.UnaryOp(op=ast.USub(), operand=operand):
            return _linear(operand, -factor)
        case ast.BinOp(left=left, op=ast.Add(), right=right):
            return _sum(_linear(left, factor), _linear(right, factor))
        case ast.BinOp(left=left, op=ast.Sub(), right=right):
            return _sum(_linear(left, factor), _linear(right, -factor))
        case ast.BinOp(left=ast.Constant(value=int(value)), op=ast.Mult(), right=right):
            return _linear(right, factor * value)
        case _:
            return Counter({ast.unparse(node): factor})


def _sum(left: Counter[str], right: Counter[str]) -> Counter[str]:
    left.update(right)
    return left


def _without_narrow_ranges(texts: Iterable[str]) -> Iterator[str]:
    """Drops `all(… for k in range(e - 1))` beside the same with `range(e)`: the same start, a stop that is less."""
    known: dict[str, list[tuple[str, int]]] = {}
    split = {text: _split(ast.parse(text, mode="eval").body) for text in texts}
    for text, parts in split.items():
        if parts is not None:
            known.setdefault(parts[0], []).append((text, parts[1]))
    for text, parts in split.items():
        rivals = [] if parts is None else known[parts[0]]
        if parts is None or max(rivals, key=lambda item: item[1])[0] == text:
            yield text


def _split(node: ast.expr) -> tuple[str, int] | None:
    """A universal quantifier over a range as (everything but the constant part of its stop, that constant)."""
    if (
        not isinstance(node, ast.Call)
        or ast.unparse(node.func) != "all"
        or not isinstance(node.args[0], ast.GeneratorExp)
    ):
        return None
    generator = node.args[0]
    domain = generator.generators[0].iter
    if len(generator.generators) != 1 or not isinstance(domain, ast.Call) or len(domain.args) > 2:
        return None
    stop = _linear(domain.args[-1], 1)
    constant = stop.pop("", 0)
    start = "0" if len(domain.args) == 1 else ast.unparse(domain.args[0])
    inside = " if ".join(
        map(ast.unparse, (generator.elt, generator.generators[0].target, *generator.generators[0].ifs))
    )
    return f"{start} .. {sorted(stop.items())}: {inside}", constant
