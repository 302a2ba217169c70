"""Property-based search inside the fences: strategies from type texts, deterministic, shrinking, nothing stored.

Each failing input is reported as soon as it is found; the last one is the smallest. Hypothesis and the standard
library only; runs on the child's side.
"""

from __future__ import annotations

import ast
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from checkers.sandbox.harness import Expired, Subject, Values, admits, copy, limited, literal, post

if TYPE_CHECKING:
    from hypothesis.strategies import SearchStrategy

EDGES = tuple(
    sorted(sign * (2**power + step) for power in (7, 8, 15, 31, 32, 63, 64) for step in (-1, 0, 1) for sign in (1, -1))
)
SHARE = 0.1
"""CPU seconds of one example."""
PATIENCE = 12
"""Examples that may use up their share before the search ends: the function is slow, or does not end."""


class Slow(BaseException):
    """Too many examples used up their share of CPU time."""


class Falsified(Exception):
    """The function broke its contract on this example."""


class Hunter:
    """Tries examples on the subject and reports those that fail."""

    def __init__(self, subject: Subject, allowed: list[str], emit: Callable[[dict[str, Any]], None]) -> None:
        self._subject = subject
        self._allowed = allowed
        self._emit = emit
        self._expired = 0

    def attempt(self, values: Values) -> None:
        """Raise Falsified when `values` break the contract, Slow when too many examples took too long."""
        try:
            failing = _fails(self._subject, values, self._allowed)
        except Expired:
            self._expired += 1
            if self._expired >= PATIENCE:
                raise Slow from None
            return
        if failing:
            self._emit({"failing": [literal(value) for value in values]})
            raise Falsified


def run(job: dict[str, Any], emit: Callable[[dict[str, Any]], None]) -> None:
    """Search; emit `{"failing": [literals]}` for each failing input and `{"finished": true}` at the end."""
    from hypothesis import HealthCheck, Phase, Verbosity, given, settings

    try:
        hunter = Hunter(Subject(job), job["raises"], emit)
    except BaseException as error:  # noqa: BLE001 - code on trial may raise anything
        emit({"fatal": True, "exception": type(error).__name__})
        return

    def attempt(values: Values) -> None:
        hunter.attempt(values)

    configured = settings(
        derandomize=True,
        database=None,
        deadline=None,
        max_examples=int(job["examples"]),
        suppress_health_check=list(HealthCheck),
        phases=(Phase.generate, Phase.shrink),
        verbosity=Verbosity.quiet,
        report_multiple_bugs=False,
    )
    hunted: Callable[[], None] = configured(given(_arguments(job))(attempt))
    try:
        hunted()
    except BaseException as error:  # noqa: BLE001 - code on trial may raise anything
        emit({"ended": type(error).__name__})
    emit({"finished": True})


def _arguments(job: dict[str, Any]) -> SearchStrategy[Values]:
    """A strategy for all arguments: by type, and now and then a value of a seed."""
    from hypothesis import strategies as st

    seeds = [tuple(ast.literal_eval(text) for text in texts) for texts in job["seeds"]]
    return st.tuples(
        *(
            _mixed(st, strategy(st, ast.parse(text, mode="eval").body), [seed[at] for seed in seeds])
            for at, (_, text) in enumerate(job["params"])
        )
    )


def _mixed(st: Any, base: Any, values: list[Any]) -> Any:
    return st.one_of(base, st.sampled_from(values)) if values else base


def strategy(st: Any, text: ast.expr) -> Any:
    """A strategy for a type text. Raises ValueError for a type outside the subset."""
    match text:
        case ast.Name(id="int"):
            return st.one_of(st.integers(-20, 20), st.integers(-1000, 1000), st.integers(), st.sampled_from(EDGES))
        case ast.Name(id="bool"):
            return st.booleans()
        case ast.Name(id="str"):
            return st.text(st.sampled_from("ab 0\x00é\U0002ffff\U00030000\U0010ffff"), max_size=6)
        case ast.Constant(value=None):
            return st.none()
        case ast.Subscript(value=ast.Name(id="list"), slice=item):
            return st.lists(strategy(st, item), max_size=12)
        case ast.Subscript(value=ast.Name(id="tuple"), slice=ast.Tuple(elts=items)):
            return st.tuples(*(strategy(st, item) for item in items))
        case ast.Subscript(value=ast.Name(id="tuple"), slice=item):
            return st.tuples(strategy(st, item))
    raise ValueError(ast.unparse(text))


def _fails(subject: Subject, values: Values, allowed: list[str]) -> bool:
    from hypothesis import reject

    with limited(SHARE):
        names, function, params = subject.load()
        admitted = admits(subject, params, names, copy(values)) is True
        if admitted:
            try:
                result = function(*copy(values))
            except Expired:
                raise
            except BaseException as error:  # noqa: BLE001 - code on trial may raise anything
                return not any(kind.__name__ in allowed for kind in type(error).__mro__)
            return not all(post(subject, function, params, names, copy(values), result))
    return bool(reject())
