"""Profiles and markers for the whole suite: deterministic by default, long runs only when asked for."""

from __future__ import annotations

import os

import pytest
from hypothesis import HealthCheck, settings

settings.register_profile(
    "quick",
    derandomize=True,
    deadline=None,
    max_examples=60,
    suppress_health_check=[HealthCheck.too_slow],
)
settings.register_profile(
    "long",
    derandomize=False,
    deadline=None,
    max_examples=3000,
    suppress_health_check=[HealthCheck.too_slow],
)

LONG = os.environ.get("VERIFIER_LONG") == "1"
settings.load_profile("long" if LONG else "quick")


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Skip what is marked `long` unless VERIFIER_LONG=1."""
    skip = pytest.mark.skip(reason="long run: set VERIFIER_LONG=1")
    for item in items:
        if item.get_closest_marker("long") is not None and not LONG:
            item.add_marker(skip)


def pytest_runtest_setup(item: pytest.Item) -> None:
    """Skip what is marked `sandbox` where the kernel has no fences; fail there when CI=true."""
    if item.get_closest_marker("sandbox") is None or os.environ.get("CI") == "true":
        return
    from checkers.sandbox.service import Sandbox

    level = Sandbox().level
    if level.name == "unavailable":
        pytest.skip(f"no sandbox here: {', '.join(level.missing)}")
