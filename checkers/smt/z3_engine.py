"""Z3 inside a worker process: one script, one fresh context, one check under a resource limit."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import z3


def version() -> str:
    """Z3's own version text, such as `5.4.1.0`."""
    return str(z3.get_full_version())


def serve(request: Mapping[str, Any]) -> dict[str, Any]:
    """Answer one request of the pool: `ask` or `houdini`."""
    # A script's `(set-option :timeout …)` is process-wide in Z3; nothing of an earlier request may remain.
    z3.reset_params()
    if request["op"] == "houdini":
        from checkers.smt import houdini_engine

        return houdini_engine.serve(request)
    return decide(request["script"], request["resources"], bool(request["model"]))


def decide(script: str, resources: int, model: bool) -> dict[str, Any]:
    """Check the script's assertions in a fresh context with default options, `resources` units and no clock."""
    solver = z3.Solver(ctx=z3.Context())
    try:
        solver.from_string(script)
    except z3.Z3Exception as error:
        return {"status": "error", "detail": text_of(error)}
    solver.set("rlimit", resources)
    try:
        result = solver.check()
    except z3.Z3Exception as error:
        return {"status": "error", "detail": text_of(error), "spent": spent(solver)}
    used = spent(solver)
    if result == z3.unsat:
        return {"status": "unsat", "spent": used}
    if result == z3.sat:
        reply: dict[str, Any] = {"status": "sat", "spent": used}
        if model:
            reply["model"] = solver.model().sexpr()
        return reply
    return {"status": "unknown", "spent": used, "detail": why_unknown(solver)}


def why_unknown(solver: z3.Solver) -> str:
    """`resources` when the unit limit ended the check, else Z3's reason (Z3 5.4 says `canceled` at its limit)."""
    reason = str(solver.reason_unknown())
    return "resources" if "cancel" in reason or "resource" in reason else reason


def spent(solver: z3.Solver) -> int:
    """The resource units that the solver's context has used."""
    return next((int(value) for key, value in solver.statistics() if key == "rlimit count"), 0)


def text_of(error: z3.Z3Exception) -> str:
    """The message of a Z3 exception, which is bytes inside."""
    value = error.value
    return value.decode("utf-8", "replace").strip() if isinstance(value, bytes) else str(value).strip()
