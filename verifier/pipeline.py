"""The one road from claim to verdict: admit -> look up -> draft -> check -> (repair) -> decide -> record -> receipt.

Only here, and only from checks that passed under the request's policy, does an outcome other than `undecided` come
into being. Nothing on the road reads a clock: the time in a receipt is the caller's.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Literal

from verifier import __version__
from verifier.case import Case, Progress, Request, Result, open_case, silent
from verifier.errors import Unsupported, VerifierError
from verifier.keys import sha256
from verifier.lookup import Found, canonical, compare, replay, write_record
from verifier.model import Hit, Json, Outcome, Reason, Verdict
from verifier.ports import CertificateStore, Drafter, Kind
from verifier.receipt.build import build, encode, receipt_id
from verifier.receipt.statement import Receipt
from verifier.search import Search
from verifier.shelf import Mode, Shelf

__all__ = ["Pipeline", "Request", "Result"]


@dataclass(frozen=True, slots=True)
class Pipeline:
    """The road, with its parts put in.

    `kinds` are the registered kinds by name; `drafters` are tried in order, by kind. `fingerprint` is the checker
    build. `scope` is the tenant. `rederive`: `changed` lets an identical request replay its record, `always` derives
    every verdict again. `search` is a digest of what drafts are made with; a spent budget is remembered under it.
    `clock` gives the time that receipts state (RFC 3339, UTC), and may be absent.
    """

    kinds: Mapping[str, Kind]
    drafters: Mapping[str, Sequence[Drafter]]
    store: CertificateStore | None
    fingerprint: str
    mode: Mode | str = Mode.READ_WRITE
    scope: str = "local"
    rederive: Literal["changed", "always"] = "changed"
    search: str = ""
    clock: Callable[[], str] | None = field(default=None, compare=False)

    async def verify(self, request: Request, progress: Progress = silent) -> Result:
        """Walk the road once. Raises VerifierError for bad input, `cache-miss`, and missing parts of the service."""
        kind = self.kind(request.claim.kind)
        shelf = Shelf(self.store, self.scope, Mode(self.mode))
        case: Case | None = None
        search: Search | None = None
        try:
            progress("admit", request.claim.name)
            case = open_case(request, kind, self.fingerprint, self.scope)
            found = await self._look_up(case, shelf, progress)
            if found is None:
                search = Search(case, progress)
                found = Found(await search.run(self.drafters.get(kind.name, ())), Hit())
            progress("decide", found.verdict.outcome)
            await self._record(case, shelf, found, search, progress)
        except Unsupported as error:
            found = Found(_unsupported(error), Hit())
        receipt = self._receipt(request, kind, case, found)
        return Result(
            claim=request.claim if case is None else case.claim,
            verdict=found.verdict,
            hit=found.hit,
            receipt=encode(receipt),
            receipt_id=receipt_id(receipt),
            claim_key=None if case is None else case.claim_key,
            attempts=() if search is None else tuple(search.attempts),
            incidents=tuple(shelf.incidents),
            store_error=shelf.error,
        )

    def kind(self, name: str) -> Kind:
        """A registered kind. Raises VerifierError (`unknown-kind`), listing those that are known."""
        if name not in self.kinds:
            known = ", ".join(sorted(self.kinds))
            raise VerifierError("unknown-kind", f"{name!r} is not a registered kind of claim; known: {known}")
        return self.kinds[name]

    async def _look_up(self, case: Case, shelf: Shelf, progress: Progress) -> Found | None:
        """The first rung that answers, if the mode and the settings let it."""
        if self.store is None or shelf.mode is Mode.OFF:
            return None
        progress("look up", case.claim_key[:12])
        believed = self.rederive == "changed" and shelf.mode is not Mode.AUDIT
        found = await replay(case, shelf, self.fingerprint, self.search) if believed else None
        if found is None:
            found = await canonical(case, shelf)
        if shelf.mode is Mode.AUDIT:
            await compare(case, shelf, found)
        if found is None and shelf.mode is Mode.READ_ENFORCING:
            if shelf.error is not None:
                raise shelf.error
            raise VerifierError("cache-miss", f"no stored certificate answers {case.claim.name}")
        return found

    async def _record(self, case: Case, shelf: Shelf, found: Found, search: Search | None, progress: Progress) -> None:
        """Keep the certificate and the record of what was decided, or of a budget that was spent; never anything else.

        A kill, an error, a disagreement of solvers and every other reason of `undecided` leave nothing behind.
        """
        verdict = found.verdict
        kept = verdict.certificate is not None or (search is not None and search.spent(verdict))
        if found.hit.rung == "replay" or not kept or not shelf.writable:
            return
        progress("record", case.request_key[:12])
        if verdict.certificate is not None:
            await shelf.put(verdict.certificate, case.canonical.renaming)
        await shelf.remember(case.request_key, write_record(case, verdict, self.fingerprint, self.search))

    def _receipt(self, request: Request, kind: Kind, case: Case | None, found: Found) -> dict[str, Json]:
        """The receipt of a verdict; for a claim that was not admitted, without its canonical form.

        Where the claim was found is no part of it, so the counterexample is worded without that.
        """
        claim, verdict = request.claim if case is None else case.claim, found.verdict
        if verdict.counterexample is not None and verdict.certificate is not None:
            bare = replace(claim, origin=None)
            verdict = replace(verdict, counterexample=kind.counterexample(bare, verdict.certificate.evidence))
        return build(
            Receipt(
                kind=kind.name,
                name=claim.name,
                body=claim.body,
                claim_key=None if case is None else case.claim_key,
                canonical=None if case is None else sha256(case.canonical.text.encode("utf-8")),
                canon_version=kind.canon_version,
                policy=request.policy,
                budget=request.budget,
                manifest=None if case is None else case.manifest,
                verdict=verdict,
                hit=found.hit,
                fingerprint=self.fingerprint,
                version=__version__,
                time=None if self.clock is None else self.clock(),
            )
        )


def _unsupported(error: Unsupported) -> Verdict:
    """`undecided: unsupported`, naming the construct and its place."""
    return Verdict(Outcome.UNDECIDED, reason=Reason.UNSUPPORTED, detail=error.construct, span=error.span)
