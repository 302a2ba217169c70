"""The mutation lists of the core: every mutant must be noticed by a check of the same module's behaviour."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable, Coroutine
from dataclasses import replace
from functools import cache
from types import ModuleType
from typing import Any

import pytest

import verifier.derivation
import verifier.keys
import verifier.lookup
import verifier.policy
import verifier.receipt.parse
import verifier.receipt.recheck
from index.memory import MemoryStore
from tests.divisors import PRIME, DivisorKind, Scripted, claim, factor
from tests.malformed import OPEN_SHAPES, RAW, SHAPES
from tests.mutation import survivors
from tests.receipts import BUILD, edited, forged, proof, undecided
from tests.unit import mutations_core
from verifier.case import Case, Request, open_case
from verifier.errors import VerifierError
from verifier.model import (
    BUDGETS,
    Canonical,
    Certificate,
    Check,
    Claim,
    Evidence,
    Level,
    Manifest,
    Obligation,
    Reason,
    Result,
    Side,
)
from verifier.pipeline import Pipeline
from verifier.shelf import Mode, Shelf

Run = Callable[[ModuleType], object]


def refusal(call: Callable[[], object]) -> str:
    """Why a call was refused; empty where it was not."""
    try:
        call()
    except VerifierError as error:
        return error.message
    return ""


def refused(call: Callable[[], object]) -> bool:
    return refusal(call) != ""


def run(work: Coroutine[Any, Any, Any]) -> Any:
    return asyncio.run(work)


def check_policy(module: Any) -> None:
    obligation = Obligation("a", "post", "solvers", "", "0" * 64)
    good = Check(obligation, Result.PASS, Level.L1)
    two = [good, replace(good, result=Result.UNKNOWN)]
    leaf, high = {"check": "a"}, {"level_at_least": "L3"}
    assert not module.parse(leaf).root.proved(two, Level.L1)
    assert not module.parse({"check": "b"}).root.proved(two, Level.L1)
    for tree, level, proved, tolerated in (
        (leaf, Level.L1, True, True),
        (leaf, Level.L0, False, False),
        ({"level_at_least": "L0"}, Level.L0, False, False),
        (high, Level.L1, False, False),
        ({"all": [leaf, {"level_at_least": "L1"}]}, Level.L1, True, True),
        ({"all": [leaf, high]}, Level.L1, False, False),
        ({"any": [leaf, high]}, Level.L1, True, False),
        ({"k_of": {"k": 2, "of": [leaf, {"level_at_least": "L1"}]}}, Level.L1, True, True),
    ):
        policy = module.parse(tree)
        assert policy.satisfied([good], level) is proved, tree
        assert policy.tolerates([good], level) is tolerated, tree
    bad: list[object] = [{"all": []}, {"k_of": {"k": 0, "of": [leaf]}}, {"k_of": {"k": 2, "of": [leaf]}}]
    for wrong in (*bad, {**leaf, **high}):
        assert refused(lambda wrong=wrong: module.parse(wrong)), wrong  # type: ignore[misc]
    assert refused(lambda: module.load('{"check": "a", "check": "b"}'))
    assert not module.NAMED["kernel"].satisfied([good], Level.L1)


class _Text(str):
    __slots__ = ()


class _Number(int):
    __slots__ = ()


def check_keys(module: Any) -> None:
    assert len({module.digest("d", *parts) for parts in (("ab", "c"), ("a", "bc"), ("abc",))}) == 3
    assert module.digest("d", "x") != module.digest("e", "x")
    for value in (2**53, -(2**53), _Number(1), _Text("x"), {_Text("x"): 1}, "\ud800"):
        assert refused(lambda value=value: module.canonical_json([value])), value  # type: ignore[misc]
    deep: Any = 1
    for _ in range(65):
        deep = [deep]
    assert refused(lambda: module.canonical_json(deep))
    kinds = [DivisorKind(), DivisorKind(name="b"), DivisorKind(canon_version=2)]
    assert len({module.claim_key(kind, Canonical(text, {})) for kind in kinds for text in "tu"}) == 6
    bodies = [Claim(kind, {"n": n}, "") for kind in "ab" for n in "12"]
    manifests = [Manifest(()), Manifest((("a", "b", None),))]
    assert len({module.claim_digest(body) for body in bodies}) == 4
    assert len({module.manifest_root(manifest) for manifest in manifests}) == 2
    assert len({module.input_root(body, reads) for body in "ab" for reads in "cd"}) == 4
    names = ("claim", "policy", "fingerprint", "root", "scope")
    base = dict.fromkeys(names, "x")
    assert len({module.request_key(**{**base, name: "y"}) for name in names} | {module.request_key(**base)}) == 6
    assert len({module.obligation_digest(*parts) for parts in (("a", "b", "c"), ("ab", "", "c"), ("a", "bc", ""))}) == 3
    assert len({module.obligation_digest(*parts) for parts in ("abc", "xbc", "axc", "abx")}) == 4


def check_derivation(module: Any) -> None:
    kind, subject, budget = DivisorKind(), claim(91), BUDGETS["small"]
    first, second = kind.obligations(subject, Side.PROOF, factor("x", 7, (13,)).annotations)
    notes = factor("x", 7, (13,)).annotations
    held = (Evidence(first.digest, "replay/1", {"x": "7"}), Evidence(second.digest, "solvers/1", None))

    def standing(*evidence: Evidence, number: Claim = subject, kind: DivisorKind = kind) -> str:
        certificate = Certificate("divisor", "0" * 64, Side.PROOF, notes, evidence)
        return str(module.standing(run(module.derive(kind, number, certificate, budget))))

    assert standing(*held) == "holds"
    assert standing(*reversed(held)) == "holds"
    wrong = [held[:1], held[1:], (), (*held, held[0]), (*held, Evidence("0" * 64, "solvers/1", None))]
    assert {standing(*evidence) for evidence in wrong} == {"otherwise"}
    assert standing(replace(held[0], data={"x": "5"}), held[1]) == "otherwise"
    assert standing(replace(held[0], form="replay/2"), held[1]) == "not here"
    assert module.standing(()) == "otherwise"
    failed = Check(first, Result.FAIL, Level.L0, Reason.NOT_CHECKABLE)
    assert module.standing((failed,)) == "otherwise"
    assert module.standing((replace(failed, result=Result.UNKNOWN),)) == "not here"
    assert module.level_of((failed, replace(failed, level=Level.L3))) is Level.L0
    assert module.level_of(()) is Level.L0
    (empty,) = run(module.examine(kind, subject, (), lambda _: None, budget))
    assert empty.result is Result.FAIL
    stopped = run(module.examine(kind, subject, (first, second), lambda _: None, budget))
    assert len(stopped) == 1

    class Lying(DivisorKind):
        answer: Check

        async def check(self, *_: object) -> Check:
            return self.answer

    for answer in (
        Check(first, Result.PASS, Level.L1),
        Check(first, Result.PASS, Level.L1, evidence=held[1]),
        Check(second, Result.PASS, Level.L1, evidence=held[0]),
        Check(second, Result.FAIL, Level.L1, Reason.NOT_INDUCTIVE),
    ):
        liar = Lying()
        liar.answer = answer
        (check,) = run(module.examine(liar, subject, (first,), lambda _: None, budget))
        assert (check.result, check.reason) == (Result.UNKNOWN, Reason.ERROR)


def check_recheck(module: Any) -> None:
    for name, (data, code, why) in forged().items():
        assert run(module.recheck(data, {"divisor": DivisorKind()}, fingerprint=BUILD)).exit_code == code, (name, why)


@cache
def misshapen() -> dict[str, bytes]:
    """Receipts of other shapes, with digests that match."""
    found = {name: edited(proof(), change) for name, change in SHAPES.items()}
    return found | {name: edited(undecided(), change) for name, change in OPEN_SHAPES.items()}


def check_parse(module: Any) -> None:
    for good, _, _ in forged().values():
        module.parse(good)
    for name, data in RAW.items():
        assert name == "too large" or refused(lambda data=data: module.parse(data)), name  # type: ignore[misc]
    for name, data in misshapen().items():
        assert refused(lambda data=data: module.parse(data)), name  # type: ignore[misc]
    value = json.loads(proof())
    assert refused(lambda: module.parse(json.dumps(value).encode()))
    value["predicate"]["timeVerified"] = "2026-01-02T03:04:06Z"
    assert refused(lambda: module.parse(verifier.keys.canonical_json(value)))
    twice = proof().replace(b'{"_type":', b'{"_type":"x","_type":', 1)
    assert "twice" in refusal(lambda: module.parse(twice))
    module.SIZE_LIMIT = 5  # of this copy of the module
    assert "more than" in refusal(lambda: module.load(b'{"a":1}'))


async def filled(number: int, *drafters: Scripted, budget: str = "small") -> tuple[MemoryStore, Case, dict[str, Any]]:
    store, kind = MemoryStore(), DivisorKind()
    request = Request(claim(number), budget=BUDGETS[budget])
    await Pipeline({"divisor": kind}, {"divisor": drafters}, store, "b1").verify(request)
    case = open_case(request, kind, "b1", "local")
    return store, case, dict(await store.recall("local", case.request_key) or {})


async def _check_replay(module: Any) -> None:
    store, case, record = await filled(91, Scripted("f", (factor("x", 7),)))

    async def found(case: Case = case, search: str = "", **change: object) -> bool:
        await store.remember("local", case.request_key, {**record, **change})  # type: ignore[dict-item]
        return await module.replay(case, Shelf(store, "local", Mode.READ), "b1", search) is not None

    assert await found()
    other = certificate = (await store.by_claim("local", case.claim_key))[0][1]
    key = await store.put("local", replace(other, claim_key="0" * 64), {"x": "v0"})
    for field in ("request", "claim", "manifest", "policy", "fingerprint"):
        change: dict[str, Any] = {field: "0" * 64}
        assert not await found(**change), field
    assert not await found(format=2)
    assert not await found(certificate=key)
    assert certificate.claim_key == case.claim_key
    store, case, record = await filled(7919 * 3, Scripted("p", (PRIME,)), budget="medium")
    assert await found(case)
    assert not await found(case, search="other")
    for request in (replace(case.request, draft=PRIME), replace(case.request, budget=BUDGETS["large"])):
        assert not await found(replace(case, request=request))


async def _check_canonical(module: Any) -> None:
    store, case, _ = await filled(91, Scripted("f", (factor("x", 7, (13,)),)))
    twin = open_case(Request(claim(91, "y")), DivisorKind(), "b1", "local")
    shelf = Shelf(store, "local", Mode.READ_WRITE)
    assert (await module.canonical(case, shelf)).verdict.outcome == "verified"
    assert (await module.canonical(twin, shelf)).verdict.outcome == "verified"
    held = (await store.by_claim("local", case.claim_key))[0][1]
    other = open_case(Request(claim(93)), DivisorKind(), "b1", "local")
    bad = await store.put("local", replace(held, claim_key=other.claim_key), {"x": "v0"})
    assert await module.canonical(other, shelf) is None
    assert await store.get("local", bad) is None

    class Misfiling(MemoryStore):
        async def by_claim(self, scope: str, claim_key: str) -> Any:
            return [("0" * 64, replace(held, kind="fact"), {"x": "v0"})]

    assert await module.canonical(case, Shelf(Misfiling(), "local", Mode.READ)) is None


def check_lookup(module: Any) -> None:
    run(_check_replay(module))
    run(_check_canonical(module))


LISTS: dict[str, tuple[ModuleType, list[tuple[str, str]], Run]] = {
    "policy": (verifier.policy, mutations_core.POLICY, check_policy),
    "keys": (verifier.keys, mutations_core.KEYS, check_keys),
    "derivation": (verifier.derivation, mutations_core.DERIVATION, check_derivation),
    "recheck": (verifier.receipt.recheck, mutations_core.RECHECK, check_recheck),
    "parse": (verifier.receipt.parse, mutations_core.PARSE, check_parse),
    "lookup": (verifier.lookup, mutations_core.LOOKUP, check_lookup),
}


@pytest.mark.parametrize("name", LISTS)
def test_no_mutant_survives(name: str) -> None:
    module, table, check = LISTS[name]
    assert survivors(module, table, check) == []
