"""Symbolic execution of one function: every way through it, every obligation on the way. Trusted.

Statements are executed forwards with path merging, so that the result is linear in the size of the function. A loop
is cut at its head: its annotations are obligations when control enters and at every edge back, and all that is known
in between is that they hold. `Executor.run` fills `facts` and `goals`; a goal holds iff its formula follows from the
facts before it. An obligation may be assumed by the goals after it, since every goal has to be proved.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TypeVar

from checkers.lang import ir
from checkers.lang.exceptions import covers
from checkers.program.cuts import Cuts, Search
from checkers.program.loops import LoopEntry, LoopHead, definitely_assigned, enter_loop
from checkers.smt import terms as t
from checkers.smt.context import Path, Scope, Slot
from checkers.smt.encode import Encoder
from checkers.smt.sequences import named, place
from checkers.smt.terms import Term
from checkers.smt.values import NoneV, SeqV, Value, View, as_int, as_item, merge, truthy
from verifier.model import Span

T = TypeVar("T")


@dataclass(slots=True)
class State:
    """The condition under which control is here, and the variables."""

    path: Term
    slots: dict[str, Slot]

    def copy(self, condition: Term = t.TRUE) -> State:
        """The same state where `condition` holds as well."""
        return State(t.conjunction(self.path, condition), dict(self.slots))


@dataclass(frozen=True, slots=True)
class Goal:
    """`formula` must follow from the first `facts` facts."""

    name: str
    role: str
    facts: int
    formula: Term
    span: Span


@dataclass(slots=True)
class Frame:
    """One activation: the function itself or an inlined callee."""

    function: ir.Function
    entry: Mapping[str, Slot]
    returns: list[tuple[Term, Value]] = field(default_factory=list)
    loops: list[tuple[list[State], list[State]]] = field(default_factory=list)
    types: Mapping[str, ir.Type] = field(default_factory=dict)


def _types(function: ir.Function) -> dict[str, ir.Type]:
    return {**{param.name: param.type for param in function.params}, **dict(function.locals)}


class Executor:
    """Executes `function` under loop annotations; the annotations that a `search` proposes are asked for in
    `cuts.sites` instead of `goals`."""

    def __init__(
        self,
        function: ir.Function,
        notes: Mapping[str, ir.Annotation],
        *,
        partial: bool = False,
        search: Search | None = None,
    ) -> None:
        self.facts: list[Term] = []
        self.goals: list[Goal] = []
        self._known: set[Term] = set()
        self.cuts = Cuts(self, notes, search, partial=partial)
        self._names: dict[str, int] = {}
        self._specifying = False
        self._captured: list[Term] | None = None
        self._raises: list[tuple[str, Term]] = []
        self._function = function
        self.encoder = Encoder(self, self._inline)
        self.frame = Frame(function, {}, types=_types(function))

    # --- World -------------------------------------------------------------------------------------------------

    def fresh(self, name: str, sort: t.Sort) -> Term:
        """A new constant whose name starts with `name`."""
        self._names[name] = count = self._names.get(name, 0) + 1
        return t.constant(name if count == 1 else f"{name}!{count}", sort)

    def assume(self, fact: Term) -> None:
        """Add a fact."""
        if fact is not t.TRUE and fact not in self._known:
            self._known.add(fact)
            self.facts.append(fact)

    def oblige(self, formula: Term, exception: str, span: Span) -> bool:
        """A run-time obligation of the program, or of a contract expression."""
        if self._specifying or self._captured is not None:
            self.goal(f"the contract is defined (no {exception})", "well-defined", formula, span)
            return True
        # Where several clauses speak about an exception, each of their conditions has to hold.
        allowed = [clause for name, clause in self._raises if covers(name, exception)]
        permitted = t.conjunction(*allowed) if allowed else t.FALSE
        self.goal(f"no {exception}", "safety", t.disjunction(formula, permitted), span, assume=not allowed)
        return not allowed

    def goal(self, name: str, role: str, formula: Term, span: Span, *, assume: bool = True) -> None:
        """Record what has to be proved from here, and assume it; inside `capture`, only collect it."""
        if formula is t.TRUE:
            return
        if self._captured is not None:
            self._captured.append(formula)
            return
        self.goals.append(Goal(name, role, len(self.facts), formula, span))
        if assume:
            self.assume(formula)

    # --- the function ------------------------------------------------------------------------------------------

    def run(self) -> None:
        """Execute the whole function."""
        state = self._enter()
        for item in self._function.contract.exsures:
            self._raises.append((item.exception, self._clause(state, item.clause.expr, state.slots)))
        self._finish(self.block(self._function.body, state))

    def precondition(self) -> tuple[Term, ...]:
        """The facts about a valid input, without executing the body."""
        self._enter()
        return tuple(self.facts)

    def _enter(self) -> State:
        """Arbitrary parameters that satisfy the precondition; its clauses are evaluated in order."""
        entry = {p.name: Slot(self.encoder.arbitrary(p.type, p.name), t.TRUE) for p in self._function.params}
        self.frame.entry = entry
        state = State(t.TRUE, dict(entry))
        for clause in self._function.contract.requires:
            formula = self._clause(state, clause.expr, entry)
            self.assume(formula)
            self.encoder.learn_signs(formula)
        return state

    def _finish(self, end: State | None) -> None:
        """Falling off the end returns None."""
        if end is None:
            return
        function = self.frame.function
        if function.returns == ir.NONE:
            self._return(end, NoneV())
        else:
            self.prove(end, t.FALSE, "the end is not reached without a return", "safety", function.span)

    def _return(self, state: State, value: Value) -> None:
        frame = self.frame
        scope = {**frame.entry, "result": Slot(value, t.TRUE)}
        place = len(frame.returns) + 1
        for number, clause in enumerate(frame.function.contract.ensures, 1):
            formula = self._clause(state, clause.expr, scope)
            name = f"{frame.function.name}: postcondition {number} at return {place}"
            self.goal(name, "post", formula, clause.span)
        frame.returns.append((state.path, value))

    def _clause(self, state: State, expr: ir.Expr, variables: Mapping[str, Slot]) -> Term:
        """The truth of a contract expression, closed over everything around it; its definedness becomes goals."""
        encoder, before = self.encoder, self._specifying
        outer = encoder.scope
        encoder.stack.append(Path(state.path))
        encoder.scope = Scope(variables, self.frame.entry)
        self._specifying = True
        formula = encoder.close(encoder.truth(expr))
        self._specifying = before
        encoder.stack.pop()
        encoder.scope = outer
        return formula

    def prove(self, state: State, formula: Term, name: str, role: str, span: Span) -> None:
        """`formula` has to hold wherever control is in `state`."""
        self.goal(name, role, self.closed(state, formula), span)

    def closed(self, state: State, formula: Term) -> Term:
        """`formula` under the path of `state` and everything around it."""
        self.encoder.stack.append(Path(state.path))
        closed = self.encoder.close(formula)
        self.encoder.stack.pop()
        return closed

    def capture(self, head: LoopHead, build: Callable[[], T]) -> tuple[Term, T]:
        """`build()` evaluated at a loop's head, with the condition under which that is defined."""
        encoder, outer, captured = self.encoder, self.encoder.scope, self._captured
        self._captured = []
        encoder.stack.append(Path(head.state.path))
        encoder.scope = Scope({**head.state.slots, **head.overlay}, self.frame.entry, head.iterations)
        built = build()
        encoder.stack.pop()
        defined = t.conjunction(*self._captured)
        encoder.scope, self._captured = outer, captured
        return defined, built

    # --- statements --------------------------------------------------------------------------------------------

    def evaluate(self, state: State, expr: ir.Expr) -> Value:
        """The value of an expression in a state; narrows the state's path where an allowed exception may leave."""
        encoder = self.encoder
        outer = encoder.scope
        encoder.stack.append(Path(state.path))
        encoder.scope = Scope(state.slots, self.frame.entry)
        value = named(encoder, encoder.value(expr))
        path = encoder.stack.pop()
        assert isinstance(path, Path)
        state.path = path.term
        encoder.scope = outer
        return value

    def block(self, body: Sequence[ir.Stmt], state: State | None) -> State | None:
        """Execute statements in order; None when control does not come out at the end."""
        for stmt in body:
            if state is None or state.path is t.FALSE:
                return None
            state = self._statement(stmt, state)
        return state

    def _statement(self, stmt: ir.Stmt, state: State) -> State | None:
        match stmt:
            case ir.Assign(target=target, value=value):
                state.slots[target] = Slot(self.evaluate(state, value), t.TRUE)
            case ir.Evaluate(value=value):
                self.evaluate(state, value)
            case ir.SetItem() | ir.Append():
                self._mutate(stmt, state)
            case ir.If():
                return self._branch(stmt, state)
            case ir.While() | ir.For():
                return self._loop(stmt, state)
            case ir.Break():
                self.frame.loops[-1][0].append(state)
                return None
            case ir.Continue():
                self.frame.loops[-1][1].append(state)
                return None
            case ir.Return(value=value):
                self._return(state, self.evaluate(state, value))
                return None
            case ir.Assert(test=test, span=span):
                held = truthy(self.evaluate(state, test))
                self.prove(state, held, "the assertion holds", "assert", span)
            case ir.Raise():
                self._raise(stmt, state)
                return None
        return state

    def _raise(self, stmt: ir.Raise, state: State) -> None:
        for arg in stmt.args:
            self.evaluate(state, arg)
        self.oblige(self.closed(state, t.FALSE), stmt.exception, stmt.span)

    def _mutate(self, stmt: ir.SetItem | ir.Append, state: State) -> None:
        encoder = self.encoder
        value = self.evaluate(state, stmt.value)
        index = as_int(self.evaluate(state, stmt.index)) if isinstance(stmt, ir.SetItem) else None
        target = self.evaluate(state, ir.Var(stmt.target, self.frame.types[stmt.target], stmt.span))
        assert isinstance(target, SeqV)
        array, length = target.array, target.length
        assert array is not None
        if index is None:
            where, length = length, t.add(length, t.ONE)
        else:
            encoder.stack.append(Path(state.path))
            valid = t.conjunction(t.at_most(t.negate(length), index), t.less(index, length))
            encoder.require(valid, "IndexError", stmt.span)
            path = encoder.stack.pop()
            assert isinstance(path, Path)
            state.path = path.term
            where = place(encoder, index, length)
        stored = t.store(array, where, as_item(target.kind, value))
        state.slots[stmt.target] = Slot(SeqV(target.kind, (View(stored, t.ZERO, length),)), t.TRUE)

    def _branch(self, stmt: ir.If, state: State) -> State | None:
        test = truthy(self.evaluate(state, stmt.test))
        start = state.path
        yes, no = state.copy(test), state.copy(t.negation(test))
        paths = yes.path, no.path
        then, orelse = self.block(stmt.then, yes), self.block(stmt.orelse, no)
        if then is None or orelse is None:
            return then or orelse
        path = start if (then.path, orelse.path) == paths else t.disjunction(then.path, orelse.path)
        return State(path, merge_slots(test, then.slots, orelse.slots))

    # --- loops -------------------------------------------------------------------------------------------------

    def _loop(self, loop: ir.Loop, state: State) -> State | None:
        entry = enter_loop(self, loop, state)
        self.cuts.check_head(loop, entry.at(state, t.ZERO), "initiation")
        count = self.encoder.fresh(f"n.{loop.path}", t.INT) if isinstance(loop, ir.For) else t.ZERO
        head_state = self._havoc(loop, state, entry, count)
        head = entry.at(head_state, count)
        self.cuts.assume_head(loop, head)
        if isinstance(loop, ir.While):
            test = truthy(self.evaluate(head.state, loop.test))
        else:
            test = t.less(count, entry.length)
        exit_state = head.state.copy(t.negation(test))
        body_state = head.state.copy(test)
        ranks = self.cuts.bound_ranks(loop, LoopHead(body_state, head.overlay, head.iterations))
        entry.bind_target(body_state, count)
        self.frame.loops.append(([], []))
        end = self.block(loop.body, body_state)
        breaks, continues = self.frame.loops.pop()
        for edge in (*continues, *((end,) if end is not None else ())):
            again = entry.at(edge, t.add(count, t.ONE))
            self.cuts.check_head(loop, again, "preservation")
            self.cuts.check_ranks(loop, again, ranks)
        after = self.block(loop.orelse, exit_state if exit_state.path is not t.FALSE else None)
        return join([*breaks, *((after,) if after is not None else ())])

    def _havoc(self, loop: ir.Loop, state: State, entry: LoopEntry, count: Term) -> State:
        slots = dict(state.slots)
        changed = set(ir.assigned(loop.body))
        settled = definitely_assigned(loop.body) if isinstance(loop, ir.For) else frozenset()
        for name in sorted(changed):
            value = self.encoder.arbitrary(self.frame.types[name], name)
            before = state.slots[name].defined if name in state.slots else t.FALSE
            defined = t.TRUE
            if before is not t.TRUE:
                defined = self.encoder.fresh(f"bound.{name}", t.BOOL)
                self.assume(t.implication(before, defined))
                if name in settled:
                    self.assume(t.implication(t.less(t.ZERO, count), defined))
            slots[name] = Slot(value, defined)
        head = State(state.path, slots)
        if isinstance(loop, ir.For):
            self.assume(t.conjunction(t.at_most(t.ZERO, count), t.at_most(count, entry.length)))
            self.encoder.note_nonnegative(count)
            if loop.target not in changed:
                entry.last_target(head, count)
        return head

    # --- calls -------------------------------------------------------------------------------------------------

    def _inline(self, call: ir.Call, values: Sequence[Value]) -> Value:
        function, outer, scope = call.function, self.frame, self.encoder.scope
        entry = {p.name: Slot(v, t.TRUE) for p, v in zip(function.params, values, strict=True)}
        self.frame = frame = Frame(function, entry, types=_types(function))
        state = State(t.TRUE, dict(entry))
        for number, clause in enumerate(function.contract.requires, 1):
            formula = self._clause(state, clause.expr, entry)
            self.goal(f"{function.name}: precondition {number} at the call", "callee", formula, call.span)
        self._finish(self.block(function.body, state))
        self.frame, self.encoder.scope = outer, scope
        if not frame.returns:
            self.encoder.restrict(t.FALSE)
            return self.encoder.arbitrary(function.returns, function.name)
        self.encoder.restrict(t.disjunction(*(path for path, _ in frame.returns)))
        *others, (_, result) = frame.returns
        for path, value in reversed(others):
            result = merge(path, value, result)
        return result


def merge_slots(test: Term, a: Mapping[str, Slot], b: Mapping[str, Slot]) -> dict[str, Slot]:
    """The variables after two branches."""
    merged: dict[str, Slot] = {}
    for name in sorted({*a, *b}):
        left, right = a.get(name), b.get(name)
        if left is None or right is None:
            only = left or right
            assert only is not None
            here = test if left is not None else t.negation(test)
            merged[name] = Slot(only.value, t.conjunction(here, only.defined))
        else:
            defined = t.conditional(test, left.defined, right.defined)
            merged[name] = Slot(merge(test, left.value, right.value), defined)
    return merged


def join(states: Sequence[State]) -> State | None:
    """One state for several ways to the same place."""
    if not states:
        return None
    *others, last = states
    slots, path = last.slots, last.path
    for state in reversed(others):
        slots = merge_slots(state.path, state.slots, slots)
        path = t.disjunction(state.path, path)
    return State(path, dict(slots))
