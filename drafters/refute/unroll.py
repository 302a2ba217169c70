"""A program with its loops unrolled a few times: loop-free, and equal to the original on every run that is short.

A run that would go round once more raises `CUT`, which the unrolled contract lists, so that its goals say nothing
about longer runs. `break` and `continue` become flags, which keeps the text linear in the number of rounds. Untrusted:
a model of an unrolled goal is an input to try on the original, no more.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field, replace

from checkers.lang import ir
from checkers.lang.lower import Program
from verifier.model import Span

CUT = "BlockingIOError"
"""An exception that programs of the subset have no use for; one that names it is not unrolled."""
LARGEST = 1_500
"""Statements of an unrolled function; more are not worth a solver's time."""


class TooLarge(Exception):
    """Unrolling would make too many statements, or cannot be done."""


def unrolled(program: Program, rounds: int) -> Program:
    """`program` with every loop replaced by `rounds` rounds. Raises TooLarge."""
    function = program.function
    listed = {item.exception for item in function.contract.exsures}
    if CUT in listed or any(any(ir.loops(callee.body)) for callee in ir.callees(function)):
        raise TooLarge
    work = _Unroller(rounds)
    body = work.block(function.body, None)
    if sum(1 for _ in ir.statements(body)) > LARGEST:
        raise TooLarge
    always = ir.Clause(_constant(True, function.span), "True", function.span)
    contract = replace(function.contract, exsures=(*function.contract.exsures, ir.Exsures(CUT, always)))
    new = replace(function, body=body, contract=contract, locals=(*function.locals, *work.locals.items()))
    return replace(program, function=new, loops={}, scopes={})


@dataclass(frozen=True, slots=True)
class _Flags:
    """The variables of one loop: `stop` ends it, `skip` ends the current round."""

    stop: str
    skip: str


@dataclass(slots=True)
class _Unroller:
    rounds: int
    locals: dict[str, ir.Type] = field(default_factory=dict)
    _made: int = 0

    def block(self, body: tuple[ir.Stmt, ...], flags: _Flags | None) -> tuple[ir.Stmt, ...]:
        """Statements with loops unrolled; what follows a possible jump is guarded by the flag."""
        done: list[ir.Stmt] = []
        for at, stmt in enumerate(body):
            done.extend(self._statement(stmt, flags))
            if flags is not None and at + 1 < len(body) and _jumps((stmt,)):
                rest = self.block(body[at + 1 :], flags)
                done.append(ir.If(_negated(_flag(flags.skip, stmt.span)), rest, (), stmt.span))
                break
        return tuple(done)

    def _statement(self, stmt: ir.Stmt, flags: _Flags | None) -> Iterator[ir.Stmt]:
        match stmt:
            case ir.Break(span=span) | ir.Continue(span=span):
                assert flags is not None
                if isinstance(stmt, ir.Break):
                    yield _set(flags.stop, True, span)
                yield _set(flags.skip, True, span)
            case ir.If(then=then, orelse=orelse):
                yield replace(stmt, then=self.block(then, flags), orelse=self.block(orelse, flags))
            case ir.While() | ir.For():
                yield from self._loop(stmt, flags)
            case _:
                yield stmt

    def _loop(self, loop: ir.Loop, outer: _Flags | None) -> Iterator[ir.Stmt]:
        self._made += 1
        if self._made > LARGEST:
            raise TooLarge
        span, flags = loop.span, _Flags(f"$stop.{self._made}", f"$skip.{self._made}")
        self.locals |= {flags.stop: ir.BOOL, flags.skip: ir.BOOL}
        orelse = self.block(loop.orelse, outer)
        yield from self._start(loop, self._made)
        yield _set(flags.stop, False, span)
        number = self._made
        for turn in range(self.rounds + 1):
            test, first = self._turn(loop, number, turn)
            last = turn == self.rounds
            inner: tuple[ir.Stmt, ...] = (ir.Raise(CUT, (), span),) if last else (*first, *self.block(loop.body, flags))
            ends = (_set(flags.stop, True, span), *orelse)
            choice = ir.If(test, inner, ends, span)
            yield ir.If(_negated(_flag(flags.stop, span)), (_set(flags.skip, False, span), choice), (), span)

    def _start(self, loop: ir.Loop, number: int) -> Iterator[ir.Stmt]:
        """What a `for` loop evaluates once."""
        if isinstance(loop, ir.While):
            return
        if isinstance(loop.iterable, ir.Range):
            ends = {"start": loop.iterable.start, "end": loop.iterable.stop}
        else:
            ends = {"items": loop.iterable}
        for name, value in ends.items():
            self.locals[f"${name}.{number}"] = value.type
            yield ir.Assign(f"${name}.{number}", value, loop.span)

    def _turn(self, loop: ir.Loop, number: int, turn: int) -> tuple[ir.Expr, tuple[ir.Stmt, ...]]:
        """Whether there is a round `turn`, and how it starts."""
        span = loop.span
        if isinstance(loop, ir.While):
            return loop.test, ()
        if isinstance(loop.iterable, ir.Range):
            step = loop.iterable.step
            start = ir.Var(f"$start.{number}", loop.iterable.start.type, span)
            end = ir.Var(f"$end.{number}", loop.iterable.stop.type, span)
            item: ir.Expr = ir.Binary("+", start, _constant(turn * step, span), ir.INT, span)
            test = ir.Compare(("<" if step > 0 else ">",), (item, end), ir.BOOL, span)
        else:
            items = ir.Var(f"$items.{number}", loop.iterable.type, span)
            item = ir.Index(items, _constant(turn, span), loop.target_type, span)
            size = ir.Builtin("len", (items,), ir.INT, span)
            test = ir.Compare(("<",), (_constant(turn, span), size), ir.BOOL, span)
        return test, (ir.Assign(loop.target, item, span),)


def _jumps(body: tuple[ir.Stmt, ...]) -> bool:
    """Whether a `break` or `continue` of the loop around `body` stands in it (those of inner loops are their own)."""
    for stmt in body:
        match stmt:
            case ir.Break() | ir.Continue():
                return True
            case ir.If(then=then, orelse=orelse):
                if _jumps(then) or _jumps(orelse):
                    return True
            case ir.While(orelse=orelse) | ir.For(orelse=orelse):
                if _jumps(orelse):
                    return True
    return False


def _constant(value: int | bool, span: Span) -> ir.Const:
    return ir.Const(value, ir.BOOL if isinstance(value, bool) else ir.INT, span)


def _flag(name: str, span: Span) -> ir.Var:
    return ir.Var(name, ir.BOOL, span)


def _negated(expr: ir.Expr) -> ir.Expr:
    return ir.Unary("not", expr, ir.BOOL, expr.span)


def _set(name: str, value: bool, span: Span) -> ir.Stmt:
    return ir.Assign(name, _constant(value, span), span)
