"""Bounded quantifiers: empty domains, early stop, scopes, capture."""

import icontract

from verifier.contracts import Ensures, Exists, Forall, Implies, Requires, Result

# === all_of_nothing: true
@icontract.ensure(lambda xs, result: result if len(xs) == 0 else True)
def all_of_nothing(xs: list[int]) -> bool:
    return all(x > x for x in xs)


# === any_of_nothing: false
@icontract.ensure(lambda xs, result: result)
def any_of_nothing(xs: list[int]) -> bool:
    return any(x == x for x in xs)


# === any_stops_before_the_error: true
@icontract.ensure(lambda result: result)
def any_stops_before_the_error(n: int) -> bool:
    return any(10 // (2 - i) > 4 for i in range(3))


# === eager_list_meets_the_error: false
@icontract.ensure(lambda result: result)
def eager_list_meets_the_error(n: int) -> bool:
    return any([10 // (2 - i) > 4 for i in range(3)])


# === error_before_the_stop: false
@icontract.ensure(lambda result: result or not result)
def error_before_the_stop(xs: list[int]) -> bool:
    return any(10 // x > 100 or x == 5 for x in xs)


# === all_stops_at_false: true
@icontract.require(lambda xs: len(xs) > 0 and xs[0] == 1)
@icontract.ensure(lambda result: not result)
def all_stops_at_false(xs: list[int]) -> bool:
    return all(1 // (x - 2) > 0 for x in xs[:1])


# === condition_guards_body: true
@icontract.ensure(lambda result: result or not result)
def condition_guards_body(xs: list[int]) -> bool:
    return all(10 // x < 11 for x in xs if x != 0)


# === condition_raises: false
@icontract.ensure(lambda result: result or not result)
def condition_raises(xs: list[int]) -> bool:
    return all(x == x for x in xs if 10 // x > 0)


# === variable_shadows_parameter: true
@icontract.ensure(lambda n, xs, result: result == (n > 0))
def variable_shadows_parameter(n: int, xs: list[int]) -> bool:
    return all(n == n for n in xs) and n > 0


# === variable_shadows_its_domain: true
@icontract.require(lambda xs: len(xs) == 2)
@icontract.ensure(lambda xs, result: result == (xs[0] > 0 and xs[1] > 0))
def variable_shadows_its_domain(xs: list[int]) -> bool:
    return all(xs > 0 for xs in xs)


# === inner_shadows_outer: false
@icontract.require(lambda xs: len(xs) > 0)
@icontract.ensure(lambda result: result)
def inner_shadows_outer(xs: list[int]) -> bool:
    return all(any(x < 0 for x in range(3)) or x >= 0 for x in xs)


# === nested_uses_outer: true
@icontract.ensure(lambda xs, result: result)
def nested_uses_outer(xs: list[int]) -> bool:
    return all(any(x == y for y in xs) for x in xs)


# === inner_domain_uses_outer: true
@icontract.ensure(lambda result: result)
def inner_domain_uses_outer(n: int) -> bool:
    return all(all(j < i for j in range(i)) for i in range(n))


# === sorted_by_neighbours_index_error: false
@icontract.ensure(lambda xs, result: not result or all(xs[i] <= xs[i + 1] for i in range(len(xs))))
def sorted_by_neighbours_index_error(xs: list[int]) -> bool:
    return True


# === negative_index_in_quantifier: false
@icontract.require(lambda xs: len(xs) == 3 and xs[0] == 0)
@icontract.ensure(lambda result: result)
def negative_index_in_quantifier(xs: list[int]) -> bool:
    return all(xs[i] == 0 for i in range(-1, 1))


# === falling_range: true
@icontract.ensure(lambda n, result: result == (n <= 0))
def falling_range(n: int) -> bool:
    return all(i > n for i in range(n, 0, -1))


# === truthiness_of_body: false
@icontract.ensure(lambda xs, result: result)
def truthiness_of_body(xs: list[int]) -> bool:
    return all(x for x in xs)


# === truthiness_of_all_items: true
@icontract.ensure(lambda xs, result: result == (0 not in xs))
def truthiness_of_all_items(xs: list[int]) -> bool:
    return all(x for x in xs)


# === all_of_the_list_itself: true
@icontract.ensure(lambda xs, result: result == (0 not in xs))
def all_of_the_list_itself(xs: list[int]) -> bool:
    return all(xs)


# === any_gives_no_operand: false
@icontract.require(lambda xs: len(xs) == 1 and xs[0] == 3)
@icontract.ensure(lambda result: result == 3)
def any_gives_no_operand(xs: list[int]) -> int:
    return any(x for x in xs)


# === two_generators: false
@icontract.ensure(lambda result: result)
def two_generators(xs: list[int]) -> bool:
    return all(a <= b for a in xs for b in xs)


# === forall_of_lambda_with_default: never
def forall_of_lambda_with_default(xs: list[int]) -> int:
    Ensures(Forall(xs, lambda x, y=0: x > y))
    return 0


# === forall_over_a_type: never
def forall_over_a_type(n: int) -> int:
    Ensures(Forall(int, lambda x: x + n > n))
    return 0


# === exists_over_empty_range: false
def exists_over_empty_range(n: int) -> int:
    Ensures(Exists(range(Result(), n), lambda k: k == k))
    return n


# === forall_hides_a_wrong_item: false
def forall_hides_a_wrong_item(xs: list[int]) -> bool:
    Ensures(Implies(Result(), Forall(range(len(xs)), lambda k: xs[k] >= 0)))
    return all(xs[k] >= 0 for k in range(1, len(xs)))


# === quantifier_name_is_result: false
@icontract.ensure(lambda xs, result: all(result > 0 for result in xs) or result == 1)
def quantifier_name_is_result(xs: list[int]) -> int:
    return 0


# === all_is_shadowed: unsupported
def all(items):
    return True


@icontract.ensure(lambda xs, result: all(x > 0 for x in xs))
def all_is_shadowed(xs: list[int]) -> int:
    return 0


# === string_domain: false
@icontract.ensure(lambda s, result: result)
def string_domain(s: str) -> bool:
    return all(c == "a" for c in s)


# === huge_range: true
@icontract.ensure(lambda result: result)
def huge_range(n: int) -> bool:
    return any(i == 3 for i in range(2**100))


# === set_domain: unsupported
@icontract.ensure(lambda result: result)
def set_domain(n: int) -> bool:
    return all(x > 0 for x in {1, 2})


# === async_domain: never
@icontract.ensure(lambda xs, result: all(x async for x in xs))
def async_domain(xs: list[int]) -> int:
    return 0


# === one_shot_generator: unsupported
@icontract.require(lambda xs: len(xs) == 1 and xs[0] == 0)
@icontract.ensure(lambda result: result)
def one_shot_generator(xs: list[int]) -> bool:
    items = (x > 0 for x in xs)
    first = any(items)
    return all(items)
