"""The part of a module that one function needs, for modules that do not load in the child as a whole.

A module may import what the child does not have, or compute for minutes at its top level, while the function on trial
uses none of it. Standard library only; runs on the child's side.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator


def excerpt(tree: ast.Module, function: str) -> ast.Module:
    """The statements at the top level of `tree` that bind the function, or a name that they mention in turn.

    Star imports stay, and `from __future__` imports: what else they bind is not known.
    """
    wanted, kept = {function.partition(".")[0]}, set[int]()
    growing = True
    while growing:
        growing = False
        for place, stmt in enumerate(tree.body):
            if place not in kept and (wanted & {*_binds(stmt)} or _always(stmt)):
                kept.add(place)
                wanted |= {node.id for node in ast.walk(stmt) if isinstance(node, ast.Name)}
                growing = True
    return ast.Module([_narrow(stmt, wanted) for place, stmt in enumerate(tree.body) if place in kept], [])


def _narrow(stmt: ast.stmt, wanted: set[str]) -> ast.stmt:
    """An import of wanted names only; any other statement as it is."""
    if not isinstance(stmt, ast.Import | ast.ImportFrom) or _always(stmt):
        return stmt
    names = [alias for alias in stmt.names if _bound(alias) in wanted]
    narrow = ast.Import(names) if isinstance(stmt, ast.Import) else ast.ImportFrom(stmt.module, names, stmt.level)
    return ast.copy_location(narrow, stmt)


def _bound(alias: ast.alias) -> str:
    return (alias.asname or alias.name).partition(".")[0]


def _always(stmt: ast.stmt) -> bool:
    return isinstance(stmt, ast.ImportFrom) and (
        stmt.module == "__future__" or any(alias.name == "*" for alias in stmt.names)
    )


def _binds(stmt: ast.stmt) -> Iterator[str]:
    match stmt:
        case ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name) | ast.ClassDef(name=name):
            yield name
        case ast.Import(names=names) | ast.ImportFrom(names=names):
            yield from map(_bound, names)
        case _:
            for node in ast.walk(stmt):
                if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
                    yield node.id
                elif isinstance(node, ast.FunctionDef | ast.ClassDef):
                    yield node.name
                elif isinstance(node, ast.Import | ast.ImportFrom):
                    yield from map(_bound, node.names)
