"""Contract names in Nagini's notation, importable and without effect: the verifier reads them as text.

They stand at the top of a function's body (`Requires`, `Ensures`, `Exsures`) or of a loop's body (`Invariant`,
`Decreases`), after the docstring. All arguments are expressions of the supported subset with bounded quantifiers.

    def largest(xs: list[int]) -> int:
        Requires(len(xs) > 0)
        Ensures(Forall(xs, lambda x: x <= Result()))
        ...

`Result()` gives a value that takes part in any expression without an error, so that a function that carries these
names can still be called. A contract whose own evaluation raises (`Requires(xs[0] > 0)` on an empty list) raises there
as well: Python evaluates arguments before the call.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Any, TypeVar

__all__ = [
    "Decreases",
    "Ensures",
    "Exists",
    "Exsures",
    "Forall",
    "Implies",
    "Invariant",
    "Iterations",
    "Old",
    "Requires",
    "Result",
]

Item = TypeVar("Item")


def Requires(condition: object) -> None:  # noqa: N802 - Nagini's names
    """The caller must make `condition` true. Parameters stand for their entry values."""


def Ensures(condition: object) -> None:  # noqa: N802
    """`condition` holds when the function returns. Parameters stand for their entry values, `Result()` for the
    returned value."""


def Exsures(exception: type[BaseException], condition: object) -> None:  # noqa: N802
    """`exception` or a subclass may leave the function, and `condition` holds of the entry values whenever it does.

    May also stand beside icontract decorators, which cannot list exceptions.
    """


def Invariant(condition: object) -> None:  # noqa: N802
    """At the top of a loop's body: `condition` holds whenever control reaches the loop's head. Names stand for current
    values, `Old(e)` for entry values; the target of a `for … in range(…)` loop stands for the value of the iteration
    that is about to start."""


def Decreases(rank: object) -> None:  # noqa: N802
    """At the top of a loop's body: the integer `rank` is at least 0 and falls with every iteration. A tuple falls
    lexicographically."""


def Implies(condition: object, consequence: object) -> bool:  # noqa: N802
    """`not condition or consequence`; the verifier evaluates `consequence` only where `condition` is true."""
    return not condition or bool(consequence)


def Forall(domain: Iterable[Item], predicate: Callable[[Item], object]) -> bool:  # noqa: N802
    """`all(predicate(item) for item in domain)`; `domain` is a range or a list, `predicate` a lambda."""
    return all(predicate(item) for item in domain)


def Exists(domain: Iterable[Item], predicate: Callable[[Item], object]) -> bool:  # noqa: N802
    """`any(predicate(item) for item in domain)`; `domain` is a range or a list, `predicate` a lambda."""
    return any(predicate(item) for item in domain)


def Old(value: Item) -> Item:  # noqa: N802
    """The value of the expression on the parameters' entry values."""
    return value


def Iterations() -> int:  # noqa: N802
    """In an annotation of a `for` loop: the number of completed iterations."""
    return 0


def Result() -> Any:  # noqa: N802
    """The returned value, in `Ensures`."""
    return _Anything()


class _Anything:
    """Takes part in every operation without an error: the operands of a contract that nobody evaluates."""

    def _same(self, *_: object) -> _Anything:
        return self

    def __bool__(self) -> bool:
        return True

    def __index__(self) -> int:
        return 0

    def __int__(self) -> int:
        return 0

    def __len__(self) -> int:
        return 0

    def __iter__(self) -> Iterator[object]:
        return iter(())

    def __contains__(self, item: object) -> bool:
        return True

    def __eq__(self, other: object) -> bool:
        return True

    def __ne__(self, other: object) -> bool:
        return True

    def __hash__(self) -> int:
        return 0

    __lt__ = __le__ = __gt__ = __ge__ = _same
    __add__ = __radd__ = __sub__ = __rsub__ = __mul__ = __rmul__ = _same
    __floordiv__ = __rfloordiv__ = __mod__ = __rmod__ = __pow__ = __rpow__ = _same
    __and__ = __rand__ = __or__ = __ror__ = __xor__ = __rxor__ = _same
    __lshift__ = __rlshift__ = __rshift__ = __rrshift__ = _same
    __neg__ = __pos__ = __invert__ = __abs__ = __getitem__ = _same
