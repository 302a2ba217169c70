"""Hostile functions against the sandbox: each attack is refused or ends that child alone, and the next trial works."""

from __future__ import annotations

import asyncio
import os
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from checkers.sandbox import Observation, Sandbox, Trial

pytestmark = pytest.mark.sandbox

HONEST = Trial("def f(x):\n    return x + 1\n", "f", ("x >= 0",), ("result > x",), (("1",), ("2",)))


def attack(body: str) -> Trial:
    """A trial whose function runs `body` and returns 'refused' when it meets an error of the system."""
    lines = "\n".join(f"        {line}" for line in body.strip().splitlines())
    errors = "(OSError, RuntimeError, ImportError)"
    source = f"def f(x):\n    try:\n{lines}\n    except {errors}:\n        return 'refused'\n"
    return Trial(source, "f", (), ("True",), (("0",),))


REFUSED = {
    "tcp": "import socket\nsocket.create_connection(('127.0.0.1', 80))",
    "udp": "import socket\nsocket.socket(socket.AF_INET, socket.SOCK_DGRAM)",
    "unix socket": "import socket\nsocket.socket(socket.AF_UNIX)",
    "raw _socket": "import _socket\n_socket.socket()",
    "write a file": "open('/tmp/sandbox-escape', 'w')",
    "create by os": "import os\nos.open('/tmp/sandbox-escape', os.O_CREAT | os.O_WRONLY)",
    "append to its own reader": "open('/proc/self/mem', 'r+b')",
    "mkdir": "import os\nos.mkdir('/tmp/sandbox-escape')",
    "unlink": "import os\nos.unlink('/tmp/sandbox-victim')",
    "chmod": "import os\nos.chmod('/tmp/sandbox-victim', 0o777)",
    "utime": "import os\nos.utime('/tmp/sandbox-victim')",
    "truncate": "import os\nos.truncate('/tmp/sandbox-victim', 0)",
    "passwd": "return open('/etc/passwd').read()",
    "environment of pid 1": "return open('/proc/1/environ').read()",
    "own environment": "return open('/proc/self/environ').read()",
    "own maps": "return open('/proc/self/maps').read()",
    "home": "import os\nreturn os.listdir('/root')",
    "the tree": f"return open({str(Path(__file__))!r}).read()",
    "folder of the tree": f"import os\nreturn os.listdir({str(Path(__file__).parent)!r})",
    "fork": "import os\nif os.fork() == 0: os._exit(0)",
    "fork bomb": "import os\nwhile True: os.fork()",
    "exec": "import os\nos.execv('/bin/true', ['true'])",
    "system": "import os\nos.system('true')",
    "subprocess": "import subprocess\nsubprocess.run(['/bin/true'])",
    "spawn": "import os\nos.posix_spawn('/bin/true', ['true'], {})",
    "kill the parent": "import os\nos.kill(os.getppid(), 9)",
    "kill everyone": "import os\nos.kill(-1, 9)",
    "stop the group": "import os\nos.killpg(0, 19)",
    "thread": "import threading\nthreading.Thread(target=print).start()",
    "ctypes": "import ctypes\nctypes.CDLL(None)",
    "raise limits": "import resource\nresource.setrlimit(resource.RLIMIT_AS, (-1, -1))",
    "our packages": "import checkers.sandbox.service",
    "our core": "import verifier.model",
    "become root": "import os\nos.setuid(0)",
    "chroot": "import os\nos.chroot('/')",
    "nice": "import os\nos.nice(-1)",
    "memfd": "import os\nos.memfd_create('x')",
    "symlink": "import os\nos.symlink('/', '/tmp/sandbox-escape')",
}

