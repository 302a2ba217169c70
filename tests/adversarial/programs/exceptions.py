"""Listed and unlisted exceptions, assertions, conditions of exceptions."""

from verifier.contracts import Ensures, Exsures, Implies, Requires, Result

# === unlisted: false
def unlisted(n: int) -> int:
    Ensures(True)
    if n == 123:
        raise ValueError("no")
    return n


# === listed: true
def listed(n: int) -> int:
    Ensures(Result() >= 0)
    Exsures(ValueError, n < 0)
    if n < 0:
        raise ValueError("no")
    return n


# === listed_condition_is_false: false
def listed_condition_is_false(n: int) -> int:
    Ensures(Result() >= 0)
    Exsures(ValueError, n < -1)
    if n < 0:
        raise ValueError("no")
    return n


# === parent_listed: true
def parent_listed(xs: list[int]) -> int:
    Ensures(Result() == xs[3])
    Exsures(LookupError, len(xs) <= 3)
    return xs[3]


# === child_listed: false
def child_listed(n: int) -> int:
    Ensures(True)
    Exsures(ZeroDivisionError, n == 0)
    if n == 0:
        raise ArithmeticError
    return n


# === sibling_listed: false
def sibling_listed(xs: list[int]) -> int:
    Ensures(True)
    Exsures(KeyError, True)
    return xs[0]


# === two_listed_both_bind: false
def two_listed_both_bind(n: int) -> int:
    Ensures(True)
    Exsures(ArithmeticError, n < 0)
    Exsures(ZeroDivisionError, True)
    return 1 // n


# === condition_reads_entry_values: true
def condition_reads_entry_values(n: int) -> int:
    Ensures(Result() == 0)
    Exsures(ValueError, n == 3)
    if n == 3:
        n = 4
        raise ValueError(n)
    return 0


# === condition_reads_changed_values: false
def condition_reads_changed_values(n: int) -> int:
    Ensures(Result() == 0)
    Exsures(ValueError, n == 4)
    if n == 3:
        n = 4
        raise ValueError(n)
    return 0


# === assertion_is_an_obligation: false
def assertion_is_an_obligation(n: int) -> int:
    Ensures(Result() == n)
    assert n != 77
    return n


# === assertion_message_raises: true
def assertion_message_raises(n: int) -> int:
    Ensures(Result() == n)
    Exsures(ZeroDivisionError, True)
    assert n > 0, 1 // 0
    return n


# === assertion_of_a_tuple: true
def assertion_of_a_tuple(n: int) -> int:
    Ensures(Result() == n)
    pair = (n > 0, "must be positive")
    assert pair
    return n


