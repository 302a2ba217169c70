"""Each fence on its own, below the interpreter's audit hook: raw calls through the C library, as root and as a user."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

pytestmark = pytest.mark.sandbox

ROOT = Path(__file__).parents[2]
USERS = {"as it is": 0, "as another user": 12345}

# Runs inside the fenced process; prints, for each call, the error number or None.
PRELUDE = """
import ctypes, encodings.idna, json, os, platform, socket, sys
sys.path.insert(0, {root!r})
from checkers.sandbox import fences, landlock, seccomp
libc = ctypes.CDLL(None, use_errno=True)
victim = sys.argv[1]
if {user} and os.geteuid() == 0:
    os.setgroups([]); os.setresgid({user}, {user}, {user}); os.setresuid({user}, {user}, {user})
def errors(calls):
    found = {{}}
    for name, call in calls.items():
        ctypes.set_errno(0)
        try:
            result = call()
            found[name] = ctypes.get_errno() if isinstance(result, int) and result < 0 else None
        except OSError as error:
            found[name] = error.errno
    os.write(1, json.dumps(found).encode())
arm = platform.machine() == "aarch64"
def raw(x86, aarch64, *arguments):
    return lambda: libc.syscall(ctypes.c_long(aarch64 if arm else x86), *map(ctypes.c_long, arguments))
"""

ALL = """
fences.raise_fences(strict=True, ruleset=landlock.ruleset([]), memory=2**30, seconds=20)
assert os.geteuid() != 0
path = victim.encode()
errors({
    "socket": lambda: libc.socket(1, 1, 0), "socketpair": lambda: libc.socketpair(1, 1, 0, (ctypes.c_int * 2)()),
    "fork": lambda: libc.fork(), "execv": lambda: libc.execv(b"/bin/true", None),
    "clone": raw(56, 220, 17, 0, 0, 0, 0), "clone3": raw(435, 435, 0, 0), "vfork": raw(58, 220, 17, 0, 0, 0, 0),
    "kill parent": lambda: libc.kill(os.getppid(), 0), "kill group": lambda: libc.kill(0, 0),
    "kill all": lambda: libc.kill(-1, 0), "tgkill": raw(234, 131, 1, 1, 0), "tkill": raw(200, 130, 1, 0),
    "pidfd_open": raw(434, 434, 1, 0), "pidfd_send_signal": raw(424, 424, 0, 0, 0, 0),
    "ptrace": lambda: libc.ptrace(0, 0, 0, 0), "process_vm_readv": raw(310, 270, os.getppid(), 0, 0, 0, 0, 0),
    "process_vm_writev": raw(311, 271, os.getppid(), 0, 0, 0, 0, 0), "mount": raw(165, 40, 0, 0, 0, 0, 0),
    "umount": raw(166, 39, 0, 0), "unshare": lambda: libc.unshare(0x10000000), "setns": lambda: libc.setns(0, 0),
    "bpf": raw(321, 280, 0, 0, 0), "io_uring_setup": raw(425, 425, 1, 0), "userfaultfd": raw(323, 282, 0),
    "perf_event_open": raw(298, 241, 0, 0, 0, 0, 0), "keyctl": raw(250, 219, 0, 0), "add_key": raw(248, 217, 0, 0, 0),
    "memfd_create": raw(319, 279, 0, 0), "open_by_handle_at": raw(304, 265, 0, 0, 0), "setuid": lambda: libc.setuid(0),
    "setgid": lambda: libc.setgid(0), "chroot": lambda: libc.chroot(b"/"), "chdir": lambda: libc.chdir(b"/tmp"),
    "chmod": lambda: libc.chmod(path, 0o777), "chown": lambda: libc.chown(path, 1, 1),
    "unlink": lambda: libc.unlink(path),
    "rename": lambda: libc.rename(path, path + b"x"), "link": lambda: libc.link(path, path + b"y"),
    "symlink": lambda: libc.symlink(path, path + b"z"), "mkdir": lambda: libc.mkdir(path + b"d", 511),
    "mknod": lambda: libc.mknod(path + b"n", 0o10600, 0), "truncate": lambda: libc.truncate(path, ctypes.c_long(0)),
    "utimensat": lambda: libc.utimensat(-100, path, None, 0),
    "setxattr": lambda: libc.setxattr(path, b"user.x", b"", 0, 0),
    "open for writing": lambda: libc.open(path, os.O_WRONLY),
    "open to create": lambda: libc.open(path + b"c", 0o101, 0o600),
    "read the victim": lambda: libc.open(path, 0), "read passwd": lambda: libc.open(b"/etc/passwd", 0),
    "read environ": lambda: libc.open(b"/proc/self/environ", 0),
    "memory of parent": lambda: libc.open(b"/proc/1/mem", 0),
    "device": lambda: libc.open(b"/dev/zero", 0), "list the root": lambda: libc.open(b"/", 0o200000),
    "shmget": lambda: libc.shmget(0, 4096, 0o1600), "pipe": lambda: libc.pipe((ctypes.c_int * 2)()),
    "eventfd": lambda: libc.eventfd(0, 0), "inotify": lambda: libc.inotify_init1(0),
    "epoll": lambda: libc.epoll_create1(0),
    "ioctl": raw(16, 29, 0, 0x5412, 0), "own a descriptor": lambda: libc.fcntl(1, 8, os.getppid()),
    "prctl": lambda: libc.prctl(4, 1, 0, 0, 0), "personality": raw(135, 92, 0), "setpriority": raw(141, 140, 0, 0, 0),
    "limits of the parent": lambda: libc.prlimit(os.getppid(), 0, None, None),
    "raise limits": lambda: libc.prlimit(0, 9, (ctypes.c_uint64 * 2)(2**40, 2**40), None),
})
"""

LANDLOCK_ALONE = """
listener = socket.socket(); listener.bind(("127.0.0.1", 0)); listener.listen(1)
libc.prctl(38, 1, 0, 0, 0)
landlock.restrict(landlock.ruleset([sys.argv[2]]))
errors({
    "read": lambda: os.open(victim, os.O_RDONLY), "write": lambda: os.open(victim, os.O_WRONLY),
    "truncate": lambda: os.truncate(victim, 0), "unlink": lambda: os.unlink(victim),
    "create": lambda: os.open(victim + "c", os.O_CREAT | os.O_WRONLY), "mkdir": lambda: os.mkdir(victim + "d"),
    "list": lambda: os.listdir("/"), "allowed": lambda: os.listdir(sys.argv[2]),
    "write into allowed": lambda: os.open(sys.argv[2] + "/new", os.O_CREAT | os.O_WRONLY),
    "connect": lambda: socket.create_connection(listener.getsockname(), 1),
    "bind": lambda: socket.socket().bind(("127.0.0.1", 0)),
})
"""

WEAK = """
fences.raise_fences(strict=False, ruleset=None, memory=2**30, seconds=20)
errors({"write": lambda: os.write(os.open(victim, os.O_WRONLY), b"xxxxxxx")})
"""


@pytest.fixture
def folder() -> Iterator[Path]:
    """A folder that every user can reach, unlike pytest's own."""
    with tempfile.TemporaryDirectory() as name:
        yield Path(name)


