"""The solver process: `python -P -m checkers.smt.worker z3|cvc5 MEMORY PARENT`. Speaks length-prefixed JSON on pipes.

One request is answered at a time, each with a fresh solver state, so that an earlier request cannot change a later
answer. Ends when its input ends or its parent dies.
"""

from __future__ import annotations

import ctypes
import json
import os
import resource
import signal
import sys
from collections.abc import Callable, Mapping
from typing import Any, BinaryIO

PR_SET_PDEATHSIG = 1
Engine = Callable[[Mapping[str, Any]], dict[str, Any]]


def load(solver: str) -> tuple[Engine, str]:
    """The engine of a solver and its version. Raises ImportError when its wheel is absent or broken."""
    if solver == "z3":
        from checkers.smt import z3_engine

        return z3_engine.serve, z3_engine.version()
    from checkers.smt import cvc5_engine

    return cvc5_engine.serve, cvc5_engine.version()


def main(solver: str, memory: int, parent: int) -> int:
    """Serve requests until the input ends. Returns the exit status."""
    _bind(parent)
    reader = sys.stdin.buffer
    # A solver may print on descriptor 1; only this private copy carries replies.
    writer = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)
    try:
        engine, version = load(solver)
    except ImportError as error:
        _send(writer, {"missing": f"{solver} cannot be imported: {error}"})
        return 0 if _receive(reader) is None else 1
    resource.setrlimit(resource.RLIMIT_AS, (memory, memory))
    _send(writer, {"version": version})
    while (request := _receive(reader)) is not None:
        try:
            reply = engine(request)
        except MemoryError:
            reply = {"status": "error", "detail": "out of memory"}
        _send(writer, reply)
    return 0


def _bind(parent: int) -> None:
    """Die with the parent; limit what a crash may leave behind. Linux only for the first, harmless elsewhere."""
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, signal.SIGKILL)
    if os.getppid() != parent:
        raise SystemExit(1)


def _receive(reader: BinaryIO) -> dict[str, Any] | None:
    head = reader.read(4)
    if len(head) < 4:
        return None
    body = reader.read(int.from_bytes(head, "big"))
    request: dict[str, Any] = json.loads(body)
    return request


def _send(writer: BinaryIO, reply: Mapping[str, Any]) -> None:
    data = json.dumps(reply).encode()
    writer.write(len(data).to_bytes(4, "big") + data)
    writer.flush()


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1], int(sys.argv[2]), int(sys.argv[3])))
