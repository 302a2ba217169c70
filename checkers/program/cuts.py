"""Annotations at a loop's head: where they are obligations, where they are known, and that ranks fall. Trusted.

An annotation is checked when control enters the loop and on every edge back; in between it is all that is known. At an
arbitrary head it may be assumed to be defined too, since it was shown to be where control came from. A rank is a tuple
of ints: at least 0 in every component whenever an iteration starts, and lexicographically smaller after it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from checkers.lang import ir
from checkers.program.loops import LoopHead
from checkers.smt import terms as t
from checkers.smt.terms import Term

if TYPE_CHECKING:
    from checkers.program.execute import Executor

OBLIGATION = -1
"""The number of a rank that is not a candidate but has to fall."""


@dataclass(frozen=True, slots=True)
class Site:
    """Formulas of candidate invariants (by number) that must follow from the first `facts` facts."""

    facts: int
    formulas: tuple[tuple[int, Term], ...]


def chosen(index: int) -> Term:
    """The Boolean constant that says whether candidate `index` is still assumed."""
    return t.constant(f"h!{index}", t.BOOL)


@dataclass(frozen=True, slots=True)
class Search:
    """Numbered annotations that are only proposed; `None` where nothing is searched."""

    invariants: Mapping[str, Sequence[tuple[int, ir.Expr]]]
    ranks: Mapping[str, Sequence[tuple[int, tuple[ir.Expr, ...]]]]


class Cuts:
    """The annotations of every loop; `sites` collects what is asked of candidates."""

    def __init__(
        self, executor: Executor, notes: Mapping[str, ir.Annotation], search: Search | None, *, partial: bool
    ) -> None:
        self.sites: list[Site] = []
        self._executor = executor
        self._notes = notes
        self._search = search or Search({}, {})
        self._needs_ranks = search is None and not partial

    def _invariants(self, loop: ir.Loop) -> tuple[ir.Expr, ...]:
        notes = self._notes.get(loop.path, ir.Annotation())
        return (*loop.given.invariants, *notes.invariants)

    def _annotation(self, head: LoopHead, expr: ir.Expr) -> tuple[Term, Term]:
        """An annotation at a loop head: (it is defined, it holds), both closed."""
        encoder = self._executor.encoder
        return self._executor.capture(head, lambda: encoder.close(encoder.truth(expr)))

    def check_head(self, loop: ir.Loop, head: LoopHead, role: str) -> None:
        """The annotations hold here; `role` is `initiation` or `preservation`."""
        when = "at entry" if role == "initiation" else "after an iteration"
        for number, expr in enumerate(self._invariants(loop), 1):
            defined, holds = self._annotation(head, expr)
            name = f"{loop.path}: invariant {number}"
            self._executor.goal(f"{name} is defined {when}", role, defined, loop.span)
            self._executor.goal(f"{name} holds {when}", role, holds, loop.span)
        self._check_candidates(loop, head)

    def _check_candidates(self, loop: ir.Loop, head: LoopHead) -> None:
        found = [(index, *self._annotation(head, expr)) for index, expr in self._search.invariants.get(loop.path, ())]
        # Candidates that cannot raise may be used to show that the others are defined.
        bounds = t.conjunction(*(t.implication(chosen(i), holds) for i, defined, holds in found if defined is t.TRUE))
        formulas = tuple(
            (i, holds if defined is t.TRUE else t.implication(bounds, t.conjunction(defined, holds)))
            for i, defined, holds in found
        )
        if formulas:
            self.sites.append(Site(len(self._executor.facts), formulas))

    def assume_head(self, loop: ir.Loop, head: LoopHead) -> None:
        """The annotations are all that is known here."""
        for expr in self._invariants(loop):
            self._executor.assume(t.conjunction(*self._annotation(head, expr)))
        for index, expr in self._search.invariants.get(loop.path, ()):
            self._executor.assume(t.implication(chosen(index), t.conjunction(*self._annotation(head, expr))))

    def _rank_choices(self, loop: ir.Loop) -> tuple[tuple[int, tuple[ir.Expr, ...]], ...]:
        """The ranks to be shown for a loop, with the number of the candidate if it is one."""
        if isinstance(loop, ir.For):
            return ()
        notes = self._notes.get(loop.path, ir.Annotation())
        rank = loop.given.decreases or notes.decreases
        return (*(((OBLIGATION, rank),) if rank else ()), *self._search.ranks.get(loop.path, ()))

    def bound_ranks(self, loop: ir.Loop, head: LoopHead) -> list[tuple[int, tuple[Term, ...]]]:
        """Every rank is at least 0 at a head from which an iteration starts; returns the ranks there."""
        choices = self._rank_choices(loop)
        if isinstance(loop, ir.While) and not choices and self._needs_ranks:
            self._executor.prove(head.state, t.FALSE, f"{loop.path}: a rank falls (none is known)", "rank", loop.span)
        ranks: list[tuple[int, tuple[Term, ...]]] = []
        for index, exprs in choices:
            defined, terms = self._rank(head, exprs)
            ranks.append((index, terms))
            low = t.conjunction(*(t.at_most(t.ZERO, term) for term in terms))
            self._show_rank(loop, head, index, t.conjunction(defined, low), "is at least 0")
        return ranks

    def check_ranks(self, loop: ir.Loop, head: LoopHead, before: Sequence[tuple[int, tuple[Term, ...]]]) -> None:
        """Every rank is lexicographically smaller at an edge back to the head."""
        for (index, exprs), (_, old_terms) in zip(self._rank_choices(loop), before, strict=True):
            defined, terms = self._rank(head, exprs)
            falls, ties = t.FALSE, t.TRUE
            for old, new in zip(old_terms, terms, strict=True):
                falls = t.disjunction(falls, t.conjunction(ties, t.less(new, old)))
                ties = t.conjunction(ties, t.at_most(new, old))
            self._show_rank(loop, head, index, t.conjunction(defined, falls), "falls")

    def _show_rank(self, loop: ir.Loop, head: LoopHead, index: int, formula: Term, what: str) -> None:
        if index == OBLIGATION:
            self._executor.prove(head.state, formula, f"{loop.path}: the rank {what}", "rank", loop.span)
        else:
            closed = self._executor.closed(head.state, formula)
            self.sites.append(Site(len(self._executor.facts), ((index, closed),)))

    def _rank(self, head: LoopHead, exprs: Sequence[ir.Expr]) -> tuple[Term, tuple[Term, ...]]:
        """A rank at a head: (it is defined, its components)."""
        encoder = self._executor.encoder
        return self._executor.capture(head, lambda: tuple(encoder.integer(expr) for expr in exprs))
