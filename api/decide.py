"""One use case for every door: decide many claims, a few at once, and hand out the records in claim order."""

from __future__ import annotations

import asyncio
import traceback
from collections.abc import AsyncGenerator, Callable, Mapping, Sequence
from contextlib import aclosing
from dataclasses import dataclass
from time import perf_counter

from api.collect import Item
from verifier.case import Attempt, Request
from verifier.errors import Unsupported, VerifierError
from verifier.model import Budget, Claim, Draft, Hit, Outcome, Reason, Verdict
from verifier.pipeline import Pipeline
from verifier.policy import Policy

FRESH = Hit()
WORST_FIRST = (5, 4, 1, 3, 2, 0)
CODES = {Outcome.VERIFIED: 0, Outcome.REFUTED: 1, Outcome.UNDECIDED: 2, Outcome.CONFLICTING: 3}


@dataclass(frozen=True, slots=True)
class Order:
    """What to ask of every claim, and how many at once. `drafts` maps a function to the submitter's own draft."""

    policy: Policy
    budget: Budget
    drafts: Mapping[str, Draft]
    workers: int


@dataclass(frozen=True, slots=True)
class Record:
    """One decided claim. `error` is set when the claim could not be asked or a part of the tool failed.

    A store that failed leaves its error beside a verdict that stands. `incidents` name what the store quarantined;
    `attempts` are the drafts that were checked in this run.
    """

    item: Item
    verdict: Verdict
    seconds: float
    hit: Hit = FRESH
    receipt: bytes | None = None
    error: VerifierError | None = None
    incidents: tuple[str, ...] = ()
    attempts: tuple[Attempt, ...] = ()

    @property
    def exit_code(self) -> int:
        """The exit code of this claim alone."""
        return self.error.exit_code if self.error is not None else CODES[self.verdict.outcome]


def worst(codes: Sequence[int]) -> int:
    """The exit code of a run: the worst of its claims, in the order 5, 4, 1, 3, 2, 0."""
    return min(codes, key=WORST_FIRST.index, default=0)


async def decide(
    items: Sequence[Item], pipeline: Pipeline, order: Order, watch: Callable[[int, str | Record], None]
) -> AsyncGenerator[Record]:
    """The records of all items, in order. `watch(position, …)` is told each claim's stage, and its record when done.

    A claim that fails never stops the others. Cancelling stops everything and leaves no task behind.
    """
    gate = asyncio.Semaphore(order.workers)

    async def one(position: int, item: Item) -> Record:
        async with gate:
            watch(position, "started")
            record = await _decide(item, pipeline, order, lambda stage: watch(position, stage))
            watch(position, record)
            return record

    tasks = [asyncio.create_task(one(position, item)) for position, item in enumerate(items)]
    try:
        for task in tasks:
            yield await task
    finally:
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)


async def decide_all(items: Sequence[Item], pipeline: Pipeline, order: Order) -> list[Record]:
    """The same without progress, as a list."""
    async with aclosing(decide(items, pipeline, order, lambda _position, _stage: None)) as records:
        return [record async for record in records]


async def _decide(item: Item, pipeline: Pipeline, order: Order, watch: Callable[[str], None]) -> Record:
    start = perf_counter()
    if item.body is None:
        assert item.error is not None
        return _failed(item, item.error, start)
    try:
        claim = Claim(item.kind, item.body, item.name, item.origin)
        draft = order.drafts.get(str(item.body.get("function")))
        request = Request(claim, order.policy, order.budget, draft)
        result = await pipeline.verify(request, lambda stage, detail: watch(f"{stage} {detail}".strip()))
    except Unsupported as error:
        verdict = Verdict(Outcome.UNDECIDED, reason=Reason.UNSUPPORTED, detail=error.message, span=error.span)
        return Record(item, verdict, perf_counter() - start)
    except VerifierError as error:
        return _failed(item, error, start)
    except Exception as error:  # noqa: BLE001 - one claim's failure must not hide the other claims' verdicts
        last = traceback.extract_tb(error.__traceback__)[-1]
        what = f"{type(error).__name__}: {error} (in {last.name}, line {last.lineno})"
        return _failed(item, VerifierError("internal", what), start)
    return Record(
        item,
        result.verdict,
        perf_counter() - start,
        result.hit,
        result.receipt,
        result.store_error,
        result.incidents,
        result.attempts,
    )


def _failed(item: Item, error: VerifierError, start: float) -> Record:
    if error.code == "bad-draft" and error.place is None:  # the span, if any, lies in the draft's text
        error.place, error.span = "--draft", None
    error.place = error.place or item.origin.path
    verdict = Verdict(Outcome.UNDECIDED, reason=Reason.ERROR, detail=error.message, span=error.span)
    return Record(item, verdict, perf_counter() - start, error=error)
