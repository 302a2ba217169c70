"""Carry annotations from one function to a twin: names through the canonical text's names and back.

Untrusted: the result is only a draft, whose goals are generated and checked again.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable, Mapping

from verifier.errors import VerifierError
from verifier.model import Annotations, Canonical, LoopNotes


def rename_annotations(annotations: Annotations, source: Canonical, target: Canonical) -> Annotations:
    """`annotations` of the function behind `source`, in the names of the one behind `target`.

    Names bound by a lambda or a comprehension stay, or get a fresh name where they would capture a renamed one. Loops
    and names that `target` lacks are left out or left alone. Raises `VerifierError('bad-draft')` for a text that is
    no expression.
    """
    back = {canonical: name for name, canonical in reversed(list(target.renaming.items()))}
    renamed: dict[str, LoopNotes] = {}
    for path, notes in annotations.items():
        function, suffix = _split(path, source.renaming)
        twin = back.get(source.renaming.get(function, ""))
        if twin is None:
            continue
        names = _names(function, source.renaming, back, twin)
        renamed.setdefault(
            f"{twin}.{suffix}",
            LoopNotes(
                tuple(_rename_text(text, names, path) for text in notes.invariants),
                tuple(_rename_text(text, names, path) for text in notes.decreases),
            ),
        )
    return renamed


def _split(path: str, names: Mapping[str, str]) -> tuple[str, str]:
    """A loop path as function and index: `C.m.1.0` is loop `1.0` of `C.m`."""
    parts = path.split(".")
    for length in range(len(parts) - 1, 0, -1):
        name, rest = ".".join(parts[:length]), parts[length:]
        if name in names and all(part.isdigit() for part in rest):
            return name, ".".join(rest)
    return "", path


def _names(function: str, forward: Mapping[str, str], back: Mapping[str, str], twin: str) -> dict[str, str]:
    """What each name means in the twin: functions everywhere, over them the variables of this function."""
    names = {name: back[label] for name, label in forward.items() if "." not in label and label in back}
    label = forward[function]
    for name, canonical in forward.items():
        if canonical.startswith(f"{label}.") and name.startswith(f"{function}.") and canonical in back:
            names[name.removeprefix(f"{function}.")] = back[canonical].removeprefix(f"{twin}.")
    return names


def _rename_text(text: str, names: Mapping[str, str], path: str) -> str:
    try:
        tree = ast.parse(text.strip(), mode="eval")
        avoid = {node.id for node in ast.walk(tree) if isinstance(node, ast.Name)} | set(names) | set(names.values())
        changed = _Renamer(names, avoid).visit(tree)
        return ast.unparse(changed)
    except (SyntaxError, ValueError, RecursionError, MemoryError) as error:
        raise VerifierError("bad-draft", f"not an expression: {text!r}", place=path) from error


class _Renamer(ast.NodeTransformer):
    """Renames free names; binders keep theirs unless a renamed free name would fall into their scope."""

    def __init__(self, names: Mapping[str, str], avoid: set[str]) -> None:
        self.names = dict(names)
        self.avoid = avoid

    def visit_Name(self, node: ast.Name) -> ast.Name:
        """A variable or function, bound or free."""
        return ast.Name(self.names.get(node.id, node.id), node.ctx)

    def visit_Lambda(self, node: ast.Lambda) -> ast.Lambda:
        """Parameters are bound in the body; defaults are evaluated outside."""
        node.args.defaults = [self.visit(default) for default in node.args.defaults]
        arguments = [*node.args.posonlyargs, *node.args.args, *node.args.kwonlyargs]
        inner = self._bind(argument.arg for argument in arguments)
        for argument in arguments:
            argument.arg = inner.names[argument.arg]
        node.body = inner.visit(node.body)
        return node

    def visit_GeneratorExp(self, node: ast.GeneratorExp) -> ast.GeneratorExp:
        """The first iterable is evaluated outside; everything else inside."""
        self._comprehend(node.generators, node, "elt")
        return node

    def visit_ListComp(self, node: ast.ListComp) -> ast.ListComp:
        """As a generator expression."""
        self._comprehend(node.generators, node, "elt")
        return node

    def _comprehend(self, generators: list[ast.comprehension], node: ast.AST, field: str) -> None:
        first = self.visit(generators[0].iter)
        bound = (name.id for each in generators for name in ast.walk(each.target) if isinstance(name, ast.Name))
        inner = self._bind(bound)
        for generator in generators:
            generator.target = inner.visit(generator.target)
            generator.iter = inner.visit(generator.iter) if generator is not generators[0] else first
            generator.ifs = [inner.visit(test) for test in generator.ifs]
        setattr(node, field, inner.visit(getattr(node, field)))

    def _bind(self, bound: Iterable[str]) -> _Renamer:
        names = dict(self.names)
        images = set(self.names.values())
        for name in dict.fromkeys(bound):
            names[name] = name
            if name in images:
                count = 1
                while f"{name}_{count}" in self.avoid:
                    count += 1
                names[name] = f"{name}_{count}"
                self.avoid.add(names[name])
        return _Renamer(names, self.avoid)
