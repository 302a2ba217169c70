"""States recorded at loop heads, and tests of candidate texts against them."""

from checkers.lang.lower import lower
from drafters.program.samples import traced_inputs
from drafters.program.traces import Recording, Table, record
from drafters.program.view import constants_of

COUNT = """
import icontract
@icontract.require(lambda n: n >= 0)
@icontract.ensure(lambda n, result: result == n)
def count(n: int) -> int:
    i = 0
    while n > 0:
        i += 1
        n -= 1
    return i
"""

RELATED = """
import icontract
@icontract.require(lambda xs, k, n: n == len(xs) and 3 <= k <= 4 and n > 0)
@icontract.ensure(lambda result: result >= 0)
def related(xs: list[int], k: int, n: int) -> int:
    return 0
"""


def recorded(source: str, name: str) -> Recording:
    function = lower(source, name).function
    inputs = traced_inputs(function, constants_of(function), 40)
    return record(function, [f"{name}.0"], inputs, 2_000)


def table() -> Table:
    return recorded(COUNT, "count").tables["count.0"]


def test_states_hold_variables_and_entry_values() -> None:
    found = table()
    assert found.names() >= {"i", "n", "old_of_n"}
    assert found.holds("i + n == Old(n)")
    assert not found.holds("i == n")


def test_steps_follow_each_other_in_one_run() -> None:
    found = table()
    counter = found.integers("i")
    assert counter is not None
    assert found.steps
    assert all(counter[after] == counter[before] + 1 for before, after in found.steps)


def test_a_candidate_that_raises_does_not_hold() -> None:
    found = table()
    assert not found.holds("1 // n >= 0")
    assert found.mask("1 // n >= 0") is None
    assert not found.holds("unbound == 0")


def test_wide_ranges_are_refused_instead_of_walked() -> None:
    assert not table().holds("all(k >= 0 for k in range(10**12))")


def test_nothing_but_the_subset_is_in_reach() -> None:
    found = table()
    assert not found.holds("__import__('os') is not None")
    assert not found.holds("open is not None")


def test_masks_are_complementary() -> None:
    found = table()
    low, high = found.mask("i < 2"), found.mask("i >= 2")
    assert low is not None
    assert high is not None
    assert low | high == found.full
    assert low & high == 0


def test_inputs_satisfy_the_precondition_and_repeat_exactly() -> None:
    function = lower(RELATED, "related").function
    first = [*traced_inputs(function, (3, 4), 25)]
    assert len(first) >= 10
    for xs, k, n in first:
        assert isinstance(xs, list)
        assert len(xs) == n
        assert k in (3, 4)
    assert first == [*traced_inputs(function, (3, 4), 25)]


def test_a_normal_return_is_remembered() -> None:
    assert recorded(COUNT, "count").returned is not None
