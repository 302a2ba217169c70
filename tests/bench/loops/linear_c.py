"""Linear loops, part three: parity, entry values, asserts, nested loops, non-termination. Truth in `manifest.json`."""

import icontract


# true: the value stays even
@icontract.require(lambda n: n >= 0 and n % 2 == 0)
@icontract.ensure(lambda result: result == 0)
def halve_pairs(n: int) -> int:
    while n != 0:
        n -= 2
    return n


# false: odd n steps over zero and never returns
@icontract.require(lambda n: n >= 0)
@icontract.ensure(lambda result: result == 0)
def halve_pairs_any(n: int) -> int:
    while n != 0:
        n = n - 2 if n > 1 else n
    return n


# true: the difference of the entry values is kept
@icontract.require(lambda x: x >= 0)
@icontract.ensure(lambda x, y, result: x != y or result == 0)
def lower_both(x: int, y: int) -> int:
    while x != 0:
        x -= 1
        y -= 1
    return y


# true
@icontract.require(lambda n: n >= 0)
@icontract.ensure(lambda n, result: result == n)
def transfer(n: int) -> int:
    source = n
    sink = 0
    while source > 0:
        sink += 1
        source -= 1
    assert source + sink == n
    return sink


# false: the assertion fails when size is 1
@icontract.ensure(lambda result: result >= 0)
def assert_early(size: int) -> int:
    i = 0
    total = 0
    while i < size:
        i += 1
        total += i
        assert total != 1
    return total


# true: one is added per cell of an n by m table
@icontract.require(lambda n, m: n >= 0 and m >= 0)
@icontract.ensure(lambda n, result: result >= n * 0)
def count_cells(n: int, m: int) -> int:
    cells = 0
    for _i in range(n):
        for _j in range(m):
            cells += 1
    return cells


# true: leaves the loop only when the sum turns non-negative
@icontract.ensure(lambda result: result > 0)
def climb(y: int) -> int:
    x = -50
    while x < 0:
        x = x + y
        y = y + 1
    return y


# false: a non-positive step never climbs
@icontract.require(lambda step: step <= 1)
@icontract.ensure(lambda result: result >= 0)
def climb_slowly(step: int) -> int:
    x = -20
    while x < 0:
        x += step
    return x


# true: y is the complement of the last x
@icontract.ensure(lambda n, result: n <= 0 or (result >= 0 and result < n))
def complement(n: int, y: int) -> int:
    x = 1
    while x <= n:
        y = n - x
        x = x + 1
    return y


# false: off by one in the last round
@icontract.require(lambda n: n >= 1)
@icontract.ensure(lambda n, result: result[0] == n and result[1] <= n - 2)
def trail_behind(n: int) -> tuple[int, int]:
    lead = 0
    behind = 0
    while lead < n:
        behind = lead
        lead += 1
    return (lead, behind)
