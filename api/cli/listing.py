"""The source of a claim with its loop annotations beside the loops, for people."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from checkers.lang.lower import lower
from verifier.errors import VerifierError
from verifier.model import Annotations, Json


def annotated(
    body: Mapping[str, Json], kind: str, notes: Annotations, word: str = "invariant"
) -> Iterator[tuple[int | None, str]]:
    """The function's lines with their numbers, and before each annotated loop its notes (number None).

    `word` says what the notes are: invariants, or what an endless run never leaves. Notes of loops in functions that
    are called follow at the end, under their paths. A function outside the subset has no lines to show.
    """
    source, function = str(body["source"]), str(body["function"])
    try:
        program = lower(source, function, safety=kind == "safety")
    except VerifierError:
        return
    span = program.function.span
    before: dict[int, list[str]] = {}
    elsewhere: list[str] = []
    for path, loop in program.loops.items():
        inside = span.line <= loop.span.line < max(span.end_line, span.line + 1)
        lines = before.setdefault(loop.span.line, []) if inside else elsewhere
        lines += _comments(path, notes, " " * (loop.span.column - 1) if inside else "", word)
    lines_of_source = source.splitlines()
    last = min(span.end_line, len(lines_of_source))
    for number in range(span.line, last + 1):
        for comment in before.get(number, ()):
            yield None, comment
        yield number, lines_of_source[number - 1]
    for comment in elsewhere:
        yield None, comment


def _comments(path: str, notes: Annotations, indent: str, word: str) -> list[str]:
    """One comment line for each invariant and for the rank of a loop."""
    if path not in notes:
        return [f"{indent}# loop {path}: no {word}"]
    found = [f"{indent}# loop {path}"]
    found += [f"{indent}#   {word} {text}" for text in notes[path].invariants]
    if notes[path].decreases:
        found.append(f"{indent}#   decreases {', '.join(notes[path].decreases)}")
    return found
