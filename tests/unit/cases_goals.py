"""Small functions under contract, each with what is true of it: whether every goal must be provable.

`PROVABLE` meet their contracts (CPython is asked as well, in `test_goals`), and both their loops' annotations and ranks
suffice. `UNPROVABLE` break their contract, run on, or carry a wrong annotation; none of them may have all goals proved.
"""

from __future__ import annotations

HEAD = "from verifier.contracts import *\n\n"

PROVABLE: dict[str, str] = {
    "floor": """
def f(a: int) -> int:
    Ensures(Result() == (a - a % 3) // 3 and a // -2 == -((a + 1) // 2))
    Ensures(0 <= a % 3 < 3 and -2 < a % -2 <= 0 and 7 // -2 == -4 and 7 % -2 == -1)
    return a // 3
""",
    "division_by_a_term": """
def f(a: int, b: int) -> int:
    Requires(b != 0)
    Ensures(Result() * b + a % b == a)
    Ensures(not (b < 0) or (b < a % b <= 0))
    Ensures(not (b > 0) or (0 <= a % b < b))
    return a // b
""",
    "divisibility": """
def f(a: int, b: int) -> int:
    Requires(b > 0 and a % b == 0)
    Ensures((a + b) % b == 0 and b % b == 0 and 0 % b == 0)
    return a // b
""",
    "powers_and_shifts": """
def f(x: int) -> int:
    Ensures(Result() == x * x * x + 8 * x)
    Ensures(x >> 1 == x // 2 and x & 7 == x % 8 and ~x == -x - 1 and +x == x)
    return x ** 3 + (x << 3)
""",
    "bools_are_ints": """
def f(b: bool, c: bool) -> int:
    Ensures(Result() == (1 if b else 0) + (1 if c else 0))
    Ensures((b and c) == (b & c) and (b or c) == (b | c) and (b != c) == (b ^ c))
    return b + c
""",
    "operands": """
def f(a: int, b: int) -> int:
    Ensures(Result() == (a if a != 0 else b))
    Ensures((a and b) == (0 if a == 0 else b))
    return a or b
""",
    "short_circuit": """
def f(a: int, b: int) -> bool:
    Ensures(Result() == (b != 0 and a // b > 1))
    return b != 0 and a // b > 1 or b == 0 and False
""",
    "chains": """
def f(a: int, b: int) -> bool:
    Ensures(Result() == (0 < a and a <= b and b < 10))
    return 0 < a <= b < 10
""",
    "conditional_guard": """
def f(a: int, b: int) -> int:
    Ensures(b == 0 or Result() == a % b)
    return a % b if b != 0 else 0
""",
    "branches": """
def f(x: int) -> int:
    Ensures(Result() >= 0 and (Result() == x or Result() == -x))
    y = x
    if x < 0:
        y = -x
    elif x == 0:
        return 0
    else:
        y = y + 0
    return y
""",
    "min_max_abs": """
def f(a: int, b: int, c: int) -> int:
    Ensures(Result() <= a and Result() <= b and Result() <= c and Result() in [a, b, c])
    Ensures(max(a, b, c) >= min(a, b) and abs(a) >= 0 and abs(a) >= a and abs(a) * abs(a) == a * a)
    return min(a, b, c)
""",
    "negative_index": """
def f(xs: list[int]) -> int:
    Requires(len(xs) >= 2)
    Ensures(Result() == xs[len(xs) - 1] + xs[len(xs) - 2])
    return xs[-1] + xs[-2]
""",
    "negative_index_variable": """
def f(xs: list[int], i: int) -> int:
    Requires(-len(xs) <= i < len(xs))
    Ensures(Result() == (xs[i + len(xs)] if i < 0 else xs[i]))
    return xs[i]
""",
    "slices_clamp": """
def f(xs: list[int], i: int) -> list[int]:
    Requires(i >= 0)
    Ensures(len(Result()) <= len(xs) and (i > len(xs) or len(Result()) == len(xs) - i))
    Ensures(all(Result()[k] == xs[k + i] for k in range(len(Result()))))
    return xs[i:]
""",
    "slices_from_the_end": """
def f(xs: list[int]) -> list[int]:
    Requires(len(xs) > 3)
    Ensures(len(Result()) == 2 and Result()[0] == xs[len(xs) - 3] and Result()[1] == xs[-2])
    return xs[-3:-1]
""",
    "concatenation": """
def f(xs: list[int], ys: list[int], v: int) -> list[int]:
    Ensures(len(Result()) == len(xs) + 1 + len(ys))
    Ensures(all(Result()[k] == xs[k] for k in range(len(xs))) and Result()[len(xs)] == v)
    Ensures(all(Result()[len(xs) + 1 + k] == ys[k] for k in range(len(ys))))
    return xs + [v] + ys
""",
    "append_and_store": """
def f(v: int, w: int) -> list[int]:
    Ensures(Result() == [w, v] and len(Result()) == 2)
    xs: list[int] = []
    xs.append(v)
    xs.append(v)
    xs[0] = w
    xs[-1] = v
    return xs
""",
    "equality": """
def f(xs: list[int], ys: list[int]) -> bool:
    Ensures(not Result() or (len(xs) == len(ys) and all(xs[k] == ys[k] for k in range(len(xs)))))
    Ensures(xs == xs and xs + ys == xs + ys and (xs, 1) == (xs, True))
    return xs == ys
""",
    "strings": """
def f(s: str) -> bool:
    Ensures(Result() == (len(s) == 2 and s[0] == "a" and s[1] == "b"))
    Ensures(s + "x" != "" and len(s + "xy") == len(s) + 2 and (s + "x")[-1] == "x")
    return s == "ab"
""",
    "tuples": """
def f(a: int, b: int) -> tuple[int, int]:
    Ensures(Result() == (b, a) and Result()[-1] == a)
    a, b = b, a
    return (a, b)
""",
    "membership": """
def f(xs: list[int], v: int) -> bool:
    Ensures(Result() == any(x == v for x in xs))
    Ensures(Result() != (v not in xs))
    return v in xs
""",
    "quantified_guard": """
def f(xs: list[int]) -> bool:
    Ensures(Result() == all(xs[k] > 0 for k in range(len(xs)) if k % 2 == 0))
    return all(xs[k] > 0 for k in range(len(xs)) if k % 2 == 0)
""",
    "stepped_quantifier": """
def f(xs: list[int]) -> int:
    Requires(len(xs) == 5 and all(xs[k] == 1 for k in range(4, -1, -2)))
    Ensures(Result() == 3)
    return xs[0] + xs[2] + xs[4]
""",
    "entry_values": """
def f(n: int) -> int:
    Ensures(Result() == n + 1)
    n = n + 1
    m = n
    n = 0
    return m + n
""",
    "count_down": """
def f(n: int) -> int:
    Requires(n >= 0)
    Ensures(Result() == n)
    c = 0
    while n > 0:
        Invariant(n >= 0 and c == Old(n) - n)
        Decreases(n)
        n -= 1
        c += 1
    return c
""",
    "range_sum": """
def f(n: int) -> int:
    Requires(n >= 0)
    Ensures(2 * Result() == n * (n - 1))
    s = 0
    for i in range(n):
        Invariant(2 * s == i * (i - 1))
        s += i
    return s
""",
    "range_steps": """
def f(n: int) -> int:
    Requires(n >= 0)
    Ensures(Result() == (n + 2) // 3)
    c = 0
    for i in range(n, 0, -3):
        Invariant(3 * c == Old(n) - i)
        c += 1
    return c
""",
    "last_value": """
def f(n: int) -> int:
    Requires(n > 0)
    Ensures(Result() == n - 1)
    for i in range(n):
        pass
    return i
""",
    "last_item": """
def f(xs: list[int]) -> int:
    Ensures(Result() == (xs[-1] if len(xs) > 0 else 7))
    x = 7
    for x in xs:
        pass
    return x
""",
    "reassigned_target": """
def f(n: int) -> int:
    Requires(n >= 0)
    Ensures(Result() == n)
    c = 0
    for i in range(n):
        Invariant(c == Iterations())
        i = 100
        c += 1
    return c
""",
    "break_and_else": """
def f(xs: list[int], v: int) -> int:
    Ensures(Result() == -1 or (0 <= Result() < len(xs) and xs[Result()] == v))
    Ensures(Result() >= 0 or all(x != v for x in xs))
    i = 0
    while i < len(xs):
        Invariant(0 <= i <= len(xs) and all(xs[k] != v for k in range(i)))
        Decreases(len(xs) - i)
        if xs[i] == v:
            break
        i += 1
    else:
        return -1
    return i
""",
    "continue_edges": """
def f(bs: list[bool]) -> int:
    Ensures(0 <= Result() <= len(bs))
    c = 0
    for b in bs:
        Invariant(0 <= c <= Iterations())
        if b:
            continue
        c += 1
    return c
""",
    "lexicographic": """
def f(x: int, y: int, bs: list[bool]) -> int:
    Requires(x >= 0 and y >= 0)
    Ensures(Result() == 0)
    while x > 0:
        Invariant(x >= 0 and y >= 0)
        Decreases((x, y))
        if y > 0:
            y -= 1
        else:
            x -= 1
            y = len(bs)
    return x
""",
    "nested": """
def f(n: int) -> int:
    Requires(n >= 0)
    Ensures(Result() == n * n)
    c = 0
    for i in range(n):
        Invariant(c == i * n)
        for j in range(n):
            Invariant(c == i * n + j)
            c += 1
    return c
""",
    "bound_in_every_iteration": """
def f(n: int) -> int:
    Requires(n >= 1)
    Ensures(0 <= Result())
    for i in range(n):
        m = i
    return m * 0
""",
    "listed_exceptions": """
def f(a: int, b: int) -> int:
    Exsures(ZeroDivisionError, b == 0)
    Exsures(ValueError, a < 0)
    Ensures(a >= 0 and b != 0 and Result() == a // b)
    if a < 0:
        raise ValueError("negative")
    return a // b
""",
    "callees": """
def half(x: int) -> int:
    Requires(x % 2 == 0)
    Ensures(2 * Result() == x)
    return x // 2

def f(x: int) -> int:
    Ensures(Result() == x + half(4))
    if x > 3:
        return half(x * 2) + 2
    return x + half(4)
""",
    "callee_with_two_returns": """
def sign(x: int) -> int:
    if x < 0:
        return -1
    return 1

def f(x: int) -> int:
    Ensures(Result() >= 0 and Result() == x * sign(x))
    return x * sign(x)
""",
    "callee_raises_as_listed": """
def pick(x: int) -> int:
    if x < 0:
        raise ValueError("x")
    return x

def f(x: int) -> int:
    Exsures(ValueError, x < 0)
    Ensures(Result() >= 0)
    return pick(x)
""",
    "store_at_an_unknown_place": """
def f(i: int, j: int) -> int:
    Requires(0 <= i < 3 and 0 <= j < 3)
    Ensures(Result() == (1 if i == j else 0))
    xs = [0, 0, 0]
    xs[i] = 1
    return xs[j]
""",
    "bools_as_values": """
def f(c: bool, d: bool) -> bool:
    Ensures(Result() == (not c or d) and (c == False) == (not c) and (d if c else False) == (c and d))
    Ensures((True if c else d) == (c or d) and (False if c else d) == (not c and d))
    return d if c else True
""",
    "truth_of_lists": """
def f(xs: list[int], s: str) -> bool:
    Ensures(Result() == (len(xs) > 0) and bool(s) == (s != "") and (not s) == (len(s) == 0))
    if xs:
        return True
    return False
""",
    "merged_lists": """
def f(b: bool, xs: list[int], ys: list[int]) -> list[int]:
    Ensures(Result() == xs if b else Result() == ys)
    return xs if b else ys
""",
    "literals_in_order": """
def f(xs: list[int], v: int, w: int) -> list[int]:
    Ensures(Result()[len(xs)] == v and Result()[len(xs) + 1] == w and [v, w] != [w, v] or v == w)
    Ensures("ab" != "ba" and "ab"[1] == "b")
    return xs + [v, w]
""",
    "slices_of_short_lists": """
def f(xs: list[int]) -> list[int]:
    Requires(len(xs) == 2)
    Ensures(Result() == xs and xs[3:1] == [] and xs[1:][0] == xs[1] and xs[:-5] == [])
    return xs[-5:]
""",
    "items_by_index": """
def f(xs: list[int]) -> int:
    Ensures(len(xs) == 0 or Result() == xs[-1])
    last = 0
    for i in range(len(xs)):
        last = xs[i]
        assert last == xs[i - len(xs)]
    return last if len(xs) == 0 else xs[len(xs) - 1]
""",
    "names_that_solvers_know": """
def f(div: int, pi: list[int], true: bool, select: int) -> int:
    Requires(div > 0 and len(pi) > 0 and (true or select == 0))
    Ensures(Result() == pi[0] // div + (1 if true else select))
    store = 0
    for mod in range(1):
        Invariant(store == 0 or store == pi[0])
        store = pi[mod]
    return pi[0] // div + (1 if true else 0)
""",
    "empty_range": """
def f(n: int) -> int:
    Ensures(Result() == max(n, 0))
    c = 0
    for i in range(n):
        Invariant(c == Iterations())
        c += 1
    return c
""",
    "asserts": """
def f(x: int) -> int:
    Requires(x > 2)
    y = x * x
    assert y > 4
    return y
""",
}

