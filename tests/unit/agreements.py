"""Functions named `f` whose lowered form must behave exactly as CPython runs them, by what they are about."""

from __future__ import annotations

AGREE = {
    "swap": """
def f(a: int, b: int) -> int:
    a, b = b, a % b
    return a * 100 + b
""",
    "rotation": """
def f(a: int, b: int) -> int:
    c = 9
    a, b, c = c, a, b
    return a * 100 + b * 10 + c
""",
    "swap of items": """
def f(xs: list[int], i: int) -> list[int]:
    ys = xs[:]
    ys[i], ys[0] = ys[0], ys[i]
    return ys
""",
    "target index read late": """
def f(xs: list[int], i: int) -> list[int]:
    ys = list(xs)
    i, ys[i] = 0, 5
    return ys
""",
    "chained index": """
def f(xs: list[int], i: int) -> list[int]:
    ys = list(xs)
    i = ys[i] = 1
    return ys
""",
    "chained names": """
def f(a: int, b: int) -> int:
    c = d = a - b
    c += 1
    return c * 10 + d
""",
    "same target twice": """
def f(a: int, b: int) -> int:
    c, c = a, b
    return c
""",
    "nested targets": """
def f(a: int, b: int) -> int:
    t = (a, b)
    c, (d, e) = 1, t
    return c + 10 * d + 100 * e
""",
    "unpacking itself": """
def f(a: int, b: int) -> int:
    t = (a, b)
    a, b = b, a
    a, b = t[1], a
    return a * 10 + b
""",
    "augmented item": """
def f(xs: list[int], i: int) -> list[int]:
    ys = [1] + xs
    ys[i] -= ys[0] * 2
    return ys
""",
    "augmented list": """
def f(xs: list[int], i: int) -> list[int]:
    ys = []
    ys += xs
    ys += ys
    return ys
""",
    "rebinding a parameter": """
def f(xs: list[int], i: int) -> list[int]:
    xs = xs + [i]
    return xs + xs[1:]
""",
    "floor and sign": """
def f(a: int, b: int) -> int:
    return a // b * 1000 + a % b
""",
    "power and shift": """
def f(a: int, b: int) -> int:
    return (a ** 3 << 2) + (b >> 1) + (a & 7) + (3 & b) - -a
""",
    "bits of bools": """
def f(a: int, b: int) -> bool:
    return (a > 0) ^ (b > 0) | (a == b) & True
""",
    "bool arithmetic": """
def f(a: int, b: int) -> int:
    return (a > b) + (a < b) * 2 - (not a)
""",
    "operands": """
def f(a: int, b: int) -> int:
    return (a and b) * 10 + (a or b)
""",
    "mixed truth": """
def f(xs: list[int], i: int) -> bool:
    if xs and i and xs[0] > i or not xs:
        return True
    return False
""",
    "chain stops early": """
def f(a: int, b: int) -> bool:
    return 0 < a < 10 // b
""",
    "conditional": """
def f(a: int, b: int) -> int:
    return a // b if b else a
""",
    "empty choice": """
def f(xs: list[int], i: int) -> list[int]:
    return [] if i else xs
""",
    "membership": """
def f(xs: list[int], i: int) -> bool:
    return i in xs or i in (7, 8) or i not in [1, True, 2]
""",
    "quantifiers": """
def f(xs: list[int], i: int) -> bool:
    return all(x > i for x in xs if x) or any([x // i > 0 for x in xs])
""",
    "nested quantifiers": """
def f(xs: list[int], i: int) -> bool:
    return any(x == y + i for x in xs for y in xs if x if y)
""",
    "shadowing variable": """
def f(xs: list[int], i: int) -> int:
    if any(i > 2 for i in xs):
        return i
    return -i
""",
    "all of a list": """
def f(xs: list[int], i: int) -> bool:
    return all(xs) and not any(xs[i:])
""",
    "last value": """
def f(xs: list[int], i: int) -> int:
    for v in xs:
        pass
    return v
""",
    "range end once": """
def f(a: int, b: int) -> int:
    n = a
    s = 0
    for i in range(n):
        n = 0
        i = i * 2
        s += i
    return s
""",
    "negative step": """
def f(a: int, b: int) -> int:
    s = 0
    for i in range(a, b, -2):
        s = s * 10 + i
    return s
""",
    "loop else": """
def f(xs: list[int], i: int) -> int:
    for v in xs:
        if v == i:
            break
    else:
        return -1
    return v
""",
    "while else": """
def f(a: int, b: int) -> int:
    while a > 0:
        a -= 1
        if a == b:
            continue
        if a == 2:
            break
    else:
        a = 50
    return a
""",
    "break in else": """
def f(a: int, b: int) -> int:
    while True:
        for i in range(a):
            if i == b:
                break
        else:
            break
        return i
    return -1
""",
    "unbound": """
def f(a: int, b: int) -> int:
    if a > b:
        c = 1
    return c
""",
    "unbound list before index": """
def f(a: int, b: int) -> list[int]:
    if a > 0:
        xs = [1, 2]
    xs[1 // b] = 3
    return xs
""",
    "unbound list before value": """
def f(a: int, b: int) -> list[int]:
    if a > 0:
        xs = [1, 2]
    xs.append(1 // b)
    return xs
""",
    "unbound list augmented": """
def f(a: int, b: int) -> list[int]:
    if a > 0:
        xs = [1, 2]
    xs[1 // b] += 1 % a
    return xs
""",
    "conditions": """
def f(xs: list[int], i: int) -> bool:
    return all(x == 4 for x in xs if x < 5 if x > 3)
""",
    "eager": """
def f(xs: list[int], i: int) -> bool:
    return any([6 // (x - 3) >= i for x in xs])
""",
    "lazy": """
def f(xs: list[int], i: int) -> bool:
    return any(6 // (x - 3) >= i for x in xs)
""",
    "negative place": """
def f(a: int, b: int) -> int:
    t = (a, b, 7)
    return t[-1] * 100 + t[-2]
""",
    "same target read": """
def f(a: int, b: int) -> int:
    c = 7
    c, c = a, c
    return c
""",
    "unbound list, called index": """
def f(a: int, b: int) -> list[int]:
    if a > 0:
        xs = [1, 2]
    xs[g(1 // b)] += 1
    return xs
def g(n: int) -> int:
    return n
""",
    "call order": """
def f(a: int, b: int) -> int:
    return g(y=1 // a, x=[0][b])
def g(x: int, y: int = 3, z: int = 4) -> int:
    return x + y * z
""",
    "default argument": """
def f(a: int, b: int) -> int:
    return g(a) + g(z=b, x=1)
def g(x: int, y: int = -3, z: int = True) -> int:
    return x + 10 * y + 100 * z
""",
    "callee returns its argument": """
def f(xs: list[int], i: int) -> list[int]:
    return g(xs, i)[1:]
def g(xs: list[int], i: int) -> list[int]:
    if i > 0:
        return xs
    return xs + [i]
""",
    "callee with a loop": """
def f(xs: list[int], i: int) -> int:
    t = 0
    while t < i and total(xs) > t:
        t += 1
    return t
def total(xs: list[int]) -> int:
    s = 0
    for x in xs:
        s += x
    return s
""",
    "constant": """
LIMIT = -4
PAIR: tuple[int, int] = (1, 2)
def f(a: int, b: int) -> int:
    return a * LIMIT + b * PAIR[-1]
""",
    "exception": """
def f(a: int, b: int) -> int:
    if a > b:
        raise KeyError(f'{a} {b!r}', 1 // b)
    assert a != b, f'{a}'
    raise ValueError
""",
    "tuple of lists": """
def f(xs: list[int], i: int) -> tuple[int, list[int]]:
    out = []
    for x in xs:
        out.append(x + i)
    return len(out), out
""",
    "slices": """
def f(xs: list[int], i: int) -> list[int]:
    return xs[i:] + xs[:i] + xs[i:-1:1] + xs[:]
""",
    "extremes": """
def f(a: int, b: int) -> int:
    return max(a, b, 0) - min(a, b) + abs(a < b) + int(a > b) + bool(a)
""",
    "no result": """
def f(a: int, b: int) -> None:
    g(a)
    if a:
        return
    a // b
def g(x: int) -> None:
    assert x < 7
""",
    "inferred result": """
def f(a: int, b: int):
    if a:
        return a > b
    return b
""",
    "late type": """
def f(a: int, b: int) -> int:
    s = 0
    for i in range(a):
        if i > 1:
            s += last
        last = i
    return s
""",
    "only raises": """
def f(a: int, b: int):
    raise ZeroDivisionError
""",
    "text": """
def f(a: int, b: int) -> str:
    s = 'xy' + 'é'
    t = ''
    for c in s:
        if c != 'y':
            t += c
    return t[a:] + s[b]
""",
}
