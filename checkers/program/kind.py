"""Claims about Python functions: `contract` (meets its contract) and `safety` (raises nothing unlisted, and ends).

Trusted. A proof is a set of goals that both solvers decide, plus a witness that the precondition can be met. A
refutation is an input that the reference interpreter replays. Before a fresh certificate is accepted, real CPython
has to agree with it in the sandbox (`admit`).
"""

from __future__ import annotations

import hashlib
import json
from collections import OrderedDict
from collections.abc import Mapping, Sequence

from checkers.lang import canonical
from checkers.lang.interp import Judgement, Returned, Value, judge
from checkers.lang.lower import Program, lower
from checkers.program.admission import admit_proof, admit_refutation
from checkers.program.arguments import literal, read_arguments, write_arguments
from checkers.program.goals import goals, precondition_script
from checkers.program.pytest_case import pytest_case
from checkers.program.recurrence import reaches, recurrence_goals
from checkers.sandbox import Sandbox
from checkers.smt.pool import Pool
from checkers.smt.verdict import decide
from verifier.codec import annotations_from_json, annotations_to_json
from verifier.errors import VerifierError
from verifier.keys import canonical_json, obligation_digest
from verifier.model import (
    Annotations,
    Budget,
    Canonical,
    Check,
    Claim,
    Counterexample,
    Evidence,
    Grounds,
    Json,
    Level,
    Manifest,
    Obligation,
    Reason,
    Result,
    Side,
)

_FIELDS = {"source": str, "function": str, "partial": bool}
_REMEMBERED = 256
RECURS = "recurs"
"""What evidence shows that rests on a recurrent set."""
REPLAY = 1_000_000
"""Interpreter steps for the replay of one witness or counterexample, whatever the budget."""


