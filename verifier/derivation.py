"""Checking: obligations are regenerated from the claim every time, and each of them is decided by its kind.

`examine` is what drafts go through. `derive` is what a certificate goes through when a verdict is derived again: its
evidence must cover exactly the regenerated obligations. Both stop at the first obligation, in order, that does not
pass, and keep what was said until there; so equal questions leave equal traces, whatever ran at the same time.
"""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import replace
from enum import StrEnum

from verifier.errors import Unsupported, VerifierError
from verifier.keys import obligation_digest
from verifier.model import (
    Budget,
    Certificate,
    Check,
    Claim,
    Evidence,
    Json,
    Level,
    Obligation,
    Reason,
    Result,
)
from verifier.ports import Kind

FORMS = {"solvers": "solvers/1", "replay": "replay/1", "models": "model/1"}
"""The evidence form that is offered for each form of obligation."""

KNOWN_FORMS = frozenset(FORMS.values())
"""Evidence of any other form is unknown here: never a pass."""

CONCURRENT = 4
"""Obligations of one draft that are checked at the same time."""


class Standing(StrEnum):
    """What the checks of a whole derivation say together."""

    HOLDS = "holds"
    OTHERWISE = "otherwise"
    NOT_HERE = "not here"


def standing(checks: Sequence[Check]) -> Standing:
    """`holds` iff there is at least one check and all passed.

    `not here` where the first check that did not pass ran out of budget, lacks a solver, failed itself, or met evidence
    of an unknown form: nothing was shown against the certificate. Everything else is `otherwise`.
    """
    if checks and all(check.result is Result.PASS for check in checks):
        return Standing.HOLDS
    first = next((check for check in checks if check.result is not Result.PASS), None)
    here = (None, Reason.BUDGET, Reason.ERROR, Reason.NOT_CHECKABLE)
    if first is not None and first.result is Result.UNKNOWN and first.reason in here:
        return Standing.NOT_HERE
    return Standing.OTHERWISE


def level_of(checks: Sequence[Check]) -> Level:
    """The level of a verdict: the minimum over its obligations, L0 where there are none."""
    return min((check.level for check in checks), default=Level.L0)


def offer(obligation: Obligation, data: Json) -> Evidence | None:
    """Untrusted data as evidence for one obligation; None where the form takes no data."""
    form = FORMS.get(obligation.form)
    return (
        None
        if form is None or obligation.form == "solvers" or data is None
        else Evidence(obligation.digest, form, data)
    )


async def examine(
    kind: Kind,
    claim: Claim,
    obligations: Sequence[Obligation],
    evidence: Callable[[Obligation], Evidence | None],
    budget: Budget,
) -> tuple[Check, ...]:
    """Check obligations in order until one does not pass; a few at a time, with the same result as one by one.

    Zero obligations give a failed check: nothing was argued. Raises what the kind raises on purpose (VerifierError);
    a crash of a check becomes an `unknown` with reason `error`.
    """
    if not obligations:
        return (_coverage(Result.FAIL, "there is nothing to check"),)
    room = asyncio.Semaphore(CONCURRENT)

    async def one(obligation: Obligation) -> Check:
        async with room:
            return await _check(kind, claim, obligation, evidence(obligation), budget)

    tasks = [asyncio.ensure_future(one(obligation)) for obligation in obligations]
    checks: list[Check] = []
    try:
        for task in tasks:
            checks.append(await task)
            if checks[-1].result is not Result.PASS:
                break
    finally:
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
    return tuple(checks)


async def derive(kind: Kind, claim: Claim, certificate: Certificate, budget: Budget) -> tuple[Check, ...]:
    """Derive a certificate's verdict again: all obligations regenerated, all checked, evidence for exactly those.

    A failed check with role `evidence` says that annotations cannot be read for this claim, or what is missing, extra
    or double. Raises VerifierError where a part of the service is missing (`solver-unavailable`).
    """
    try:
        obligations = kind.obligations(claim, certificate.side, certificate.annotations)
    except Unsupported:
        raise
    except VerifierError as error:
        if error.exit_code != 4:
            raise
        return (_coverage(Result.FAIL, f"the annotations do not fit the claim: {error.message}"),)
    if (gap := _gap(obligations, certificate.evidence)) is not None:
        return (gap,)
    held = {item.obligation: item for item in certificate.evidence}
    return await examine(kind, claim, obligations, lambda obligation: held[obligation.digest], budget)


def _gap(obligations: Sequence[Obligation], evidence: Sequence[Evidence]) -> Check | None:
    """What keeps the evidence from covering exactly the obligations, or None."""
    names = {obligation.digest: obligation.name for obligation in obligations}
    held = Counter(item.obligation for item in evidence)
    if missing := [name for key, name in names.items() if key not in held]:
        return _coverage(Result.FAIL, f"no evidence for: {', '.join(missing)}")
    if extra := [key for key in held if key not in names]:
        return _coverage(Result.FAIL, f"evidence for obligations that do not exist: {', '.join(extra)}")
    if double := [names[key] for key, count in held.items() if count > 1]:
        return _coverage(Result.FAIL, f"more than one piece of evidence for: {', '.join(double)}")
    if unknown := sorted({item.form for item in evidence} - KNOWN_FORMS):
        return _coverage(Result.UNKNOWN, f"evidence of a form that is not known here: {', '.join(unknown)}")
    return None


def _coverage(result: Result, detail: str) -> Check:
    """A check about the evidence as a whole."""
    obligation = Obligation("evidence", "evidence", "coverage", "", obligation_digest("evidence", "coverage", ""))
    return Check(obligation, result, Level.L0, None if result is Result.FAIL else Reason.NOT_CHECKABLE, detail)


async def _check(kind: Kind, claim: Claim, obligation: Obligation, evidence: Evidence | None, budget: Budget) -> Check:
    """One check; a pass must name the obligation that was asked for and carry evidence for it."""
    try:
        check = await kind.check(claim, obligation, evidence, budget)
    except VerifierError:
        raise
    except Exception as error:  # noqa: BLE001  # a crash is an `error`, never a pass and never the end of the others
        return Check(obligation, Result.UNKNOWN, Level.L0, Reason.ERROR, f"{type(error).__name__}: {error}")
    passed = check.result is Result.PASS
    bound = check.evidence is not None and check.evidence.obligation == obligation.digest
    if check.obligation != obligation or (passed and not bound):
        detail = "the check answered another question or passed without evidence"
        return Check(obligation, Result.UNKNOWN, Level.L0, Reason.ERROR, detail)
    return replace(check, reason=None) if passed else check
