"""Runs a module on trial, input by input, and reports what happened. Standard library only; behind the fences.

Each input gets a fresh execution of the module, fresh copies of its arguments, and a share of CPU time. Whatever the
code does, BaseException included, ends that input alone. The code shares this interpreter and can forge a report:
the parent knows.
"""

from __future__ import annotations

import ast
import linecache
import signal
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from inspect import unwrap
from types import CodeType, FrameType, FunctionType, ModuleType, SimpleNamespace
from typing import Any

from checkers.sandbox import shims
from checkers.sandbox.excerpt import excerpt

MODULE = "claim"
LONGEST = 65536
"""Characters of one literal in a report; longer ones are cut."""
LOADING = 1.0
"""CPU seconds for loading the module once."""

Values = tuple[Any, ...]


class Expired(BaseException):
    """The CPU share of one input is used up."""


def literal(value: Any) -> str:
    """A value as Python text; a class outside the plain ones shows as `<module.Class>`. Never runs user code."""
    kind = type(value)
    if kind is list:
        return f"[{', '.join(map(literal, value))}]"
    if kind is tuple:
        return f"({', '.join(map(literal, value))}{',' if len(value) == 1 else ''})"
    return repr(value) if kind in (int, bool, str, float, type(None)) else f"<{naming(kind)}>"


def naming(kind: type) -> str:
    """A class's name, dotted unless it is built in."""
    name, module = type.__getattribute__(kind, "__name__"), kind.__dict__.get("__module__", "builtins")
    return str(name) if module == "builtins" else f"{module}.{name}"


@contextmanager
def limited(seconds: float) -> Iterator[None]:
    """Raise Expired, again and again, once the block has used this much CPU time."""
    signal.setitimer(signal.ITIMER_PROF, seconds, 0.05)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)


def _expire(_signal: int, _frame: FrameType | None) -> None:
    raise Expired


class Subject:
    """The module and contract on trial, compiled once. Where the whole module does not load, the part that the function
    needs stands for it. Raises SyntaxError, and what compiling or loading raises."""

    def __init__(self, job: dict[str, Any]) -> None:
        signal.signal(signal.SIGPROF, _expire)
        sys.set_int_max_str_digits(0)
        self.function = str(job["function"])
        source = str(job["source"])
        # icontract quotes the source when it reports; without this entry it would fail instead.
        linecache.cache[f"<{MODULE}>"] = (len(source), None, source.splitlines(True), f"<{MODULE}>")
        tree = ast.parse(source)
        names = shims.aliases(tree)
        self.requires = [shims.expression(text, names) for text in job["requires"]]
        self.ensures = [shims.expression(text, names) for text in job["ensures"]]
        tree = shims.strip(tree)
        try:
            self._try(tree)
        except BaseException:  # noqa: BLE001 - code on trial may raise anything
            self._try(excerpt(tree, self.function))

    def _try(self, tree: ast.Module) -> None:
        self.code: CodeType = compile(tree, f"<{MODULE}>", "exec", dont_inherit=True)
        with limited(LOADING):
            self.load()

    def load(self) -> tuple[dict[str, Any], Callable[..., Any], tuple[str, ...]]:
        """A fresh run of the module: its names, the function, the function's parameters."""
        module = ModuleType(MODULE)
        sys.modules[MODULE] = module
        exec(self.code, module.__dict__)
        found: Any = module
        for part in self.function.split("."):
            found = getattr(found, part)
        code = unwrap(found).__code__
        return module.__dict__, found, code.co_varnames[: code.co_argcount]


def clause(expr: ast.expr, names: Sequence[str], scope: dict[str, Any]) -> Callable[..., Any]:
    """A contract expression as a function of `names`; a function, so that nested scopes see the parameters."""
    arguments = ast.arguments([], [ast.arg(name) for name in names], None, [], [], None, [])
    tree = ast.fix_missing_locations(ast.Expression(ast.Lambda(arguments, expr)))
    made: Callable[..., Any] = eval(compile(tree, "<contract>", "eval", dont_inherit=True), scope)
    return made


