"""The canonical text of a function: equal for twins, different for everything else. Trusted: it enters `claim_key`.

Left out: source positions, docstrings, messages, the contract's notation, the order and repetition of clauses, and
the names of functions, parameters and locals. Kept: everything else of the IR, every static type, the loop annotations
that stand in the source, and the bodies of callees. The text is an S-expression from which the IR could be read back
up to those differences, so two functions share a text only when they are equal up to them (tested as a property).
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field

from checkers.lang import ir
from checkers.lang.renaming import rename_annotations
from verifier.model import Canonical

__all__ = ["CANON_VERSION", "canonicalise", "rename_annotations"]

CANON_VERSION = "program/1"


def canonicalise(function: ir.Function, *, safety: bool, partial: bool) -> Canonical:
    """The canonical text and the renaming: `f -> f0`, `f.x -> f0.v1`, for the function and each callee it names.

    Functions are numbered in the order of their first use. Two callees that differ in name alone stay two callees.
    """
    names = _Names()
    names.number(function)
    texts: list[str] = []
    renaming: dict[str, str] = {}
    for current in names.queue:  # grows while it is walked: printing a function names its callees
        label = f"f{len(texts)}"
        texts.append(_print_function(current, label, names))
        renaming.setdefault(current.name, label)
        for local, number in _numbered(current).items():
            renaming.setdefault(f"{current.name}.{local}", f"{label}.{number}")
    head = f"({CANON_VERSION} (safety {_flag(safety)}) (partial {_flag(partial)})"
    return Canonical("\n".join([head, *texts]) + ")\n", renaming)


@dataclass(slots=True)
class _Names:
    """Callees by first use (`number`), and by content for sorting clauses (`digest`, which numbers nothing)."""

    queue: list[ir.Function] = field(default_factory=list)
    numbers: dict[tuple[str, str], str] = field(default_factory=dict)
    digests: dict[int, str] = field(default_factory=dict)

    def number(self, function: ir.Function) -> str:
        """`f0` for the first function that is asked for, and so on."""
        key = (function.name, self.digest(function))
        if key not in self.numbers:
            self.numbers[key] = f"f{len(self.queue)}"
            self.queue.append(function)
        return self.numbers[key]

    def digest(self, function: ir.Function) -> str:
        """A name that depends on the callee's canonical content alone."""
        if id(function) not in self.digests:
            text = _print_function(function, "f", self, final=False)
            self.digests[id(function)] = "#" + hashlib.sha256(text.encode()).hexdigest()
        return self.digests[id(function)]


_ASSIGNING = ir.Assign | ir.SetItem | ir.Append | ir.For


def _numbered(function: ir.Function) -> dict[str, str]:
    """Parameters in order, then locals in the order in which the body assigns them, then any others."""
    names = [param.name for param in function.params]
    targets = (stmt for stmt in ir.statements(function.body) if isinstance(stmt, _ASSIGNING))
    names.extend(stmt.target for stmt in targets)
    names.extend(name for name, _ in function.locals)
    return {name: f"v{number}" for number, name in enumerate(dict.fromkeys(names))}


# --- functions and contracts -----------------------------------------------------------------------------------


def _print_function(function: ir.Function, label: str, names: _Names, *, final: bool = True) -> str:
    scope = _numbered(function)
    callee = names.number if final else names.digest
    types = {**{param.name: param.type for param in function.params}, **dict(function.locals)}
    variables = [f"({number} {_type(types[name]) if name in types else '?'})" for name, number in scope.items()]

    def clauses(kind: str, found: Iterable[tuple[str, ir.Clause]], inner: Mapping[str, str]) -> list[str]:
        """Sorted by their text under content names, which no numbering influences; printed once each."""
        items = [(head, _Task(clause.expr, inner, 0)) for head, clause in found]
        items.sort(key=lambda item: (item[0], _render([item[1]], names.digest)))
        return list(dict.fromkeys(f"({kind}{head} {_render([task], callee)})" for head, task in items))

    contract = function.contract
    parts = [
        f"(function {label} {len(function.params)} {_type(function.returns)} (variables {' '.join(variables)})",
        *clauses("requires", (("", clause) for clause in contract.requires), scope),
        *clauses("ensures", (("", clause) for clause in contract.ensures), {**scope, "result": "result"}),
        *clauses("exsures", ((f" {item.exception!a}", item.clause) for item in contract.exsures), scope),
        _render([*_block("body", function.body, _Task(None, scope, 0, function.name))], callee),
    ]
    return "\n".join(parts) + ")"


def _flag(value: bool) -> str:
    return "true" if value else "false"


def _atom(value: int | bool | str | None) -> str:
    """A constant. `ascii` tells all strings apart, lone surrogates included; hexadecimal has no limit of digits."""
    match value:
        case None:
            return "none"
        case bool():
            return _flag(value)
        case int():
            return str(value) if value.bit_length() < 64 else f"{value:#x}"
        case str():
            return ascii(value)


def _type(kind: ir.Type) -> str:
    match kind:
        case ir.Scalar(name=name):
            return name
        case ir.ListOf(item=item):
            return f"(list {_type(item)})"
        case ir.TupleOf(items=items):
            return f"({' '.join(['tuple', *map(_type, items)])})"


# --- nodes -----------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class _Task:
    """A node still to be printed, the printed names in scope, and how many quantifiers stand around it."""

    node: ir.Expr | ir.Stmt | None
    scope: Mapping[str, str]
    depth: int
    function: str = ""

    def at(self, node: ir.Expr | ir.Stmt) -> _Task:
        """The same place for another node."""
        return _Task(node, self.scope, self.depth, self.function)

    def bind(self, variable: str) -> _Task:
        """The place inside a quantifier: its variable is named by its depth."""
        return _Task(None, {**self.scope, variable: f"q{self.depth}"}, self.depth + 1, self.function)


