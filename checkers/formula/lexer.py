"""SMT-LIB 2.6 text to S-expressions with places (The SMT-LIB Standard 2.6, sections 3.1 and 3.2). Trusted.

Nothing here recurses, so deep nesting is an error with a place and never a crash. Every error is `bad-smtlib`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal, NoReturn, TypeAlias

from verifier.errors import VerifierError
from verifier.model import Span

MAX_TEXT = 4 * 2**20
"""Code points of one script."""
MAX_DEPTH = 4_000
"""Nesting of one command: solvers read recursively, and end their process far beyond this."""

RESERVED = frozenset(
    ["BINARY", "DECIMAL", "HEXADECIMAL", "NUMERAL", "STRING", "_", "!", "as", "let", "exists", "forall", "match", "par"]
)
COMMANDS = frozenset(
    [
        "assert",
        "check-sat",
        "check-sat-assuming",
        "declare-const",
        "declare-datatype",
        "declare-datatypes",
        "declare-fun",
        "declare-sort",
        "define-fun",
        "define-fun-rec",
        "define-funs-rec",
        "define-sort",
        "echo",
        "exit",
        "get-assertions",
        "get-assignment",
        "get-info",
        "get-model",
        "get-option",
        "get-proof",
        "get-unsat-assumptions",
        "get-unsat-core",
        "get-value",
        "pop",
        "push",
        "reset",
        "reset-assertions",
        "set-info",
        "set-logic",
        "set-option",
    ]
)

Kind: TypeAlias = Literal["symbol", "reserved", "keyword", "numeral", "decimal", "hexadecimal", "binary", "string"]


@dataclass(frozen=True, slots=True)
class Atom:
    """One token. `text` is its content: a symbol without bars, a string with its escapes `""` undone."""

    kind: Kind
    text: str
    line: int
    column: int

    @property
    def span(self) -> Span:
        """The place of the token."""
        return Span(self.line, self.column, self.line, self.column + max(len(self.text), 1))


@dataclass(frozen=True, slots=True)
class Group:
    """A parenthesised list."""

    items: tuple[Sexpr, ...]
    line: int
    column: int

    @property
    def span(self) -> Span:
        """The place of the opening parenthesis."""
        return Span(self.line, self.column, self.line, self.column + 1)


Sexpr: TypeAlias = "Atom | Group"

_SYMBOL = r"[A-Za-z~!@$%^&*_\-+=<>.?/][A-Za-z0-9~!@$%^&*_\-+=<>.?/]*"
_SIMPLE = re.compile(_SYMBOL)
_TOKEN = re.compile(
    rf"""(?P<blank>[ \t\r\n]+|;[^\r\n]*)
    |(?P<open>\()|(?P<close>\))
    |(?P<decimal>[0-9]+\.[0-9]+)|(?P<numeral>[0-9]+)
    |(?P<hexadecimal>\#x[0-9A-Fa-f]+)|(?P<binary>\#b[01]+)
    |(?P<string>"(?:[^"]|"")*")
    |(?P<quoted>\|[^|\\]*\|)
    |(?P<keyword>:[A-Za-z0-9~!@$%^&*_\-+=<>.?/]+)
    |(?P<symbol>{_SYMBOL})""",
    re.VERBOSE,
)
_ENDS = frozenset(' \t\r\n();"|')


def fail(message: str, place: Sexpr | Span, hint: str | None = None) -> NoReturn:
    """Raise the error of this room: `bad-smtlib` with a place."""
    span = place if isinstance(place, Span) else place.span
    raise VerifierError("bad-smtlib", message, span=span, hint=hint)


def read(text: str) -> tuple[Sexpr, ...]:
    """All top-level S-expressions of a text. Raises VerifierError (`bad-smtlib`) with line and column."""
    if len(text) > MAX_TEXT:
        fail(f"the script is longer than {MAX_TEXT} characters", Span(1, 1, 1, 2))
    stack: list[tuple[list[Sexpr], int, int]] = [([], 1, 1)]
    for token in _tokens(text):
        if not isinstance(token, Atom):
            sign, line, column = token
            if sign == "(":
                if len(stack) > MAX_DEPTH:
                    fail(f"nested deeper than {MAX_DEPTH}", Span(line, column, line, column + 1))
                stack.append(([], line, column))
                continue
            if len(stack) == 1:
                fail("a closing parenthesis without an opening one", Span(line, column, line, column + 1))
            items, start, at = stack.pop()
            stack[-1][0].append(Group(tuple(items), start, at))
        else:
            stack[-1][0].append(token)
    if len(stack) > 1:
        _, line, column = stack[-1]
        fail("this parenthesis is never closed", Span(line, column, line, column + 1))
    return tuple(stack[0][0])


def _tokens(text: str) -> Iterator[Atom | tuple[str, int, int]]:
    """Tokens in order; parentheses as `(sign, line, column)`."""
    line, start, at = 1, 0, 0
    while at < len(text):
        match = _TOKEN.match(text, at)
        if match is None:
            _refuse(text, at, line, at - start + 1)
        kind, body = str(match.lastgroup), match.group()
        column = at - start + 1
        if kind in ("open", "close"):
            yield body, line, column
        elif kind != "blank":
            yield _atom(text, match, kind, line, column)
        at = match.end()
        if "\n" in body:
            line += body.count("\n")
            start = match.start() + body.rindex("\n") + 1


def _atom(text: str, match: re.Match[str], kind: str, line: int, column: int) -> Atom:
    body = match.group()
    place = Span(line, column, line, column + len(body))
    _check_characters(body, place)
    if kind not in ("string", "quoted") and match.end() < len(text) and text[match.end()] not in _ENDS:
        fail(f"{text[match.end()]!r} cannot follow {body!r} here", place)
    match kind:
        case "string":
            return Atom("string", body[1:-1].replace('""', '"'), line, column)
        case "quoted":
            return Atom("symbol", body[1:-1], line, column)
        case "numeral" | "decimal":
            if body[0] == "0" and len(body) > 1 and body[1] != ".":
                fail("a numeral does not start with 0", place)
            return Atom("numeral" if kind == "numeral" else "decimal", body, line, column)
        case "hexadecimal":
            return Atom("hexadecimal", body.lower(), line, column)
        case "binary":
            return Atom("binary", body, line, column)
        case "keyword":
            return Atom("keyword", body, line, column)
    return Atom("reserved" if body in RESERVED or body in COMMANDS else "symbol", body, line, column)


def _check_characters(body: str, place: Span) -> None:
    """Only printable characters and blanks; beyond ASCII in strings and quoted symbols, up to #x2FFFF."""
    if body.isascii() and body.isprintable():
        return
    for char in body:
        code = ord(char)
        if (code < 0x20 and char not in "\t\r\n") or 0x7F <= code < 0xA0 or 0xD800 <= code < 0xE000 or code > 0x2FFFF:
            fail(f"the character U+{code:04X} is not allowed in SMT-LIB", place)


