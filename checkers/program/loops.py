"""What a loop iterates over, and the state at its head. Trusted.

A `for` loop over a range or sequence is a count of completed iterations `n`, `0 <= n <= length`: the loop variable is
`start + n * step` or `items[n]` during iteration `n`, and keeps its last value afterwards.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from checkers.lang import ir
from checkers.smt import terms as t
from checkers.smt.context import Slot
from checkers.smt.sequences import named
from checkers.smt.terms import Term
from checkers.smt.values import IntV, SeqV, Value, as_int, merge, wrap_item

if TYPE_CHECKING:
    from checkers.program.execute import Executor, State


@dataclass(frozen=True, slots=True)
class LoopHead:
    """A state at a loop's head, as annotations see it: `overlay` is the range target's next value."""

    state: State
    overlay: Mapping[str, Slot]
    iterations: Term | None


@dataclass(frozen=True, slots=True)
class LoopEntry:
    """What was evaluated once when the loop was entered. `item(n)` is the loop variable in iteration `n`."""

    target: str | None
    length: Term
    item: Callable[[Term], Value] | None
    counts: bool

    def at(self, state: State, count: Term) -> LoopHead:
        """The head after `count` completed iterations."""
        overlay: dict[str, Slot] = {}
        if self.counts and self.target is not None and self.item is not None:
            overlay[self.target] = Slot(self.item(count), t.TRUE)
        return LoopHead(state, overlay, None if self.target is None else count)

    def bind_target(self, state: State, count: Term) -> None:
        """Assign the loop variable at the start of iteration `count`."""
        if self.target is not None and self.item is not None:
            state.slots[self.target] = Slot(self.item(count), t.TRUE)

    def last_target(self, state: State, count: Term) -> None:
        """The loop variable at the head after `count` iterations, when the body does not assign it."""
        assert self.target is not None
        assert self.item is not None
        value, started = self.item(t.subtract(count, t.ONE)), t.less(t.ZERO, count)
        before = state.slots.get(self.target)
        if before is None:
            state.slots[self.target] = Slot(value, started)
        else:
            defined = t.disjunction(started, before.defined)
            state.slots[self.target] = Slot(merge(started, value, before.value), defined)


def enter_loop(executor: Executor, loop: ir.Loop, state: State) -> LoopEntry:
    """Evaluate the iterable, in `state`."""
    if isinstance(loop, ir.While):
        return LoopEntry(None, t.ZERO, None, counts=False)
    if isinstance(loop.iterable, ir.Range):
        return _enter_range(executor, loop, loop.iterable, state)
    sequence = executor.evaluate(state, loop.iterable)
    assert isinstance(sequence, SeqV)

    def item(count: Term) -> Value:
        return named(executor.encoder, wrap_item(sequence.kind, sequence.at(count)))

    return LoopEntry(loop.target, sequence.length, item, counts=False)


def _enter_range(executor: Executor, loop: ir.For, bounds: ir.Range, state: State) -> LoopEntry:
    start = as_int(executor.evaluate(state, bounds.start))
    stop = as_int(executor.evaluate(state, bounds.stop))
    step = bounds.step
    gap = t.subtract(stop, start) if step > 0 else t.subtract(start, stop)
    rounds = t.quotient(t.add(gap, t.integer(abs(step) - 1)), abs(step))
    length = t.conditional(t.less(t.ZERO, gap), rounds, t.ZERO)
    if executor.encoder.nonnegative(gap):
        length = rounds

    def item(count: Term) -> Value:
        return IntV(t.add(start, t.multiply(t.integer(step), count)))

    return LoopEntry(loop.target, length, item, counts=True)


def definitely_assigned(body: Sequence[ir.Stmt]) -> frozenset[str]:
    """Names that are assigned on every way from the start of a loop body to its head again."""
    ways: list[frozenset[str]] = []
    end = _assigned_after(body, frozenset(), ways)
    if end is not None:
        ways.append(end)
    return frozenset.intersection(*ways) if ways else frozenset()


def _assigned_after(
    body: Sequence[ir.Stmt], before: frozenset[str], ways: list[frozenset[str]]
) -> frozenset[str] | None:
    """Names assigned after `body` when control falls through, or None; `ways` collects those at `continue`."""
    names = before
    for stmt in body:
        match stmt:
            case ir.Assign(target=target):
                names |= {target}
            case ir.Continue():
                ways.append(names)
                return None
            case ir.Break() | ir.Return() | ir.Raise():
                return None
            case ir.If(then=then, orelse=orelse):
                left, right = _assigned_after(then, names, ways), _assigned_after(orelse, names, ways)
                if left is None and right is None:
                    return None
                reached = [way for way in (left, right) if way is not None]
                names = frozenset.intersection(*reached)
    return names
