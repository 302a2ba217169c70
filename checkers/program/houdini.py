"""Houdini: of any set of proposed annotations, keep those that are inductive together.

Untrusted: what survives is proved again by both solvers. Runs jointly over all loops of a program (nested loops and
loops of inlined callees included), in fixed order, and drops a candidate whenever Z3 does not prove it.
C. Flanagan, K. R. M. Leino: Houdini, an Annotation Assistant for ESC/Java (FME 2001).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from checkers.lang import ir
from checkers.lang.annotate import annotate, parse_expression
from checkers.lang.lower import Program
from checkers.program.cuts import Search, chosen
from checkers.program.execute import Executor
from checkers.program.goals import goals, with_lemmas
from checkers.program.recurrence import one_iteration, recurrence_goals
from checkers.smt.pool import HoudiniTask, Pool, Site
from checkers.smt.print import Printer, grounds
from verifier.errors import VerifierError
from verifier.model import Annotations, Budget, LoopNotes, Obligation

_BUILDS_LISTS = (ir.Slice, ir.ListLit, ir.Call)


async def inductive(
    program: Program, candidates: Mapping[str, Sequence[str]], pool: Pool, budget: Budget
) -> Annotations:
    """The largest inductive subset per loop; candidates that cannot be read are dropped."""
    texts: list[tuple[str, str]] = []
    parsed: dict[str, list[tuple[int, ir.Expr]]] = {path: [] for path in candidates}
    for path, proposals in candidates.items():
        readable = [(text, expr) for text in proposals if (expr := _readable(program, path, text)) is not None]
        for text, expr in sorted(readable, key=lambda item: may_raise(item[1])):
            parsed[path].append((len(texts), expr))
            texts.append((path, text))
    executor = Executor(program.function, {}, partial=True, search=Search(parsed, {}))
    executor.run()
    alive = await _search(executor, len(texts), pool, budget)
    return {
        path: LoopNotes(tuple(text for index, (owner, text) in enumerate(texts) if owner == path and index in alive))
        for path in candidates
    }


async def ranked(
    program: Program,
    annotations: Annotations,
    candidates: Mapping[str, Sequence[tuple[str, ...]]],
    pool: Pool,
    budget: Budget,
) -> Annotations | None:
    """`annotations` with the first rank that is bounded and falls for every `while` loop, or None."""
    texts: list[tuple[str, tuple[str, ...]]] = []
    parsed: dict[str, list[tuple[int, tuple[ir.Expr, ...]]]] = {path: [] for path in candidates}
    for path, proposals in candidates.items():
        for rank in proposals:
            exprs = [_readable(program, path, text) for text in rank]
            if all(expr is not None for expr in exprs):
                parsed[path].append((len(texts), tuple(expr for expr in exprs if expr is not None)))
                texts.append((path, rank))
    notes = annotate(program, annotations)
    executor = Executor(program.function, notes, partial=True, search=Search({}, parsed))
    executor.run()
    alive = await _search(executor, len(texts), pool, budget)
    chosen_ranks: dict[str, tuple[str, ...]] = {}
    for index in sorted(alive):
        chosen_ranks.setdefault(*texts[index])
    result: dict[str, LoopNotes] = {}
    for path, loop in program.loops.items():
        note = annotations.get(path, LoopNotes())
        rank = note.decreases or chosen_ranks.get(path, ())
        if isinstance(loop, ir.While) and not rank and not loop.given.decreases:
            return None
        result[path] = LoopNotes(note.invariants, rank)
    return result


async def open_goals(
    program: Program, annotations: Annotations, pool: Pool, budget: Budget, *, partial: bool = False
) -> tuple[Obligation, ...]:
    """The goals that Z3 alone does not prove: a cheap look before the check by both solvers."""
    missed: list[Obligation] = []
    for goal in goals(program, annotations, partial=partial):
        answer = await pool.ask("z3", goal.script, resources=budget.resources, seconds=budget.seconds)
        if answer.status != "unsat":
            missed.append(goal)
    return tuple(missed)


def may_raise(expr: ir.Expr) -> bool:
    """Whether evaluating an annotation could raise: such ones come after those that cannot."""
    return any(
        isinstance(node, ir.Index | ir.Call) or (isinstance(node, ir.Binary) and node.op in ("//", "%"))
        for node in ir.walk(expr)
    )


def _readable(program: Program, path: str, text: str) -> ir.Expr | None:
    try:
        expr = parse_expression(program, path, text)
    except VerifierError:
        return None
    for node in ir.walk(expr):
        if isinstance(node, ir.Quantifier) and any(isinstance(inner, _BUILDS_LISTS) for inner in ir.walk(node.body)):
            return None
    return expr


async def _search(executor: Executor, count: int, pool: Pool, budget: Budget) -> frozenset[int]:
    flags = frozenset(chosen(index) for index in range(count))
    sites, facts = executor.cuts.sites, executor.facts
    formulas = [formula for site in sites for _, formula in site.formulas]
    extra = with_lemmas((*facts, *formulas))
    extra = (*extra, *grounds((*extra, *facts, *formulas)))
    printer = Printer((*facts, *formulas, *extra), flags)
    head = "".join(f"(assert {printer.text(fact)})\n" for fact in extra)
    lines = [f"(assert {printer.text(fact)})\n" for fact in facts]
    task = HoudiniTask(
        printer.declarations,
        tuple(
            Site(
                head + "".join(lines[: site.facts]),
                tuple((index, printer.text(formula)) for index, formula in site.formulas),
            )
            for site in sites
        ),
        count,
    )
    result = await pool.houdini(task, resources=budget.resources, seconds=4 * budget.seconds)
    if "(error" in result.detail:
        raise VerifierError(
            "internal", f"the search for invariants wrote a script that Z3 cannot read: {result.detail}"
        )
    return frozenset(result.alive)


async def recurrent(
    program: Program, path: str, candidates: Sequence[str], pool: Pool, budget: Budget
) -> Annotations | None:
    """The part of the candidates that one iteration keeps, if it is a recurrent set of the loop `path`; else None."""
    loop = program.loops[path]
    assert isinstance(loop, ir.While)
    readable = [(text, expr) for text in candidates if (expr := _readable(program, path, text)) is not None]
    readable.sort(key=lambda item: may_raise(item[1]))
    numbered = [(index, expr) for index, (_, expr) in enumerate(readable)]
    executor = one_iteration(program, loop, (), Search({path: numbered}, {}))
    alive = await _search(executor, len(numbered), pool, budget)
    region: Annotations = {path: LoopNotes(tuple(readable[index][0] for index in sorted(alive)))}
    if not alive:
        return None
    for goal in recurrence_goals(program, region):
        answer = await pool.ask("z3", goal.script, resources=budget.resources, seconds=budget.seconds)
        if answer.status != "unsat":
            return None
    return region
