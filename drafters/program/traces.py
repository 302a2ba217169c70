"""States recorded at loop heads, and fast tests of candidate texts against them.

Recording uses the reference interpreter. A candidate is Python text that was rendered from the typed subset (pure
expressions without attributes), so it is tested by compiling it with no builtins but those of the subset; ranges are
capped. Nothing here decides anything: a wrong test only costs a candidate.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from types import CodeType

from checkers.lang import ir
from checkers.lang.interp import Returned, State, execute
from checkers.lang.machine import Value

ROWS = 260
_RUN_ROWS = 24
_RUNS = 60
_OLD = re.compile(r"\bOld\((\w+)\)")


class _Wide(Exception):
    """A range too wide to walk while testing a candidate."""


def _narrow(*ends: int) -> range:
    walk = range(*ends)
    if len(walk) > 4_000:
        raise _Wide
    return walk


_FAILURES = (ArithmeticError, LookupError, NameError, TypeError, ValueError, _Wide)

_SCOPE: Mapping[str, object] = {
    "__builtins__": {},
    "all": all,
    "any": any,
    "len": len,
    "abs": abs,
    "min": min,
    "max": max,
    "bool": bool,
    "int": int,
    "list": list,
    "range": _narrow,
}


def compiled(text: str) -> CodeType:
    """The candidate as code over a row; `Old(p)` and `Iterations()` become plain names."""
    plain = _OLD.sub(r"old_of_\1", text).replace("Iterations()", "iterations_of_loop")
    return compile(plain, "<candidate>", "eval")


@dataclass(slots=True)
class Table:
    """The recorded states of one loop: rows for testing, and pairs of rows that follow each other in one activation."""

    path: str
    rows: list[dict[str, object]] = field(default_factory=list)
    steps: list[tuple[int, int]] = field(default_factory=list)
    _index: dict[str, int] = field(default_factory=dict)

    def add(self, state: State) -> int | None:
        """The row of a state, or None when the table is full."""
        values: dict[str, object] = {name: value for name, value in state.env.items() if name[0] != "$"}
        values.update((f"old_of_{name}", value) for name, value in state.entry.items())
        values["iterations_of_loop"] = state.iterations
        key = repr(values)
        known = self._index.get(key)
        if known is None and len(self.rows) < ROWS:
            known = self._index[key] = len(self.rows)
            self.rows.append({**_SCOPE, **values})
        return known

    def holds(self, text: str) -> bool:
        """Whether the text is true, without an exception, in every row."""
        code = compiled(text)
        try:
            return all(eval(code, row) for row in self.rows)  # noqa: S307 - rendered from the typed subset
        except _FAILURES:
            return False

    def mask(self, text: str) -> int | None:
        """The rows in which the text is true, as a bit set; None if it raises in one of them."""
        found = 0
        code = compiled(text)
        try:
            for position, row in enumerate(self.rows):
                if eval(code, row):  # noqa: S307 - rendered from the typed subset
                    found |= 1 << position
        except _FAILURES:
            return None
        return found

    def column(self, text: str) -> tuple[object, ...] | None:
        """The text's value in every row; None if it raises in one of them."""
        code = compiled(text)
        try:
            return tuple(eval(code, row) for row in self.rows)  # noqa: S307 - rendered from the typed subset
        except _FAILURES:
            return None

    def integers(self, text: str) -> tuple[int, ...] | None:
        """The text's value in every row if all are ints (or bools)."""
        values = self.column(text)
        if values is None or not all(isinstance(value, int) for value in values):
            return None
        return tuple(int(value) for value in values if isinstance(value, int))

    @property
    def full(self) -> int:
        """The bit set of all rows."""
        return (1 << len(self.rows)) - 1

    def names(self) -> frozenset[str]:
        """The variables that are bound in every row."""
        if not self.rows:
            return frozenset()
        return frozenset.intersection(*(frozenset(row) for row in self.rows)) - frozenset(_SCOPE)


@dataclass(slots=True)
class Recording:
    """What tracing saw: a table per loop path, every argument tuple that was run, and one that returned normally."""

    tables: Mapping[str, Table]
    inputs: list[tuple[Value, ...]] = field(default_factory=list)
    returned: tuple[Value, ...] | None = None


def record(function: ir.Function, paths: Sequence[str], inputs: Iterator[tuple[Value, ...]], steps: int) -> Recording:
    """Run `function` on the inputs and keep states until the tables are full or the inputs end."""
    recording = Recording({path: Table(path) for path in paths})
    for arguments in inputs:
        outcome = execute(function, arguments, steps=steps, observe=_observer(recording.tables))
        recording.inputs.append(arguments)
        if isinstance(outcome, Returned):
            recording.returned = recording.returned or arguments
        enough = all(len(table.rows) >= ROWS for table in recording.tables.values())
        if len(recording.inputs) >= _RUNS or (enough and len(recording.inputs) >= 20):
            break
    return recording


def _observer(tables: Mapping[str, Table]) -> Callable[[State], None]:
    """An observer for one run: at most a few rows a loop, with the pairs that follow each other."""
    before: dict[str, tuple[int, int | None]] = {}
    taken: dict[str, int] = {}

    def observe(state: State) -> None:
        table = tables.get(state.path)
        if table is None or taken.get(state.path, 0) >= _RUN_ROWS:
            return
        taken[state.path] = taken.get(state.path, 0) + 1
        row = table.add(state)
        iterations, previous = before.get(state.path, (-1, None))
        if row is not None and previous is not None and state.iterations == iterations + 1:
            table.steps.append((previous, row))
        before[state.path] = (state.iterations, row)

    return observe
