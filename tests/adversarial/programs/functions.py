"""Callees: arguments, defaults, contracts, recursion, closures, capture; functions that are no plain functions."""

import functools

import icontract

from verifier.contracts import Decreases, Ensures, Exsures, Implies, Invariant, Old, Requires, Result

# === caller_names_are_not_captured: true
def helper(a: int) -> int:
    b = a + 1
    a = b * 2
    return a


@icontract.ensure(lambda a, b, result: result == 2 * b + 2 + a + b)
def caller_names_are_not_captured(a: int, b: int) -> int:
    return helper(b) + a + b


# === callee_reads_the_global: true
K = 10


def helper(n: int) -> int:
    return n + K


@icontract.ensure(lambda n, result: result == n + 10)
def callee_reads_the_global(n: int) -> int:
    K = 3
    return helper(n) + K - 3


# === default_taken_at_definition: false
K = 10


def helper(n: int, k: int = K) -> int:
    return n + k


K = 20


@icontract.ensure(lambda n, result: result == n + 20)
def default_taken_at_definition(n: int) -> int:
    return helper(n)


# === keyword_arguments: true
def helper(a: int, b: int) -> int:
    return a - b


@icontract.ensure(lambda n, m, result: result == m - n)
def keyword_arguments(n: int, m: int) -> int:
    return helper(b=n, a=m)


# === keyword_arguments_swapped: false
def helper(a: int, b: int) -> int:
    return a - b


@icontract.ensure(lambda n, m, result: result == n - m)
def keyword_arguments_swapped(n: int, m: int) -> int:
    return helper(b=n, a=m)


# === argument_order_decides_the_exception: false
def helper(a: int, b: int) -> int:
    return a + b


