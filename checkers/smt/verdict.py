"""The two-solver rule: a goal is proved iff Z3 and cvc5 both find the same text unsatisfiable. Trusted.

Z3 runs inside its unit limit; cvc5 without internal limits, under the hard kill. Z3 is asked first, since a goal that
it does not prove cannot be accepted whatever cvc5 says, except that a contradiction between them is an incident.
"""

from __future__ import annotations

from checkers.smt.pool import Answer, Pool
from verifier.model import Budget, Check, Evidence, Level, Obligation, Reason, Result

_INDUCTIVE = frozenset({"initiation", "preservation", "rank"})


async def decide(pool: Pool, obligation: Obligation, budget: Budget) -> Check:
    """Decide a `solvers` obligation at level L1."""
    limits = {"resources": budget.resources, "seconds": budget.seconds}
    first = await pool.ask("z3", obligation.script, **limits)
    if first.status == "missing":
        return _unknown(obligation, Reason.NOT_CHECKABLE, "Z3 is not installed")
    second = await pool.ask("cvc5", obligation.script, **limits)
    statuses = {first.status, second.status}
    if statuses == {"unsat"}:
        data = {
            "z3": {"version": first.version, "limit": str(budget.resources), "spent": str(first.spent)},
            "cvc5": {"version": second.version},
        }
        evidence = Evidence(obligation.digest, "solvers/1", data)
        return Check(obligation, Result.PASS, Level.L1, None, "Z3 and cvc5 agree", evidence)
    if statuses == {"sat", "unsat"}:
        told = f"Z3 says {first.status}, cvc5 says {second.status}"
        return _unknown(obligation, Reason.SOLVER_DISAGREEMENT, told)
    if "sat" in statuses:
        return Check(obligation, Result.FAIL, Level.L1, _failure(obligation), "a solver found a model of its negation")
    return _open(obligation, first, second)


def _failure(obligation: Obligation) -> Reason:
    return Reason.NOT_INDUCTIVE if obligation.role in _INDUCTIVE else Reason.NO_DRAFT


def _open(obligation: Obligation, first: Answer, second: Answer) -> Check:
    if "missing" in (first.status, second.status):
        return _unknown(obligation, Reason.NOT_CHECKABLE, "cvc5 is not installed")
    if "error" in (first.status, second.status):
        told = "; ".join(answer.detail for answer in (first, second) if answer.status == "error")
        return _unknown(obligation, Reason.ERROR, f"a solver failed: {told}")
    told = f"Z3 says {first.status} ({first.detail}), cvc5 says {second.status}"
    return _unknown(obligation, Reason.BUDGET, told)


def _unknown(obligation: Obligation, reason: Reason, detail: str) -> Check:
    return Check(obligation, Result.UNKNOWN, Level.L0, reason, detail)
