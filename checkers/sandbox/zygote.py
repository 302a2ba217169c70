"""The zygote: a bare interpreter that forks one fenced child a job, watches its deadline, and reports its end.

Trusted, single-threaded, and never runs code on trial itself. It speaks with the parent over a SOCK_SEQPACKET socket:
`{"id", "kind", "seconds", "memory", "strict", "libraries"}` with the job's stream as an attached descriptor starts a
child, `{"kill": id}` ends one, and `{"id", "end"}` goes back. The job itself travels over the stream, read by the
child after the fences stand. Standard library only, plus the contract libraries and hypothesis when a job names them.
"""

from __future__ import annotations

import contextlib
import gc
import importlib
import json
import os
import select
import signal
import socket
import sys
import time
from collections.abc import Iterable
from typing import Any

from checkers.sandbox import fences, frames, harness, landlock, search, shims

# What programs import most, loaded while the files can still be read: a child that is nobody may not reach them.
COMMON = (
    "typing", "collections", "collections.abc", "dataclasses", "enum", "functools", "itertools", "operator",
    "math", "abc", "bisect", "heapq", "string", "re", "copy", "decimal", "fractions", "numbers", "random",
    "statistics", "contextlib", "inspect", "linecache", "traceback", "textwrap", "types", "warnings", "json",
    "array", "struct", "datetime", "calendar", "time", "cmath", "hashlib", "keyword", "tokenize", "ast", "dis",
    "reprlib", "weakref", "unicodedata", "encodings.idna", "encodings.ascii", "encodings.latin_1",
    "encodings.utf_8_sig",
)  # fmt: skip


class Zygote:
    """Owns the control socket and the children."""

    def __init__(self, control: socket.socket, folders: dict[str, str]) -> None:
        self._control = control
        self._folders = folders
        self._children: dict[int, tuple[int, float]] = {}  # pid -> (job, monotonic deadline)
        self._loaded: set[str] = set()
        self._wake, wake = os.pipe()
        for descriptor in (self._wake, wake):
            os.set_blocking(descriptor, False)
        signal.set_wakeup_fd(wake, warn_on_full_buffer=False)
        signal.signal(signal.SIGCHLD, lambda *_: None)
        self._ruleset = self._rules()

    def _rules(self) -> int | None:
        if landlock.abi() == 0:
            return None
        return landlock.ruleset(fences.readable(sorted(self._folders.values())))

    def serve(self) -> None:
        """Serve until the parent closes the socket; then end every child."""
        poll = select.poll()
        poll.register(self._control, select.POLLIN)
        poll.register(self._wake, select.POLLIN)
        while True:
            nearest = min((deadline for _, deadline in self._children.values()), default=None)
            wait = None if nearest is None else max(0.0, nearest - time.monotonic()) * 1000 + 1
            ready = {descriptor for descriptor, _ in poll.poll(wait)}
            if self._wake in ready:
                with contextlib.suppress(BlockingIOError):
                    os.read(self._wake, 4096)
            self._reap()
            self._expire()
            if self._control.fileno() in ready and not self._receive():
                break
        for pid in self._children:
            _kill(pid)

    def _receive(self) -> bool:
        data, descriptors, _, _ = socket.recv_fds(self._control, 65536, 4)
        if not data:
            return False
        order = json.loads(data)
        if "kill" in order:
            for pid, (job, _) in self._children.items():
                if job == order["kill"]:
                    _kill(pid)
        else:
            self._start(order, descriptors[0])
        for descriptor in descriptors:
            os.close(descriptor)
        return True

    def _start(self, order: dict[str, Any], stream: int) -> None:
        for library in order["libraries"]:
            self._load(str(library))
        pid = os.fork()
        if pid == 0:
            try:
                self._become_child(order, stream)
            finally:
                os._exit(70)
        self._children[pid] = (int(order["id"]), time.monotonic() + float(order["seconds"]))

    def _load(self, library: str) -> None:
        """Import a library from its own folder's parent, or put a stand-in where there is one."""
        if library in self._loaded:
            return
        self._loaded.add(library)
        before = list(sys.path)
        sys.path += sorted({os.path.dirname(folder) for folder in self._folders.values()})
        try:
            importlib.import_module(library)
            if library == "hypothesis":
                _warm()
        except Exception:  # noqa: BLE001 - whatever is wrong with an installed library, the zygote goes on
            if library == "icontract":
                shims.inject("icontract", shims.ICONTRACT)
        finally:
            sys.path[:] = before
            gc.freeze()

    def _become_child(self, order: dict[str, Any], stream: int) -> None:
        signal.set_wakeup_fd(-1)
        signal.signal(signal.SIGCHLD, signal.SIG_DFL)
        job, ruleset = _keep_only(stream, self._ruleset)
        try:
            fences.raise_fences(
                strict=bool(order["strict"]), ruleset=ruleset, memory=int(order["memory"]), seconds=order["seconds"]
            )
        except OSError as error:
            frames.write_all(job, frames.pack({"unfenced": str(error)}))
            os._exit(71)
        message = frames.read_one(job, frames.LARGEST_JOB)
        run = search.run if order["kind"] == "hunt" else harness.run
        fences.hook_audit()
        run(message, lambda report: frames.write_all(job, frames.pack(report)))
        os._exit(0)

    def _reap(self) -> None:
        for pid in list(self._children):
            done, status = os.waitpid(pid, os.WNOHANG)
            if done:
                job, _ = self._children.pop(pid)
                self._control.send(json.dumps({"id": job, "end": os.waitstatus_to_exitcode(status)}).encode())

    def _expire(self) -> None:
        now = time.monotonic()
        for pid, (_, deadline) in self._children.items():
            if deadline <= now:
                _kill(pid)


def _keep_only(stream: int, ruleset: int | None) -> tuple[int, int | None]:
    """Close every descriptor but the standard ones and these two, which become 3 and 4."""
    os.dup2(stream, 200, inheritable=False)
    if ruleset is not None:
        os.dup2(ruleset, 201, inheritable=False)
    os.closerange(3, 200)
    os.closerange(202, 4096)
    os.dup2(200, 3, inheritable=False)
    if ruleset is not None:
        os.dup2(201, 4, inheritable=False)
    os.closerange(200, 202)
    return 3, None if ruleset is None else 4


def _kill(pid: int) -> None:
    """End a child that has not been reaped, and its group (it may not have made one yet)."""
    os.kill(pid, signal.SIGKILL)
    with contextlib.suppress(OSError):
        os.killpg(pid, signal.SIGKILL)


def _warm() -> None:
    """One tiny search, so that Hypothesis loads everything it needs while it can."""
    from hypothesis import HealthCheck, given, settings
    from hypothesis import strategies as st

    def probe(_: object) -> None:
        """Nothing to check."""

    kinds = st.tuples(st.integers(), st.booleans(), st.lists(st.integers()), st.text(st.sampled_from("ab")))
    settings(database=None, max_examples=2, derandomize=True, suppress_health_check=list(HealthCheck))(
        given(kinds)(probe)
    )()


def _preload(names: Iterable[str]) -> None:
    for name in names:
        with contextlib.suppress(ImportError):
            importlib.import_module(name)


def main(control: int, folders: dict[str, str], packages: list[str], contracts: str) -> None:
    """Serve on the socket `control`. `folders` maps the libraries that may be imported to their folders; `packages`
    are the names that must not stay importable; `contracts` is the text of the contract names."""
    _preload(COMMON)
    fences.forget(sys.modules, packages)
    for name in shims.MODULES:
        shims.inject(name, contracts)
    os.chdir("/")
    Zygote(socket.socket(fileno=control), folders).serve()
