"""Random functions of the subset with loops and contracts, for every test that compares a verdict with execution.

A function comes from one of `tests.shapes`; its contract consists of facts that are true on samples when the function
is *executed by CPython*, and in a third of the cases one clause is then perturbed (and often false). So most contracts
are true and many of them provable, and nothing here knows how the product decides.
"""

from __future__ import annotations

import ast
import copy
import itertools
import linecache
import random
import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from tests.shapes import SHAPES, Shape

Notation = Literal["icontract", "nagini"]
_RESULT = re.compile(r"\bresult\b")


@dataclass(frozen=True, slots=True)
class Generated:
    """A source text with one function under contract. `requires` and `ensures` are its clauses as Python texts over
    the parameters and `result`; `body` is the same function without any contract."""

    source: str
    name: str
    params: tuple[tuple[str, str], ...]
    notation: Notation
    requires: tuple[str, ...]
    ensures: tuple[str, ...]
    body: str


def generate(rng: random.Random) -> Generated:
    """A function with one to three postconditions. The same state of `rng` gives the same function."""
    while True:
        shape = rng.choice(SHAPES)(rng)
        facts = _true_facts(shape)
        if not facts:
            continue
        ensures = rng.sample(facts, min(len(facts), rng.choice([1, 1, 2, 3])))
        requires = list(shape.requires)
        if rng.random() < 0.35:
            _perturb(rng, requires, ensures)
        notation: Notation = rng.choice(["icontract", "icontract", "nagini"])
        return write(rng.choice(["f", "g", "total", "scan"]), shape, notation, requires, ensures)


def write(name: str, shape: Shape, notation: Notation, requires: Sequence[str], ensures: Sequence[str]) -> Generated:
    """The function of `shape` under the given clauses, in either notation."""
    signature = ", ".join(f"{param}: {kind}" for param, kind in shape.params)
    head = f"def {name}({signature}) -> {shape.returns}:\n"
    body = _indent(shape.body)
    names = [param for param, _ in shape.params]
    if notation == "icontract":
        before = [f"@require(lambda {_used(clause, names)}: {clause})\n" for clause in requires]
        after = [f"@ensure(lambda {_used(clause, [*names, 'result'])}: {clause})\n" for clause in ensures]
        source = "from icontract import ensure, require\n\n\n" + "".join([*before, *after]) + head + body
    else:
        lines = [f"    Requires({clause})\n" for clause in requires]
        lines += [f"    Ensures({_RESULT.sub('Result()', clause)})\n" for clause in ensures]
        source = "from nagini_contracts.contracts import *\n\n\n" + head + "".join(lines) + body
    return Generated(source, name, shape.params, notation, tuple(requires), tuple(ensures), head + body)


def _indent(text: str) -> str:
    return "".join(f"    {line}\n" for line in text.split("\n"))


def _used(clause: str, names: Sequence[str]) -> str:
    return ", ".join(name for name in names if re.search(rf"\b{name}\b", clause))


# --- observing -------------------------------------------------------------------------------------------------

_SMALL: dict[str, tuple[object, ...]] = {
    "int": (0, 1, 2, -1, 3, 5, 8, -4),
    "bool": (False, True),
    "list[int]": ([], [0], [2], [1, 3], [4, -1], [2, 2, 0], [-3, 5, 1, 5], [1, 2, 3, 4, 6]),
    "list[bool]": ([], [True], [False], [True, False], [False, False, True], [True, True, False, True]),
}


