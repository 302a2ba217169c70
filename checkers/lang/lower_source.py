"""A parsed module: its text with positions, what it binds at module level, and which functions it defines.

Everything here is syntax; nothing is executed. Names are counted conservatively: a name that is bound in more than one
place, or anywhere but directly at module level, has no value that a claim may rest on.
"""

from __future__ import annotations

import ast
import re
import warnings
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Literal

from verifier.errors import Unsupported, VerifierError
from verifier.model import Span

FunctionNode = ast.FunctionDef | ast.AsyncFunctionDef

_LINE_END = re.compile(r"\r\n|\r|\n")


class Text:
    """Source text with the positions of its nodes: 1-based lines and columns in code points."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.lines = _LINE_END.split(text)

    def span(self, node: ast.AST) -> Span:
        """Where a node stands. Nodes without a position (`ast.arguments`) do not come here."""
        line, column = getattr(node, "lineno", 1), getattr(node, "col_offset", 0)
        end_line, end_column = getattr(node, "end_lineno", line), getattr(node, "end_col_offset", column)
        return Span(line, self._column(line, column), end_line, self._column(end_line, end_column))

    def segment(self, node: ast.AST) -> str:
        """The text of a node, with its lines joined as they stand."""
        span = self.span(node)
        lines = self.lines[span.line - 1 : span.end_line]
        if not lines:
            return ""
        lines[-1] = lines[-1][: span.end_column - 1]
        lines[0] = lines[0][span.column - 1 :]
        return "\n".join(lines)

    def _column(self, line: int, offset: int) -> int:
        if not 1 <= line <= len(self.lines):
            return offset + 1
        text = self.lines[line - 1]
        if text.isascii():
            return offset + 1
        return len(text.encode("utf-8", "surrogatepass")[:offset].decode("utf-8", "ignore")) + 1


@dataclass(frozen=True, slots=True)
class Binding:
    """One place that binds a name. `top` when it stands directly at module level."""

    kind: Literal["function", "import", "assign", "other"]
    node: ast.AST
    top: bool
    module: str = ""
    """Of an import: the dotted module."""
    original: str | None = None
    """Of a from-import: the name inside that module; None for a module import."""


@dataclass(frozen=True, slots=True)
class Place:
    """A function definition with its qualified name, and what surrounds it."""

    name: str
    node: FunctionNode
    inside: Literal["module", "class", "function"]


@dataclass(frozen=True, slots=True)
class Source:
    """A parsed module."""

    text: Text
    tree: ast.Module
    bindings: dict[str, list[Binding]] = field(default_factory=dict)
    stars: tuple[tuple[str, ast.ImportFrom], ...] = ()
    places: tuple[Place, ...] = ()

    def unique(self, name: str) -> Binding | None:
        """The only binding of `name`, when there is exactly one and it stands directly at module level."""
        found = self.bindings.get(name, [])
        return found[0] if len(found) == 1 and found[0].top else None


@lru_cache(maxsize=64)
def parse(source: str) -> Source:
    """The module of a text. Raises VerifierError (`syntax-error`) for anything that CPython would not compile,
    or that nests too deeply to be read."""
    tree = parse_tree(source)
    text = Text(source)
    stars: list[tuple[str, ast.ImportFrom]] = []
    bindings: dict[str, list[Binding]] = {}
    for name, binding in bound(tree.body):
        if name == "*":
            assert isinstance(binding.node, ast.ImportFrom)
            stars.append((binding.module, binding.node))
        else:
            bindings.setdefault(name, []).append(binding)
    for node in ast.walk(tree):
        if isinstance(node, ast.Global):
            for name in node.names:
                bindings.setdefault(name, []).append(Binding("other", node, top=False))
    return Source(text, tree, bindings, tuple(stars), tuple(_places(tree)))


def parse_tree(source: str) -> ast.Module:
    """The syntax tree of a module that compiles; never a crash of the parser."""
    if "\0" in source:
        before = _LINE_END.split(source[: source.index("\0")])
        place = Span(len(before), len(before[-1]) + 1, len(before), len(before[-1]) + 2)
        raise VerifierError("syntax-error", "the source holds a null character", span=place)
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            tree = ast.parse(source)
            compile(tree, "<claim>", "exec", dont_inherit=True)
    except SyntaxError as error:
        line, column = error.lineno or 1, max(error.offset or 1, 1)
        raise VerifierError(
            "syntax-error", error.msg or "invalid syntax", span=Span(line, column, line, column)
        ) from None
    except (RecursionError, MemoryError):
        raise VerifierError("syntax-error", "the source nests too deeply", span=Span(1, 1, 1, 1)) from None
    except (ValueError, OverflowError) as error:
        raise VerifierError("syntax-error", str(error), span=Span(1, 1, 1, 1)) from None
    return tree


def nesting(node: ast.AST) -> int:
    """How many levels the tree below a node has; iterative, so that no input can exhaust the stack."""
    deepest, level = 0, [node]
    while level:
        deepest += 1
        level = [child for parent in level for child in ast.iter_child_nodes(parent)]
    return deepest


# --- what a scope binds ----------------------------------------------------------------------------------------


def bound(body: Iterable[ast.stmt]) -> Iterator[tuple[str, Binding]]:
    """Every name that the statements bind in their own scope, once a place. A star import yields the name `*`."""
    todo: list[tuple[ast.AST, bool]] = [(stmt, True) for stmt in body]
    while todo:
        node, top = todo.pop()
        yield from _binds(node, top)
        todo.extend((child, False) for child in _same_scope(node))


def _binds(node: ast.AST, top: bool) -> Iterator[tuple[str, Binding]]:
    match node:
        case ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name):
            yield name, Binding("function", node, top)
        case ast.ClassDef(name=name):
            yield name, Binding("other", node, top)
        case ast.Import(names=aliases):
            for alias in aliases:
                shown = alias.asname or alias.name.split(".")[0]
                target = alias.name if alias.asname else shown
                yield shown, Binding("import", node, top, module=target)
        case ast.ImportFrom(names=aliases):
            module = "." * node.level + (node.module or "")
            for alias in aliases:
                yield alias.asname or alias.name, Binding("import", node, top, module, alias.name)
        case ast.Assign(targets=[ast.Name(id=name)]) | ast.AnnAssign(target=ast.Name(id=name)):
            if not isinstance(node, ast.AnnAssign) or node.value is not None:
                yield name, Binding("assign", node, top)
        case ast.Name(id=name, ctx=ast.Store() | ast.Del()):
            yield name, Binding("other", node, False)
        case ast.ExceptHandler(name=str(name)) | ast.MatchAs(name=str(name)) | ast.MatchStar(name=str(name)):
            yield name, Binding("other", node, False)
        case ast.MatchMapping(rest=str(name)):
            yield name, Binding("other", node, False)
        case _:
            return


def _same_scope(node: ast.AST) -> Iterator[ast.AST]:
    """The children of a node that are evaluated in the same scope as the node."""
    match node:
        case ast.FunctionDef() | ast.AsyncFunctionDef():
            yield from node.decorator_list
            yield from _signature(node.args)
            if node.returns is not None:
                yield node.returns
        case ast.ClassDef():
            yield from (*node.decorator_list, *node.bases, *(keyword.value for keyword in node.keywords))
        case ast.Lambda(args=args):
            yield from _signature(args)
        case ast.Assign(targets=[ast.Name()], value=value):
            yield value
        case ast.AnnAssign(target=ast.Name(), annotation=annotation, value=value):
            yield annotation
            if value is not None:
                yield value
        case ast.ListComp() | ast.SetComp() | ast.DictComp() | ast.GeneratorExp():
            for child in ast.walk(node):
                if isinstance(child, ast.NamedExpr):
                    yield child.target
        case _:
            yield from ast.iter_child_nodes(node)


def _signature(args: ast.arguments) -> Iterator[ast.AST]:
    yield from args.defaults
    yield from (default for default in args.kw_defaults if default is not None)
    for arg in (*args.posonlyargs, *args.args, *args.kwonlyargs, args.vararg, args.kwarg):
        if arg is not None and arg.annotation is not None:
            yield arg.annotation


def _places(tree: ast.Module) -> list[Place]:
    found: list[Place] = []
    todo: list[tuple[ast.AST, str, Literal["module", "class", "function"]]] = [(tree, "", "module")]
    while todo:
        node, prefix, inside = todo.pop()
        for child in ast.iter_child_nodes(node):
            if isinstance(child, ast.FunctionDef | ast.AsyncFunctionDef):
                found.append(Place(prefix + child.name, child, inside))
                todo.append((child, f"{prefix}{child.name}.", "function"))
            elif isinstance(child, ast.ClassDef):
                todo.append((child, f"{prefix}{child.name}.", "class"))
            else:
                todo.append((child, prefix, inside))
    return sorted(found, key=lambda place: (place.node.lineno, place.node.col_offset))


# --- modules whose names cannot be trusted ---------------------------------------------------------------------


def _words(text: str) -> list[str]:
    return text.split()


_DYNAMIC_NAMES = frozenset(
    _words("""globals locals vars exec eval setattr delattr __builtins__ builtins importlib __import__ __dict__ ctypes
    gc""")
)
_DYNAMIC_ATTRIBUTES = frozenset(
    _words("""__dict__ __globals__ __builtins__ __code__ __defaults__ __kwdefaults__ __closure__ __setattr__ __delattr__
    _getframe f_globals f_locals f_builtins""")
)


def _rebinds(module: str) -> bool:
    """Whether a module offers functions that change what other modules' names mean."""
    return module.split(".", maxsplit=1)[0] in _DYNAMIC_NAMES or module in ("mock", "unittest.mock")


