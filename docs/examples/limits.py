"""What is not a pass: a loop without end, a contract nobody can meet, and Python outside the subset."""

from icontract import ensure, require


@require(lambda n: n >= 0)
@ensure(lambda n, result: result * result <= n < (result + 1) * (result + 1))
def root_by_bisection(n: int) -> int:
    """The integer square root by bisection, with the well-known slip: when two candidates are left, it stands still."""
    low = 0
    high = n + 1
    while low < high:
        middle = (low + high) // 2
        if middle * middle <= n:
            low = middle
        else:
            high = middle
    return low


@require(lambda low, high: low < high and high < low)
@ensure(lambda result: result == 42)
def between(low: int, high: int) -> int:
    """No arguments satisfy this precondition, so the promise is empty."""
    return 7


@require(lambda count: count > 0)
@ensure(lambda result: result >= 0)
def share(total: int, count: int) -> float:
    """True division gives a float, which the subset does not have."""
    return abs(total) / count
