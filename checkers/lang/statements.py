"""Statements and functions of the reference interpreter, compiled to closures. Trusted.

Non-termination is exact: within one activation of a `while` loop, what happens after control reaches the loop's head
depends on the frame's locals alone (enclosing frames, loops and iterators stand still meanwhile; lists are values).
So when the locals at the head are equal, in value and type, to those of an earlier arrival of the same activation,
the loop never ends. Brent's algorithm finds such a pair with one remembered state (R. P. Brent, BIT 20, 1980).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias, TypeVar

from checkers.lang import ir
from checkers.lang.evaluate import Scope, compile_domain, compile_expression
from checkers.lang.machine import ITEMS, Code, Enter, Fault, Repeated, Run, Spent, State
from verifier.model import Span

Step: TypeAlias = Callable[[dict[str, Any], Run], int]
"""A compiled statement. It answers how control goes on: one of the four signals below."""
_NEXT, _BREAK, _CONTINUE, _RETURN = 0, 1, 2, 3


def _block(body: tuple[ir.Stmt, ...]) -> Step:
    steps = tuple(_STATEMENTS[type(stmt)](stmt) for stmt in body)
    count = len(steps)

    def block(env: dict[str, Any], run: Run) -> int:
        run.left -= count
        if run.left < 0:
            raise Spent
        for step in steps:
            signal = step(env, run)
            if signal:
                return signal
        return _NEXT

    return block


def _assign(stmt: ir.Assign) -> Step:
    target, value = stmt.target, compile_expression(stmt.value, _SCOPE)

    def assign(env: dict[str, Any], run: Run) -> int:
        env[target] = value(env, run)
        return _NEXT

    return assign


def _set_item(stmt: ir.SetItem) -> Step:
    target, span = stmt.target, stmt.span
    value, index = compile_expression(stmt.value, _SCOPE), compile_expression(stmt.index, _SCOPE)

    def store(env: dict[str, Any], run: Run) -> int:
        item = value(env, run)
        if target not in env:
            raise Fault("UnboundLocalError", span)
        position = index(env, run)
        changed = list(env[target])
        run.spend(len(changed) >> 5)
        try:
            changed[position] = item
        except IndexError:
            raise Fault("IndexError", span) from None
        env[target] = changed
        return _NEXT

    return store


def _append(stmt: ir.Append) -> Step:
    target, span, value = stmt.target, stmt.span, compile_expression(stmt.value, _SCOPE)

    def append(env: dict[str, Any], run: Run) -> int:
        if target not in env:
            raise Fault("UnboundLocalError", span)
        item = value(env, run)
        changed = [*env[target], item]
        run.spend(len(changed) >> 5)
        if len(changed) > ITEMS:
            raise Spent
        env[target] = changed
        return _NEXT

    return append


def _evaluate(stmt: ir.Evaluate) -> Step:
    value = compile_expression(stmt.value, _SCOPE)

    def discard(env: dict[str, Any], run: Run) -> int:
        value(env, run)
        return _NEXT

    return discard


def _if(stmt: ir.If) -> Step:
    test, then, orelse = compile_expression(stmt.test, _SCOPE), _block(stmt.then), _block(stmt.orelse)
    return lambda env, run: then(env, run) if test(env, run) else orelse(env, run)


def _break(_stmt: ir.Break) -> Step:
    return lambda _env, _run: _BREAK


def _continue(_stmt: ir.Continue) -> Step:
    return lambda _env, _run: _CONTINUE


def _return(stmt: ir.Return) -> Step:
    value = compile_expression(stmt.value, _SCOPE)

    def leave(env: dict[str, Any], run: Run) -> int:
        run.value = value(env, run)
        return _RETURN

    return leave


def _assert(stmt: ir.Assert) -> Step:
    test, span = compile_expression(stmt.test, _SCOPE), stmt.span

    def check(env: dict[str, Any], run: Run) -> int:
        if not test(env, run):
            raise Fault("AssertionError", span, "assert")
        return _NEXT

    return check


def _raise(stmt: ir.Raise) -> Step:
    args, exception, span = tuple(compile_expression(arg, _SCOPE) for arg in stmt.args), stmt.exception, stmt.span

    def throw(env: dict[str, Any], run: Run) -> int:
        for arg in args:
            arg(env, run)
        raise Fault(exception, span)

    return throw


# --- loops -----------------------------------------------------------------------------------------------------


def _exact(left: Any, right: Any) -> bool:
    """Equal in value and type, all the way down."""
    if left is right:
        return True
    if type(left) is not type(right) or left != right:
        return False
    if isinstance(left, list | tuple):
        return all(map(_exact, left, right))
    return True


class _Brent:
    """One remembered state of a loop's activation; `repeats` says whether the present one equals it."""

    __slots__ = ("age", "limit", "saved")

    def __init__(self) -> None:
        self.saved: dict[str, Any] | None = None
        self.age = 0
        self.limit = 1

    def repeats(self, env: dict[str, Any]) -> bool:
        saved = self.saved
        if saved is not None and saved.keys() == env.keys() and all(_exact(env[name], saved[name]) for name in saved):
            return True
        self.age += 1
        if saved is None or self.age == self.limit:
            self.saved = dict(env)
            self.limit *= 2
            self.age = 0
        return False


