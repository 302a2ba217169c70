"""The seccomp filter against an interpreter of BPF written for this test, on both architectures."""

from __future__ import annotations

import errno
import os
import struct
from types import ModuleType

import pytest

from checkers.sandbox import seccomp
from tests.mutation import survivors
from tests.unit.mutations_seccomp import SECCOMP

ALLOW, KILL = 0x7FFF0000, 0x80000000
EPERM, ENOSYS = 0x50000 | errno.EPERM, 0x50000 | errno.ENOSYS
ARCHITECTURES = {"x86_64": 0xC000003E, "aarch64": 0xC00000B7}
PID = 4321

OPENAT = {"x86_64": 257, "aarch64": 56}
KILL_CALL = {"x86_64": 62, "aarch64": 129}
FCNTL = {"x86_64": 72, "aarch64": 25}
PRLIMIT = {"x86_64": 302, "aarch64": 261}
DANGEROUS = {
    "x86_64": "socket 41 connect 42 sendto 44 clone 56 fork 57 vfork 58 execve 59 ptrace 101 chmod 90 rename 82 "
    "mount 165 bpf 321 io_uring_setup 425 userfaultfd 323 perf_event_open 298 keyctl 250 process_vm_writev 311 "
    "memfd_create 319 setuid 105 prctl 157 seccomp 317 unshare 272 setns 308 pidfd_send_signal 424 truncate 76",
    "aarch64": "socket 198 connect 203 sendto 206 clone 220 execve 221 ptrace 117 fchmodat 53 renameat 38 mount 40 "
    "bpf 280 io_uring_setup 425 userfaultfd 282 perf_event_open 241 keyctl 219 process_vm_writev 271 "
    "memfd_create 279 setuid 146 prctl 167 seccomp 277 unshare 97 setns 268 pidfd_send_signal 424 truncate 45",
}


subject: ModuleType = seccomp
"""The module under test; the mutation test puts mutants here."""


def decide(machine: str, number: int, *arguments: int, arch: int | None = None) -> int:
    """What the filter returns for one call."""
    code = subject.program(machine, PID)
    padded = [*arguments, *[0] * (6 - len(arguments))]
    data = struct.pack("<IIQ6Q", number, ARCHITECTURES[machine] if arch is None else arch, 0, *padded)
    accumulator, at = 0, 0
    while True:
        operation, true, false, value = struct.unpack_from("<HBBI", code, 8 * at)
        at += 1
        match operation:
            case 0x20:
                (accumulator,) = struct.unpack_from("<I", data, value)
            case 0x06:
                assert isinstance(value, int)
                return value
            case _:
                tests = {0x15: accumulator == value, 0x35: accumulator >= value, 0x45: bool(accumulator & value)}
                at += true if tests[operation] else false


@pytest.mark.parametrize("machine", ARCHITECTURES)
def test_exactly_the_listed_calls_are_allowed(machine: str) -> None:
    column = list(ARCHITECTURES).index(machine)
    listed = {numbers[column] for numbers in subject.ALLOWED.values()} - {None}
    special = {OPENAT[machine], KILL_CALL[machine], FCNTL[machine], PRLIMIT[machine], 435, 437}
    special |= {2, 234} if machine == "x86_64" else {131}
    for number in range(600):
        if number not in special:
            assert decide(machine, number) == (ALLOW if number in listed else EPERM), number
    assert decide(machine, 435) == decide(machine, 437) == ENOSYS


@pytest.mark.parametrize("machine", ARCHITECTURES)
def test_dangerous_calls_are_refused(machine: str) -> None:
    words = DANGEROUS[machine].split()
    for name, number in zip(words[::2], words[1::2], strict=True):
        assert decide(machine, int(number), PID, 2) == EPERM, name


@pytest.mark.parametrize("machine", ARCHITECTURES)
def test_opening_is_for_reading(machine: str) -> None:
    call = OPENAT[machine]
    for flags in (os.O_RDONLY, os.O_RDONLY | os.O_CLOEXEC, os.O_RDONLY | os.O_DIRECTORY):
        assert decide(machine, call, 0, 0, flags) == ALLOW
    for flags in (os.O_WRONLY, os.O_RDWR, os.O_CREAT, os.O_TRUNC, os.O_APPEND, os.O_TMPFILE | os.O_RDWR):
        assert decide(machine, call, 0, 0, flags) == EPERM


@pytest.mark.parametrize("machine", ARCHITECTURES)
def test_signals_and_limits_reach_the_process_itself_alone(machine: str) -> None:
    assert decide(machine, KILL_CALL[machine], PID, 9) == ALLOW
    for pid in (0, 1, PID - 1, 2**32 - 1, 2**32 - PID):
        assert decide(machine, KILL_CALL[machine], pid, 9) == EPERM
    assert decide(machine, PRLIMIT[machine], 0) == ALLOW
    assert decide(machine, PRLIMIT[machine], 1) == EPERM


@pytest.mark.parametrize("machine", ARCHITECTURES)
def test_descriptors_cannot_be_made_to_signal_others(machine: str) -> None:
    allowed = {command for command in range(1100) if decide(machine, FCNTL[machine], 3, command) == ALLOW}
    assert allowed == {1, 2, 3, 1030}


def test_other_call_tables_kill() -> None:
    for number in (0x40000000, 0x40000000 | 39, 2**32 - 1):
        assert decide("x86_64", number) == KILL
    for machine in ARCHITECTURES:
        assert decide(machine, 0, arch=0x40000003) == KILL
    with pytest.raises(KeyError):
        subject.program("riscv64", PID)


def check(module: ModuleType) -> None:
    """Every test above on one module."""
    global subject
    subject, before = module, subject
    try:
        for machine in ARCHITECTURES:
            test_exactly_the_listed_calls_are_allowed(machine)
            test_dangerous_calls_are_refused(machine)
            test_opening_is_for_reading(machine)
            test_signals_and_limits_reach_the_process_itself_alone(machine)
            test_descriptors_cannot_be_made_to_signal_others(machine)
        test_other_call_tables_kill()
    finally:
        subject = before


def test_mutants_are_noticed() -> None:
    assert survivors(seccomp, SECCOMP, check) == []
