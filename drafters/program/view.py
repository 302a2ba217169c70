"""One loop as the candidate generators see it: its terms, what it changes, its guard, and facts around it.

All expressions here are over the names at the loop's head: a parameter that the function reassigns appears as
`Old(p)` where its entry value is meant, and `result` is replaced by what the function returns.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from checkers.lang import ir
from drafters.program.render import conjuncts, constant, free_names, simplified, substitute, text
from drafters.program.traces import Table

_TERMS = 12


@dataclass(frozen=True, slots=True)
class View:
    """A loop with its recorded states. Expressions are in scope and defined (as far as seen) at the loop's head."""

    function: ir.Function
    loop: ir.Loop
    table: Table
    scope: Mapping[str, ir.Type]
    modified: frozenset[str]
    constants: tuple[int, ...]
    terms: tuple[str, ...] = field(default=())
    moving: frozenset[str] = field(default=frozenset())

    @property
    def path(self) -> str:
        """The loop's path."""
        return self.loop.path

    def names(self, *types: ir.Type) -> tuple[str, ...]:
        """The bound variables of these types, in scope order."""
        bound = self.table.names()
        return tuple(name for name, kind in self.scope.items() if kind in types and name in bound)

    def entry(self) -> Mapping[str, ir.Expr]:
        """The substitution that takes entry values of reassigned parameters."""
        changed = ir.assigned(self.function.body)
        span = self.loop.span
        return {
            param.name: ir.Old(ir.Var(param.name, param.type, span), param.type, span)
            for param in self.function.params
            if param.name in changed
        }

    def admits(self, expr: ir.Expr) -> bool:
        """Whether every free name of `expr` is bound at the head."""
        return free_names(expr) <= self.table.names()

    def promises(self) -> tuple[ir.Expr, ...]:
        """The postcondition's conjuncts for each expression that the function returns."""
        found: list[ir.Expr] = []
        for stmt in ir.statements(self.function.body):
            if isinstance(stmt, ir.Return):
                names = {**self.entry(), "result": stmt.value}
                for clause in self.function.contract.ensures:
                    found.extend(conjuncts(simplified(substitute(clause.expr, names))))
        return self._usable(found)

    def assertions(self) -> tuple[ir.Expr, ...]:
        """The conjuncts of the function's assert statements."""
        asserts = (stmt for stmt in ir.statements(self.function.body) if isinstance(stmt, ir.Assert))
        return self._usable([part for stmt in asserts for part in conjuncts(stmt.test)])

    def premises(self) -> tuple[ir.Expr, ...]:
        """The precondition's conjuncts on entry values."""
        clauses = self.function.contract.requires
        return self._usable([part for clause in clauses for part in conjuncts(substitute(clause.expr, self.entry()))])

    def tests(self) -> tuple[ir.Expr, ...]:
        """The literals of every guard and `if` of the function, in source order, as far as their names are bound."""
        found: list[ir.Expr] = []
        for stmt in ir.statements(self.function.body):
            if isinstance(stmt, ir.While | ir.If):
                found.extend(literals(stmt.test))
        return self._usable(found)

    def guard(self) -> tuple[ir.Expr, ...]:
        """The conjuncts of the guard of a `while` loop; none for a `for` loop."""
        if isinstance(self.loop, ir.While):
            return self._usable(list(conjuncts(self.loop.test)))
        return ()

    def origins(self) -> tuple[int, ...]:
        """The positive constants at which moving variables start."""
        found: list[ir.Expr] = []
        if isinstance(self.loop, ir.For) and isinstance(self.loop.iterable, ir.Range):
            found.append(self.loop.iterable.start)
        stmts = ir.statements(self.function.body)
        found += [stmt.value for stmt in stmts if isinstance(stmt, ir.Assign) and stmt.target in self.modified]
        values = (constant(expr) for expr in found)
        return tuple(dict.fromkeys(value for value in values if value is not None and 0 < value <= 3))

    def _usable(self, found: Sequence[ir.Expr]) -> tuple[ir.Expr, ...]:
        usable = (part for part in found if self.admits(part) and not builds_list(part))
        return tuple(dict.fromkeys(part for part in usable if not isinstance(part, ir.Const)))


def builds_list(expr: ir.Expr) -> bool:
    """Whether `expr` makes a new list: such facts are about the result alone and are hard for solvers."""
    return any(isinstance(node, ir.ListLit | ir.Slice) for node in ir.walk(expr))


def literals(expr: ir.Expr) -> Iterator[ir.Expr]:
    """The atoms of a test without negations, `and`, `or` and chains."""
    match expr:
        case ir.BoolOp(operands=operands):
            for operand in operands:
                yield from literals(operand)
        case ir.Unary(op="not", operand=operand):
            yield from literals(operand)
        case ir.Compare(ops=ops) if len(ops) > 1:
            yield from conjuncts(expr)
        case _:
            yield expr


def look(
    function: ir.Function, loop: ir.Loop, table: Table, scope: Mapping[str, ir.Type], constants: tuple[int, ...]
) -> View:
    """The view of a loop, with its integer terms: variables, entry values, lengths, completed iterations."""
    modified = ir.assigned(loop.body) | ({loop.target} if isinstance(loop, ir.For) else frozenset())
    bare = View(function, loop, table, scope, modified, constants)
    numbers = bare.names(ir.INT)
    lists = bare.names(ir.STR, *_lists(scope))
    moving = [name for name in numbers if name in modified]
    moving += [f"len({name})" for name in lists if name in modified]
    if isinstance(loop, ir.For) and not isinstance(loop.iterable, ir.Range):
        moving.append("Iterations()")
    fixed = [name for name in numbers if name not in modified]
    fixed += [f"len({name})" for name in lists if name not in modified]
    fixed += [text(old) for name, old in bare.entry().items() if old.type == ir.INT]
    terms = tuple((*moving, *fixed)[:_TERMS])
    terms = tuple(term for term in terms if table.integers(term) is not None)
    return View(function, loop, table, scope, modified, constants, terms, frozenset(moving))


def _lists(scope: Mapping[str, ir.Type]) -> tuple[ir.Type, ...]:
    return tuple({kind for kind in scope.values() if isinstance(kind, ir.ListOf)})


def constants_of(function: ir.Function) -> tuple[int, ...]:
    """The integer literals of a function and its callees (small and large), sorted, with their negations left out."""
    found: set[int] = set()

    def scan(expr: ir.Expr) -> None:
        for node in ir.walk(expr):
            if isinstance(node, ir.Const) and isinstance(node.value, int) and not isinstance(node.value, bool):
                found.add(node.value)
            if isinstance(node, ir.Unary) and node.op == "-" and isinstance(node.operand, ir.Const):
                if isinstance(node.operand.value, int):
                    found.add(-node.operand.value)

    for current in (function, *ir.callees(function)):
        contract = current.contract
        for clause in (*contract.requires, *contract.ensures):
            scan(clause.expr)
        for stmt in ir.statements(current.body):
            for expr in ir.expressions(stmt):
                scan(expr)
    return tuple(sorted(found, key=lambda value: (abs(value), value)))[:24]


def owner(function: ir.Function, path: str) -> ir.Function:
    """The function, or the inlined callee, to which a loop path belongs."""
    name = path.split(".", maxsplit=1)[0]
    return next((current for current in ir.callees(function) if current.name == name), function)
