"""Two functions share a canonical text exactly when they are equal up to names and the order of clauses.

The oracle walks both IRs side by side and builds the renaming as it goes; it shares nothing with the printer.
"""

from __future__ import annotations

import ast
import dataclasses
import itertools
import os
import random
import re
from collections import defaultdict
from typing import Any

import pytest

from checkers.lang import ir
from checkers.lang.canonical import canonicalise, rename_annotations
from checkers.lang.interp import execute
from checkers.lang.lower import lower
from tests.programs import generate, mutants_of, samples
from tests.straight import straight
from verifier.errors import VerifierError
from verifier.model import LoopNotes

LONG = os.environ.get("VERIFIER_LONG") == "1"
SEEDS = 600 if LONG else 24
CLAUSES = ("requires", "ensures", "exsures")


class Twins:
    """A growing bijection between the names of two functions."""

    def __init__(self, pairs: dict[str, str] | None = None, functions: dict[str, str] | None = None) -> None:
        self.pairs = dict(pairs or {})
        self.functions = {} if functions is None else functions

    def names(self, left: str, right: str) -> bool:
        if left in self.pairs or right in self.pairs.values():
            return self.pairs.get(left) == right
        self.pairs[left] = right
        return True

    def functions_equal(self, left: ir.Function, right: ir.Function) -> bool:
        if len(left.params) != len(right.params) or (left.name in self.functions) != (
            right.name in self.functions.values()
        ):
            return False
        if self.functions.setdefault(left.name, right.name) != right.name:
            return False
        inner = Twins(
            dict(zip((p.name for p in left.params), (p.name for p in right.params), strict=True)), self.functions
        )
        if [p.type for p in left.params] != [p.type for p in right.params] or left.returns != right.returns:
            return False
        if not inner.equal(left.body, right.body):
            return False
        types = {inner.pairs.get(name, name): kind for name, kind in left.locals}
        return types == dict(right.locals) and all(inner.clauses_equal(left, right, kind) for kind in CLAUSES)

    def clauses_equal(self, left: ir.Function, right: ir.Function, kind: str) -> bool:
        mine, others = getattr(left.contract, kind), getattr(right.contract, kind)

        def included(these: Any, those: Any, *, turn: bool) -> bool:
            return all(any(self.copy().equal(*((b, a) if turn else (a, b))) for b in those) for a in these)

        return included(mine, others, turn=False) and included(others, mine, turn=True)

    def copy(self) -> Twins:
        return Twins(self.pairs, self.functions)

    def equal(self, left: Any, right: Any) -> bool:
        if type(left) is not type(right):
            return False
        match left:
            case tuple():
                return len(left) == len(right) and all(map(self.equal, left, right))
            case ir.Function():
                return self.functions_equal(left, right)
            case ir.Quantifier():
                if not self.equal(left.domain, right.domain):
                    return False
                outside = {
                    name: image
                    for name, image in self.pairs.items()
                    if name != left.variable and image != right.variable
                }
                inner = Twins({**outside, left.variable: right.variable}, self.functions)
                fields = ("kind", "variable_type", "condition", "body", "eager", "type")
                return all(inner.equal(getattr(left, field), getattr(right, field)) for field in fields)
        if not dataclasses.is_dataclass(left) or isinstance(left, ir.Scalar | ir.ListOf | ir.TupleOf):
            return bool(left == right)
        return all(self.field(field.name, left, right) for field in dataclasses.fields(left))

    def field(self, name: str, left: Any, right: Any) -> bool:
        mine, other = getattr(left, name), getattr(right, name)
        if name in ("span", "text"):
            return True
        if name == "path":
            return bool(re.sub(r"^[^.]*", "", mine) == re.sub(r"^[^.]*", "", other))
        if name == "target" or (name == "name" and isinstance(left, ir.Var)):
            return self.names(mine, other)
        return self.equal(mine, other)


def equal(left: ir.Function, right: ir.Function) -> bool:
    return Twins().functions_equal(left, right)


def text(function: ir.Function) -> str:
    return canonicalise(function, safety=False, partial=False).text


def lowered(source: str, name: str) -> ir.Function | None:
    try:
        return lower(source, name, safety=False).function
    except VerifierError:
        return None


