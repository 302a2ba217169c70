"""The eight classics: each is decided without hand-written invariants. The truth of each stands in `manifest.json`."""

import icontract


@icontract.require(lambda n: n >= 0)
@icontract.ensure(lambda n, result: 2 * result == n * (n + 1))
def sum_to(n: int) -> int:
    total = 0
    i = 1
    while i <= n:
        total += i
        i += 1
    return total


@icontract.ensure(lambda x, result: result >= 0 and (result == x or result == -x))
def buggy_abs(x: int) -> int:
    if x < -1:
        return -x
    return x


@icontract.require(lambda n: n >= 0)
@icontract.ensure(lambda n, result: result >= 0 and result * result <= n < (result + 1) * (result + 1))
def isqrt(n: int) -> int:
    low = 0
    high = n + 1
    while high - low > 1:
        middle = (low + high) // 2
        if middle * middle <= n:
            low = middle
        else:
            high = middle
    return low


@icontract.require(lambda xs: len(xs) > 0)
@icontract.ensure(lambda xs, result: all(x <= result for x in xs))
@icontract.ensure(lambda xs, result: any(x == result for x in xs))
def list_max(xs: list[int]) -> int:
    best = xs[0]
    for x in xs:
        if x > best:
            best = x
    return best


@icontract.require(lambda xs: all(xs[i] <= xs[j] for j in range(len(xs)) for i in range(j)))
@icontract.ensure(lambda xs, value, result: len(result[1]) == len(xs) + 1 and result[1][result[0]] == value)
@icontract.ensure(lambda result: all(result[1][k] <= result[1][k + 1] for k in range(len(result[1]) - 1)))
def insert_sorted(xs: list[int], value: int) -> tuple[int, list[int]]:
    position = 0
    while position < len(xs) and xs[position] < value:
        position += 1
    return (position, xs[:position] + [value] + xs[position:])  # noqa: RUF005 - as people write it


@icontract.require(lambda a, b: a > 0 and b > 0)
@icontract.ensure(lambda a, b, result: result > 0 and a % result == 0 and b % result == 0)
@icontract.ensure(lambda a, b, result: all(d <= result for d in range(1, a + b + 1) if a % d == 0 and b % d == 0))
def gcd(a: int, b: int) -> int:
    while b != 0:
        a, b = b, a % b
    return a


@icontract.ensure(lambda total, count, result: result * count <= total)
def mean(total: int, count: int) -> int:
    return total // count


def reference_clamp(value: int, low: int, high: int) -> int:
    return max(low, min(value, high))


@icontract.require(lambda low, high: low <= high)
@icontract.ensure(lambda value, low, high, result: result == reference_clamp(value, low, high))
def clamp(value: int, low: int, high: int) -> int:
    if value < low:
        return low
    if value > high:
        return high
    return value
