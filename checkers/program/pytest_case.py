"""A counterexample as a runnable pytest file: it fails while the bug is there and passes once it is gone."""

from __future__ import annotations

import ast
import builtins
import textwrap
from collections.abc import Iterator, Sequence
from pathlib import PurePath

from checkers.lang import ir
from checkers.lang.interp import Cycle, Judgement, Value
from checkers.lang.lower import Program
from checkers.sandbox import shims

_PATIENCE = 2
"""Seconds after which the test of an endless execution gives up."""

_LOADER = '''
def load():
    """The module under test, from its file."""
    sys.path.insert(0, str(SOURCE.parent))
    spec = importlib.util.spec_from_file_location({stem!r}, SOURCE)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module
'''

_ALARM = f"""
def give_up(signum, frame):
    raise TimeoutError("still running after {_PATIENCE} seconds")
"""


def pytest_case(program: Program, arguments: Sequence[Value], judgement: Judgement, module_path: str) -> str:
    """The text of a test file for one judged input. `module_path` is where the user's module lies, as they wrote it;
    a relative path is read from the folder in which pytest runs."""
    function = program.function
    endless = isinstance(judgement.outcome, Cycle) or judgement.status == "diverges"
    imports = ["importlib.util", *(["signal"] if endless else []), "sys"]
    head = [
        *_comment(f"Counterexample to `{function.name}` in {module_path}: {judgement.detail}."),
        *_comment("It fails until the function, or its contract, is corrected."),
        "",
        *(f"import {name}" for name in imports),
        "from pathlib import Path",
        "",
        f"SOURCE = Path({str(module_path)!r})",
        "",
        *_LOADER.format(stem=_stem(module_path)).splitlines(),
        *(["", *_ALARM.splitlines()] if endless else []),
        "",
        "",
        f"def test_{function.name.replace('.', '_')}_meets_its_contract():",
    ]
    body = [
        "module = load()",
        *(f"{param.name} = {value!r}" for param, value in zip(function.params, arguments, strict=True)),
        *_preconditions(function),
        *(_bounded(_call(function)) if endless else _checked(program, judgement)),
    ]
    return "\n".join([*head, *(f"    {line}" if line else "" for line in body)]) + "\n"


def _stem(module_path: str) -> str:
    stem = PurePath(module_path).stem
    return stem if stem.isidentifier() else "module_under_test"


def _comment(text: str) -> list[str]:
    flat = " ".join(text.encode("ascii", "backslashreplace").decode().split())
    return [f"# {line}" for line in textwrap.wrap(flat, 110, break_long_words=False, break_on_hyphens=False)]


def _preconditions(function: ir.Function) -> Iterator[str]:
    for clause in function.contract.requires:
        yield from _comment(f"The precondition holds: {clause.text}")


def _call(function: ir.Function) -> str:
    return f"module.{function.name}({', '.join(param.name for param in function.params)})"


def _bounded(call: str) -> Iterator[str]:
    yield "signal.signal(signal.SIGALRM, give_up)"
    yield f"signal.alarm({_PATIENCE})"
    yield "try:"
    yield f"    {call}"
    yield "finally:"
    yield "    signal.alarm(0)"


def _checked(program: Program, judgement: Judgement) -> Iterator[str]:
    """The call, the clauses of listed exceptions, and the postconditions that nobody else evaluates."""
    function, contract = program.function, program.function.contract
    aliases = shims.aliases(ast.parse(program.source))
    names = [param.name for param in function.params]
    if contract.exsures:
        yield "try:"
        yield f"    result = {_call(function)}"
        for item in contract.exsures:
            yield f"except {item.exception}:"
            yield from (f"    {line}" for line in _assertion(item.clause, names, aliases))
            yield "    return"
    else:
        yield f"result = {_call(function)}"
    violated = judgement.clause
    if contract.notation == "icontract":
        raises = violated is None
        yield "# The call itself raises." if raises else "# icontract checks the postcondition inside the call."
        return
    clauses = [violated] if violated is not None and violated in contract.ensures else contract.ensures
    for clause in clauses:
        yield from _assertion(clause, [*names, "result"], aliases)


def _assertion(clause: ir.Clause, names: Sequence[str], aliases: dict[str, str]) -> Iterator[str]:
    plain = shims.expression(clause.text, aliases)
    bound = {node.id for node in ast.walk(plain) if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)}
    bound |= {node.arg for node in ast.walk(plain) if isinstance(node, ast.arg)}
    read = {node.id for node in ast.walk(plain) if isinstance(node, ast.Name)}
    for name in sorted(read - bound - {*names} - {*dir(builtins)}):
        yield f"{name} = module.{name}"
    yield f"assert {ast.unparse(plain)}"