def snapshots(function: Callable[..., Any], params: Sequence[str], values: Values) -> dict[str, Any]:
    """What the snapshots of icontract would keep of the entry values; one that raises is left out."""
    entry = dict(zip(params, values, strict=True))
    kept: dict[str, Any] = {}
    for item in getattr(function, "__postcondition_snapshots__", None) or ():
        with suppress(Exception):
            kept[item.name] = item.capture(**{name: copy(entry[name]) for name in item.args})
    return kept


def holds(exprs: Sequence[ast.expr], names: Sequence[str], scope: dict[str, Any], values: Values) -> list[bool | None]:
    """Each clause by truth, None where it raised. Expired passes through."""
    found: list[bool | None] = []
    for expr in exprs:
        try:
            value = clause(expr, names, scope)(*values)
            if isinstance(value, FunctionType):  # icontract's conditions may be functions that are given by name
                code, entry = value.__code__, dict(zip(names, values, strict=True))
                value = value(**{name: entry[name] for name in code.co_varnames[: code.co_argcount]})
            found.append(bool(value))
        except Expired:
            raise
        except BaseException:  # noqa: BLE001 - code on trial may raise anything
            found.append(None)
    return found


def admits(subject: Subject, params: Sequence[str], names: dict[str, Any], values: Values) -> bool | None:
    """Whether the precondition holds, clause by clause: the first that is not True decides."""
    for expr in subject.requires:
        (verdict,) = holds([expr], params, names, values)
        if verdict is not True:
            return verdict
    return True


def post(
    subject: Subject,
    function: Callable[..., Any],
    params: Sequence[str],
    names: dict[str, Any],
    entry: Values,
    result: Any,
) -> list[bool | None]:
    """Each postcondition on the entry values and the result."""
    old = SimpleNamespace(**snapshots(function, params, entry))
    return holds(subject.ensures, (*params, "result"), {**names, "OLD": old}, (*entry, result))


def copy(value: Any) -> Any:
    """A deep copy of plain data that keeps which lists are one and the same."""
    return _copy(value, {})


def _copy(value: Any, seen: dict[int, Any]) -> Any:
    if isinstance(value, list):
        if id(value) not in seen:
            seen[id(value)] = [_copy(item, seen) for item in value]
        return seen[id(value)]
    return tuple(_copy(item, seen) for item in value) if isinstance(value, tuple) else value


def blank(status: str) -> dict[str, Any]:
    """A report without findings."""
    return {"status": status, "value": "", "type": "", "exception": "", "mro": [], "pre": None, "post": [], "after": []}


def observe(subject: Subject, inputs: Values, *, seconds: float) -> dict[str, Any]:
    """Run one input and report. Never raises, except for what arrives between two of its own steps."""
    report = blank("error")
    try:
        with limited(seconds):
            _observe(subject, inputs, report)
    except Expired:
        report["status"] = "killed"
    except BaseException as error:  # noqa: BLE001 - code on trial may raise anything
        report["exception"] = type(error).__name__
    return report


def _observe(subject: Subject, inputs: Values, report: dict[str, Any]) -> None:
    names, function, params = subject.load()
    entry, arguments = copy(inputs), list(copy(inputs))
    report["pre"] = admits(subject, params, names, entry)
    if report["pre"] is not True:
        return
    try:
        result = function(*arguments)
    except Expired:
        raise
    except BaseException as error:  # noqa: BLE001 - code on trial may raise anything
        kind = type(error)
        report.update(status="raised", exception=kind.__name__, mro=[naming(item) for item in kind.__mro__])
    else:
        report.update(status="returned", value=literal(result)[:LONGEST], type=type(result).__name__)
        report["post"] = post(subject, function, params, names, copy(inputs), result)
    report["after"] = [literal(item)[:LONGEST] for item in arguments]


def run(job: dict[str, Any], emit: Callable[[dict[str, Any]], None]) -> None:
    """Observe every input of a trial in order, reporting each as soon as it is known."""
    try:
        subject = Subject(job)
    except BaseException as error:  # noqa: BLE001 - code on trial may raise anything
        emit({**blank("error"), "exception": type(error).__name__, "fatal": True})
        return
    share = max(0.2, float(job["seconds"]) / max(1, len(job["inputs"])))
    finish = time.monotonic() + float(job["seconds"])
    for texts in job["inputs"]:
        inputs = tuple(ast.literal_eval(text) for text in texts)
        emit(observe(subject, inputs, seconds=max(0.05, min(share, finish - time.monotonic()))))
