"""What this room knows about theories: names, sorts of literals, and the sorts of functions. Trusted.

SMT-LIB theories Core, Ints, Reals, Reals_Ints, ArraysEx and FixedSizeBitVectors. An integer beside a real in a
sum, comparison or equation is read as a real, as both solvers do.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

from checkers.formula.terms import BOOL, INT, REAL, Sort

BOOLEAN = frozenset(["and", "or", "xor", "=>"])
ORDER = frozenset(["<", "<=", ">", ">="])
SUMS = frozenset(["+", "-", "*"])
BV_SAME = frozenset(
    [
        "bvand",
        "bvor",
        "bvxor",
        "bvnand",
        "bvnor",
        "bvxnor",
        "bvadd",
        "bvsub",
        "bvmul",
        "bvudiv",
        "bvurem",
        "bvsdiv",
        "bvsrem",
        "bvsmod",
        "bvshl",
        "bvlshr",
        "bvashr",
    ]
)
BV_ONE = frozenset(["bvnot", "bvneg"])
BV_ORDER = frozenset(["bvult", "bvule", "bvugt", "bvuge", "bvslt", "bvsle", "bvsgt", "bvsge"])
BV_MANY = frozenset(["bvand", "bvor", "bvxor", "bvadd", "bvmul"])
"""Bit-vector functions that are associative and commutative, and take two or more arguments."""
BV_INDEXED = frozenset(["extract", "repeat", "zero_extend", "sign_extend", "rotate_left", "rotate_right"])

KNOWN_HEADS = (
    BOOLEAN
    | ORDER
    | SUMS
    | BV_SAME
    | BV_ONE
    | BV_ORDER
    | BV_INDEXED
    | frozenset(
        [
            "not",
            "=",
            "distinct",
            "ite",
            "/",
            "div",
            "mod",
            "abs",
            "to_real",
            "to_int",
            "is_int",
            "divisible",
            "select",
            "store",
            "concat",
            "ubv_to_int",
        ]
    )
    | frozenset(
        [
            "sbv_to_int",
            "int_to_bv",
            "int2bv",
            "bv2nat",
            "nat2bv",
            "fp",
            "iand",
            "^",
            "to_fp",
            "to_fp_unsigned",
            "implies",
            "iff",
            "pow2",
        ]
    )
)
CONSTANTS = frozenset(
    [
        "RNE",
        "RNA",
        "RTP",
        "RTN",
        "RTZ",
        "roundNearestTiesToEven",
        "roundNearestTiesToAway",
        "roundTowardPositive",
        "roundTowardNegative",
        "roundTowardZero",
    ]
)
SORTS = frozenset(
    ["Bool", "Int", "Real", "String", "RegLan", "RoundingMode", "Float16", "Float32", "Float64", "Float128"]
)
SORT_MAKERS = frozenset(["Array", "Seq", "Set"])
_THEORY = KNOWN_HEADS | CONSTANTS | SORTS | SORT_MAKERS | frozenset(["true", "false", "const", "BitVec"])
_DOTTED = re.compile(r"(str|re|fp|seq|set|real|int|ff|bag|rel|table|tuple)\..*")
_LOGIC = re.compile(r"(QF_)?(AX|A|UF|BV|FF|FP|DT|S|IDL|RDL|LIA|LRA|LIRA|NIA|NRA|NIRA)+")
_NO_INTEGERS = re.compile(r"(QF_)?(A|AX|UF|BV|DT|FP|S)*(LRA|NRA|RDL)")


def is_logic(name: str) -> bool:
    """Whether a name is put together like the name of a logic."""
    return name in ("ALL", "HORN") or _LOGIC.fullmatch(name) is not None


def is_theory_symbol(name: str) -> bool:
    """Whether a name has a fixed meaning that a script may not change."""
    return name in _THEORY or _DOTTED.fullmatch(name) is not None or re.fullmatch(r"bv[a-z0-9_]+", name) is not None


def real_numerals(logic: str | None) -> bool:
    """Whether `3` denotes a real: only in logics that have reals and no integers."""
    return logic is not None and _NO_INTEGERS.fullmatch(logic) is not None


def result_sort(name: str, sorts: Sequence[Sort | None], indices: tuple[Any, ...]) -> tuple[Sort | None, str]:
    """The sort of an application (None where it is not known here), and what is wrong with it (or nothing)."""
    if name in BOOLEAN or name == "not":
        # One argument of `and` and `or` is no standard, but both solvers take it and mean the same.
        least = 1 if name in ("and", "or", "not") else 2
        return BOOL, _all(sorts, BOOL) or _count(sorts, least, 1 if name == "not" else None)
    if name in ("=", "distinct"):
        return BOOL, _count(sorts, 2, None) or _alike(sorts)[1]
    if name == "ite":
        if error := _count(sorts, 3, 3) or _all(sorts[:1], BOOL):
            return None, error
        return _alike(sorts[1:])
    if name in ORDER or name in SUMS or name in ("/", "div", "mod", "abs", "to_real", "to_int", "is_int", "divisible"):
        return _arithmetic(name, sorts)
    if name in ("select", "store"):
        return _array(name, sorts)
    if name.startswith("bv") or name in BV_INDEXED or name == "concat":
        return _bits(name, sorts, indices)
    return None, ""


def _arithmetic(name: str, sorts: Sequence[Sort | None]) -> tuple[Sort | None, str]:
    if wrong := next((sort for sort in sorts if sort not in (None, INT, REAL)), None):
        return None, f"takes numbers, not {wrong}"
    if name in ORDER:
        return BOOL, _count(sorts, 2, None)
    if name in ("div", "mod"):
        return INT, _all(sorts, INT) or _count(sorts, 2, None if name == "div" else 2)
    if name in ("to_int", "is_int", "to_real", "abs", "divisible"):
        result: Sort = {"to_int": INT, "abs": INT, "to_real": REAL}.get(name, BOOL)
        return (sorts[0] if name == "abs" and sorts else result), _count(sorts, 1, 1)
    if name == "/":
        return REAL, _count(sorts, 2, None)
    known = None if None in sorts and REAL not in sorts else (REAL if REAL in sorts else INT)
    return known, _count(sorts, 1 if name == "-" else 2, None)


def _array(name: str, sorts: Sequence[Sort | None]) -> tuple[Sort | None, str]:
    count = 2 if name == "select" else 3
    if error := _count(sorts, count, count):
        return None, error
    array = sorts[0]
    if array is None:
        return None, ""
    if not isinstance(array, tuple) or array[0] != "Array" or len(array) != 3:
        return None, "takes an array first"
    index, item = array[1], array[2]
    assert not isinstance(index, int), "the sort reader makes no such sort"
    assert not isinstance(item, int), "the sort reader makes no such sort"
    for given, wanted in zip(sorts[1:], (index, item), strict=False):
        if given not in (None, wanted):
            return None, f"takes {wanted} here, not {given}"
    return (item if name == "select" else array), ""


def _bits(name: str, sorts: Sequence[Sort | None], indices: tuple[Any, ...]) -> tuple[Sort | None, str]:
    known = [sort for sort in sorts if sort is not None]
    if any(not isinstance(sort, tuple) or sort[0] != "BitVec" for sort in known):
        return None, "takes bit vectors"
    if name in BV_SAME or name in BV_ORDER:
        most = None if name in BV_MANY else 2
        sort, error = _alike(sorts)
        return (BOOL if name in BV_ORDER else sort), error or _count(sorts, 2, most)
    if name in BV_ONE:
        return sorts[0], _count(sorts, 1, 1)
    if len(known) != len(sorts):
        return None, ""
    widths = [sort[1] for sort in known if isinstance(sort, tuple) and isinstance(sort[1], int)]
    return _width(name, widths, indices)


def _width(name: str, widths: list[int], indices: tuple[Any, ...]) -> tuple[Sort | None, str]:
    if name == "concat":
        return ("BitVec", sum(widths)), "" if len(widths) >= 2 else "takes at least 2 arguments"
    if name == "bvcomp":
        return ("BitVec", 1), "" if len(widths) == 2 and widths[0] == widths[1] else "takes two vectors of one width"
    if name not in BV_INDEXED:
        return None, ""
    if len(widths) != 1 or not all(isinstance(index, int) for index in indices):
        return None, "takes one vector and numbers as indices"
    if name == "extract":
        fits = len(indices) == 2 and widths[0] > indices[0] >= indices[1] >= 0
        return (("BitVec", indices[0] - indices[1] + 1), "") if fits else (None, "has indices outside of the vector")
    if len(indices) != 1 or (name == "repeat" and indices[0] < 1):
        return None, "takes one index"
    grown = {
        "repeat": widths[0] * indices[0],
        "zero_extend": widths[0] + indices[0],
        "sign_extend": widths[0] + indices[0],
    }
    return ("BitVec", grown.get(name, widths[0])), ""


def _count(sorts: Sequence[Sort | None], least: int, most: int | None) -> str:
    if len(sorts) < least or (most is not None and len(sorts) > most):
        wanted = f"{least}" if most == least else f"at least {least}" if most is None else f"{least} to {most}"
        return f"takes {wanted} argument(s)"
    return ""


def _all(sorts: Sequence[Sort | None], wanted: Sort) -> str:
    wrong = next((sort for sort in sorts if sort not in (None, wanted)), None)
    return f"takes arguments of sort {wanted}, not {wrong}" if wrong is not None else ""


def _alike(sorts: Sequence[Sort | None]) -> tuple[Sort | None, str]:
    """The common sort, integers counting as reals beside reals."""
    known = {sort for sort in sorts if sort is not None}
    if known == {INT, REAL}:
        return REAL, ""
    if len(known) > 1:
        return None, "takes arguments of one sort"
    return (next(iter(known)) if known and None not in sorts else None), ""
