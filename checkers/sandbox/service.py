"""The parent's side of the sandbox: starts the zygote, hands out jobs, kills what overruns, reads what comes back.

A child's report is evidence to compare with the reference interpreter, never a verdict. Wall-clock is used for the
hard kill alone.
"""

from __future__ import annotations

import asyncio
import contextlib
import importlib.util
import itertools
import json
import os
import socket
import sys
from pathlib import Path
from types import TracebackType
from typing import Any, Literal, Self

import verifier.contracts
from checkers.sandbox import fences, frames
from checkers.sandbox.trial import Hunt, Level, Observation, Trial, observation
from verifier.errors import VerifierError

PACKAGES = ("verifier", "checkers", "drafters", "index", "api", "migrations")
LIBRARIES = ("hypothesis", "sortedcontainers", "icontract", "asttokens", "deal", "typing_extensions", "attr", "six")
CONTRACTS = ("icontract", "deal")
_CHILD_SIDE = ("frames", "landlock", "seccomp", "fences", "shims", "excerpt", "harness", "search", "zygote")
_GRACE = 10.0
_LOST = -1000  # the end of a job whose zygote died

# Builds the child's modules from source text that arrives on the control socket, so that no path of ours is needed.
_BOOT = """
import socket, sys, types, json
control = socket.socket(fileno=int(sys.argv[1]))
parts = []
while True:
    part = control.recv(262144)
    if part == b".": break
    if not part: sys.exit(0)
    parts.append(part)
order = json.loads(b"".join(parts))
for name in ("checkers", "checkers.sandbox"):
    sys.modules[name] = types.ModuleType(name); sys.modules[name].__path__ = []
for name, text in order["modules"]:
    full = "checkers.sandbox." + name
    module = sys.modules[full] = types.ModuleType(full)
    setattr(sys.modules["checkers.sandbox"], name, module)
    exec(compile(text, "<sandbox " + name + ">", "exec"), module.__dict__)
module.main(control.detach(), order["folders"], order["packages"], order["contracts"])
"""


