"""Which functions of a module carry a contract: the door through which claims are found. Nothing is skipped."""

from __future__ import annotations

from dataclasses import dataclass

from checkers.lang.contract_names import Notation, notation
from checkers.lang.lower_source import parse
from verifier.model import Span

__all__ = ["Found", "discover"]


@dataclass(frozen=True, slots=True)
class Found:
    """A function that may become a claim. `name` is qualified (`Stack.push`, `outer.inner`)."""

    name: str
    span: Span
    notation: Notation


def discover(source: str, safety: bool = False) -> tuple[Found, ...]:
    """Every function that carries, or seems to carry, a contract, in source order: methods, nested and asynchronous
    functions and notations that are not supported included, so that each gets its own answer.

    With `safety` also functions without a contract. Raises VerifierError (`syntax-error`).
    """
    module = parse(source)
    found = [Found(place.name, module.text.span(place.node), notation(module, place.node)) for place in module.places]
    return tuple(item for item in found if safety or item.notation != "none")
