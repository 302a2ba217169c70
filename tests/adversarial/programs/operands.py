"""`and` / `or` give operands and stop early; truthiness; conditional expressions; equality across types."""

import icontract

from verifier.contracts import Ensures, Exsures, Requires, Result

# === and_or_trick: false
@icontract.ensure(lambda c, a, b, result: result == (a if c else b))
def and_or_trick(c: bool, a: int, b: int) -> int:
    return c and a or b


# === or_gives_operand: true
@icontract.ensure(lambda n, result: result == n if n else result == 5)
def or_gives_operand(n: int) -> int:
    return n or 5


# === or_gives_bool: false
@icontract.ensure(lambda result: result == True)
def or_gives_bool(n: int) -> int:
    return n or 5


# === and_guards: true
@icontract.ensure(lambda result: result or not result)
def and_guards(a: int, b: int) -> bool:
    return b != 0 and a // b > 0


# === and_in_the_wrong_order: false
@icontract.ensure(lambda result: result or not result)
def and_in_the_wrong_order(a: int, b: int) -> bool:
    return a // b > 0 and b != 0


# === or_guards: true
@icontract.ensure(lambda xs, result: result == (len(xs) == 0 or xs[0] == 0))
def or_guards(xs: list[int]) -> bool:
    return not xs or xs[0] == 0


# === bitwise_does_not_guard: false
@icontract.ensure(lambda result: result or not result)
def bitwise_does_not_guard(xs: list[int]) -> bool:
    return (len(xs) > 0) & (xs[0] == 0)


# === not_gives_bool: true
@icontract.ensure(lambda n, result: result == (1 if n == 0 else 0))
def not_gives_bool(n: int) -> int:
    return not n


# === empty_list_is_false: true
@icontract.ensure(lambda xs, result: result == len(xs))
def empty_list_is_false(xs: list[int]) -> int:
    return len(xs) if xs else 0


# === list_of_zero_is_true: false
@icontract.require(lambda xs: len(xs) == 1)
@icontract.ensure(lambda xs, result: result == (xs[0] != 0))
def list_of_zero_is_true(xs: list[int]) -> bool:
    return bool(xs)


# === tuple_is_true: true
@icontract.ensure(lambda result: (result > 0, "the result is positive"))
def tuple_is_true(n: int) -> int:
    return n


# === string_is_true: true
@icontract.ensure(lambda result: result)
def string_is_true(n: int) -> str:
    return "0"


# === evaluated_even_if_unused: false
@icontract.ensure(lambda n, result: result == n)
def evaluated_even_if_unused(n: int) -> int:
    10 // n
    return n


# === conditional_expression_guards: true
@icontract.ensure(lambda n, result: result * n <= 10 or n < 0)
def conditional_expression_guards(n: int) -> int:
    return 10 // n if n else 0


# === conditional_expression_binds_loosely: false
@icontract.ensure(lambda n, result: result >= 100)
def conditional_expression_binds_loosely(n: int) -> int:
    return 100 + n if n > 0 else 0


# === tuple_is_no_list: true
@icontract.ensure(lambda result: not result)
def tuple_is_no_list(a: int) -> bool:
    return (a, 1) == [a, 1]


# === text_is_no_number: true
@icontract.ensure(lambda result: not result)
def text_is_no_number(n: int) -> bool:
    return "1" == n


# === none_is_no_zero: false
@icontract.ensure(lambda n, result: result == (n == 0))
def none_is_no_zero(n: int) -> bool:
    return n == None


# === falls_off_the_end: false
@icontract.ensure(lambda result: result == 1)
def falls_off_the_end(n: int) -> int:
    if n > 0:
        return 1


# === list_of_bools_equals_list_of_ints: true
@icontract.ensure(lambda result: result)
def list_of_bools_equals_list_of_ints(b: bool) -> bool:
    return [b, True] == [1 if b else 0, 1]


# === walrus_changes_later_operand: unsupported
@icontract.ensure(lambda a, result: result == 2 * a)
def walrus_changes_later_operand(a: int) -> int:
    return a + (a := 2)


# === tuple_order: false
@icontract.ensure(lambda a, b, result: result == (b, a))
def tuple_order(a: int, b: int) -> tuple[int, int]:
    a, b = b, a
    a, b = b, a
    return a, b


# === swap: true
@icontract.ensure(lambda a, b, result: result[0] == b and result[-1] == a)
def swap(a: int, b: int) -> tuple[int, int]:
    a, b = b, a
    return a, b


# === chained_assignment_left_to_right: true
@icontract.ensure(lambda result: result == 20)
def chained_assignment_left_to_right(n: int) -> int:
    xs = [10, 20]
    i = 1
    i = xs[i] = 0
    return xs[0] + xs[1] + i