class Sandbox:
    """An asynchronous context manager around one zygote, started with the first job and replaced when it dies.

    `mode` is `strict` (every fence, or refusal) or `weak` (limits and time-outs only, for machines without Landlock
    or seccomp, at the user's word). At most `width` children run at a time; further jobs wait.
    """

    def __init__(self, mode: Literal["strict", "weak"] = "strict", *, width: int = 0) -> None:
        self._mode = mode
        self._width = asyncio.Semaphore(width or max(2, os.cpu_count() or 2))
        self._lock = asyncio.Lock()
        self._process: asyncio.subprocess.Process | None = None
        self._control: socket.socket | None = None
        self._numbers = itertools.count(1)
        self._ends: dict[int, asyncio.Future[int]] = {}

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.close()

    @property
    def level(self) -> Level:
        """Which fences this machine and mode give, found without starting anything."""
        missing = fences.missing()
        remedy = "Use Linux 5.13 or newer with Landlock and seccomp, or pass --sandbox=weak for code that you trust."
        if self._mode == "weak":
            return Level("weak", tuple(sorted({"landlock", "seccomp", *missing})), "Leave out --sandbox=weak.")
        return Level("unavailable", missing, remedy) if missing else Level("landlock+seccomp", (), "")

    async def run(self, trial: Trial, *, seconds: float = 5.0, memory: int = 512 * 2**20) -> tuple[Observation, ...]:
        """Observe the function on each input: one observation an input, in order; `killed` where a limit struck.

        `seconds` is wall and CPU time for all inputs together, `memory` the child's address space in bytes.
        Raises VerifierError (`sandbox-unavailable`).
        """
        job = {
            "source": trial.source,
            "function": trial.function,
            "requires": list(trial.requires),
            "ensures": list(trial.ensures),
            "inputs": [list(texts) for texts in trial.inputs],
            "seconds": seconds * 0.8,
        }
        reports = await self._job("trial", job, trial.source, seconds=seconds, memory=memory)
        if reports and reports[0].get("fatal"):
            return tuple(observation(reports[0], len(trial.ensures)) for _ in trial.inputs)
        seen = [observation(report, len(trial.ensures)) for report in reports[: len(trial.inputs)]]
        return (*seen, *(Observation("killed") for _ in range(len(trial.inputs) - len(seen))))

    async def search(self, hunt: Hunt, *, seconds: float = 10.0, memory: int = 768 * 2**20) -> tuple[str, ...] | None:
        """The smallest failing input that Hypothesis found in time, as literals, or None. Untrusted: replay it.

        Raises VerifierError (`sandbox-unavailable`).
        """
        job = {
            "source": hunt.source,
            "function": hunt.function,
            "requires": list(hunt.requires),
            "ensures": list(hunt.ensures),
            "params": [list(param) for param in hunt.params],
            "raises": list(hunt.raises),
            "examples": hunt.examples,
            "seeds": [list(texts) for texts in hunt.seeds],
        }
        reports = await self._job("hunt", job, hunt.source, seconds=seconds, memory=memory)
        failing: tuple[str, ...] | None = None
        for report in reports:
            texts = report.get("failing")
            if isinstance(texts, list) and len(texts) == len(hunt.params) and all(isinstance(x, str) for x in texts):
                failing = tuple(texts)
        return failing

    async def close(self) -> None:
        """End the zygote and every child. Safe to call twice."""
        process, control = self._process, self._control
        self._process = self._control = None
        if control is not None:
            with contextlib.suppress(RuntimeError):
                asyncio.get_running_loop().remove_reader(control.fileno())
            control.close()
        for end in self._ends.values():
            if not end.done():
                end.set_result(_LOST)
        self._ends.clear()
        if process is not None:
            try:
                await asyncio.wait_for(process.wait(), 2.0)
            except TimeoutError:
                process.kill()
                await process.wait()

    async def _job(
        self, kind: str, job: dict[str, Any], source: str, *, seconds: float, memory: int
    ) -> list[dict[str, Any]]:
        """Run one child and return its reports."""
        frame = frames.pack(job)
        if len(frame) > frames.LARGEST_JOB:
            raise VerifierError("sandbox-unavailable", "the job is too large for the sandbox")
        libraries = [name for name in CONTRACTS if name in source] + (["hypothesis"] if kind == "hunt" else [])
        order = {
            "kind": kind, "seconds": seconds, "memory": memory, "libraries": libraries,
            "strict": self._mode == "strict",
        }  # fmt: skip
        async with self._width:
            for _ in range(2):
                with contextlib.suppress(OSError):
                    reports, code = await self._attempt(order, frame)
                    if reports or code != _LOST:
                        break
                await self.close()  # the zygote died since it was last seen; its successor gets the job
            else:
                raise VerifierError("sandbox-unavailable", "the sandbox does not start or does not stay alive")
        if reports and "unfenced" in reports[0] and code == 71:
            raise VerifierError("sandbox-unavailable", f"the fences do not stand: {reports[0]['unfenced']}")
        return reports

    async def _attempt(self, order: dict[str, Any], frame: bytes) -> tuple[list[dict[str, Any]], int]:
        """One child's reports and exit code (negative: signal). Raises OSError when the zygote cannot be reached."""
        control = await self._ready()
        number = next(self._numbers)
        end: asyncio.Future[int] = asyncio.get_running_loop().create_future()
        self._ends[number] = end
        try:
            async with asyncio.timeout(order["seconds"] + _GRACE):
                return await self._talk(control, {**order, "id": number}, frame), await end
        except TimeoutError:
            await self.close()
            return [], -9
        except asyncio.CancelledError:
            self._kill(number)
            raise
        finally:
            self._ends.pop(number, None)

    async def _talk(self, control: socket.socket, order: dict[str, Any], frame: bytes) -> list[dict[str, Any]]:
        ours, theirs = socket.socketpair()
        with theirs:
            try:
                await _send(control, json.dumps(order).encode(), [theirs.fileno()])
            except BaseException:
                ours.close()
                raise
        reader, writer = await asyncio.open_connection(sock=ours)
        try:
            with contextlib.suppress(OSError):
                writer.write(frame)
                await writer.drain()
            return await self._collect(reader, int(order["id"]))
        finally:
            writer.close()
            with contextlib.suppress(OSError):
                await writer.wait_closed()

    async def _collect(self, reader: asyncio.StreamReader, number: int) -> list[dict[str, Any]]:
        unpacker = frames.Unpacker(frames.LARGEST_REPORT)
        reports: list[dict[str, Any]] = []
        total = 0
        with contextlib.suppress(OSError, frames.BadFrame):
            while data := await reader.read(65536):
                total += len(data)
                if total > frames.LARGEST_REPORT:
                    break
                reports += unpacker.feed(data)
            else:
                return reports
        self._kill(number)
        return reports

    def _kill(self, number: int) -> None:
        if self._control is not None:
            with contextlib.suppress(OSError):
                self._control.send(json.dumps({"kill": number}).encode())

    async def _ready(self) -> socket.socket:
        """The control socket of a living zygote. Raises VerifierError (`sandbox-unavailable`)."""
        async with self._lock:
            if self.level.name == "unavailable":
                missing = " and ".join(self.level.missing)
                raise VerifierError("sandbox-unavailable", f"this machine lacks {missing}", hint=self.level.remedy)
            if self._control is None or self._process is None or self._process.returncode is not None:
                await self.close()
                self._control = await self._start()
            return self._control

    async def _start(self) -> socket.socket:
        ours, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        ours.setblocking(False)
        with theirs:
            self._process = await asyncio.create_subprocess_exec(
                sys.executable, "-I", "-S", "-B", "-c", _BOOT, str(theirs.fileno()),
                stdin=asyncio.subprocess.DEVNULL,
                stdout=asyncio.subprocess.DEVNULL,
                stderr=asyncio.subprocess.DEVNULL,
                pass_fds=(theirs.fileno(),),
                env=_ENVIRONMENT,
            )  # fmt: skip
        text = _equipment()
        for start in range(0, len(text), 65536):
            await _send(ours, text[start : start + 65536], [])
        await _send(ours, b".", [])
        asyncio.get_running_loop().add_reader(ours.fileno(), self._hear, ours)
        return ours

    def _hear(self, control: socket.socket) -> None:
        """Take one message of the zygote, or notice its end."""
        try:
            data = control.recv(65536)
        except BlockingIOError:
            return
        except OSError:
            data = b""
        if data:
            message = json.loads(data)
            end = self._ends.get(message["id"])
            if end is not None and not end.done():
                end.set_result(message["end"])
            return
        asyncio.get_running_loop().remove_reader(control.fileno())
        if control is self._control:
            control.close()
            self._control = None
            for end in self._ends.values():
                if not end.done():
                    end.set_result(_LOST)


