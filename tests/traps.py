"""Trap programs: reading them from their files, and CPython's own opinion about each truth that they state.

A file holds a prelude (docstring and imports) and sections. A section starts with `# === name: truth`, is a module of
its own together with the prelude, and makes one claim, about the function `name`. Truths: `true` (CPython meets the
contract), `false` (it does not, or does not end), `never` (the contract itself is void or can raise, so nothing may be
decided), `unsupported` (outside the subset).
"""

from __future__ import annotations

import ast
import builtins
import copy
import inspect
import itertools
import linecache
import re
import warnings
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from types import SimpleNamespace
from typing import Any

from tests.soundness import EDGES, Late, limited

FOLDER = Path(__file__).parent / "adversarial" / "programs"
_MARK = re.compile(r"^# === (\w+): (\w+)\n", re.MULTILINE)
_INTS = tuple(range(-7, 12))
_VALUES: dict[str, tuple[Any, ...]] = {
    "bool": (False, True),
    "str": ("", "a", "b", "ab", "ba", "aa", "\U0010ffff", "\udfff"),
    "list[int]": tuple(list(items) for size in range(4) for items in itertools.product((-2, 0, 1, 3), repeat=size)),
    "list[bool]": tuple(list(items) for size in range(5) for items in itertools.product((False, True), repeat=size)),
}


@dataclass(frozen=True, slots=True)
class Trap:
    """One claim with its stated truth."""

    file: str
    name: str
    truth: str
    source: str


def traps() -> Iterator[Trap]:
    """All trap programs, file by file, in order."""
    for path in sorted(FOLDER.glob("*.py")):
        prelude, *parts = _MARK.split(path.read_text(encoding="utf-8"))
        for name, truth, body in zip(parts[::3], parts[1::3], parts[2::3], strict=True):
            yield Trap(path.stem, name, truth, prelude + body)


@dataclass(frozen=True, slots=True)
class Clauses:
    """A contract as CPython can evaluate it: callables over the parameters and `result`."""

    requires: tuple[Any, ...]
    ensures: tuple[Any, ...]
    exsures: tuple[tuple[type[BaseException], Any], ...]
    old: Mapping[str, Any]

    def snapshots(self, env: Mapping[str, Any]) -> Any:
        """What `OLD` holds for these arguments."""
        return SimpleNamespace(**{name: capture(copy.deepcopy(env)) for name, capture in self.old.items()})


@contextmanager
def loaded(trap: Trap) -> Iterator[dict[str, Any]]:
    """The module of a trap; what it did to the built-ins is undone afterwards."""
    kept = dict(vars(builtins))
    space: dict[str, Any] = {"__name__": "trap"}
    file = f"<{trap.name}>"
    try:
        # icontract shows the text of a condition that is broken.
        linecache.cache[file] = (len(trap.source), None, trap.source.splitlines(keepends=True), file)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            exec(compile(trap.source, file, "exec", dont_inherit=True), space)
        yield space
    finally:
        vars(builtins).update(kept)
        linecache.cache.pop(file, None)


def opinion(trap: Trap) -> tuple[int, str | None]:
    """How many valid inputs were tried, and the first on which CPython breaks the contract, in words."""
    with loaded(trap) as space:
        node = [item for item in ast.parse(trap.source).body if isinstance(item, ast.FunctionDef)]
        node = [item for item in node if item.name == trap.name]
        params = [argument.arg for argument in node[-1].args.args]
        kinds = [ast.unparse(argument.annotation) for argument in node[-1].args.args if argument.annotation]
        function = space[trap.name]
        clauses = _clauses(node[-1], function, space)
        bare = inspect.unwrap(function) if hasattr(function, "__preconditions__") else function
        tried = late = 0
        for arguments in _domain(trap.source, kinds):
            env = dict(zip(params, arguments, strict=True))
            if not all(clause(copy.deepcopy(env)) for clause in clauses.requires):
                continue
            tried += 1
            broken = _broken(bare, clauses, env)
            if broken != "late":
                if broken is not None:
                    return tried, f"{env}: {broken}"
            elif all(abs(value) < 20 for value in arguments if isinstance(value, int)):
                return tried, f"{env}: does not end"
            elif (late := late + 1) > 3:
                break
        return tried, None


