"""Lists: what a loop knows about the part that it has already seen."""

from icontract import ensure, require


@require(lambda xs: len(xs) > 0)
@ensure(lambda xs, result: all(x <= result for x in xs))
@ensure(lambda xs, result: result in xs)
def largest(xs: list[int]) -> int:
    """The largest item: it bounds every item, and it is one of them."""
    best = xs[0]
    for x in xs:
        if x > best:
            best = x
    return best


@require(lambda xs: all(xs[i] <= xs[i + 1] for i in range(len(xs) - 1)))
@ensure(lambda xs, result: 0 <= result <= len(xs))
@ensure(lambda xs, x, result: all(xs[i] < x for i in range(result)))
@ensure(lambda xs, x, result: result == len(xs) or x <= xs[result])
def insertion_point(xs: list[int], x: int) -> int:
    """Where to insert `x` so that the sorted list stays sorted."""
    i = 0
    while i < len(xs) and xs[i] < x:
        i += 1
    return i


@require(lambda xs: all(xs[i] <= xs[i + 1] for i in range(len(xs) - 1)))
@ensure(lambda xs, result: len(result) == len(xs) + 1)
@ensure(lambda result: all(result[i] <= result[i + 1] for i in range(len(result) - 1)))
def insert_sorted(xs: list[int], x: int) -> list[int]:
    """A sorted copy of a sorted list with one item more."""
    i = 0
    while i < len(xs) and xs[i] < x:
        i += 1
    return xs[:i] + [x] + xs[i:]


@require(lambda rows, columns: rows >= 0 and columns >= 0)
@ensure(lambda rows, columns, result: result == rows * columns)
def count_cells(rows: int, columns: int) -> int:
    """Count the cells of a table, one by one."""
    cells = 0
    for row in range(rows):
        for column in range(columns):
            cells += 1
    return cells
