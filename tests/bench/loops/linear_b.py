"""Linear loops, part two: nondeterministic branches, resets and flags. The truth of each stands in `manifest.json`."""

import icontract


# true: a counter that is reset before it can pass forty
@icontract.ensure(lambda result: 0 <= result <= 40)
def bounded_reset(choices: list[bool]) -> int:
    c = 0
    for go in choices:
        if go:
            if c != 40:
                c += 1
        elif c == 40:
            c = 1
    return c


# true
@icontract.require(lambda n: n > 0)
@icontract.ensure(lambda n, result: result >= 0 and result <= n)
def bounded_reset_at(n: int, choices: list[bool]) -> int:
    c = 0
    for go in choices:
        if go:
            if c != n:
                c = c + 1
        else:
            if c == n:
                c = 1
    return c


# true
@icontract.ensure(lambda n, result: n <= 0 or (result >= 0 and result < n))
def last_marked(n: int, choices: list[bool]) -> int:
    i = 0
    marked = 0
    while i < n:
        if i < len(choices) and choices[i]:
            marked = i
        i += 1
    return marked


# false: with choices [True, ...] the mark is never below zero
@icontract.require(lambda n: n >= 1)
@icontract.ensure(lambda result: result > 0)
def last_marked_positive(n: int, choices: list[bool]) -> int:
    i = 0
    marked = 0
    while i < n:
        if i < len(choices) and choices[i]:
            marked = i
        i += 1
    return marked


# true: both move together, so a gap of at most ten stays
@icontract.require(lambda x, y: 0 <= x <= 10 and 0 <= y <= 10)
@icontract.ensure(lambda result: not (result[1] == 0 and result[0] == 20))
def move_together(x: int, y: int, choices: list[bool]) -> tuple[int, int]:
    i = 0
    while i < len(choices) and choices[i]:
        x += 10
        y += 10
        i += 1
    return (x, y)


# false: x = 10, y = 0 and one step
@icontract.require(lambda x, y: 0 <= x <= 10 and 0 <= y <= 10)
@icontract.ensure(lambda result: not (result[1] == 10 and result[0] == 20))
def move_together_off(x: int, y: int, choices: list[bool]) -> tuple[int, int]:
    for go in choices:
        if go:
            x += 10
            y += 10
    return (x, y)


# true: whoever leaves with the two equal holds the lock
@icontract.ensure(lambda result: result == 1)
def take_lock(x: int, y: int, choices: list[bool]) -> int:
    x = y
    lock = 1
    i = 0
    while i < len(choices) and (x != y or choices[i]):
        if choices[i]:
            lock = 1
            x = y
        else:
            lock = 0
            x = y
            y = y + 1
        i += 1
    if x != y:
        lock = 1
    return lock


# true
@icontract.require(lambda y: y >= 0 and y <= 127)
@icontract.ensure(lambda result: result[0] >= 36 or (result[1] >= 0 and result[1] < 4608))
def scale_and_step(y: int, choices: list[bool]) -> tuple[int, int]:
    c = 0
    z = 36 * y
    for go in choices:
        if go and c < 36:
            z += 1
            c += 1
    return (c, z)


# false: the first choice may already be taken
@icontract.ensure(lambda result: result == 0)
def count_taken(choices: list[bool]) -> int:
    taken = 0
    for go in choices:
        if go:
            taken += 1
    return taken


# true: digits are collected only while they are digits
@icontract.require(lambda c: c >= 0)
@icontract.ensure(lambda result: result >= 0)
def collect_digit(c: int, choices: list[bool]) -> int:
    value = 0
    for go in choices:
        if go and c > 48 and c < 57:
            value = value + value + (c - 48)
    return value