def _refuse(text: str, at: int, line: int, column: int) -> NoReturn:
    place = Span(line, column, line, column + 1)
    if text[at] == '"':
        fail("this string is never closed", place)
    if text[at] == "|":
        fail("this quoted symbol is never closed, or holds a backslash", place)
    fail(f"unexpected character {text[at]!r}", place)


def spell(atom: Atom) -> str:
    """A token as both solvers read it: bars only where needed, strings in ASCII."""
    match atom.kind:
        case "symbol":
            return spell_symbol(atom.text)
        case "string":
            inner = "".join(char if " " <= char <= "~" else f"\\u{{{ord(char):x}}}" for char in atom.text)
            return '"' + inner.replace('"', '""') + '"'
    return atom.text


def spell_symbol(name: str) -> str:
    """A symbol, in bars where it is no simple one."""
    plain = _SIMPLE.fullmatch(name) is not None and name not in RESERVED and name not in COMMANDS
    return name if plain else f"|{name}|"


def render(expression: Sexpr) -> tuple[str, list[tuple[int, Atom | Group]]]:
    """One line of text, and where each piece of it begins (0-based offset, piece), in order."""
    pieces: list[str] = []
    places: list[tuple[int, Atom | Group]] = []
    at = 0
    stack: list[Sexpr | str] = [expression]
    while stack:
        item = stack.pop()
        if isinstance(item, str):
            text = item
        elif isinstance(item, Group):
            places.append((at, item))
            text = "("
            stack.append(")")
            for index in range(len(item.items) - 1, -1, -1):
                stack.append(item.items[index])
                if index:
                    stack.append(" ")
        else:
            places.append((at, item))
            text = spell(item)
        pieces.append(text)
        at += len(text)
    return "".join(pieces), places
