"""The typed intermediate form of the Python subset: what every later step reads instead of source text.

`lower` builds it, `interp` runs it, `canonical` prints it, `checkers.program.goals` turns it into goals. Nodes
are frozen; equality and hashing ignore source positions, so two functions that differ in layout alone are equal.

Conventions
-----------
* Every expression carries its static type. `bool` is a subtype of `int`: a `bool` may stand wherever an `int` is
  expected, and every consumer converts where it needs to (`True + 1` is an `int`).
* Tuple assignment, chained assignment and augmented assignment are lowered to plain `Assign`, `SetItem` and
  `Append` with temporaries whose names start with `$`, in CPython's evaluation order.
* Lists are values: `lower` admits mutation only of a local list that no other name can reach, so that `SetItem`
  and `Append` may be read as assignments of a new value to the variable.
* Inside loop annotations `Old(e)` evaluates `e` on the parameters' values at entry, `Iterations()` is the number
  of completed iterations of that loop, and the target of a `for … in range(…)` loop stands for the value that it
  takes in the iteration about to start (`start + Iterations() * step`). Inside `ensures` clauses the parameters
  stand for their entry values and `Var("result")` for the returned value.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Literal

from verifier.model import Span

# --- types -----------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Scalar:
    """`int`, `bool`, `str` or `None`."""

    name: Literal["int", "bool", "str", "None"]

    def __str__(self) -> str:
        return self.name


@dataclass(frozen=True, slots=True)
class ListOf:
    """`list[int]` or `list[bool]`."""

    item: Scalar

    def __str__(self) -> str:
        return f"list[{self.item}]"


@dataclass(frozen=True, slots=True)
class TupleOf:
    """A tuple of known length; `()` has no items."""

    items: tuple[Type, ...]

    def __str__(self) -> str:
        inside = ", ".join(map(str, self.items))
        return f"tuple[{inside or '()'}]"


Type = Scalar | ListOf | TupleOf
INT, BOOL, STR, NONE = Scalar("int"), Scalar("bool"), Scalar("str"), Scalar("None")

# --- expressions -----------------------------------------------------------------------------------------------

_span = field(compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class Const:
    """A literal; `value` has exactly the Python type that `type` names."""

    value: int | bool | str | None
    type: Type
    span: Span = _span


@dataclass(frozen=True, slots=True)
class Var:
    """A parameter, local, quantified variable, or `result`. Reading an unbound local raises UnboundLocalError."""

    name: str
    type: Type
    span: Span = _span


@dataclass(frozen=True, slots=True)
class Unary:
    """`-x`, `+x`, `~x` on int (or bool, giving int); `not x` by truthiness of any type."""

    op: Literal["-", "+", "~", "not"]
    operand: Expr
    type: Type
    span: Span = _span


@dataclass(frozen=True, slots=True)
class Binary:
    """Arithmetic on int/bool, `+` on lists and on strings, `& | ^` on two bools (giving bool) or on ints.

    `**` has a literal exponent of 0..16; `<<` and `>>` have a literal count of 0..256; `x & m` on ints has a
    literal `m = 2**k - 1`; `|` and `^` are on two bools only. `lower` refuses everything else as unsupported.
    """

    op: Literal["+", "-", "*", "//", "%", "**", "<<", ">>", "&", "|", "^"]
    left: Expr
    right: Expr
    type: Type
    span: Span = _span


CompareOp = Literal["==", "!=", "<", "<=", ">", ">=", "in", "not in"]


@dataclass(frozen=True, slots=True)
class Compare:
    """A chain `a < b <= c`: each operand evaluated at most once, left to right, stopping at the first False.

    `<` and friends compare int/bool only; `==` and `!=` compare values of the same shape (int with bool allowed);
    `in` tests membership in a list of int/bool.
    """

    ops: tuple[CompareOp, ...]
    operands: tuple[Expr, ...]
    type: Type
    span: Span = _span


@dataclass(frozen=True, slots=True)
class BoolOp:
    """`and` / `or`: short-circuit, and the result is an *operand* (its type is the join of the operands')."""

    op: Literal["and", "or"]
    operands: tuple[Expr, ...]
    type: Type
    span: Span = _span


@dataclass(frozen=True, slots=True)
class IfExp:
    """`then if test else orelse`."""

    test: Expr
    then: Expr
    orelse: Expr
    type: Type
    span: Span = _span


@dataclass(frozen=True, slots=True)
class Index:
    """`base[index]` on a list or str (giving a one-character str). Valid iff `-len <= index < len`."""

    base: Expr
    index: Expr
    type: Type
    span: Span = _span


@dataclass(frozen=True, slots=True)
class Item:
    """`base[position]` on a tuple, position known and in range (0-based, already made non-negative)."""

    base: Expr
    position: int
    type: Type
    span: Span = _span


@dataclass(frozen=True, slots=True)
class Slice:
    """`base[lower:upper]` on a list or str, step 1; bounds clamp and negative bounds count from the end."""

    base: Expr
    lower: Expr | None
    upper: Expr | None
    type: Type
    span: Span = _span


@dataclass(frozen=True, slots=True)
class ListLit:
    """`[a, b, …]`, a fresh list."""

    items: tuple[Expr, ...]
    type: Type
    span: Span = _span


@dataclass(frozen=True, slots=True)
class TupleLit:
    """`(a, b, …)`."""

    items: tuple[Expr, ...]
    type: Type
    span: Span = _span


@dataclass(frozen=True, slots=True)
class Builtin:
    """`len(x)`; `abs(n)`; `min(a, b, …)` and `max(a, b, …)` of two or more ints; `bool(x)`; `int(n)`; `list(xs)`."""

    name: Literal["len", "abs", "min", "max", "bool", "int", "list"]
    args: tuple[Expr, ...]
    type: Type
    span: Span = _span


@dataclass(frozen=True, slots=True)
class Call:
    """A call of a pure, non-recursive function of the same module, inlined; one argument a parameter, in order.

    Arguments are evaluated left to right in the order of the *call* (`order` holds parameter positions). A callee's
    own contract is an obligation at the call: icontract would raise there.
    """

    function: Function
    args: tuple[Expr, ...]
    order: tuple[int, ...]
    type: Type
    span: Span = _span


@dataclass(frozen=True, slots=True)
class Range:
    """`range(start, stop, step)`: `step` is a literal other than 0."""

    start: Expr
    stop: Expr
    step: int
    span: Span = _span


@dataclass(frozen=True, slots=True)
class Quantifier:
    """`all(body for variable in domain if condition)` or `any(…)`, stopping early unless `eager` (a list inside).

    Truthiness of `body` and `condition` counts. The variable is visible in `condition` and `body` only.
    """

    kind: Literal["all", "any"]
    variable: str
    variable_type: Type
    domain: Range | Expr
    condition: Expr | None
    body: Expr
    eager: bool
    type: Type
    span: Span = _span


@dataclass(frozen=True, slots=True)
class Old:
    """Annotations only: `operand` on the parameters' entry values."""

    operand: Expr
    type: Type
    span: Span = _span


@dataclass(frozen=True, slots=True)
class Iterations:
    """Annotations only: completed iterations of the annotated `for` loop."""

    type: Type
    span: Span = _span


Expr = (
    Const | Var | Unary | Binary | Compare | BoolOp | IfExp | Index | Item | Slice | ListLit | TupleLit | Builtin
    | Call | Quantifier | Old | Iterations
)  # fmt: skip

# --- statements ------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Assign:
    """`target = value`."""

    target: str
    value: Expr
    span: Span = _span


@dataclass(frozen=True, slots=True)
class SetItem:
    """`target[index] = value` on an unaliased local list; evaluates `value`, then `index`, then stores."""

    target: str
    index: Expr
    value: Expr
    span: Span = _span


@dataclass(frozen=True, slots=True)
class Append:
    """`target.append(value)` on an unaliased local list."""

    target: str
    value: Expr
    span: Span = _span


@dataclass(frozen=True, slots=True)
class Evaluate:
    """An expression statement, kept for what it may raise."""

    value: Expr
    span: Span = _span


@dataclass(frozen=True, slots=True)
class If:
    """`if test: then else: orelse`, by truthiness."""

    test: Expr
    then: tuple[Stmt, ...]
    orelse: tuple[Stmt, ...]
    span: Span = _span


@dataclass(frozen=True, slots=True)
class Annotation:
    """Invariants that hold whenever control reaches the loop's head, and a rank that falls (lexicographically).

    `decreases` is empty where none is given; a `for` loop needs none. Spans point into the text that held them.
    """

    invariants: tuple[Expr, ...] = ()
    decreases: tuple[Expr, ...] = ()


@dataclass(frozen=True, slots=True)
class While:
    """`while test: body else: orelse`. `path` is the dotted source-order index, such as `f.1.0`."""

    path: str
    test: Expr
    body: tuple[Stmt, ...]
    orelse: tuple[Stmt, ...]
    given: Annotation
    span: Span = _span


@dataclass(frozen=True, slots=True)
class For:
    """`for target in iterable: body else: orelse`.

    The iterable is evaluated once; a list iterated over is not mutated in the body (`lower` refuses that). The
    target keeps its last value afterwards and is unbound (or keeps its older value) after an empty loop.
    """

    path: str
    target: str
    target_type: Type
    iterable: Range | Expr
    body: tuple[Stmt, ...]
    orelse: tuple[Stmt, ...]
    given: Annotation
    span: Span = _span


@dataclass(frozen=True, slots=True)
class Break:
    """`break`."""

    span: Span = _span


@dataclass(frozen=True, slots=True)
class Continue:
    """`continue`."""

    span: Span = _span


@dataclass(frozen=True, slots=True)
class Return:
    """`return value` (`value` is a None constant for a bare return)."""

    value: Expr
    span: Span = _span


@dataclass(frozen=True, slots=True)
class Assert:
    """`assert test`: an obligation wherever it stands, since `python -O` would strip it."""

    test: Expr
    span: Span = _span


@dataclass(frozen=True, slots=True)
class Raise:
    """`raise E(args)`: a built-in exception class by name; `args` are evaluated for what they may raise."""

    exception: str
    args: tuple[Expr, ...]
    span: Span = _span


Loop = While | For
Stmt = (
    Assign | SetItem | Append | Evaluate | If | While | For | Break | Continue | Return | Assert | Raise
)  # fmt: skip

# --- functions -------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Clause:
    """One contract expression with the text that a person wrote."""

    expr: Expr
    text: str = field(compare=False)
    span: Span = _span


@dataclass(frozen=True, slots=True)
class Exsures:
    """`exception` (or a subclass) may leave the function, and `clause` holds of the entry values whenever it does."""

    exception: str
    clause: Clause


@dataclass(frozen=True, slots=True)
class Contract:
    """What a function promises. `notation` is `icontract` or `nagini`, or `none` for a safety claim."""

    requires: tuple[Clause, ...] = ()
    ensures: tuple[Clause, ...] = ()
    exsures: tuple[Exsures, ...] = ()
    notation: Literal["icontract", "nagini", "none"] = field(default="none", compare=False)


@dataclass(frozen=True, slots=True)
class Param:
    """A positional-or-keyword parameter."""

    name: str
    type: Type


@dataclass(frozen=True, slots=True)
class Function:
    """A lowered function. `locals` maps every assigned name that is not a parameter to its one static type."""

    name: str
    params: tuple[Param, ...]
    returns: Type
    contract: Contract
    body: tuple[Stmt, ...]
    locals: tuple[tuple[str, Type], ...]
    span: Span = _span


# --- walking ---------------------------------------------------------------------------------------------------


def operands(expr: Expr) -> tuple[Expr, ...]:
    """The direct subexpressions in evaluation order (a callee's body is not included)."""
    match expr:
        case Const() | Var() | Iterations():
            return ()
        case Unary(operand=operand) | Old(operand=operand):
            return (operand,)
        case Binary(left=left, right=right):
            return (left, right)
        case Compare(operands=items) | BoolOp(operands=items) | ListLit(items=items) | TupleLit(items=items):
            return items
        case Builtin(args=items):
            return items
        case Call(args=args, order=order):
            return tuple(args[position] for position in order)
        case IfExp(test=test, then=then, orelse=orelse):
            return (test, then, orelse)
        case Index(base=base, index=index):
            return (base, index)
        case Item(base=base):
            return (base,)
        case Slice(base=base, lower=lower, upper=upper):
            return (base, *(bound for bound in (lower, upper) if bound is not None))
        case Quantifier(domain=domain, condition=condition, body=body):
            ends = (domain.start, domain.stop) if isinstance(domain, Range) else (domain,)
            return (*ends, *((condition,) if condition is not None else ()), body)


def walk(expr: Expr) -> Iterator[Expr]:
    """`expr` and all its subexpressions, outermost first."""
    yield expr
    for operand in operands(expr):
        yield from walk(operand)


def statements(body: tuple[Stmt, ...]) -> Iterator[Stmt]:
    """Every statement in source order, nested ones included."""
    for stmt in body:
        yield stmt
        match stmt:
            case If(then=then, orelse=orelse):
                yield from statements(then)
                yield from statements(orelse)
            case While(body=inner, orelse=orelse) | For(body=inner, orelse=orelse):
                yield from statements(inner)
                yield from statements(orelse)


def expressions(stmt: Stmt) -> tuple[Expr, ...]:
    """The expressions that stand directly in one statement (not those of nested statements or annotations)."""
    match stmt:
        case Assign(value=value) | Append(value=value) | Evaluate(value=value) | Return(value=value):
            return (value,)
        case SetItem(index=index, value=value):
            return (value, index)
        case If(test=test) | While(test=test) | Assert(test=test):
            return (test,)
        case For(iterable=Range(start=start, stop=stop)):
            return (start, stop)
        case For(iterable=iterable):
            assert not isinstance(iterable, Range)
            return (iterable,)
        case Raise(args=args):
            return args
        case Break() | Continue():
            return ()


def loops(body: tuple[Stmt, ...]) -> Iterator[Loop]:
    """Every loop in source order, outer before inner."""
    for stmt in statements(body):
        if isinstance(stmt, While | For):
            yield stmt


def callees(function: Function) -> tuple[Function, ...]:
    """Every function called, directly or through others, from body, contract or annotations; each once."""
    found: dict[str, Function] = {}

    def visit(expr: Expr) -> None:
        for node in walk(expr):
            if isinstance(node, Call) and node.function.name not in found:
                found[node.function.name] = node.function
                scan(node.function)

    def scan(current: Function) -> None:
        contract = current.contract
        for clause in (*contract.requires, *contract.ensures, *(item.clause for item in contract.exsures)):
            visit(clause.expr)
        for stmt in statements(current.body):
            for expr in expressions(stmt):
                visit(expr)
            if isinstance(stmt, While | For):
                for expr in (*stmt.given.invariants, *stmt.given.decreases):
                    visit(expr)

    scan(function)
    return tuple(found.values())


def assigned(body: tuple[Stmt, ...]) -> frozenset[str]:
    """The names that running `body` may assign (loop targets included)."""
    names: set[str] = set()
    for stmt in statements(body):
        match stmt:
            case Assign(target=name) | SetItem(target=name) | Append(target=name) | For(target=name):
                names.add(name)
    return frozenset(names)
