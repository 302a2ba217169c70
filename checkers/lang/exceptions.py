"""The built-in exceptions that a program of the subset may raise or list, and which listing covers which.

Left out on purpose, so that naming them is unsupported rather than wrong: exceptions whose constructor checks or
changes its arguments (`SyntaxError`, `Unicode…Error`, exception groups, exact `OSError`, which turns into a subclass
when it gets two arguments), those that the interpreter gives a meaning of its own (`StopIteration` becomes
RuntimeError inside a generator; `SystemExit`, `KeyboardInterrupt`, `GeneratorExit`), and resource exceptions
(`RecursionError`, `MemoryError`), which are assumptions and never refutations.
"""

from __future__ import annotations

import builtins

KNOWN: frozenset[str] = frozenset(
    {
        "ArithmeticError",
        "AssertionError",
        "AttributeError",
        "BaseException",
        "BlockingIOError",
        "BrokenPipeError",
        "BufferError",
        "ChildProcessError",
        "ConnectionAbortedError",
        "ConnectionError",
        "ConnectionRefusedError",
        "ConnectionResetError",
        "EOFError",
        "Exception",
        "FileExistsError",
        "FileNotFoundError",
        "FloatingPointError",
        "ImportError",
        "IndexError",
        "InterruptedError",
        "IsADirectoryError",
        "KeyError",
        "LookupError",
        "ModuleNotFoundError",
        "NameError",
        "NotADirectoryError",
        "NotImplementedError",
        "OverflowError",
        "PermissionError",
        "ProcessLookupError",
        "ReferenceError",
        "RuntimeError",
        "SystemError",
        "TimeoutError",
        "TypeError",
        "UnboundLocalError",
        "UnicodeError",
        "ValueError",
        "ZeroDivisionError",
    }
)
"""Names of exception classes that behave the same whatever they are constructed with."""


def covers(listed: str, raised: str) -> bool:
    """Whether an `Exsures(listed, …)` speaks about an exception of class `raised`: the same class or a subclass.

    A name outside `KNOWN` is covered by nothing and covers nothing.
    """
    if listed not in KNOWN or raised not in KNOWN:
        return False
    parent, child = getattr(builtins, listed), getattr(builtins, raised)
    return bool(issubclass(child, parent))
