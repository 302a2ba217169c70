"""The fences of one child, in order: own session, other user, limits, no new privileges, Landlock, seccomp, audit hook.

Order matters: the user is dropped while that is still allowed, Landlock and seccomp need PR_SET_NO_NEW_PRIVS, and the
filter comes last because it forbids the calls that set up the others. Standard library only; runs on the child's side.
"""

from __future__ import annotations

import ctypes
import os
import resource
import signal
import sys
from collections.abc import Sequence
from types import ModuleType

from checkers.sandbox import landlock, seccomp

NOBODY = 65534
_PDEATHSIG, _DUMPABLE, _NO_NEW_PRIVS = 1, 4, 38
_LOOKING = frozenset({"os.listdir", "os.scandir", "os.walk", "os.fwalk"})
_REFUSED = (
    "os.", "socket.", "subprocess.", "ctypes.", "shutil.", "pty.", "fcntl.", "mmap.", "syslog.", "resource.",
    "signal.pthread_kill", "tempfile.", "urllib.", "http.", "ftplib.", "smtplib.", "poplib.", "imaplib.", "sqlite3.",
    "webbrowser.", "faulthandler.", "_posixsubprocess.", "builtins.input",
)  # fmt: skip


def missing() -> tuple[str, ...]:
    """The fences that this machine cannot put up."""
    if sys.platform != "linux":
        return ("landlock", "seccomp")
    absent = [] if landlock.abi() > 0 else ["landlock"]
    return (*absent, *(() if seccomp.available() else ("seccomp",)))


def readable(extra: Sequence[str]) -> tuple[str, ...]:
    """What the child may read: the standard library without site-packages, and the folders of given libraries."""
    folder = os.path.dirname(os.__file__)
    own = [os.path.join(folder, name) for name in sorted(os.listdir(folder))]
    return (*(path for path in own if os.path.basename(path) not in ("site-packages", "dist-packages")), *extra)


def limit(*, memory: int, seconds: float) -> None:
    """Address space in bytes, CPU seconds, no file growth, few descriptors, no processes, no core dumps."""
    cpu = int(seconds) + 1
    for what, ceiling in (
        (resource.RLIMIT_CORE, 0),
        (resource.RLIMIT_FSIZE, 0),
        (resource.RLIMIT_NOFILE, 32),
        (resource.RLIMIT_NPROC, 0),
        (resource.RLIMIT_CPU, cpu),
        (resource.RLIMIT_AS, memory),
    ):
        _, hard = resource.getrlimit(what)
        lowest = ceiling if hard == resource.RLIM_INFINITY else min(ceiling, hard)
        resource.setrlimit(what, (lowest, lowest))


def drop_user() -> None:
    """Become nobody, without groups, when started as root. Raises OSError."""
    if os.geteuid() != 0:
        return
    os.setgroups([])
    os.setresgid(NOBODY, NOBODY, NOBODY)
    os.setresuid(NOBODY, NOBODY, NOBODY)


def raise_fences(*, strict: bool, ruleset: int | None, memory: int, seconds: float) -> None:
    """Put this process behind every fence for good. Raises OSError when one does not stand.

    Not `strict`: limits, other user and audit hook only. `ruleset` is a Landlock descriptor made beforehand.
    """
    os.setsid()
    try:
        drop_user()
    except OSError:
        if strict:
            raise
    limit(memory=memory, seconds=seconds)
    _process(_PDEATHSIG, signal.SIGKILL)  # cleared by a change of user, hence after it
    _process(_NO_NEW_PRIVS, 1)
    _process(_DUMPABLE, 0)
    if strict:
        if ruleset is None:
            raise OSError("no Landlock ruleset")
        landlock.restrict(ruleset)
        os.close(ruleset)
        seccomp.install()
    elif ruleset is not None:
        os.close(ruleset)


def hook_audit() -> None:
    """A second fence inside the interpreter: refuse what a computation has no use for. Cannot be taken down."""
    looking, refused, writing = _LOOKING, _REFUSED, os.O_WRONLY | os.O_RDWR | os.O_CREAT | os.O_TRUNC

    def refuse(event: str, arguments: tuple[object, ...]) -> None:
        if event == "open":
            flags = arguments[2] if len(arguments) > 2 else 0
            if not isinstance(flags, int) or flags & writing:
                raise PermissionError("the sandbox refuses to write files")
        elif event.startswith(refused) and event not in looking:
            raise PermissionError(f"the sandbox refuses {event}")

    sys.addaudithook(refuse)


def forget(modules: dict[str, ModuleType], packages: Sequence[str]) -> None:
    """Drop our own packages from `modules`, so that code on trial cannot import them."""
    for name in list(modules):
        if name.partition(".")[0] in packages:
            del modules[name]


def _process(option: int, value: int) -> None:
    libc = ctypes.CDLL(None, use_errno=True)
    if sys.platform == "linux" and libc.prctl(option, value, 0, 0, 0) != 0:
        raise OSError(ctypes.get_errno(), f"prctl {option}")
