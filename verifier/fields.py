"""Strict reading of JSON objects: every field is asked for by name and type, and nothing may be left over."""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum
from typing import TypeVar

from verifier.errors import VerifierError
from verifier.model import Json

Name = TypeVar("Name", bound=StrEnum)


class Fields:
    """The fields of one JSON object, each read exactly once; `close` refuses what was not asked for.

    Raises VerifierError with the given code (`bad-receipt` by default) and the place inside the document.
    """

    def __init__(self, value: object, place: str, code: str = "bad-receipt") -> None:
        self.place, self.code = place, code
        if not isinstance(value, Mapping) or not all(type(key) is str for key in value):
            raise self.error("must be an object")
        self._left = dict(value)

    def error(self, message: str, field: str = "") -> VerifierError:
        """An error at this object, or at one of its fields."""
        return VerifierError(self.code, message, place=f"{self.place}.{field}" if field else self.place)

    def take(self, field: str) -> object:
        """The raw value of a field that must be there."""
        value = self.peek(field)
        del self._left[field]
        return value

    def peek(self, field: str) -> object:
        """The raw value of a field that must be there, without taking it."""
        if field not in self._left:
            raise self.error("is missing", field)
        return self._left[field]

    def text(self, field: str) -> str:
        """A string."""
        value = self.take(field)
        if type(value) is not str:
            raise self.error("must be a string", field)
        return value

    def text_or_none(self, field: str) -> str | None:
        """A string or null."""
        value = self.take(field)
        if value is not None and type(value) is not str:
            raise self.error("must be a string or null", field)
        return value

    def number(self, field: str) -> int:
        """An integer (a Boolean is none)."""
        value = self.take(field)
        if type(value) is not int:
            raise self.error("must be an integer", field)
        return value

    def flag(self, field: str) -> bool:
        """A Boolean."""
        value = self.take(field)
        if type(value) is not bool:
            raise self.error("must be true or false", field)
        return value

    def items(self, field: str) -> list[object]:
        """An array."""
        value = self.take(field)
        if not isinstance(value, list | tuple):
            raise self.error("must be an array", field)
        return list(value)

    def texts(self, field: str) -> tuple[str, ...]:
        """An array of strings."""
        values = self.items(field)
        for value in values:
            if type(value) is not str:
                raise self.error("must be an array of strings", field)
        return tuple(str(value) for value in values)

    def mapping(self, field: str) -> dict[str, object]:
        """An object with free keys."""
        value = self.take(field)
        if not isinstance(value, Mapping) or not all(type(key) is str for key in value):
            raise self.error("must be an object", field)
        return dict(value)

    def named(self, field: str, names: type[Name]) -> Name:
        """One of a fixed set of names."""
        value = self.text(field)
        try:
            return names(value)
        except ValueError:
            known = ", ".join(item.value for item in names)
            raise self.error(f"must be one of {known}, not {value!r}", field) from None

    def named_or_none(self, field: str, names: type[Name]) -> Name | None:
        """One of a fixed set of names, or null."""
        if field in self._left and self._left[field] is None:
            self.take(field)
            return None
        return self.named(field, names)

    def close(self) -> None:
        """Every field was understood, or an error."""
        if self._left:
            raise self.error(f"has unknown fields: {', '.join(sorted(self._left))}")


def json_value(value: object, place: str, code: str = "bad-receipt") -> Json:
    """`value` as JSON without floats, or an error."""
    if value is None or type(value) in (bool, int, str):
        return value  # type: ignore[return-value]  # the exact types were just tested
    if isinstance(value, list | tuple):
        return [json_value(item, f"{place}[{index}]", code) for index, item in enumerate(value)]
    if isinstance(value, Mapping):
        return {str(key): json_value(item, f"{place}.{key}", code) for key, item in value.items()}
    raise VerifierError(code, f"{type(value).__name__} is not exact JSON", place=place)
