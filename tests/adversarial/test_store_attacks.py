"""The file store under attack and on bad disks: nothing half-written, nothing damaged or forged is ever served."""

from __future__ import annotations

import errno
import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any, NoReturn

import pytest

from index.files import FileStore
from tests.divisors import DivisorKind, Scripted, claim, factor
from tests.store_suite import CLAIM, OTHER, RENAMING, REQUEST, certificate, record
from verifier.errors import VerifierError
from verifier.keys import canonical_json, certificate_id, digest
from verifier.model import Outcome
from verifier.pipeline import Pipeline, Request

ROOT = Path(__file__).resolve().parents[2]


def open_store(place: Path) -> FileStore:
    return FileStore(place / "cache", place / "secret" / "key")


def only(place: Path, pattern: str) -> Path:
    (found,) = place.joinpath("cache", "local").glob(pattern)
    return found


def seal(content: dict[str, Any]) -> bytes:
    """What anybody can do who may write into the folder: consistent digests."""
    return canonical_json({**content, "digest": digest("entry/1", canonical_json(content))})


async def put(store: FileStore) -> str:
    key = await store.put("local", certificate(), RENAMING)
    await store.remember("local", REQUEST, record(certificate()))
    return key


async def test_every_damaged_byte_of_a_certificate_is_noticed(tmp_path: Path) -> None:
    store = open_store(tmp_path)
    key = await put(store)
    path = only(tmp_path, "certificates/*/*/*.json")
    good = path.read_bytes()
    for position in range(0, len(good), 3):
        path.write_bytes(good[:position] + bytes([good[position] ^ 1]) + good[position + 1 :])
        assert await store.get("local", key) is None, position
        assert not path.exists()
        path.write_bytes(good)
    for cut in (0, 1, len(good) // 2, len(good) - 1):
        path.write_bytes(good[:cut])
        assert await store.get("local", key) is None
    path.write_bytes(good)
    assert await store.get("local", key) == certificate()


async def test_a_damaged_entry_is_named_moved_aside_and_can_be_replaced(tmp_path: Path) -> None:
    told: list[str] = []
    store = FileStore(tmp_path / "cache", tmp_path / "secret" / "key", told.append)
    key = await put(store)
    path = only(tmp_path, "certificates/*/*/*.json")
    path.write_bytes(b"{}")
    assert await store.by_claim("local", CLAIM) == []
    assert await store.recall("local", REQUEST) is None
    assert told == store.warnings
    assert key in told[0]
    assert only(tmp_path, "quarantine/damaged-*").read_bytes() == b"{}"
    assert (await store.stats("local")).quarantined == 1
    assert await store.put("local", certificate(), RENAMING) == key
    assert await store.get("local", key) == certificate()
    assert await store.recall("local", REQUEST) == record(certificate())


@pytest.mark.parametrize(
    "data", [b"", b"null", b"[]", b"{}", b"\xff", b"[" * 100_000, b'{"digest":1}', b"9" * 5_000, b"NaN"]
)
async def test_rubbish_is_damage_never_a_crash(tmp_path: Path, data: bytes) -> None:
    store = open_store(tmp_path)
    key = await put(store)
    only(tmp_path, "certificates/*/*/*.json").write_bytes(data)
    only(tmp_path, "records/*/*.json").write_bytes(data)
    assert await store.recall("local", REQUEST) is None
    assert await store.get("local", key) is None
    assert len(store.warnings) == 2


async def test_a_certificate_under_another_name_is_damage(tmp_path: Path) -> None:
    store = open_store(tmp_path)
    key = await put(store)
    other = certificate_id(certificate("b"))
    path = tmp_path / "cache" / "local" / "certificates" / other[:2] / other[2:4] / f"{other}.json"
    path.parent.mkdir(parents=True)
    path.write_bytes(only(tmp_path, f"certificates/*/*/{key}.json").read_bytes())
    assert await store.get("local", other) is None
    assert await store.get("local", key) == certificate()


async def test_a_certificate_filed_under_another_claim_is_not_found_there(tmp_path: Path) -> None:
    store = open_store(tmp_path)
    key = await put(store)
    marker = tmp_path / "cache" / "local" / "claims" / OTHER[:2] / OTHER / key
    marker.parent.mkdir(parents=True)
    marker.touch()
    assert await store.by_claim("local", OTHER) == []


async def test_a_forged_record_is_ignored_and_named(tmp_path: Path) -> None:
    store = open_store(tmp_path)
    await put(store)
    path = only(tmp_path, "records/*/*.json")
    entry = json.loads(path.read_bytes())
    path.write_bytes(seal({"record": {**entry["record"], "word": "verified"}, "mac": entry["mac"]}))
    assert await store.recall("local", REQUEST) is None
    assert "not made by this installation" in store.warnings[0]
    path.write_bytes(seal({"record": entry["record"], "mac": entry["mac"]}))
    assert await store.recall("local", REQUEST) == record(certificate())


@pytest.mark.parametrize("mac", ["", "0" * 64, "é", "A" * 64])
async def test_a_record_without_its_code_is_ignored(tmp_path: Path, mac: str) -> None:
    store = open_store(tmp_path)
    await put(store)
    only(tmp_path, "records/*/*.json").write_bytes(seal({"record": record(certificate()), "mac": mac}))
    assert await store.recall("local", REQUEST) is None


async def test_a_record_is_bound_to_its_request_and_scope(tmp_path: Path) -> None:
    store = open_store(tmp_path)
    await put(store)
    await store.put("tenant-b", certificate(), RENAMING)
    source = only(tmp_path, "records/*/*.json")
    for scope, request in (("local", OTHER), ("tenant-b", REQUEST)):
        path = tmp_path / "cache" / scope / "records" / request[:2] / f"{request}.json"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(source.read_bytes())
        assert await store.recall(scope, request) is None


async def test_a_folder_from_elsewhere_serves_certificates_but_no_verdicts(tmp_path: Path) -> None:
    kind, drafters = DivisorKind(), [Scripted("f", (factor("x", 7),))]
    theirs = Pipeline({"divisor": kind}, {"divisor": drafters}, open_store(tmp_path), "b1")
    await theirs.verify(Request(claim(91)))
    assert (await theirs.verify(Request(claim(91)))).hit.rung == "replay"
    mine = FileStore(tmp_path / "cache", tmp_path / "mine" / "key")
    result = await Pipeline({"divisor": kind}, {}, mine, "b1").verify(Request(claim(91)))
    assert (result.hit.rung, result.hit.rederived) == ("canonical", True)
    assert result.verdict.outcome is Outcome.VERIFIED


async def test_links_are_not_followed(tmp_path: Path) -> None:
    store = open_store(tmp_path)
    key = await put(store)
    path = only(tmp_path, "certificates/*/*/*.json")
    path.rename(tmp_path / "elsewhere.json")
    path.symlink_to(tmp_path / "elsewhere.json")
    assert await store.get("local", key) is None
    assert (tmp_path / "elsewhere.json").exists()


async def test_a_pipe_in_place_of_an_entry_does_not_block(tmp_path: Path) -> None:
    store = open_store(tmp_path)
    key = await put(store)
    path = only(tmp_path, "certificates/*/*/*.json")
    path.unlink()
    os.mkfifo(path)
    assert await store.get("local", key) is None


@pytest.mark.parametrize("damage", ["shorter", "empty", "open to others", "a link"])
async def test_a_key_that_is_not_private_or_whole_is_refused(tmp_path: Path, damage: str) -> None:
    await put(open_store(tmp_path))
    key = tmp_path / "secret" / "key"
    match damage:
        case "shorter":
            key.write_bytes(key.read_bytes()[:31])
        case "empty":
            key.write_bytes(b"")
        case "open to others":
            key.chmod(0o644)
        case _:
            key.rename(tmp_path / "moved")
            key.symlink_to(tmp_path / "moved")
    with pytest.raises(VerifierError) as caught:
        await open_store(tmp_path).recall("local", REQUEST)
    assert caught.value.code == "store-unavailable"
    assert caught.value.place == str(key)


def fail_with(code: int) -> Any:
    def fail(*_: object, **__: object) -> NoReturn:
        raise OSError(code, os.strerror(code))

    return fail


@pytest.mark.parametrize("call", ["fsync", "replace", "fdopen"])
async def test_a_full_disk_leaves_nothing_half_written(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, call: str
) -> None:
    store = open_store(tmp_path)
    await put(store)
    before = {path: path.read_bytes() for path in (tmp_path / "cache").rglob("*") if path.is_file()}
    with monkeypatch.context() as patch:
        patch.setattr(f"index.disk.os.{call}", fail_with(errno.ENOSPC))
        for attempt in (store.put("local", certificate("b"), RENAMING), store.remember("local", REQUEST, record())):
            with pytest.raises(VerifierError, match="No space left") as caught:
                await attempt
            assert (caught.value.code, caught.value.exit_code) == ("store-unavailable", 5)
    after = {path: path.read_bytes() for path in (tmp_path / "cache").rglob("*") if path.is_file()}
    assert before.items() <= after.items() or call == "fsync"
    assert await open_store(tmp_path).get("local", certificate_id(certificate("b"))) is None
    assert await open_store(tmp_path).recall("local", REQUEST) in (record(certificate()), record())
    assert list((tmp_path / "cache" / "local" / "scratch").iterdir()) == []


async def test_a_full_disk_costs_the_certificate_but_not_the_verdict(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("index.disk.os.replace", fail_with(errno.ENOSPC))
    drafters = [Scripted("f", (factor("x", 7),))]
    pipeline = Pipeline({"divisor": DivisorKind()}, {"divisor": drafters}, open_store(tmp_path), "b1")
    result = await pipeline.verify(Request(claim(91)))
    assert result.verdict.outcome is Outcome.VERIFIED
    assert result.store_error is not None
    assert "No space left" in result.store_error.message


@pytest.mark.parametrize("call", ["open", "listdir"])
async def test_an_unreadable_store_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, call: str) -> None:
    store = open_store(tmp_path)
    key = await put(store)
    with monkeypatch.context() as patch:
        patch.setattr(f"os.{call}", fail_with(errno.EACCES))
        with pytest.raises(VerifierError, match="Permission denied") as caught:
            await (store.get("local", key) if call == "open" else store.by_claim("local", CLAIM))
    assert caught.value.place == str(tmp_path / "cache")


@pytest.mark.skipif(os.geteuid() == 0, reason="root may read everything")
async def test_a_store_that_others_own_is_named(tmp_path: Path) -> None:
    store = open_store(tmp_path)
    await put(store)
    (tmp_path / "cache" / "local").chmod(0)
    try:
        with pytest.raises(VerifierError, match="Permission denied"):
            await store.by_claim("local", CLAIM)
    finally:
        (tmp_path / "cache" / "local").chmod(0o700)


async def test_a_file_in_place_of_the_folder_is_named(tmp_path: Path) -> None:
    (tmp_path / "cache").write_bytes(b"")
    with pytest.raises(VerifierError) as caught:
        await open_store(tmp_path).put("local", certificate(), RENAMING)
    assert caught.value.code == "store-unavailable"


WRITER = """
import asyncio, sys
from pathlib import Path
from index.files import FileStore
from tests.store_suite import RENAMING, REQUEST, certificate, record

async def main() -> None:
    store = FileStore(Path(sys.argv[1]) / "cache", Path(sys.argv[1]) / "secret" / "key")
    for turn in range(20):
        for label in "abcde":
            key = await store.put("local", certificate(label), RENAMING)
            await store.remember("local", REQUEST, record(certificate(label), label))
            assert await store.get("local", key) == certificate(label)
            assert await store.recall("local", REQUEST) is not None
    assert not store.warnings, store.warnings

asyncio.run(main())
"""


def writer(place: Path) -> subprocess.Popen[bytes]:
    return subprocess.Popen([sys.executable, "-c", WRITER, str(place)], cwd=ROOT, stderr=subprocess.PIPE)


async def test_two_processes_at_once(tmp_path: Path) -> None:
    running = [writer(tmp_path) for _ in range(2)]
    for process in running:
        _, errors = process.communicate(timeout=100)
        assert process.returncode == 0, errors.decode()
    store = open_store(tmp_path)
    assert len(await store.by_claim("local", CLAIM)) == 5
    assert (await store.recall("local", REQUEST)) is not None
    assert not store.warnings


async def test_a_killed_process_leaves_whole_entries(tmp_path: Path) -> None:
    for delay in (1, 3, 9):
        process = writer(tmp_path)
        while process.poll() is None and len(list((tmp_path / "cache").rglob("*.json"))) < min(delay, 6):
            pass
        process.kill()
        process.communicate(timeout=30)
    store = open_store(tmp_path)
    for _, held in [item async for item in store.iterate("local")]:
        assert await store.get("local", certificate_id(held)) == held
    await store.recall("local", REQUEST)
    assert not store.warnings
