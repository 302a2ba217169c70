from __future__ import annotations

from pathlib import Path

import pytest

from api.settings import Settings, load, shown
from verifier.errors import VerifierError


def write(folder: Path, text: str) -> None:
    (folder / "pyproject.toml").write_text(text, encoding="utf-8")


def test_defaults(tmp_path: Path) -> None:
    effective = load({}, {}, tmp_path)
    assert effective.settings.policy == "proof"
    assert effective.settings.cache_mode == "read-write"
    assert set(effective.sources) == set(Settings.model_fields)
    assert set(effective.sources.values()) == {"default"}


def test_later_layers_win(tmp_path: Path) -> None:
    write(tmp_path, '[tool.verifier]\nbudget = "medium"\njobs = 3\nsandbox = "weak"\n')
    effective = load({"jobs": 5, "budget": None}, {"VERIFIER_JOBS": "4", "VERIFIER_SANDBOX": "strict"}, tmp_path)
    assert (effective.settings.budget, effective.settings.jobs, effective.settings.sandbox) == ("medium", 5, "strict")
    assert effective.sources["budget"] == str(tmp_path / "pyproject.toml")
    assert effective.sources["jobs"] == "flag"
    assert effective.sources["sandbox"] == "VERIFIER_SANDBOX"


def test_nearest_file_counts_and_its_paths_are_relative_to_it(tmp_path: Path) -> None:
    write(tmp_path, '[tool.verifier]\nstore = "kept"\ncache-mode = "read"\n')
    inner = tmp_path / "a" / "b"
    inner.mkdir(parents=True)
    settings = load({}, {}, inner).settings
    assert settings.store == tmp_path / "kept"
    assert settings.cache_mode == "read"


@pytest.mark.parametrize(
    ("text", "environment", "flags", "named"),
    [
        ('[tool.verifier]\nbudgett = "small"\n', {}, {}, "budgett"),
        ("[tool.verifier]\npartial = true\n", {}, {}, "partial"),
        ('[tool.verifier]\nbudget = "huge"\n', {}, {}, "budget"),
        ("", {"VERIFIER_COLOUR": "1"}, {}, "colour"),
        ("", {"VERIFIER_JOBS": "many"}, {}, "jobs"),
        ("", {}, {"jobs": -1}, "jobs"),
        ("", {}, {"cache_mode": "sometimes"}, "cache_mode"),
        ("[tool]\nverifier = 3\n", {}, {}, "verifier"),
        ("[tool.verifier\n", {}, {}, "cannot be read"),
    ],
)
def test_errors_name_the_setting(
    tmp_path: Path, text: str, environment: dict[str, str], flags: dict[str, object], named: str
) -> None:
    write(tmp_path, text)
    with pytest.raises(VerifierError) as caught:
        load(flags, environment, tmp_path)
    assert caught.value.code == "bad-config"
    assert named in caught.value.diagnostics()


def test_an_error_says_where_the_value_came_from(tmp_path: Path) -> None:
    with pytest.raises(VerifierError) as caught:
        load({}, {"VERIFIER_BUDGET": "huge"}, tmp_path)
    assert "VERIFIER_BUDGET" in caught.value.diagnostics()
    assert "'huge'" in caught.value.diagnostics()


def test_switches_for_developers_are_no_settings(tmp_path: Path) -> None:
    assert load({}, {"VERIFIER_DEBUG": "1", "VERIFIER_LONG": "1"}, tmp_path).settings.jobs == 0


def test_workers_are_at_least_one(tmp_path: Path) -> None:
    assert load({"jobs": 3}, {}, tmp_path).settings.workers == 3
    assert load({}, {}, tmp_path).settings.workers >= 1


def test_home_is_not_shown() -> None:
    assert shown(Path.home() / "x") == "~/x"
    assert shown(Path.home()) == "~"
    assert shown(Path(str(Path.home()) + "x")) == str(Path.home()) + "x"
    assert shown(None) is None
    assert shown(3) == 3