# === target_index_sees_earlier_target: false
@icontract.ensure(lambda result: result == 5)
def target_index_sees_earlier_target(n: int) -> int:
    xs = [0, 0]
    i = 0
    i, xs[i] = 1, 5
    return xs[0]


# === right_side_first: true
@icontract.ensure(lambda result: result == [2, 1])
def right_side_first(n: int) -> list[int]:
    xs = [1, 2]
    xs[0], xs[1] = xs[1], xs[0]
    return xs


# === swap_through_its_own_index: false
@icontract.ensure(lambda result: result == [0, 0, 2])
def swap_through_its_own_index(n: int) -> list[int]:
    xs = [1, 0, 2]
    i = 0
    i, xs[i] = xs[i], i
    return xs


# === augmented_reads_first: true
@icontract.ensure(lambda n, result: result == 3 * n)
def augmented_reads_first(n: int) -> int:
    m = n
    m += m + n
    return m


# === augmented_whole_right_side: false
@icontract.ensure(lambda n, result: result == n * 2 + 1)
def augmented_whole_right_side(n: int) -> int:
    n *= 2 + 1
    return n


# === division_before_index: false
def division_before_index(n: int) -> int:
    Exsures(IndexError, True)
    Ensures(Result() == 0)
    xs = [0]
    xs[5] = 1 // n
    return xs[0]


# === augmented_item_reads_before_the_value: true
def augmented_item_reads_before_the_value(n: int) -> int:
    Ensures(False)
    Exsures(IndexError, True)
    ys = [0]
    ys[5] += 1 // n
    return 0


# === augmented_name_reads_before_the_value: true
def augmented_name_reads_before_the_value(n: int) -> int:
    Ensures(Result() == 1)
    Exsures(UnboundLocalError, n == 0)
    if n != 0:
        m = 0
        return 1
    m += 1 // n
    return m


# === left_operand_first: true
def left_operand_first(xs: list[int], n: int) -> int:
    Ensures(True)
    Exsures(IndexError, len(xs) == 0)
    Exsures(ZeroDivisionError, len(xs) > 0 and n == 0)
    return xs[0] + 1 // n


# === right_operand_first: false
def right_operand_first(xs: list[int], n: int) -> int:
    Ensures(True)
    Exsures(IndexError, len(xs) == 0 and n != 0)
    Exsures(ZeroDivisionError, n == 0)
    return xs[0] + 1 // n


# === arguments_of_max_in_order: false
def arguments_of_max_in_order(xs: list[int], n: int) -> int:
    Ensures(True)
    Exsures(IndexError, len(xs) == 0 and n != 0)
    Exsures(ZeroDivisionError, n == 0 and len(xs) > 0)
    return max(1 // n, xs[0])


# === unary_minus_binds_before_division: false
@icontract.ensure(lambda n, result: result == -(n // 2))
def unary_minus_binds_before_division(n: int) -> int:
    return -n // 2


# === remainder_by_bool: true
def remainder_by_bool(n: int, b: bool) -> int:
    Ensures(Result() == n)
    Exsures(ZeroDivisionError, not b)
    return n // b + n % b


# === lone_star: false
@icontract.ensure(lambda n, result: result == n)
def lone_star(n: int) -> int:
    a, *b = [n, 1, 2]
    return len(b)


# === unpacks_too_many: false
@icontract.ensure(lambda n, result: result == n)
def unpacks_too_many(n: int) -> int:
    a, b = [n, 1, 2]
    return a


# === nested_targets: true
@icontract.ensure(lambda n, m, result: result == n - m)
def nested_targets(n: int, m: int) -> int:
    (a, (b, c)) = (n, (m, 0))
    return a - b - c


# === same_target_twice: true
@icontract.ensure(lambda n, m, result: result == m)
def same_target_twice(n: int, m: int) -> int:
    a, a = n, m
    return a


# === tuple_item_from_the_end: true
@icontract.ensure(lambda result: result == 3)
def tuple_item_from_the_end(n: int) -> int:
    t = (1, 2, 3)
    return t[-1]


# === tuple_index_out_of_range: false
@icontract.ensure(lambda result: result == 3)
def tuple_index_out_of_range(n: int) -> int:
    t = (1, 2, 3)
    return t[3]


# === empty_tuple_is_false: true
@icontract.ensure(lambda result: result == 2)
def empty_tuple_is_false(n: int) -> int:
    t = ()
    return 1 if t else 2


# === int_without_argument: false
@icontract.ensure(lambda result: result == 1)
def int_without_argument(n: int) -> int:
    return int() + bool() + len(list())
