"""Expressions of the subset as symbolic values, with an obligation wherever evaluation could raise. Trusted.

The encoder walks an expression in CPython's evaluation order under a stack of *guards* (what is known to hold when
this subexpression is evaluated: the path so far, the left operand of `and`, an earlier link of a chain) and *binders*
(the variable of an enclosing `all`/`any`). An obligation is closed over the whole stack before it leaves. Quantified
bodies must be well defined for *every* item of their domain, although Python stops early: that asks for more than
Python does, never for less.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from checkers.lang import ir
from checkers.smt import division
from checkers.smt import terms as t
from checkers.smt.context import Binder, Context, Guard, Scope, Slot, World, under
from checkers.smt.print import text
from checkers.smt.sequences import equal, member, named, place, sliced
from checkers.smt.terms import Term
from checkers.smt.values import (
    BoolV,
    IntV,
    SeqV,
    TupleV,
    Unit,
    Value,
    as_int,
    as_item,
    from_literal,
    item_kind,
    merge,
    truthy,
    wrap_item,
)


class Encoder(Context):
    """Encodes expressions into a `World`. `inline` runs a callee's body (the executor provides it)."""

    def __init__(self, world: World, inline: Callable[[ir.Call, Sequence[Value]], Value]) -> None:
        super().__init__(world)
        self._inline = inline
        self._divisions: set[str] = set()

    # --- values ------------------------------------------------------------------------------------------------

    def truth(self, expr: ir.Expr) -> Term:
        """`bool(expr)`."""
        return truthy(self.value(expr))

    def integer(self, expr: ir.Expr) -> Term:
        """An int expression's term."""
        return as_int(self.value(expr))

    def value(self, expr: ir.Expr) -> Value:
        """The value of any expression."""
        self.span = expr.span
        match expr:
            case ir.Const(value=value):
                return from_literal(value)
            case ir.Var(name=name):
                return self._read(name, expr)
            case ir.Old(operand=operand):
                return self._old(operand)
            case ir.Iterations():
                assert self.scope.iterations is not None
                return IntV(self.scope.iterations)
            case ir.Unary():
                return self._unary(expr)
            case ir.Binary():
                return self._binary(expr)
            case ir.Compare():
                return BoolV(self._compare(expr))
            case ir.BoolOp(op=op, operands=operands):
                return self._junction(op, operands)
            case ir.IfExp():
                return self._conditional(expr)
            case ir.Index():
                return self._index(expr)
            case ir.Item(base=base, position=position):
                whole = self.value(base)
                assert isinstance(whole, TupleV)
                return whole.items[position]
            case ir.Slice(base=base, lower=lower, upper=upper):
                whole = self.value(base)
                assert isinstance(whole, SeqV)
                ends = [None if end is None else self.integer(end) for end in (lower, upper)]
                return sliced(self, whole, *ends)
            case ir.ListLit(items=items, type=kind):
                item = item_kind(kind)
                return SeqV(item, tuple(Unit(as_item(item, self.value(part))) for part in items))
            case ir.TupleLit(items=items):
                return TupleV(tuple(self.value(part) for part in items))
            case ir.Builtin():
                return self._builtin(expr)
            case ir.Call(args=args, order=order):
                values = {position: named(self, self.value(args[position])) for position in order}
                return self._inline(expr, [values[position] for position in range(len(args))])
            case ir.Quantifier():
                return BoolV(self._quantifier(expr))

    def _read(self, name: str, expr: ir.Var) -> Value:
        slot = self.scope.variables.get(name)
        if slot is None:
            self.require(t.FALSE, "UnboundLocalError", expr.span)
            return self.arbitrary(expr.type, name)
        self.require(slot.defined, "UnboundLocalError", expr.span)
        return slot.value

    def _old(self, operand: ir.Expr) -> Value:
        now = self.scope
        self.scope = Scope({**now.variables, **now.entry}, now.entry, now.iterations)
        try:
            return self.value(operand)
        finally:
            self.scope = now

    # --- arithmetic --------------------------------------------------------------------------------------------

    def _unary(self, expr: ir.Unary) -> Value:
        if expr.op == "not":
            return BoolV(t.negation(self.truth(expr.operand)))
        operand = self.integer(expr.operand)
        match expr.op:
            case "-":
                return IntV(t.negate(operand))
            case "+":
                return IntV(operand)
            case "~":
                return IntV(t.subtract(t.negate(operand), t.ONE))

    def _binary(self, expr: ir.Binary) -> Value:
        left, right = self.value(expr.left), self.value(expr.right)
        if isinstance(left, SeqV) and isinstance(right, SeqV):
            return SeqV(left.kind, (*left.parts, *right.parts))
        if expr.op in ("&", "|", "^") and isinstance(left, BoolV) and isinstance(right, BoolV):
            return BoolV(_bitwise(expr.op, left.term, right.term))
        a, b = as_int(left), as_int(right)
        match expr.op:
            case "+":
                return IntV(t.add(a, b))
            case "-":
                return IntV(t.subtract(a, b))
            case "*":
                return IntV(t.multiply(a, b))
            case "//" | "%":
                self.require(t.negation(t.equal(b, t.ZERO)), "ZeroDivisionError", expr.span)
                self._describe_division(a, b)
                return IntV(division.floor_divide(a, b) if expr.op == "//" else division.floor_modulo(a, b))
        count = t.value_of(b)
        assert count is not None, "lower admits literal counts only"
        match expr.op:
            case "**":
                power = t.ONE
                for _ in range(count):
                    power = t.multiply(power, a)
                return IntV(power)
            case "<<":
                return IntV(t.multiply(t.integer(2**count), a))
            case ">>":
                return IntV(t.quotient(a, 2**count))
            case "&":
                return IntV(t.remainder(a, count + 1))
        raise AssertionError(f"operator {expr.op} on integers")

    def _describe_division(self, a: Term, b: Term) -> None:
        divisor = t.value_of(b)
        pair = division.floor_modulo(a, b)
        variables = sorted(pair.free, key=lambda variable: str(variable.data))
        known = text(pair, {variable: f"?{place}" for place, variable in enumerate(variables)})
        if (divisor is not None and divisor != 0) or known in self._divisions:
            return
        self._divisions.add(known)
        patterns = (pair, division.floor_divide(a, b))
        self.world.assume(t.forall(variables, division.defining_facts(a, b), patterns))
        for case in division.cases(a):
            for summand, fact in division.sum_facts(case, b):
                self.world.assume(t.forall(variables, fact, (pair,)))
                self._describe_division(summand, b)

    # --- truth and comparison ----------------------------------------------------------------------------------

    def _junction(self, op: str, operands: Sequence[ir.Expr]) -> Value:
        first = self.value(operands[0])
        if len(operands) == 1:
            return first
        test = truthy(first) if op == "and" else t.negation(truthy(first))
        with self.within(Guard(test)):
            rest = self._junction(op, operands[1:])
        return merge(test, named(self, rest), named(self, first))

    def _conditional(self, expr: ir.IfExp) -> Value:
        test = self.truth(expr.test)
        with self.within(Guard(test)):
            then = named(self, self.value(expr.then))
        with self.within(Guard(t.negation(test))):
            orelse = named(self, self.value(expr.orelse))
        return merge(test, then, orelse)

    def _compare(self, expr: ir.Compare) -> Term:
        links: list[Term] = []
        left = self.value(expr.operands[0])
        depth = len(self.stack)
        try:
            for op, operand in zip(expr.ops, expr.operands[1:], strict=True):
                right = self.value(operand)
                links.append(self._link(op, left, right))
                self.stack.append(Guard(links[-1]))
                left = right
        finally:
            del self.stack[depth:]
        return t.conjunction(*links)

    def _link(self, op: ir.CompareOp, left: Value, right: Value) -> Term:
        match op:
            case "==":
                return equal(self, left, right)
            case "!=":
                return t.negation(equal(self, left, right))
            case "in" | "not in":
                found = member(self, left, right)
                return found if op == "in" else t.negation(found)
        a, b = as_int(left), as_int(right)
        match op:
            case "<":
                return t.less(a, b)
            case "<=":
                return t.at_most(a, b)
            case ">":
                return t.less(b, a)
            case ">=":
                return t.at_most(b, a)

    # --- sequences ---------------------------------------------------------------------------------------------

    def _index(self, expr: ir.Index) -> Value:
        base = self.value(expr.base)
        index = self.integer(expr.index)
        assert isinstance(base, SeqV)
        length = base.length
        valid = t.conjunction(t.at_most(t.negate(length), index), t.less(index, length))
        self.require(valid, "IndexError", expr.span)
        return wrap_item(base.kind, base.at(place(self, index, length)))

    def _builtin(self, expr: ir.Builtin) -> Value:
        values = [self.value(arg) for arg in expr.args]
        first = values[0] if values else IntV(t.ZERO)
        match expr.name:
            case "len":
                return IntV(first.length if isinstance(first, SeqV) else t.integer(_tuple_length(first)))
            case "bool":
                return BoolV(truthy(first) if values else t.FALSE)
            case "list":
                return first
            case "int":
                return IntV(as_int(first))
            case "abs":
                number = as_int(first)
                return IntV(t.conditional(t.less(number, t.ZERO), t.negate(number), number))
        best = as_int(first)
        for other in map(as_int, values[1:]):
            better = t.less(other, best) if expr.name == "min" else t.less(best, other)
            best = t.conditional(better, other, best)
        return IntV(best)

    # --- quantifiers -------------------------------------------------------------------------------------------

    def _quantifier(self, expr: ir.Quantifier) -> Term:
        variable = self.bound(expr.variable, t.INT)
        inside, item = self._domain(expr, variable)
        scope = self.scope
        slot = Slot(item, t.TRUE)
        self.scope = Scope({**scope.variables, expr.variable: slot}, scope.entry, scope.iterations)
        try:
            with self.within(Binder(variable, inside)):
                chosen = t.TRUE if expr.condition is None else self.truth(expr.condition)
                with self.within(Guard(chosen)):
                    body = self.truth(expr.body)
        finally:
            self.scope = scope
        if expr.kind == "all":
            return t.forall((variable,), under(t.conjunction(inside, chosen), body))
        return t.exists((variable,), t.conjunction(inside, chosen, body))

    def _domain(self, expr: ir.Quantifier, variable: Term) -> tuple[Term, Value]:
        if not isinstance(expr.domain, ir.Range):
            sequence = self.value(expr.domain)
            assert isinstance(sequence, SeqV)
            self.note_nonnegative(variable)
            inside = t.conjunction(t.at_most(t.ZERO, variable), t.less(variable, sequence.length))
            return inside, wrap_item(sequence.kind, sequence.at(variable))
        start, stop = self.integer(expr.domain.start), self.integer(expr.domain.stop)
        if expr.domain.step == 1:
            if self.nonnegative(start):
                self.note_nonnegative(variable)
            return t.conjunction(t.at_most(start, variable), t.less(variable, stop)), IntV(variable)
        self.note_nonnegative(variable)
        item = t.add(start, t.multiply(t.integer(expr.domain.step), variable))
        before = t.less(item, stop) if expr.domain.step > 0 else t.less(stop, item)
        return t.conjunction(t.at_most(t.ZERO, variable), before), IntV(item)


def _bitwise(op: str, a: Term, b: Term) -> Term:
    match op:
        case "&":
            return t.conjunction(a, b)
        case "|":
            return t.disjunction(a, b)
        case _:
            return t.negation(t.equal(a, b))


def _tuple_length(value: Value) -> int:
    assert isinstance(value, TupleV)
    return len(value.items)
