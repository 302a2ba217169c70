"""A seccomp filter as an allow-list: what CPython needs to compute in one thread, and nothing else.

Every system call that is not listed fails with EPERM; a foreign architecture or the x32 call table kills the process.
Opening is allowed for reading only, signals go to the process itself only, limits are its own only. Sources: Linux
`Documentation/userspace-api/seccomp_filter.rst`, `linux/filter.h`. Standard library only; runs on the child's side.
"""

from __future__ import annotations

import ctypes
import errno
import os
import platform
import struct

_AUDIT = {"x86_64": 0xC000003E, "aarch64": 0xC00000B7}
_COLUMN = {"x86_64": 0, "aarch64": 1}
_X32 = 0x40000000

ALLOWED: dict[str, tuple[int | None, int | None]] = {
    "read": (0, 63), "write": (1, 64), "close": (3, 57), "fstat": (5, 80), "lseek": (8, 62), "mmap": (9, 222),
    "mprotect": (10, 226), "munmap": (11, 215), "brk": (12, 214), "mremap": (25, 216), "madvise": (28, 233),
    "futex": (202, 98), "rt_sigaction": (13, 134), "rt_sigprocmask": (14, 135), "rt_sigreturn": (15, 139),
    "sigaltstack": (131, 132), "stat": (4, None), "lstat": (6, None), "newfstatat": (262, 79), "statx": (332, 291),
    "access": (21, None), "faccessat": (269, 48), "faccessat2": (439, 439), "getdents64": (217, 61),
    "getcwd": (79, 17), "pread64": (17, 67), "readv": (19, 65), "getpid": (39, 172),
    "gettid": (186, 178), "getppid": (110, 173), "getuid": (102, 174), "geteuid": (107, 175), "getgid": (104, 176),
    "getegid": (108, 177), "uname": (63, 160), "sysinfo": (99, 179), "getrusage": (98, 165), "times": (100, 153),
    "getrlimit": (97, 163), "sched_yield": (24, 124), "sched_getaffinity": (204, 123), "getcpu": (309, 168),
    "clock_gettime": (228, 113), "clock_getres": (229, 114), "clock_nanosleep": (230, 115), "nanosleep": (35, 101),
    "gettimeofday": (96, 169), "time": (201, None), "getrandom": (318, 278), "setitimer": (38, 103),
    "getitimer": (36, 102), "poll": (7, None), "ppoll": (271, 73), "select": (23, None), "pselect6": (270, 72),
    "restart_syscall": (219, 128), "membarrier": (324, 283), "rseq": (334, 293), "set_robust_list": (273, 99),
    "exit": (60, 93), "exit_group": (231, 94),
}  # fmt: skip
"""Name to number on (x86_64, aarch64)."""

_MISSING = {"clone3": (435, 435), "openat2": (437, 437)}  # ENOSYS, so that the C library falls back
_OPEN, _OPENAT = (2, None), (257, 56)
_KILL, _TGKILL, _PRLIMIT = (62, 129), (234, 131), (302, 261)
_FCNTL, _FCNTL_COMMANDS = (72, 25), (1, 2, 3, 1030)  # GETFD, SETFD, GETFL, DUPFD_CLOEXEC: never SETOWN, SETSIG
_WRITING = os.O_WRONLY | os.O_RDWR | os.O_CREAT | os.O_TRUNC | os.O_APPEND | (os.O_TMPFILE & ~os.O_DIRECTORY)

_LOAD, _EQUAL, _AT_LEAST, _ANY_BIT, _RETURN = 0x20, 0x15, 0x35, 0x45, 0x06
_ALLOW, _KILL_PROCESS = 0x7FFF0000, 0x80000000
_NR, _ARCH, _ARGS = 0, 4, 16

_libc = ctypes.CDLL(None, use_errno=True)


class _Program(ctypes.Structure):
    _fields_ = [("length", ctypes.c_ushort), ("filter", ctypes.c_void_p)]


def _errno(number: int) -> int:
    return 0x00050000 | number


def _step(code: int, value: int, true: int = 0, false: int = 0) -> bytes:
    return struct.pack("<HBBI", code, true, false, value)


def _when(number: int | None, *body: bytes) -> list[bytes]:
    """Run `body` (which ends in a return) when the call number is `number`."""
    return [] if number is None else [_step(_EQUAL, number, 0, len(body)), *body]


def _argument(position: int) -> bytes:
    return _step(_LOAD, _ARGS + 8 * position)  # the low half; both architectures are little-endian


def program(machine: str, pid: int) -> bytes:
    """The filter for one process, as BPF code. Raises KeyError for an architecture without a table."""
    column = _COLUMN[machine]
    allow, refuse = _step(_RETURN, _ALLOW), _step(_RETURN, _errno(errno.EPERM))
    steps = [
        _step(_LOAD, _ARCH), _step(_EQUAL, _AUDIT[machine], 1, 0), _step(_RETURN, _KILL_PROCESS),
        _step(_LOAD, _NR),
    ]  # fmt: skip
    if machine == "x86_64":
        steps += [_step(_AT_LEAST, _X32, 0, 1), _step(_RETURN, _KILL_PROCESS)]
    for numbers in ALLOWED.values():
        steps += _when(numbers[column], allow)
    for numbers in _MISSING.values():
        steps += _when(numbers[column], _step(_RETURN, _errno(errno.ENOSYS)))
    for table, position in ((_OPEN, 1), (_OPENAT, 2)):
        steps += _when(table[column], _argument(position), _step(_ANY_BIT, _WRITING, 0, 1), refuse, allow)
    for table in (_KILL, _TGKILL):
        steps += _when(table[column], _argument(0), _step(_EQUAL, pid, 1, 0), refuse, allow)
    steps += _when(_PRLIMIT[column], _argument(0), _step(_EQUAL, 0, 1, 0), refuse, allow)
    commands = [_step(_EQUAL, command, len(_FCNTL_COMMANDS) - at, 0) for at, command in enumerate(_FCNTL_COMMANDS)]
    steps += _when(_FCNTL[column], _argument(1), *commands, refuse, allow)
    return b"".join([*steps, refuse])


def available() -> bool:
    """Whether this kernel and architecture can be fenced."""
    if platform.machine() not in _COLUMN:
        return False
    mode: int = _libc.prctl(21, 0, 0, 0, 0)  # PR_GET_SECCOMP: EINVAL without the feature
    return mode >= 0


def install() -> None:
    """Put this process under the filter for good. Needs PR_SET_NO_NEW_PRIVS. Raises OSError."""
    code = program(platform.machine(), os.getpid())
    buffer = ctypes.create_string_buffer(code, len(code))
    argument = _Program(len(code) // 8, ctypes.cast(buffer, ctypes.c_void_p))
    if _libc.prctl(22, 2, ctypes.byref(argument), 0, 0) != 0:  # PR_SET_SECCOMP, SECCOMP_MODE_FILTER
        raise OSError(ctypes.get_errno(), "seccomp")
