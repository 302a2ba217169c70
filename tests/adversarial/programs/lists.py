"""Indices, slices, aliasing, mutation, iteration."""

import icontract

# === last_item: true
@icontract.require(lambda xs: len(xs) > 0)
@icontract.ensure(lambda xs, result: result == xs[len(xs) - 1])
def last_item(xs: list[int]) -> int:
    return xs[-1]


# === index_minus_length: true
@icontract.require(lambda xs: len(xs) > 0)
@icontract.ensure(lambda xs, result: result == xs[0])
def index_minus_length(xs: list[int]) -> int:
    return xs[-len(xs)]


# === index_wraps_twice: false
@icontract.require(lambda xs: len(xs) > 0)
@icontract.ensure(lambda xs, result: result in xs)
def index_wraps_twice(xs: list[int]) -> int:
    return xs[-len(xs) - 1]


# === negative_index_is_no_error: false
@icontract.require(lambda i, xs: i < len(xs) and i >= -len(xs))
@icontract.ensure(lambda i, result: i >= 0)
def negative_index_is_no_error(xs: list[int], i: int) -> int:
    return xs[i]


# === index_by_bool: true
@icontract.ensure(lambda b, result: result == (20 if b else 10))
def index_by_bool(b: bool) -> int:
    return [10, 20][b]


# === slice_clamps: true
@icontract.ensure(lambda xs, result: result == xs)
def slice_clamps(xs: list[int]) -> list[int]:
    return xs[-1000 - len(xs):1000 + len(xs)]


# === slice_of_reversed_bounds: true
@icontract.ensure(lambda result: result == 0)
def slice_of_reversed_bounds(xs: list[int]) -> int:
    return len(xs[2:1])


# === slice_length_is_difference: false
@icontract.require(lambda i, j: 0 <= i <= j)
@icontract.ensure(lambda i, j, result: result == j - i)
def slice_length_is_difference(xs: list[int], i: int, j: int) -> int:
    return len(xs[i:j])


# === slice_to_minus_zero: false
@icontract.require(lambda n, xs: 0 <= n <= len(xs))
@icontract.ensure(lambda n, xs, result: result == len(xs) - n)
def slice_to_minus_zero(xs: list[int], n: int) -> int:
    return len(xs[:-n])


# === slice_negative_start: true
@icontract.require(lambda xs: len(xs) >= 2)
@icontract.ensure(lambda xs, result: len(result) == 2 and result[1] == xs[-1])
def slice_negative_start(xs: list[int]) -> list[int]:
    return xs[-2:]


# === slice_with_step_zero: false
@icontract.ensure(lambda result: len(result) == 0)
def slice_with_step_zero(xs: list[int]) -> list[int]:
    return xs[::0]


# === rotation: true
@icontract.ensure(lambda xs, result: len(result) == len(xs))
def rotation(xs: list[int]) -> list[int]:
    return xs[1:] + xs[:1]


# === alias_is_shared: false
@icontract.ensure(lambda result: result == 0)
def alias_is_shared(n: int) -> int:
    a = [0]
    b = a
    b[0] = 7
    return a[0]


# === alias_append: false
@icontract.ensure(lambda result: result == 1)
def alias_append(n: int) -> int:
    a = [0]
    b = a
    b.append(n)
    return len(a)


# === copy_is_not_shared: true
@icontract.ensure(lambda xs, result: result == len(xs))
def copy_is_not_shared(xs: list[int]) -> int:
    ys = xs[:]
    ys.append(1)
    return len(xs)


# === augmented_addition_mutates: false
@icontract.ensure(lambda result: result == 1)
def augmented_addition_mutates(n: int) -> int:
    a = [0]
    b = a
    b += [n]
    return len(a)


# === plain_addition_does_not: true
@icontract.ensure(lambda result: result == 1)
def plain_addition_does_not(n: int) -> int:
    a = [0]
    b = a
    b = b + [n]
    return len(a)


# === repeated_rows_are_shared: false
@icontract.ensure(lambda result: result == 0)
def repeated_rows_are_shared(n: int) -> int:
    rows = [[0]] * 2
    rows[0][0] = 5
    return rows[1][0]


# === repetition_by_negative: false
@icontract.ensure(lambda n, result: result == n)
def repetition_by_negative(n: int) -> int:
    return len([0] * n)


# === parameters_may_be_one_list: unsupported
@icontract.require(lambda xs: len(xs) == 1 and xs[0] == 0)
@icontract.require(lambda ys: len(ys) == 1 and ys[0] == 0)
@icontract.ensure(lambda result: result)
def parameters_may_be_one_list(xs: list[int], ys: list[int]) -> bool:
    return xs is not ys and xs != [1]


