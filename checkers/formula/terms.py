"""Terms as a directed acyclic graph: equal terms of one `Graph` are one object. Trusted.

A bound variable is named by the level of its quantifier (0 for the outermost), and means the nearest enclosing
quantifier of that level; so terms that differ in bound names only are equal.
"""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass, field
from fractions import Fraction
from typing import TypeAlias

Sort: TypeAlias = "str | tuple[str | int | Sort, ...]"
"""`Bool`, `Int`, `Real`, a declared sort's name, or a tuple such as `("BitVec", 8)`, `("Array", "Int", "Int")`."""

BOOL: Sort = "Bool"
INT: Sort = "Int"
REAL: Sort = "Real"

Value: TypeAlias = "bool | int | Fraction | str"


@dataclass(frozen=True, slots=True, eq=False)
class Term:
    """A node. `op` is a theory's function name, or one of `const` (`data` is the value), `free` (a constant; `data` is
    its name), `bound` (`data` is the level), `apply` (`data` is a declared function's name), `forall` and `exists`
    (`data` is the level and the sorts of the variables). For others `data` holds the indices, such as those of
    `extract`. `sort` is None where this room does not know it."""

    op: str
    args: tuple[Term, ...]
    data: Hashable
    sort: Sort | None
    number: int

    @property
    def negated(self) -> bool:
        """Whether this is a negation."""
        return self.op == "not"


class TooLarge(Exception):
    """The graph would have more nodes than its limit."""


@dataclass(slots=True)
class Graph:
    """Makes terms, each only once. `limit` bounds the number of nodes (raises TooLarge)."""

    limit: int = 200_000
    _nodes: dict[tuple[str, tuple[int, ...], Hashable, Sort | None], Term] = field(default_factory=dict)

    def term(self, op: str, args: tuple[Term, ...] = (), data: Hashable = None, sort: Sort | None = None) -> Term:
        """The node with these parts."""
        # `True == 1` and `1 == Fraction(1)` in Python: the type has to be part of the key.
        key = (op, tuple(arg.number for arg in args), (type(data).__name__, data), sort)
        node = self._nodes.get(key)
        if node is None:
            if len(self._nodes) >= self.limit:
                raise TooLarge
            node = self._nodes[key] = Term(op, args, data, sort, len(self._nodes))
        return node

    def const(self, value: Value, sort: Sort | None) -> Term:
        """A literal."""
        return self.term("const", (), value, sort)

    def truth(self, value: bool) -> Term:
        """`true` or `false`."""
        return self.const(value, BOOL)