class ProgramKind:
    """`contract` or `safety` claims: body `{"source": text, "function": name, "partial": bool}`."""

    canon_version = 1

    def __init__(self, name: str, pool: Pool, sandbox: Sandbox | None) -> None:
        assert name in ("contract", "safety")
        self.name = name
        self._pool = pool
        self._sandbox = sandbox
        self._programs: OrderedDict[tuple[str, str], Program] = OrderedDict()

    # --- reading -----------------------------------------------------------------------------------------------

    def parse(self, body: Mapping[str, Json]) -> Claim:
        """The claim, with `partial` filled in. Raises VerifierError and Unsupported."""
        full = {"partial": False, **body}
        for key, kind in _FIELDS.items():
            if not isinstance(full.get(key), kind):
                raise VerifierError("bad-claim", f"a {self.name} claim needs {key!r} of type {kind.__name__}")
        if extra := sorted(set(full) - set(_FIELDS)):
            raise VerifierError("bad-claim", f"a {self.name} claim has no field {extra[0]!r}")
        claim = Claim(self.name, full, str(full["function"]))
        self.program(claim)
        return claim

    def program(self, claim: Claim) -> Program:
        """The lowered program of a claim."""
        key = (str(claim.body["source"]), str(claim.body["function"]))
        program = self._programs.get(key)
        if program is None:
            program = self._programs[key] = lower(*key, safety=self.name == "safety")
            if len(self._programs) > _REMEMBERED:
                self._programs.popitem(last=False)
        return program

    def canonicalise(self, claim: Claim) -> Canonical:
        """The canonical text of the function, its contract and all that it calls."""
        return canonical.canonicalise(
            self.program(claim).function, safety=self.name == "safety", partial=self._partial(claim)
        )

    def read(self, claim: Claim) -> Manifest:
        """Every name that was looked up in the module, with the digest of what was found."""
        reads = self.program(claim).reads
        return Manifest(
            tuple(sorted((resolver, name, None if text is None else _digest(text)) for resolver, name, text in reads))
        )

    def rename(self, annotations: Annotations, source: Canonical, target: Canonical) -> Annotations:
        """Annotations of a twin."""
        return canonical.rename_annotations(annotations, source, target)

    def carry(self, witness: Json, source: Canonical, target: Canonical) -> Json:
        """A twin's witness: arguments travel by position, so they hold no names."""
        del source, target
        return witness

    # --- obligations -------------------------------------------------------------------------------------------

    def obligations(self, claim: Claim, side: Side, annotations: Annotations) -> tuple[Obligation, ...]:
        """All goals and the witness; or the one violation that a refutation has to show."""
        program = self.program(claim)
        if side is Side.REFUTATION:
            if not annotations:
                return (_VIOLATION,)
            return (_reaching(annotations), *recurrence_goals(program, annotations))
        return (_WITNESS, *goals(program, annotations, partial=self._partial(claim)))

    async def check(self, claim: Claim, obligation: Obligation, evidence: Evidence | None, budget: Budget) -> Check:
        """Both solvers on a goal; the reference interpreter on an input."""
        if obligation.form == "solvers":
            return await decide(self._pool, obligation, budget)
        judgement, arguments = self._judge(claim, obligation, evidence)
        if obligation.role == "violation":
            return self._violation(claim, obligation, judgement, arguments)
        if judgement.status == "holds" and isinstance(judgement.outcome, Returned):
            return self._replayed(claim, obligation, arguments, judgement)
        return await self._no_witness(claim, obligation, judgement, budget)

    def _partial(self, claim: Claim) -> bool:
        return claim.body["partial"] is True

    def _judge(
        self, claim: Claim, obligation: Obligation, evidence: Evidence | None
    ) -> tuple[Judgement, tuple[Value, ...]]:
        program = self.program(claim)
        arguments = None if evidence is None else read_arguments(program.function, evidence.data)
        if arguments is None:
            return Judgement("invalid", "no input was found"), ()
        if obligation.script:
            if self._partial(claim):
                return Judgement("unknown", "the claim is partial"), arguments
            region = annotations_from_json(json.loads(obligation.script), "annotations")
            return reaches(program, region, arguments, steps=REPLAY), arguments
        return judge(program.function, arguments, steps=REPLAY, partial=self._partial(claim)), arguments

    def _replayed(
        self, claim: Claim, obligation: Obligation, arguments: tuple[Value, ...], judgement: Judgement
    ) -> Check:
        data = write_arguments(self.program(claim).function, arguments)
        assert isinstance(data, dict)
        shows = RECURS if obligation.script else judgement.status
        data = {**data, "shows": shows, "observed": judgement.detail}
        evidence = Evidence(obligation.digest, "replay/1", data)
        return Check(obligation, Result.PASS, Level.L3, None, judgement.detail, evidence)

    def _violation(
        self, claim: Claim, obligation: Obligation, judgement: Judgement, arguments: tuple[Value, ...]
    ) -> Check:
        if judgement.status in ("violates", "diverges"):
            return self._replayed(claim, obligation, arguments, judgement)
        if judgement.status == "unknown":
            return Check(obligation, Result.UNKNOWN, Level.L3, Reason.BUDGET, judgement.detail)
        return Check(obligation, Result.FAIL, Level.L3, Reason.NOT_REFUTED, judgement.detail)

    async def _no_witness(self, claim: Claim, obligation: Obligation, judgement: Judgement, budget: Budget) -> Check:
        if judgement.status in ("violates", "diverges", "ill_defined"):
            return Check(obligation, Result.FAIL, Level.L3, Reason.NOT_CHECKABLE, judgement.detail)
        program = self.program(claim)
        if program.function.contract.requires:
            script = precondition_script(program.function)
            digest = obligation_digest("vacuity", "solvers", script)
            vacuity = await decide(self._pool, Obligation("vacuity", "witness", "solvers", script, digest), budget)
            if vacuity.result is Result.PASS:
                detail = "no input can satisfy the precondition, so the promise is empty"
                return Check(obligation, Result.FAIL, Level.L1, Reason.VACUOUS, detail)
        detail = "no input was found that satisfies the precondition and returns normally"
        return Check(obligation, Result.UNKNOWN, Level.L3, Reason.NO_WITNESS, detail)

    # --- admission and results ---------------------------------------------------------------------------------

    async def admit(
        self,
        claim: Claim,
        side: Side,
        evidence: Sequence[Evidence],
        budget: Budget,  # noqa: ARG002 - the port
    ) -> Check | None:
        """Real CPython, in the sandbox, must agree."""
        program = self.program(claim)
        if side is Side.REFUTATION:
            arguments = read_arguments(program.function, evidence[0].data)
            assert arguments is not None, "the evidence has just been accepted"
            judgement = self._shown(claim, evidence, arguments)
            return await admit_refutation(program, arguments, judgement, self._sandbox)
        return await admit_proof(program, self._sandbox, partial=self._partial(claim))

    def _shown(self, claim: Claim, evidence: Sequence[Evidence], arguments: tuple[Value, ...]) -> Judgement:
        """What accepted evidence shows: a judgement of the interpreter, or a recurrent set that an input reaches."""
        data = evidence[0].data
        if isinstance(data, dict) and data["shows"] == RECURS:
            return Judgement("diverges", str(data["observed"]))
        return judge(self.program(claim).function, arguments, steps=REPLAY, partial=self._partial(claim))

    def grounds(self, side: Side, evidence: Sequence[Evidence]) -> Grounds:
        """`nontermination` where the replayed input never ends."""
        if side is Side.PROOF:
            return Grounds.PROOF
        endless = ("diverges", RECURS)
        diverges = any(isinstance(item.data, dict) and item.data.get("shows") in endless for item in evidence)
        return Grounds.NONTERMINATION if diverges else Grounds.COUNTEREXAMPLE

    def counterexample(self, claim: Claim, evidence: Sequence[Evidence]) -> Counterexample | None:
        """The input that breaks the claim, with a pytest case."""
        program = self.program(claim)
        arguments = read_arguments(program.function, evidence[0].data) if evidence else None
        if arguments is None:
            return None
        judgement = self._shown(claim, evidence, arguments)
        path = claim.origin.path if claim.origin is not None else "claim.py"
        texts = {param.name: literal(value) for param, value in zip(program.function.params, arguments, strict=True)}
        return Counterexample(texts, judgement.detail, pytest_case(program, arguments, judgement, path))


def _replay(name: str, role: str) -> Obligation:
    return Obligation(name, role, "replay", "", obligation_digest(name, "replay", ""))


_WITNESS = _replay("some input satisfies the precondition and returns", "witness")
_VIOLATION = _replay("an input breaks the claim", "violation")


def _reaching(annotations: Annotations) -> Obligation:
    """The input comes into the recurrent set that these annotations describe."""
    name, script = "an input comes into the recurrent set", canonical_json(annotations_to_json(annotations)).decode()
    return Obligation(name, "violation", "replay", script, obligation_digest(name, "replay", script))


def _digest(text: str) -> str:
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()
