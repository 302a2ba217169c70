"""Landlock by raw system calls: no writing anywhere, reading only below given paths, no TCP, no reach outside.

Source: Linux `include/uapi/linux/landlock.h`, ABI 1 to 7. Standard library only; runs on the child's side.
"""

from __future__ import annotations

import ctypes
import os
from collections.abc import Iterable

_CREATE, _ADD, _RESTRICT = 444, 445, 446  # the same on x86_64 and aarch64
_EXECUTE, _READ_FILE, _READ_DIR = 1 << 0, 1 << 2, 1 << 3
_FS_RIGHTS = {1: (1 << 13) - 1, 2: (1 << 14) - 1, 3: (1 << 15) - 1, 5: (1 << 16) - 1}
_NET_RIGHTS = 0b11  # bind and connect TCP, ABI 4
_SCOPES = 0b11  # abstract UNIX sockets and signals, ABI 6


class _Ruleset(ctypes.Structure):
    _fields_ = [("fs", ctypes.c_uint64), ("net", ctypes.c_uint64), ("scoped", ctypes.c_uint64)]


class _Beneath(ctypes.Structure):
    _pack_ = 1
    _fields_ = [("allowed", ctypes.c_uint64), ("parent", ctypes.c_int32)]


_libc = ctypes.CDLL(None, use_errno=True)


def abi() -> int:
    """The kernel's Landlock version, 0 when there is none."""
    version: int = _libc.syscall(_CREATE, None, ctypes.c_size_t(0), ctypes.c_uint(1))
    return max(version, 0)


def ruleset(readable: Iterable[str]) -> int:
    """A ruleset descriptor that allows reading below `readable` (missing paths are skipped) and nothing else.

    Raises OSError. Metadata (`stat`) is outside what Landlock controls.
    """
    version = abi()
    rights = max((item for item in _FS_RIGHTS.items() if item[0] <= version), default=(0, 0))[1]
    attributes = _Ruleset(rights, _NET_RIGHTS if version >= 4 else 0, _SCOPES if version >= 6 else 0)
    size = 8 if version < 4 else 16 if version < 6 else 24
    descriptor: int = _libc.syscall(_CREATE, ctypes.byref(attributes), ctypes.c_size_t(size), ctypes.c_uint(0))
    if descriptor < 0:
        raise OSError(ctypes.get_errno(), "landlock_create_ruleset")
    for path in readable:
        _allow(descriptor, path)
    return descriptor


def _allow(descriptor: int, path: str) -> None:
    try:
        parent = os.open(path, os.O_PATH | os.O_CLOEXEC)
    except OSError:
        return
    try:
        allowed = _READ_FILE | (_READ_DIR if os.path.isdir(path) else 0)
        rule = _Beneath(allowed, parent)
        if _libc.syscall(_ADD, descriptor, ctypes.c_int(1), ctypes.byref(rule), ctypes.c_uint(0)) < 0:
            raise OSError(ctypes.get_errno(), f"landlock_add_rule {path}")
    finally:
        os.close(parent)


def restrict(descriptor: int) -> None:
    """Put this process under the ruleset for good. Needs PR_SET_NO_NEW_PRIVS. Raises OSError."""
    if _libc.syscall(_RESTRICT, descriptor, ctypes.c_uint(0)) < 0:
        raise OSError(ctypes.get_errno(), "landlock_restrict_self")
