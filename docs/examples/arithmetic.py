"""Arithmetic with loops. Contracts are icontract decorators; there is no invariant anywhere in this file."""

from icontract import ensure, require


@require(lambda n: n >= 0)
@ensure(lambda n, result: result == n * (n + 1) // 2)
def sum_to(n: int) -> int:
    """Add up 1, 2, ..., n."""
    total = 0
    for i in range(1, n + 1):
        total += i
    return total


@ensure(lambda x, result: result >= 0)
@ensure(lambda x, result: result == x or result == -x)
def absolute(x: int) -> int:
    """The absolute value, with a slip for one range of inputs."""
    if x < -10:
        return x
    if x < 0:
        return -x
    return x


@require(lambda n: n >= 0)
@ensure(lambda n, result: result * result <= n)
@ensure(lambda n, result: n < (result + 1) * (result + 1))
def integer_root(n: int) -> int:
    """The integer square root, by search."""
    root = 0
    while (root + 1) * (root + 1) <= n:
        root += 1
    return root


@require(lambda a, b: a >= 0 and b >= 0 and a + b > 0)
@ensure(lambda a, b, result: 0 < result <= a + b)
def gcd(a: int, b: int) -> int:
    """Euclid's algorithm: here, that it ends and gives a positive number within range."""
    while b != 0:
        a, b = b, a % b
    return a


@ensure(lambda total, count, result: result * count <= total)
def average(total: int, count: int) -> int:
    """The mean, rounded down; nobody promised that `count` is not zero."""
    return total // count


def clamp_reference(x: int, low: int, high: int) -> int:
    """What `clamp` should compute, written to be obvious."""
    return max(low, min(x, high))


@require(lambda low, high: low <= high)
@ensure(lambda x, low, high, result: result == clamp_reference(x, low, high))
def clamp(x: int, low: int, high: int) -> int:
    """Force a number into a range."""
    if x < low:
        return low
    if x > high:
        return high
    return x