UNPROVABLE: dict[str, str] = {
    "truncation": """
def f(a: int) -> int:
    Ensures(a >= 0 or Result() == -((-a) // 2))
    return a // 2
""",
    "negative_divisor": """
def f() -> int:
    Ensures(Result() == -3)
    return 7 // -2
""",
    "sign_of_remainder": """
def f(a: int, b: int) -> int:
    Requires(b != 0)
    Ensures(Result() >= 0)
    return a % b
""",
    "zero_divisor": """
def f(a: int, b: int) -> int:
    Ensures(True)
    return a // b
""",
    "zero_divisor_in_right_operand": """
def f(a: int, b: int) -> bool:
    Ensures(True)
    return a > 0 or a % b == 0
""",
    "zero_divisor_in_other_branch": """
def f(a: int, b: int) -> int:
    Ensures(True)
    return 0 if b != 0 else a % b
""",
    "wrap_around": """
def f(x: int) -> int:
    Requires(x >= 2 ** 15)
    Ensures(Result() < 2 ** 15)
    return x + 1
""",
    "or_gives_an_operand": """
def f(a: int, b: int) -> int:
    Ensures(Result() == 1)
    return a or 1
""",
    "index": """
def f(xs: list[int], i: int) -> int:
    Requires(i < len(xs))
    return xs[i]
""",
    "index_at_the_end": """
def f(xs: list[int]) -> int:
    Ensures(True)
    return xs[len(xs)]
""",
    "index_store": """
def f(n: int) -> list[int]:
    Ensures(True)
    xs = [1, 2]
    xs[n] = 3
    return xs
""",
    "slice_is_short": """
def f(xs: list[int], i: int) -> list[int]:
    Requires(i >= 0)
    Ensures(len(Result()) == i)
    return xs[:i]
""",
    "slice_negative": """
def f(xs: list[int], i: int) -> list[int]:
    Ensures(len(Result()) == max(0, min(i, len(xs))))
    return xs[:i]
""",
    "appended_elsewhere": """
def f(v: int) -> list[int]:
    Ensures(Result()[0] == v)
    xs = [1]
    xs.append(v)
    return xs
""",
    "equal_lengths_only": """
def f(xs: list[int], ys: list[int]) -> bool:
    Requires(len(xs) == len(ys))
    Ensures(Result())
    return xs == ys
""",
    "string_lengths": """
def f(s: str) -> bool:
    Ensures(not Result() or s == "a")
    return len(s) == 1
""",
    "early_stop_does_not_help": """
def f(xs: list[int]) -> bool:
    Ensures(all(xs[k + 1] > 0 for k in range(len(xs))) or True)
    return True
""",
    "contract_raises": """
def f(xs: list[int]) -> int:
    Requires(xs[0] > 0)
    return 1
""",
    "entry_not_current": """
def f(n: int) -> int:
    Ensures(Result() == n)
    n = n + 1
    return n
""",
    "no_rank": """
def f() -> int:
    Ensures(True)
    while True:
        pass
    return 1
""",
    "rank_does_not_fall": """
def f(n: int) -> int:
    Ensures(True)
    while n > 0:
        Decreases(n)
        n = n + 0
    return 0
""",
    "rank_not_bounded": """
def f(n: int) -> int:
    Ensures(True)
    while n != 0:
        Decreases(n)
        n -= 1
    return 0
""",
    "second_component_not_bounded": """
def f(x: int, y: int) -> int:
    Requires(x >= 0)
    while y != 7:
        Invariant(x >= 0)
        Decreases((x, y))
        y -= 1
    return 0
""",
    "invariant_not_initial": """
def f(n: int) -> int:
    Requires(n >= 0)
    Ensures(Result() > 0)
    i = 0
    for j in range(n):
        Invariant(i > 0)
        i += 1
    return i
""",
    "invariant_not_kept": """
def f(n: int) -> int:
    Requires(n >= 0)
    Ensures(Result() == 0)
    i = 0
    for j in range(n):
        Invariant(i == 0)
        i += 1
    return i
""",
    "invariant_not_kept_by_continue": """
def f(bs: list[bool]) -> int:
    Ensures(Result() == 0)
    i = 0
    for b in bs:
        Invariant(i == 0)
        if b:
            i = 1
            continue
    return i
""",
    "break_state": """
def f(bs: list[bool]) -> int:
    Ensures(Result() == 0)
    i = 0
    for b in bs:
        Invariant(i == 0)
        if b:
            i = 1
            break
    return i
""",
    "else_after_break": """
def f(bs: list[bool]) -> int:
    Ensures(Result() == 1)
    i = 0
    for b in bs:
        if b:
            break
    else:
        i = 1
    return i
""",
    "unbound_after_empty_loop": """
def f(n: int) -> int:
    Ensures(True)
    for i in range(n):
        pass
    return i
""",
    "unbound_branch": """
def f(n: int) -> int:
    Ensures(True)
    if n > 0:
        m = 1
    return m
""",
    "havoc": """
def f(n: int) -> int:
    Requires(n >= 0)
    Ensures(Result() == 0)
    s = 0
    for i in range(n):
        s += i
    return s
""",
    "havoc_of_lists": """
def f(n: int) -> list[int]:
    Requires(n >= 0)
    Ensures(Result() == [])
    xs: list[int] = []
    for i in range(n):
        xs.append(i)
    return xs
""",
    "range_end": """
def f(n: int) -> int:
    Requires(n > 0)
    Ensures(Result() == n)
    for i in range(n):
        pass
    return i
""",
    "nested_target_shared": """
def f(n: int) -> int:
    Requires(n == 2)
    Ensures(Result() == 1)
    for i in range(n):
        for i in range(5):
            pass
    return i
""",
    "unlisted_exception": """
def f(a: int) -> int:
    Exsures(ValueError, a < 0)
    if a < 0:
        raise TypeError("negative")
    return a
""",
    "exception_outside_its_condition": """
def f(a: int, b: int) -> int:
    Exsures(ZeroDivisionError, b == 0 and a > 0)
    return a // b
""",
    "every_listed_condition_counts": """
def f(xs: list[int], i: int) -> int:
    Exsures(LookupError, i >= 0)
    Exsures(IndexError, i > 100)
    return xs[i] if i >= 0 else 0
""",
    "assertion_is_never_listed": """
def f(a: int) -> int:
    Exsures(AssertionError, True)
    assert a > 0
    return a
""",
    "callee_precondition": """
def half(x: int) -> int:
    Requires(x % 2 == 0)
    return x // 2

def f(x: int) -> int:
    Ensures(True)
    return half(x)
""",
    "callee_postcondition": """
def half(x: int) -> int:
    Ensures(2 * Result() == x)
    return x // 2

def f(x: int) -> int:
    Ensures(True)
    return half(x)
""",
    "callee_raises": """
def pick(x: int) -> int:
    if x < 0:
        raise ValueError("x")
    return x

def f(x: int) -> int:
    Ensures(Result() >= 0)
    return pick(x)
""",
    "callee_returns_differ": """
def sign(x: int) -> int:
    if x < 0:
        return -1
    return 1

def f(x: int) -> int:
    Ensures(Result() == 1)
    return sign(x)
""",
    "bound_in_some_iterations": """
def f(n: int, b: bool) -> int:
    Requires(n > 0)
    Ensures(True)
    for i in range(n):
        if b:
            m = i
    return m
""",
    "invariant_may_raise": """
def f(xs: list[int], i: int) -> int:
    Ensures(True)
    for k in range(2):
        Invariant(xs[i] == xs[i])
    return xs[i]
""",
    "first_component_grows": """
def f(x: int, y: int) -> int:
    Requires(x > 0)
    Ensures(True)
    while x > 0 and y > 0:
        Decreases((x, y))
        x += 1
        y -= 1
    return 0
""",
    "bound_in_one_branch_of_two": """
def f(a: bool, b: bool) -> int:
    Ensures(True)
    if a:
        if b:
            m = 1
    else:
        m = 2
    return m
""",
    "two_breaks": """
def f(bs: list[bool]) -> int:
    Requires(len(bs) > 0)
    Ensures(Result() == 1)
    x = 0
    for b in bs:
        if b:
            x = 1
            break
        x = 2
        break
    return x
""",
    "negative_range_is_empty": """
def f(n: int) -> int:
    Requires(n < 0)
    Ensures(Result() == 1)
    for i in range(n):
        pass
    return 0
""",
    "slice_is_moved": """
def f(xs: list[int]) -> list[int]:
    Requires(len(xs) > 1)
    Ensures(Result()[0] == xs[0])
    return xs[1:]
""",
    "second_return": """
def f(x: int) -> int:
    Ensures(Result() == 1)
    if x > 0:
        return 1
    return 2
""",
    "merge_takes_the_wrong_side": """
def f(b: bool) -> int:
    Ensures(Result() == (2 if b else 1))
    x = 0
    if b:
        x = 1
    else:
        x = 2
    return x
""",
    "divides_not": """
def f(a: int, b: int) -> int:
    Requires(b > 0)
    Ensures((a + b) % b == 0)
    return a
""",
    "quantifier_range": """
def f(xs: list[int]) -> bool:
    Requires(len(xs) > 0 and all(xs[k] > 0 for k in range(len(xs) - 1)))
    Ensures(xs[-1] > 0)
    return True
""",
    "existential_in_empty_range": """
def f(xs: list[int]) -> bool:
    Ensures(any(x == x for x in xs))
    return True
""",
    "condition_of_quantifier": """
def f(xs: list[int]) -> bool:
    Requires(all(xs[k] > 0 for k in range(len(xs)) if k != 1) and len(xs) > 2)
    Ensures(xs[1] > 0)
    return True
""",
    "given_invariant_is_an_obligation": """
def f(n: int) -> int:
    Requires(n >= 0)
    for i in range(n):
        Invariant(i < 0)
    return 1
""",
}
