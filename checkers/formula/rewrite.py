"""Constructors that keep terms in normal form. Each rule is an equivalence (tested: Z3 proves old <=> new). Trusted.

Negation normal form; `and`, `or`, `xor` flat, without duplicates; `a - b` as a linear sum; comparisons of numbers as
`left <= right` (`<` for reals) with positive, coprime coefficients on both sides; constants folded. Nothing looks at a
name or at the order of arguments, so that twins stay twins; commutative arguments are sorted when they are printed.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from typing import cast

from checkers.formula.linear import Linear, Numbers, flat
from checkers.formula.sorts import BV_MANY
from checkers.formula.terms import BOOL, INT, REAL, Graph, Sort, Term

COMMUTATIVE = frozenset(["and", "or", "xor", "=", "distinct", "+", "*"]) | BV_MANY
"""Functions whose arguments have no order here."""
_DUAL = {"and": "or", "or": "and", "forall": "exists", "exists": "forall"}


def ordered(terms: Iterable[Term]) -> tuple[Term, ...]:
    """In the order of their making, so that one set of arguments gives one node."""
    return tuple(sorted(terms, key=lambda term: term.number))


@dataclass(slots=True)
class Rewriter:
    """Makes terms of one graph in normal form."""

    graph: Graph
    numbers: Numbers = field(init=False)
    _negations: dict[Term, Term] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.numbers = Numbers(self.graph)

    def make(self, name: str, args: Sequence[Term], indices: Hashable, sort: Sort | None) -> Term:
        """The normal form of an application of a theory's function."""
        match name:
            case "and" | "or":
                return self.junction(name, args)
            case "not":
                return self.negate(args[0])
            case "=>":
                return self.junction("or", [*(self.negate(arg) for arg in args[:-1]), args[-1]])
            case "xor":
                return self.parity(args)
            case "=":
                return self.equal(args)
            case "distinct":
                return self.distinct(args)
            case "ite":
                return self.choice(args[0], args[1], args[2], sort)
            case "<" | "<=" | ">" | ">=":
                return self.junction("and", [self.compare(name, a, b) for a, b in pairwise(args)])
            case "forall" | "exists":
                return args[0] if args[0].op == "const" else self.graph.term(name, tuple(args), indices, BOOL)
        if sort in (INT, REAL):
            folded = self.numbers.make(name, args, sort)
            if folded is not None:
                return folded
        return self.bits(name, args, indices, sort)

    # --- Bool ------------------------------------------------------------------------------------------------------

    def junction(self, name: str, args: Sequence[Term]) -> Term:
        """`and` or `or`, flat: without duplicates, neutral and complementary arguments."""
        neutral, absorbing = self.graph.truth(name == "and"), self.graph.truth(name == "or")
        found: dict[Term, None] = {}
        for arg in args:
            found.update(dict.fromkeys(arg.args if arg.op == name else (arg,)))
        found.pop(neutral, None)
        if absorbing in found or any(self.negate(arg) in found for arg in found):
            return absorbing
        if len(found) < 2:
            return next(iter(found), neutral)
        return self.graph.term(name, ordered(found), None, BOOL)

    def negate(self, term: Term) -> Term:
        """The negation, pushed inwards. Iterative: the stack holds terms whose parts are not negated yet."""
        stack = [term]
        while stack:
            top = stack[-1]
            if top in self._negations:
                stack.pop()
                continue
            parts = top.args[1:] if top.op == "ite" else (top.args if top.op in _DUAL else ())
            if open_parts := [part for part in parts if part not in self._negations]:
                stack += open_parts
                continue
            self._negations[top] = result = self._negated(top)
            self._negations.setdefault(result, top)
            stack.pop()
        return self._negations[term]

    def _negated(self, term: Term) -> Term:
        """The negation of a term whose parts have theirs."""
        negated = self._negations
        match term.op:
            case "const":
                return self.graph.truth(term.data is not True)
            case "not":
                return term.args[0]
            case "and" | "or":
                return self.graph.term(_DUAL[term.op], ordered(negated[arg] for arg in term.args), None, BOOL)
            case "forall" | "exists":
                return self.graph.term(_DUAL[term.op], (negated[term.args[0]],), term.data, BOOL)
            case "ite":
                return self.choice(term.args[0], negated[term.args[1]], negated[term.args[2]], BOOL)
            case "<=" | "<":
                return self.compare("<" if term.op == "<=" else "<=", term.args[1], term.args[0])
        return self.graph.term("not", (term,), None, BOOL)

    def parity(self, args: Sequence[Term]) -> Term:
        """`xor`, flat: equal arguments cancel, negations are pulled out."""
        odd = False
        found: dict[Term, None] = {}
        stack = list(args)
        while stack:
            arg = stack.pop()
            if arg.op in ("not", "or", "exists"):
                odd, arg = not odd, self.negate(arg)
            if arg.op == "xor":
                stack += arg.args
            elif arg.op == "const":
                odd ^= arg.data is True
            elif arg in found:
                del found[arg]
            else:
                found[arg] = None
        rest = ordered(found)
        if len(rest) < 2:
            result = rest[0] if rest else self.graph.truth(False)
        else:
            result = self.graph.term("xor", rest, None, BOOL)
        return self.negate(result) if odd else result

    def choice(self, test: Term, then: Term, other: Term, sort: Sort | None) -> Term:
        """`ite`, with a positive test; a Boolean one with a constant branch is a junction."""
        if test.op in ("not", "or", "exists"):
            test, then, other = self.negate(test), other, then
        if test.op == "const":
            return then if test.data is True else other
        if then is other:
            return then
        if sort == BOOL:
            if then.op == "const":
                return self.junction(
                    *(("or", [test, other]) if then.data is True else ("and", [self.negate(test), other]))
                )
            if other.op == "const":
                return self.junction(
                    *(("or", [self.negate(test), then]) if other.data is True else ("and", [test, then]))
                )
        if sort == REAL:
            then, other = self.numbers.as_real(then), self.numbers.as_real(other)
        return self.graph.term("ite", (test, then, other), None, sort)

    # --- equality and order ------------------------------------------------------------------------------------------

    def equal(self, args: Sequence[Term]) -> Term:
        """`=`: of two Bools a parity, of two numbers a linear equation, otherwise without order."""
        args = self._alike(args)
        if len(args) == 2 and args[0].sort == BOOL and args[1].sort == BOOL:
            return self.negate(self.parity(args))
        if len(args) == 2 and args[0].sort in (INT, REAL):
            return self._equation(args[0], args[1])
        distinct = ordered(dict.fromkeys(args))
        if len(distinct) == 1:
            return self.graph.truth(True)
        if len({arg for arg in distinct if self._is_value(arg)}) > 1:
            return self.graph.truth(False)
        return self.graph.term("=", distinct, None, BOOL)

    def distinct(self, args: Sequence[Term]) -> Term:
        """`distinct`: of two a negated equation, otherwise without order."""
        if len(args) == 2:
            return self.negate(self.equal(args))
        args = self._alike(args)
        if len(set(args)) < len(args):
            return self.graph.truth(False)
        return self.graph.term("distinct", ordered(args), None, BOOL)

    def compare(self, name: str, a: Term, b: Term) -> Term:
        """A comparison of two numbers as `left <= right` or, of reals, `left < right`."""
        if name in (">", ">="):
            name, a, b = name.replace(">", "<"), b, a
        if REAL in (a.sort, b.sort):
            a, b = self.numbers.as_real(a), self.numbers.as_real(b)
        if a.sort not in (INT, REAL) or a.sort != b.sort:
            return self.graph.term(name, (a, b), None, BOOL)
        difference = self.numbers.linear(a).plus(self.numbers.linear(b), -1)
        strict = name == "<"
        if a.sort == INT and strict:
            difference, strict = difference.shifted(1), False
        if not difference.parts:
            return self.graph.truth(difference.constant < 0 or (difference.constant == 0 and not strict))
        left, right = self._sides(difference.bounded(whole=a.sort == INT), a.sort)
        return self.graph.term("<" if strict else "<=", (left, right), None, BOOL)

    def _equation(self, a: Term, b: Term) -> Term:
        difference = self.numbers.linear(a).plus(self.numbers.linear(b), -1)
        sort = cast(Sort, a.sort)
        if not difference.parts:
            return self.graph.truth(difference.constant == 0)
        scaled = difference.coprime()
        if sort == INT and scaled.constant.denominator != 1:
            return self.graph.truth(False)
        return self.graph.term("=", ordered(self._sides(scaled, sort)), None, BOOL)

    def _sides(self, difference: Linear, sort: Sort) -> tuple[Term, Term]:
        """`difference` as `left - right` with positive coefficients and at most one positive constant."""
        left, right = difference.split()
        return self.numbers.build(left, sort), self.numbers.build(right, sort)

    def _alike(self, args: Sequence[Term]) -> Sequence[Term]:
        """Integers beside reals become reals."""
        return [self.numbers.as_real(arg) for arg in args] if any(arg.sort == REAL for arg in args) else args

    def _is_value(self, term: Term) -> bool:
        """Whether two different ones of this kind denote different values (strings have several spellings)."""
        return term.op == "const" and term.sort != "String"

    # --- bit vectors and the rest --------------------------------------------------------------------------------

    def bits(self, name: str, args: Sequence[Term], indices: Hashable, sort: Sort | None) -> Term:
        """Bit-vector comparisons as `bvult` or `bvslt`; associative functions flat; everything else as it is."""
        if name in ("bvugt", "bvsgt", "bvuge", "bvsge"):
            name, args = name.replace("gt", "lt").replace("ge", "le"), (args[1], args[0])
        if name in ("bvule", "bvsle"):
            return self.negate(self.bits(name.replace("le", "lt"), (args[1], args[0]), indices, sort))
        if name in BV_MANY and sort is not None:
            args = flat(name, args)
        return self.graph.term(name, tuple(args), indices if indices != () else None, sort)
