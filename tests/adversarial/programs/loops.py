"""Loop variables, ranges, else, break, continue, termination, wrong annotations."""

import icontract

from verifier.contracts import Decreases, Ensures, Exsures, Forall, Implies, Invariant, Iterations, Old, Requires, Result

# === last_value_stays: true
@icontract.require(lambda n: n > 0)
@icontract.ensure(lambda n, result: result == n - 1)
def last_value_stays(n: int) -> int:
    for i in range(n):
        pass
    return i


# === last_value_is_the_end: false
@icontract.require(lambda n: n > 0)
@icontract.ensure(lambda n, result: result == n)
def last_value_is_the_end(n: int) -> int:
    for i in range(n):
        pass
    return i


# === unbound_after_empty_loop: false
@icontract.ensure(lambda n, result: result <= n)
def unbound_after_empty_loop(n: int) -> int:
    for i in range(n):
        pass
    return i


# === unbound_in_one_branch: false
@icontract.ensure(lambda result: result == 1)
def unbound_in_one_branch(n: int) -> int:
    if n > 0:
        m = 1
    return m


# === unbound_before_assignment: false
LIMIT = 3


@icontract.ensure(lambda result: result == 3)
def unbound_before_assignment(n: int) -> int:
    m = LIMIT
    LIMIT = 4
    return m


# === older_value_stays: true
@icontract.ensure(lambda n, result: result == (n - 1 if n > 0 else 77))
def older_value_stays(n: int) -> int:
    i = 77
    for i in range(n):
        pass
    return i


# === parameter_as_target: true
@icontract.ensure(lambda n, result: result == (n - 1 if n > 0 else n))
def parameter_as_target(n: int) -> int:
    for n in range(n):
        pass
    return n


# === end_evaluated_once: true
@icontract.require(lambda n: n >= 0)
@icontract.ensure(lambda n, result: result == n)
def end_evaluated_once(n: int) -> int:
    k = 0
    m = n
    for i in range(m):
        m += 1
        k += 1
    return k


# === assigning_the_target_does_not_skip: false
@icontract.require(lambda n: n == 4)
@icontract.ensure(lambda result: result == 2)
def assigning_the_target_does_not_skip(n: int) -> int:
    k = 0
    for i in range(n):
        i += 1
        k += 1
    return k


# === assigned_target_leaves: true
@icontract.require(lambda n: n > 0)
@icontract.ensure(lambda n, result: result == n + 9)
def assigned_target_leaves(n: int) -> int:
    for i in range(n):
        i += 10
    return i


# === range_down: true
@icontract.ensure(lambda result: result == 1)
def range_down(n: int) -> int:
    for i in range(10, 0, -3):
        pass
    return i


# === range_down_reaches_the_end: false
@icontract.ensure(lambda result: result == 0)
def range_down_reaches_the_end(n: int) -> int:
    for i in range(9, 0, -3):
        pass
    return i


# === range_step_zero: false
@icontract.ensure(lambda result: result == 0)
def range_step_zero(n: int) -> int:
    k = 0
    for i in range(0, 5, 0):
        k += 1
    return k


# === range_from_high_to_low: true
@icontract.ensure(lambda a, b, result: result == max(0, b - a))
def range_from_high_to_low(a: int, b: int) -> int:
    k = 0
    for i in range(a, b):
        k += 1
    return k


# === range_count_is_difference: false
@icontract.ensure(lambda a, b, result: result == b - a)
def range_count_is_difference(a: int, b: int) -> int:
    k = 0
    for i in range(a, b):
        k += 1
    return k


# === else_without_break: true
@icontract.ensure(lambda xs, result: result == (0 not in xs))
def else_without_break(xs: list[int]) -> bool:
    for x in xs:
        if x == 0:
            break
    else:
        return True
    return False


# === else_runs_when_empty: false
@icontract.ensure(lambda xs, result: result == (1 if len(xs) > 0 else 0))
def else_runs_when_empty(xs: list[int]) -> int:
    k = 0
    for x in xs:
        pass
    else:
        k = 1
    return k


# === while_else_after_break: false
@icontract.require(lambda n: n > 3)
@icontract.ensure(lambda result: result == 1)
def while_else_after_break(n: int) -> int:
    k = 0
    while n > 0:
        n -= 1
        if n == 3:
            break
    else:
        k = 1
    return k


# === break_in_else_leaves_outer: true
@icontract.ensure(lambda result: result == 1)
def break_in_else_leaves_outer(n: int) -> int:
    k = 0
    for i in range(5):
        k += 1
        for j in range(2):
            continue
        else:
            break
    return k


# === continue_skips_decrement: false
@icontract.require(lambda n: n > 0)
@icontract.ensure(lambda result: result == 0)
def continue_skips_decrement(n: int) -> int:
    while n > 0:
        if n == 1:
            continue
        n -= 1
    return n


# === inner_break_leaves_inner_only: false
@icontract.ensure(lambda result: result == 1)
def inner_break_leaves_inner_only(n: int) -> int:
    k = 0
    for i in range(3):
        for j in range(3):
            k += 1
            break
    return k


