"""The drafter of formula claims: asks Z3, then cvc5, which side to argue for. Untrusted."""

from __future__ import annotations

from collections.abc import Sequence

from checkers.formula.kind import FormulaKind
from checkers.smt.pool import Pool
from verifier.model import Budget, Claim, Draft, Json, Side
from verifier.ports import Trail


class SolverModel:
    """`solver-model`: proposes a solver's model, or the side that needs none.

    Without an answer it proposes the claim itself, so that the check tells why nothing was found.
    """

    name = "solver-model"

    def __init__(self, kind: FormulaKind, pool: Pool) -> None:
        self._kind = kind
        self._pool = pool

    async def draft(self, claim: Claim, budget: Budget, hints: Sequence[Draft]) -> Trail:
        """One draft; the models that were proposed before are not looked at."""
        del hints
        script = self._kind.printed(claim).text
        notes: list[str] = []
        for solver in ("z3", "cvc5"):
            answer = await self._pool.ask(
                solver, script, resources=budget.resources, seconds=budget.seconds, model=True
            )
            if answer.status in ("sat", "unsat"):
                return Trail((self._argue(claim, answer.status, answer.model),), tuple(notes))
            notes.append(f"{solver} says {answer.status}" + (f" ({answer.detail})" if answer.detail else ""))
        return Trail((Draft(self.name, Side.PROOF),), tuple(notes))

    def _argue(self, claim: Claim, status: str, model: str | None) -> Draft:
        holds = (status == "sat") == (self._kind.question(claim) == "satisfiable")
        witness: Json = {"model": model} if status == "sat" and model is not None else None
        return Draft(self.name, Side.PROOF if holds else Side.REFUTATION, witness=witness)
