"""Reads contracts as syntax: icontract decorators and Nagini calls become one list of conditions.

Order matters, since a clause is evaluated only after those before it: icontract evaluates decorators from the function
outwards (the lowest first), Nagini's calls stand in source order. Anything that is not understood exactly raises.
"""

from __future__ import annotations

import ast
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal, NoReturn

from checkers.lang.contract_names import CLAUSES, LOOP_NOTES, Library, contract_name, decorator, pep316
from checkers.lang.lower_source import Source
from verifier.errors import Unsupported, VerifierError


@dataclass(frozen=True, slots=True)
class Condition:
    """One condition. `arguments` are a lambda's parameters; None where all of the function's names are visible.

    `named` when the condition is not a lambda but the name of a module-level function.
    """

    body: ast.expr
    arguments: tuple[str, ...] | None = None
    named: bool = False


@dataclass(frozen=True, slots=True)
class Conditions:
    """A function's contract as syntax, and the statements that are left when it is taken away.

    `names` are the module-level names through which the libraries were reached.
    """

    notation: Literal["icontract", "nagini", "none"]
    body: tuple[ast.stmt, ...]
    requires: tuple[Condition, ...] = ()
    ensures: tuple[Condition, ...] = ()
    exsures: tuple[tuple[ast.expr, Condition], ...] = ()
    snapshots: Mapping[str, Condition] = field(default_factory=dict)
    names: tuple[str, ...] = ()


def bad(source: Source, node: ast.AST, message: str) -> NoReturn:
    """Raise the error for a contract that nobody could evaluate."""
    raise VerifierError("bad-contract", message, span=source.text.span(node))


def read_conditions(source: Source, node: ast.FunctionDef, hidden: frozenset[str]) -> Conditions:
    """The contract of a function; `hidden` are its local names. Raises Unsupported, VerifierError (`bad-contract`)."""
    if pep316(node):
        raise Unsupported("PEP 316 contract in the docstring", source.text.span(node.body[0]))
    decorated = _Decorators(source, node)
    nagini = _read_top(source, node, hidden)
    if decorated.count and (nagini.requires or nagini.ensures):
        raise Unsupported("two contract notations on one function", source.text.span(node))
    names = tuple(sorted({*decorated.names, *nagini.names}))
    if not decorated.count:
        return Conditions(nagini.notation, nagini.body, nagini.requires, nagini.ensures, nagini.exsures, names=names)
    return Conditions(
        "icontract",
        nagini.body,
        tuple(reversed(decorated.requires)),
        tuple(reversed(decorated.ensures)),
        nagini.exsures,
        decorated.snapshots,
        names,
    )


# --- icontract -------------------------------------------------------------------------------------------------


