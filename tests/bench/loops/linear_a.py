"""Linear loops, part one: counters, bounds and two-variable races. The truth of each stands in `manifest.json`."""

import icontract


# true
@icontract.require(lambda n: n >= 0)
@icontract.ensure(lambda n, result: result == n)
def count_up(n: int) -> int:
    x = 0
    while x < n:
        x = x + 1
    return x


# true
@icontract.ensure(lambda n, result: n < 0 or result == 0)
def count_down(n: int) -> int:
    x = n
    while x > 0:
        x -= 1
    return x


# true: the low end moves two steps while the high end moves one
@icontract.ensure(lambda result: result == 7)
def meet_between() -> int:
    low = 0
    high = 10
    while low < high:
        low += 2
        high -= 1
    return high + 1


# true
@icontract.ensure(lambda result: result[0] >= result[1])
def grow_faster() -> tuple[int, int]:
    x = 1
    y = 0
    while y < 50000:
        x = x + y
        y = y + 1
    return (x, y)


# true: y is only known to be small once the body has run
@icontract.require(lambda y: y >= 0)
@icontract.ensure(lambda limit, result: limit <= 0 or result <= limit)
def settle_after_first(y: int, limit: int) -> int:
    x = 0
    while x < 10:
        x += 1
        if y > limit:
            y = limit
    return y


# true
@icontract.require(lambda start, target: start >= target)
@icontract.ensure(lambda target, result: result == target)
def descend_to(start: int, target: int) -> int:
    current = start
    while current != target:
        current -= 1
    return current


# false: a negative start never meets zero from above
@icontract.ensure(lambda result: result == 0)
def drain_negative(level: int) -> int:
    while level > 0:
        level -= 3
    return level


# false: n == 0 leaves the counter at 1
@icontract.require(lambda n: n >= 0)
@icontract.ensure(lambda n, result: result == n + 1 and result >= 2)
def count_from_one(n: int) -> int:
    i = 1
    while i <= n:
        i += 1
    return i


# true: the sum of both counters grows by three in either branch
@icontract.require(lambda choices: len(choices) >= 0)
@icontract.ensure(lambda choices, result: result[0] + result[1] == 3 * len(choices))
def split_three(choices: list[bool]) -> tuple[int, int]:
    x = 0
    y = 0
    for c in choices:
        if c:
            x += 1
            y += 2
        else:
            x += 2
            y += 1
    return (x, y)


# false: equal to twelve after four rounds
@icontract.ensure(lambda result: result != 12)
def avoid_twelve(rounds: int) -> int:
    x = 0
    i = 0
    while i < rounds:
        x += 3
        i += 1
    return x