# === forever: false
@icontract.ensure(lambda result: result == 12345)
def forever(n: int) -> int:
    while True:
        pass


# === forever_with_unreachable_return: false
@icontract.ensure(lambda result: 1 == 2)
def forever_with_unreachable_return(n: int) -> int:
    while n == n:
        n = n
    return n


# === steps_over_zero: false
@icontract.require(lambda n: n >= 0)
@icontract.ensure(lambda result: result == 0)
def steps_over_zero(n: int) -> int:
    while n != 0:
        n -= 2
    return n


# === runs_away: false
@icontract.ensure(lambda result: result <= 0)
def runs_away(n: int) -> int:
    while n > 0:
        n += 1
    return n


# === halving_of_negative: false
@icontract.ensure(lambda result: result == 0)
def halving_of_negative(n: int) -> int:
    while n != 0:
        n = n // 2
    return n


# === halving: true
@icontract.require(lambda n: n >= 0)
@icontract.ensure(lambda result: result == 0)
def halving(n: int) -> int:
    while n != 0:
        n = n // 2
    return n


# === rank_given_is_constant: false
def rank_given_is_constant(n: int) -> int:
    Ensures(Result() == 0)
    while n > 0:
        Decreases(5)
        n = n + 0
    return 0


# === rank_given_is_unbounded: false
def rank_given_is_unbounded(n: int) -> int:
    Ensures(Result() <= 0)
    while n > 0:
        Decreases(-n)
        n = n + 1
    return n


# === rank_given_is_lexicographic_without_floor: false
def rank_given_is_lexicographic_without_floor(n: int) -> int:
    Ensures(Result() <= 0)
    m = 0
    while n > 0:
        Decreases(0, -m)
        m = m + 1
    return n


# === invariant_given_is_false: false
def invariant_given_is_false(n: int) -> int:
    Ensures(Result() == 10)
    i = 0
    while i < n:
        Invariant(False)
        Decreases(n - i)
        i += 1
    return i


# === invariant_given_is_not_kept: false
def invariant_given_is_not_kept(n: int) -> int:
    Requires(n == 3)
    Ensures(Result() == 0)
    i = 0
    while i < n:
        Invariant(i == 0)
        Decreases(n - i)
        i += 1
    return i


# === invariant_given_is_wrong_but_claim_holds: true
def invariant_given_is_wrong_but_claim_holds(n: int) -> int:
    Requires(n >= 0)
    Ensures(Result() == n)
    i = 0
    while i < n:
        Invariant(i == 7)
        i += 1
    return i


# === invariant_given_may_raise: true
def invariant_given_may_raise(xs: list[int]) -> int:
    Ensures(Result() == len(xs))
    i = 0
    while i < len(xs):
        Invariant(0 <= i and i <= len(xs))
        Invariant(xs[i] == xs[i])
        Decreases(len(xs) - i)
        i += 1
    return i


# === invariant_of_target_at_exit: false
def invariant_of_target_at_exit(n: int) -> int:
    Requires(n > 0)
    Ensures(Result() == n)
    i = 0
    for i in range(n):
        Invariant(i == Iterations())
    return i


# === invariant_uses_entry_value: true
def invariant_uses_entry_value(n: int) -> int:
    Requires(n >= 0)
    Ensures(Result() == n)
    k = 0
    while n > 0:
        Invariant(k + n == Old(n))
        Invariant(n >= 0)
        Decreases(n)
        n -= 1
        k += 1
    return k


# === annotation_in_the_middle: unsupported
def annotation_in_the_middle(n: int) -> int:
    Requires(n >= 0)
    Ensures(Result() == n)
    i = 0
    while i < n:
        i += 1
        Invariant(i <= n)
        Decreases(n - i)
    return i


