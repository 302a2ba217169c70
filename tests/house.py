"""What the house rules read: every source file of the packages, parsed once."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
PACKAGES = ("verifier", "checkers", "drafters", "index", "api")


@dataclass(frozen=True, slots=True)
class File:
    """One parsed source file; `name` is its path from the root."""

    name: str
    text: str
    tree: ast.Module

    @property
    def imports(self) -> frozenset[str]:
        """Every module that is imported anywhere in the file, dotted; `from a import b` gives `a` and `a.b`."""
        found: set[str] = set()
        for node in ast.walk(self.tree):
            if isinstance(node, ast.Import):
                found.update(alias.name for alias in node.names)
            elif isinstance(node, ast.ImportFrom) and node.module:
                found.add(node.module)
                found.update(f"{node.module}.{alias.name}" for alias in node.names)
        return frozenset(found)

    @property
    def attributes(self) -> frozenset[str]:
        """Every `name.attribute` that is read in the file."""
        return frozenset(
            f"{node.value.id}.{node.attr}"
            for node in ast.walk(self.tree)
            if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name)
        )

    def functions(self) -> Iterator[ast.FunctionDef | ast.AsyncFunctionDef]:
        """Every function and method of the file."""
        for node in ast.walk(self.tree):
            if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
                yield node


@cache
def files(*folders: str) -> tuple[File, ...]:
    """The Python files below the given top-level folders (all packages by default), sorted."""
    found = []
    for folder in folders or PACKAGES:
        for path in sorted((ROOT / folder).rglob("*.py")):
            text = path.read_text(encoding="utf-8")
            found.append(File(path.relative_to(ROOT).as_posix(), text, ast.parse(text)))
    return tuple(found)


def length(function: ast.FunctionDef | ast.AsyncFunctionDef) -> int:
    """Lines of a function from its first decorator, without its docstring."""
    first = min((node.lineno for node in function.decorator_list), default=function.lineno)
    assert function.end_lineno is not None
    lines = function.end_lineno - first + 1
    head = function.body[0]
    if isinstance(head, ast.Expr) and isinstance(head.value, ast.Constant) and isinstance(head.value.value, str):
        assert head.end_lineno is not None
        lines -= head.end_lineno - head.lineno + 1
    return lines