def argument_order_decides_the_exception(xs: list[int]) -> int:
    Requires(len(xs) == 0)
    Ensures(True)
    Exsures(IndexError, True)
    return helper(b=1 // len(xs), a=xs[0])


# === argument_is_evaluated_even_if_unused: false
def helper(n: int) -> int:
    return 1


@icontract.ensure(lambda result: result == 1)
def argument_is_evaluated_even_if_unused(n: int) -> int:
    return helper(5 // n)


# === star_arguments: unsupported
def helper(*numbers: int) -> int:
    return len(numbers)


@icontract.ensure(lambda result: result == 3)
def star_arguments(n: int) -> int:
    return helper(1, 2, n)


# === missing_argument: false
def helper(a: int, b: int) -> int:
    return a


@icontract.ensure(lambda n, result: result == n)
def missing_argument(n: int) -> int:
    return helper(n)


# === positional_only_by_name: false
def helper(a: int, /) -> int:
    return a


@icontract.ensure(lambda n, result: result == n)
def positional_only_by_name(n: int) -> int:
    return helper(a=n)


# === callee_precondition_is_checked: false
@icontract.require(lambda n: n >= 0)
def helper(n: int) -> int:
    return n


@icontract.ensure(lambda n, result: result == n)
def callee_precondition_is_checked(n: int) -> int:
    return helper(n)


# === callee_postcondition_is_checked: false
@icontract.ensure(lambda result: result >= 0)
def helper(n: int) -> int:
    return n


@icontract.ensure(lambda n, result: result == n)
def callee_postcondition_is_checked(n: int) -> int:
    return helper(n)


# === callee_postcondition_is_not_assumed: false
@icontract.ensure(lambda result: result == 0)
def helper(n: int) -> int:
    return 1


@icontract.ensure(lambda result: result == 0)
def callee_postcondition_is_not_assumed(n: int) -> int:
    return helper(n)


# === callee_never_returns: false
@icontract.ensure(lambda result: result == 0)
def helper(n: int) -> int:
    while True:
        n = n
    return 0


@icontract.ensure(lambda result: result == 0)
def callee_never_returns(n: int) -> int:
    return helper(n)


# === recursion_without_base: false
@icontract.ensure(lambda result: result == 7)
def recursion_without_base(n: int) -> int:
    return recursion_without_base(n)


# === recursion: true
@icontract.require(lambda n: 0 <= n < 20)
@icontract.ensure(lambda n, result: result == n)
def recursion(n: int) -> int:
    return 0 if n == 0 else 1 + recursion(n - 1)


# === mutual_recursion: false
def ping(n: int) -> int:
    return pong(n)


def pong(n: int) -> int:
    return ping(n)


@icontract.ensure(lambda result: result == 0)
def mutual_recursion(n: int) -> int:
    return ping(n)


# === closure_sees_later_value: false
@icontract.ensure(lambda result: result == 1)
def closure_sees_later_value(n: int) -> int:
    k = 1

    def inner() -> int:
        return k

    k = 2
    return inner()


# === lambda_sees_later_value: false
@icontract.ensure(lambda result: result == 1)
def lambda_sees_later_value(n: int) -> int:
    k = 1
    inner = lambda: k
    k = 2
    return inner()


# === nonlocal_changes: false
@icontract.ensure(lambda result: result == 1)
def nonlocal_changes(n: int) -> int:
    k = 1

    def inner() -> int:
        nonlocal k
        k = 5
        return 0

    inner()
    return k


# === falls_through_to_none: false
def helper(n: int) -> int:
    if n > 0:
        return 1


@icontract.ensure(lambda result: result == 2)
def falls_through_to_none(n: int) -> int:
    return helper(n) + 1


# === cached: unsupported
@functools.cache
@icontract.ensure(lambda n, result: result == n)
def cached(n: int) -> int:
    return n


# === decorator_replaces: unsupported
def zero(function):
    return lambda n: 0


@zero
@icontract.ensure(lambda n, result: result == n)
def decorator_replaces(n: int) -> int:
    return n


# === decorated_callee: false
def zero(function):
    return lambda n: 0


@zero
def helper(n: int) -> int:
    return n


@icontract.ensure(lambda n, result: result == n)
def decorated_callee(n: int) -> int:
    return helper(n)


# === generator: unsupported
@icontract.ensure(lambda result: result == 1)
def generator(n: int) -> int:
    yield n
    return 1


# === generator_in_dead_code: false
@icontract.ensure(lambda result: result == 1)
def generator_in_dead_code(n: int) -> int:
    return 1
    yield


# === coroutine: unsupported
@icontract.ensure(lambda result: result == 1)
async def coroutine(n: int) -> int:
    return 1


# === generator_callee: false
def helper(n: int) -> int:
    return 1
    yield


@icontract.ensure(lambda result: result == 1)
def generator_callee(n: int) -> int:
    return helper(n)


# === async_callee: unsupported
async def helper(n: int) -> int:
    return 1


@icontract.ensure(lambda result: result == 1)
def async_callee(n: int) -> int:
    return helper(n)


# === callee_assigns_a_global: false
K = 1


def helper(n: int) -> int:
    global K
    K = 2
    return n


@icontract.ensure(lambda result: result == 1)
def callee_assigns_a_global(n: int) -> int:
    helper(n)
    return K


# === global_in_body: unsupported
K = 1


@icontract.ensure(lambda result: result == 1)
def global_in_body(n: int) -> int:
    global K
    K = n
    return 1


# === method: unsupported
class Box:
    @icontract.ensure(lambda result: result == 1)
    def method(self, n: int) -> int:
        return 1


# === int_argument_for_bool: true
def helper(b: bool) -> int:
    return 1 if b == True else 0


@icontract.ensure(lambda n, result: result == (n == 1))
def int_argument_for_bool(n: int) -> int:
    return helper(n)


# === local_shadows_function: false
def helper(n: int) -> int:
    return n


@icontract.ensure(lambda n, result: result == n)
def local_shadows_function(n: int) -> int:
    helper = n
    return helper(n)


# === parameter_shadows_function: unsupported
def helper(n: int) -> int:
    return n


@icontract.ensure(lambda n, result: result == n)
def parameter_shadows_function(helper: int, n: int) -> int:
    return helper(n)


# === callee_loops_twice: true
@icontract.require(lambda n: n >= 0)
def helper(n: int) -> int:
    k = 0
    while k < n:
        k += 1
    return k


@icontract.require(lambda n: n >= 0)
@icontract.ensure(lambda n, result: result == 2 * n)
def callee_loops_twice(n: int) -> int:
    return helper(n) + helper(n)


# === reassigned_parameter_in_postcondition: false
@icontract.ensure(lambda n, result: result == n)
def reassigned_parameter_in_postcondition(n: int) -> int:
    n = n + 1
    return n


# === entry_value_in_postcondition: true
@icontract.ensure(lambda n, result: result == n + 1)
def entry_value_in_postcondition(n: int) -> int:
    n = n + 1
    return n


# === reassigned_parameter_of_callee: true
@icontract.ensure(lambda n, result: result == n + 1)
def helper(n: int) -> int:
    n = n + 1
    return n


@icontract.ensure(lambda n, result: result == n + 2)
def reassigned_parameter_of_callee(n: int) -> int:
    n = helper(n)
    n = helper(n)
    return n


# === precondition_in_nagini_is_no_op_at_run_time: true
def helper(n: int) -> int:
    Requires(n >= 0)
    Ensures(Result() == n)
    return n


def precondition_in_nagini_is_no_op_at_run_time(n: int) -> int:
    Ensures(Result() == n)
    return helper(n)


# === default_argument_of_callee: true
def helper(n: int, k: int = 3, up: bool = True) -> int:
    return n + k if up else n - k


@icontract.ensure(lambda n, result: result == n)
def default_argument_of_callee(n: int) -> int:
    return helper(helper(n), up=False)


# === default_is_no_precondition: false
@icontract.ensure(lambda k, result: result == 3)
def default_is_no_precondition(n: int, k: int = 3) -> int:
    return k


# === keyword_only: unsupported
def helper(*, n: int) -> int:
    return n


@icontract.ensure(lambda n, result: result == n)
def keyword_only(n: int) -> int:
    return helper(n=n)


# === callee_named_like_the_caller_local: true
def total(n: int) -> int:
    k = n
    for i in range(3):
        k += i
    return k


@icontract.ensure(lambda n, result: result == 2 * n + 6)
def callee_named_like_the_caller_local(n: int) -> int:
    k = total(n)
    for i in range(2):
        n = n + 0
    return k + total(n)


# === callee_returns_early: true
def helper(n: int) -> int:
    for i in range(10):
        if i == n:
            return i
    return -1


@icontract.ensure(lambda n, result: result == (n if 0 <= n < 10 else -1))
def callee_returns_early(n: int) -> int:
    m = helper(n)
    return m


# === callee_without_annotations: unsupported
def helper(n):
    return n


@icontract.ensure(lambda n, result: result == n)
def callee_without_annotations(n: int) -> int:
    return helper(n)


# === wrong_return_annotation: true
@icontract.ensure(lambda n, result: result == n)
def wrong_return_annotation(n: int) -> bool:
    return n


# === callee_gives_fresh_lists: true
def fresh(n: int) -> list[int]:
    return [n]


@icontract.ensure(lambda n, result: result == n)
def callee_gives_fresh_lists(n: int) -> int:
    a = fresh(n)
    b = fresh(n)
    b[0] = n + 1
    return a[0]


# === call_in_a_quantifier: true
def square(n: int) -> int:
    return n * n


@icontract.ensure(lambda xs, result: result == all(x * x >= 0 for x in xs))
def call_in_a_quantifier(xs: list[int]) -> bool:
    return all(square(x) >= 0 for x in xs)


# === call_stopped_by_and: true
def helper(n: int) -> bool:
    return 10 // n > 0


@icontract.ensure(lambda result: result or not result)
def call_stopped_by_and(n: int) -> bool:
    return n > 0 and helper(n)


# === lambda_parameter_default_captures: unsupported
@icontract.ensure(lambda result: result == 1)
def lambda_parameter_default_captures(n: int) -> int:
    k = 1
    inner = lambda k=k: k
    k = 2
    return inner()


# === overloaded: unsupported
from typing import overload


@overload
def overloaded(n: int) -> int: ...


@icontract.ensure(lambda n, result: result == n)
def overloaded(n: int) -> int:
    return n