class _Decorators:
    """The decorators of one function, top to bottom."""

    def __init__(self, source: Source, node: ast.FunctionDef) -> None:
        self.source = source
        self.params = {arg.arg for arg in node.args.args}
        self.requires: list[Condition] = []
        self.ensures: list[Condition] = []
        self.snapshots: dict[str, Condition] = {}
        self.names: set[str] = set()
        self.count = len(node.decorator_list)
        last_ensure = -1
        for position, item in enumerate(node.decorator_list):
            if self._read(item) == "ensure":
                last_ensure = position
        for position, item in enumerate(node.decorator_list):
            library = decorator(source, item)
            if library is not None and library.name == "snapshot" and position > last_ensure:
                bad(source, item, "icontract refuses a snapshot that stands below every postcondition")

    def _read(self, item: ast.expr) -> str:
        library = decorator(self.source, item)
        shown = self.source.text.segment(item.func if isinstance(item, ast.Call) else item)
        span = self.source.text.span(item)
        if library is None:
            raise Unsupported(f"decorator `{shown}`", span)
        if library.notation != "icontract":
            raise Unsupported(f"contract in the notation of {library.notation} (`{shown}`)", span)
        if not library.sure:
            raise Unsupported(f"decorator `{shown}`: its name is not bound once, by an import of icontract", span)
        if library.name not in ("require", "ensure", "snapshot"):
            raise Unsupported(f"decorator `{shown}`", span)
        if not isinstance(item, ast.Call):
            bad(self.source, item, f"`{shown}` needs a condition")
        self.names.add(library.bound)
        if library.name == "snapshot":
            self._snapshot(item)
        else:
            self._condition(item, library)
        return library.name

    def _condition(self, call: ast.Call, library: Library) -> None:
        given = self._arguments(call, ("condition", "description", "a_repr", "enabled", "error"))
        for name, value in given.items():
            if name in ("error", "a_repr"):
                raise Unsupported(f"`{name}` in an icontract decorator", self.source.text.span(value))
        description = given.get("description")
        if description is not None and not _is_text(description):
            raise Unsupported("icontract description that is not a constant string", self.source.text.span(description))
        if "condition" not in given:
            bad(self.source, call, "the decorator has no condition")
        extra = {"result", "OLD"} if library.name == "ensure" else set()
        condition = self._lambda(given["condition"], extra)
        (self.ensures if library.name == "ensure" else self.requires).append(condition)

    def _snapshot(self, call: ast.Call) -> None:
        given = self._arguments(call, ("capture", "name", "enabled"))
        if "capture" not in given:
            bad(self.source, call, "the snapshot has no capture")
        condition = self._lambda(given["capture"], set())
        name = given.get("name")
        if name is None:
            arguments = condition.arguments or ()
            if len(arguments) != 1:
                bad(self.source, call, "a snapshot of several arguments needs a name")
            label = arguments[0]
        elif isinstance(name, ast.Constant) and isinstance(name.value, str):
            label = name.value
        else:
            raise Unsupported("snapshot name that is not a constant string", self.source.text.span(name))
        if label in self.snapshots:
            bad(self.source, call, f"there are two snapshots named `{label}`")
        self.snapshots[label] = condition

    def _arguments(self, call: ast.Call, names: Sequence[str]) -> dict[str, ast.expr]:
        span = self.source.text.span(call)
        if any(isinstance(item, ast.Starred) for item in call.args) or any(word.arg is None for word in call.keywords):
            raise Unsupported("unpacked arguments in a contract decorator", span)
        if len(call.args) > len(names):
            bad(self.source, call, "the decorator has too many arguments")
        given = dict(zip(names, call.args, strict=False))
        for word in call.keywords:
            assert word.arg is not None
            if word.arg in given or word.arg not in names:
                bad(self.source, call, f"the decorator cannot take `{word.arg}`")
            given[word.arg] = word.value
        enabled = given.get("enabled")
        if enabled is not None and not (isinstance(enabled, ast.Constant) and enabled.value is True):
            raise Unsupported("`enabled` in a contract decorator", self.source.text.span(enabled))
        return given

    def _lambda(self, node: ast.expr, extra: set[str]) -> Condition:
        if isinstance(node, ast.Name):
            return Condition(node, None, named=True)
        if not isinstance(node, ast.Lambda):
            raise Unsupported("contract condition that is not a lambda", self.source.text.span(node))
        args = node.args
        if args.defaults or args.kw_defaults or args.vararg or args.kwarg or args.posonlyargs:
            raise Unsupported("parameters of the condition other than plain ones", self.source.text.span(node))
        names = tuple(arg.arg for arg in args.args)
        for arg in args.args:
            check_argument(self.source, arg, arg.arg, self.params, extra)
        return Condition(node.body, names)


def check_argument(source: Source, node: ast.AST, name: str, params: set[str], extra: set[str]) -> None:
    """Raise unless icontract can supply the argument `name` to a condition."""
    if name in ("_ARGS", "_KWARGS"):
        raise Unsupported(f"`{name}` in a contract", source.text.span(node))
    if name in params or name in extra:
        return
    if name in ("result", "OLD"):
        bad(source, node, f"`{name}` is not available in this condition, only in a postcondition")
    bad(source, node, f"the condition names `{name}`, which is not a parameter of the function")


