"""Division, remainder, shifts, powers, bool as int, unbounded ints, chained comparison."""

import icontract

# === quotient_truncates: false
@icontract.ensure(lambda result: result == -3)
def quotient_truncates(n: int) -> int:
    return 7 // -2


# === quotient_floors: true
@icontract.ensure(lambda result: result == -4)
def quotient_floors(n: int) -> int:
    return 7 // -2


# === quotient_by_magnitudes: false
@icontract.require(lambda b: b != 0)
@icontract.ensure(lambda a, b, result: result == a // b)
def quotient_by_magnitudes(a: int, b: int) -> int:
    q = abs(a) // abs(b)
    if (a < 0) != (b < 0):
        q = -q
    return q


# === remainder_takes_divisor_sign: true
@icontract.require(lambda b: b < 0)
@icontract.ensure(lambda b, result: b < result <= 0)
def remainder_takes_divisor_sign(a: int, b: int) -> int:
    return a % b


# === remainder_takes_dividend_sign: false
@icontract.require(lambda a, b: a < 0 and b > 0)
@icontract.ensure(lambda result: result <= 0)
def remainder_takes_dividend_sign(a: int, b: int) -> int:
    return a % b


# === division_identity: true
@icontract.require(lambda b: b != 0)
@icontract.ensure(lambda a, result: result == a)
def division_identity(a: int, b: int) -> int:
    return a // b * b + a % b


# === division_by_the_remainder: false
@icontract.require(lambda b: b != 0)
@icontract.ensure(lambda result: result <= 0 or result > 0)
def division_by_the_remainder(a: int, b: int) -> int:
    return a // (a % b)


# === shift_floors: true
@icontract.ensure(lambda n, result: 2 * result <= n < 2 * result + 2)
def shift_floors(n: int) -> int:
    return n >> 1


# === shift_truncates: false
@icontract.ensure(lambda n, result: result == (n // 2 if n >= 0 else -(-n // 2)))
def shift_truncates(n: int) -> int:
    return n >> 1


# === shift_by_negative: false
@icontract.ensure(lambda n, result: result == 2 * n)
def shift_by_negative(n: int) -> int:
    return n >> -1


# === power_binds_tighter: true
@icontract.ensure(lambda result: result == -4)
def power_binds_tighter(n: int) -> int:
    return -2 ** 2


# === power_of_negative: false
@icontract.ensure(lambda result: result == 0)
def power_of_negative(n: int) -> int:
    return 2 ** -1


# === zero_to_the_zero: true
@icontract.ensure(lambda result: result == 1)
def zero_to_the_zero(n: int) -> int:
    return n ** 0


# === mask_of_negative: true
@icontract.ensure(lambda n, result: result == n % 8)
def mask_of_negative(n: int) -> int:
    return n & 7


# === mask_keeps_sign: false
@icontract.require(lambda n: n < 0)
@icontract.ensure(lambda result: result <= 0)
def mask_keeps_sign(n: int) -> int:
    return n & 7


# === mask_binds_tighter_than_comparison: true
@icontract.ensure(lambda n, result: result == (n % 2 == 0))
def mask_binds_tighter_than_comparison(n: int) -> bool:
    return bool(n & 1 == 0 and True)


# === mask_and_chained_comparison: false
@icontract.ensure(lambda a, b, result: result == (a < b))
def mask_and_chained_comparison(a: int, b: int) -> bool:
    return a < b == True


# === complement: true
@icontract.ensure(lambda n, result: result + n == -1)
def complement(n: int) -> int:
    return ~n


# === complement_of_bool: false
@icontract.ensure(lambda b, result: result == (not b))
def complement_of_bool(b: bool) -> int:
    return ~b


# === sum_of_bools: true
@icontract.ensure(lambda result: 0 <= result <= 3)
def sum_of_bools(a: bool, b: bool) -> int:
    return a + b + True


# === sum_of_bools_is_or: false
@icontract.ensure(lambda a, b, result: result == (a or b))
def sum_of_bools_is_or(a: bool, b: bool) -> int:
    return a + b


# === xor_of_bools: true
@icontract.ensure(lambda a, b, result: result == (a != b))
def xor_of_bools(a: bool, b: bool) -> bool:
    return a ^ b


# === bool_equals_one: true
@icontract.require(lambda n: n == True)
@icontract.ensure(lambda result: result == 1)
def bool_equals_one(n: int) -> int:
    return n


# === truthy_is_not_equal_true: false
@icontract.require(lambda n: n)
@icontract.ensure(lambda result: result == True)
def truthy_is_not_equal_true(n: int) -> int:
    return n


# === fits_in_63_bits: false
@icontract.require(lambda n: 0 <= n < 2**63)
@icontract.ensure(lambda result: result < 2**63)
def fits_in_63_bits(n: int) -> int:
    return n + 1


# === never_wraps: true
@icontract.ensure(lambda n, result: result > n)
def never_wraps(n: int) -> int:
    return n + 1


# === not_a_double: false
@icontract.require(lambda n: n == 2**53)
@icontract.ensure(lambda n, result: result == n)
def not_a_double(n: int) -> int:
    return n + 1


# === true_division: false
@icontract.require(lambda n: n == 2**53 + 1)
@icontract.ensure(lambda n, result: result == n)
def true_division(n: int) -> int:
    return n / 1


# === floor_of_float: false
@icontract.require(lambda n: n == 2**53 + 1)
@icontract.ensure(lambda n, result: result == n)
def floor_of_float(n: int) -> int:
    return int(n // 1.0)


# === minimum_of_bool_and_int: true
@icontract.ensure(lambda b, result: 0 <= result <= b)
def minimum_of_bool_and_int(b: bool) -> int:
    return min(b, 1, True)


# === maximum_of_one: false
@icontract.ensure(lambda n, result: result == n)
def maximum_of_one(n: int) -> int:
    return max(n)


# === maximum_of_empty: false
@icontract.ensure(lambda xs, result: all(x <= result for x in xs))
def maximum_of_empty(xs: list[int]) -> int:
    return max(xs)


# === identity_of_ints: unsupported
@icontract.ensure(lambda result: result)
def identity_of_ints(n: int) -> bool:
    return n + 0 is n


# === middle_evaluated_once: true
@icontract.ensure(lambda a, b, c, result: result == (a < b and b <= c))
def middle_evaluated_once(a: int, b: int, c: int) -> bool:
    return a < b <= c


# === chain_stops_early: true
@icontract.ensure(lambda a, b, result: result == (a > 0 and 0 > b and 10 // a > 0))
def chain_stops_early(a: int, b: int) -> bool:
    return a > 0 > b != a and 0 < 10 // a


# === chain_goes_on: false
@icontract.ensure(lambda a, b, result: not result or a < 10 // b)
def chain_goes_on(a: int, b: int) -> bool:
    return a < 5 < 10 // b


# === membership_in_a_chain: false
@icontract.ensure(lambda n, xs, result: result == (n not in xs))
def membership_in_a_chain(n: int, xs: list[int]) -> bool:
    return n in xs == False


# === negated_comparison: false
@icontract.ensure(lambda a, b, result: result == ((not a) == b))
def negated_comparison(a: bool, b: int) -> bool:
    return not a == b


# === powers_of_literals: true
LARGE = 2**63 - 1


@icontract.require(lambda n: -(2**63) <= n <= LARGE)
@icontract.ensure(lambda n, result: result - n == 2**64 and result > 10**18)
def powers_of_literals(n: int) -> int:
    return n + 2**64


# === negated_power: false
@icontract.ensure(lambda result: result == 2**62)
def negated_power(n: int) -> int:
    return -2**62


# === power_of_power: true
@icontract.ensure(lambda result: result == 2**9 and result != 8**2)
def power_of_power(n: int) -> int:
    return 2**3**2


# === huge_power: unsupported
@icontract.ensure(lambda n, result: result > n or n > 0)
def huge_power(n: int) -> int:
    return 10**10**10


# === power_of_bool: true
@icontract.ensure(lambda result: result == 1)
def power_of_bool(n: int) -> int:
    return True**True
