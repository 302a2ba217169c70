"""Terms of many-sorted first-order logic, shared and lightly simplified as they are built. Trusted.

A term is immutable and interned: equal terms are the same object. The constructors below apply only rewrites that
hold in every interpretation (each is tested against Z3 in `tests/property/test_terms.py`). Integer division appears
in two forms: `div`/`mod` with a positive literal divisor, where SMT-LIB and Python agree, and the functions `fdiv`/
`fmod` (floor division by a term), whose meaning `checkers.smt.encode` gives by axioms at each occurrence.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final
from weakref import WeakValueDictionary

Sort = str
INT: Final[Sort] = "Int"
BOOL: Final[Sort] = "Bool"


def array_of(item: Sort) -> Sort:
    """Arrays from Int."""
    return f"(Array Int {item})"


@dataclass(frozen=True, slots=True, eq=False, weakref_slot=True)
class Term:
    """`op` applied to `args`. Literals and variables keep their value or name in `data`; so do quantifiers (the bound
    variables' terms come first in `args`, then the body, then the patterns; `data` is the number of variables)."""

    op: str
    args: tuple[Term, ...]
    sort: Sort
    data: int | bool | str | None
    free: frozenset[Term]
    """The bound-variable terms that occur free."""

    def __repr__(self) -> str:
        from checkers.smt.print import text

        return text(self)


_interned: WeakValueDictionary[tuple[object, ...], Term] = WeakValueDictionary()


def _make(op: str, args: tuple[Term, ...], sort: Sort, data: int | bool | str | None = None) -> Term:
    key = (op, tuple(map(id, args)), sort, type(data), data)
    found = _interned.get(key)
    if found is not None:
        return found
    free: frozenset[Term] = frozenset()
    for arg in args:
        free |= arg.free
    if op in ("forall", "exists"):
        assert isinstance(data, int)
        free -= set(args[:data])
    term = Term(op, args, sort, data, free)
    if op == "bound":
        object.__setattr__(term, "free", frozenset((term,)))
    _interned[key] = term
    return term


# --- atoms -----------------------------------------------------------------------------------------------------


def integer(value: int) -> Term:
    """An integer literal."""
    return _make("int", (), INT, int(value))


def boolean(value: bool) -> Term:
    """`true` or `false`."""
    return TRUE if value else FALSE


def constant(name: str, sort: Sort) -> Term:
    """A free constant."""
    return _make("const", (), sort, name)


def bound(name: str, sort: Sort) -> Term:
    """A variable to be bound by a quantifier; the caller keeps names unique within a script."""
    return _make("bound", (), sort, name)


TRUE: Final = _make("bool", (), BOOL, True)
FALSE: Final = _make("bool", (), BOOL, False)
ZERO: Final = integer(0)
ONE: Final = integer(1)


def value_of(term: Term) -> int | None:
    """The value of an integer literal, else None."""
    return term.data if term.op == "int" and isinstance(term.data, int) else None


# --- propositional ---------------------------------------------------------------------------------------------


def negation(a: Term) -> Term:
    """`not a`."""
    if a.op == "bool":
        return boolean(a is FALSE)
    if a.op == "not":
        return a.args[0]
    return _make("not", (a,), BOOL)


def _junction(op: str, items: Sequence[Term], unit: Term, zero: Term) -> Term:
    flat: dict[Term, None] = {}
    for item in items:
        for part in item.args if item.op == op else (item,):
            if part is zero or negation(part) in flat:
                return zero
            if part is not unit:
                flat[part] = None
    parts = tuple(flat)
    return unit if not parts else parts[0] if len(parts) == 1 else _make(op, parts, BOOL)


def conjunction(*items: Term) -> Term:
    """`and`, flattened, without repetitions; `true` when empty."""
    return _junction("and", items, TRUE, FALSE)


def disjunction(*items: Term) -> Term:
    """`or`, flattened, without repetitions; `false` when empty."""
    return _junction("or", items, FALSE, TRUE)


def implication(a: Term, b: Term) -> Term:
    """`a => b`."""
    if a is TRUE or b is TRUE:
        return b
    if a is FALSE or a is b:
        return TRUE
    if b is FALSE:
        return negation(a)
    if b.op == "=>":
        return implication(conjunction(a, b.args[0]), b.args[1])
    return _make("=>", (a, b), BOOL)


def conditional(test: Term, a: Term, b: Term) -> Term:
    """`ite`; both branches have the same sort."""
    assert a.sort == b.sort, f"branches of sorts {a.sort} and {b.sort}"
    if test.op == "bool":
        return a if test is TRUE else b
    if a is b:
        return a
    if a.sort == BOOL:
        if a is TRUE:
            return disjunction(test, b)
        if b is FALSE:
            return conjunction(test, a)
        if a is FALSE:
            return conjunction(negation(test), b)
        if b is TRUE:
            return disjunction(negation(test), a)
    return _make("ite", (test, a, b), a.sort)


def equal(a: Term, b: Term) -> Term:
    """`=` of two terms of one sort."""
    assert a.sort == b.sort, f"equation of sorts {a.sort} and {b.sort}"
    if a is b:
        return TRUE
    if a.sort == INT and (difference := value_of(subtract(a, b))) is not None:
        return boolean(difference == 0)
    if a.sort == BOOL:
        for x, y in ((a, b), (b, a)):
            if x.op == "bool":
                return y if x is TRUE else negation(y)
    return _make("=", (a, b), BOOL)


# --- integers --------------------------------------------------------------------------------------------------


def add(*items: Term) -> Term:
    """Sum, flattened, literals folded into one at the end; equal opposite summands cancel."""
    total = 0
    coefficients: dict[Term, int] = {}
    for item in items:
        for part in item.args if item.op == "+" else (item,):
            factor, base = _scaled(part)
            if base is None:
                total += factor
            else:
                coefficients[base] = coefficients.get(base, 0) + factor
    parts = [multiply(integer(factor), base) for base, factor in coefficients.items() if factor]
    if total or not parts:
        parts.append(integer(total))
    return parts[0] if len(parts) == 1 else _make("+", tuple(parts), INT)


def _scaled(term: Term) -> tuple[int, Term | None]:
    value = value_of(term)
    if value is not None:
        return value, None
    if term.op == "*" and (head := value_of(term.args[0])) is not None:
        return head, term.args[1]
    return 1, term


def negate(a: Term) -> Term:
    """`-a`."""
    return multiply(integer(-1), a)


def subtract(a: Term, b: Term) -> Term:
    """`a - b`."""
    return add(a, negate(b))


def multiply(a: Term, b: Term) -> Term:
    """`a * b`; a literal factor comes first and is spread over a sum."""
    left, right = value_of(a), value_of(b)
    if left is not None and right is not None:
        return integer(left * right)
    if right is not None:
        a, b, left = b, a, right
    if left is None:
        return _make("*", (a, b), INT)
    if left == 0:
        return ZERO
    if left == 1:
        return b
    if b.op == "+":
        return add(*(multiply(a, part) for part in b.args))
    head, base = _scaled(b)
    if base is not None and head != 1:
        return multiply(integer(left * head), base)
    return _make("*", (a, b), INT)


def quotient(a: Term, divisor: int) -> Term:
    """`div` by a positive literal: Python's `a // divisor`."""
    assert divisor > 0
    value = value_of(a)
    if value is not None:
        return integer(value // divisor)
    return a if divisor == 1 else _make("div", (a, integer(divisor)), INT)


def remainder(a: Term, divisor: int) -> Term:
    """`mod` by a positive literal: Python's `a % divisor`."""
    assert divisor > 0
    value = value_of(a)
    if value is not None:
        return integer(value % divisor)
    return ZERO if divisor == 1 else _make("mod", (a, integer(divisor)), INT)


def at_most(a: Term, b: Term) -> Term:
    """`a <= b`."""
    difference = value_of(subtract(b, a))
    if difference is not None:
        return boolean(difference >= 0)
    return _make("<=", (a, b), BOOL)


def less(a: Term, b: Term) -> Term:
    """`a < b`."""
    difference = value_of(subtract(b, a))
    if difference is not None:
        return boolean(difference > 0)
    return _make("<", (a, b), BOOL)


# --- arrays, functions, quantifiers ----------------------------------------------------------------------------


def item_sort(array: Term) -> Sort:
    """The sort of an array's items."""
    return array.sort.removeprefix("(Array Int ").removesuffix(")")


def select(array: Term, index: Term) -> Term:
    """`select`, looking through stores at provably equal or different places."""
    while array.op == "store":
        base, place, item = array.args
        difference = value_of(subtract(place, index))
        if difference == 0:
            return item
        if difference is None:
            break
        array = base
    return _make("select", (array, index), item_sort(array))


def store(array: Term, index: Term, item: Term) -> Term:
    """`store`."""
    assert item.sort == item_sort(array), f"{item.sort} stored into {array.sort}"
    return _make("store", (array, index, item), array.sort)


def apply(function: str, args: Sequence[Term], sort: Sort) -> Term:
    """An application of a declared function."""
    return _make("apply", tuple(args), sort, function)


def _quantify(op: str, variables: Sequence[Term], body: Term, patterns: Sequence[Term]) -> Term:
    used = tuple(variable for variable in variables if variable in body.free)
    if not used:
        return body
    kept = tuple(pattern for pattern in patterns if set(used) <= pattern.free)
    return _make(op, (*used, body, *kept), BOOL, len(used))


def together(*items: Term) -> Term:
    """One trigger of several terms, for use as a pattern only."""
    return _make("together", items, BOOL)


def forall(variables: Sequence[Term], body: Term, patterns: Sequence[Term] = ()) -> Term:
    """Universal quantification; each pattern is one alternative trigger and must hold all variables."""
    if body.op == "forall" and not patterns and isinstance(body.data, int) and len(body.args) == body.data + 1:
        return forall((*variables, *body.args[: body.data]), body.args[body.data])
    return _quantify("forall", variables, body, patterns)


def exists(variables: Sequence[Term], body: Term) -> Term:
    """Existential quantification."""
    return _quantify("exists", variables, body, ())


# --- walking ---------------------------------------------------------------------------------------------------


def subterms(roots: Sequence[Term]) -> Iterator[Term]:
    """Every distinct subterm, children before parents. Iterative: depth is not bounded by the stack."""
    seen: set[Term] = set()
    stack: list[tuple[Term, bool]] = [(root, False) for root in reversed(roots)]
    while stack:
        term, ready = stack.pop()
        if ready:
            yield term
        elif term not in seen:
            seen.add(term)
            stack.append((term, True))
            stack.extend((arg, False) for arg in reversed(term.args) if arg not in seen)
