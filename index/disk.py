"""Files that are whole or absent: atomic writes, private modes, and one error for everything a disk can do.

An entry is written to a temporary file in the same folder tree, flushed to the device, and renamed into place; a crash,
a full disk or a second process leaves the old file or the new one, never a part.
"""

from __future__ import annotations

import errno
import os
import secrets
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from verifier.errors import VerifierError

PRIVATE_FOLDER = 0o700
PRIVATE_FILE = 0o600
KEY_BYTES = 32
SIZE_LIMIT = 64 * 2**20
"""Bytes of one entry that are read at most; a larger file is no entry of ours."""


@contextmanager
def disk(path: Path, doing: str) -> Iterator[None]:
    """Turn an OSError into VerifierError (`store-unavailable`) that says what could not be done, and where."""
    try:
        yield
    except OSError as error:
        what = error.strerror or type(error).__name__
        raise VerifierError("store-unavailable", f"cannot {doing}: {what}", place=str(path)) from error


def make_folder(path: Path) -> None:
    """Make a private folder, and those above it that are missing."""
    if path.is_dir():
        return
    if not path.parent.is_dir():
        make_folder(path.parent)
    with suppress(FileExistsError):
        path.mkdir(mode=PRIVATE_FOLDER)


def write_whole(path: Path, data: bytes, scratch: Path) -> None:
    """Write a file so that others see all of it or nothing. `scratch` is a folder on the same file system."""
    make_folder(scratch)
    make_folder(path.parent)
    handle, name = tempfile.mkstemp(dir=scratch)  # mode 0600
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        os.replace(name, path)
    except BaseException:
        with suppress(OSError):
            os.unlink(name)
        raise
    sync_folder(path.parent)


def sync_folder(path: Path) -> None:
    """Flush a folder's entries to the device."""
    handle = os.open(path, os.O_RDONLY | os.O_DIRECTORY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


def read_whole(path: Path) -> bytes | None:
    """The bytes of a file; None where there is none. Raises OSError.

    A symbolic link is not followed and reads as empty, which is damaged in any format of ours.
    """
    try:
        handle = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK)
    except (FileNotFoundError, NotADirectoryError):
        return None
    except OSError as error:
        if error.errno != errno.ELOOP:
            raise
        return b""
    with os.fdopen(handle, "rb") as file:
        return file.read(SIZE_LIMIT + 1)


def touch(path: Path) -> None:
    """Make an empty marker file; one that is there already will do."""
    make_folder(path.parent)
    with suppress(FileExistsError):
        os.close(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, PRIVATE_FILE))


def secret_key(path: Path) -> bytes:
    """The secret of this installation, made at first use. Raises OSError, or VerifierError where it is not private."""
    make_folder(path.parent)
    if (key := read_whole(path)) is None:
        handle, name = tempfile.mkstemp(dir=path.parent)  # mode 0600
        try:
            with os.fdopen(handle, "wb") as file:
                file.write(secrets.token_bytes(KEY_BYTES))
                file.flush()
                os.fsync(file.fileno())
            with suppress(FileExistsError):  # another process was first: its key counts
                os.link(name, path)
        finally:
            os.unlink(name)
        key = read_whole(path)
    if key is None or len(key) != KEY_BYTES:
        raise VerifierError("store-unavailable", "the key of the store is damaged; remove it", place=str(path))
    if path.stat().st_mode & 0o077:
        raise VerifierError("store-unavailable", "others may read the key of the store: chmod 600", place=str(path))
    return key
