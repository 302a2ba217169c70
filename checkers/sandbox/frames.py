"""Length-prefixed JSON: the frames that parent, zygote and child exchange. Imports the standard library only."""

from __future__ import annotations

import json
import os
import struct
from collections.abc import Iterator
from typing import Any

LARGEST_JOB = 32 * 2**20
"""Bytes of one job; more is refused before it is sent."""
LARGEST_REPORT = 8 * 2**20
"""Bytes that one child may send in all; more ends it."""

_HEAD = struct.Struct(">I")


class BadFrame(Exception):
    """A frame that is too long or is not a JSON object."""


def pack(message: dict[str, Any]) -> bytes:
    """One message as a frame. Lone surrogates survive as JSON escapes."""
    body = json.dumps(message).encode("ascii")
    return _HEAD.pack(len(body)) + body


class Unpacker:
    """Turns a stream of bytes into messages; holds at most one frame of at most `largest` bytes."""

    def __init__(self, largest: int) -> None:
        self._largest = largest
        self._buffer = bytearray()

    def feed(self, data: bytes) -> Iterator[dict[str, Any]]:
        """The messages that `data` completes. Raises BadFrame."""
        self._buffer += data
        while len(self._buffer) >= _HEAD.size:
            (length,) = _HEAD.unpack_from(self._buffer)
            if length > self._largest:
                raise BadFrame("a frame is too long")
            if len(self._buffer) < _HEAD.size + length:
                return
            body = bytes(self._buffer[_HEAD.size : _HEAD.size + length])
            del self._buffer[: _HEAD.size + length]
            yield _read(body)


def _read(body: bytes) -> dict[str, Any]:
    try:
        message = json.loads(body)
    except (ValueError, RecursionError) as error:
        raise BadFrame("a frame is not JSON") from error
    if not isinstance(message, dict):
        raise BadFrame("a frame is not an object")
    return message


def write_all(descriptor: int, data: bytes) -> None:
    """Write every byte. Raises OSError when the other side has gone."""
    view = memoryview(data)
    while view:
        view = view[os.write(descriptor, view) :]


def read_one(descriptor: int, largest: int) -> dict[str, Any]:
    """Read exactly one message from a blocking descriptor. Raises BadFrame at the end of the stream, OSError."""
    unpacker = Unpacker(largest)
    while True:
        data = os.read(descriptor, 65536)
        if not data:
            raise BadFrame("the stream ended early")
        for message in unpacker.feed(data):
            return message
