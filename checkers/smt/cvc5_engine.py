"""cvc5 inside a worker process: one script, one fresh term manager, default options, no inner limit."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import cvc5

PREAMBLE = frozenset({"set-logic", "set-option", "set-info"})
"""Commands that may stand before `set-logic`."""


def version() -> str:
    """cvc5's own version text, such as `1.4.2`."""
    return str(cvc5.__version__)


def serve(request: Mapping[str, Any]) -> dict[str, Any]:
    """Answer one request of the pool; only `ask` is known here."""
    return decide(request["script"], bool(request["model"]))


def decide(script: str, model: bool) -> dict[str, Any]:
    """Run the script's commands. Only models (when asked for) and the logic `ALL` (when none is set) are added."""
    solver = cvc5.Solver(cvc5.TermManager())
    if model:
        solver.setOption("produce-models", "true")
    parser = cvc5.InputParser(solver)
    symbols = parser.getSymbolManager()
    parser.setStringInput(cvc5.InputLanguage.SMT_LIB_2_6, script, "claim")
    status = ""
    try:
        while not (command := parser.nextCommand()).isNull():
            name = command.getCommandName()
            if name not in PREAMBLE and not solver.isLogicSet():
                solver.setLogic("ALL")
            output = str(command.invoke(solver, symbols)).strip()
            if output.startswith("(error"):
                return {"status": "error", "detail": output}
            if name == "check-sat":
                status = output.partition(" ")[0]  # cvc5 says `unknown (INCOMPLETE)`
        if status not in ("sat", "unsat", "unknown"):
            return {"status": "error", "detail": status or "no (check-sat) in the script"}
        return _reply(solver, symbols, status, model)
    except RuntimeError as error:
        return {"status": "error", "detail": str(error).strip()}


def _reply(solver: cvc5.Solver, symbols: cvc5.SymbolManager, status: str, model: bool) -> dict[str, Any]:
    if status == "unknown":
        return {"status": status, "detail": "gave up"}
    if status == "sat" and model:
        text = solver.getModel(symbols.getDeclaredSorts(), symbols.getDeclaredTerms())
        return {"status": status, "model": text.decode() if isinstance(text, bytes) else str(text)}
    return {"status": status}