# === arguments_of_raise_come_first: false
def arguments_of_raise_come_first(n: int) -> int:
    Ensures(True)
    Exsures(ValueError, True)
    raise ValueError(1 // n)


# === handler_that_swallows: unsupported
def handler_that_swallows(n: int) -> int:
    Ensures(Result() == 0)
    try:
        return 1 // n
    finally:
        return 0


# === shadowed_exception: unsupported
class ValueError(KeyError):  # noqa: A001
    pass


def shadowed_exception(n: int) -> int:
    Ensures(Result() == n)
    Exsures(ValueError, True)
    if n == 0:
        raise KeyError
    return n


# === rebound_exception: false
KeyError = IndexError


def rebound_exception(n: int) -> int:
    Ensures(Result() == n)
    Exsures(KeyError, n == 0)
    if n == 1:
        raise LookupError
    return n


# === exception_is_a_parameter: unsupported
def exception_is_a_parameter(ValueError: int) -> int:
    Ensures(Result() == 0)
    Exsures(ValueError, True)
    if ValueError > 0:
        raise ValueError
    return 0


# === raises_no_class: unsupported
def raises_no_class(n: int) -> int:
    Ensures(Result() == 0)
    Exsures(TypeError, True)
    if n > 0:
        raise n
    return 0


# === unbound_is_a_name_error: true
def unbound_is_a_name_error(n: int) -> int:
    Ensures(Result() == n)
    Exsures(NameError, n <= 0)
    if n > 0:
        m = n
    return m


# === reraise_without_exception: unsupported
def reraise_without_exception(n: int) -> int:
    Ensures(Result() == n)
    Exsures(RuntimeError, n < 0)
    if n < 0:
        raise
    return n


# === callee_exception_passes_through: false
def inner(n: int) -> int:
    if n == 9:
        raise ValueError
    return n


def callee_exception_passes_through(n: int) -> int:
    Ensures(Result() == n)
    return inner(n)


# === callee_exsures_does_not_hide: false
def inner(n: int) -> int:
    Exsures(ValueError, n == 9)
    if n == 9:
        raise ValueError
    return n


def callee_exsures_does_not_hide(n: int) -> int:
    Ensures(Result() == n)
    return inner(n)


# === always_raises: false
def always_raises(n: int) -> int:
    Ensures(False)
    Exsures(ValueError, n != 2)
    raise ValueError


# === always_raises_as_listed: true
def always_raises_as_listed(n: int) -> int:
    Ensures(False)
    Exsures(ValueError, True)
    raise ValueError


# === implies_in_a_body_is_eager: false
def implies_in_a_body_is_eager(n: int) -> bool:
    Ensures(True)
    return Implies(n != 0, 10 // n > 0)


# === stop_iteration: true
def stop_iteration(n: int) -> int:
    Ensures(Result() == 1)
    Exsures(Exception, n == 1)
    if n == 1:
        raise StopIteration
    return 1


# === system_exit_is_no_exception: false
def system_exit_is_no_exception(n: int) -> int:
    Ensures(Result() == 1)
    Exsures(Exception, n == 1)
    if n == 1:
        raise SystemExit
    return 1


# === warning_is_an_exception: true
def warning_is_an_exception(n: int) -> int:
    Ensures(Result() == 1)
    Exsures(Warning, n == 1)
    if n == 1:
        raise UserWarning
    return 1


# === old_name_of_os_error: true
def old_name_of_os_error(n: int) -> int:
    Ensures(Result() == 1)
    Exsures(IOError, n == 1)
    if n == 1:
        raise EnvironmentError("no")
    return 1


# === everything_is_listed: true
def everything_is_listed(n: int) -> int:
    Ensures(Result() == 1)
    Exsures(BaseException, n == 1)
    if n == 1:
        raise KeyboardInterrupt
    return 1


# === recursion_error_on_purpose: unsupported
def recursion_error_on_purpose(n: int) -> int:
    Ensures(Result() == 1)
    Exsures(RuntimeError, n == 1)
    if n == 1:
        raise RecursionError
    return 1


# === unicode_error_is_a_value_error: true
def unicode_error_is_a_value_error(n: int) -> int:
    Ensures(Result() == 1)
    Exsures(ValueError, n == 1)
    if n == 1:
        raise UnicodeError("no")
    return 1


# === decode_error_needs_arguments: false
def decode_error_needs_arguments(n: int) -> int:
    Ensures(Result() == 1)
    Exsures(UnicodeDecodeError, n == 1)
    if n == 1:
        raise UnicodeDecodeError("no")
    return 1


# === condition_of_exception_raises: never
def condition_of_exception_raises(n: int) -> int:
    Ensures(Result() == n)
    Exsures(ValueError, 1 // n > 0)
    if n == 0:
        raise ValueError
    return n


# === condition_of_exception_reads_the_result: never
def condition_of_exception_reads_the_result(n: int) -> int:
    Ensures(Result() == n)
    Exsures(ValueError, Result() == n)
    if n == 0:
        raise ValueError
    return n


# === raise_in_a_loop: false
def raise_in_a_loop(n: int) -> int:
    Ensures(Result() == n)
    Exsures(ValueError, n > 100)
    for i in range(n):
        if i == 99:
            raise ValueError
    return n


# === assertion_listed: true
def assertion_listed(n: int) -> int:
    Ensures(Result() == n)
    Exsures(AssertionError, n == 0)
    if n == 0:
        raise AssertionError
    return n


# === exsures_beside_decorators: true
import icontract


@icontract.ensure(lambda n, result: result == n)
def exsures_beside_decorators(n: int) -> int:
    Exsures(ValueError, n < 0)
    if n < 0:
        raise ValueError
    return n


# === contract_violation_of_a_callee_is_an_assertion: false
import icontract


@icontract.require(lambda n: n > 0)
def helper(n: int) -> int:
    return n


@icontract.ensure(lambda n, result: result == n)
def contract_violation_of_a_callee_is_an_assertion(n: int) -> int:
    Exsures(ValueError, True)
    return helper(n)


# === contract_violation_listed_as_assertion: true
import icontract


@icontract.require(lambda n: n > 0)
def helper(n: int) -> int:
    return n


@icontract.ensure(lambda n, result: result == n)
def contract_violation_listed_as_assertion(n: int) -> int:
    Exsures(AssertionError, n <= 0)
    return helper(n)
