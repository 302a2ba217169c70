"""Policies: what they accept, and that malformed ones are refused by name and place."""

from __future__ import annotations

import json
from itertools import product

import pytest

from verifier.errors import VerifierError
from verifier.keys import obligation_digest
from verifier.model import Check, Level, Obligation, Result
from verifier.policy import NAMED, load, parse


def check(name: str, result: Result = Result.PASS, role: str = "post", level: Level = Level.L1) -> Check:
    return Check(Obligation(name, role, "solvers", "", obligation_digest(name, "solvers", "")), result, level)


A, B = {"check": "a"}, {"check": "b"}
PASSED = [check("a"), check("b", role="safety")]


@pytest.mark.parametrize(
    ("tree", "satisfied"),
    [
        (A, True),
        ({"check": "safety"}, True),
        ({"check": "c"}, False),
        ({"all": [A, B]}, True),
        ({"all": [A, {"check": "c"}]}, False),
        ({"any": [{"check": "c"}, B]}, True),
        ({"any": [{"check": "c"}]}, False),
        ({"k_of": {"k": 2, "of": [A, B, {"check": "c"}]}}, True),
        ({"k_of": {"k": 3, "of": [A, B, {"check": "c"}]}}, False),
        ({"level_at_least": "L1"}, True),
        ({"level_at_least": "L2"}, False),
        ({"all": [{"any": [{"level_at_least": "L3"}, A]}, B]}, True),
    ],
)
def test_a_tree_says_what_it_needs(tree: object, satisfied: bool) -> None:
    assert parse(tree).satisfied(PASSED, Level.L1) is satisfied


def test_all_of_a_role_must_pass_and_at_least_one_must_exist() -> None:
    policy = parse({"check": "post"})
    assert policy.root.proved([check("a"), check("b")], Level.L1)
    assert not policy.root.proved([check("a"), check("b", Result.UNKNOWN)], Level.L1)
    assert not policy.root.proved([], Level.L1)


@pytest.mark.parametrize("tree", [{"level_at_least": "L0"}, A, {"any": [A, {"level_at_least": "L0"}]}])
def test_no_policy_goes_below_the_floor(tree: object) -> None:
    policy = parse(tree)
    assert not policy.satisfied(PASSED, Level.L0)
    assert not policy.tolerates(PASSED, Level.L0)


def test_nothing_of_nothing_fails() -> None:
    policy = parse({"level_at_least": "L0"})
    assert not policy.satisfied([], Level.L3)
    assert not policy.tolerates([], Level.L3)


@pytest.mark.parametrize("result", [Result.FAIL, Result.UNKNOWN])
def test_no_policy_forgives_a_check_that_did_not_pass(result: Result) -> None:
    policy = parse({"any": [A, {"level_at_least": "L1"}]})
    assert not policy.satisfied([check("a"), check("b", result)], Level.L1)
    assert not policy.tolerates([check("a"), check("b", result)], Level.L1)


def test_names_of_a_proof_do_not_withhold_a_counterexample_but_levels_do() -> None:
    found = [check("violation", role="violation")]
    assert parse({"check": "post"}).tolerates(found, Level.L1)
    assert parse({"all": [{"check": "post"}, {"level_at_least": "L1"}]}).tolerates(found, Level.L1)
    assert not parse({"all": [{"check": "post"}, {"level_at_least": "L3"}]}).tolerates(found, Level.L1)
    assert NAMED["kernel"].tolerates(found, Level.L3)
    assert not NAMED["kernel"].tolerates(found, Level.L1)
    assert parse({"any": [{"level_at_least": "L3"}, {"level_at_least": "L1"}]}).tolerates(found, Level.L1)


def test_k_of_counts_like_a_truth_table() -> None:
    names = ["a", "b", "c"]
    for k, present in product((1, 2, 3), product((False, True), repeat=3)):
        checks = [check(name) for name, there in zip(names, present, strict=True) if there]
        tree = {"k_of": {"k": k, "of": [{"check": name} for name in names]}}
        assert parse(tree).root.proved(checks, Level.L1) is (sum(present) >= k)


@pytest.mark.parametrize(
    "tree",
    [
        None, [], "proof", 1, {}, {"all": []}, {"any": []}, {"all": {}}, {"all": [A], "any": [A]},
        {"k_of": {"k": 0, "of": [A]}}, {"k_of": {"k": 2, "of": [A]}}, {"k_of": {"k": -1, "of": [A]}},
        {"k_of": {"k": True, "of": [A]}}, {"k_of": {"k": "1", "of": [A]}}, {"k_of": {"k": 1, "of": []}},
        {"k_of": {"k": 1, "of": [A], "extra": 1}}, {"k_of": {"of": [A]}}, {"k_of": []},
        {"check": ""}, {"check": 1}, {"check": ["a"]}, {"level_at_least": "L9"}, {"level_at_least": 1},
        {"level_at_least": "l1"}, {"quorum": 2}, {"countersigned": 1}, {"calibrated": True}, {"not": A},
        {"all": [A, {"any": []}]}, {"all": [A, None]},
    ],
)  # fmt: skip
def test_malformed_trees_are_bad_input(tree: object) -> None:
    with pytest.raises(VerifierError) as caught:
        parse(tree)
    assert (caught.value.code, caught.value.exit_code) == ("bad-policy", 4)
    assert caught.value.place is not None
    assert caught.value.place.startswith("policy")


def test_the_place_in_the_tree_is_named() -> None:
    with pytest.raises(VerifierError) as caught:
        parse({"all": [A, {"k_of": {"k": 1, "of": [{"quorum": 1}]}}]})
    assert caught.value.place == "policy.all[1].k_of.of[0]"


def test_deep_trees_are_refused() -> None:
    tree: object = A
    for _ in range(5_000):
        tree = {"all": [tree]}
    with pytest.raises(VerifierError, match="deep"):
        parse(tree)
    with pytest.raises(VerifierError):
        load('{"all":[' * 100_000)


def test_loading_by_name_or_text() -> None:
    assert load("proof") is NAMED["proof"]
    assert load(' {"all": [{"check": "a"}]}').to_json() == {"all": [A]}
    with pytest.raises(VerifierError, match="kernel, proof") as caught:
        load("prof")
    assert caught.value.code == "unknown-policy"
    for text in ('{"check": "a", "check": "b"}', "{", '{"k_of": {"k": 1.0, "of": [{"check": "a"}]}}', '{"check": NaN}'):
        with pytest.raises(VerifierError) as caught:
            load(text)
        assert caught.value.code == "bad-policy"


@pytest.mark.parametrize("tree", [A, {"all": [A, B]}, {"any": [A]}, {"k_of": {"k": 1, "of": [A, B]}}])
def test_trees_survive_the_round_trip(tree: object) -> None:
    assert parse(tree).to_json() == tree
    assert load(json.dumps(tree)).digest == parse(tree).digest
