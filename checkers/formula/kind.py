"""Claims about formulas: an SMT-LIB 2.6 script and whether it is `valid`, `satisfiable` or `unsatisfiable`. Trusted.

`valid`: the conjunction of the assertions holds in every interpretation (of the free constants and functions, too).
Unsatisfiability needs both solvers (L1). Satisfiability needs a model that the kernel evaluates (L3, no solver), or,
where the kernel cannot evaluate it, both solvers (L1, and the check says so).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import suppress
from functools import lru_cache
from typing import Any

from checkers.formula import canonical
from checkers.formula.carry import rename_model
from checkers.formula.decide import decide_satisfiable, decide_unsatisfiable
from checkers.formula.elaborate import Opaque
from checkers.formula.smtlib import Printed, Script, parse, print_script
from checkers.formula.terms import TooLarge
from checkers.kernel.evaluate import values_of
from checkers.smt.pool import Pool
from verifier.errors import VerifierError
from verifier.keys import obligation_digest
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
    Manifest,
    Obligation,
    Side,
)

QUESTIONS = ("valid", "satisfiable", "unsatisfiable")
_NAMES = {"solvers": "no interpretation satisfies the formula", "models": "an interpretation satisfies the formula"}
_NEGATED = {"solvers": "no interpretation falsifies the formula", "models": "an interpretation falsifies the formula"}


class FormulaKind:
    """`formula` claims: body `{"smtlib": text, "question": "valid" | "satisfiable" | "unsatisfiable"}`."""

    name = "formula"
    canon_version = 1

    def __init__(self, pool: Pool) -> None:
        self._pool = pool

    def parse(self, body: Mapping[str, Json]) -> Claim:
        """The claim. Raises VerifierError (`bad-claim`, or `bad-smtlib` with line and column)."""
        if extra := sorted(set(body) - {"smtlib", "question"}):
            raise VerifierError("bad-claim", f"a formula claim has no field {extra[0]!r}")
        text, question = body.get("smtlib"), body.get("question")
        if not isinstance(text, str):
            raise VerifierError("bad-claim", "a formula claim needs 'smtlib', a text")
        if question not in QUESTIONS:
            raise VerifierError("bad-claim", f"the question is one of {', '.join(QUESTIONS)}, not {question!r}")
        _script(text)
        return Claim(self.name, {"smtlib": text, "question": question}, f"{question} formula")

    def canonicalise(self, claim: Claim) -> Canonical:
        """The canonical text of the question and its assertions, and the renaming of its free constants."""
        return canonical.canonicalise(self.script(claim), self.question(claim))

    def read(self, claim: Claim) -> Manifest:
        """A formula depends on nothing but itself."""
        del claim
        return Manifest(())

    def script(self, claim: Claim) -> Script:
        """The script of a claim that has been parsed."""
        return _script(str(claim.body["smtlib"]))

    def question(self, claim: Claim) -> str:
        """What the claim asserts of its script."""
        return str(claim.body["question"])

    def printed(self, claim: Claim) -> Printed:
        """The text that both solvers and the kernel are asked about."""
        return print_script(self.script(claim), negate=self.question(claim) == "valid")

    def obligations(self, claim: Claim, side: Side, annotations: Annotations) -> tuple[Obligation, ...]:
        """One obligation: that the text has no model (form `solvers`), or that it has one (form `models`)."""
        if annotations:
            raise VerifierError("bad-draft", "a formula has no loops, so it takes no annotations")
        proof = side is Side.PROOF
        form = "models" if proof == (self.question(claim) == "satisfiable") else "solvers"
        name = (_NEGATED if self.question(claim) == "valid" else _NAMES)[form]
        script = self.printed(claim).text
        return (Obligation(name, "formula", form, script, obligation_digest(name, form, script)),)

    async def check(self, claim: Claim, obligation: Obligation, evidence: Evidence | None, budget: Budget) -> Check:
        """Decide the obligation. Raises VerifierError (`bad-smtlib`) where the solvers cannot read the script."""
        printed = self.printed(claim)
        if obligation.form == "models":
            return await decide_satisfiable(self._pool, obligation, printed, evidence, budget)
        return await decide_unsatisfiable(self._pool, obligation, printed, budget)

    async def admit(self, claim: Claim, side: Side, evidence: Sequence[Evidence], budget: Budget) -> Check | None:
        """Nothing runs: formulas have no second semantics to compare with."""
        del claim, side, evidence, budget
        return None

    def grounds(self, side: Side, evidence: Sequence[Evidence]) -> Grounds:
        """A refutation with a model is a counterexample; everything else is a proof."""
        shown = any(item.form == "model/1" for item in evidence)
        return Grounds.COUNTEREXAMPLE if side is Side.REFUTATION and shown else Grounds.PROOF

    def counterexample(self, claim: Claim, evidence: Sequence[Evidence]) -> Counterexample | None:
        """The model that refutes the claim, constant by constant. It needs no pytest case."""
        for item in evidence:
            data: Any = item.data
            if item.form == "model/1" and isinstance(data, dict) and isinstance(data.get("model"), str):
                arguments = values_of(self.printed(claim).text, data["model"])
                return Counterexample(arguments, f"the formula is not {self.question(claim)} under this model", "")
        return None

    def rename(self, annotations: Annotations, source: Canonical, target: Canonical) -> Annotations:
        """A formula has no annotations."""
        del source, target
        return annotations

    def carry(self, witness: Json, source: Canonical, target: Canonical) -> Json:
        """A model with the constants of a twin."""
        if not isinstance(witness, dict) or not isinstance(witness.get("model"), str):
            return witness
        return {**witness, "model": rename_model(str(witness["model"]), source.renaming, target.renaming)}


@lru_cache(maxsize=64)
def _script(text: str) -> Script:
    """The script, its scopes and known sorts checked. Parsed scripts are immutable, so they may be kept."""
    script = parse(text)
    with suppress(Opaque, TooLarge):  # what has no terms here is checked by the solvers alone
        canonical.elaborate(script)
    return script
