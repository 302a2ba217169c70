"""Decide: the one place where passed checks become `verified` or `refuted`, and failed ones a reason."""

from __future__ import annotations

from collections.abc import Sequence

from verifier.derivation import level_of
from verifier.model import (
    Annotations,
    Certificate,
    Check,
    Claim,
    Outcome,
    Reason,
    Result,
    Side,
    Verdict,
)
from verifier.policy import Policy
from verifier.ports import Kind

PRECEDENCE = (
    Reason.SOLVER_DISAGREEMENT,  # an incident: it must not hide behind anything
    Reason.ERROR,  # a part of the service failed: the search was not complete
    Reason.VACUOUS,  # settled: nobody can satisfy the precondition
    Reason.NOT_ENOUGH_EVIDENCE,  # everything passed, but the policy asks for more
    Reason.NO_WITNESS,  # only an input that satisfies the precondition is missing
    Reason.NOT_INDUCTIVE,  # a goal has a model: other annotations may do
    Reason.BUDGET,  # a larger budget may do
    Reason.NOT_CHECKABLE,
    Reason.NO_DRAFT,  # nobody proposed a proof that could be checked
    Reason.NOT_REFUTED,  # a proposed counterexample was none: says least
)
"""Which reason of several an undecided verdict gives."""


def conclude(
    kind: Kind,
    claim: Claim,
    claim_key: str,
    policy: Policy,
    side: Side,
    annotations: Annotations,
    checks: Sequence[Check],
    drafter: str | None,
) -> Verdict | None:
    """The verdict that passed checks give under a policy, with its certificate; None where the policy asks for more.

    A policy that names checks of a proof does not withhold a counterexample; its levels do, and so does the floor.
    """
    level = level_of(checks)
    accepted = policy.satisfied(checks, level) if side is Side.PROOF else policy.tolerates(checks, level)
    evidence = tuple(check.evidence for check in checks if check.evidence is not None)
    if not accepted or len(evidence) != len(checks):
        return None
    refuted = side is Side.REFUTATION
    return Verdict(
        outcome=Outcome.REFUTED if refuted else Outcome.VERIFIED,
        grounds=kind.grounds(side, evidence),
        level=level,
        drafter=drafter,
        checks=tuple(checks),
        certificate=Certificate(kind.name, claim_key, side, dict(annotations), evidence),
        counterexample=kind.counterexample(claim, evidence) if refuted else None,
    )


_SPEAK = (Reason.VACUOUS, Reason.NO_WITNESS, Reason.NOT_CHECKABLE)
"""Reasons for which what a witness check says needs no name of the check before it."""


def withheld(checks: Sequence[Check], side: Side) -> Verdict:
    """The undecided verdict of one draft whose checks did not all pass, or whose level the policy does not accept."""
    failed = next((check for check in checks if check.result is not Result.PASS), None)
    if failed is None:
        detail = f"all checks passed, at level {level_of(checks).name}; the policy asks for more"
        return Verdict(Outcome.UNDECIDED, reason=Reason.NOT_ENOUGH_EVIDENCE, detail=detail, checks=tuple(checks))
    speaks = failed.obligation.role == "witness" and failed.reason in _SPEAK
    name = "" if speaks and failed.detail else failed.obligation.name
    detail = ": ".join(part for part in (name, failed.detail) if part)
    return Verdict(
        Outcome.UNDECIDED,
        reason=_reason(failed, side),
        detail=detail,
        checks=tuple(checks),
        span=failed.obligation.span,
    )


def best(verdicts: Sequence[Verdict]) -> Verdict:
    """Of several undecided verdicts the one whose reason comes first in `PRECEDENCE`; of equal ones the first."""
    return min(verdicts, key=lambda verdict: _rank(verdict.reason))


def _reason(failed: Check, side: Side) -> Reason:
    """Why a check that did not pass leaves its claim undecided."""
    if side is Side.REFUTATION and failed.result is Result.FAIL and failed.reason is not Reason.SOLVER_DISAGREEMENT:
        return Reason.NOT_REFUTED
    if failed.reason is not None:
        return failed.reason
    return Reason.NOT_INDUCTIVE if failed.result is Result.FAIL else Reason.ERROR


def _rank(reason: Reason | None) -> int:
    """The place of a reason in `PRECEDENCE`; reasons that are not listed come last."""
    return PRECEDENCE.index(reason) if reason in PRECEDENCE else len(PRECEDENCE)