def _broken(function: Any, clauses: Clauses, env: dict[str, Any]) -> str | None:
    env = {**env, "OLD": clauses.snapshots(env)}
    try:
        with limited(0.1):
            result = function(*copy.deepcopy([value for name, value in env.items() if name != "OLD"]))
    except (Late, RecursionError):
        return "late"
    except BaseException as error:  # noqa: BLE001 - a trap may raise anything
        conditions = [condition for kind, condition in clauses.exsures if isinstance(error, kind)]
        listed = bool(conditions) and all(condition(copy.deepcopy(env)) for condition in conditions)
        return None if listed else f"raises {error!r}"
    try:
        fine = all(clause({**copy.deepcopy(env), "result": result}) for clause in clauses.ensures)
    except Exception as error:  # noqa: BLE001
        return f"returns {result!r}, and the contract raises {error!r}"
    return None if fine else f"returns {result!r}"


def _clauses(node: ast.FunctionDef, function: Any, space: dict[str, Any]) -> Clauses:
    requires: list[Any] = []
    ensures: list[Any] = []
    exsures: list[tuple[type[BaseException], Any]] = []
    for group in getattr(function, "__preconditions__", []):
        requires += [_condition(contract) for contract in group]
    ensures += [_condition(contract) for contract in getattr(function, "__postconditions__", [])]
    for stmt in node.body:
        if isinstance(stmt, ast.Expr) and isinstance(stmt.value, ast.Call):
            call = stmt.value
            match getattr(space.get(ast.unparse(call.func)), "__name__", None):
                case "Requires":
                    requires.append(_expression(call.args[0], space))
                case "Ensures":
                    ensures.append(_expression(call.args[0], space))
                case "Exsures":
                    exsures.append((eval(ast.unparse(call.args[0]), space), _expression(call.args[1], space)))
    taken = getattr(function, "__postcondition_snapshots__", [])
    old = {snapshot.name: _callable(snapshot.capture, snapshot.args) for snapshot in taken}
    return Clauses(tuple(requires), tuple(ensures), tuple(exsures), old)


def _condition(contract: Any) -> Any:
    return _callable(contract.condition, contract.condition_args)


def _callable(function: Any, names: Sequence[str]) -> Any:
    def evaluate(env: Mapping[str, Any]) -> Any:
        return function(**{name: env[name] for name in names if name in env})

    return evaluate


def _expression(node: ast.expr, space: dict[str, Any]) -> Any:
    code = compile(ast.Expression(node), "contract", "eval")

    def evaluate(env: Mapping[str, Any]) -> Any:
        return eval(code, {**space, **env, "Result": lambda: env["result"]})

    return evaluate


def _domain(source: str, kinds: list[str], most: int = 600) -> Iterator[list[Any]]:
    ints = tuple(dict.fromkeys((*_INTS, *_constants(source), *EDGES)))
    pools = [ints if kind == "int" else _VALUES[kind] for kind in kinds]
    total = 1
    for pool in pools:
        total *= len(pool)
    stride = max(1, total // most) | 1
    for number in range(0, total, stride):
        arguments, rest = [], number
        for pool in pools:
            rest, place = divmod(rest, len(pool))
            arguments.append(copy.deepcopy(pool[place]))
        yield arguments


def _constants(source: str) -> Iterator[int]:
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Constant | ast.BinOp):
            try:
                value = eval(ast.unparse(node), {"__builtins__": {}})
            except Exception:  # noqa: BLE001
                continue
            if type(value) is int and abs(value) < 2**70:
                yield from (value - 1, value, value + 1)
