"""Lists and strings: naming, slicing, equality and membership. Trusted.

A rope that is assigned, merged or returned is first *named*: held by one array that starts at 0, with an axiom that
says what is where, and for each view the reverse, so that facts about the source reach the copy.
"""

from __future__ import annotations

from checkers.smt import terms as t
from checkers.smt.context import Context
from checkers.smt.terms import Term
from checkers.smt.values import (
    BoolV,
    IntV,
    NoneV,
    SeqV,
    TupleV,
    Unit,
    Value,
    View,
    as_int,
    item_sort,
    wrap_item,
)


def named(context: Context, value: Value) -> Value:
    """The same value with every sequence held by one array that starts at 0."""
    if isinstance(value, TupleV):
        return TupleV(tuple(named(context, item) for item in value.items))
    if not isinstance(value, SeqV):
        return value
    array = value.array
    if array is None:
        array = _gather(context, value)
    return SeqV(value.kind, (View(array, t.ZERO, value.length),))


def _gather(context: Context, value: SeqV) -> Term:
    array = context.fresh("gathered.list", t.array_of(item_sort(value.kind)))
    place = context.bound("g", t.INT)
    inside = t.conjunction(t.at_most(t.ZERO, place), t.less(place, value.length))
    cell = t.select(array, place)
    context.world.assume(t.forall((place,), t.implication(inside, t.equal(cell, value.at(place))), (cell,)))
    start = t.ZERO
    for part in value.parts:
        if isinstance(part, View):
            source = t.select(part.array, place)
            target = t.select(array, t.add(start, t.subtract(place, part.low)))
            within = t.conjunction(t.at_most(part.low, place), t.less(place, part.high))
            context.world.assume(t.forall((place,), t.implication(within, t.equal(target, source)), (source,)))
        start = t.add(start, part.length)
    return array


def place(context: Context, index: Term, length: Term) -> Term:
    """A valid index as a non-negative place."""
    value = t.value_of(index)
    if value is not None and value < 0:
        return t.add(length, index)
    if context.nonnegative(index):
        return index
    return t.conditional(t.less(index, t.ZERO), t.add(index, length), index)


def sliced(context: Context, base: SeqV, lower: Term | None, upper: Term | None) -> SeqV:
    """`base[lower:upper]`: bounds clamp, negative ones count from the end."""
    length = base.length
    low = t.ZERO if lower is None else _clamp(context, lower, length)
    high = length if upper is None else _clamp(context, upper, length)
    if low is t.ZERO and high is length:
        return base
    whole = named(context, base)
    assert isinstance(whole, SeqV)
    array = whole.array
    assert array is not None
    end = high if low is t.ZERO else t.conditional(t.less(high, low), low, high)
    return SeqV(base.kind, (View(array, low, end),))


def _clamp(context: Context, bound: Term, length: Term) -> Term:
    above = t.conditional(t.less(length, bound), length, bound)
    if context.nonnegative(bound):
        return above
    from_end = t.add(bound, length)
    below = t.conditional(t.less(from_end, t.ZERO), t.ZERO, from_end)
    value = t.value_of(bound)
    return below if value is not None else t.conditional(t.less(bound, t.ZERO), below, above)


def equal(context: Context, left: Value, right: Value) -> Term:
    """Python's `==` on two values of the same shape."""
    match left, right:
        case NoneV(), NoneV():
            return t.TRUE
        case BoolV(), BoolV():
            return t.equal(left.term, right.term)
        case ((IntV() | BoolV()), (IntV() | BoolV())):
            return t.equal(as_int(left), as_int(right))
        case SeqV(), SeqV():
            return _equal_sequences(context, left, right)
        case TupleV(), TupleV():
            if len(left.items) != len(right.items):
                return t.FALSE
            return t.conjunction(*(equal(context, x, y) for x, y in zip(left.items, right.items, strict=True)))
    raise AssertionError(f"comparison of {left} and {right}")


def _equal_sequences(context: Context, left: SeqV, right: SeqV) -> Term:
    if left == right:
        return t.TRUE
    same = t.equal(left.length, right.length)
    for length in (t.value_of(left.length), t.value_of(right.length)):
        if length is not None:
            places = [t.integer(place) for place in range(length)]
            return t.conjunction(same, *(_equal_items(left, right, place) for place in places))
    place = context.bound("e", t.INT)
    inside = t.conjunction(t.at_most(t.ZERO, place), t.less(place, left.length))
    return t.conjunction(same, t.forall((place,), t.implication(inside, _equal_items(left, right, place))))


def _equal_items(left: SeqV, right: SeqV, place: Term) -> Term:
    if left.kind == right.kind:
        return t.equal(left.at(place), right.at(place))
    return t.equal(as_int(wrap_item(left.kind, left.at(place))), as_int(wrap_item(right.kind, right.at(place))))


def member(context: Context, item: Value, sequence: Value) -> Term:
    """`item in sequence`, for a list."""
    assert isinstance(sequence, SeqV)
    if all(isinstance(part, Unit) for part in sequence.parts):
        places = [t.integer(place) for place in range(len(sequence.parts))]
        return t.disjunction(*(equal(context, item, wrap_item(sequence.kind, sequence.at(p))) for p in places))
    place = context.bound("m", t.INT)
    inside = t.conjunction(t.at_most(t.ZERO, place), t.less(place, sequence.length))
    return t.exists((place,), t.conjunction(inside, equal(context, item, wrap_item(sequence.kind, sequence.at(place)))))
