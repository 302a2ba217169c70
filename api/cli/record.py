"""One verdict as a JSON object, for programs: the same keys in every line, null where there is nothing to say."""

from __future__ import annotations

from collections.abc import Mapping

from api.decide import Record
from verifier.case import Attempt
from verifier.codec import annotations_to_json
from verifier.errors import VerifierError
from verifier.model import Counterexample, Json, Outcome, Result

SUBMITTED = "submitted"
"""The drafter's name under which the submitter's own draft is tried."""

FIELDS = (
    "claim", "kind", "outcome", "grounds", "level", "reason", "detail", "seconds", "cache", "counterexample",
    "annotations", "receipt", "path", "line", "error",
)  # fmt: skip
"""The keys of every line, in this order; the README explains each."""


PARTIAL = "partial correctness: that the function ends was not asked"
"""Said with every verdict that stands for less than total correctness."""


def to_json(record: Record, receipt: str | None) -> dict[str, Json | float]:
    """The object of one claim. `receipt` is the path of the receipt file that was written, if one was.

    `seconds` is wall time of this run and the only value that is not exact.
    """
    verdict = record.verdict
    notes = verdict.certificate.annotations if verdict.certificate is not None else {}
    values: tuple[Json | float, ...] = (
        record.item.name,
        record.item.kind,
        verdict.outcome.value,
        verdict.grounds.value if verdict.grounds is not None else None,
        verdict.level.name if verdict.level is not None else None,
        verdict.reason.value if verdict.reason is not None else None,
        detail(record),
        round(record.seconds, 3),
        {"rung": record.hit.rung, "rederived": record.hit.rederived},
        _counterexample(verdict.counterexample),
        annotations_to_json(notes) or None,
        receipt,
        record.item.origin.path,
        record.item.origin.line,
        _error(record.error),
    )
    return dict(zip(FIELDS, values, strict=True))


def detail(record: Record) -> str:
    """Why, in words, with the place in the file when there is one; empty for a plain proof.

    What the store took out of service on the way is named here too.
    """
    verdict = record.verdict
    text = verdict.detail
    if verdict.outcome is Outcome.REFUTED and not text and verdict.counterexample is not None:
        text = verdict.counterexample.observed
    elif verdict.span is not None and text and not text.startswith(record.item.origin.path):
        text = f"{record.item.origin.path}:{verdict.span.line}:{verdict.span.column}: {text}"
    partial = verdict.outcome is Outcome.VERIFIED and (record.item.body or {}).get("partial") is True
    parts = (PARTIAL if partial else "", text, _own_draft(record), *record.incidents)
    return "; ".join(part for part in parts if part)


def tells_more(record: Record) -> bool:
    """Whether `detail` says what the error beside the verdict does not say."""
    return record.error is None or bool(record.incidents) or record.verdict.detail != record.error.message


def failed(attempt: Attempt) -> str:
    """The first thing that did not pass for a draft, with its place; empty where all passed."""
    check = next((check for check in attempt.checks if check.result is not Result.PASS), None)
    if check is None:
        return ""
    span = check.obligation.span
    place = f" (line {span.line}, column {span.column})" if span is not None else ""
    why = check.detail or (check.reason.value if check.reason is not None else check.result.value)
    return f"{check.obligation.name}{place}: {why}"


def _own_draft(record: Record) -> str:
    """Why a proof does not rest on the submitter's draft, where there was one."""
    if record.verdict.outcome is not Outcome.VERIFIED or record.verdict.drafter == SUBMITTED:
        return ""
    own = [text for each in record.attempts if each.draft.drafter == SUBMITTED and (text := failed(each))]
    return f"proved without the draft of --draft, of which this failed: {own[-1]}" if own else ""


def call(arguments: Mapping[str, str]) -> str:
    """Arguments as they would stand in a call."""
    return ", ".join(f"{name}={literal}" for name, literal in arguments.items())


def _counterexample(found: Counterexample | None) -> Json:
    if found is None:
        return None
    return {"arguments": dict(found.arguments), "observed": found.observed, "pytest": found.pytest or None}


def _error(error: VerifierError | None) -> Json:
    if error is None:
        return None
    line, column = (error.span.line, error.span.column) if error.span is not None else (None, None)
    return {"code": error.code, "message": error.message, "line": line, "column": column, "hint": error.hint}
