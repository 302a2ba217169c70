"""The two-solver rule: a goal is proved iff Z3 and cvc5 both find the same text unsatisfiable. Trusted.

Z3 runs inside its unit limit; cvc5 without internal limits, under the hard kill. Z3 is asked first, since a goal that
it does not prove cannot be accepted whatever cvc5 says, except that a contradiction between them is an incident.
"""

from __future__ import annotations

from dataclasses import replace

from checkers.smt.pool import Answer, Pool
from verifier.model import Budget, Check, Evidence, Json, Level, Obligation, Reason, Result
from verifier.search import SPENT

_INDUCTIVE = frozenset({"initiation", "preservation", "rank"})


async def decide(pool: Pool, obligation: Obligation, budget: Budget) -> Check:
    """Decide a `solvers` obligation at level L1."""
    script, limit = obligation.script, budget.resources
    first = await pool.ask("z3", script, resources=limit, seconds=budget.seconds)
    if first.status == "missing":
        return _unknown(obligation, Reason.NOT_CHECKABLE, "Z3 is not installed")
    if first.status == "sat":
        return _failed(obligation)
    if first.status != "unsat":
        return _open(obligation, first, limit)
    second = await pool.ask("cvc5", script, resources=limit, seconds=budget.seconds)
    if second.status == "unsat":
        data: Json = {
            "z3": {"version": first.version, "limit": str(limit), "spent": str(first.spent)},
            "cvc5": {"version": second.version},
        }
        evidence = Evidence(obligation.digest, "solvers/1", data)
        return Check(obligation, Result.PASS, Level.L1, None, "Z3 and cvc5 agree", evidence)
    if second.status == "sat":
        return _unknown(obligation, Reason.SOLVER_DISAGREEMENT, "Z3 says unsat, cvc5 says sat")
    return _open(obligation, second, limit)


def _failed(obligation: Obligation) -> Check:
    """Z3 has a model of the negation: of a loop's annotations or the way they were reached, not of the program."""
    if obligation.role == "well-defined":
        detail = "the contract itself can raise; guard the expression, or require what it needs first"
        return Check(obligation, Result.FAIL, Level.L1, Reason.NOT_CHECKABLE, detail)
    reason = Reason.NOT_INDUCTIVE if obligation.role in _INDUCTIVE else Reason.NO_DRAFT
    return Check(obligation, Result.FAIL, Level.L1, reason, "Z3 found a case against it")


def _open(obligation: Obligation, answer: Answer, limit: int) -> Check:
    solver = "Z3" if answer.version.startswith(("4.", "5.")) else "cvc5"
    if answer.status == "missing":
        return _unknown(obligation, Reason.NOT_CHECKABLE, f"{solver} is not installed")
    if answer.status == "error":
        return _unknown(obligation, Reason.ERROR, f"{solver} failed: {answer.detail}")
    check = _unknown(obligation, Reason.BUDGET, f"{solver} did not decide it ({answer.detail or answer.status})")
    if answer.detail != "resources":
        return check
    return replace(check, evidence=Evidence(obligation.digest, SPENT, {"limit": str(limit)}))


def _unknown(obligation: Obligation, reason: Reason, detail: str) -> Check:
    return Check(obligation, Result.UNKNOWN, Level.L0, reason, detail)
