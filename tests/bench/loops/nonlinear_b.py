"""Loops with products whose proofs need few and strong facts. The truth of each stands in `manifest.json`."""

import icontract


# true
@icontract.require(lambda n: n >= 0)
@icontract.ensure(lambda n, result: 30 * result == 6 * n**5 + 15 * n**4 + 10 * n**3 - n)
def sum_of_fourth_powers(n: int) -> int:
    total = 0
    i = 0
    while i < n:
        i += 1
        total += i * i * i * i
    return total


# true
@icontract.require(lambda n: n >= 0)
@icontract.ensure(lambda n, result: 12 * result == 2 * n**6 + 6 * n**5 + 5 * n**4 - n**2)
def sum_of_fifth_powers(n: int) -> int:
    total = 0
    i = 0
    while i < n:
        i += 1
        total += i**5
    return total


# false: the last power is missing
@icontract.require(lambda n: n >= 0)
@icontract.ensure(lambda n, result: 30 * result == 6 * n**5 + 15 * n**4 + 10 * n**3 - n)
def fourth_powers_short(n: int) -> int:
    total = 0
    i = 0
    while i < n:
        total += i * i * i * i
        i += 1
    return total


# true: the second product stops one factor earlier
@icontract.require(lambda n: n >= 1)
@icontract.ensure(lambda n, result: result[0] == result[1] * n)
def factorial_and_the_one_before(n: int) -> tuple[int, int]:
    whole = 1
    before = 1
    k = 1
    while k <= n:
        whole = whole * k
        if k < n:
            before = before * k
        k += 1
    return whole, before


# true
@icontract.require(lambda terms: terms >= 1)
@icontract.ensure(lambda scale, ratio, result: result[0] * (ratio - 1) == scale * ratio * result[1] - scale)
def scaled_geometric_sum(scale: int, ratio: int, terms: int) -> tuple[int, int]:
    total = scale
    power = 1
    count = 1
    while count < terms:
        count += 1
        power *= ratio
        total += scale * power
    return total, power


# true: whatever is left is a combination of the two numbers
@icontract.require(lambda a, b: a >= 1 and b >= 1)
@icontract.ensure(lambda a, b, result: result[0] == result[1] * a + result[2] * b)
def bezout(a: int, b: int) -> tuple[int, int, int]:
    x = a
    y = b
    p = 1
    q = 0
    r = 0
    s = 1
    while x != y:
        if x > y:
            x = x - y
            p = p - q
            r = r - s
        else:
            y = y - x
            q = q - p
            s = s - r
    return x, p, r


# true: what is taken away row by row was a product
@icontract.require(lambda rows: rows >= 0)
@icontract.ensure(lambda result: result == 0)
def take_away_rows(rows: int, width: int) -> int:
    left = rows * width
    while rows > 0:
        rows -= 1
        left -= width
    return left
