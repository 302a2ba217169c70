"""The pitfalls of proof caches, with real programs: twins hit, one changed token never does.

The store holds certificates for one base program; afterwards nobody drafts anything, so whatever is `verified` came
from the store.
"""

from __future__ import annotations

from collections.abc import AsyncIterator
from dataclasses import replace

import pytest

from checkers.program.kind import ProgramKind
from checkers.smt.pool import Pool
from index.memory import MemoryStore
from tests.divisors import Scripted
from verifier.errors import VerifierError
from verifier.model import Claim, Draft, Json, LoopNotes, Outcome, Side
from verifier.pipeline import Pipeline, Request, Result

BASE = """\
import icontract

STEP = 1

def half(a: int, by: int = 2) -> int:
    return a // by

@icontract.require(lambda n: n >= 0)
@icontract.require(lambda n: n <= 1000)
@icontract.ensure(lambda n, result: 0 <= result)
@icontract.ensure(lambda n, result: result <= n)
def walk(n: int) -> int:
    low = 0
    high = n
    while low < half(high):
        low = low + STEP
    return low
"""
NOTES = {"walk.0": LoopNotes(("0 <= low", "low <= n", "high == n"), ("high - low",))}
WITNESS: Json = {"arguments": ["4"]}


def replaced(*pairs: tuple[str, str]) -> str:
    source = BASE
    for old, new in pairs:
        assert old in source, old
        source = source.replace(old, new)
    return source


TWINS = {
    "reformatted": replaced(("    low = 0\n", "\n    low   =   (0)  # nothing yet\n\n")),
    "locals renamed": replaced(("low", "bottom"), ("high", "top")),
    "parameter renamed": replaced(("(n: int)", "(size: int)"), ("lambda n", "lambda size"), ("n >= 0", "size >= 0"),
                                  ("n <= 1000", "size <= 1000"), ("<= n)", "<= size)"), ("= n\n", "= size\n")),
    "callee renamed": replaced(("half", "halve")),
    "contract reordered": replaced(
        ("@icontract.require(lambda n: n >= 0)\n@icontract.require(lambda n: n <= 1000)\n",
         "@icontract.require(lambda n: n <= 1000)\n@icontract.require(lambda n: n >= 0)\n"),
    ),
    "documented": replaced(("    low = 0\n", '    """Walks up."""\n    low = 0\n')),
    "moved": "\n\nUNRELATED = 5\n\n" + BASE,
    "imported under another name": replaced(("import icontract", "import icontract as ic"), ("@icontract", "@ic")),
}  # fmt: skip

MUTANTS = {
    "operator flipped": replaced(("low + STEP", "low - STEP")),
    "comparison loosened": replaced(("low < half", "low <= half")),
    "off by one": replaced(("low = 0", "low = 1")),
    "bound of the contract": replaced(("1000", "1001")),
    "contract strengthened": replaced(("result <= n)", "result < n)")),
    "precondition dropped": replaced(("@icontract.require(lambda n: n >= 0)\n", "")),
    "callee with another body": replaced(("a // by", "(a + 1) // by")),
    "division sign": replaced(("by: int = 2", "by: int = -2")),
    "remainder for quotient": replaced(("a // by", "a % by")),
    "global changed": replaced(("STEP = 1", "STEP = 2")),
    "global shadowed": replaced(("    high = n\n", "    high = n\n    STEP = 1\n")),
    "global assigned twice": replaced(("STEP = 1\n", "STEP = 1\nSTEP = 2\n")),
    "callee defined twice": replaced(("STEP = 1\n", "STEP = 1\n\ndef half(a: int) -> int:\n    return a\n")),
    "callee shadowed by a parameter": replaced(("(n: int)", "(n: int, half: int)")),
    "default argument": replaced(("by: int = 2", "by: int = 3")),
    "another type": replaced(("(n: int) -> int", "(n: bool) -> int")),
    "another result": replaced(("return low", "return high")),
    "identity for equality": replaced(("low < half(high)", "low is half(high)")),
    "decorated": replaced(("def walk", "@staticmethod\ndef walk")),
    "variables swapped": replaced(("return low", "low, high = high, low\n    return low")),
}  # fmt: skip


def ask(source: str, kind: str = "contract", *, partial: bool = False) -> Request:
    return Request(Claim(kind, {"source": source, "function": "walk", "partial": partial}, "walk"))


@pytest.fixture
async def pool() -> AsyncIterator[Pool]:
    async with Pool(workers=1) as pool:
        yield pool


async def filled(pool: Pool) -> tuple[Pipeline, Result]:
    """A road without drafters whose store holds the certificate of the base program."""
    kinds = {name: ProgramKind(name, pool, None) for name in ("contract", "safety")}
    store, drafter = MemoryStore(), Scripted("given", (Draft("given", Side.PROOF, NOTES, WITNESS),))
    first = await Pipeline(kinds, {"contract": [drafter]}, store, "b1").verify(ask(BASE))
    assert first.verdict.outcome is Outcome.VERIFIED, first.verdict
    return Pipeline(kinds, {}, store, "b1"), first


async def test_every_twin_is_answered_by_the_certificate_of_the_base(pool: Pool) -> None:
    road, _ = await filled(pool)
    for name, source in TWINS.items():
        result = await road.verify(ask(source))
        assert (result.verdict.outcome, result.hit.rung) == (Outcome.VERIFIED, "canonical"), (name, result.verdict)
        assert result.hit.rederived
        again = await road.verify(ask(source))
        assert again.hit.rung == "replay", name
        assert not result.incidents


async def test_no_mutant_is_ever_answered(pool: Pool) -> None:
    road, first = await filled(pool)
    for name, source in MUTANTS.items():
        result = await road.verify(ask(source))
        assert (result.verdict.outcome, result.hit.rung) == (Outcome.UNDECIDED, None), name
        assert result.claim_key != first.claim_key, name


async def test_a_contract_from_another_library_is_none(pool: Pool) -> None:
    road, _ = await filled(pool)
    with pytest.raises(VerifierError) as caught:
        await road.verify(ask(replaced(("import icontract", "import mycontracts as icontract"))))
    assert caught.value.code == "no-claim"


async def test_partial_total_and_safety_are_different_claims(pool: Pool) -> None:
    road, first = await filled(pool)
    for request in (ask(BASE, partial=True), ask(BASE, "safety")):
        result = await road.verify(request)
        assert (result.hit.rung, result.verdict.outcome) == (None, Outcome.UNDECIDED)
        assert result.claim_key != first.claim_key


async def test_a_certificate_filed_for_a_mutant_is_found_out(pool: Pool) -> None:
    road, first = await filled(pool)
    wrong = ask(MUTANTS["contract strengthened"])
    missed = await road.verify(wrong)
    assert first.verdict.certificate is not None
    assert missed.claim_key is not None
    assert isinstance(road.store, MemoryStore)
    canonical = road.kind("contract").canonicalise(wrong.claim)
    forged = replace(first.verdict.certificate, claim_key=missed.claim_key)
    key = await road.store.put("local", forged, canonical.renaming)
    result = await road.verify(wrong)
    assert result.verdict.outcome is Outcome.UNDECIDED
    assert len(result.incidents) == 1
    assert await road.store.get("local", key) is None