def family(seed: int) -> list[ir.Function]:
    """A function and its one-token mutants, of the body and of the contract."""
    example = generate(random.Random(seed))
    contracts = [
        example.source.replace(old, new, 1) for old, new in (("<=", "<"), ("result >", "1 + result >"), (" 0", " 2"))
    ]
    found = (lowered(source, example.name) for source in (example.source, *contracts, *mutants_of(example.source)))
    return [function for function in found if function is not None]


@pytest.mark.parametrize("part", range(4))
def test_texts_are_equal_exactly_for_twins(part: int) -> None:
    compared = 0
    for seed in range(part * SEEDS // 4, (part + 1) * SEEDS // 4):
        for left, right in itertools.combinations(family(seed), 2):
            assert (text(left) == text(right)) is equal(left, right)
            compared += 1
    assert compared > 300


def test_unrelated_functions_share_a_text_only_as_twins() -> None:
    groups: dict[str, list[ir.Function]] = defaultdict(list)
    for seed in range(SEEDS * 8):
        example = generate(random.Random(seed))
        function = lowered(example.source, example.name)
        if function is not None:
            groups[text(function)].append(function)
    for group in groups.values():
        assert all(equal(group[0], other) for other in group)
    firsts = [group[0] for group in groups.values()]
    assert not any(equal(left, right) for left, right in itertools.combinations(firsts[:120], 2))
    assert len(groups) > SEEDS


class Rename(ast.NodeTransformer):
    """Give every parameter, local and bound variable a new name."""

    def __init__(self, names: set[str]) -> None:
        self.names = names

    def visit_Name(self, node: ast.Name) -> ast.Name:
        return ast.Name(f"{node.id}_new" if node.id in self.names else node.id, node.ctx)

    def visit_arg(self, node: ast.arg) -> ast.arg:
        node.arg = f"{node.arg}_new" if node.arg in self.names else node.arg
        return node


def renamed(source: str) -> str:
    """The source with other names, layout and clause order, and a docstring."""
    tree = ast.parse(source)
    function = tree.body[-1]
    assert isinstance(function, ast.FunctionDef)
    names = {node.id for node in ast.walk(function) if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)}
    names |= {argument.arg for argument in function.args.args}
    Rename(names).visit(function)
    function.decorator_list.reverse()
    function.name = "other"
    function.body.insert(0, ast.Expr(ast.Constant("What it does.")))
    return ast.unparse(ast.fix_missing_locations(tree))


def test_renamed_reordered_and_reformatted_twins_share_a_text() -> None:
    for seed in range(SEEDS * 2):
        example = generate(random.Random(seed))
        function, twin = lowered(example.source, example.name), lowered(renamed(example.source), "other")
        assert (function is None) == (twin is None)
        if function is not None and twin is not None:
            assert text(function) == text(twin), example.source
            one, two = (canonicalise(each, safety=False, partial=False) for each in (function, twin))
            for loop in ir.loops(function.body):
                name = function.params[0].name
                notes = {loop.path: LoopNotes((f"{name} == {name}",))}
                there = rename_annotations(notes, one, two)
                assert list(there) == ["other" + loop.path.removeprefix(function.name)]
                assert rename_annotations(there, two, one) == notes


def test_equal_texts_behave_equally() -> None:
    for seed in range(SEEDS):
        example = generate(random.Random(seed))
        groups: dict[str, list[ir.Function]] = defaultdict(list)
        for function in family(seed):
            groups[text(function)].append(function)
        for group in groups.values():
            for inputs in samples(example.params, 4):
                results = {repr(getattr(execute(f, inputs, steps=500), "value", "none")) for f in group}
                assert len(results) == 1


def test_arbitrary_programs_differ_from_their_mutants() -> None:
    for seed in range(SEEDS // 4):
        source, _ = straight(random.Random(seed))
        found: dict[str, ir.Function] = {}
        for mutant in [source, *itertools.islice(mutants_of(source), 10)]:
            try:
                function = lower(mutant, "f", safety=True).function
            except VerifierError:
                continue
            first = found.setdefault(text(function), function)
            assert equal(first, function)
