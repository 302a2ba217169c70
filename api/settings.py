"""Settings: defaults < `[tool.verifier]` in pyproject.toml < `VERIFIER_*` < flags. Unknown keys are errors.

Nothing that belongs to a claim (`partial`) or decides a verdict beside the policy's name is a setting.
"""

from __future__ import annotations

import os
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from verifier.errors import VerifierError

PREFIX = "VERIFIER_"
NOT_SETTINGS = {"VERIFIER_DEBUG", "VERIFIER_LONG"}
"""Variables with our prefix that are switches for developers, not settings."""


def _default_store() -> Path:
    base = os.environ.get("XDG_CACHE_HOME") or str(Path.home() / ".cache")
    return Path(base) / "generative-verifier"


def _default_key() -> Path:
    base = os.environ.get("XDG_STATE_HOME") or str(Path.home() / ".local" / "state")
    return Path(base) / "generative-verifier" / "records.key"


class Settings(BaseModel):
    """The effective settings of one run. Field names are the keys of `[tool.verifier]`."""

    model_config = ConfigDict(frozen=True, extra="forbid", str_strip_whitespace=True)

    policy: str = Field("proof", min_length=1, description="a named policy, or a JSON file with one")
    budget: Literal["small", "medium", "large"] = Field("small", description="deterministic work units: 1, 8 or 64")
    cache_mode: Literal["off", "read", "read-write", "read-enforcing", "audit"] = Field(
        "read-write", description="how the certificate store is used"
    )
    rederive: Literal["changed", "always"] = Field("changed", description="when a stored record is derived again")
    store: Path = Field(default_factory=_default_store, description="folder of the certificate store")
    key_file: Path = Field(default_factory=_default_key, description="key that authenticates stored records")
    receipt_dir: Path | None = Field(None, description="folder that receives a receipt for each verdict")
    jobs: int = Field(0, ge=0, le=256, description="claims in flight; 0 means one for each core")
    sandbox: Literal["strict", "weak"] = Field("strict", description="weak runs counterexamples with fewer fences")

    @property
    def workers(self) -> int:
        """Claims in flight at once, and solver processes for each solver."""
        return self.jobs or os.cpu_count() or 1


@dataclass(frozen=True, slots=True)
class Effective:
    """Settings, and for each key where its value came from: `default`, a file, a variable, or `flag`."""

    settings: Settings
    sources: Mapping[str, str]


def load(flags: Mapping[str, Any], environment: Mapping[str, str], folder: Path) -> Effective:
    """The effective settings seen from `folder`; flags that are None were not given.

    Raises VerifierError (`bad-config`, naming the key and where it stands).
    """
    values: dict[str, Any] = {}
    sources = dict.fromkeys(Settings.model_fields, "default")
    for origin, layer in (_file(folder), ("", _variables(environment)), ("flag", _given(flags))):
        for key, value in layer.items():
            label = origin or PREFIX + key.upper()
            if key not in Settings.model_fields:
                raise VerifierError("bad-config", f"unknown setting `{key}`", place=label, hint=_known())
            values[key], sources[key] = value, label
    try:
        return Effective(Settings(**values), sources)
    except ValidationError as error:
        first = error.errors()[0]
        key = str(first["loc"][0])
        what = f"setting `{key}`: {first['msg'][0].lower()}{first['msg'][1:]}, not {first['input']!r}"
        place = f"--{key.replace('_', '-')}" if sources[key] == "flag" else sources[key]
        raise VerifierError("bad-config", what, place=place) from None


def shown(value: object) -> str | int | None:
    """A value for people and logs: the home folder is written as `~`."""
    if value is None or isinstance(value, int):
        return value
    text, home = str(value), str(Path.home())
    return "~" + text[len(home) :] if text == home or text.startswith(home + os.sep) else text


def _known() -> str:
    return f"Known settings: {', '.join(sorted(Settings.model_fields))}."


def _given(flags: Mapping[str, Any]) -> dict[str, Any]:
    return {key: value for key, value in flags.items() if value is not None}


def _variables(environment: Mapping[str, str]) -> dict[str, Any]:
    return {
        name[len(PREFIX) :].lower(): value
        for name, value in environment.items()
        if name.startswith(PREFIX) and name not in NOT_SETTINGS
    }


def _file(folder: Path) -> tuple[str, dict[str, Any]]:
    """The `[tool.verifier]` table of the nearest pyproject.toml; its paths are relative to that file."""
    for parent in (folder, *folder.parents):
        path = parent / "pyproject.toml"
        if path.is_file():
            table = _table(path)
            for key in ("store", "key_file", "receipt_dir"):
                if isinstance(table.get(key), str):
                    table[key] = str(parent / Path(table[key]).expanduser())
            return str(path), table
    return "pyproject.toml", {}


def _table(path: Path) -> dict[str, Any]:
    try:
        document = tomllib.loads(path.read_text(encoding="utf-8"))
    except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
        raise VerifierError("bad-config", f"cannot be read: {error}", place=str(path)) from None
    table = document.get("tool", {}).get("verifier", {})
    if not isinstance(table, dict):
        raise VerifierError("bad-config", "[tool.verifier] is not a table", place=str(path))
    return {key.replace("-", "_"): value for key, value in table.items()}