def samples(params: Sequence[tuple[str, str]], count: int = 64) -> Iterator[list[Any]]:
    """Small arguments for the parameters: all combinations, or evenly chosen ones where there are more than `count`."""
    every = list(itertools.product(*(_SMALL[kind] for _, kind in params)))
    for number in range(min(count, len(every))):
        yield copy.deepcopy(list(every[number * len(every) // min(count, len(every))]))


def build(source: str, name: str) -> Callable[..., Any]:
    """The function as CPython defines it. Only for sources that the tests wrote.

    icontract looks up the text of a condition that is false, so the source is made known to `linecache`.
    """
    space: dict[str, Any] = {}
    place = f"<generated {hash(source)}>"
    linecache.cache[place] = (len(source), None, source.splitlines(keepends=True), place)
    exec(compile(source, place, "exec"), space)
    function: Callable[..., Any] = space[name]
    return function


def holds(clause: str, env: dict[str, Any]) -> bool:
    """Whether a clause is true of the parameters and `result`; False when it raises."""
    try:
        return bool(eval(clause, dict(env)))
    except (ArithmeticError, LookupError):
        return False


def _true_facts(shape: Shape) -> list[str]:
    function = build(write("f", shape, "nagini", (), ()).body, "f")
    names = [param for param, _ in shape.params]
    facts = list(shape.facts)
    for arguments in samples(shape.params):
        env = dict(zip(names, copy.deepcopy(arguments), strict=True))
        if not all(holds(clause, env) for clause in shape.requires):
            continue
        try:
            result = function(*arguments)
        except (ArithmeticError, LookupError, ValueError):
            continue
        facts = [fact for fact in facts if holds(fact, {**env, "result": result})]
    return facts


def _perturb(rng: random.Random, requires: list[str], ensures: list[str]) -> None:
    """Change one clause by one token, or forget a precondition."""
    if requires and rng.random() < 0.25:
        requires.pop(rng.randrange(len(requires)))
        return
    clauses = requires if requires and rng.random() < 0.2 else ensures
    position = rng.randrange(len(clauses))
    changed = [ast.unparse(tree) for tree in _edits(ast.parse(clauses[position], mode="eval"), ())]
    if changed:
        clauses[position] = rng.choice(changed)


# --- one-token mutants -----------------------------------------------------------------------------------------

_SWAPS: dict[type, tuple[type, ...]] = {
    ast.Add: (ast.Sub,), ast.Sub: (ast.Add,), ast.Mult: (ast.Add,), ast.FloorDiv: (ast.Mod,), ast.Mod: (ast.FloorDiv,),
    ast.Lt: (ast.LtE, ast.GtE), ast.LtE: (ast.Lt, ast.Gt), ast.Gt: (ast.GtE, ast.LtE), ast.GtE: (ast.Gt, ast.Lt),
    ast.Eq: (ast.NotEq,), ast.NotEq: (ast.Eq,), ast.In: (ast.NotIn,), ast.NotIn: (ast.In,),
    ast.And: (ast.Or,), ast.Or: (ast.And,),
}  # fmt: skip
_NAGINI = {"Requires", "Ensures", "Exsures", "Invariant", "Decreases", "Assert"}


def mutants_of(source: str) -> Iterator[str]:
    """Every one-token mutant of the *bodies* of the source's functions: operators, constants, names, jumps.

    Contracts, signatures and annotations stay as they are. The order is that of the source; texts are normalised.
    """
    tree = ast.parse(source)
    for function in ast.walk(tree):
        if isinstance(function, ast.FunctionDef):
            names = tuple(argument.arg for argument in function.args.args)
            assigned = (node.id for node in ast.walk(function) if isinstance(node, ast.Name) and _is_store(node))
            for statement in function.body:
                if not _is_contract(statement):
                    for _ in _edits(statement, tuple(dict.fromkeys((*names, *assigned)))):
                        yield ast.unparse(tree) + "\n"


def _is_store(node: ast.Name) -> bool:
    return isinstance(node.ctx, ast.Store)


def _is_contract(node: ast.AST) -> bool:
    match node:
        case ast.Expr(value=ast.Call(func=ast.Name(id=name))):
            return name in _NAGINI
    return False


def _edits(tree: ast.AST, names: tuple[str, ...]) -> Iterator[ast.AST]:
    """`tree` itself, changed in place at one token and changed back when the iteration goes on."""
    for node in list(_walk(tree)):
        for field, old, new in _changes(node, names):
            if isinstance(old, list):
                place, index = old
                saved, place[index] = place[index], new
                yield tree
                place[index] = saved
            else:
                setattr(node, field, new)
                yield tree
                setattr(node, field, old)


def _walk(node: ast.AST) -> Iterator[ast.AST]:
    """Every node that may be changed, in source order: not contracts, not the types of annotated assignments."""
    if _is_contract(node):
        return
    yield node
    for field, value in ast.iter_fields(node):
        if field != "annotation":
            for child in value if isinstance(value, list) else [value]:
                if isinstance(child, ast.AST):
                    yield from _walk(child)


def _changes(node: ast.AST, names: tuple[str, ...]) -> Iterator[tuple[str, Any, Any]]:
    match node:
        case ast.Constant(value=bool() as value):
            yield "value", value, not value
        case ast.Constant(value=int() as value):
            yield "value", value, value + 1
            yield "value", value, value - 1
        case ast.BinOp(op=op) | ast.AugAssign(op=op) | ast.BoolOp(op=op):
            for swap in _SWAPS.get(type(op), ()):
                yield "op", op, swap()
        case ast.Compare(ops=ops):
            for index, test in enumerate(ops):
                for swap in _SWAPS.get(type(test), ()):
                    yield "ops", [ops, index], swap()
        case ast.Name(id=name, ctx=ast.Load()) if name in names:
            for other in names:
                if other != name:
                    yield "id", name, other
        case ast.If(body=body) | ast.For(body=body) | ast.While(body=body):
            for index, statement in enumerate(body):
                if isinstance(statement, ast.Break):
                    yield "body", [body, index], ast.Continue()
                elif isinstance(statement, ast.Continue):
                    yield "body", [body, index], ast.Break()