def _while(stmt: ir.While) -> Step:
    test, body, orelse = compile_expression(stmt.test, _SCOPE), _block(stmt.body), _block(stmt.orelse)
    path, span = stmt.path, stmt.span

    def loop(env: dict[str, Any], run: Run) -> int:
        brent = _Brent() if run.cycles else None
        iterations = 0
        while True:
            run.spend(1)
            if run.observe is not None:
                run.observe(State(path, dict(env), iterations, run.entry or {}))
            if brent is not None and brent.repeats(env):
                raise Repeated(path, span)
            if not test(env, run):
                return orelse(env, run)
            signal = body(env, run)
            if signal == _RETURN:
                return _RETURN
            if signal == _BREAK:
                return _NEXT
            iterations += 1

    return loop


def _for(stmt: ir.For) -> Step:
    domain, body, orelse = compile_domain(stmt.iterable, _SCOPE), _block(stmt.body), _block(stmt.orelse)
    path, target, step = stmt.path, stmt.target, stmt.iterable.step if isinstance(stmt.iterable, ir.Range) else 0

    def arrive(env: dict[str, Any], run: Run, items: Any, iterations: int) -> None:
        run.spend(1)
        if run.observe is not None:
            overlay = {target: items.start + iterations * step} if step else {}
            run.observe(State(path, {**env, **overlay}, iterations, run.entry or {}))

    def loop(env: dict[str, Any], run: Run) -> int:
        items = domain(env, run)
        iterations = 0
        for item in items:
            arrive(env, run, items, iterations)
            env[target] = item
            signal = body(env, run)
            if signal == _RETURN:
                return _RETURN
            if signal == _BREAK:
                return _NEXT
            iterations += 1
        arrive(env, run, items, iterations)
        return orelse(env, run)

    return loop


_STATEMENTS: dict[type, Callable[[Any], Step]] = {
    ir.Assign: _assign,
    ir.SetItem: _set_item,
    ir.Append: _append,
    ir.Evaluate: _evaluate,
    ir.If: _if,
    ir.While: _while,
    ir.For: _for,
    ir.Break: _break,
    ir.Continue: _continue,
    ir.Return: _return,
    ir.Assert: _assert,
    ir.Raise: _raise,
}

# --- functions -------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Compiled:
    """A function as closures: its body, and each contract clause with its test (`exsures` clauses come last)."""

    names: tuple[str, ...]
    requires: tuple[tuple[ir.Clause, Code], ...]
    ensures: tuple[tuple[ir.Clause, Code], ...]
    exsures: tuple[tuple[str, ir.Clause, Code], ...]
    body: Step
    unmet: str
    """What a call raises when a clause is false, as `Fault` says."""

    def run(self, arguments: Sequence[Any], run: Run) -> Any:
        """Execute the body alone and give its value; a body that ends without `return` gives None."""
        env = dict(zip(self.names, arguments, strict=True))
        run.entry = dict(env)
        return run.value if self.body(env, run) == _RETURN else None

    def enter(self, arguments: Sequence[Any], run: Run, span: Span) -> Any:
        """Execute a call from `span`, contract included: where icontract would raise, this raises `Fault`."""
        saved = run.entry
        entry = dict(zip(self.names, arguments, strict=True))
        run.entry = entry
        _demand(self.requires, entry, run, span, self.unmet)
        value = self.run(arguments, run)
        run.entry = entry
        _demand(self.ensures, {**entry, "result": value}, run, span, self.unmet)
        run.entry = saved
        return value


def _demand(clauses: tuple[tuple[ir.Clause, Code], ...], env: dict[str, Any], run: Run, span: Span, unmet: str) -> None:
    for _, test in clauses:
        try:
            met = test(env, run)
        except Fault as fault:
            raise Fault(fault.exception, fault.span, "contract") from None
        if not met:
            raise Fault(unmet, span, "contract")


def _compile_function(function: ir.Function) -> Compiled:
    contract = function.contract
    return Compiled(
        tuple(param.name for param in function.params),
        tuple((clause, compile_expression(clause.expr, _SCOPE)) for clause in contract.requires),
        tuple((clause, compile_expression(clause.expr, _SCOPE)) for clause in contract.ensures),
        tuple((item.exception, item.clause, compile_expression(item.clause.expr, _SCOPE)) for item in contract.exsures),
        _block(function.body),
        "Unmet" if contract.notation == "nagini" else "ViolationError",
    )


_Node = TypeVar("_Node")
_Built = TypeVar("_Built")
_KEPT = 4096
_functions: dict[int, tuple[ir.Function, Compiled]] = {}
_expressions: dict[int, tuple[ir.Expr, Code]] = {}


def _remember(memory: dict[int, tuple[_Node, _Built]], node: _Node, build: Callable[[_Node], _Built]) -> _Built:
    """`build(node)`, once per object: equality of nodes ignores spans, identity does not. The kept reference makes
    sure that the identity is not used again; the oldest entries are dropped."""
    found = memory.get(id(node))
    if found is not None:
        return found[1]
    built = build(node)
    while len(memory) >= _KEPT:
        memory.pop(next(iter(memory)), None)
    memory[id(node)] = (node, built)
    return built


def compiled(function: ir.Function) -> Compiled:
    """The closures of `function`, kept between calls. May raise `RecursionError` for absurd nesting."""
    return _remember(_functions, function, _compile_function)


def _link(function: ir.Function) -> Enter:
    return compiled(function).enter


_SCOPE = Scope(_link)


def compiled_expression(expr: ir.Expr) -> Code:
    """The closure of `expr`, kept between calls. May raise `RecursionError` for absurd nesting."""
    return _remember(_expressions, expr, lambda node: compile_expression(node, _SCOPE))
