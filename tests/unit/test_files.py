"""The file store passes the suite of all stores, and keeps its folder private and whole."""

from __future__ import annotations

import stat
from pathlib import Path

import pytest

from index.files import FileStore
from tests.store_suite import CLAIM, RENAMING, REQUEST, CountingStore, StoreSuite, certificate, record
from verifier.errors import VerifierError


@pytest.fixture
def place(tmp_path: Path) -> Path:
    return tmp_path


def open_store(place: Path) -> FileStore:
    return FileStore(place / "cache", place / "secret" / "key")


class TestFileStore(StoreSuite):
    @pytest.fixture
    def store(self, place: Path) -> CountingStore:
        return open_store(place)


async def test_everything_is_private(place: Path) -> None:
    store = open_store(place)
    key = await store.put("local", certificate(), RENAMING)
    await store.remember("local", REQUEST, record(certificate()))
    await store.pin("local", key)
    for path in (*(place / "cache").rglob("*"), *(place / "secret").rglob("*")):
        mode = stat.S_IMODE(path.lstat().st_mode)
        assert mode == (0o700 if path.is_dir() else 0o600), path


async def test_another_instance_sees_it_and_the_key_stays(place: Path) -> None:
    key = await open_store(place).put("local", certificate(), RENAMING)
    await open_store(place).remember("local", REQUEST, record(certificate()))
    secret = (place / "secret" / "key").read_bytes()
    again = open_store(place)
    assert await again.get("local", key) == certificate()
    assert await again.recall("local", REQUEST) == record(certificate())
    assert (place / "secret" / "key").read_bytes() == secret
    assert len(secret) == 32


async def test_looking_makes_nothing(place: Path) -> None:
    store = open_store(place)
    await store.by_claim("local", CLAIM)
    await store.recall("local", REQUEST)
    await store.stats("local")
    assert not (place / "cache").exists()
    assert not (place / "secret").exists()


async def test_nothing_is_left_in_scratch(place: Path) -> None:
    store = open_store(place)
    await store.put("local", certificate(), RENAMING)
    assert list((place / "cache" / "local" / "scratch").iterdir()) == []


@pytest.mark.parametrize("inside", ["cache/key", "cache/deep/key", "cache/../cache/key"])
def test_the_key_lies_outside_the_folder(place: Path, inside: str) -> None:
    with pytest.raises(VerifierError) as caught:
        FileStore(place / "cache", place / inside)
    assert caught.value.code == "bad-config"


async def test_counts_and_bytes(place: Path) -> None:
    store = open_store(place)
    key = await store.put("local", certificate(), RENAMING)
    await store.put("local", certificate("b"), RENAMING)
    await store.remember("local", REQUEST, record(certificate()))
    await store.pin("local", key)
    stats = await store.stats("local")
    assert (stats.certificates, stats.records, stats.pinned, stats.quarantined) == (2, 1, 1, 0)
    assert stats.bytes == sum(path.stat().st_size for path in (place / "cache").rglob("*") if path.is_file())