# === mutated_parameter: unsupported
@icontract.ensure(lambda xs, result: result == len(xs))
def mutated_parameter(xs: list[int]) -> int:
    n = len(xs)
    xs.append(n)
    return n


# === tuple_holds_the_list: false
@icontract.ensure(lambda result: result == 1)
def tuple_holds_the_list(n: int) -> int:
    a = [n]
    pair = (a, n)
    a.append(n)
    return len(pair[0])


# === callee_returns_its_argument: false
def same(ys: list[int]) -> list[int]:
    return ys


@icontract.ensure(lambda result: result == 0)
def callee_returns_its_argument(n: int) -> int:
    a = [0]
    b = same(a)
    b[0] = 7
    return a[0]


# === callee_mutates_its_argument: false
def push(ys: list[int]) -> int:
    ys.append(1)
    return 0


@icontract.ensure(lambda result: result == 1)
def callee_mutates_its_argument(n: int) -> int:
    a = [0]
    push(a)
    return len(a)


# === conditional_alias: false
@icontract.ensure(lambda result: result == 1)
def conditional_alias(c: bool) -> int:
    a = [0]
    b = a if c else [0]
    b.append(2)
    return len(a)


# === operand_alias: false
@icontract.ensure(lambda result: result == 1)
def operand_alias(n: int) -> int:
    a = [0]
    b = a or [1]
    b.append(2)
    return len(a)


# === alias_made_in_a_loop: false
@icontract.ensure(lambda result: result <= 1)
def alias_made_in_a_loop(n: int) -> int:
    a = [0]
    b = [1]
    for _ in range(2):
        b.append(5)
        b = a
    return len(a)


# === mutable_default: unsupported
@icontract.ensure(lambda result: result == 1)
def mutable_default(xs: list[int] = []) -> int:
    xs.append(1)
    return len(xs)


# === mutable_default_of_callee: false
def remember(n: int, seen: list[int] = []) -> int:
    seen.append(n)
    return len(seen)


@icontract.ensure(lambda result: result == 1)
def mutable_default_of_callee(n: int) -> int:
    return remember(n)


# === read_only_default_of_callee: true
def count(seen: list[int] = [1, 2]) -> int:
    return len(seen)


@icontract.ensure(lambda result: result == 2)
def read_only_default_of_callee(n: int) -> int:
    return count()


# === grows_while_iterated: false
@icontract.require(lambda n: n > 0)
@icontract.ensure(lambda result: result == 1)
def grows_while_iterated(n: int) -> int:
    xs = [0]
    k = 0
    for x in xs:
        k += 1
        if k < 5:
            xs.append(x)
    return k


# === rebinding_does_not_change_iteration: true
@icontract.ensure(lambda xs, result: result == len(xs))
def rebinding_does_not_change_iteration(xs: list[int]) -> int:
    k = 0
    for x in xs:
        xs = [1, 2, 3]
        k += 1
    return k


# === target_shadows_the_list: true
@icontract.ensure(lambda xs, result: result == len(xs))
def target_shadows_the_list(xs: list[int]) -> int:
    k = 0
    for xs in xs:
        k += 1
    return k


# === stores_into_slice: unsupported
@icontract.ensure(lambda result: result == 0)
def stores_into_slice(n: int) -> int:
    xs = [1, 2]
    xs[0:] = []
    return len(xs)


# === stores_by_negative_index: true
@icontract.ensure(lambda n, result: result == [1, n])
def stores_by_negative_index(n: int) -> list[int]:
    xs = [1, 2]
    xs[-1] = n
    return xs


# === store_at_length_appends: false
@icontract.ensure(lambda n, result: result == [1, n])
def store_at_length_appends(n: int) -> list[int]:
    xs = [1]
    xs[1] = n
    return xs


# === append_gives_none: false
@icontract.ensure(lambda result: result == [1, 2])
def append_gives_none(n: int) -> list[int]:
    xs = [1]
    xs = xs.append(2)
    return xs


# === return_shares: true
@icontract.ensure(lambda xs, result: result == xs)
def return_shares(xs: list[int]) -> list[int]:
    ys = xs
    return ys


# === equal_lists_differ_later: false
@icontract.require(lambda xs, ys: len(xs) == len(ys) and (len(xs) == 0 or xs[0] == ys[0]))
@icontract.ensure(lambda result: result)
def equal_lists_differ_later(xs: list[int], ys: list[int]) -> bool:
    return xs == ys


# === list_order: unsupported
@icontract.ensure(lambda result: result)
def list_order(xs: list[int]) -> bool:
    return xs <= xs + [1]
