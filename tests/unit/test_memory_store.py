"""The in-memory store passes the suite of all stores."""

from __future__ import annotations

import pytest

from index.memory import MemoryStore
from tests.store_suite import CountingStore, StoreSuite


class TestMemoryStore(StoreSuite):
    @pytest.fixture
    def store(self) -> CountingStore:
        return MemoryStore()
