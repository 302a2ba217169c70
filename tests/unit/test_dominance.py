"""Facts that follow from one other fact by their form are left out, and no others."""

import itertools

import pytest

from drafters.program.dominance import strongest

CASES = [
    (("x <= n + 1", "x <= n"), ("x <= n",)),
    (("x >= 0", "x >= -1", "0 <= x"), ("x >= 0",)),
    (("x < n", "x <= n"), ("x < n",)),
    (("x == y + 1", "x <= y + 1", "y < x"), ("x == y + 1",)),
    (("x - x <= 1", "x >= 2"), ("x >= 2",)),
    (("x <= n", "x <= n or y == 0"), ("x <= n",)),
    (("x <= n", "x <= n + 3 or y == 0"), ("x <= n",)),
    (("y == 0 or x <= n", "x <= m"), ("y == 0 or x <= n", "x <= m")),
    (
        ("all(p[k] for k in range(i))", "all(p[k] for k in range(i - 1))", "all(q[k] for k in range(i - 1))"),
        ("all(p[k] for k in range(i))", "all(q[k] for k in range(i - 1))"),
    ),
    (("xs == ys", "i <= n"), ("xs == ys", "i <= n")),
    (("2 * x <= 3", "x <= 1"), ("2 * x <= 3", "x <= 1")),
]


@pytest.mark.parametrize(("given", "kept"), CASES)
def test_what_is_kept(given: tuple[str, ...], kept: tuple[str, ...]) -> None:
    assert strongest(given) == kept


def test_the_conjunction_keeps_its_meaning() -> None:
    """Every set of three facts from a pool means the same before and after, on a grid."""
    pool = ("x <= y", "x < y + 1", "x <= y + 1", "x == y", "y >= x - 2", "x <= 1 or y >= 2", "x >= 0", "2 * x >= -1")
    grid = [{"x": x, "y": y} for x in range(-3, 4) for y in range(-3, 4)]
    for facts in itertools.combinations(pool, 3):
        fewer = strongest(facts)
        for state in grid:
            assert all(eval(fact, {}, state) for fact in facts) == all(eval(fact, {}, state) for fact in fewer)
