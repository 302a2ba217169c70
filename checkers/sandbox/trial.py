"""What the parent asks of the sandbox, and what it gets back: plain data, never a verdict."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal

Status = Literal["returned", "raised", "killed", "error"]


@dataclass(frozen=True, slots=True)
class Trial:
    """Run `function` of the module text `source` on each of `inputs` (Python literals, one a parameter).

    `requires` and `ensures` are Python expressions over the parameters (and `result`), evaluated in the module's
    scope on entry values. They come from the parent, never from the code on trial.
    """

    source: str
    function: str
    requires: tuple[str, ...]
    ensures: tuple[str, ...]
    inputs: tuple[tuple[str, ...], ...]


@dataclass(frozen=True, slots=True)
class Hunt:
    """Search for an input that satisfies `requires` and then violates `ensures` or raises outside `raises`.

    `params` pairs names with type texts (`int`, `bool`, `str`, `list[int]`, `list[bool]`, `tuple[…]`); `seeds` are
    inputs (literals) whose values are mixed into the search; at most `examples` inputs are tried.
    """

    source: str
    function: str
    requires: tuple[str, ...]
    ensures: tuple[str, ...]
    params: tuple[tuple[str, str], ...]
    raises: tuple[str, ...]
    examples: int
    seeds: tuple[tuple[str, ...], ...] = ()


@dataclass(frozen=True, slots=True)
class Observation:
    """What one call did, as told by the fenced child: evidence to compare, since the code on trial can forge it.

    `pre` is None when the precondition itself raised; the function is called only when it is True (otherwise
    `status` is `error`). `post` has one entry an `ensures` text, None where evaluating it raised. `value` and
    `arguments_after` are literals (capped); `type` names the class of the value; `mro` names the exception's classes,
    bare for built-in ones and dotted for others. `killed` means a limit of time, CPU or memory, or a dead child.
    """

    status: Status
    value: str = ""
    type: str = ""
    exception: str = ""
    mro: tuple[str, ...] = ()
    pre: bool | None = None
    post: tuple[bool | None, ...] = ()
    arguments_after: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Level:
    """Which fences stand, which are missing, and what to do about it. For `verifier doctor` and receipts."""

    name: Literal["landlock+seccomp", "weak", "unavailable"]
    missing: tuple[str, ...]
    remedy: str


def observation(message: Mapping[str, Any], clauses: int) -> Observation:
    """Read one report of the child. It may be forged, so whatever is malformed becomes status `error`."""
    texts = [message.get(key) for key in ("value", "type", "exception")]
    lists = [message.get(key) for key in ("mro", "after")]
    pre, post, status = message.get("pre"), message.get("post"), message.get("status")
    sound = (
        status in ("returned", "raised", "killed", "error")
        and all(isinstance(text, str) for text in texts)
        and all(isinstance(items, list) and all(isinstance(item, str) for item in items) for items in lists)
        and (pre is None or isinstance(pre, bool))
        and isinstance(post, list)
        and len(post) in (0, clauses)
        and all(item is None or isinstance(item, bool) for item in post)
    )
    if not sound:
        return Observation("error")
    value, kind, exception = (str(text) for text in texts)
    mro, after = (tuple(str(item) for item in items or ()) for items in lists)
    known: Status = status  # type: ignore[assignment]  # one of the four, checked above
    return Observation(known, value, kind, exception, mro, pre, tuple(post or ()), after)
