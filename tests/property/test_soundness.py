"""No verdict disagrees with CPython: random functions with loops and contracts, and one-token mutants of their bodies.

The normal run has to see at least 100 proved loops, the long one (VERIFIER_LONG=1) at least 2,000.
"""

from __future__ import annotations

import asyncio
import os
import random

import pytest

from tests.programs import generate, mutants_of
from tests.soundness import Road, disagreement
from verifier.model import Outcome

LONG = os.environ.get("VERIFIER_LONG") == "1"
CHUNKS = 150 if LONG else 8
PROVED = 14
"""Proved loops that one chunk has to yield."""
MUTANTS = 2
"""Mutants that are tried of each proved function."""


@pytest.mark.timeout(900)
@pytest.mark.parametrize("chunk", range(CHUNKS))
def test_verdicts_agree_with_cpython(chunk: int) -> None:
    asyncio.run(compare(random.Random(f"soundness {chunk}")))


async def compare(rng: random.Random) -> None:
    proved = 0
    async with Road() as road:
        for _ in range(6 * PROVED):
            program = generate(rng)
            verdict, against = await disagreement(road, program, program.source)
            assert against is None, f"{against}\n{program.source}"
            if verdict is None or verdict.outcome is not Outcome.VERIFIED:
                continue
            proved += "for " in program.body or "while " in program.body
            mutants = list(mutants_of(program.source))
            for mutant in rng.sample(mutants, min(MUTANTS, len(mutants))):
                _, against = await disagreement(road, program, mutant)
                assert against is None, f"{against}\n{mutant}"
            if proved >= PROVED:
                return
    assert proved >= PROVED, f"only {proved} proved loops: the generator has become too hard"
