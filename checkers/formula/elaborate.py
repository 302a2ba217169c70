"""From S-expressions to sorted terms: scopes, definitions unfolded, sorts checked where they are known. Trusted.

Terms of theories that this room does not know (strings, floating point, datatypes) get no sort and stay as they are;
the solvers check them. What is found wrong here is `bad-smtlib` at the exact place.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any, TypeAlias

from checkers.formula.lexer import Atom, Group, Sexpr, fail, render
from checkers.formula.smtlib import Script, head_of
from checkers.formula.sort_reader import SortReader, list_of, name_of, show
from checkers.formula.sorts import (
    CONSTANTS,
    KNOWN_HEADS,
    is_theory_symbol,
    real_numerals,
    result_sort,
)
from checkers.formula.terms import BOOL, INT, REAL, Graph, Sort, Term

Walk: TypeAlias = "Generator[Walk, Term, Term]"
"""A step of elaboration: yields the walks that it needs and is sent their terms. Nothing recurses."""


class Opaque(Exception):
    """The script uses a construct that has no terms here; its text alone stands for it."""


def drive(walk: Walk) -> Term:
    """Run a walk to its end with a stack of our own."""
    stack = [walk]
    value: Any = None
    while stack:
        try:
            step = stack[-1].send(value)
        except StopIteration as end:
            stack.pop()
            value = end.value
            continue
        stack.append(step)
        value = None
    result: Term = value
    return result


@dataclass(frozen=True, slots=True)
class Scope:
    """What local names mean, and how many quantifiers enclose this place."""

    names: Mapping[str, Term]
    level: int = 0


@dataclass(frozen=True, slots=True)
class Definition:
    """A `define-fun`: unfolded at every use."""

    params: tuple[tuple[str, Sort], ...]
    result: Sort
    body: Sexpr


@dataclass(slots=True)
class Elaborator:
    """Reads one script. `declared` maps names to parameter sorts and result sort."""

    script: Script
    graph: Graph
    make: Callable[..., Term]
    declared: dict[str, tuple[tuple[Sort, ...], Sort]] = field(default_factory=dict)
    defined: dict[str, Definition] = field(default_factory=dict)
    reader: SortReader = field(default_factory=SortReader)
    reals: bool = False

    def run(self) -> tuple[Term, ...]:
        """The asserted formulas as terms."""
        self.reals = real_numerals(self.script.logic)
        found: list[Term] = []
        for command in self.script.commands:
            if head_of(command) == "assert":
                term = drive(self.walk(command.items[1], Scope({})))
                self.expect(term, BOOL, command.items[1])
                found.append(term)
            else:
                self.declare(command)
        return tuple(found)

    # --- declarations --------------------------------------------------------------------------------------------

    def declare(self, command: Group) -> None:
        """Enter one declaration or definition."""
        head = head_of(command)
        if head in ("declare-datatype", "declare-datatypes"):
            self._datatypes(command)
            return
        name = self._fresh(command.items[1])
        match head:
            case "declare-const":
                self.declared[name] = ((), self.reader.sort(command.items[2]))
            case "declare-fun":
                params = list_of(command.items[2])
                self.declared[name] = (
                    tuple(self.reader.sort(each) for each in params),
                    self.reader.sort(command.items[3]),
                )
            case "declare-sort":
                arity = command.items[2]
                if not isinstance(arity, Atom) or arity.kind != "numeral":
                    fail("the arity of the sort is expected here", arity)
                self.reader.sorts[name] = int(arity.text)
            case "define-sort":
                self.reader.aliases[name] = (
                    tuple(name_of(each) for each in list_of(command.items[2])),
                    command.items[3],
                )
            case "define-fun":
                self._define(name, command)

    def _define(self, name: str, command: Group) -> None:
        params = tuple(self._binding(each) for each in list_of(command.items[2]))
        self._distinct([key for key, _ in params], command.items[2])
        pairs = tuple((key, self.reader.sort(kind)) for key, kind in params)
        result = self.reader.sort(command.items[3])
        # Elaborated once with its parameters as they are, to find what is wrong with it at its own place.
        scope = Scope({key: self.graph.term("bound", (), -1 - k, kind) for k, (key, kind) in enumerate(pairs)})
        self.expect(drive(self.walk(command.items[4], scope)), result, command.items[4])
        self.defined[name] = Definition(pairs, result, command.items[4])

    def _datatypes(self, command: Group) -> None:
        """Constructors, selectors and sorts become names of which nothing more is known here."""
        stack: list[Sexpr] = list(command.items[1:])
        while stack:
            item = stack.pop()
            if isinstance(item, Group):
                stack.extend(item.items)
            elif item.kind == "symbol":
                self.reader.opaque.add(item.text)

    def _fresh(self, place: Sexpr) -> str:
        name = name_of(place)
        if name in self.declared or name in self.defined or name in self.reader.opaque:
            fail(f"`{name}` is declared twice", place)
        if name in self.reader.sorts or name in self.reader.aliases:
            fail(f"`{name}` is declared twice", place)
        if is_theory_symbol(name):
            fail(f"`{name}` belongs to a theory and cannot be declared", place)
        if name.startswith(("@", ".")):
            fail(f"`{name}`: names that start with @ or . are reserved for solvers", place)
        return name

    # --- terms ---------------------------------------------------------------------------------------------------

    def walk(self, expression: Sexpr, scope: Scope) -> Walk:
        """The term that an expression denotes."""
        if isinstance(expression, Atom):
            return (yield from self._atom(expression, scope))
        if not expression.items:
            fail("a term is expected here", expression)
        head = expression.items[0]
        if isinstance(head, Atom) and head.kind == "reserved":
            match head.text:
                case "let":
                    return (yield from self._let(expression, scope))
                case "forall" | "exists":
                    return (yield from self._quantifier(head.text, expression, scope))
                case "!":
                    return (yield from self._annotated(expression, scope))
                case "_":
                    return self._indexed_constant(expression)
                case "as":
                    return self.graph.term("opaque", (), render(expression)[0])
                case "match":
                    raise Opaque
            fail(f"`{head.text}` cannot stand here", head)
        args: list[Term] = []
        for each in expression.items[1:]:
            term = yield self.walk(each, scope)
            args.append(term)
        if not args:
            fail("a function is applied to nothing: constants stand without parentheses", expression)
        if isinstance(head, Group):
            return self._indexed(head, tuple(args), expression)
        return (yield from self._application(head, tuple(args), expression, scope))

    def _atom(self, atom: Atom, scope: Scope) -> Walk:
        match atom.kind:
            case "numeral":
                return (
                    self.graph.const(Fraction(int(atom.text)), REAL)
                    if self.reals
                    else self.graph.const(int(atom.text), INT)
                )
            case "decimal":
                return self.graph.const(Fraction(atom.text), REAL)
            case "hexadecimal":
                return self.graph.const(int(f"0{atom.text[1:]}", 16), ("BitVec", 4 * (len(atom.text) - 2)))
            case "binary":
                return self.graph.const(int(f"0{atom.text[1:]}", 2), ("BitVec", len(atom.text) - 2))
            case "string":
                return self.graph.const(atom.text, "String")
            case "symbol":
                return (yield from self._symbol(atom, scope))
        fail("a term is expected here", atom)

    def _symbol(self, atom: Atom, scope: Scope) -> Walk:
        name = atom.text
        if name in scope.names:
            return scope.names[name]
        if name in self.declared:
            params, sort = self.declared[name]
            if params:
                fail(f"`{name}` takes {len(params)} argument(s)", atom)
            return self.graph.term("free", (), name, sort)
        if name in self.defined:
            return (yield from self._unfold(name, (), atom, scope))
        if name in ("true", "false"):
            return self.graph.truth(name == "true")
        if name in self.reader.opaque or name in CONSTANTS or "." in name:
            return self.graph.term("opaque", (), name)
        fail(f"`{name}` is not declared", atom)

    def _application(self, head: Atom, args: tuple[Term, ...], place: Group, scope: Scope) -> Walk:
        name = head.text
        if head.kind != "symbol":
            fail("the name of a function is expected here", head)
        if name in scope.names:
            fail(f"the variable `{name}` is no function", head)
        if name in self.declared:
            params, sort = self.declared[name]
            self._arguments(name, params, args, place)
            return self.graph.term("apply", args, name, sort)
        if name in self.defined:
            return (yield from self._unfold(name, args, place, scope))
        if name in self.reader.opaque:
            return self.graph.term("opaque-apply", args, name)
        if name not in KNOWN_HEADS and "." not in name and not name.startswith("bv"):
            fail(f"the function `{name}` is not declared", head)
        return self._theory(name, args, (), place)

    def _theory(self, name: str, args: tuple[Term, ...], indices: tuple[Any, ...], place: Group) -> Term:
        """A theory's function: its sorts are checked where it is a known one."""
        sort, error = result_sort(name, tuple(arg.sort for arg in args), indices)
        if error:
            fail(f"`{name}`: {error}", place)
        return self.make(name, args, indices, sort)

    def _unfold(self, name: str, args: tuple[Term, ...], place: Sexpr, scope: Scope) -> Walk:
        definition = self.defined[name]
        self._arguments(name, tuple(sort for _, sort in definition.params), args, place)
        names = {key: arg for (key, _), arg in zip(definition.params, args, strict=True)}
        return (yield self.walk(definition.body, Scope(names, scope.level)))

    def _arguments(self, name: str, params: tuple[Sort, ...], args: tuple[Term, ...], place: Sexpr) -> None:
        if len(params) != len(args):
            fail(f"`{name}` takes {len(params)} argument(s), not {len(args)}", place)
        for param, arg in zip(params, args, strict=True):
            self.expect(arg, param, place)

    def _let(self, expression: Group, scope: Scope) -> Walk:
        if len(expression.items) != 3:
            fail("`let` takes bindings and a term", expression)
        pairs = [self._binding(each) for each in list_of(expression.items[1])]
        if not pairs:
            fail("`let` without a binding", expression)
        self._distinct([name for name, _ in pairs], expression.items[1])
        names = dict(scope.names)
        for name, value in pairs:
            names[name] = yield self.walk(value, scope)
        return (yield self.walk(expression.items[2], Scope(names, scope.level)))

    def _quantifier(self, kind: str, expression: Group, scope: Scope) -> Walk:
        if len(expression.items) != 3:
            fail(f"`{kind}` takes variables and a term", expression)
        pairs = [self._binding(each) for each in list_of(expression.items[1])]
        if not pairs:
            fail(f"`{kind}` without a variable", expression)
        self._distinct([name for name, _ in pairs], expression.items[1])
        level = scope.level
        sorts = tuple(self.reader.sort(sort) for _, sort in pairs)
        names = dict(scope.names)
        for index, ((name, _), sort) in enumerate(zip(pairs, sorts, strict=True)):
            names[name] = self.graph.term("bound", (), level + index, sort)
        body = yield self.walk(expression.items[2], Scope(names, level + len(pairs)))
        self.expect(body, BOOL, expression.items[2])
        return self.make(kind, (body,), (level, sorts), BOOL)

    def _annotated(self, expression: Group, scope: Scope) -> Walk:
        """Annotations steer solvers and print names; they are no part of the meaning."""
        if len(expression.items) < 3:
            fail("`!` takes a term and attributes", expression)
        for each in expression.items[2:]:
            if isinstance(each, Atom) and each.text == ":named":
                fail("names of terms are not supported: write the term, or use define-fun", each)
        return (yield self.walk(expression.items[1], scope))

    def _indexed_constant(self, expression: Group) -> Term:
        items = expression.items
        if len(items) == 3 and isinstance(items[1], Atom) and isinstance(items[2], Atom):
            name, width = items[1].text, items[2]
            if name.startswith("bv") and name[2:].isdigit() and width.kind == "numeral":
                size = int(width.text)
                if size < 1 or int(name[2:]) >= 2**size:
                    fail("the number does not fit into its width", expression)
                return self.graph.const(int(name[2:]), ("BitVec", size))
        return self.graph.term("opaque", (), render(expression)[0])

    def _indexed(self, head: Group, args: tuple[Term, ...], place: Group) -> Term:
        items = head.items
        if not items or not isinstance(items[0], Atom) or items[0].text not in ("_", "as"):
            fail("the name of a function is expected here", head)
        plain = all(isinstance(each, Atom) for each in items)
        if items[0].text == "_" and plain and len(items) >= 3:
            indices = tuple(
                int(each.text) if each.kind == "numeral" else each.text for each in items[2:] if isinstance(each, Atom)
            )
            assert isinstance(items[1], Atom)
            return self._theory(items[1].text, args, indices, place)
        if items[0].text == "as" and len(items) == 3 and isinstance(items[1], Atom) and items[1].text == "const":
            return self.graph.term("const-array", args, None, self.reader.sort(items[2]))
        return self.graph.term("opaque-apply", args, render(head)[0])

    # --- small readers -------------------------------------------------------------------------------------------

    def expect(self, term: Term, sort: Sort, place: Sexpr) -> None:
        """Raise unless the term's sort, where it is known, is the expected one."""
        if term.sort not in (None, sort):
            fail(f"a term of sort {show(sort)} is expected here, not of sort {show(term.sort)}", place)

    def _binding(self, expression: Sexpr) -> tuple[str, Sexpr]:
        if not isinstance(expression, Group) or len(expression.items) != 2:
            fail("a pair (name ...) is expected here", expression)
        name = name_of(expression.items[0])
        if is_theory_symbol(name):
            fail(f"`{name}` belongs to a theory and cannot be bound", expression)
        return name, expression.items[1]

    def _distinct(self, names: list[str], place: Sexpr) -> None:
        if len(set(names)) != len(names):
            fail("one name is bound twice here", place)
