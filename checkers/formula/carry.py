"""A model's text in the names of a twin: only the constants that it defines are renamed."""

from __future__ import annotations

from collections.abc import Mapping

from checkers.formula.lexer import Atom, Group, Sexpr, read, render
from verifier.errors import VerifierError


def rename_model(model: str, source: Mapping[str, str], target: Mapping[str, str]) -> str:
    """The model with each constant of `source` called as in `target` (both map names to canonical names).

    Returns the model as it is where it cannot be read or a name has no counterpart: the kernel then says so.
    """
    back = {canonical: name for name, canonical in target.items()}
    try:
        commands = read(model)
    except VerifierError:
        return model
    if len(commands) == 1 and isinstance(commands[0], Group) and not _is_definition(commands[0]):
        commands = commands[0].items
    return "\n".join(render(_renamed(command, source, back))[0] for command in commands)


def _renamed(command: Sexpr, source: Mapping[str, str], back: Mapping[str, str]) -> Sexpr:
    if not isinstance(command, Group) or not _is_definition(command):
        return command
    head, name, *rest = command.items
    if not isinstance(name, Atom) or source.get(name.text) not in back:
        return command
    renamed = Atom("symbol", back[source[name.text]], name.line, name.column)
    return Group((head, renamed, *rest), command.line, command.column)


def _is_definition(command: Group) -> bool:
    return len(command.items) > 2 and isinstance(command.items[0], Atom) and command.items[0].text == "define-fun"