def _is_text(node: ast.expr) -> bool:
    return isinstance(node, ast.Constant) and isinstance(node.value, str)


# --- Nagini ----------------------------------------------------------------------------------------------------


def _read_top(source: Source, node: ast.FunctionDef, hidden: frozenset[str]) -> Conditions:
    """The clauses at the top of a body, after the docstring."""
    body = list(node.body)
    if isinstance(body[0], ast.Expr) and _is_text(body[0].value):
        body.pop(0)
    requires: list[Condition] = []
    ensures: list[Condition] = []
    exsures: list[tuple[ast.expr, Condition]] = []
    names: set[str] = set()
    while body:
        found = _nagini_call(source, body[0], hidden, CLAUSES)
        if found is None:
            break
        call, library = found
        names.add(library.bound)
        if library.name == "Exsures":
            _expect(source, call, library.name, 2)
            exsures.append((call.args[0], Condition(call.args[1])))
        else:
            _expect(source, call, library.name, 1)
            (requires if library.name == "Requires" else ensures).append(Condition(call.args[0]))
        body.pop(0)
    kind: Literal["nagini", "none"] = "nagini" if names else "none"
    return Conditions(
        kind, tuple(body), tuple(requires), tuple(ensures), tuple(exsures), names=tuple(names)
    )  # fmt: skip


@dataclass(frozen=True, slots=True)
class Notes:
    """The annotations at the top of a loop's body as syntax, and the statements that are left."""

    invariants: tuple[ast.expr, ...]
    decreases: tuple[ast.expr, ...]
    body: tuple[ast.stmt, ...]
    names: tuple[str, ...]


def read_notes(source: Source, body: Sequence[ast.stmt], hidden: frozenset[str]) -> Notes:
    """`Invariant` and `Decreases` at the top of a loop's body. Raises Unsupported, VerifierError (`bad-contract`)."""
    invariants: list[ast.expr] = []
    decreases: list[ast.expr] = []
    names: list[str] = []
    rest = list(body)
    while rest:
        found = _nagini_call(source, rest[0], hidden, LOOP_NOTES)
        if found is None:
            break
        call, library = found
        names.append(library.bound)
        if library.name == "Decreases" and len(call.args) == 2:
            raise Unsupported("condition of `Decreases`", source.text.span(call.args[1]))
        _expect(source, call, library.name, 1)
        if library.name == "Invariant":
            invariants.append(call.args[0])
        elif decreases:
            raise Unsupported("second `Decreases` of one loop", source.text.span(call))
        else:
            ranks = call.args[0]
            decreases.extend(ranks.elts if isinstance(ranks, ast.Tuple) else [ranks])
        rest.pop(0)
    return Notes(tuple(invariants), tuple(decreases), tuple(rest), tuple(names))


def _nagini_call(
    source: Source, stmt: ast.stmt, hidden: frozenset[str], names: frozenset[str]
) -> tuple[ast.Call, Library] | None:
    if not (isinstance(stmt, ast.Expr) and isinstance(stmt.value, ast.Call)):
        return None
    library = contract_name(source, stmt.value.func, hidden)
    if library is None or library.notation != "nagini" or library.name not in names:
        return None
    if not library.sure:
        place = source.text.span(stmt)
        raise Unsupported(f"`{library.name}`: its name is not bound once, by an import of contract names", place)
    return stmt.value, library


def _expect(source: Source, call: ast.Call, name: str, count: int) -> None:
    if call.keywords or any(isinstance(item, ast.Starred) for item in call.args):
        raise Unsupported(f"keyword or unpacked arguments of `{name}`", source.text.span(call))
    if len(call.args) != count:
        bad(source, call, f"`{name}` takes {count} argument{'s' if count > 1 else ''}, not {len(call.args)}")
