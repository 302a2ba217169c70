"""Symbolic Python values: what an expression of the subset denotes, as terms. Trusted.

A list or string is a rope of *views* (a piece of an array) and *units* (single items); a variable always holds a
single view that starts at 0. Items beyond the length of an array mean nothing. A string is a sequence of code points.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from checkers.lang import ir
from checkers.smt import terms as t
from checkers.smt.terms import Term

ItemKind = Literal["int", "bool", "char"]


@dataclass(frozen=True, slots=True)
class IntV:
    """An int."""

    term: Term


@dataclass(frozen=True, slots=True)
class BoolV:
    """A bool."""

    term: Term


@dataclass(frozen=True, slots=True)
class NoneV:
    """None."""


@dataclass(frozen=True, slots=True)
class View:
    """`array[low:high]`, where `low <= high`."""

    array: Term
    low: Term
    high: Term

    @property
    def length(self) -> Term:
        """Number of items."""
        return t.subtract(self.high, self.low)


@dataclass(frozen=True, slots=True)
class Unit:
    """One item."""

    item: Term

    @property
    def length(self) -> Term:
        """One."""
        return t.ONE


@dataclass(frozen=True, slots=True)
class SeqV:
    """A list of ints or bools, or a string (`char`: items are code points)."""

    kind: ItemKind
    parts: tuple[View | Unit, ...]

    @property
    def length(self) -> Term:
        """The number of items."""
        return t.add(*(part.length for part in self.parts)) if self.parts else t.ZERO

    def at(self, index: Term) -> Term:
        """The item at a valid, non-negative index."""
        if not self.parts:
            return t.FALSE if self.kind == "bool" else t.ZERO
        starts = [t.ZERO]
        for part in self.parts[:-1]:
            starts.append(t.add(starts[-1], part.length))
        result: Term | None = None
        for part, start in zip(reversed(self.parts), reversed(starts), strict=True):
            place = t.subtract(index, start)
            item = part.item if isinstance(part, Unit) else t.select(part.array, t.add(part.low, place))
            result = item if result is None else t.conditional(t.less(index, t.add(start, part.length)), item, result)
        assert result is not None
        return result

    @property
    def array(self) -> Term | None:
        """The array whose first `length` items these are, if there is one as it stands."""
        match self.parts:
            case ():
                return blank(self.kind)
            case (View(array=array, low=low),) if low is t.ZERO:
                return array
            case (View(array=array, low=low, high=high), *rest) if low is t.ZERO:
                return _stored(array, high, rest)
            case (Unit(), *_):
                return _stored(blank(self.kind), t.ZERO, self.parts)
        return None


def blank(kind: ItemKind) -> Term:
    """An array about which nothing is known: what stands beyond a list's items. (cvc5 has no stores into constant
    arrays by default.)"""
    sort = item_sort(kind)
    return t.constant(f"blank.{sort}", t.array_of(sort))


def _stored(array: Term, start: Term, parts: list[View | Unit] | tuple[View | Unit, ...]) -> Term | None:
    for offset, part in enumerate(parts):
        if not isinstance(part, Unit):
            return None
        array = t.store(array, t.add(start, t.integer(offset)), part.item)
    return array


@dataclass(frozen=True, slots=True)
class TupleV:
    """A tuple."""

    items: tuple[Value, ...]


Value = IntV | BoolV | NoneV | SeqV | TupleV


def item_kind(kind: ir.Type) -> ItemKind:
    """The kind of items of a list or string type."""
    if kind == ir.STR:
        return "char"
    assert isinstance(kind, ir.ListOf)
    return "bool" if kind.item == ir.BOOL else "int"


def item_sort(kind: ItemKind) -> t.Sort:
    """The sort of the items."""
    return t.BOOL if kind == "bool" else t.INT


def wrap_item(kind: ItemKind, item: Term) -> Value:
    """One item of a sequence as a value of its own."""
    match kind:
        case "int":
            return IntV(item)
        case "bool":
            return BoolV(item)
        case "char":
            return SeqV("char", (Unit(item),))


def from_literal(value: int | bool | str | None) -> Value:
    """A Python literal."""
    match value:
        case None:
            return NoneV()
        case bool():
            return BoolV(t.boolean(value))
        case int():
            return IntV(t.integer(value))
        case str():
            return SeqV("char", tuple(Unit(t.integer(ord(char))) for char in value))


def as_int(value: Value) -> Term:
    """An int or bool as an integer term (`True` is 1)."""
    if isinstance(value, BoolV):
        return t.conditional(value.term, t.ONE, t.ZERO)
    assert isinstance(value, IntV), f"not a number: {value}"
    return value.term


def as_item(kind: ItemKind, value: Value) -> Term:
    """A value as an item of a list of `kind`."""
    if kind == "bool":
        assert isinstance(value, BoolV), "only bools in a list of bools"
        return value.term
    return as_int(value)


def truthy(value: Value) -> Term:
    """`bool(value)`."""
    match value:
        case IntV(term=term):
            return t.negation(t.equal(term, t.ZERO))
        case BoolV(term=term):
            return term
        case NoneV():
            return t.FALSE
        case SeqV():
            return t.negation(t.equal(value.length, t.ZERO))
        case TupleV(items=items):
            return t.boolean(bool(items))


def merge(test: Term, a: Value, b: Value) -> Value:
    """`a if test else b`. Sequences must be held by arrays (see `SeqV.array`)."""
    match a, b:
        case (NoneV(), NoneV()):
            return a
        case BoolV(), BoolV():
            return BoolV(t.conditional(test, a.term, b.term))
        case ((IntV() | BoolV()), (IntV() | BoolV())):
            return IntV(t.conditional(test, as_int(a), as_int(b)))
        case SeqV(), SeqV() if a.kind == b.kind:
            if a == b:
                return a
            left, right = a.array, b.array
            assert left is not None, "sequences are named before they are merged"
            assert right is not None, "sequences are named before they are merged"
            high = t.conditional(test, a.length, b.length)
            return SeqV(a.kind, (View(t.conditional(test, left, right), t.ZERO, high),))
        case TupleV(), TupleV() if len(a.items) == len(b.items):
            return TupleV(tuple(merge(test, x, y) for x, y in zip(a.items, b.items, strict=True)))
    raise AssertionError(f"values of different shapes: {a} and {b}")
