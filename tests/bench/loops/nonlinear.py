"""Ten loops whose invariants are polynomial. The truth of each stands in `manifest.json`."""

import icontract


# true
@icontract.require(lambda n: n >= 0)
@icontract.ensure(lambda n, result: 6 * result == n * (n + 1) * (2 * n + 1))
def sum_of_squares(n: int) -> int:
    total = 0
    i = 0
    while i < n:
        i += 1
        total += i * i
    return total


# true
@icontract.require(lambda n: n >= 0)
@icontract.ensure(lambda n, result: 4 * result == n * n * (n + 1) * (n + 1))
def sum_of_cubes(n: int) -> int:
    total = 0
    for i in range(n):
        total += (i + 1) * (i + 1) * (i + 1)
    return total


# true
@icontract.require(lambda b: b >= 0)
@icontract.ensure(lambda a, b, result: result == a * b)
def product_by_addition(a: int, b: int) -> int:
    product = 0
    left = b
    while left > 0:
        product += a
        left -= 1
    return product


# true: the odd numbers add up to squares
@icontract.require(lambda n: n >= 0)
@icontract.ensure(lambda n, result: result * result <= n < (result + 1) * (result + 1))
def root_by_odd_numbers(n: int) -> int:
    root = 0
    odd = 1
    square = 1
    while square <= n:
        root += 1
        odd += 2
        square += odd
    return root


# true
@icontract.require(lambda a, b: a >= 0 and b > 0)
@icontract.ensure(lambda a, b, result: result[0] * b + result[1] == a and 0 <= result[1] < b)
def divide_by_subtraction(a: int, b: int) -> tuple[int, int]:
    quotient = 0
    rest = a
    while rest >= b:
        rest -= b
        quotient += 1
    return (quotient, rest)


# true: the partial sum of a geometric series, multiplied out
@icontract.require(lambda ratio, n: n >= 0 and ratio >= 2)
@icontract.ensure(lambda ratio, result: result[0] * (ratio - 1) == result[1] - 1)
def geometric_sum(ratio: int, n: int) -> tuple[int, int]:
    total = 0
    power = 1
    for _ in range(n):
        total += power
        power *= ratio
    return (total, power)


# true: the product is kept while one factor is halved
@icontract.require(lambda a, b: a >= 0 and b >= 0)
@icontract.ensure(lambda a, b, result: result == a * b)
def multiply_by_halving(a: int, b: int) -> int:
    x = a
    y = b
    z = 0
    while y != 0:
        if y % 2 == 1:
            z += x
            y -= 1
        x = 2 * x
        y = y // 2
    return z


# false: the last term is left out
@icontract.require(lambda n: n >= 0)
@icontract.ensure(lambda n, result: 2 * result == n * (n + 1))
def triangular_short(n: int) -> int:
    total = 0
    for i in range(n):
        total += i
    return total


# true: third differences of the cubes
@icontract.require(lambda n: n >= 0)
@icontract.ensure(lambda n, result: result == n * n * n)
def cube_by_differences(n: int) -> int:
    k = 0
    cube = 0
    first = 1
    second = 6
    while k != n:
        k += 1
        cube += first
        first += second
        second += 6
    return cube


# false: the remainder may equal the divisor
@icontract.require(lambda a, b: a >= 0 and b > 0)
@icontract.ensure(lambda a, b, result: result * b <= a < (result + 1) * b)
def divide_early(a: int, b: int) -> int:
    quotient = 0
    rest = a
    while rest > b:
        rest -= b
        quotient += 1
    return quotient
