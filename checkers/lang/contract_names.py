"""Which names of a module mean contracts: icontract, Nagini, deal, PEP 316. Purely by how the module imports them."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

from checkers.lang.lower_source import FunctionNode, Source

Notation = Literal["icontract", "nagini", "deal", "pep316", "none"]

NAGINI_MODULES = ("nagini_contracts.contracts", "verifier.contracts")
CLAUSES = frozenset(("Requires", "Ensures", "Exsures"))
LOOP_NOTES = frozenset(("Invariant", "Decreases"))
TERMS = frozenset(("Result", "Old", "Implies", "Forall", "Exists", "Iterations"))


def _words(text: str) -> list[str]:
    return text.split()


FOREIGN = frozenset(
    _words(
        """Acc Rd Wildcard Assert Assume Fold Unfold Unfolding Pure Predicate Ghost Sequence
        list_pred dict_pred set_pred PSeq PSet PMultiset ToSeq ToMS MustTerminate Low LowEvent
        LowVal Declassify ContractOnly Opaque Reveal Let Previous RaisedException Forall2 Forall3
        Forall6 Unchecked MayCreate MaySet Refute Reads GhostReturns"""
    )
)
NAGINI = CLAUSES | LOOP_NOTES | TERMS | FOREIGN
ICONTRACT = frozenset(("require", "ensure", "snapshot", "invariant"))
DEAL = frozenset(_words("pre post ensure raises reason safe pure inv has chain example dispatch inherit"))

_PEP316 = re.compile(r"^\s*(pre|post|inv)\s*(\[[^\]]*\])?\s*:", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class Library:
    """A name that comes from a contract library; `sure` unless it is only guessed from its spelling."""

    notation: Literal["icontract", "nagini", "deal"]
    name: str
    sure: bool
    bound: str
    """The module-level name through which it is reached, which a claim thereby reads."""


def contract_name(source: Source, node: ast.expr, hidden: frozenset[str] = frozenset()) -> Library | None:
    """What a name or attribute means as a contract name. `hidden` are local names, which come first."""
    if isinstance(node, ast.Name):
        return None if node.id in hidden else _bare(source, node.id)
    parts = _dotted(node)
    if parts is None or parts[0] in hidden:
        return None
    return _qualified(source, parts)


def _bare(source: Source, name: str) -> Library | None:
    found = source.bindings.get(name, [])
    if not found:
        stars = [module for module, _ in source.stars if name in _exports(module)]
        if stars:
            return _belongs(stars[0], name, not unknown_stars(source), name)
        return _guess(name)
    imports = [item for item in found if item.kind == "import" and item.original is not None]
    for item in imports:
        assert item.original is not None
        library = _belongs(item.module, item.original, len(found) == 1 and item.top, name)
        if library is not None:
            return library
    return _guess(name) if len(imports) == len(found) and name in ICONTRACT else None


def _qualified(source: Source, parts: list[str]) -> Library | None:
    found = source.bindings.get(parts[0], [])
    for item in found:
        if item.kind == "import":
            module = item.module if item.original is None else f"{item.module}.{item.original}"
            path = ".".join([module, *parts[1:-1]])
            library = _belongs(path, parts[-1], len({entry.module for entry in found}) == 1 and item.top, parts[0])
            if library is not None:
                return library
    if not found and len(parts) == 2 and parts[0] in ("icontract", "deal"):
        return _belongs(parts[0], parts[1], False, parts[0])
    return None


def _belongs(module: str, name: str, sure: bool, bound: str) -> Library | None:
    if module in NAGINI_MODULES:
        return Library("nagini", name, sure, bound) if name in NAGINI else None
    if module == "icontract" or module.startswith("icontract."):
        return Library("icontract", name, sure, bound)
    if module == "deal" or module.startswith("deal."):
        return Library("deal", name, sure, bound)
    return None


def _exports(module: str) -> frozenset[str]:
    if module in NAGINI_MODULES:
        return NAGINI
    return {"icontract": ICONTRACT, "deal": DEAL}.get(module, frozenset())


def unknown_stars(source: Source) -> list[str]:
    """The modules of star imports that may bind anything."""
    known = (*NAGINI_MODULES, "icontract", "typing")
    return [module for module, _ in source.stars if module not in known]


def _guess(name: str) -> Library | None:
    if name in CLAUSES | LOOP_NOTES:
        return Library("nagini", name, False, name)
    return Library("icontract", name, False, name) if name in ICONTRACT else None


def _dotted(node: ast.expr) -> list[str] | None:
    parts: list[str] = []
    while isinstance(node, ast.Attribute):
        parts.append(node.attr)
        node = node.value
    return [node.id, *reversed(parts)] if isinstance(node, ast.Name) else None


# --- what a function carries -----------------------------------------------------------------------------------


def notation(source: Source, node: FunctionNode) -> Notation:
    """The notation in which a function carries (or seems to carry) a contract; `none` without one."""
    decorators = [decorator(source, item) for item in node.decorator_list]
    for library in decorators:
        if library is not None and library.notation in ("icontract", "deal"):
            return library.notation
    if any(True for _ in nagini_calls(source, node)):
        return "nagini"
    return "pep316" if pep316(node) else "none"


def decorator(source: Source, node: ast.expr) -> Library | None:
    """The contract library that a decorator comes from, or None."""
    return contract_name(source, node.func if isinstance(node, ast.Call) else node)


def pep316(node: FunctionNode) -> bool:
    """Whether the docstring holds `pre:`, `post:` or `inv:` lines."""
    return _PEP316.search(ast.get_docstring(node, clean=False) or "") is not None


def nagini_calls(source: Source, node: FunctionNode) -> Iterator[tuple[ast.Expr, Library]]:
    """The statements of a function, nested functions aside, that are calls of Nagini's names."""
    todo: list[ast.AST] = list(node.body)
    while todo:
        item = todo.pop()
        if isinstance(item, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef | ast.Lambda):
            continue
        if isinstance(item, ast.Expr) and isinstance(item.value, ast.Call):
            library = contract_name(source, item.value.func)
            if library is not None and library.notation == "nagini":
                yield item, library
        todo.extend(child for child in ast.iter_child_nodes(item) if not isinstance(child, ast.expr))
