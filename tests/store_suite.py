"""The suite that every certificate store must pass; subclasses say how to make one."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from typing import Protocol

import pytest

from index.shelving import Stats
from verifier.errors import VerifierError
from verifier.keys import certificate_id, digest
from verifier.model import Certificate, Evidence, Json, LoopNotes, Side
from verifier.ports import CertificateStore

CLAIM = digest("test", "claim")
OTHER = digest("test", "other claim")
REQUEST = digest("test", "request")
RENAMING = {"f": "f0", "f.x": "f0.v0"}


class CountingStore(CertificateStore, Protocol):
    """A store that can say what it holds."""

    async def stats(self, scope: str) -> Stats: ...


def certificate(label: str = "a", claim_key: str = CLAIM) -> Certificate:
    """A well-formed certificate; nobody checks it here."""
    evidence = Evidence(digest("test", label), "replay/1", {"arguments": {"x": "1"}})
    return Certificate("contract", claim_key, Side.PROOF, {"f.0": LoopNotes((f"{label} <= 1",), ("x",))}, (evidence,))


def record(rests_on: Certificate | None = None, word: str = "x") -> dict[str, Json]:
    """A record that may rest on a certificate."""
    return {"format": 1, "certificate": None if rests_on is None else certificate_id(rests_on), "word": word}


class StoreSuite:
    """One behaviour a test. `store` is a fixture of the subclass."""

    async def test_what_was_put_is_got(self, store: CountingStore) -> None:
        key = await store.put("local", certificate(), RENAMING)
        assert key == certificate_id(certificate())
        assert await store.get("local", key) == certificate()
        assert await store.by_claim("local", CLAIM) == [(key, certificate(), RENAMING)]

    async def test_putting_twice_changes_nothing(self, store: CountingStore) -> None:
        first = await store.put("local", certificate(), RENAMING)
        before = await store.stats("local")
        assert await store.put("local", certificate(), RENAMING) == first
        assert await store.stats("local") == before

    async def test_what_is_absent_is_none(self, store: CountingStore) -> None:
        assert await store.get("local", CLAIM) is None
        assert list(await store.by_claim("local", CLAIM)) == []
        assert await store.recall("local", REQUEST) is None
        assert [item async for item in store.iterate("local")] == []
        assert await store.stats("local") == Stats(0, 0, 0, 0, 0)

    async def test_certificates_of_a_claim_come_in_id_order(self, store: CountingStore) -> None:
        keys = [await store.put("local", certificate(label), RENAMING) for label in "abcde"]
        await store.put("local", certificate("a", OTHER), RENAMING)
        assert [key for key, _, _ in await store.by_claim("local", CLAIM)] == sorted(keys)

    async def test_iteration_goes_on_after_a_cursor(self, store: CountingStore) -> None:
        keys = sorted([await store.put("local", certificate(label), RENAMING) for label in "abcde"])
        assert [key async for key, _ in store.iterate("local")] == keys
        assert [key async for key, _ in store.iterate("local", keys[1])] == keys[2:]
        assert [key async for key, _ in store.iterate("local", keys[-1])] == []

    async def test_a_foreign_scope_sees_nothing(self, store: CountingStore) -> None:
        key = await store.put("local", certificate(), RENAMING)
        await store.remember("local", REQUEST, record(certificate()))
        await store.pin("local", key)
        assert await store.get("tenant-b", key) is None
        assert list(await store.by_claim("tenant-b", CLAIM)) == []
        assert await store.recall("tenant-b", REQUEST) is None
        assert [item async for item in store.iterate("tenant-b")] == []
        await store.quarantine("tenant-b", key, "not theirs")
        assert await store.delete_unpinned("tenant-b") == 0
        assert await store.get("local", key) == certificate()
        assert await store.recall("local", REQUEST) == record(certificate())

    async def test_records_are_recalled_and_replaced(self, store: CountingStore) -> None:
        await store.remember("local", REQUEST, record(word="old"))
        await store.remember("local", REQUEST, record(word="new"))
        assert await store.recall("local", REQUEST) == record(word="new")
        assert (await store.stats("local")).records == 1

    async def test_a_record_needs_the_certificate_that_it_rests_on(self, store: CountingStore) -> None:
        await store.remember("local", REQUEST, record(certificate()))
        assert await store.recall("local", REQUEST) is None
        await store.put("local", certificate(), RENAMING)
        assert await store.recall("local", REQUEST) == record(certificate())

    async def test_quarantine_cascades_and_lasts(self, store: CountingStore) -> None:
        key = await store.put("local", certificate(), RENAMING)
        other = await store.put("local", certificate("b"), RENAMING)
        await store.remember("local", REQUEST, record(certificate()))
        await store.remember("local", OTHER, record(certificate("b")))
        await store.quarantine("local", key, "it failed")
        await store.quarantine("local", key, "it failed again")
        assert await store.get("local", key) is None
        assert [held for held, _, _ in await store.by_claim("local", CLAIM)] == [other]
        assert await store.recall("local", REQUEST) is None
        assert await store.recall("local", OTHER) == record(certificate("b"))
        assert await store.put("local", certificate(), RENAMING) == key
        await store.remember("local", REQUEST, record(certificate()))
        assert await store.get("local", key) is None
        assert await store.recall("local", REQUEST) is None
        assert (await store.stats("local")).quarantined == 1

    async def test_only_what_is_pinned_outlives_deletion(self, store: CountingStore) -> None:
        kept = await store.put("local", certificate("a"), RENAMING)
        gone = await store.put("local", certificate("b"), RENAMING)
        await store.remember("local", REQUEST, record(certificate("b")))
        await store.remember("local", OTHER, record(certificate("a")))
        await store.pin("local", kept)
        await store.pin("local", kept)
        assert await store.delete_unpinned("local") == 1
        assert await store.get("local", gone) is None
        assert await store.recall("local", REQUEST) is None
        assert await store.get("local", kept) == certificate("a")
        assert await store.recall("local", OTHER) == record(certificate("a"))
        assert [key for key, _, _ in await store.by_claim("local", CLAIM)] == [kept]
        assert await store.delete_unpinned("local") == 0

    async def test_many_at_once(self, store: CountingStore) -> None:
        labels = [f"c{index}" for index in range(20)] * 2
        keys = await asyncio.gather(*(store.put("local", certificate(label), RENAMING) for label in labels))
        assert len(await store.by_claim("local", CLAIM)) == len(set(keys)) == 20

    @pytest.mark.parametrize("scope", ["", ".", "..", "../x", "a/b", "A", "a" * 65, "a\0", "-a", "ä"])
    async def test_scopes_play_no_tricks(self, store: CountingStore, scope: str) -> None:
        with pytest.raises(VerifierError) as caught:
            await store.put(scope, certificate(), RENAMING)
        assert caught.value.code == "bad-config"
        with pytest.raises(VerifierError):
            await store.recall(scope, REQUEST)

    @pytest.mark.parametrize("key", ["", "../../etc/passwd", "A" * 64, "0" * 63, "0" * 64 + "\n"])
    async def test_keys_play_no_tricks(self, store: CountingStore, key: str) -> None:
        with pytest.raises(VerifierError):
            await store.get("local", key)
        with pytest.raises(VerifierError):
            await store.by_claim("local", key)
        with pytest.raises(VerifierError):
            await store.remember("local", key, record())
        with pytest.raises(VerifierError):
            await store.put("local", certificate("a", key), RENAMING)

    async def test_answers_are_copies(self, store: CountingStore) -> None:
        given = record()
        await store.remember("local", REQUEST, given)
        given["word"] = "changed"
        held: Mapping[str, Json] | None = await store.recall("local", REQUEST)
        assert held == record()
