"""The kernel's evaluator: does a model make every assertion of an SMT-LIB script true? Trusted, exact, alone.

It shares nothing with the parser of claims: its own reader, its own sorts, and the functions beside it. It answers
`true`, `false` or `unknown`; `unknown` is said for whatever it does not know (strings, floating point, datatypes,
quantifiers over anything but Bool) and whatever the model leaves open: `(/ x 0)`, `(div x 0)` and `(mod x 0)` are
functions of x that the standard leaves open, so they are taken from the model or not at all. A constant or function
that the model does not mention gets a default: any interpretation is as good as another one for a model.
Semantics: The SMT-LIB Standard 2.6, theories Core, Ints, Reals, Reals_Ints, ArraysEx, FixedSizeBitVectors.
"""

from __future__ import annotations

import re
from collections.abc import Generator, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any, Literal, TypeAlias

from checkers.kernel.bitvectors import apply_indexed
from checkers.kernel.functions import THEORY, apply
from checkers.kernel.values import BITS, Open, Sort, Table, Value, bits, boolean, fit, literal, show

Sexpr: TypeAlias = "str | tuple[Sexpr, ...]"

STEPS = 2_000_000
"""Nodes that one evaluation may visit."""
DEPTH = 20_000
"""Evaluations that may wait for each other: a definition that runs in a circle ends here."""


@dataclass(frozen=True, slots=True)
class Result:
    """`true` iff every assertion is true in the model; `detail` says which is false, or what could not be evaluated."""

    status: Literal["true", "false", "unknown"]
    detail: str = ""


@dataclass(frozen=True, slots=True)
class Function:
    """A definition: of the script, or of the model."""

    params: tuple[tuple[str, Sort], ...]
    result: Sort
    body: Sexpr


Walk: TypeAlias = "Generator[Walk, Value, Value]"
Scope: TypeAlias = "Mapping[str, Value]"

_TOKEN = re.compile(r'[ \t\r\n]+|;[^\n]*|([()]|"(?:[^"]|"")*"|\|[^|\\]*\||[^ \t\r\n()";|]+)')


def evaluate(script: str, model: str) -> Result:
    """Evaluate the assertions of a script (declarations, definitions, `assert`, one `check-sat`) in a model.

    A model is `(define-fun …)` commands, bare or in one list. Raises nothing: unreadable input is `unknown`.
    """
    try:
        world = World()
        formulas = world.load(read(script))
        world.interpret(read(model))
        for number, formula in enumerate(formulas, 1):
            if not boolean(world.run(formula)):
                return Result("false", f"assertion {number} is false in the model")
        return Result("true") if formulas else Result("unknown", "there is no assertion")
    except Open as error:
        return Result("unknown", str(error))


def values_of(script: str, model: str) -> dict[str, str]:
    """What a model says of the script's constants, for people; those without a value here are left out."""
    found: dict[str, str] = {}
    try:
        world = World()
        world.load(read(script))
        world.interpret(read(model))
        for name, (params, _) in world.declared.items():
            if not params:
                found[name] = show(world.run(name))
    except Open:
        pass
    return found


def read(text: str) -> tuple[Sexpr, ...]:
    """All S-expressions of a text; `|x|` and `x` are one symbol. Raises Open."""
    stack: list[list[Sexpr]] = [[]]
    at = 0
    while at < len(text):
        match = _TOKEN.match(text, at)
        if match is None:
            raise Open("the text is no sequence of S-expressions")
        at, token = match.end(), match.group(1)
        if token == "(":
            stack.append([])
        elif token == ")":
            if len(stack) == 1:
                raise Open("a parenthesis is missing")
            done = tuple(stack.pop())
            stack[-1].append(done)
        elif token is not None:
            bare = token[0] == "|" and re.fullmatch(
                r"[A-Za-z~!@$%^&*_+=<>.?/-][\w~!@$%^&*+=<>.?/-]*", token[1:-1], re.ASCII
            )
            stack[-1].append(token[1:-1] if bare and token[1:-1] not in _RESERVED else token)
    if len(stack) > 1:
        raise Open("a parenthesis is missing")
    return tuple(stack[0])


_RESERVED = frozenset(["let", "forall", "exists", "match", "!", "_", "as", "par"])
_OPEN_AT_ZERO = {"/": "/0", "div": "div0", "mod": "mod0"}


