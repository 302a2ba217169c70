"""The manifests of our own loop sets tell the truth: each function runs in CPython on a grid of small inputs."""

import importlib
import inspect
import itertools
import json
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from types import FrameType
from typing import Any

import pytest

BENCH = Path(__file__).parent.parent / "bench"
INTEGERS = (0, 1, -1, 2, 10, 4, -3, 3)
LINES = 400_000


class Endless(Exception):
    """The function ran more lines than any terminating one of the set does."""


def cases() -> Iterator[tuple[str, str, str, str]]:
    for folder in ("loops", "classics"):
        for name, expected in json.loads((BENCH / folder / "manifest.json").read_text()).items():
            file, function = name.split("::")
            yield folder, file.removesuffix(".py"), function, expected


def values(annotation: object, width: int) -> list[Any]:
    if annotation is int:
        return list(INTEGERS[:width])
    items = (False, True) if annotation == list[bool] else (0, 1, 3)
    return [list(found) for size in range(4) for found in itertools.product(items, repeat=size)]


def admitted(function: Any, arguments: dict[str, Any]) -> bool:
    groups = getattr(function, "__preconditions__", [])
    return all(
        contract.condition(**{name: arguments[name] for name in contract.condition_args})
        for group in groups
        for contract in group
    )


def run(function: Callable[..., Any], arguments: dict[str, Any]) -> None:
    lines = itertools.count()

    def local(frame: FrameType, event: str, arg: object) -> Any:
        if next(lines) > LINES:
            raise Endless
        return local

    def watch(frame: FrameType, event: str, arg: object) -> Any:
        return local if frame.f_code is inspect.unwrap(function).__code__ else None

    before = sys.gettrace()
    sys.settrace(watch)
    try:
        function(**arguments)
    finally:
        sys.settrace(before)


def fails(function: Callable[..., Any]) -> bool:
    parameters = inspect.signature(function).parameters.values()
    width = 8 if len(parameters) < 3 else 5
    grids = [values(parameter.annotation, width) for parameter in parameters]
    for combination in itertools.islice(itertools.product(*grids), 1_200):
        arguments = {parameter.name: value for parameter, value in zip(parameters, combination, strict=True)}
        if not admitted(function, arguments):
            continue
        try:
            run(function, arguments)
        except Exception:  # noqa: BLE001 - whatever leaves the function breaks its claim
            return True
    return False


@pytest.mark.parametrize(("folder", "file", "name", "expected"), [*cases()], ids=str)
def test_truth(folder: str, file: str, name: str, expected: str) -> None:
    module = importlib.import_module(f"tests.bench.{folder}.{file}")
    assert fails(getattr(module, name)) == (expected == "refuted")