ENDED = {
    "memory bomb": ("return len([0] * 10**10)", "raised", "MemoryError"),
    "memory creep": ("xs = []\nwhile True: xs.append(bytes(10**7))", "raised", "MemoryError"),
    "burn": ("while True: pass", "killed", ""),
    "burn in C": ("return 7 ** (7 ** 30)", "killed", ""),
    "burn stubbornly": (
        "while True:\n    try:\n        while True: pass\n    except BaseException: pass",
        "killed",
        "",
    ),
    "sleep": ("import time\ntime.sleep(100)", "killed", ""),
    "exit": ("import sys\nsys.exit(0)", "raised", "SystemExit"),
    "hard exit": ("import os\nos._exit(0)", "killed", ""),
    "interrupt": ("raise KeyboardInterrupt", "raised", "KeyboardInterrupt"),
    "generator exit": ("raise GeneratorExit", "raised", "GeneratorExit"),
    "recursion": ("g = lambda n: g(n)\ng(0)", "refused", ""),
    "C stack": ("import sys\nsys.setrecursionlimit(10**9)\ng = lambda n: [*map(g, [n])]\ng(0)", "killed", ""),
    "close everything": ("import os\nos.closerange(0, 100)", "killed", ""),
    "die by signal": ("import os\nos.abort()", "killed", ""),
    "flood": ("import os\nfor _ in range(10**6): os.write(3, b'x' * 4096)", "killed", ""),
    "frame of four gigabytes": ("import os\nos.write(3, b'\\xff' * 4096)", "killed", ""),
    "frame that is not JSON": ("import os\nos.write(3, b'\\0\\0\\0\\1{')", "killed", ""),
    "frame of the wrong shape": ("import os\nos.write(3, b'\\0\\0\\0\\2{}')\nos._exit(0)", "error", ""),
}


@pytest.fixture(scope="module")
def seen() -> Iterator[dict[str, Observation]]:
    victim = Path("/tmp/sandbox-victim")
    victim.write_text("intact")
    victim.chmod(0o666)
    bodies = {**REFUSED, **{name: body for name, (body, _, _) in ENDED.items()}}

    async def observe() -> dict[str, Observation]:
        async with Sandbox() as sandbox:
            patience = {name: 1.0 for name, (_, status, _) in ENDED.items() if status == "killed"}
            runs = await asyncio.gather(
                *(sandbox.run(attack(body), seconds=patience.get(name, 10.0)) for name, body in bodies.items())
            )
            after = await sandbox.run(HONEST)
            assert [item.value for item in after] == ["2", "3"]
        return {name: run[0] for name, run in zip(bodies, runs, strict=True)}

    yield asyncio.run(observe())
    assert victim.read_text() == "intact"
    assert victim.stat().st_mode & 0o777 == 0o666
    victim.unlink()
    assert not Path("/tmp/sandbox-escape").exists()


@pytest.mark.parametrize("name", REFUSED)
def test_attack_is_refused(seen: dict[str, Observation], name: str) -> None:
    assert (seen[name].status, seen[name].value) == ("returned", "'refused'"), seen[name]


@pytest.mark.parametrize("name", ENDED)
def test_attack_ends_alone(seen: dict[str, Observation], name: str) -> None:
    _, status, exception = ENDED[name]
    if status == "refused":
        assert seen[name].value == "'refused'", seen[name]
    else:
        assert (seen[name].status, seen[name].exception) == (status, exception), seen[name]


def run(trial: Trial, seconds: float = 5.0) -> tuple[Observation, ...]:
    async def one() -> tuple[Observation, ...]:
        async with Sandbox() as sandbox:
            return await sandbox.run(trial, seconds=seconds)

    return asyncio.run(one())


def test_each_input_is_guarded_alone() -> None:
    source = """
def f(x):
    while x == 1:
        pass
    if x == 2:
        raise SystemExit
    return 10 // x
"""
    seen = run(Trial(source, "f", (), ("result > 0",), tuple((str(x),) for x in (1, 2, 0, 5, -5))))
    assert [(item.status, item.exception, item.post) for item in seen] == [
        ("killed", "", ()),
        ("raised", "SystemExit", ()),
        ("raised", "ZeroDivisionError", ()),
        ("returned", "", (True,)),
        ("returned", "", (False,)),
    ]


def test_state_does_not_leak_between_inputs() -> None:
    source = """
seen = []
def f(xs, into):
    seen.append(1)
    into.append(1)
    xs.append(len(seen) + len(into))
"""
    seen = run(Trial(source, "f", (), (), (("[0]", "[]"),) * 3))
    assert {item.arguments_after for item in seen} == {("[0, 2]", "[1]")}