def refuse_dynamic(source: Source) -> None:
    """Raise Unsupported where the module may rebind names in ways that its text does not show."""
    for node in ast.walk(source.tree):
        construct = _dynamic(node)
        if construct is not None:
            raise Unsupported(construct, source.text.span(node))


def _dynamic(node: ast.AST) -> str | None:
    match node:
        case ast.Name(id=name) if name in _DYNAMIC_NAMES:
            return f"`{name}` in the module"
        case ast.Attribute(attr=attr) if attr in _DYNAMIC_ATTRIBUTES:
            return f"attribute `{attr}` in the module"
        case ast.Attribute(attr="modules"):
            return "`sys.modules` in the module"
        case ast.Constant(value=str(text)) if text in _DYNAMIC_ATTRIBUTES or text.startswith("builtins."):
            return f"the text {text!r} in the module"
        case ast.Attribute(attr=attr, value=value, ctx=ast.Store() | ast.Del()):
            if not (isinstance(value, ast.Name) and value.id == "self"):
                return f"assignment to the attribute `{attr}` in the module"
        case ast.Import(names=aliases):
            for alias in aliases:
                if _rebinds(alias.name):
                    return f"import of `{alias.name}` in the module"
        case ast.ImportFrom(module=module, names=aliases):
            if _rebinds(module or "") or any(_rebinds(f"{module}.{alias.name}") for alias in aliases):
                return f"import from `{module}` in the module"
            if module == "sys" and any(alias.name in ("modules", "_getframe", "*") for alias in aliases):
                return "import of `sys.modules` in the module"
        case ast.Call(func=ast.Name(id="getattr"), args=[_, name, *_]):
            if not (isinstance(name, ast.Constant) and isinstance(name.value, str) and not name.value.startswith("_")):
                return "`getattr` of a computed or private name in the module"
        case _:
            return None
    return None
