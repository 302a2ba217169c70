"""Non-termination by a recurrent set: once a loop's state is in it, every iteration ends in it again. Trusted.

A. Gupta, T. A. Henzinger, R. Majumdar, A. Rybalchenko, R.-G. Xu: Proving Non-Termination (POPL 2008). The set is given
by annotations of one `while` loop. The goals say that every state in it satisfies the guard and that the body neither
leaves the loop nor raises and comes back into the set; a replayed input shows that the set is reached.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from checkers.lang import ir
from checkers.lang.annotate import annotate
from checkers.lang.interp import Fault, Judgement, State, Value, evaluate, execute, judge
from checkers.lang.lower import Program
from checkers.program.cuts import Search
from checkers.program.execute import Executor
from checkers.program.execute import State as Symbolic
from checkers.program.goals import obligations_of
from checkers.program.loops import LoopHead
from checkers.smt import terms as t
from checkers.smt.context import Slot
from checkers.smt.values import truthy
from verifier.errors import VerifierError
from verifier.model import Annotations, Obligation


def recurrence_goals(program: Program, annotations: Annotations) -> tuple[Obligation, ...]:
    """The goals of a recurrent set; `annotations` name exactly one `while` loop of the function itself.

    Raises VerifierError (`bad-draft`) where they do not.
    """
    loop, region = _region(program, annotations)
    return obligations_of(one_iteration(program, loop, region, None))


def _region(program: Program, annotations: Annotations) -> tuple[ir.While, tuple[ir.Expr, ...]]:
    own = {loop.path: loop for loop in ir.loops(program.function.body)}
    parsed = annotate(program, annotations)
    path = next(iter(parsed), "")
    loop = own.get(path)
    if len(parsed) != 1 or not isinstance(loop, ir.While) or not parsed[path].invariants:
        raise VerifierError("bad-draft", "a recurrent set describes one while loop of the function itself")
    return loop, parsed[path].invariants


def one_iteration(program: Program, loop: ir.While, region: Sequence[ir.Expr], search: Search | None) -> Executor:
    """One iteration from an arbitrary state in the set; the contract plays no part."""
    function = replace(program.function, contract=ir.Contract())
    executor = Executor(function, {}, partial=True, search=search)
    encoder = executor.encoder
    params = {p.name: Slot(encoder.arbitrary(p.type, p.name), t.TRUE) for p in function.params}
    executor.frame.entry = {
        name: Slot(encoder.arbitrary(kind, f"{name}.entry"), t.TRUE) for name, kind in _typed(function)
    }
    slots = dict(params)
    for name, kind in function.locals:
        slots[name] = Slot(encoder.arbitrary(kind, name), executor.fresh(f"bound.{name}", t.BOOL))
    state = Symbolic(t.TRUE, slots)
    noted = replace(loop, given=ir.Annotation(tuple(region)))
    executor.cuts.assume_head(noted, LoopHead(state, {}, None))
    test = truthy(executor.evaluate(state, loop.test))
    executor.prove(state, test, f"{loop.path}: the guard holds", "guard", loop.span)
    executor.frame.loops.append(([], []))
    end = executor.block(loop.body, state.copy(test))
    breaks, continues = executor.frame.loops.pop()
    for left in breaks:
        executor.prove(left, t.FALSE, f"{loop.path}: no break", "guard", loop.span)
    for path, _ in executor.frame.returns:
        executor.prove(Symbolic(path, {}), t.FALSE, f"{loop.path}: no return", "guard", loop.span)
    for edge in (*continues, *((end,) if end is not None else ())):
        executor.cuts.check_head(noted, LoopHead(edge, {}, None), "preservation")
    return executor


def _typed(function: ir.Function) -> tuple[tuple[str, ir.Type], ...]:
    return tuple((param.name, param.type) for param in function.params)


class _Reached(Exception):
    """The run has come into the set."""


def reaches(program: Program, annotations: Annotations, arguments: Sequence[Value], *, steps: int) -> Judgement:
    """Whether a valid input comes into the set at the loop's head: `diverges`, given the goals, or else why not."""
    loop, region = _region(program, annotations)

    def observe(state: State) -> None:
        if state.path == loop.path and all(_holds(expr, state) for expr in region):
            raise _Reached

    # The precondition alone decides whether the input counts; a body would run on.
    empty = replace(program.function, body=(), contract=ir.Contract(program.function.contract.requires))
    valid = judge(empty, arguments, steps=steps)
    if valid.status in ("invalid", "ill_defined"):
        return valid
    try:
        outcome = execute(program.function, arguments, steps=steps, observe=observe)
    except _Reached:
        return Judgement(
            "diverges", f"the loop at line {loop.span.line} never ends: its state stays in a recurrent set"
        )
    return Judgement("unknown", "the recurrent set was not reached", outcome)


def _holds(expr: ir.Expr, state: State) -> bool:
    try:
        return bool(evaluate(expr, state.env, entry=state.entry))
    except Fault:
        return False
