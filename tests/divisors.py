"""A small but real kind of claim, for tests of the road: "the number `n` has a divisor other than 1 and itself".

A proof names a divisor (replayed), and may annotate the loop `VARIABLE.0` with facts `VARIABLE % d == 0`, each an
obligation decided by division. A refutation is decided by trial division, which spends budget. Twins differ in the
name of their variable.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from verifier.errors import Unsupported, VerifierError
from verifier.keys import obligation_digest
from verifier.model import (
    Annotations,
    Budget,
    Canonical,
    Check,
    Claim,
    Counterexample,
    Draft,
    Evidence,
    Grounds,
    Json,
    Level,
    LoopNotes,
    Manifest,
    Obligation,
    Reason,
    Result,
    Side,
    Span,
)
from verifier.ports import Trail

PER_UNIT = 1_000
"""Trial divisions in one unit of budget."""


def claim(n: int, variable: str = "x") -> Claim:
    """The claim that `n` is composite."""
    return Claim("divisor", {"n": str(n), "variable": variable}, f"{n} is composite")


def factor(variable: str, value: int, notes: Sequence[int] = (), drafter: str = "factors") -> Draft:
    """A proof: a divisor, and divisors of the annotated variable's number."""
    loops = {f"{variable}.0": LoopNotes(tuple(f"{variable} % {note} == 0" for note in notes))} if notes else {}
    return Draft(drafter, Side.PROOF, loops, {variable: str(value)})


PRIME = Draft("prime", Side.REFUTATION)


@dataclass
class DivisorKind:
    """The kind. `calls` names every obligation that was checked; `mark` says whether a spent budget is marked so."""

    name: str = "divisor"
    canon_version: int = 1
    mark: bool = True
    reads: tuple[tuple[str, str, str | None], ...] = ()
    admission: Result = Result.PASS
    calls: list[str] = field(default_factory=list)

    def parse(self, body: Mapping[str, Json]) -> Claim:
        match dict(body):
            case {"n": str(n), "variable": str(variable), **rest} if not rest and variable.isidentifier():
                if n.startswith("-"):
                    raise Unsupported("negative numbers", Span(1, 1, 1, len(n) + 1))
                if n.isdigit():
                    return Claim(self.name, {"n": n, "variable": variable}, f"{n} is composite")
        raise VerifierError("bad-claim", "needs a number and a variable")

    def canonicalise(self, claim: Claim) -> Canonical:
        return Canonical(f"(composite {_n(claim)})", {_variable(claim): "v0"})

    def read(self, claim: Claim) -> Manifest:
        return Manifest(tuple(sorted(self.reads, key=lambda entry: entry[:2])))

    def obligations(self, claim: Claim, side: Side, annotations: Annotations) -> tuple[Obligation, ...]:
        variable, n = _variable(claim), _n(claim)
        if side is Side.REFUTATION:
            return (_obligation("prime", "violation", "solvers", str(n)),)
        found = [_obligation(f"{variable} divides", "witness", "replay", f"{variable} | {n}")]
        for path, notes in annotations.items():
            if path != f"{variable}.0":
                raise VerifierError("bad-draft", f"there is no loop {path}")
            for text in notes.invariants:
                if not text.startswith(f"{variable} % ") or not text.endswith(" == 0"):
                    raise VerifierError("bad-draft", f"cannot read {text!r}")
                found.append(_obligation(text, "preservation", "solvers", f"{n} % {text.split()[2]}"))
        return tuple(found)

    async def check(self, claim: Claim, obligation: Obligation, evidence: Evidence | None, budget: Budget) -> Check:
        self.calls.append(obligation.name)
        n = _n(claim)
        if obligation.role == "violation":
            if n > budget.units * PER_UNIT:
                spent = Evidence(obligation.digest, "spent/1", None) if self.mark else None
                return Check(obligation, Result.UNKNOWN, Level.L0, Reason.BUDGET, "too large", spent)
            if any(n % divisor == 0 for divisor in range(2, n)):
                return Check(obligation, Result.FAIL, Level.L0, None, "it has a divisor")
            return _passed(obligation, Level.L1, "solvers/1", None)
        if obligation.role == "preservation":
            divides = n % int(obligation.script.split()[2]) == 0
            reason = Reason.NOT_INDUCTIVE
            return (
                _passed(obligation, Level.L1, "solvers/1", None)
                if divides
                else Check(obligation, Result.FAIL, Level.L0, reason, "does not divide")
            )
        match evidence.data if evidence is not None and evidence.form == "replay/1" else None:
            case {**values} if type(text := values.get(_variable(claim))) is str and text.isdigit():
                if 1 < int(text) < n and n % int(text) == 0:
                    return _passed(obligation, Level.L3, "replay/1", {_variable(claim): text})
                return Check(obligation, Result.FAIL, Level.L0, Reason.NO_WITNESS, f"{text} is no divisor")
        return Check(obligation, Result.UNKNOWN, Level.L0, Reason.NO_WITNESS, "no divisor was given")

    async def admit(self, claim: Claim, side: Side, evidence: Sequence[Evidence], budget: Budget) -> Check | None:
        obligation = _obligation("again", "admission", "replay", "")
        return Check(obligation, self.admission, Level.L3, None, "seen to be otherwise")

    def grounds(self, side: Side, evidence: Sequence[Evidence]) -> Grounds:
        return Grounds.PROOF if side is Side.PROOF else Grounds.COUNTEREXAMPLE

    def counterexample(self, claim: Claim, evidence: Sequence[Evidence]) -> Counterexample | None:
        return Counterexample({"n": str(_n(claim))}, "it is prime", f"assert is_prime({_n(claim)})")

    def rename(self, annotations: Annotations, source: Canonical, target: Canonical) -> Annotations:
        (old,), (new,) = source.renaming, target.renaming
        return {
            f"{new}.0": LoopNotes(tuple(text.replace(f"{old} %", f"{new} %") for text in notes.invariants))
            for notes in annotations.values()
        }

    def carry(self, witness: Json, source: Canonical, target: Canonical) -> Json:
        (old,), (new,) = source.renaming, target.renaming
        return (
            {new if key == old else key: value for key, value in witness.items()}
            if isinstance(witness, dict)
            else witness
        )


@dataclass
class Scripted:
    """A drafter that proposes what it was given, and records the hints that it saw."""

    name: str
    drafts: tuple[Draft, ...] = ()
    hints: Mapping[str, Json] = field(default_factory=dict)
    notes: tuple[str, ...] = ()
    failure: Exception | None = None
    seen: list[Draft] = field(default_factory=list)
    asked: int = 0

    async def draft(self, claim: Claim, budget: Budget, hints: Sequence[Draft]) -> Trail:
        self.asked += 1
        self.seen = list(hints)
        if self.failure is not None:
            raise self.failure
        return Trail(self.drafts, self.notes, self.hints)


def _n(claim: Claim) -> int:
    return int(str(claim.body["n"]))


def _variable(claim: Claim) -> str:
    return str(claim.body["variable"])


def _obligation(name: str, role: str, form: str, script: str) -> Obligation:
    return Obligation(name, role, form, script, obligation_digest(name, form, script), Span(1, 1, 1, 2))


def _passed(obligation: Obligation, level: Level, form: str, data: Json) -> Check:
    return Check(obligation, Result.PASS, level, None, "", Evidence(obligation.digest, form, data))
