"""What the child knows of contract libraries: names in Nagini's notation, and a stand-in for icontract.

Contracts in Nagini's names are statements in the body; they are specifications, not steps of the computation, so they
are taken out before the module runs, and their expressions are evaluated as ordinary Python. Standard library only;
runs on the child's side, except for what `checkers.program.pytest_case` uses.
"""

from __future__ import annotations

import ast
import sys
from types import ModuleType

STATEMENTS = frozenset({"Requires", "Ensures", "Exsures", "Invariant", "Decreases"})
NAMES = (*sorted(STATEMENTS), "Implies", "Forall", "Exists", "Old", "Result")
MODULES = ("nagini_contracts.contracts", "verifier.contracts")
"""Injected into the child with the text of `verifier/contracts.py`."""

ICONTRACT = '''
class ViolationError(AssertionError):
    """Never raised: no contract is checked here."""

class _Snapshot:
    def __init__(self, capture, name):
        code = capture.__code__
        self.capture, self.args = capture, code.co_varnames[:code.co_argcount]
        self.name = name or self.args[0]

def _decorator(*args, **kwargs):
    return lambda decorated: decorated

def snapshot(capture, name=None, enabled=True):
    def decorate(decorated):
        kept = getattr(decorated, "__postcondition_snapshots__", [])
        decorated.__postcondition_snapshots__ = [*kept, _Snapshot(capture, name)]
        return decorated
    return decorate

require = ensure = invariant = _decorator
class DBC: pass
class DBCMeta(type): pass
'''


def inject(name: str, source: str) -> None:
    """Make `source` importable as the dotted module `name`, with empty packages above it."""
    parts = name.split(".")
    for depth in range(1, len(parts)):
        package = ".".join(parts[:depth])
        if package not in sys.modules:
            sys.modules[package] = ModuleType(package)
            sys.modules[package].__path__ = []
    module = ModuleType(name)
    exec(compile(source, f"<{name}>", "exec"), module.__dict__)
    sys.modules[name] = module
    if len(parts) > 1:
        setattr(sys.modules[".".join(parts[:-1])], parts[-1], module)


def aliases(tree: ast.Module) -> dict[str, str]:
    """Every text by which the module can reach a contract name (`Old`, `c.Old`), with the name that it means."""
    found: dict[str, str] = {}
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom) and node.module in MODULES:
            for alias in node.names:
                if alias.name == "*":
                    found.update({name: name for name in NAMES})
                elif alias.name in NAMES:
                    found[alias.asname or alias.name] = alias.name
        elif isinstance(node, ast.Import | ast.ImportFrom):
            prefix = f"{node.module}." if isinstance(node, ast.ImportFrom) else ""
            reached = (alias.asname or alias.name for alias in node.names if prefix + alias.name in MODULES)
            found.update({f"{module}.{name}": name for module in reached for name in NAMES})
    return found


def meaning(called: ast.expr, names: dict[str, str]) -> str | None:
    """The contract name that an expression stands for, or None."""
    return names.get(ast.unparse(called)) if isinstance(called, ast.Name | ast.Attribute) else None


def strip(tree: ast.Module) -> ast.Module:
    """`tree` without its contract statements; changes `tree` in place."""
    names = {text: name for text, name in aliases(tree).items() if name in STATEMENTS}
    return ast.fix_missing_locations(_Stripper(names).visit(tree)) if names else tree


class _Stripper(ast.NodeTransformer):
    def __init__(self, names: dict[str, str]) -> None:
        self._names = names

    def visit_Expr(self, node: ast.Expr) -> ast.stmt:
        if isinstance(node.value, ast.Call) and meaning(node.value.func, self._names) is not None:
            return ast.copy_location(ast.Pass(), node)
        return node


class Plain(ast.NodeTransformer):
    """Contract names in ordinary Python: `Result()` is `result`, `Old(e)` is `e` (parameters stand for their entry
    values), `Implies` evaluates its second half only where the first is true, quantifiers are `all` and `any`."""

    def __init__(self, names: dict[str, str]) -> None:
        self._names = names

    def visit_Call(self, node: ast.Call) -> ast.expr:
        """One call, its arguments first."""
        self.generic_visit(node)
        match meaning(node.func, self._names), node.args:
            case "Result", []:
                return ast.copy_location(ast.Name("result", ast.Load()), node)
            case "Old", [operand]:
                return operand
            case "Implies", [premise, conclusion]:
                twice = ast.UnaryOp(ast.Not(), ast.UnaryOp(ast.Not(), conclusion))
                return ast.copy_location(ast.IfExp(premise, twice, ast.Constant(True)), node)
            case ("Forall" | "Exists") as name, [domain, ast.Lambda(args=ast.arguments(args=[variable])) as predicate]:
                generator = ast.comprehension(ast.Name(variable.arg, ast.Store()), domain, [], 0)
                inside = ast.GeneratorExp(predicate.body, [generator])
                kind = ast.Name("all" if name == "Forall" else "any", ast.Load())
                return ast.copy_location(ast.Call(kind, [inside], []), node)
        return node


def expression(text: str, names: dict[str, str]) -> ast.expr:
    """A contract expression in ordinary Python. Raises SyntaxError."""
    tree = Plain(names).visit(ast.parse(f"({text}\n)", mode="eval"))
    body: ast.expr = ast.fix_missing_locations(tree).body
    return body
