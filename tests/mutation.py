"""Mutate a module in memory: the one mechanism behind every mutation list of a trusted checker.

A list is a table of `(old, new)` snippets of the module's source. Each `old` must occur exactly once, so that a table
cannot rot unnoticed. The suite has to notice every mutant: `survivors` names those that it did not.
"""

from __future__ import annotations

import inspect
import sys
from collections.abc import Callable, Iterator, Sequence
from types import ModuleType


def mutants(
    module: ModuleType, table: Sequence[tuple[str, str]], *, through: Sequence[ModuleType] = ()
) -> Iterator[tuple[str, ModuleType]]:
    """Each mutant as (label, module). Nothing that is imported already is touched.

    `through` lists modules that lead from the mutated one to the one under test, in import order: each is executed
    afresh on top of the mutant, and the last one is what is yielded.
    """
    source = inspect.getsource(module)
    for old, new in table:
        count = source.count(old)
        assert count == 1, f"the snippet occurs {count} times in {module.__name__}: {old!r}"
        yield f"{old.strip()}  ->  {new.strip()}", _load(module, source.replace(old, new), through)


def survivors(
    module: ModuleType,
    table: Sequence[tuple[str, str]],
    check: Callable[[ModuleType], object],
    *,
    through: Sequence[ModuleType] = (),
) -> list[str]:
    """The labels of mutants that `check` accepts; raising anything (an AssertionError as a rule) kills a mutant.

    `check` must accept the module as it is.
    """
    check(_load(module, inspect.getsource(module), through))
    alive = []
    for label, mutant in mutants(module, table, through=through):
        try:
            check(mutant)
        except Exception:  # noqa: BLE001 - whatever stops a check has noticed the mutant
            continue
        alive.append(label)
    return alive


def _load(module: ModuleType, source: str, through: Sequence[ModuleType]) -> ModuleType:
    chain = [(module, source), *((each, inspect.getsource(each)) for each in through)]
    saved = {each.__name__: each for each, _ in chain}
    try:
        for each, text in chain:
            built = ModuleType(each.__name__)
            built.__file__ = each.__file__
            _place(each.__name__, built)
            exec(compile(text, f"<mutant of {each.__name__}>", "exec"), built.__dict__)
        return sys.modules[chain[-1][0].__name__]
    finally:
        for name, original in saved.items():
            _place(name, original)


def _place(name: str, module: ModuleType) -> None:
    """Make `module` what `import name` and `from package import …` find."""
    sys.modules[name] = module
    parent, _, leaf = name.rpartition(".")
    if parent in sys.modules:
        setattr(sys.modules[parent], leaf, module)