def fenced(script: str, user: str, folder: Path) -> dict[str, int | None]:
    victim = folder / "victim"
    victim.write_text("intact")
    readable = folder / "readable"
    readable.mkdir()
    for path, mode in ((folder, 0o777), (victim, 0o666), (readable, 0o777)):
        path.chmod(mode)
    text = PRELUDE.format(root=str(ROOT), user=USERS[user]) + script
    done = subprocess.run([sys.executable, "-c", text, str(victim), str(readable)], capture_output=True, timeout=60)
    assert done.returncode == 0, done.stderr.decode()
    assert victim.read_text() == "intact"
    assert sorted(path.name for path in folder.iterdir()) == ["readable", "victim"]
    found: dict[str, int | None] = json.loads(done.stdout)
    return found


@pytest.mark.parametrize("user", USERS)
def test_every_raw_call_is_refused(user: str, folder: Path) -> None:
    found = fenced(ALL, user, folder)
    assert len(found) > 60
    assert {name: error for name, error in found.items() if error is None} == {}


@pytest.mark.parametrize("user", USERS)
def test_landlock_alone_refuses_files_and_tcp(user: str, folder: Path) -> None:
    from checkers.sandbox import landlock

    found = fenced(LANDLOCK_ALONE, user, folder)
    assert found.pop("allowed") is None
    if landlock.abi() < 4:
        del found["connect"], found["bind"]
    if landlock.abi() < 3:
        del found["truncate"]
    assert {name: error for name, error in found.items() if error is None} == {}


def test_weak_mode_still_limits_the_size_of_files(tmp_path: Path) -> None:
    if os.geteuid() != 0:
        pytest.skip("without root the weak child keeps its user")
    text = PRELUDE.format(root=str(ROOT), user=0) + WEAK
    victim = tmp_path / "victim"
    victim.write_text("intact")
    victim.chmod(0o600)
    done = subprocess.run([sys.executable, "-c", text, str(victim)], capture_output=True, timeout=60)
    assert victim.read_text() == "intact"
    assert json.loads(done.stdout)["write"] is not None


def test_the_other_call_table_kills() -> None:
    script = PRELUDE.format(root=str(ROOT), user=0) + (
        "fences.raise_fences(strict=True, ruleset=landlock.ruleset([]), memory=2**30, seconds=20)\n"
        "libc.syscall(ctypes.c_long(0x40000000 | 39))\n"
    )
    done = subprocess.run([sys.executable, "-c", script, "-"], capture_output=True, timeout=60)
    if os.uname().machine == "x86_64":
        assert done.returncode == -31  # SIGSYS


CURIOUS = """
import os, socket
def f(x):
    tried = [lambda: open("/etc/passwd"), lambda: open("/tmp/sandbox-escape", "w"), lambda: os.kill(os.getppid(), 9)]
    tried += [os.fork, socket.socket, lambda: os.listdir("/"), lambda: os.setuid(0)]
    refused = 0
    for attempt in tried:
        try: attempt()
        except OSError: refused += 1
    return refused, len(tried)
"""
WHOLE = """
import os, sys
os.setgroups([]); os.setresgid(12345, 12345, 12345); os.setresuid(12345, 12345, 12345)
import asyncio
sys.path.insert(0, sys.argv[1])
from checkers.sandbox import Sandbox, Trial
async def story():
    async with Sandbox() as sandbox:
        for _ in range(2):
            (seen,) = await sandbox.run(Trial(sys.argv[2], "f", (), (), (("1",),)))
            print(seen.value)
asyncio.run(story())
"""


def test_the_whole_sandbox_works_without_root() -> None:
    python = Path("/usr/bin/python3")
    if os.geteuid() != 0 or not python.exists():
        pytest.skip("needs root, to become another user, and an interpreter that everybody can run")
    command = [str(python), "-c", WHOLE, str(ROOT), CURIOUS]
    done = subprocess.run(command, capture_output=True, text=True, timeout=60, cwd="/")
    if any(error in done.stderr for error in ("ModuleNotFoundError", "PermissionError", "ImportError")):
        pytest.skip("the other user cannot read this checkout, or that interpreter is too old for it")
    assert done.returncode == 0, done.stderr
    assert done.stdout.split() == ["(7,", "7)", "(7,", "7)"]
