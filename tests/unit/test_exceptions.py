"""Which listing covers which exception, against CPython's own classes and `except` clauses."""

from __future__ import annotations

import builtins

from checkers.lang.exceptions import KNOWN, covers


def test_covers_is_what_an_except_clause_catches() -> None:
    for raised in sorted(KNOWN):
        for listed in sorted(KNOWN):
            try:
                raise getattr(builtins, raised)("x")
            except getattr(builtins, listed):
                caught = True
            except BaseException:  # noqa: BLE001 - any other class was not caught
                caught = False
            assert covers(listed, raised) is caught, (listed, raised)


def test_unknown_names_cover_nothing() -> None:
    for name in ("ViolationError", "OSError", "print", "", "StopIteration"):
        assert not covers(name, name)
        assert not covers("BaseException", name)
        assert not covers(name, "ValueError")


def test_known_exceptions_keep_their_class_whatever_they_are_constructed_with() -> None:
    for name in KNOWN:
        kind = getattr(builtins, name)
        choices: list[tuple[object, ...]] = [(), ("x",), (2, "x"), (1, "x", 3), (None, True, [], "x", 5)]
        for arguments in choices:
            assert type(kind(*arguments)) is kind


def test_what_the_interpreter_gives_a_meaning_of_its_own_is_left_out() -> None:
    meant = {
        "StopIteration",
        "StopAsyncIteration",
        "GeneratorExit",
        "SystemExit",
        "KeyboardInterrupt",
        "RecursionError",
    }
    assert not KNOWN & (meant | {"MemoryError", "OSError", "IOError", "SyntaxError", "ExceptionGroup"})
