"""What the parts of the reference interpreter share: values, limits, faults, loop states, and the running execution."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal, TypeAlias

from verifier.model import Span

Value: TypeAlias = "int | bool | str | list[Value] | tuple[Value, ...] | None"

BITS = 20_000
"""Integers of more bits end an execution as exhausted."""
ITEMS = 100_000
"""Lists of more items and strings of more characters end an execution as exhausted."""

Cause = Literal["exception", "assert", "contract", "budget"]


class Fault(Exception):
    """An exception of the interpreted program: its class name, where, and why.

    `cause` is `exception` (raised by an operation or `raise`), `assert` (a failed assert statement), `contract` (a
    callee's contract: `ViolationError` when it is false, or `Unmet` in Nagini's notation, which CPython does not check;
    otherwise what evaluating it raised), or `budget` (exception
    `Exhausted`: the evaluation did not end within its steps).
    """

    def __init__(self, exception: str, span: Span, cause: Cause = "exception") -> None:
        super().__init__(exception)
        self.exception = exception
        self.span = span
        self.cause: Cause = cause


class Spent(Exception):
    """The steps are used up or a value grew too large. Internal to the interpreter."""


class Repeated(Exception):
    """A loop repeated a complete state. Internal to the interpreter."""

    def __init__(self, path: str, span: Span) -> None:
        super().__init__(path)
        self.path = path
        self.span = span


@dataclass(frozen=True, slots=True)
class State:
    """Control at the head of loop `path`, before the test or the next item.

    `env` holds the bound locals of the loop's frame; the target of a loop over a range stands for the value that it
    takes next. `iterations` counts completed ones of this activation; `entry` holds the frame's arguments. Mappings
    and lists may be kept, and must not be changed.
    """

    path: str
    env: Mapping[str, Value]
    iterations: int
    entry: Mapping[str, Value]


@dataclass(slots=True)
class Run:
    """What one execution shares: steps left, the observer, and the current frame's entry values.

    `entry` is what `Old` reads, `iterations` what `Iterations()` reads; `value` carries a returned value upwards.
    """

    left: int
    observe: Callable[[State], None] | None = None
    cycles: bool = False
    entry: Mapping[str, Any] | None = None
    iterations: int | None = None
    value: Any = None

    def spend(self, steps: int) -> None:
        """Use up `steps`; raises `Spent` when there are none left."""
        self.left -= steps
        if self.left < 0:
            raise Spent


Code: TypeAlias = Callable[[Mapping[str, Any], Run], Any]
"""A compiled expression: environment and run to value."""
Enter: TypeAlias = Callable[[Sequence[Any], Run, Span], Any]
"""A compiled function: argument values, run and place of the call to the returned value."""
