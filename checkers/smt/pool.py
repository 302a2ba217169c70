"""A warm pool of solver processes: Z3 and cvc5 answer SMT-LIB scripts, and a process that overstays is killed.

Solvers are imported in the worker processes only (`checkers.smt.worker`). A worker that dies, is killed or is
cancelled is replaced by the next call. The wall clock lives here and decides nothing but the hard kill: Z3 is limited
by its own resource units, cvc5 has no inner limit (`programs.md`, level L1).
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import os
import signal
import sys
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType
from typing import Any, Literal, Self

Solver = Literal["z3", "cvc5"]
Status = Literal["sat", "unsat", "unknown", "killed", "missing", "error"]

STATUSES: tuple[Status, ...] = ("sat", "unsat", "unknown", "killed", "missing", "error")
START_SECONDS = 60.0
"""How long a worker may take to import its solver before it counts as broken."""
MAX_REPLY = 256 * 2**20
"""Bytes of one reply; a longer one is an error of the worker."""


@dataclass(frozen=True, slots=True)
class Answer:
    """What one solver said about one script.

    `unknown` carries why in `detail` (`resources` when Z3's unit limit was reached); `killed` is the wall clock;
    `missing` is a solver that is not installed; `error` is a refused script (the solver's own text) or a crash.
    `model` is SMT-LIB text, present after `sat` when it was asked for. `spent` counts Z3's resource units, 0 for cvc5.
    """

    status: Status
    model: str | None = None
    spent: int = 0
    detail: str = ""
    version: str = ""


@dataclass(frozen=True, slots=True)
class Site:
    """One place at which candidates must hold: `context` is SMT-LIB commands (assertions, with declarations) that may
    use `h!0`, `h!1`, … for the alive candidates; `goals` are the formulas that must follow, by candidate."""

    context: str
    goals: tuple[tuple[int, str], ...]


@dataclass(frozen=True, slots=True)
class HoudiniTask:
    """Candidates 0..candidates-1 and every site at which they are needed; `declarations` precede each site."""

    declarations: str
    sites: tuple[Site, ...]
    candidates: int


@dataclass(frozen=True, slots=True)
class HoudiniResult:
    """The candidates that survive. `complete` is False when a cap, a kill or an error ended the search: then `alive`
    holds only candidates with no open goal, and need not be inductive."""

    alive: tuple[int, ...]
    complete: bool
    queries: int
    detail: str = ""


class Broken(Exception):
    """A worker ended, or spoke nonsense, instead of answering."""


class Worker:
    """One solver process. Owned by one call at a time."""

    def __init__(self, process: asyncio.subprocess.Process, version: str, missing: str) -> None:
        self.process = process
        self.version = version
        self.missing = missing

    @classmethod
    async def start(cls, solver: Solver, memory: int) -> Self:
        """Start a process and wait until it has imported its solver. Raises Broken."""
        command = (sys.executable, "-P", "-m", "checkers.smt.worker", solver, str(memory), str(os.getpid()))
        process = await asyncio.create_subprocess_exec(
            *command,
            stdin=asyncio.subprocess.PIPE,
            stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.DEVNULL,
            env=_environment(),
            start_new_session=True,
        )
        worker = cls(process, "", "")
        try:
            async with asyncio.timeout(START_SECONDS):
                hello = await worker._read()
        except TimeoutError:
            await worker.kill()
            raise Broken("the solver process did not start in time") from None
        except BaseException:
            await worker.kill()
            raise
        worker.version = str(hello.get("version", ""))
        worker.missing = str(hello.get("missing", ""))
        return worker

    async def call(self, request: Mapping[str, Any]) -> dict[str, Any]:
        """Send one request and wait for its reply. Raises Broken."""
        assert self.process.stdin is not None
        data = json.dumps(request).encode()
        try:
            self.process.stdin.write(len(data).to_bytes(4, "big") + data)
            await self.process.stdin.drain()
        except (BrokenPipeError, ConnectionError):
            raise Broken(await self._ending()) from None
        return await self._read()

    async def _read(self) -> dict[str, Any]:
        assert self.process.stdout is not None
        try:
            size = int.from_bytes(await self.process.stdout.readexactly(4), "big")
            if size > MAX_REPLY:
                raise Broken("the solver process sent too long a reply")
            reply = json.loads(await self.process.stdout.readexactly(size))
        except asyncio.IncompleteReadError:
            raise Broken(await self._ending()) from None
        except (ConnectionError, ValueError) as error:
            raise Broken(f"the solver process sent no proper reply: {error}") from None
        if not isinstance(reply, dict):
            raise Broken("the solver process sent no proper reply")
        return reply

    async def _ending(self) -> str:
        code = await self.process.wait()
        if code < 0:
            return f"the solver process was ended by {signal.Signals(-code).name}"
        return f"the solver process ended with status {code}"

    async def kill(self) -> None:
        """End the process and its group, and wait for it. Idempotent."""
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.killpg(self.process.pid, signal.SIGKILL)
        if self.process.stdin is not None:
            self.process.stdin.close()
        await asyncio.shield(self.process.wait())


class Pool:
    """Up to `workers` processes per solver, each limited to `memory` bytes. An asynchronous context manager.

    Calls beyond that number wait their turn; waiting is not counted against `seconds`. `counters` counts calls by
    `(solver, status)`; calls of `houdini` count as `("houdini", "complete" | "incomplete")`.
    """

    def __init__(self, workers: int = 2, memory: int = 2 * 2**30) -> None:
        assert workers > 0
        self.workers = workers
        self.memory = memory
        self.counters: Counter[tuple[str, str]] = Counter()
        self._idle: dict[str, list[Worker]] = {"z3": [], "cvc5": []}
        self._slots = {solver: asyncio.Semaphore(workers) for solver in ("z3", "cvc5")}
        self._versions: dict[str, str | None] = {}

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.close()

    async def close(self) -> None:
        """End all idle workers. Busy ones end with their calls' cancellation."""
        for idle in self._idle.values():
            while idle:
                await idle.pop().kill()

    async def ask(self, solver: Solver, script: str, *, resources: int, seconds: float, model: bool = False) -> Answer:
        """One solver's answer to a complete script with exactly one `(check-sat)`. Never raises for a solver's fault.

        `resources` is Z3's `rlimit`; cvc5 ignores it. The worker is killed after `seconds`.
        """
        request = {"op": "ask", "script": script, "resources": resources, "model": model}
        reply, version = await self._call(solver, request, seconds)
        status = reply.get("status")
        answer = Answer(
            status=status if status in STATUSES else "error",
            model=reply.get("model"),
            spent=int(reply.get("spent", 0)),
            detail=str(reply.get("detail", "")),
            version=version,
        )
        self.counters[solver, answer.status] += 1
        return answer

    async def both(
        self, script: str, *, resources: int, seconds: float, model: bool = False, lazy: bool = False
    ) -> tuple[Answer, Answer]:
        """Both solvers' answers, asked at the same time: `(z3, cvc5)`.

        With `lazy`, cvc5 is stopped as soon as Z3 has given up (cvc5 cannot turn that into agreement); its answer is
        then `killed` with the detail `not needed`.
        """
        first = asyncio.create_task(self.ask("z3", script, resources=resources, seconds=seconds, model=model))
        second = asyncio.create_task(self.ask("cvc5", script, resources=resources, seconds=seconds, model=model))
        try:
            z3 = await first
            if lazy and z3.status in ("unknown", "killed"):
                # Said even if cvc5 was quicker: an answer must not depend on who wins a race.
                return z3, Answer("killed", detail="not needed")
            return z3, await second
        finally:
            await _drop(first)
            await _drop(second)

    async def houdini(self, task: HoudiniTask, *, resources: int, seconds: float) -> HoudiniResult:
        """The largest subset of candidates that Z3 shows to be inductive over all sites (`houdini_engine`)."""
        request = {
            "op": "houdini",
            "declarations": task.declarations,
            "sites": [{"context": site.context, "goals": [list(goal) for goal in site.goals]} for site in task.sites],
            "candidates": task.candidates,
            "resources": resources,
        }
        reply, _ = await self._call("z3", request, seconds)
        complete = reply.get("status") == "done" and bool(reply.get("complete"))
        self.counters["houdini", "complete" if complete else "incomplete"] += 1
        alive = tuple(int(index) for index in reply.get("alive", ()))
        detail = str(reply.get("detail", "") or ("" if complete else reply.get("status", "")))
        return HoudiniResult(alive, complete, int(reply.get("queries", 0)), detail)

    async def version(self, solver: Solver) -> str | None:
        """The solver's version text, or None when it is missing or does not start."""
        if solver not in self._versions:
            async with self._slots[solver]:
                try:
                    worker = await self._take(solver)
                except Broken:
                    return None
                self._idle[solver].append(worker)
        return self._versions[solver]

    async def _call(self, solver: Solver, request: Mapping[str, Any], seconds: float) -> tuple[dict[str, Any], str]:
        """The reply (or a made one: missing, killed, error) and the version. One worker serves, or is lost."""
        async with self._slots[solver]:
            try:
                worker = await self._take(solver)
            except (Broken, OSError) as error:
                return {"status": "error", "detail": str(error)}, ""
            kept = False
            try:
                if worker.missing:
                    kept = True
                    return {"status": "missing", "detail": worker.missing}, ""
                async with asyncio.timeout(seconds):
                    reply = await worker.call(request)
                kept = True
                return reply, worker.version
            except TimeoutError:
                return {"status": "killed", "detail": f"killed after {seconds:g} s"}, worker.version
            except Broken as error:
                return {"status": "error", "detail": str(error)}, worker.version
            finally:
                if kept:
                    self._idle[solver].append(worker)
                else:
                    await worker.kill()

    async def _take(self, solver: Solver) -> Worker:
        """An idle worker that is still running, else a new one."""
        while self._idle[solver]:
            worker = self._idle[solver].pop()
            if worker.process.returncode is None:
                return worker
            await worker.kill()
        worker = await Worker.start(solver, self.memory)
        self._versions[solver] = worker.version or None
        return worker


async def _drop(task: asyncio.Task[Answer]) -> None:
    """Cancel a task and wait until its worker is gone."""
    if not task.done():
        task.cancel()
        with contextlib.suppress(asyncio.CancelledError):
            await task


def _environment() -> dict[str, str]:
    """The environment of a worker: it must find the same `checkers` package, installed or in a working tree."""
    root = Path(__file__).resolve().parents[2]
    variables = dict(os.environ)
    if root.name not in ("site-packages", "dist-packages"):
        inherited = variables.get("PYTHONPATH")
        variables["PYTHONPATH"] = str(root) + (os.pathsep + inherited if inherited else "")
    return variables