_Part = str | _Task


def _render(parts: list[_Part], callee: Callable[[ir.Function], str]) -> str:
    """Print without recursion, so that no nesting is too deep."""
    done: list[str] = []
    pending = parts[::-1]
    while pending:
        part = pending.pop()
        if isinstance(part, str):
            done.append(part)
        else:
            pending.extend(reversed(_expand(part, callee)))
    return " ".join(done)


def _name(name: str, task: _Task) -> str:
    return task.scope.get(name) or f"(free {name!a})"


def _expand(task: _Task, callee: Callable[[ir.Function], str]) -> list[_Part]:
    """A node as `(kind type details operands…)`. Optional and repeated operands are counted or marked."""
    node, at = task.node, task.at
    match node:
        case ir.Const(value=value, type=kind):
            return [f"(const {_type(kind)} {_atom(value)})"]
        case ir.Var(name=name, type=kind):
            return [f"(var {_type(kind)} {_name(name, task)})"]
        case ir.Iterations(type=kind):
            return [f"(iterations {_type(kind)})"]
        case ir.Compare(ops=ops, operands=operands, type=kind):
            chain = " ".join(f"'{op}'" for op in ops)
            return [f"(compare {_type(kind)} ({chain})", *map(at, operands), ")"]
        case ir.Item(base=base, position=position, type=kind):
            return [f"(item {_type(kind)} {position}", at(base), ")"]
        case ir.Slice(base=base, lower=lower, upper=upper, type=kind):
            ends: list[_Part] = ["-" if end is None else at(end) for end in (lower, upper)]
            return [f"(slice {_type(kind)}", at(base), *ends, ")"]
        case ir.Call(function=function, args=args, order=order, type=kind):
            turns = " ".join(map(str, order))
            return [f"(call {_type(kind)} {callee(function)} ({turns})", *map(at, args), ")"]
        case ir.Quantifier():
            return _expand_quantifier(node, task)
        case ir.Unary() | ir.Binary() | ir.BoolOp() | ir.Builtin():
            head = node.name if isinstance(node, ir.Builtin) else node.op
            return [f"({_KINDS[type(node)]} {_type(node.type)} {head}", *map(at, ir.operands(node)), ")"]
        case ir.IfExp() | ir.Index() | ir.ListLit() | ir.TupleLit() | ir.Old():
            return [f"({_KINDS[type(node)]} {_type(node.type)}", *map(at, ir.operands(node)), ")"]
        case None:
            return []
    return _expand_statement(node, task)


_KINDS: dict[type, str] = {
    ir.Unary: "unary", ir.Binary: "binary", ir.BoolOp: "boolop", ir.Builtin: "builtin",
    ir.IfExp: "ifexp", ir.Index: "index", ir.ListLit: "list", ir.TupleLit: "tuple", ir.Old: "old",
    ir.Assign: "assign", ir.Append: "append", ir.Evaluate: "evaluate", ir.Return: "return", ir.Assert: "assert",
    ir.Break: "break", ir.Continue: "continue",
}  # fmt: skip


def _expand_quantifier(node: ir.Quantifier, task: _Task) -> list[_Part]:
    inner = task.bind(node.variable)
    kind = f"{node.kind} {_flag(node.eager)} {_type(node.variable_type)}"
    condition: list[_Part] = ["-" if node.condition is None else inner.at(node.condition)]
    domain = _domain(node.domain, task)
    return [f"(quantifier {_type(node.type)} {kind}", *domain, *condition, inner.at(node.body), ")"]


def _domain(domain: ir.Range | ir.Expr, task: _Task) -> list[_Part]:
    if isinstance(domain, ir.Range):
        return [f"(range {domain.step}", task.at(domain.start), task.at(domain.stop), ")"]
    return [task.at(domain)]


def _block(label: str, body: tuple[ir.Stmt, ...], task: _Task) -> list[_Part]:
    return [f"({label}", *map(task.at, body), ")"]


def _expand_statement(node: ir.Stmt, task: _Task) -> list[_Part]:
    at = task.at
    match node:
        case ir.SetItem(target=target, index=index, value=value):
            return [f"(setitem {_name(target, task)}", at(index), at(value), ")"]
        case ir.If(test=test, then=then, orelse=orelse):
            return ["(if", at(test), *_block("then", then, task), *_block("else", orelse, task), ")"]
        case ir.While(test=test) | ir.For(iterable=test):
            return _expand_loop(node, test, task)
        case ir.Raise(exception=exception, args=args):
            return [f"(raise {exception!a}", *map(at, args), ")"]
        case ir.Assign(target=target) | ir.Append(target=target):
            return [f"({_KINDS[type(node)]} {_name(target, task)}", *map(at, ir.expressions(node)), ")"]
    return [f"({_KINDS[type(node)]}", *map(at, ir.expressions(node)), ")"]


def _expand_loop(node: ir.Loop, domain: ir.Range | ir.Expr, task: _Task) -> list[_Part]:
    """Paths are printed without the function's name; annotations keep their order (a rank is lexicographic)."""
    path = node.path.removeprefix(task.function)
    head = "(while"
    if isinstance(node, ir.For):
        head = f"(for {_name(node.target, task)} {_type(node.target_type)}"
    return [
        f"{head} {path!a}",
        *_domain(domain, task),
        "(invariants", *map(task.at, node.given.invariants), ")",
        "(decreases", *map(task.at, node.given.decreases), ")",
        *_block("body", node.body, task),
        *_block("else", node.orelse, task),
        ")",
    ]  # fmt: skip
