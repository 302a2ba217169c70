"""Checks and verdicts as JSON, and back, strictly; scripts and evidence are left to the certificate and its claim."""

from __future__ import annotations

from dataclasses import replace

from verifier.errors import VerifierError
from verifier.fields import Fields
from verifier.model import (
    Certificate,
    Check,
    Counterexample,
    Grounds,
    Json,
    Level,
    Obligation,
    Outcome,
    Reason,
    Result,
    Span,
    Verdict,
)


def span_to_json(span: Span | None) -> Json:
    """`[line, column, end_line, end_column]`, or null."""
    return None if span is None else [span.line, span.column, span.end_line, span.end_column]


def span_from_json(value: object, place: str) -> Span | None:
    """The inverse; strict."""
    match value:
        case None:
            return None
        case [int(line), int(column), int(end_line), int(end_column)] if bool not in map(type, value):
            return Span(line, column, end_line, end_column)
        case _:
            raise VerifierError("bad-receipt", "must be [line, column, end line, end column] or null", place=place)


def level_to_json(level: Level | None) -> str | None:
    """`L0` … `L3`, or null."""
    return None if level is None else level.name


def level_from_json(value: object, place: str, code: str = "bad-receipt") -> Level | None:
    """The inverse; strict."""
    if value is None:
        return None
    if type(value) is not str or value not in Level.__members__:
        raise VerifierError(code, f"must be one of {', '.join(Level.__members__)}", place=place)
    return Level[value]


def check_to_json(check: Check) -> dict[str, Json]:
    """A check without its script and evidence: the script is regenerated, the evidence is the certificate's."""
    obligation = check.obligation
    return {
        "name": obligation.name,
        "role": obligation.role,
        "form": obligation.form,
        "obligation": obligation.digest,
        "span": span_to_json(obligation.span),
        "result": check.result.value,
        "level": check.level.name,
        "reason": None if check.reason is None else check.reason.value,
        "detail": check.detail,
    }


def check_from_json(value: object, place: str) -> Check:
    """The inverse, but for script (empty) and evidence (None); strict."""
    fields = Fields(value, place)
    name, role, form = fields.text("name"), fields.text("role"), fields.text("form")
    digest, span = fields.text("obligation"), span_from_json(fields.take("span"), f"{place}.span")
    level = level_from_json(fields.text("level"), f"{place}.level")
    assert level is not None
    check = Check(
        Obligation(name, role, form, "", digest, span),
        fields.named("result", Result),
        level,
        fields.named_or_none("reason", Reason),
        fields.text("detail"),
    )
    fields.close()
    return check


def counterexample_to_json(counterexample: Counterexample | None) -> Json:
    """`{"arguments", "observed", "pytest"}`, or null."""
    if counterexample is None:
        return None
    arguments: dict[str, Json] = dict(counterexample.arguments)
    return {"arguments": arguments, "observed": counterexample.observed, "pytest": counterexample.pytest}


def counterexample_from_json(value: object, place: str) -> Counterexample | None:
    """The inverse; strict."""
    if value is None:
        return None
    fields = Fields(value, place)
    arguments: dict[str, str] = {}
    for name, literal in fields.mapping("arguments").items():
        if type(literal) is not str:
            raise fields.error("must map names to Python literals as text", "arguments")
        arguments[name] = literal
    result = Counterexample(arguments, fields.text("observed"), fields.text("pytest"))
    fields.close()
    return result


def verdict_to_json(verdict: Verdict) -> dict[str, Json]:
    """A verdict without its certificate, which is named by its content address wherever a verdict is kept."""
    return {
        "outcome": verdict.outcome.value,
        "grounds": None if verdict.grounds is None else verdict.grounds.value,
        "level": level_to_json(verdict.level),
        "reason": None if verdict.reason is None else verdict.reason.value,
        "detail": verdict.detail,
        "drafter": verdict.drafter,
        "checks": [check_to_json(check) for check in verdict.checks],
        "counterexample": counterexample_to_json(verdict.counterexample),
        "span": span_to_json(verdict.span),
        "tried": list(verdict.tried),
    }


def verdict_from_json(value: object, place: str, certificate: Certificate | None) -> Verdict:
    """The inverse, with the certificate that the keeper of the verdict found; strict, and consistent in itself.

    `verified` and `refuted` need grounds, a level and a certificate; `undecided` needs a reason and has neither
    grounds nor level.
    """
    fields = Fields(value, place)
    verdict = Verdict(
        outcome=fields.named("outcome", Outcome),
        grounds=fields.named_or_none("grounds", Grounds),
        level=level_from_json(fields.take("level"), f"{place}.level"),
        reason=fields.named_or_none("reason", Reason),
        detail=fields.text("detail"),
        drafter=fields.text_or_none("drafter"),
        checks=tuple(
            check_from_json(item, f"{place}.checks[{index}]") for index, item in enumerate(fields.items("checks"))
        ),
        counterexample=counterexample_from_json(fields.take("counterexample"), f"{place}.counterexample"),
        span=span_from_json(fields.take("span"), f"{place}.span"),
        tried=fields.texts("tried"),
    )
    fields.close()
    decided = verdict.outcome in (Outcome.VERIFIED, Outcome.REFUTED)
    if decided and (verdict.grounds is None or verdict.level is None or certificate is None or verdict.reason):
        raise fields.error("a decided outcome needs grounds, a level and a certificate, and has no reason")
    if not decided and (verdict.reason is None or verdict.grounds is not None or verdict.level is not None):
        raise fields.error("an undecided outcome needs a reason and has neither grounds nor level")
    return replace(verdict, certificate=certificate)
