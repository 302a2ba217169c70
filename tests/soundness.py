"""The road from source to verdict, and an oracle for its answers that shares nothing with it: CPython."""

from __future__ import annotations

import ast
import copy
import itertools
import signal
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from types import FrameType, TracebackType
from typing import Any, Self

from checkers.program.kind import ProgramKind
from checkers.sandbox.service import Sandbox
from checkers.smt.pool import Pool
from drafters.program.symbolic import SymbolicDrafter
from drafters.refute.enumeration import Enumeration
from drafters.refute.recurrence import Recurrence
from tests.programs import Generated, build
from verifier.case import Request
from verifier.errors import VerifierError
from verifier.model import BUDGETS, Claim, Outcome, Verdict
from verifier.pipeline import Pipeline
from verifier.policy import load

EDGES = tuple(base + step for base in (0, 2**31, -(2**31), 2**63, -(2**63), 2**64, -(2**64)) for step in (-1, 0, 1))
_SMALL_INTS = tuple(range(-6, 9))
_ITEMS = (-2, -1, 0, 1, 3)
_VALUES: dict[str, tuple[Any, ...]] = {
    "int": (*_SMALL_INTS, *EDGES),
    "bool": (False, True),
    "str": ("", "a", "b", "ab", "ba", "\U0010ffff", "abc"),
    "list[int]": (
        *(list(items) for size in range(4) for items in itertools.product(_ITEMS, repeat=size)),
        *([edge] for edge in EDGES),
        [5, 4, 3, 2, 1],
        [1, 2, 3, 4, 5],
        [2**64, -(2**64), 0, 1],
    ),
    "list[bool]": tuple(list(items) for size in range(6) for items in itertools.product((False, True), repeat=size)),
}
MOST = 1500
"""Inputs that one verdict is compared on."""


class Late(BaseException):
    """CPython took too long on one input."""


@contextmanager
def limited(seconds: float) -> Iterator[None]:
    """Raise Late in the block after some time."""

    def stop(_signal: int, _frame: FrameType | None) -> None:
        raise Late

    previous = signal.signal(signal.SIGALRM, stop)
    signal.setitimer(signal.ITIMER_REAL, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, previous)


def domain(kinds: Sequence[str], most: int = MOST) -> Iterator[list[Any]]:
    """Fresh arguments: all combinations, or evenly chosen ones where there are more than `most`."""
    pools = [_VALUES[kind] for kind in kinds]
    total = 1
    for pool in pools:
        total *= len(pool)
    # A stride that has no common factor with the pools' sizes reaches every combination of neighbours.
    stride = max(1, total // most) | 1
    for number in range(0, total, stride):
        arguments, rest = [], number
        for pool in pools:
            rest, place = divmod(rest, len(pool))
            arguments.append(copy.deepcopy(pool[place]))
        yield arguments


def violation(program: Generated, source: str | None = None) -> str | None:
    """An input on which CPython breaks the contract, in words; None if none was found on the domain.

    A call that does not end in time shows nothing, except on small inputs, where the generated programs are quick.
    """
    function = build(source or program.body, program.name)
    names = [name for name, _ in program.params]
    late = 0
    for arguments in domain([kind for _, kind in program.params]):
        env = dict(zip(names, copy.deepcopy(arguments), strict=True))
        if not all(eval(clause, dict(env)) for clause in program.requires):
            continue
        try:
            with limited(0.05):
                result = function(*arguments)
        except Late:
            late += 1
            if _small(arguments):
                return f"{program.name}({arguments}) does not end"
            if late > 12:
                return None
            continue
        except Exception as error:  # noqa: BLE001 - whatever it raises breaks the contract
            return f"{program.name}({arguments}) raises {type(error).__name__}"
        for clause in program.ensures:
            if not eval(clause, {**copy.deepcopy(env), "result": result}):
                return f"{program.name}({env}) returns {result!r}, which breaks {clause}"
    return None


def _small(value: Any) -> bool:
    if isinstance(value, list):
        return all(map(_small, value))
    return not isinstance(value, int) or abs(value) < 100


class Road:
    """One pool, one sandbox, one pipeline without a cache; an asynchronous context manager."""

    def __init__(self) -> None:
        self.pool = Pool(workers=1)
        self.sandbox = Sandbox()
        kind = ProgramKind("contract", self.pool, self.sandbox)
        drafters = (Enumeration(kind), SymbolicDrafter(kind, self.pool), Recurrence(kind, self.pool))
        self._pipeline = Pipeline(
            {"contract": kind}, {"contract": drafters}, None, "test", mode="off", clock=lambda: "2026-01-01T00:00:00Z"
        )

    async def __aenter__(self) -> Self:
        await self.pool.__aenter__()
        await self.sandbox.__aenter__()
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.sandbox.__aexit__(kind, error, trace)
        await self.pool.__aexit__(kind, error, trace)

    async def verdict(self, source: str, name: str, budget: str = "small") -> Verdict:
        """The verdict of a contract claim."""
        claim = Claim("contract", {"source": source, "function": name, "partial": False}, name)
        request = Request(claim, load("proof"), BUDGETS[budget], None)
        result = await self._pipeline.verify(request, lambda stage, detail: None)
        return result.verdict


async def disagreement(road: Road, program: Generated, source: str) -> tuple[Verdict | None, str | None]:
    """The verdict on a source, and what CPython says against it (None when they agree)."""
    try:
        verdict = await road.verdict(source, program.name)
    except VerifierError as error:
        return None, None if error.code == "bad-contract" else error.diagnostics()
    plain = without_contract(source, program)
    if verdict.outcome is Outcome.VERIFIED:
        return verdict, violation(program, plain)
    if verdict.outcome is Outcome.REFUTED:
        return verdict, None if shown(program, plain, verdict) else f"the counterexample does not show: {verdict}"
    if verdict.reason in ("error", "solver_disagreement"):
        return verdict, f"{verdict.reason}: {verdict.detail}"
    return verdict, None


def without_contract(source: str, program: Generated) -> str:
    """The bare function of a generated source or of a mutant of it."""
    tree = ast.parse(source)
    function = next(node for node in tree.body if isinstance(node, ast.FunctionDef))
    function.decorator_list = []
    function.body = [
        stmt
        for stmt in function.body
        if not (isinstance(stmt, ast.Expr) and ast.unparse(stmt).startswith(("Requires(", "Ensures(")))
    ]
    return ast.unparse(function) + "\n"


def shown(program: Generated, source: str, verdict: Verdict) -> bool:
    """Whether CPython breaks the contract on the verdict's counterexample."""
    assert verdict.counterexample is not None
    function = build(source, program.name)
    arguments = {name: eval(text) for name, text in verdict.counterexample.arguments.items()}
    env = copy.deepcopy(arguments)
    if not all(eval(clause, dict(env)) for clause in program.requires):
        return False
    try:
        with limited(0.5):
            result = function(**arguments)
    except Late:
        return verdict.grounds == "nontermination"
    except Exception:  # noqa: BLE001 - whatever it raises breaks the contract
        return True
    return not all(eval(clause, {**env, "result": result}) for clause in program.ensures)