@dataclass(slots=True)
class World:
    """Everything that names mean: the script's declarations and definitions, and the model's interpretations."""

    declared: dict[str, tuple[tuple[Sort, ...], Sort]] = field(default_factory=dict)
    defined: dict[str, Function] = field(default_factory=dict)
    model: dict[str, Function] = field(default_factory=dict)
    sorts: set[str] = field(default_factory=set)
    elements: dict[str, Sort] = field(default_factory=dict)
    real_numerals: bool = False
    steps: int = 0

    # --- reading ---------------------------------------------------------------------------------------------------

    def load(self, commands: tuple[Sexpr, ...]) -> list[Sexpr]:
        """Enter the script; returns its asserted formulas. Each name is declared once and none is a theory's."""
        formulas: list[Sexpr] = []
        for command in commands:
            match command:
                case ("set-logic", str() as logic):
                    self.real_numerals = re.fullmatch(r"(QF_)?(A|AX|UF|BV|DT|FP|S)*(LRA|NRA|RDL)", logic) is not None
                case ("declare-const", str() as name, sort):
                    self._enter(name)
                    self.declared[name] = ((), self.sort(sort))
                case ("declare-fun", str() as name, tuple() as params, sort):
                    self._enter(name)
                    self.declared[name] = (tuple(map(self.sort, params)), self.sort(sort))
                case ("declare-sort", str() as name, "0"):
                    self._enter(name)
                    self.sorts.add(name)
                case ("define-fun", str() as name, tuple() as params, sort, body):
                    self._enter(name)
                    self.defined[name] = self._function(params, sort, body)
                case ("assert", formula):
                    formulas.append(formula)
                case ("check-sat",):
                    pass
                case _:
                    raise Open(f"the script holds a command that is not evaluated: {_text(command)}")
        return formulas

    def interpret(self, commands: tuple[Sexpr, ...]) -> None:
        """Enter the model. What it says of declared names must have their sorts."""
        if (
            len(commands) == 1
            and isinstance(commands[0], tuple)
            and (not commands[0] or commands[0][0] != "define-fun")
        ):
            commands = commands[0][1:] if commands[0][:1] == ("model",) else commands[0]
        for command in commands:
            match command:
                case ("define-fun", str() as name, tuple() as params, sort, body):
                    function = self._function(params, sort, body)
                    signature = (tuple(sort for _, sort in function.params), function.result)
                    if name in self.model or name in self.defined or name in THEORY:
                        raise Open(f"the model may not define {name}")
                    if self.declared.get(name, signature) != signature:
                        raise Open(f"the model gives {name} another sort")
                    self.model[name] = function
                case ("declare-fun", str() as name, (), str() as sort) if sort in self.sorts:
                    if name in self.declared or name in self.defined:
                        raise Open(f"the model may not declare {name}")
                    self.elements[name] = sort
                case ("forall", *_):
                    pass  # Z3 prints how many elements a sort has; nothing that is evaluated depends on it
                case _:
                    raise Open(f"the model holds something that is not evaluated: {_text(command)}")

    def sort(self, expression: Sexpr) -> Sort:
        """A sort that has values here. Raises Open."""
        match expression:
            case "Bool" | "Int" | "Real":
                return expression
            case str() if expression in self.sorts:
                return expression
            case ("_", "BitVec", str() as width) if width.isdigit() and 0 < int(width) <= BITS:
                return ("BitVec", int(width))
            case ("Array", index, item):
                return ("Array", self.sort(index), self.sort(item))
        raise Open(f"the sort {_text(expression)} is not evaluated")

    def _enter(self, name: str) -> None:
        if name in self.declared or name in self.defined or name in self.sorts or name in THEORY:
            raise Open(f"{name} is declared twice")

    def _function(self, params: tuple[Sexpr, ...], sort: Sexpr, body: Sexpr) -> Function:
        pairs: list[tuple[str, Sort]] = []
        for param in params:
            if not isinstance(param, tuple) or len(param) != 2 or not isinstance(param[0], str):
                raise Open("a definition has unreadable parameters")
            pairs.append((param[0], self.sort(param[1])))
        if len({name for name, _ in pairs}) != len(pairs):
            raise Open("a definition binds one name twice")
        return Function(tuple(pairs), self.sort(sort), body)

    # --- evaluation ------------------------------------------------------------------------------------------------

    def run(self, formula: Sexpr) -> Value:
        """The value of a closed term, on a stack of our own."""
        stack: list[Walk] = [self._term(formula, {})]
        value: Any = None
        while stack:
            self.steps += 1
            if self.steps > STEPS or len(stack) > DEPTH:
                raise Open("the evaluation takes too long")
            try:
                step = stack[-1].send(value)
            except StopIteration as end:
                stack.pop()
                value = end.value
            else:
                stack.append(step)
                value = None
        result: Value = value
        return result

    def _term(self, term: Sexpr, scope: Scope) -> Walk:
        if isinstance(term, str):
            value = literal(term, self.real_numerals)
            return value if value is not None else (yield from self._call(term, (), scope))
        match term:
            case ("let", tuple() as pairs, body):
                names = dict(scope)
                if len({_pair(pair)[0] for pair in pairs}) != len(pairs):
                    raise Open("`let` binds one name twice")
                for pair in pairs:
                    name, bound = _pair(pair)
                    names[name] = yield self._term(bound, scope)
                return (yield self._term(body, names))
            case (("forall" | "exists") as kind, tuple() as pairs, body):
                return (yield from self._quantified(kind, [_pair(pair) for pair in pairs], body, scope))
            case ("!", body, *_):
                return (yield self._term(body, scope))
            case ("ite", test, then, other):
                return (yield self._term(then if boolean((yield self._term(test, scope))) else other, scope))
            case ("_", str() as name, str() as width) if re.fullmatch(r"bv[0-9]+", name) and width.isdigit():
                return bits(int(width), int(name[2:]))
            case ("as", str() as name, str() as sort) if sort in self.sorts and name.startswith("@"):
                return Value(sort, name)
            case (head, *rest) if rest:
                args: list[Value] = []
                for each in rest:
                    value = yield self._term(each, scope)
                    args.append(value)
                if isinstance(head, str):
                    return (yield from self._call(head, tuple(args), scope))
                return self._indexed(head, args)
        raise Open(f"{_text(term)} is not evaluated")

    def _quantified(self, kind: str, pairs: list[tuple[str, Sexpr]], body: Sexpr, scope: Scope) -> Walk:
        """Quantifiers over Bool alone: all cases."""
        if any(sort != "Bool" for _, sort in pairs) or len(pairs) > 8 or len({name for name, _ in pairs}) != len(pairs):
            raise Open("a quantifier over anything but Bool is not evaluated")
        found: set[bool] = set()
        for case in range(2 ** len(pairs)):
            names = {name: Value("Bool", bool(case >> k & 1)) for k, (name, _) in enumerate(pairs)}
            found.add(boolean((yield self._term(body, {**scope, **names}))))
        return Value("Bool", found == {True} if kind == "forall" else True in found)

    def _call(self, name: str, args: tuple[Value, ...], scope: Scope) -> Walk:
        """A variable, constant or function by name."""
        if name in scope:
            if args:
                raise Open(f"{name} is no function")
            return scope[name]
        if name in THEORY:
            if name in _OPEN_AT_ZERO and any(arg.data == 0 for arg in args[1:]):
                return (yield from self._at_zero(name, args))
            return apply(name, args)
        function = self.defined.get(name) or self.model.get(name)
        if function is None:
            if name in self.declared:
                params, result = self.declared[name]
                fit(tuple(params), args)
                return self._default(result)
            if name in self.elements and not args:
                return Value(self.elements[name], name)
            raise Open(f"{name} is not evaluated")
        cast = fit(tuple(sort for _, sort in function.params), args)
        names = {param: arg for (param, _), arg in zip(function.params, cast, strict=True)}
        return fit((function.result,), ((yield self._term(function.body, names)),))[0]

    def _at_zero(self, name: str, args: tuple[Value, ...]) -> Walk:
        """Division by zero is a function that only the model can give."""
        if len(args) != 2:
            raise Open(f"{name} of several arguments by zero is not evaluated")
        key, sort = _OPEN_AT_ZERO[name], "Real" if name == "/" else "Int"
        args = fit((sort, sort), args)
        function = self.model.get(key)
        if function is None or key in self.declared or key in self.defined:
            raise Open(f"the model does not say what {name} by zero is")
        if function.result != sort or any(param != sort for _, param in function.params):
            raise Open(f"the model gives {key} another sort")
        return (yield from self._call(key, args[: len(function.params)], {}))

    def _indexed(self, head: tuple[Sexpr, ...], args: list[Value]) -> Value:
        match head:
            case ("as", "const", sort):
                kind = self.sort(sort)
                if not isinstance(kind, tuple) or kind[0] != "Array" or len(args) != 1:
                    raise Open("a constant array is of an array sort")
                assert isinstance(kind[2], str | tuple)
                return Value(kind, Table(frozenset(), fit((kind[2],), tuple(args))[0].data))
            case ("_", str() as name, *indices) if all(isinstance(each, str) and each.isdigit() for each in indices):
                return apply_indexed(name, [int(str(each)) for each in indices], args)
        raise Open(f"{_text(head)} is not evaluated")

    def _default(self, sort: Sort) -> Value:
        """Some value of a sort."""
        match sort:
            case "Bool":
                return Value(sort, False)
            case "Int":
                return Value(sort, 0)
            case "Real":
                return Value(sort, Fraction(0))
            case ("BitVec", _):
                return Value(sort, 0)
            case ("Array", _, item):
                assert isinstance(item, str | tuple)
                return Value(sort, Table(frozenset(), self._default(item).data))
        return Value(sort, "")


def _pair(expression: Sexpr) -> tuple[str, Sexpr]:
    """A binding; a theory's name cannot be bound."""
    if isinstance(expression, tuple) and len(expression) == 2 and isinstance(expression[0], str):
        if expression[0] in THEORY:
            raise Open(f"{expression[0]} cannot be bound")
        return expression[0], expression[1]
    raise Open("a binding cannot be read")


def _text(expression: Sexpr) -> str:
    """The beginning of an expression, for a message; never deep."""
    if isinstance(expression, str):
        return expression[:40]
    head = expression[0] if expression and isinstance(expression[0], str) else "…"
    return f"({head} …)"