_ENVIRONMENT = {
    "LANG": "C.UTF-8",
    "HYPOTHESIS_NO_PLUGINS": "1",
    "HYPOTHESIS_STORAGE_DIRECTORY": "/dev/null/none",
}


async def _send(control: socket.socket, data: bytes, descriptors: list[int]) -> None:
    """Send one packet, waiting while the socket is full. Raises OSError when the zygote has gone."""
    while True:
        try:
            socket.send_fds(control, [data], descriptors)
        except BlockingIOError:
            await asyncio.sleep(0.002)
        else:
            return


def _equipment() -> bytes:
    """What the zygote is made of: the child's side of this package, contract names, and where libraries lie."""
    contracts = Path(verifier.contracts.__file__).read_text("utf-8")
    order = {"modules": _modules(), "folders": _folders(), "packages": PACKAGES, "contracts": contracts}
    return json.dumps(order).encode()


def _modules() -> list[tuple[str, str]]:
    here = Path(__file__).parent
    return [(name, (here / f"{name}.py").read_text("utf-8")) for name in _CHILD_SIDE]


def _folders() -> dict[str, str]:
    """Folder (or file) of each library that may be imported in the child; absent ones are left out."""
    found: dict[str, str] = {}
    for name in LIBRARIES:
        spec = importlib.util.find_spec(name)
        if spec is not None and spec.origin is not None:
            origin = Path(spec.origin)
            found[name] = str(origin.parent if origin.name == "__init__.py" else origin)
    return found
