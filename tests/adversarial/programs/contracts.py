"""Contracts: what they say at run time, not what they look like."""

import icontract

from verifier.contracts import Ensures, Exists, Exsures, Forall, Implies, Invariant, Old, Requires, Result

# === vacuous: never
@icontract.require(lambda n: n > 0 and n < 0)
@icontract.ensure(lambda result: result == 42)
def vacuous(n: int) -> int:
    return 1


# === vacuous_by_arithmetic: never
@icontract.require(lambda n: n * n == 2)
@icontract.ensure(lambda result: result == 42)
def vacuous_by_arithmetic(n: int) -> int:
    return 1


# === vacuous_literal: never
@icontract.require(lambda: False)
@icontract.ensure(lambda result: result == 42)
def vacuous_literal(n: int) -> int:
    return 1


# === precondition_raises: never
@icontract.require(lambda xs: xs[0] > 0)
@icontract.ensure(lambda xs, result: result > 0)
def precondition_raises(xs: list[int]) -> int:
    return xs[0]


# === postcondition_raises: never
@icontract.ensure(lambda n, result: result == 10 // n or n == n)
def postcondition_raises(n: int) -> int:
    return 0


# === postcondition_guarded: true
@icontract.ensure(lambda n, result: n == 0 or result == 10 // n)
def postcondition_guarded(n: int) -> int:
    return 10 // n if n else 0


# === implies_is_eager_at_run_time: never
@icontract.ensure(lambda n, result: Implies(n != 0, result == 10 // n))
def implies_is_eager_at_run_time(n: int) -> int:
    return 10 // n if n else 0


# === own_implies_is_the_other_way: false
def Implies(a: bool, b: bool) -> bool:
    return a or not b


@icontract.ensure(lambda n, result: Implies(n > 0, result > 0))
def own_implies_is_the_other_way(n: int) -> int:
    return n if n > 0 else 1


# === result_call_in_icontract: never
@icontract.ensure(lambda n: Result() == n)
def result_call_in_icontract(n: int) -> int:
    return n + 1


# === result_in_precondition: never
@icontract.require(lambda result: result > 0)
@icontract.ensure(lambda result: result > 0)
def result_in_precondition(n: int) -> int:
    return 1


# === unknown_name_in_contract: never
@icontract.ensure(lambda result, m: result == m)
def unknown_name_in_contract(n: int) -> int:
    return n


# === default_of_a_contract: false
@icontract.ensure(lambda result, k=3: result == k)
def default_of_a_contract(n: int) -> int:
    return 4


# === default_of_a_contract_is_overridden: false
@icontract.ensure(lambda result, n=3: result == 3)
def default_of_a_contract_is_overridden(n: int) -> int:
    return n


# === disabled: never
@icontract.ensure(lambda n, result: result == n, enabled=False)
def disabled(n: int) -> int:
    return n + 1


# === disabled_precondition: false
@icontract.require(lambda n: n > 0, enabled=False)
@icontract.ensure(lambda n, result: result > 0)
def disabled_precondition(n: int) -> int:
    return n


# === swapped_imports: false
from icontract import ensure as require, require as ensure


@ensure(lambda n: n > 0)
@require(lambda n, result: result == n)
def swapped_imports(n: int) -> int:
    return n + 1


# === swapped_names: false
from verifier.contracts import Ensures as Requires, Requires as Ensures


def swapped_names(n: int) -> int:
    Requires(Result() == n)
    Ensures(n > 0)
    return n + 1


# === own_decorator: unsupported
def ensure(condition):
    return lambda function: lambda n: 7


@ensure(lambda n, result: result == n)
@icontract.ensure(lambda n, result: result == n)
def own_decorator(n: int) -> int:
    return n


# === own_icontract: unsupported
class icontract:
    @staticmethod
    def ensure(condition):
        return lambda function: lambda n: 7


@icontract.ensure(lambda n, result: result == n)
def own_icontract(n: int) -> int:
    return n


# === rebound_icontract: unsupported
icontract = object()


@icontract.ensure(lambda n, result: result == n)
def rebound_icontract(n: int) -> int:
    return n


# === own_requires: unsupported
def Requires(condition):
    raise ValueError


def own_requires(n: int) -> int:
    Requires(n > 0)
    Ensures(Result() == n)
    return n


# === precondition_in_the_middle: unsupported
def precondition_in_the_middle(n: int) -> int:
    Ensures(Result() > 0)
    m = n
    Requires(n > 0)
    return m


# === precondition_in_a_branch: unsupported
def precondition_in_a_branch(n: int) -> int:
    Ensures(Result() > 0)
    if n < 5:
        Requires(n > 0)
    return n


# === precondition_of_a_reassigned_parameter: unsupported
def precondition_of_a_reassigned_parameter(n: int) -> int:
    n = 5
    Requires(n == 5)
    Ensures(Result() == n)
    return n


# === postcondition_on_reassigned_parameter: false
def postcondition_on_reassigned_parameter(n: int) -> int:
    Ensures(Result() == n)
    n = n + 1
    return n


# === two_notations: false
@icontract.ensure(lambda result: result >= 0)
def two_notations(n: int) -> int:
    Requires(n >= 0)
    Ensures(Result() == n)
    return n + 1


# === two_notations_second_binds: false
@icontract.ensure(lambda n, result: result == n + 1)
def two_notations_second_binds(n: int) -> int:
    Ensures(Result() == n)
    return n + 1


# === assume_false: unsupported
from nagini_contracts.contracts import *


def assume_false(n: int) -> int:
    Ensures(Result() == 5)
    Assume(False)
    return n


# === old_of_result: false
def old_of_result(n: int) -> int:
    Ensures(Old(Result()) == n)
    return n + 1


# === result_in_a_body: unsupported
def result_in_a_body(n: int) -> int:
    Ensures(Result() == n)
    return Result()


# === old_in_a_body: false
def old_in_a_body(n: int) -> int:
    Ensures(Result() == n)
    n = n + 1
    return Old(n)


# === snapshot: true
@icontract.snapshot(lambda xs: len(xs), name="size")
@icontract.ensure(lambda xs, OLD, result: result == OLD.size)
def snapshot(xs: list[int]) -> int:
    return len(xs)


# === own_error: true
@icontract.require(lambda n: n > 0, error=ValueError)
@icontract.ensure(lambda n, result: result == n)
def own_error(n: int) -> int:
    return n


# === described: true
@icontract.require(lambda n: n > 0, "n is positive")
@icontract.ensure(lambda n, result: result == n, description="the same")
def described(n: int) -> int:
    return n


# === description_looks_like_a_condition: false
@icontract.require(lambda n: True, "n > 0")
@icontract.ensure(lambda n, result: result > 0, "True")
def description_looks_like_a_condition(n: int) -> int:
    return n


# === contract_calls_the_function: never
@icontract.ensure(lambda n, result: result == contract_calls_the_function(n))
def contract_calls_the_function(n: int) -> int:
    return 1


# === contract_is_assigned: false
@icontract.ensure(lambda n, result: (result := n) == n)
def contract_is_assigned(n: int) -> int:
    return n // 0


# === contract_by_helper: true
def same_sign(a: int, b: int) -> bool:
    return a * b >= 0


@icontract.ensure(lambda n, result: same_sign(n, result))
def contract_by_helper(n: int) -> int:
    return n * 3


# === contract_helper_raises: never
def same_ratio(a: int, b: int) -> bool:
    return a // b == 1


@icontract.ensure(lambda n, result: same_ratio(n, result))
def contract_helper_raises(n: int) -> int:
    return n


# === guards_among_preconditions: true
@icontract.require(lambda xs: xs[0] > 0)
@icontract.require(lambda xs: len(xs) > 0)
@icontract.ensure(lambda xs, result: result > 0)
def guards_among_preconditions(xs: list[int]) -> int:
    return xs[0]


# === guards_among_preconditions_above: never
@icontract.require(lambda xs: len(xs) > 0)
@icontract.require(lambda xs: xs[0] > 0)
@icontract.ensure(lambda xs, result: result > 0)
def guards_among_preconditions_above(xs: list[int]) -> int:
    return xs[0]


# === guards_among_postconditions: false
@icontract.ensure(lambda result: 10 // result > 0)
@icontract.ensure(lambda result: result != 0)
def guards_among_postconditions(n: int) -> int:
    return n


# === parameter_called_result: never
@icontract.require(lambda result: result > 0)
@icontract.ensure(lambda result: result > 0)
def parameter_called_result(result: int) -> int:
    return -result


# === local_called_result: false
@icontract.ensure(lambda n, result: result == n)
def local_called_result(n: int) -> int:
    result = n
    return result + 1


# === no_contract_at_all: never
def no_contract_at_all(n: int) -> int:
    return n


# === docstring_contract: never
def docstring_contract(n: int) -> int:
    """pre: n > 0
    post: __return__ > 0
    """
    return -1


# === arguments_of_icontract: never
@icontract.require(lambda _ARGS: len(_ARGS) == 0)
@icontract.ensure(lambda result: result == 3)
def arguments_of_icontract(n: int) -> int:
    return n


# === lambda_reads_a_global_changed_later: false
BOUND = 100


@icontract.require(lambda n: n < BOUND)
@icontract.ensure(lambda result: result < 100)
def lambda_reads_a_global_changed_later(n: int) -> int:
    return n


BOUND = 1000


# === conjunction_of_nothing: true
@icontract.ensure(lambda xs, result: all(x < 0 for x in xs[:0]) and not any(x == x for x in xs[:0]))
def conjunction_of_nothing(xs: list[int]) -> int:
    return 0


# === named_condition: true
def positive(result: int) -> bool:
    return result > 0


@icontract.ensure(positive)
def named_condition(n: int) -> int:
    return abs(n) + 1


# === named_condition_by_parameter_names: false
def same(result: int, n: int) -> bool:
    return result - n == 1


@icontract.ensure(same)
def named_condition_by_parameter_names(n: int) -> int:
    return n - 1


# === named_condition_defined_twice: unsupported
def positive(result: int) -> bool:
    return result > 0


def positive(result: int) -> bool:
    return True


@icontract.ensure(positive)
def named_condition_defined_twice(n: int) -> int:
    return abs(n) + 1


# === named_condition_rebound_later: unsupported
def positive(result: int) -> bool:
    return True


@icontract.ensure(positive)
def named_condition_rebound_later(n: int) -> int:
    return n


def positive(result: int) -> bool:
    return result > 0


# === named_condition_with_default: unsupported
def small(result: int, limit: int = 3) -> bool:
    return result < limit


@icontract.ensure(small)
def named_condition_with_default(n: int) -> int:
    return 2


# === condition_is_a_builtin: never
@icontract.ensure(bool)
def condition_is_a_builtin(n: int) -> int:
    return 2


# === snapshot_after_change: true
@icontract.snapshot(lambda n: n + 1, name="next")
@icontract.ensure(lambda OLD, result: result == OLD.next)
def snapshot_after_change(n: int) -> int:
    n = n + 1
    return n


# === snapshot_of_wrong_value: false
@icontract.snapshot(lambda n: n + 1, name="next")
@icontract.ensure(lambda OLD, result: result == OLD.next)
def snapshot_of_wrong_value(n: int) -> int:
    return n


# === snapshot_raises: never
@icontract.snapshot(lambda n: 10 // n, name="ratio")
@icontract.ensure(lambda OLD, result: result == 1 or OLD.ratio == OLD.ratio)
def snapshot_raises(n: int) -> int:
    return 1


# === snapshot_raises_only_if_invalid: true
@icontract.require(lambda n: n > 0)
@icontract.snapshot(lambda n: 10 // n, name="ratio")
@icontract.ensure(lambda OLD, result: result == OLD.ratio)
def snapshot_raises_only_if_invalid(n: int) -> int:
    return 10 // n


# === unused_snapshot_raises: never
@icontract.snapshot(lambda n: 10 // n, name="ratio")
@icontract.ensure(lambda result: result == 1)
def unused_snapshot_raises(n: int) -> int:
    return 1


# === require_below_ensure: true
@icontract.ensure(lambda n, result: result * n == result * n)
@icontract.require(lambda n: n != 0)
def require_below_ensure(n: int) -> int:
    return 10 // n


# === precondition_is_a_number: true
@icontract.require(lambda n: n)
@icontract.ensure(lambda result: result is not None if False else result != 12)
def precondition_is_a_number(n: int) -> int:
    return 10 // n


# === postcondition_is_a_list: false
@icontract.ensure(lambda result: result[1:])
def postcondition_is_a_list(xs: list[int]) -> list[int]:
    return xs


# === postcondition_of_callee_in_contract: never
@icontract.require(lambda n: n >= 0)
def helper(n: int) -> int:
    return n


@icontract.ensure(lambda n, result: helper(n) == result)
def postcondition_of_callee_in_contract(n: int) -> int:
    return n


# === contract_loops_forever: never
def helper(n: int) -> bool:
    while n > 0:
        n = n + 0
    return True


@icontract.ensure(lambda n: helper(n))
def contract_loops_forever(n: int) -> int:
    return n


# === contract_without_result: true
@icontract.require(lambda n: n > 5)
@icontract.ensure(lambda n: n > 0)
def contract_without_result(n: int) -> int:
    n = -n
    return n


# === nagini_lambda_hides_parameter: true
def nagini_lambda_hides_parameter(n: int, xs: list[int]) -> int:
    Requires(Forall(xs, lambda n: n > 0))
    Ensures(Forall(xs, lambda n: n > 0) and Result() == n)
    return n


# === exists_needs_a_witness: false
def exists_needs_a_witness(xs: list[int]) -> int:
    Ensures(Exists(xs, lambda x: x == Result()))
    return xs[0] if len(xs) > 0 else 0


# === implication_of_false: false
def implication_of_false(n: int) -> int:
    Ensures(Implies(n > 0, Result() > n))
    return n if n > 0 else 0


# === assumes_by_contract_of_loop: false
def assumes_by_contract_of_loop(n: int) -> int:
    Ensures(Result() == 5)
    for i in range(1):
        Invariant(n == 5)
    return n


# === requires_twice: false
def requires_twice(n: int) -> int:
    Requires(n > 0)
    Requires(n < 10)
    Ensures(Result() < 9)
    return n


# === requires_message: unsupported
def requires_message(n: int) -> int:
    Requires(n > 0, "positive")
    Ensures(Result() == n)
    return n


# === star_import_of_contracts: true
from verifier.contracts import *


def star_import_of_contracts(n: int) -> int:
    Requires(n > 0)
    Ensures(Result() > 0)
    return n


# === local_import_of_contracts: unsupported
def local_import_of_contracts(n: int) -> int:
    from verifier.contracts import Ensures, Requires

    Requires(n > 0)
    Ensures(Result() > 0)
    return n


# === parameter_named_old: false
def parameter_named_old(OLD: int) -> int:
    Ensures(Result() == OLD)
    return OLD + 1
