"""Shapes of ordinary loops, with random constants: what `tests.programs` turns into functions with contracts.

A shape knows its parameters, a precondition, a body whose loops end on every input, and facts that *may* hold of its
result; `tests.programs` keeps those that are true on samples.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Shape:
    """A function to be: `facts` speak about the parameters and `result`."""

    params: tuple[tuple[str, str], ...]
    returns: str
    requires: tuple[str, ...]
    body: str
    facts: tuple[str, ...]


_N = (("n", "int"),)
_XS = (("xs", "list[int]"),)
_XSK = (("xs", "list[int]"), ("k", "int"))


def _accumulate(rng: random.Random) -> Shape:
    start, step, low = rng.randint(-2, 3), rng.choice([1, 1, 2, 3, -1]), rng.choice([0, 0, 1])
    term = rng.choice([str(step), str(step), "i", "2 * i + 1", f"{step} * i", "i * i"])
    end = rng.choice(["n", "n", "n + 1"])
    body = f"s = {start}\nfor i in range({low}, {end}):\n    s += {term}\nreturn s"
    facts = (
        f"result == {start} + {step} * n",
        f"result == {start} + {step} * (n - {low})",
        f"2 * result == n * (n - 1) + {2 * start}",
        f"2 * result == n * (n + 1) + {2 * start}",
        f"result == n * n + {start}",
        f"2 * result == {step} * n * (n - 1) + {2 * start}",
        f"6 * result == n * (n - 1) * (2 * n - 1) + {6 * start}",
        f"result >= {start}",
        f"result <= {start}",
    )
    return Shape(_N, "int", (f"n >= {low}",), body, facts)


def _climb(rng: random.Random) -> Shape:
    start, step, gain = rng.randint(0, 2), rng.randint(1, 3), rng.randint(-2, 4)
    low = rng.choice([start, start, -1])
    answer = rng.choice(["i", "s", "s", "i - n"])
    body = f"i = {start}\ns = 0\nwhile i < n:\n    i += {step}\n    s += {gain}\nreturn {answer}"
    facts = (
        "result == n",
        f"result == {gain} * (n - {start})",
        "result >= n",
        f"result < n + {step}",
        f"result <= {step - 1}",
        "result >= 0",
        f"result == {gain} * ((n - {start} + {step - 1}) // {step})",
        f"result <= n + {step - 1}",
        "result >= 1",
    )
    return Shape(_N, "int", (f"n >= {low}",), body, facts)


def _descend(rng: random.Random) -> Shape:
    stop, gain, start = rng.randint(0, 2), rng.randint(1, 4), rng.randint(-1, 2)
    body = f"c = {start}\nwhile n > {stop}:\n    n -= 1\n    c += {gain}\nreturn {rng.choice(['c', 'c', 'n', 'c + n'])}"
    facts = (
        f"result == {start} + {gain} * (n - {stop})",
        f"result == {stop}",
        f"result >= {start}",
        f"result <= {stop}",
        f"result == {start} + {gain} * (n - {stop}) + {stop}",
        "result >= n",
    )
    return Shape(_N, "int", (f"n >= {stop}",) if rng.random() < 0.8 else (), body, facts)


def _transfer(rng: random.Random) -> Shape:
    step = rng.choice([1, 1, 1, 2])
    params = (("a", "int"), ("b", "int"))
    body = (
        f"x = a\ny = b\nwhile x > 0:\n    x -= {step}\n    y += {step}\nreturn {rng.choice(['y', 'y', 'x + y', 'x'])}"
    )
    facts = (
        "result == a + b",
        "result >= b",
        f"result <= a + b + {step - 1}",
        "result == 0",
        "result <= 0",
        "result > b",
    )
    return Shape(params, "int", ("a >= 0",), body, facts)


def _meet(rng: random.Random) -> Shape:
    low, up, down = rng.randint(-1, 1), rng.randint(1, 2), rng.randint(1, 2)
    body = f"i = {low}\nj = n\nwhile i < j:\n    i += {up}\n    j -= {down}\nreturn {rng.choice(['i', 'j', 'i - j'])}"
    facts = (
        "result >= 0",
        f"result <= {up + down - 1}",
        f"result >= {low}",
        "result <= n",
        "result <= n + 1",
        "2 * result <= n + 2",
    )
    return Shape(_N, "int", (f"n >= {low}",), body, facts)


def _count(rng: random.Random) -> Shape:
    bound, step = rng.randint(-1, 3), rng.randint(1, 2)
    test = rng.choice([f"x > {bound}", f"x == {bound}", "x % 2 == 0", "x > k", f"{bound} <= x < k"])
    body = f"c = 0\nfor x in xs:\n    if {test}:\n        c += {step}\nreturn c"
    facts = (
        "result >= 0",
        f"result <= {step} * len(xs)",
        "result <= len(xs)",
        "result < len(xs)",
        f"result == 0 or any({test} for x in xs)",
        f"result > 0 or all(not ({test}) for x in xs)",
        f"result != {step}",
    )
    return Shape(_XSK, "int", (), body, facts)


def _extreme(rng: random.Random) -> Shape:
    order, name = rng.choice([(">", "m"), ("<", "m"), (">=", "best")])
    dual = {">": ">=", "<": "<=", ">=": ">="}[order]
    if rng.random() < 0.5:
        loop = f"for x in xs:\n    if x {order} {name}:\n        {name} = x"
    else:
        loop = f"for i in range(1, len(xs)):\n    if xs[i] {order} {name}:\n        {name} = xs[i]"
    facts = (
        f"all(result {dual} x for x in xs)",
        "any(result == x for x in xs)",
        f"result {dual} xs[0]",
        "result == xs[0]",
        f"all(result {dual} xs[k] for k in range(len(xs)))",
        "result in xs",
        f"all(result {order} x for x in xs)",
    )
    requires = ("len(xs) > 0",) if rng.random() < 0.85 else ()
    return Shape(_XS, "int", requires, f"{name} = xs[0]\n{loop}\nreturn {name}", facts)


def _search(rng: random.Random) -> Shape:
    missing = rng.choice(["-1", "-1", "len(xs)"])
    if rng.random() < 0.5:
        body = f"for i in range(len(xs)):\n    if xs[i] == k:\n        return i\nreturn {missing}"
    else:
        body = f"i = 0\nwhile i < len(xs) and xs[i] != k:\n    i += 1\nreturn i if i < len(xs) else {missing}"
    facts = (
        "result >= -1",
        "result < len(xs)",
        f"result == {missing} or xs[result] == k",
        "result >= 0",
        "result <= len(xs)",
        f"result != {missing} or all(x != k for x in xs)",
        f"result == {missing} or all(xs[j] != k for j in range(result))",
    )
    return Shape(_XSK, "int", (), body, facts)


def _member(rng: random.Random) -> Shape:
    test, stop = rng.choice(["x == k", "x > k", "x < 0"]), rng.choice(["", "\n        break"])
    body = f"found = False\nfor x in xs:\n    if {test}:\n        found = True{stop}\nreturn found"
    facts = (
        f"result == any({test} for x in xs)",
        f"result or all(not ({test}) for x in xs)",
        "not result or len(xs) > 0",
        "result",
    )
    return Shape(_XSK, "bool", (), body, facts)


def _flags(rng: random.Random) -> Shape:
    first, second = rng.randint(1, 3), rng.randint(-1, 2)
    answer = rng.choice(["x", "y", "x + y", "x - y"])
    orelse = f"\n    else:\n        y += {second}" if rng.random() < 0.7 else f"\n    y += {first}"
    body = f"x = 0\ny = 0\nfor flag in fs:\n    if flag:\n        x += {first}{orelse}\nreturn {answer}"
    facts = (
        "result >= 0",
        f"result <= {first} * len(fs)",
        "result == len(fs)",
        f"result == {first} * len(fs)",
        "result <= 0",
        f"result >= {min(second, 0)} * len(fs)",
        f"result >= -{first} * len(fs)",
    )
    return Shape((("fs", "list[bool]"),), "int", (), body, facts)


def _divide(rng: random.Random) -> Shape:
    divisor = rng.randint(2, 5)
    if rng.random() < 0.5:
        answer = rng.choice(["q", "n", f"q * {divisor} + n"])
        body = f"q = 0\nwhile n >= {divisor}:\n    n -= {divisor}\n    q += 1\nreturn {answer}"
        facts: tuple[str, ...] = (
            f"result == n // {divisor}",
            f"result == n % {divisor}",
            "result == n",
            "result >= 0",
            f"result < {divisor}",
            "result <= n",
        )
    else:
        body = f"c = 0\nwhile n > 0:\n    n //= {divisor}\n    c += 1\nreturn {rng.choice(['c', 'c', 'n'])}"
        facts = ("result >= 0", "result <= n", "result == 0", "result >= 1", "result < n")
    return Shape(_N, "int", ("n >= 0",), body, facts)


def _root(rng: random.Random) -> Shape:
    body = rng.choice(
        [
            "r = 0\nwhile (r + 1) * (r + 1) <= n:\n    r += 1\nreturn r",
            "for r in range(n + 1):\n    if (r + 1) * (r + 1) > n:\n        return r\nreturn 0",
        ]
    )
    facts = (
        "result * result <= n",
        "(result + 1) * (result + 1) > n",
        "result >= 0",
        "result <= n",
        "result * result == n",
    )
    return Shape(_N, "int", ("n >= 0",), body, facts)


def _nested(rng: random.Random) -> Shape:
    inner, step = rng.choice(["m", "m", "i", "3"]), rng.randint(1, 2)
    body = f"s = 0\nfor i in range(n):\n    for j in range({inner}):\n        s += {step}\nreturn s"
    facts = (
        f"result == {step} * n * m",
        f"2 * result == {step} * n * (n - 1)",
        f"result == {3 * step} * n",
        "result >= 0",
        "result >= n",
    )
    return Shape((("n", "int"), ("m", "int")), "int", ("n >= 0", "m >= 0"), body, facts)


def _build(rng: random.Random) -> Shape:
    factor, offset = rng.randint(0, 2), rng.randint(-1, 2)
    body = f"ys: list[int] = []\nfor i in range(n):\n    ys.append({factor} * i + {offset})\nreturn ys"
    facts = (
        "len(result) == n",
        f"all(result[k] == {factor} * k + {offset} for k in range(len(result)))",
        "len(result) <= n",
        f"all(y >= {offset} for y in result)",
        f"all(y > {offset} for y in result)",
        "len(result) > 0",
    )
    return Shape(_N, "list[int]", ("n >= 0",), body, facts)


def _map(rng: random.Random) -> Shape:
    offset = rng.randint(-1, 2)
    value = rng.choice([f"x + {offset}", "-x", "2 * x", "x if x > k else k"])
    body = f"ys: list[int] = []\nfor x in xs:\n    ys.append({value})\nreturn ys"
    item = value.replace("x", "xs[j]")
    facts = (
        "len(result) == len(xs)",
        f"all(result[j] == ({item}) for j in range(len(xs)))",
        "all(y >= k for y in result)",
        "all(result[j] > xs[j] for j in range(len(xs)))",
    )
    return Shape(_XSK, "list[int]", (), body, facts)


def _overwrite(rng: random.Random) -> Shape:
    value = rng.choice(["0", "k", "ys[i] + 1"])
    body = f"ys = list(xs)\nfor i in range(len(ys)):\n    ys[i] = {value}\nreturn ys"
    item = value.replace("ys[i]", "xs[j]")
    facts = (
        "len(result) == len(xs)",
        f"all(result[j] == {item} for j in range(len(xs)))",
        "all(y >= 0 for y in result)",
    )
    return Shape(_XSK, "list[int]", (), body, facts)


def _clamp(rng: random.Random) -> Shape:
    params = (("x", "int"), ("lo", "int"), ("hi", "int"))
    body = rng.choice(
        [
            "if x < lo:\n    return lo\nif x > hi:\n    return hi\nreturn x",
            "return max(lo, min(x, hi))",
            "return min(hi, max(x, lo))",
        ]
    )
    facts = (
        "lo <= result <= hi",
        "result == x or result == lo or result == hi",
        "not (lo <= x <= hi) or result == x",
        "result == x",
    )
    return Shape(params, "int", ("lo <= hi",) if rng.random() < 0.8 else (), body, facts)


def _guarded(rng: random.Random) -> Shape:
    default = rng.randint(-1, 1)
    low = rng.choice(["0", "0", "-len(xs)"])
    body = f"if {low} <= k < len(xs):\n    return xs[k]\nreturn {default}"
    facts = (
        f"result in xs or result == {default}",
        f"result == {default}",
        "not (0 <= k < len(xs)) or result == xs[k]",
        "result >= k",
    )
    return Shape(_XSK, "int", (), body, facts)


def _gcd(rng: random.Random) -> Shape:
    body = "while b != 0:\n    a, b = b, a % b\nreturn a"
    facts = ("result >= 0", "result >= b", "result <= a or result <= b", "result > 0", "result <= a")
    requires = rng.choice([("a > 0", "b >= 0"), ("a >= 0", "b >= 0")])
    return Shape((("a", "int"), ("b", "int")), "int", requires, body, facts)


def _otherwise(rng: random.Random) -> Shape:
    limit, bound = rng.randint(1, 4), rng.randint(0, 3)
    loop = f"for x in xs:\n    if x < {bound}:\n        break\n    s += 1\n    assert s >= 1\nelse:\n    s += {limit}"
    body = f"s = 0\n{loop}\nreturn s"
    facts = (
        "result >= 0",
        f"result <= len(xs) + {limit}",
        f"result == len(xs) + {limit} or result < len(xs)",
        "result <= len(xs)",
    )
    return Shape(_XS, "int", (), body, facts)


def _reject(rng: random.Random) -> Shape:
    bound = rng.randint(0, 2)
    guard = f"if n < {bound}:\n    raise ValueError('too small')"
    body = f"{guard}\ns = 0\nfor i in range(n):\n    s += i % {bound + 2}\nreturn s"
    facts = ("result >= 0", f"result <= {bound + 1} * n", "result < n")
    return Shape(_N, "int", (f"n >= {bound}",) if rng.random() < 0.7 else (), body, facts)


SHAPES: tuple[Callable[[random.Random], Shape], ...] = (
    _accumulate, _accumulate, _climb, _climb, _descend, _transfer, _meet, _count, _extreme, _search, _member, _flags,
    _flags, _divide, _root, _nested, _build, _map, _overwrite, _clamp, _guarded, _gcd, _otherwise, _reject,
)  # fmt: skip
"""One entry for each share of the programs."""
