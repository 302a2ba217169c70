"""From paths to claims: files, folders, `file.py::function` and `.smt2`, in a fixed order.

What cannot be read becomes an item with its error, so that one bad contract never hides the other claims.
"""

from __future__ import annotations

import io
import os
import re
import tokenize
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from verifier.errors import VerifierError
from verifier.model import Json, Origin, Span

QUESTIONS = ("valid", "satisfiable", "unsatisfiable")
_STATUS = re.compile(r"\(\s*set-info\s+:status\s+(sat|unsat)\s*\)")
_ASKED = re.compile(rf"\(\s*set-info\s+:question\s+({'|'.join(QUESTIONS)})\s*\)")
_QUOTED = re.compile(r'"[^"]*"|\|[^|]*\||;[^\n]*')
_SIZE = 10 * 2**20


@dataclass(frozen=True, slots=True)
class Item:
    """One claim to decide, or why it cannot even be asked. `error` is set exactly when `body` is None."""

    name: str
    kind: str
    origin: Origin
    body: Mapping[str, Json] | None = None
    error: VerifierError | None = None


@dataclass(frozen=True, slots=True)
class Wanted:
    """What to look for: functions without contracts too (`safety`), partial correctness, a formula's question."""

    safety: bool = False
    partial: bool = False
    question: str | None = None


def collect(paths: Sequence[str], wanted: Wanted) -> tuple[Item, ...]:
    """Every claim below `paths`, in the order given, each once.

    Raises VerifierError: `no-such-file` for a path that does not exist, `no-claim` when a path holds no claim.
    """
    found: dict[tuple[str, str], Item] = {}
    for path in paths:
        items = _folder(Path(path), wanted) if Path(path).is_dir() else _named(path, wanted)
        for item in items:
            found.setdefault((item.name, item.kind), item)
    return tuple(found.values())


def failed(name: str, error: VerifierError, kind: str = "contract") -> Item:
    """An item for something that cannot be read."""
    line = error.span.line if error.span is not None else 1
    return Item(name, kind, Origin(name.partition("::")[0], line), error=error)


def _named(path: str, wanted: Wanted) -> tuple[Item, ...]:
    file, mark, function = path.rpartition("::")
    file, function = (file, function) if mark else (path, "")
    if not Path(file).exists():
        raise VerifierError("no-such-file", "there is no such file", place=file)
    if mark and not file.endswith(".py"):
        raise VerifierError("no-such-file", "only a Python file has functions to name", place=path)
    items = _file(file, wanted, function or None)
    if not items:
        raise VerifierError("no-claim", "no function with a contract", place=file)
    return items


def _folder(folder: Path, wanted: Wanted) -> tuple[Item, ...]:
    items = tuple(item for path in _walk(folder) for item in _file(path.as_posix(), wanted, None))
    if not items:
        raise VerifierError("no-claim", "no contract and no .smt2 file below this folder", place=str(folder))
    return items


def _walk(folder: Path) -> Iterator[Path]:
    """Python and SMT-LIB files below a folder, sorted; hidden folders and virtual environments are left out."""
    for here, folders, names in os.walk(folder):
        folders[:] = sorted(
            name
            for name in folders
            if not name.startswith(".") and name != "__pycache__" and not (Path(here) / name / "pyvenv.cfg").exists()
        )
        for name in sorted(names):
            if name.endswith((".py", ".smt2")) and not name.startswith("."):
                yield Path(here) / name


def _file(path: str, wanted: Wanted, function: str | None) -> tuple[Item, ...]:
    try:
        if path.endswith(".smt2"):
            return (_formula(path, wanted),)
        if not path.endswith(".py"):
            raise VerifierError("bad-claim", "neither a Python file nor an SMT-LIB file (.smt2)", place=path)
        return _functions(path, wanted, function)
    except VerifierError as error:
        if error.code == "no-such-file":
            raise
        error.place = error.place or path
        return (failed(path, error, "formula" if path.endswith(".smt2") else "contract"),)


def _functions(path: str, wanted: Wanted, function: str | None) -> tuple[Item, ...]:
    from checkers.lang.module import discover

    source = _python(path)
    every = discover(source, safety=wanted.safety or function is not None)
    found = [item for item in every if function is None or item.name == function]
    if function is not None and not found:
        names = ", ".join(item.name for item in every) or "none"
        raise VerifierError("no-such-file", f"no function `{function}`; there are: {names}", place=path)
    items = []
    for item in found:
        kind = "safety" if item.notation == "none" else "contract"
        name, origin = f"{path}::{item.name}", Origin(path, item.span.line)
        if kind == "safety" and not wanted.safety:
            error = VerifierError("no-claim", f"`{item.name}` has no contract", place=path, span=item.span)
            items.append(Item(name, "contract", origin, error=error))
            continue
        body: dict[str, Json] = {"source": source, "function": item.name, "partial": wanted.partial}
        items.append(Item(name, kind, origin, body))
    return tuple(items)


def _formula(path: str, wanted: Wanted) -> Item:
    text = _decode(_bytes(path), path, "utf-8", "bad-smtlib")
    return Item(path, "formula", Origin(path, 1), {"smtlib": text, "question": _question(text, wanted)})


def _question(text: str, wanted: Wanted) -> str:
    """`--question`, else `(set-info :question …)`, else the declared status, else `satisfiable`."""
    if wanted.question is not None:
        return wanted.question
    bare = _QUOTED.sub(" ", text)  # what stands in comments, strings and quoted symbols says nothing
    asked, status = _ASKED.search(bare), _STATUS.search(bare)
    if asked is not None:
        return asked.group(1)
    return "unsatisfiable" if status is not None and status.group(1) == "unsat" else "satisfiable"


def _bytes(path: str) -> bytes:
    try:
        if Path(path).stat().st_size > _SIZE:
            raise VerifierError("bad-claim", f"larger than {_SIZE} bytes", place=path)
        return Path(path).read_bytes()
    except OSError as error:
        reason = error.strerror or "unreadable"
        raise VerifierError("bad-claim", f"cannot be read: {reason}", place=path, hint="Check its owner.") from None


def _python(path: str) -> str:
    """The text of a Python file as CPython would decode it (PEP 263), with `\\n` line ends."""
    data = _bytes(path)
    try:
        encoding, _ = tokenize.detect_encoding(io.BytesIO(data).readline)
    except (SyntaxError, UnicodeDecodeError) as error:
        raise VerifierError("syntax-error", f"encoding: {error}", place=path, span=Span(1, 1, 1, 1)) from None
    text = _decode(data, path, encoding, "syntax-error")
    return text.replace("\r\n", "\n").replace("\r", "\n")


def _decode(data: bytes, path: str, encoding: str, code: str) -> str:
    try:
        return data.decode(encoding)
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        column = error.start - (data.rfind(b"\n", 0, error.start) + 1) + 1
        span = Span(line, column, line, column + 1)
        raise VerifierError(code, f"not {encoding}: {error.reason}", place=path, span=span) from None
