"""From a program and its annotations to obligations: the goal generator. Trusted.

Every obligation is one SMT-LIB text that must be unsatisfiable, regenerated from source, contract and annotations
whenever it is needed; the same input gives the same texts. Names are numbered in order of execution and hold no
line numbers, so that layout does not change them.
"""

from __future__ import annotations

from collections.abc import Sequence

from checkers.lang import ir
from checkers.lang.annotate import annotate
from checkers.lang.lower import Program
from checkers.program.execute import Executor
from checkers.smt import division
from checkers.smt import terms as t
from checkers.smt.print import script
from checkers.smt.terms import Term
from verifier.keys import obligation_digest
from verifier.model import Annotations, Obligation, Span


def goals(program: Program, annotations: Annotations, *, partial: bool) -> tuple[Obligation, ...]:
    """Every goal of the program under these annotations. Raises VerifierError (`bad-draft`) and Unsupported."""
    executor = Executor(program.function, annotate(program, annotations), partial=partial)
    executor.run()
    return obligations_of(executor)


def obligations_of(executor: Executor) -> tuple[Obligation, ...]:
    """The goals of an execution as obligations with unique names."""
    seen: dict[str, int] = {}
    made: list[Obligation] = []
    for goal in executor.goals:
        seen[goal.name] = count = seen.get(goal.name, 0) + 1
        name = goal.name if count == 1 else f"{goal.name} ({count})"
        made.append(solver_obligation(name, goal.role, executor.facts[: goal.facts], goal.formula, goal.span))
    return tuple(made)


def solver_obligation(name: str, role: str, facts: Sequence[Term], formula: Term, span: Span) -> Obligation:
    """The obligation that `formula` follows from `facts`."""
    text = script((*with_lemmas((*facts, formula)), *facts), formula)
    return Obligation(name, role, "solvers", text, obligation_digest(name, "solvers", text), span)


def with_lemmas(roots: Sequence[Term]) -> tuple[Term, ...]:
    """The lemmas of divisibility, where some term divides by a term."""
    if any(term.op == "apply" and term.data == "fmod" for term in t.subterms(roots)):
        return division.lemmas()
    return ()


def precondition_script(function: ir.Function) -> str:
    """A script that is satisfiable iff some input satisfies the precondition; its constants are the parameters
    (`py.p`, with `len.py.p` beside an array, `py.p.0` … for the items of a tuple)."""
    facts = Executor(function, {}).precondition()
    return script(facts, t.FALSE)
