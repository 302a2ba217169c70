"""The static types of the subset: how annotations are read, how two types join, how an expression takes a wider one.

Every variable has one type. `bool` widens to `int`; a list literal takes the item type that its context wants; nothing
else converts. `EMPTY` is the type of `[]` before its item type is known and never leaves `lower`.
"""

from __future__ import annotations

from dataclasses import replace

from checkers.lang import ir
from checkers.lang.ir import BOOL, INT, NONE, STR, ListOf, Scalar, TupleOf, Type

EMPTY = ListOf(NONE)
"""The type of an empty list display whose item type nothing has settled yet."""


def is_open(kind: Type) -> bool:
    """Whether `EMPTY` stands somewhere in the type."""
    match kind:
        case ListOf():
            return kind == EMPTY
        case TupleOf(items=items):
            return any(map(is_open, items))
        case Scalar():
            return False


def settled(kind: Type) -> Type:
    """The type with every open item type read as int."""
    match kind:
        case TupleOf(items=items):
            return TupleOf(tuple(map(settled, items)))
        case ListOf() if kind == EMPTY:
            return ListOf(INT)
        case _:
            return kind


def is_number(kind: Type) -> bool:
    """int or bool."""
    return kind in (INT, BOOL)


def holds_list(kind: Type) -> bool:
    """Whether a value of the type is, or contains, a list: only such values can be aliased observably."""
    match kind:
        case ListOf():
            return True
        case TupleOf(items=items):
            return any(map(holds_list, items))
        case Scalar():
            return False


def join(left: Type, right: Type) -> Type | None:
    """The least type of both, or None when there is none in the subset."""
    if left == right:
        return left
    match left, right:
        case (Scalar(), Scalar()) if is_number(left) and is_number(right):
            return INT
        case ListOf(item=first), ListOf(item=second):
            if left == EMPTY or right == EMPTY:
                return right if left == EMPTY else left
            item = join(first, second)
            return ListOf(item) if isinstance(item, Scalar) else None
        case TupleOf(items=firsts), TupleOf(items=seconds) if len(firsts) == len(seconds):
            joined = [join(first, second) for first, second in zip(firsts, seconds, strict=True)]
            return None if None in joined else TupleOf(tuple(kind for kind in joined if kind is not None))
        case _:
            return None


def coerce(expr: ir.Expr, kind: Type) -> ir.Expr | None:
    """`expr` with static type `kind`, or None where it cannot have it.

    A bool may stand for an int as it is. Displays, conditional expressions and concatenations take the type inside;
    a list that already exists never changes its item type. (A variable of an open type exists only while types are
    inferred; it will have the type that is asked for.)
    """
    if expr.type == kind or (expr.type == BOOL and kind == INT):
        return expr
    match expr:
        case ir.ListLit(items=items) if isinstance(kind, ListOf):
            wanted: tuple[Type, ...] = (kind.item,) * len(items)
        case ir.TupleLit(items=items) if isinstance(kind, TupleOf) and len(kind.items) == len(items):
            wanted = kind.items
        case ir.BoolOp(operands=items):
            wanted = (kind,) * len(items)
        case ir.IfExp(then=then, orelse=orelse):
            items, wanted = (then, orelse), (kind, kind)
        case ir.Binary(op="+", left=left, right=right) if isinstance(kind, ListOf):
            items, wanted = (left, right), (kind, kind)
        case ir.Var() | ir.Item() if is_open(expr.type) and join(expr.type, kind) == kind:
            return replace(expr, type=kind)
        case _:
            return None
    parts = [coerce(item, inner) for item, inner in zip(items, wanted, strict=True)]
    if any(part is None for part in parts):
        return None
    return _rebuild(expr, tuple(part for part in parts if part is not None), kind)


def _rebuild(expr: ir.Expr, parts: tuple[ir.Expr, ...], kind: Type) -> ir.Expr:
    match expr:
        case ir.ListLit() | ir.TupleLit():
            return replace(expr, items=parts, type=kind)
        case ir.BoolOp():
            return replace(expr, operands=parts, type=kind)
        case ir.IfExp():
            return replace(expr, then=parts[0], orelse=parts[1], type=kind)
        case ir.Binary():
            return replace(expr, left=parts[0], right=parts[1], type=kind)
        case _:
            raise AssertionError(expr)


def settle(expr: ir.Expr) -> ir.Expr:
    """`expr` with every open item type read as int. Only displays of empty lists may be open here."""
    if not is_open(expr.type):
        return expr
    closed = coerce(expr, settled(expr.type))
    assert closed is not None, expr
    return closed


def waits(expr: ir.Expr) -> bool:
    """Whether the open type of `expr` is that of a variable, which a later pass may settle otherwise."""
    return is_open(expr.type) and any(isinstance(node, ir.Var) and is_open(node.type) for node in ir.walk(expr))


SCALARS: dict[str, Scalar] = {"int": INT, "bool": BOOL, "str": STR}
"""The scalar types that an annotation may name."""
