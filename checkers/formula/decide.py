"""How the obligations of formula claims are decided: two solvers, or the kernel alone on a model. Trusted."""

from __future__ import annotations

import re
from typing import Any

from checkers.formula.smtlib import Printed
from checkers.kernel.evaluate import evaluate
from checkers.smt.pool import Answer, Pool
from verifier.errors import VerifierError
from verifier.model import Budget, Check, Evidence, Json, Level, Obligation, Reason, Result

_PLACE = re.compile(r'\(error "line (\d+) column (\d+): (.*?)"\)', re.DOTALL)
SPENT = "spent/1"
"""The mark of a check that ran out of deterministic units: an equal budget would end the same."""


async def decide_unsatisfiable(pool: Pool, obligation: Obligation, printed: Printed, budget: Budget) -> Check:
    """Pass iff both solvers say `unsat` of the same text."""
    z3, cvc5 = await pool.both(printed.text, resources=budget.resources, seconds=budget.seconds, lazy=True)
    if (z3.status, cvc5.status) == ("unsat", "unsat"):
        return _agreed(obligation, z3, cvc5, budget, "Z3 and cvc5 agree")
    if (z3.status, cvc5.status) == ("sat", "sat"):
        return Check(obligation, Result.FAIL, Level.L1, Reason.NO_DRAFT, "both solvers say that there is a model")
    return _open(obligation, printed, z3, cvc5, budget)


async def decide_satisfiable(
    pool: Pool, obligation: Obligation, printed: Printed, evidence: Evidence | None, budget: Budget
) -> Check:
    """Pass iff the kernel evaluates a model to true (L3), or both solvers say `sat` of the same text (L1)."""
    offered = model_of(evidence)
    why = "no model was offered"
    if offered is not None:
        result = evaluate(printed.text, offered)
        if result.status == "true":
            return _modelled(obligation, offered)
        why = f"the model: {result.detail}"
        if result.status == "false":
            return Check(obligation, Result.FAIL, Level.L3, Reason.NOT_REFUTED, why)
    z3, cvc5 = await pool.both(printed.text, resources=budget.resources, seconds=budget.seconds, model=True)
    if (z3.status, cvc5.status) == ("unsat", "unsat"):
        return Check(obligation, Result.FAIL, Level.L1, Reason.NO_DRAFT, "both solvers say that there is no model")
    if "unsat" not in (z3.status, cvc5.status):
        for answer in (z3, cvc5):
            if answer.model is not None and evaluate(printed.text, answer.model).status == "true":
                return _modelled(obligation, answer.model)
    if (z3.status, cvc5.status) == ("sat", "sat"):
        for answer in (z3, cvc5):
            result = evaluate(printed.text, answer.model or "")
            why = result.detail or why
        detail = f"Z3 and cvc5 both found a model; the kernel cannot evaluate one ({why})"
        return _agreed(obligation, z3, cvc5, budget, detail)
    return _open(obligation, printed, z3, cvc5, budget)


def model_of(evidence: Evidence | None) -> str | None:
    """The text of an offered model."""
    data: Any = None if evidence is None or evidence.form != "model/1" else evidence.data
    model = data.get("model") if isinstance(data, dict) else None
    return model if isinstance(model, str) else None


def crashed(answer: Answer) -> bool:
    """Whether a solver failed for a reason that is not the script's."""
    return answer.detail.startswith("the solver process") or "out of memory" in answer.detail


def bad_script(printed: Printed, *answers: Answer) -> VerifierError | None:
    """The error for a script that no solver could read, at its place in the source where Z3 names one.

    A solver that crashed has read nothing wrong; a script that only one of them refuses may be right.
    """
    refused = [answer for answer in answers if answer.status == "error" and not crashed(answer)]
    if len(refused) < len(answers):
        return None
    for answer in refused:
        if (match := _PLACE.search(answer.detail)) is not None:
            span = printed.locate(int(match.group(1)), int(match.group(2)))
            return VerifierError("bad-smtlib", f"{match.group(3)} (says Z3)", span=span)
    return VerifierError("bad-smtlib", "; ".join(answer.detail for answer in refused))


def _modelled(obligation: Obligation, model: str) -> Check:
    detail = "the kernel evaluated the model"
    return Check(
        obligation, Result.PASS, Level.L3, None, detail, Evidence(obligation.digest, "model/1", {"model": model})
    )


def _agreed(obligation: Obligation, z3: Answer, cvc5: Answer, budget: Budget, detail: str) -> Check:
    data: Json = {
        "z3": {"version": z3.version, "limit": str(budget.resources), "spent": str(z3.spent)},
        "cvc5": {"version": cvc5.version},
    }
    return Check(obligation, Result.PASS, Level.L1, None, detail, Evidence(obligation.digest, "solvers/1", data))


def _open(obligation: Obligation, printed: Printed, z3: Answer, cvc5: Answer, budget: Budget) -> Check:
    """Neither agreement nor a model: why, or the error that the script deserves."""
    if (error := bad_script(printed, z3, cvc5)) is not None:
        raise error
    statuses = (z3.status, cvc5.status)
    told = "; ".join(f"{name} says {_told(answer)}" for name, answer in (("Z3", z3), ("cvc5", cvc5)))
    if set(statuses) == {"sat", "unsat"}:
        reason = Reason.SOLVER_DISAGREEMENT
    elif "missing" in statuses:
        reason = Reason.NOT_CHECKABLE
    elif any(answer.status == "error" and crashed(answer) for answer in (z3, cvc5)):
        reason = Reason.ERROR
    elif "error" in statuses:
        reason = Reason.NOT_CHECKABLE  # one solver takes the script and the other does not
    else:
        reason = Reason.BUDGET
    spent = reason is Reason.BUDGET and z3.status == "unknown"  # under its units Z3 is deterministic
    mark = Evidence(obligation.digest, SPENT, {"z3": str(budget.resources)}) if spent else None
    return Check(obligation, Result.UNKNOWN, Level.L0, reason, told, mark)


def _told(answer: Answer) -> str:
    detail = answer.detail.removeprefix('(error "').removesuffix('")')  # as SMT-LIB writes it
    return f"{answer.status} ({detail})" if detail else answer.status
