"""What is visible where an expression stands: variables with their types, and the dialect of the place."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Literal

from checkers.lang import ir
from checkers.lang.ir import Type
from checkers.lang.lower_linker import Linker, Lowered, Reads
from checkers.lang.lower_source import Text
from verifier.errors import Unsupported

Mode = Literal["body", "icontract", "requires", "ensures", "annotation"]
"""Where an expression stands: in code, in an icontract condition, in Nagini's `Requires` and `Exsures`, in `Ensures`,
in a loop's annotation."""


class Pending(Unsupported):
    """The type of something is not known yet. While types are inferred, a reason to look again later."""


@dataclass(slots=True)
class Scope:
    """The scope of one expression. `names` are visible variables; `unknown` are locals that have no type yet.

    `taken` holds every name that a quantified variable must not have. `result` is the function's return type where
    `Result()` may stand. `entry` holds the parameters where `Old` may stand, `snapshots` the values behind `OLD.name`.
    `inside_for` allows `Iterations()`. `calls` collects the functions that were called.
    """

    linker: Linker
    text: Text
    mode: Mode
    names: dict[str, Type]
    unknown: frozenset[str]
    taken: set[str]
    reads: Reads
    calls: dict[str, Lowered]
    result: Type | None = None
    entry: dict[str, Type] | None = None
    snapshots: dict[str, ir.Expr] | None = None
    inside_for: bool = False
    draft: bool = False
    quantified: dict[str, tuple[str, Type]] = field(default_factory=dict)

    @property
    def hidden(self) -> frozenset[str]:
        """Names that are variables here, whatever they mean in the module."""
        return frozenset(self.names) | self.unknown | frozenset(self.quantified)

    @contextmanager
    def quantify(self, name: str, kind: Type) -> Iterator[str]:
        """Make a quantified variable visible under a name that nothing else in the function has; yields that name."""
        inner, count = name, 0
        used = self.taken | set(self.names) | {other for other, _ in self.quantified.values()}
        while inner in used:
            count += 1
            inner = f"{name}_{count}"
        before = self.quantified
        self.quantified = {**before, name: (inner, kind)}
        try:
            yield inner
        finally:
            self.quantified = before

    @contextmanager
    def at_entry(self) -> Iterator[None]:
        """Inside `Old(…)`: only the parameters (and quantified variables) are visible."""
        before = self.names, self.unknown
        self.names, self.unknown = dict(self.entry or {}), frozenset()
        try:
            yield
        finally:
            self.names, self.unknown = before
