"""The kernel's evaluator on random formulas: it agrees with Z3's evaluation, and accepts both solvers' models."""

from __future__ import annotations

import asyncio
from random import Random

import z3
from hypothesis import given, settings
from hypothesis import strategies as st

from checkers.kernel.evaluate import evaluate
from checkers.smt.pool import Answer, Pool
from tests.formulas import boolean, script_of, text_of

SEEDS = st.integers(0, 10**9)


def interpretation(random: Random) -> str:
    """A random model of all names that the formulas use."""

    def whole() -> str:
        number = random.randint(-4, 6)
        return str(number) if number >= 0 else f"(- {-number})"

    def fraction() -> str:
        return f"(/ {random.randint(0, 5)}.0 {random.randint(1, 4)}.0)"

    lines = [f"(define-fun {name} () Int {whole()})" for name in "xyz"]
    lines += [f"(define-fun {name} () Bool {random.choice(['true', 'false'])})" for name in "pq"]
    lines += [f"(define-fun {name} () Real {fraction()})" for name in "rs"]
    lines += [f"(define-fun {name} () (_ BitVec 3) #b{random.randrange(8):03b})" for name in "ab"]
    array = f"(store (store ((as const (Array Int Int)) {whole()}) {whole()} {whole()}) {whole()} {whole()})"
    lines.append(f"(define-fun m () (Array Int Int) {array})")
    lines.append(f"(define-fun f ((n Int)) Int (ite (= n {whole()}) {whole()} (* 2 n)))")
    lines.append(f"(define-fun g ((n Int) (k Int)) Bool (< n (+ k {whole()})))")
    return "\n".join(lines)


@given(SEEDS)
@settings(max_examples=150)
def test_the_kernel_and_z3_agree_under_any_model(seed: int) -> None:
    random = Random(seed)
    tree = boolean(random, 4)
    model = interpretation(random)
    result = evaluate(script_of([tree]), model)
    if "forall" in text_of(tree) or "exists" in text_of(tree):
        return
    context = z3.Context()
    solver = z3.Solver(ctx=context)
    solver.from_string(f"{model}(assert {text_of(tree)})")
    answer = solver.check()
    assert answer != z3.unknown
    assert result.status == ("true" if answer == z3.sat else "false"), text_of(tree)


@given(SEEDS)
def test_z3s_own_models_are_never_false(seed: int) -> None:
    tree = boolean(Random(seed), 4)
    solver = z3.Solver(ctx=z3.Context())
    solver.set("rlimit", 400_000)
    solver.from_string(script_of([tree]))
    if solver.check() != z3.sat:
        return
    result = evaluate(script_of([tree]), solver.model().sexpr())
    assert result.status != "false", text_of(tree)
    if "forall" not in text_of(tree) and "exists" not in text_of(tree):
        assert result.status == "true", (result.detail, text_of(tree))


def test_cvc5s_models_are_read_too() -> None:
    scripts = []
    for seed in range(40):
        tree = boolean(Random(seed), 3)
        if "forall" not in text_of(tree) and "exists" not in text_of(tree):
            scripts.append(script_of([tree]))

    async def ask() -> list[Answer]:
        async with Pool(workers=1) as pool:
            return [await pool.ask("cvc5", script, resources=1, seconds=5, model=True) for script in scripts]

    answers = asyncio.run(ask())
    satisfied = [(script, answer.model) for script, answer in zip(scripts, answers, strict=True) if answer.model]
    assert len(satisfied) > 10
    for script, model in satisfied:
        assert evaluate(script, model or "").status == "true", (script, model)
