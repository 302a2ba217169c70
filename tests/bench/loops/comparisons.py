"""Loops that compare two sequences, or a text with itself. The truth of each stands in `manifest.json`."""

import icontract


# true
@icontract.require(lambda a, b: len(a) == len(b))
@icontract.ensure(lambda a, b, result: result == all(a[k] == b[k] for k in range(len(a))))
def same_items(a: list[int], b: list[int]) -> bool:
    for i in range(len(a)):  # noqa: SIM110 - the loop is what is proved
        if a[i] != b[i]:
            return False
    return True


# false: the last items are not compared
@icontract.require(lambda a, b: len(a) == len(b))
@icontract.ensure(lambda a, b, result: result == all(a[k] == b[k] for k in range(len(a))))
def same_items_but_one(a: list[int], b: list[int]) -> bool:
    i = 0
    while i < len(a) - 1:
        if a[i] != b[i]:
            return False
        i += 1
    return True


# true
@icontract.ensure(lambda text, result: result == all(text[k] == text[len(text) - 1 - k] for k in range(len(text))))
def reads_both_ways(text: str) -> bool:
    i = 0
    j = len(text) - 1
    while i < j:
        if text[i] != text[j]:
            return False
        i += 1
        j -= 1
    return True