@pytest.mark.parametrize(
    "vandalism",
    [
        "import builtins\nbuiltins.isinstance = builtins.repr = builtins.bool = None",
        "import json\njson.dumps = lambda *a, **k: '{}'",
        "import sys\nfor name in list(sys.modules): sys.modules.pop(name)",
        "import gc\nfor item in gc.get_objects():\n    if isinstance(item, dict) and 'observe' in item: item.clear()",
        "import sys\nframe = sys._getframe()\nwhile frame:\n    frame.f_globals.clear(); frame = frame.f_back",
        "import signal\nsignal.setitimer(signal.ITIMER_PROF, 0); signal.signal(signal.SIGPROF, signal.SIG_IGN)",
    ],
)
def test_vandalism_never_reaches_the_parent(vandalism: str) -> None:
    """The worst that tampering with the child can do is to withhold or forge its own report."""

    async def both() -> tuple[Observation, ...]:
        async with Sandbox() as sandbox:
            await sandbox.run(attack(vandalism), seconds=2.0)
            return await sandbox.run(HONEST)

    assert [item.value for item in asyncio.run(both())] == ["2", "3"]


def test_finalisers_and_exit_hooks_do_not_run_after_the_reports() -> None:
    source = """
import atexit, os
class Late:
    def __del__(self): os.write(3, b"late")
keep = Late()
atexit.register(os.write, 3, b"late")
def f(x): return Late() and x
"""
    (seen,) = run(Trial(source, "f", (), (), (("1",),)))
    assert seen.status in ("returned", "killed")


def test_an_impostor_cannot_pass_for_an_integer() -> None:
    source = """
class int_(int):
    def __repr__(self): return "7"
    def __eq__(self, other): return True
def f(x): return int_(3)
"""
    (seen,) = run(Trial(source, "f", (), (), (("1",),)))
    assert seen.type == "int_"
    assert seen.value == "<claim.int_>"


def test_broken_modules_report_an_error() -> None:
    for source in ("def f(:", "import nowhere", "1 // 0", "x = 1", "def f(x):\n" + "    " + "(" * 500 + ")" * 500):
        seen = run(Trial(source, "f", (), (), (("1",), ("2",))), seconds=3.0)
        assert [item.status for item in seen] == ["error", "error"], source


def test_twenty_trials_at_once() -> None:
    async def many() -> list[tuple[Observation, ...]]:
        async with Sandbox() as sandbox:
            trials = [Trial("def f(x): return x * x", "f", (), (), ((str(n),), (str(-n),))) for n in range(20)]
            return await asyncio.gather(*map(sandbox.run, trials))

    for n, seen in enumerate(asyncio.run(many())):
        assert [item.value for item in seen] == [str(n * n)] * 2


def test_a_killed_zygote_is_replaced() -> None:
    async def story() -> tuple[Observation, ...]:
        async with Sandbox() as sandbox:
            await sandbox.run(HONEST)
            assert sandbox._process is not None
            sandbox._process.kill()
            return await sandbox.run(HONEST)

    assert [item.value for item in asyncio.run(story())] == ["2", "3"]


def test_cancelling_kills_the_child() -> None:
    async def story() -> float:
        async with Sandbox(width=1) as sandbox:
            await sandbox.run(HONEST)
            task = asyncio.create_task(sandbox.run(attack("while True: pass"), seconds=60.0))
            await asyncio.sleep(0.3)
            start = time.monotonic()
            task.cancel()
            with pytest.raises(asyncio.CancelledError):
                await task
            await sandbox.run(HONEST)
            return time.monotonic() - start

    assert asyncio.run(story()) < 3.0


def test_children_leave_no_processes_behind() -> None:
    run(attack("while True: pass"), seconds=1.0)
    mine = str(os.getpid())
    for stat in Path("/proc").glob("[0-9]*/stat"):
        try:
            fields = stat.read_text().rpartition(")")[2].split()
        except OSError:
            continue
        assert fields[1] != mine or fields[0] == "Z", stat
