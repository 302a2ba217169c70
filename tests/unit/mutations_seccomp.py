"""Mutants of the seccomp filter that its tests have to notice: `(old, new)` snippets for `tests.mutation`."""

from __future__ import annotations

SECCOMP = [
    ('"x86_64": 0xC000003E', '"x86_64": 0x40000003'),
    ('"aarch64": 0xC00000B7', '"aarch64": 0x40000028'),
    ("_X32 = 0x40000000", "_X32 = 0x80000000"),
    ('"read": (0, 63)', '"read": (0, 63), "socket": (41, 198)'),
    ('"exit": (60, 93)', '"exit": (59, 221)'),
    ('"clone3": (435, 435), ', ""),
    ("_OPEN, _OPENAT = (2, None), (257, 56)", "_OPEN, _OPENAT = (2, None), (258, 57)"),
    ("os.O_WRONLY | os.O_RDWR", "os.O_RDWR"),
    (" | os.O_CREAT", ""),
    (" | os.O_TRUNC", ""),
    ("((_OPEN, 1), (_OPENAT, 2))", "((_OPEN, 1), (_OPENAT, 1))"),
    ("(1, 2, 3, 1030)", "(1, 2, 3, 8, 1030)"),
    ("_step(_EQUAL, pid, 1, 0), refuse, allow", "_step(_EQUAL, pid, 0, 1), refuse, allow"),
    ("_step(_EQUAL, 0, 1, 0), refuse, allow", "_step(_EQUAL, 0, 0, 1), refuse, allow"),
    ("_step(_ANY_BIT, _WRITING, 0, 1), refuse, allow", "_step(_ANY_BIT, _WRITING, 1, 0), refuse, allow"),
    ('return b"".join([*steps, refuse])', 'return b"".join([*steps, allow])'),
    ("_step(_EQUAL, _AUDIT[machine], 1, 0), ", "_step(_EQUAL, _AUDIT[machine], 1, 1), "),
    ("return 0x00050000 | number", "return 0x7FFF0000 | number"),
    ("_LOAD, _ARGS + 8 * position", "_LOAD, _ARGS + 4 * position"),
]  # fmt: skip
