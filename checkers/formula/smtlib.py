"""An SMT-LIB 2.6 script as one question: declarations, assertions, exactly one `(check-sat)`. Trusted.

Whatever could change the meaning of the question, its limits, or its number is bad input with line and column.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass, field

from checkers.formula.lexer import COMMANDS, Atom, Group, Sexpr, fail, read, render, spell_symbol
from checkers.formula.sorts import is_logic
from verifier.model import Span

HARMLESS_OPTIONS = frozenset(
    [
        ":produce-models",
        ":produce-unsat-cores",
        ":produce-proofs",
        ":produce-assignments",
        ":produce-assertions",
        ":print-success",
        ":produce-unsat-assumptions",
        ":interactive-mode",
        ":global-declarations",
        ":verbosity",
    ]
)
"""Options that change what a solver prints, never what it answers. They are dropped."""
AFTER = frozenset(
    [
        "get-model",
        "get-value",
        "get-info",
        "get-option",
        "get-assignment",
        "get-unsat-core",
        "get-proof",
        "get-assertions",
        "echo",
    ]
)
"""Commands that may follow `(check-sat)`. They are dropped: models and proofs are the verdict's business."""
INCREMENTAL = frozenset(["push", "pop", "reset", "reset-assertions", "check-sat-assuming", "get-unsat-assumptions"])
DECLARING = frozenset(
    [
        "declare-const",
        "declare-fun",
        "declare-sort",
        "define-fun",
        "define-sort",
        "declare-datatype",
        "declare-datatypes",
    ]
)
_LENGTHS = {
    "declare-const": 3, "declare-fun": 4, "declare-sort": 3, "define-fun": 5, "define-sort": 4, "declare-datatype": 3,
    "declare-datatypes": 3, "assert": 2, "check-sat": 1, "set-logic": 2, "set-option": 3, "exit": 1,
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Script:
    """What the text says: its logic, its declarations and definitions in order, and the asserted formulas."""

    logic: str | None
    commands: tuple[Group, ...]

    @property
    def assertions(self) -> tuple[Sexpr, ...]:
        """The asserted formulas, in order."""
        return tuple(command.items[1] for command in self.commands if head_of(command) == "assert")

    @property
    def declarations(self) -> tuple[Group, ...]:
        """Declarations and definitions, in order."""
        return tuple(command for command in self.commands if head_of(command) != "assert")


@dataclass(frozen=True, slots=True)
class Printed:
    """A script for the solvers, and for each of its lines the pieces of the source that it was made of."""

    text: str
    lines: tuple[tuple[tuple[int, Atom | Group], ...], ...] = field(repr=False)

    def locate(self, line: int, column: int) -> Span | None:
        """The place in the source of a place in the script (both 1-based); None where there is none."""
        if not 1 <= line <= len(self.lines) or not self.lines[line - 1]:
            return None
        places = self.lines[line - 1]
        index = bisect_right([offset for offset, _ in places], max(column - 1, 0)) - 1
        return places[max(index, 0)][1].span


def parse(text: str) -> Script:
    """The question that a text asks. Raises VerifierError (`bad-smtlib`) with line and column."""
    expressions = read(text)
    logic: str | None = None
    commands: list[Group] = []
    asked: Group | None = None
    ended = False
    for expression in expressions:
        name = _name(expression)
        assert isinstance(expression, Group)
        if ended:
            fail("nothing may follow (exit)", expression)
        if asked is not None and name not in AFTER and name not in ("exit", "set-info", "check-sat"):
            fail(f"`{name}` after (check-sat): a script asks one question, at its end", expression)
        match name:
            case "set-logic":
                if logic is not None or commands:
                    fail("the logic is set once, before everything else", expression)
                logic = _logic(expression.items[1])
            case "set-info" | "echo":
                pass
            case "set-option":
                _option(expression)
            case "check-sat":
                if asked is not None:
                    fail("a second (check-sat): a script asks one question", expression)
                asked = expression
            case "exit":
                ended = True
            case _ if name in DECLARING or name == "assert":
                commands.append(expression)
            case _ if name in AFTER and asked is None:
                fail(f"`{name}` before (check-sat)", expression)
    if asked is None:
        fail("the script has no (check-sat)", _end(text))
    script = Script(logic, tuple(commands))
    if not script.assertions:
        fail("the script asserts nothing", asked)
    return script


def print_script(script: Script, *, negate: bool) -> Printed:
    """The script of one obligation: the assertions, or (`negate`) that not all of them hold. One command a line."""
    lines: list[tuple[str, tuple[tuple[int, Atom | Group], ...]]] = []
    if script.logic is not None:
        # cvc5 does not know the name HORN, which only says how the script is written.
        lines.append((f"(set-logic {'ALL' if script.logic == 'HORN' else spell_symbol(script.logic)})", ()))
    lines += [_line(command) for command in script.commands if not negate or head_of(command) != "assert"]
    if negate:
        lines.append(_negation(script.assertions))
    lines.append(("(check-sat)", ()))
    return Printed("".join(text + "\n" for text, _ in lines), tuple(places for _, places in lines))


def head_of(command: Group) -> str:
    """The name of a command that has been read."""
    first = command.items[0]
    assert isinstance(first, Atom)
    return first.text


def _negation(formulas: Sequence[Sexpr]) -> tuple[str, tuple[tuple[int, Atom | Group], ...]]:
    """`(assert (not F))`, or `(assert (not (and F G ...)))` for several."""
    text, places = "(assert (not " + ("(and" if len(formulas) > 1 else ""), []
    for formula in formulas:
        body, inner = render(formula)
        text += " " if len(formulas) > 1 else ""
        places += [(offset + len(text), piece) for offset, piece in inner]
        text += body
    return text + ("" if len(formulas) == 1 else ")") + "))", tuple(places)


def _line(command: Group) -> tuple[str, tuple[tuple[int, Atom | Group], ...]]:
    text, places = render(command)
    return text, tuple(places)


def _name(expression: Sexpr) -> str:
    """The name of a command that is allowed here, its number of arguments checked."""
    if not isinstance(expression, Group) or not expression.items or not isinstance(expression.items[0], Atom):
        fail("a command is expected here, such as (assert ...)", expression)
    first = expression.items[0]
    name = first.text
    if name in ("define-fun-rec", "define-funs-rec"):
        fail("recursive definitions are not supported yet", first, "Declare the function and assert its equation.")
    if name in INCREMENTAL:
        fail(f"`{name}` is not allowed: a script asks one question", first)
    known = name in COMMANDS and (name in AFTER or name in DECLARING or name in _LENGTHS or name == "set-info")
    if first.kind != "reserved" or not known:
        fail(f"unknown command `{name}`", first)
    if name in _LENGTHS and len(expression.items) != _LENGTHS[name]:
        fail(f"`{name}` takes {_LENGTHS[name] - 1} argument(s), not {len(expression.items) - 1}", expression)
    return name


def _option(command: Group) -> None:
    keyword = command.items[1]
    if not isinstance(keyword, Atom) or keyword.kind != "keyword":
        fail("an option is expected here, such as :produce-models", keyword)
    if keyword.text not in HARMLESS_OPTIONS:
        fail(f"the option `{keyword.text}` is not allowed: it may change the answer or its limits", keyword)


def _logic(expression: Sexpr) -> str:
    if not isinstance(expression, Atom) or expression.kind != "symbol" or not is_logic(expression.text):
        fail("the name of a logic is expected here, such as QF_LIA or ALL", expression)
    return expression.text


def _end(text: str) -> Span:
    line = text.count("\n") + 1
    column = len(text) - (text.rfind("\n") + 1) + 1
    return Span(line, column, line, column + 1)
