"""Candidate invariants of one loop in tiers: cheap and likely ones first, each tier holding the earlier ones.

Every candidate given out is true, and raises nothing, in all recorded states. Order is fixed; counts are capped, so
that Houdini's work is bounded.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator

from checkers.lang import ir
from drafters.program import arrays, bounds, clauses
from drafters.program.divisibility import common_divisors
from drafters.program.lean import lean
from drafters.program.polynomials import Monomial, equalities, monomials, null_space
from drafters.program.render import tidy
from drafters.program.transplants import transplants
from drafters.program.view import View

TIERS = 3
LEAN = -1
_TESTED = 4_000
_CAP = {LEAN: 40, 0: 90, 1: 150, 2: 220}


def candidates(view: View, tier: int, given: Iterable[str] = ()) -> tuple[str, ...]:
    """The candidates of a loop in tier `LEAN`, 0, 1 or 2; `given` texts are tried first.

    Empty without recorded states.
    """
    if not view.table.rows:
        return tuple(dict.fromkeys(given))
    chosen: dict[str, None] = {}
    tested: set[str] = set()
    for text in (*given, *_stream(view, tier)):
        shown = normal(text)
        if shown is None or shown in tested:
            continue
        tested.add(shown)
        if _worthwhile(view, shown):
            chosen[shown] = None
        if len(chosen) >= _CAP[tier] or len(tested) >= _TESTED:
            break
    return tuple(chosen)


def hard(text: str) -> bool:
    """Whether a solver may need long for the candidate: quantifiers, division, products of terms."""
    tree = ast.parse(text, mode="eval")
    return any(
        isinstance(node, ast.GeneratorExp)
        or (isinstance(node, ast.BinOp) and isinstance(node.op, ast.Mod | ast.FloorDiv))
        or (isinstance(node, ast.BinOp) and isinstance(node.op, ast.Mult) and not _scaled(node))
        for node in ast.walk(tree)
    )


def costly(text: str) -> bool:
    """Whether a candidate is not worth a second search: quantified facts about remainders."""
    return " for " in text and " % " in text


def _scaled(node: ast.BinOp) -> bool:
    return isinstance(node.left, ast.Constant) or isinstance(node.right, ast.Constant)


def normal(text: str) -> str | None:
    """The text with canonical spacing and parentheses; None if it is not an expression."""
    try:
        return tidy(ast.unparse(ast.parse(text, mode="eval")))
    except SyntaxError:
        return None


def _worthwhile(view: View, fact: str) -> bool:
    """True in all recorded states, and not only because its quantifier never has anything to say."""
    if fact in ("True", "False") or not view.table.holds(fact):
        return False
    return not (" for " in fact and fact.startswith("all(") and view.table.holds(arrays.vacuous(fact)))


def _stream(view: View, tier: int) -> Iterator[str]:
    """Candidates in the order in which they are tested."""
    if tier == LEAN:
        yield from lean(view, _relevant(view))
        return
    yield from clauses.weakened(view, view.guard())
    yield from linear(view)
    yield from bounds.comparisons(view, (*view.guard(), *view.promises(), *view.assertions(), *view.tests()))
    yield from transplants(view)
    yield from bounds.limits(view)
    yield from bounds.differences(view)
    divisors = tuple(common_divisors(view))
    yield from divisors
    if not divisors:
        yield from arrays.generalised(view)
    yield from arrays.elements(view)
    yield from arrays.built(view)
    if multiplies(view) or (tier >= 1 and not reads_lists(view)):
        yield from polynomial(view, 4)
        yield from polynomial(view, 2)
    if tier >= 1:
        yield from bounds.residues(view)
        yield from clauses.disjunctions(view, 60 if tier == 1 else 120)
        yield from bounds.scaled(view)
        yield from bounds.sums(view)
    if tier >= 2 and (multiplies(view) or not reads_lists(view)):
        yield from polynomial(view, 3)


def multiplies(view: View) -> bool:
    """Whether the function multiplies two things that are not literals: then squares are likely to matter."""
    return any(
        node.op == "**" or (node.op == "*" and not any(isinstance(side, ir.Const) for side in (node.left, node.right)))
        for node in _binaries(view)
    )


def divides(view: View) -> bool:
    """Whether the function divides by something that is not a literal."""
    return any(node.op in ("//", "%") and not isinstance(node.right, ir.Const) for node in _binaries(view))


def _binaries(view: View) -> Iterator[ir.Binary]:
    """The arithmetic of the function's promises and statements."""
    texts = [clause.expr for clause in view.function.contract.ensures]
    texts += [expr for stmt in ir.statements(view.function.body) for expr in ir.expressions(stmt)]
    return (node for expr in texts for node in ir.walk(expr) if isinstance(node, ir.Binary))


def promises_ranges(view: View) -> bool:
    """Whether the postcondition holds a quantifier."""
    return any(
        isinstance(node, ir.Quantifier) for clause in view.function.contract.ensures for node in ir.walk(clause.expr)
    )


def reads_lists(view: View) -> bool:
    """Whether lists of numbers are in scope."""
    return any(isinstance(kind, ir.ListOf) and kind.item == ir.INT for kind in view.scope.values())


def linear(view: View) -> Iterator[str]:
    """Linear equalities between all terms."""
    yield from _equalities(view, view.terms, monomials(len(view.terms), 1), spare=1)


def polynomial(view: View, degree: int) -> Iterator[str]:
    """Polynomial equalities: of degree two and three in the terms, of degree four in pairs of terms."""
    terms = _relevant(view)
    if degree == 2:
        terms = terms[:7]
    elif degree == 3:
        terms = terms[:4]
    else:
        yield from _powers(view, terms)
        return
    yield from _equalities(view, terms, monomials(len(terms), degree))


def _relevant(view: View) -> tuple[str, ...]:
    """The terms that vary, without those that are linear in the others: multiples of linear equalities say nothing."""
    terms = tuple(term for term in view.terms if len(set(view.table.integers(term) or ())) > 1)
    columns = [view.table.integers(term) or () for term in terms]
    dependent: set[int] = set()
    for vector in null_space([(*row, 1) for row in zip(*columns, strict=True)], len(terms) + 1):
        support = [place for place in range(len(terms)) if vector[place] and place not in dependent]
        dependent.update(support[-1:])
    return tuple(term for place, term in enumerate(terms) if place not in dependent)


def _powers(view: View, terms: tuple[str, ...]) -> Iterator[str]:
    """One moving term as a polynomial of degree up to four in another: sums of powers."""
    moving = [position for position, term in enumerate(terms) if term in view.moving]
    for total in moving:
        for counter in moving:
            if counter != total:
                powers = [Monomial((counter,) * exponent) for exponent in range(5)]
                yield from _equalities(view, terms, (*powers, Monomial((total,))))


def _equalities(view: View, terms: tuple[str, ...], basis: tuple[Monomial, ...], *, spare: int = 3) -> Iterator[str]:
    columns = [view.table.integers(term) for term in terms]
    known = [column for column in columns if column is not None]
    if len(known) == len(terms) and any(term in view.moving for term in terms):
        rows = list(zip(*known, strict=True))
        yield from (
            text for text in equalities(terms, rows, basis, spare=spare) if any(term in text for term in view.moving)
        )
