"""Facts about common divisors, for loops of Euclid's kind: what divides both moving numbers, and what divided both
numbers at entry, are the same; and bounds that keep such divisors inside the quantified range."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations

from checkers.lang import ir
from drafters.program.render import substitute, text
from drafters.program.view import View


def common_divisors(view: View) -> Iterator[str]:
    """For each pair of moving parameters of a function whose contract uses `%`: divisors are kept, both ways."""
    if not any(_uses_modulo(clause.expr) for clause in view.function.contract.ensures):
        return
    names = [name for name in view.names(ir.INT) if name in view.modified]
    sources = _sources(view, names)
    pairs = [(a, b) for a, b in combinations(names, 2) if a in sources and b in sources]
    for first, second in pairs:
        now = f"{first} % d == 0 and {second} % d == 0"
        before = f"{sources[first]} % d == 0 and {sources[second]} % d == 0"
        stops = dict.fromkeys((f"{sources[first]} + {sources[second]} + 1", *_stops(view)))
        for stop in stops:
            yield from (f"{name} < {stop}" for name in (first, second))
            yield f"all(({before}) or not ({now}) for d in range(1, {stop}))"
            yield f"all(({now}) or not ({before}) for d in range(1, {stop}))"


def _uses_modulo(expr: ir.Expr) -> bool:
    return any(isinstance(node, ir.Binary) and node.op == "%" for node in ir.walk(expr))


def _sources(view: View, names: list[str]) -> dict[str, str]:
    """Where each moving number starts: its own entry value, or the parameter that it was assigned."""
    entry = view.entry()
    found = {name: text(entry[name]) for name in names if name in entry}
    inside = {id(stmt) for stmt in ir.statements(view.loop.body)}
    params = {param.name for param in view.function.params}
    for stmt in ir.statements(view.function.body):
        if isinstance(stmt, ir.Assign) and id(stmt) not in inside and stmt.target in names:
            if isinstance(stmt.value, ir.Var) and stmt.value.name in params:
                found.setdefault(stmt.target, text(substitute(stmt.value, entry)))
    return found


def _stops(view: View) -> Iterator[str]:
    """The ends of the ranges that the postcondition quantifies over."""
    for goal in view.promises():
        for node in ir.walk(goal):
            if isinstance(node, ir.Quantifier) and isinstance(node.domain, ir.Range) and view.admits(node.domain.stop):
                yield text(node.domain.stop)
