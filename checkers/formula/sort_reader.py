"""Sorts as they are written: aliases unfolded, undeclared ones refused at their place. Trusted."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from checkers.formula.lexer import Atom, Group, Sexpr, fail
from checkers.formula.sorts import SORT_MAKERS, SORTS
from checkers.formula.terms import Sort


def show(sort: Sort | None) -> str:
    """A sort as SMT-LIB writes it."""
    if not isinstance(sort, tuple):
        return str(sort)
    parts = " ".join(show(each) if isinstance(each, tuple) else str(each) for each in sort)
    return f"(_ {parts})" if any(isinstance(each, int) for each in sort) else f"({parts})"


@dataclass(slots=True)
class SortReader:
    """What a script has declared so far: `sorts` with their arity, `aliases`, and `opaque` names of datatypes."""

    sorts: dict[str, int] = field(default_factory=dict)
    aliases: dict[str, tuple[tuple[str, ...], Sexpr]] = field(default_factory=dict)
    opaque: set[str] = field(default_factory=set)

    def sort(self, expression: Sexpr, local: Mapping[str, Sort] | None = None) -> Sort:
        """A sort, aliases unfolded. Sorts of other theories are kept as they are written."""
        local = local or {}
        if isinstance(expression, Atom):
            if expression.text in local:
                return local[expression.text]
            if expression.text in self.aliases:
                return self._alias(expression, ())
            if expression.kind != "symbol":
                fail("a sort is expected here", expression)
            known = expression.text in SORTS or expression.text in self.opaque
            if not known and self.sorts.get(expression.text) != 0:
                fail(f"the sort `{expression.text}` is not declared", expression)
            return expression.text
        if not expression.items or not isinstance(expression.items[0], Atom):
            fail("a sort is expected here", expression)
        head, rest = expression.items[0], expression.items[1:]
        if head.kind == "reserved" and head.text == "_":
            if not all(isinstance(each, Atom) for each in rest) or not rest:
                fail("an indexed sort is expected here, such as (_ BitVec 8)", expression)
            return tuple(
                int(each.text) if each.kind == "numeral" else each.text for each in rest if isinstance(each, Atom)
            )
        args = tuple(self.sort(each, local) for each in rest)
        if head.text in self.aliases:
            return self._alias(head, args)
        known = head.text in SORT_MAKERS or head.text in self.opaque
        if not known and self.sorts.get(head.text) != len(args):
            fail(f"the sort `{head.text}` is not declared with {len(args)} argument(s)", head)
        return (head.text, *args)

    def _alias(self, head: Atom, args: tuple[Sort, ...]) -> Sort:
        params, body = self.aliases[head.text]
        if len(params) != len(args):
            fail(f"the sort `{head.text}` takes {len(params)} argument(s)", head)
        return self.sort(body, dict(zip(params, args, strict=True)))


def name_of(expression: Sexpr) -> str:
    """A symbol. Raises `bad-smtlib` for anything else."""
    if not isinstance(expression, Atom) or expression.kind != "symbol":
        fail("a name is expected here", expression)
    return expression.text


def list_of(expression: Sexpr) -> tuple[Sexpr, ...]:
    """The items of a list. Raises `bad-smtlib` for anything else."""
    if not isinstance(expression, Group):
        fail("a list in parentheses is expected here", expression)
    return expression.items
