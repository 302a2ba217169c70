"""Draft and check: drafters propose in fixed order, every draft is checked at once, the first accepted one wins.

Failed drafts and what drafters leave on their trail are hints for those that follow (the repair step of the road). A
drafter that crashes is noted and passed over: it cannot decide anything, but a search that it left incomplete is never
reported as a plain lack of drafts.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace

from verifier.case import Attempt, Case, Progress
from verifier.codec import annotations_to_json
from verifier.decision import best, conclude, withheld
from verifier.derivation import examine, offer
from verifier.errors import Unsupported, VerifierError
from verifier.keys import canonical_json
from verifier.model import (
    Draft,
    Evidence,
    Json,
    Obligation,
    Outcome,
    Reason,
    Result,
    Side,
    Verdict,
)
from verifier.ports import Drafter, Trail

SPENT = "spent/1"
"""The mark (a form of evidence) on an `unknown` check whose deterministic units ran out. A kill never carries it."""

FINAL = (Reason.SOLVER_DISAGREEMENT, Reason.VACUOUS)
"""Reasons that end a search: no further draft may hide the first, and none can change the second."""


@dataclass(slots=True)
class Search:
    """The search for one case: what was tried, what failed and why, and the hints that have gathered."""

    case: Case
    progress: Progress
    attempts: list[Attempt] = field(default_factory=list)
    tried: list[str] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    failures: list[Verdict] = field(default_factory=list)
    hints: list[Draft] = field(default_factory=list)
    witness: Json = None
    _seen: set[bytes] = field(default_factory=set)

    async def run(self, drafters: Sequence[Drafter]) -> Verdict:
        """The first accepted draft's verdict, else `undecided` with the reason that says most."""
        own: tuple[Draft, ...] = ()
        if self.case.request.draft is not None:
            self.tried.append("submitted")
            own = (replace(self.case.request.draft, drafter="submitted"),)
            if (verdict := await self._check(own[0])) is not None:
                return self._finished(verdict)
        for drafter in drafters:
            self.progress("draft", drafter.name)
            self.tried.append(drafter.name)
            trail = await self._ask(drafter)
            self._gather(drafter.name, trail)
            # The submitter's draft comes again with a witness that has been found since; every other draft comes under
            # its drafter's own name, whatever was written there.
            for draft in (*own, *(replace(each, drafter=drafter.name) for each in trail.drafts)):
                if (verdict := await self._check(draft)) is not None:
                    return self._finished(verdict)
        return self._finished(self._undecided())

    def spent(self, verdict: Verdict) -> bool:
        """Whether an undecided verdict rests on deterministic units alone, so that an equal budget would end the same.

        A draft of the submitter's makes it another question, and one unmarked check (a kill) makes it a matter of time.
        """
        stopped = [check for attempt in self.attempts for check in attempt.checks if check.reason is Reason.BUDGET]
        marked = all(check.evidence is not None and check.evidence.form == SPENT for check in stopped)
        return verdict.reason is Reason.BUDGET and bool(stopped) and marked and self.case.request.draft is None

    async def _ask(self, drafter: Drafter) -> Trail:
        """A drafter's trail; a failure of its own leaves an empty one and a note."""
        try:
            return await drafter.draft(self.case.claim, self.case.request.budget, tuple(self.hints))
        except Unsupported:
            raise
        except Exception as error:  # noqa: BLE001  # drafters are untrusted: none may end the road
            if isinstance(error, VerifierError) and error.exit_code == 4:
                return Trail(notes=(error.message,))
            what = error.message if isinstance(error, VerifierError) else f"{type(error).__name__}: {error}"
            self.failures.append(_error(f"drafter {drafter.name} failed: {what}"))
            return Trail()

    def _gather(self, drafter: str, trail: Trail) -> None:
        """Keep what later drafters and the witness obligation may use."""
        self.notes += [f"{drafter}: {note}" for note in trail.notes]
        if (witness := trail.hints.get("witness")) is not None:
            self.witness = witness if self.witness is None else self.witness
            self.hints.append(Draft(drafter, Side.PROOF, witness=witness))

    async def _check(self, draft: Draft) -> Verdict | None:
        """The verdict of a draft that is accepted, or that settles why nothing can be; None to go on."""
        case = self.case
        if (obligations := self._obligations(draft)) is None:
            return None
        self.progress("check", f"{draft.drafter}: {len(obligations)} obligations")
        checks = await examine(case.kind, case.claim, obligations, self._evidence(draft), case.request.budget)
        self.attempts.append(Attempt(draft, checks))
        policy, side = case.request.policy, draft.side
        verdict = conclude(
            case.kind, case.claim, case.claim_key, policy, side, draft.annotations, checks, draft.drafter
        )
        if verdict is not None:
            return await self._cross_check(verdict)
        self.failures.append(withheld(checks, side))
        self.hints.append(draft)
        return self.failures[-1] if self.failures[-1].reason in FINAL else None

    def _obligations(self, draft: Draft) -> tuple[Obligation, ...] | None:
        """What has to be checked for a draft; None for one that was seen before or cannot be read.

        The submitter's own unreadable draft is an error of the submitter's (`bad-draft`).
        """
        try:
            shape = canonical_json([draft.side.value, annotations_to_json(draft.annotations), self._witness(draft)])
            if shape in self._seen:
                return None
            self._seen.add(shape)
            return self.case.kind.obligations(self.case.claim, draft.side, draft.annotations)
        except Unsupported:
            raise
        except VerifierError as error:
            if error.exit_code != 4 or draft.drafter == "submitted":
                raise
            self.notes.append(f"{draft.drafter}: {error.message}")
            return None

    def _evidence(self, draft: Draft) -> Callable[[Obligation], Evidence | None]:
        """What a draft offers for an obligation."""
        witness = self._witness(draft)
        return lambda obligation: offer(obligation, witness)

    def _witness(self, draft: Draft) -> Json:
        """A draft's own witness; a proof without one borrows what a drafter hinted at."""
        return self.witness if draft.side is Side.PROOF and draft.witness is None else draft.witness

    async def _cross_check(self, verdict: Verdict) -> Verdict:
        """The verdict after its kind's last look (real execution), which can only withhold it."""
        case, certificate = self.case, verdict.certificate
        assert certificate is not None
        self.progress("check", f"{verdict.drafter}: cross-check")
        check = await case.kind.admit(case.claim, certificate.side, certificate.evidence, case.request.budget)
        if check is None or check.result is Result.PASS:
            return verdict
        reason = Reason.BUDGET if check.result is Result.UNKNOWN and check.reason is Reason.BUDGET else Reason.ERROR
        detail = f"{verdict.outcome} withheld, {check.obligation.name}: {check.detail}"
        return replace(_error(detail), reason=reason, checks=(*verdict.checks, check), span=check.obligation.span)

    def _undecided(self) -> Verdict:
        """The reason that says most, or the lack of drafts with what the drafters said."""
        if self.failures:
            return best(self.failures)
        return Verdict(Outcome.UNDECIDED, reason=Reason.NO_DRAFT, detail="; ".join(self.notes))

    def _finished(self, verdict: Verdict) -> Verdict:
        """The verdict with the names of all drafters that were asked."""
        return replace(verdict, tried=tuple(self.tried))


def _error(detail: str) -> Verdict:
    """`undecided: error`."""
    return Verdict(Outcome.UNDECIDED, reason=Reason.ERROR, detail=detail)