# === triangle: true
@icontract.require(lambda n: n >= 0)
@icontract.ensure(lambda n, result: result == n * (n - 1) // 2)
def triangle(n: int) -> int:
    k = 0
    for i in range(n):
        for j in range(i):
            k += 1
    return k


# === return_inside_loop: true
@icontract.ensure(lambda xs, result: result == -1 or xs[result] > 0)
def return_inside_loop(xs: list[int]) -> int:
    for i in range(len(xs)):
        if xs[i] > 0:
            return i
    return -1


# === test_with_error: false
@icontract.ensure(lambda xs, result: result >= 0)
def test_with_error(xs: list[int]) -> int:
    i = 0
    while xs[i] != 0:
        i += 1
    return i


# === collatz: true
@icontract.require(lambda n: 1 <= n <= 4)
@icontract.ensure(lambda result: result == 1)
def collatz(n: int) -> int:
    while n != 1:
        n = n // 2 if n % 2 == 0 else 3 * n + 1
    return n


# === collatz_downwards: false
@icontract.require(lambda n: n <= 0)
@icontract.ensure(lambda result: result == 1)
def collatz_downwards(n: int) -> int:
    while n != 1:
        n = n // 2 if n % 2 == 0 else 3 * n + 1
    return n


# === comprehension_does_not_leak: true
@icontract.ensure(lambda n, result: result == n)
def comprehension_does_not_leak(n: int, xs: list[int]) -> int:
    all(n > 0 for n in xs)
    return n


# === wide_counter: false
@icontract.require(lambda n: n >= 2**63)
@icontract.ensure(lambda result: result < 2**64)
def wide_counter(n: int) -> int:
    k = n
    for i in range(3):
        k = k + n
    return k


# === monkey_invariant_implies: true
def monkey_invariant_implies(xs: list[int]) -> int:
    Ensures(Forall(xs, lambda x: x <= Result()) or len(xs) == 0)
    best = 0
    for i in range(len(xs)):
        Invariant(Implies(i > 0, Forall(range(i), lambda k: xs[k] <= best)))
        if i == 0 or xs[i] > best:
            best = xs[i]
    return best


# === equal_states_of_different_iterations: true
@icontract.ensure(lambda result: result == 0)
def equal_states_of_different_iterations(n: int) -> int:
    m = 0
    for _ in [7, 7, 7]:
        m = 2
        while m > 0:
            m -= 1
    return m


# === equal_items_are_no_cycle: true
@icontract.ensure(lambda result: result == 5)
def equal_items_are_no_cycle(n: int) -> int:
    k = 5
    for _ in [1, 1, 1, 1]:
        k = 5
    return k


# === loop_of_a_callee_runs_again: true
def helper(n: int) -> int:
    k = 2
    while k > 0:
        k -= 1
    return k


@icontract.ensure(lambda result: result == 0)
def loop_of_a_callee_runs_again(n: int) -> int:
    k = 0
    for _ in [3, 3]:
        k = helper(3)
    return k


# === grows_while_counted: true
@icontract.ensure(lambda result: result == 4)
def grows_while_counted(n: int) -> int:
    ys = [1, 2]
    for i in range(len(ys)):
        ys.append(i)
    return len(ys)


# === copy_is_iterated: true
@icontract.ensure(lambda xs, result: result == 2 * len(xs))
def copy_is_iterated(xs: list[int]) -> int:
    ys = xs[:]
    for y in ys[:]:
        ys.append(y)
    return len(ys)


# === long_range_left_early: true
@icontract.ensure(lambda result: result == 3)
def long_range_left_early(n: int) -> int:
    for i in range(1180591620717411303424):
        if i == 3:
            return i
    return 0


# === while_with_side_exit: false
@icontract.ensure(lambda result: result == 0)
def while_with_side_exit(n: int) -> int:
    k = 0
    while True:
        k += 1
        if k == n:
            return 0


# === else_of_while_after_false_test: true
@icontract.ensure(lambda result: result == 9)
def else_of_while_after_false_test(n: int) -> int:
    while n > n:
        n += 1
    else:
        return 9
    return 8


# === return_in_else_skips_rest: false
@icontract.ensure(lambda result: result == 8)
def return_in_else_skips_rest(n: int) -> int:
    for i in range(3):
        if i == 5:
            break
    else:
        return 9
    return 8


# === target_of_while_state: false
@icontract.ensure(lambda result: result == 3)
def target_of_while_state(n: int) -> int:
    for i in range(3):
        i = 0
        while i < 1:
            i += 1
    return i


# === range_of_bool: true
@icontract.ensure(lambda b, result: result == b)
def range_of_bool(b: bool) -> int:
    k = 0
    for i in range(b):
        k += 1
    return k


# === rank_is_bool: true
def rank_is_bool(n: int) -> int:
    Requires(n == 0 or n == 1)
    Ensures(Result() == 0)
    while n > 0:
        Decreases(n > 0)
        n = n - 1
    return n


# === rank_only_falls: false
def rank_only_falls(n: int) -> int:
    Ensures(Result() == 0)
    while n != 0:
        Invariant(True)
        Decreases(n)
        n = n - 1
    return n


# === rank_reads_the_entry: false
def rank_reads_the_entry(n: int) -> int:
    Ensures(Result() <= 0)
    k = n
    while k > 0:
        Decreases(Old(n))
        k = k + 1
    return k


# === inner_loop_forgets_outer: false
@icontract.require(lambda n: n > 0)
@icontract.ensure(lambda result: result == 0)
def inner_loop_forgets_outer(n: int) -> int:
    k = 0
    for i in range(n):
        for j in range(2):
            k = k + j
        k = k - 1
    return k + 1 if n > 2 else k


# === counts_bits: true
def counts_bits(flags: list[bool]) -> int:
    Ensures(0 <= Result() and Result() <= len(flags))
    k = 0
    for flag in flags:
        k += flag
    return k


# === invariant_in_wrong_loop: false
def invariant_in_wrong_loop(n: int) -> int:
    Requires(n >= 0)
    Ensures(Result() == n)
    k = 0
    for i in range(n):
        for j in range(2):
            Invariant(k == i)
        k = k + 2
    return k


# === target_is_global: false
K = 3


@icontract.ensure(lambda result: result == 3)
def target_is_global(n: int) -> int:
    for K in range(n):
        pass
    return K
