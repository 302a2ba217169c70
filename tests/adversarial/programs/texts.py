"""Strings by code point; names and literals that a printer might trip over."""

import icontract

# === above_the_solvers_alphabet: false
@icontract.require(lambda s: len(s) == 1)
@icontract.ensure(lambda result: result)
def above_the_solvers_alphabet(s: str) -> bool:
    return s != "\U0010ffff"


# === order_above_the_solvers_alphabet: false
@icontract.require(lambda s: len(s) == 1)
@icontract.ensure(lambda result: result)
def order_above_the_solvers_alphabet(s: str) -> bool:
    return s <= "\U0002ffff"


# === astral_is_one_character: true
@icontract.ensure(lambda result: result == 1)
def astral_is_one_character(n: int) -> int:
    return len("\U0001f600")


# === combining_is_two: false
@icontract.ensure(lambda result: result == 1)
def combining_is_two(n: int) -> int:
    return len("e\u0301")


# === lone_surrogate: true
@icontract.ensure(lambda result: result == 1)
def lone_surrogate(n: int) -> int:
    return len("\ud800")


# === lone_surrogate_differs: false
@icontract.ensure(lambda s, result: not result)
def lone_surrogate_differs(s: str) -> bool:
    return len(s) == 1 and s == "\udfff"


# === solver_escape_is_plain_text: true
@icontract.ensure(lambda result: result == 6)
def solver_escape_is_plain_text(n: int) -> int:
    return len("\\u{41}")


# === solver_escape_is_no_letter: false
@icontract.ensure(lambda result: result)
def solver_escape_is_no_letter(n: int) -> bool:
    return "\\u{41}" == "A"


# === quotes_and_nul: true
@icontract.ensure(lambda result: result == 4 and result != 5)
def quotes_and_nul(n: int) -> int:
    return len("\"\0|\n")


# === index_of_empty: false
@icontract.ensure(lambda s, result: len(result) == 1)
def index_of_empty(s: str) -> str:
    return s[0]


# === item_is_a_string: true
@icontract.require(lambda s: len(s) > 0)
@icontract.ensure(lambda s, result: len(result) == 1 and result[0] == s[-1] and result[-1] == result)
def item_is_a_string(s: str) -> str:
    return s[-1]


# === empty_string_is_false: true
@icontract.ensure(lambda s, result: result == (len(s) > 0))
def empty_string_is_false(s: str) -> bool:
    return bool(s)


# === concatenation: true
@icontract.ensure(lambda s, t, result: len(result) == len(s) + len(t) + 1)
def concatenation(s: str, t: str) -> str:
    return s + "é" + t


# === concatenation_commutes: false
@icontract.ensure(lambda s, t, result: result == t + s)
def concatenation_commutes(s: str, t: str) -> str:
    return s + t


# === adjacent_literals: true
@icontract.ensure(lambda result: result == "abc")
def adjacent_literals(n: int) -> str:
    return "a" "b" r"c"


# === substring_is_not_membership: unsupported
@icontract.ensure(lambda result: result)
def substring_is_not_membership(s: str) -> bool:
    return "" in s


# === format_string: unsupported
@icontract.ensure(lambda result: result == "n")
def format_string(n: int) -> str:
    return f"n"


# === bytes_are_no_text: unsupported
@icontract.ensure(lambda result: result)
def bytes_are_no_text(n: int) -> bool:
    return b"a" == "a"


# === solver_words: true
@icontract.require(lambda select, store: select > 0 and store > 0)
@icontract.ensure(lambda select, store, ite, let, result: result == select + store + ite + let)
def solver_words(select: int, store: int, ite: int, let: int) -> int:
    exists = select
    forall = store
    div = ite
    mod = let
    return exists + forall + div + mod


# === solver_words_false: false
@icontract.ensure(lambda true, false, result: result == true)
def solver_words_false(true: int, false: int) -> int:
    return false


# === internal_looking_names: false
@icontract.ensure(lambda h, d, g, result: result == h)
def internal_looking_names(h: int, d: int, g: int) -> int:
    h_0 = d
    d_1 = g
    h0 = h
    q = h_0 // 2
    r = d_1 % 2
    return h_0 if q == 3 and r == 1 else h0


# === function_named_like_its_variables: true
@icontract.ensure(lambda function_named_like_its_variables, result: result == function_named_like_its_variables)
def function_named_like_its_variables(function_named_like_its_variables: int) -> int:
    return function_named_like_its_variables


# === greek: true
@icontract.ensure(lambda λ, result: result == λ + 1)
def greek(λ: int) -> int:
    größe = λ
    return größe + 1


# === normal_form_is_one_name: true
@icontract.ensure(lambda ﬁ, result: result == fi + 1 if False else result == ﬁ + 1)
def normal_form_is_one_name(fi: int) -> int:
    ﬁ = fi + 1
    return fi


# === wide_letters_are_the_same_name: false
@icontract.ensure(lambda n, result: result == n)
def wide_letters_are_the_same_name(n: int) -> int:
    ｎ = 5
    return n


# === underscores: true
@icontract.ensure(lambda _, __, result: result == _ - __)
def underscores(_: int, __: int) -> int:
    ___ = _
    return ___ - __


# === large_literals: true
@icontract.ensure(lambda n, result: result - n == 2**64)
def large_literals(n: int) -> int:
    return n + 18446744073709551616


# === radix: true
@icontract.ensure(lambda result: result == 1_000)
def radix(n: int) -> int:
    return 0x3E8 + 0b0 + 0o0


# === dead_code_is_still_checked: unsupported
@icontract.ensure(lambda result: result == 1)
def dead_code_is_still_checked(n: int) -> int:
    return 1
    import os


# === deleted_variable: false
@icontract.ensure(lambda n, result: result == n)
def deleted_variable(n: int) -> int:
    m = n
    del m
    return m


# === annotated_without_value: false
K = 1


@icontract.ensure(lambda result: result == 1)
def annotated_without_value(n: int) -> int:
    K: int
    return K


# === match_statement: unsupported
@icontract.ensure(lambda result: result == 1)
def match_statement(n: int) -> int:
    match n:
        case _:
            return 1


# === wide_literal: false
@icontract.ensure(lambda n, result: result == n + 0xFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFF)
def wide_literal(n: int) -> int:
    return n + 0xFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFE


# === slice_of_text: true
@icontract.ensure(lambda s, result: result + s[2:] == s and len(result) <= 2)
def slice_of_text(s: str) -> str:
    return s[:2]


# === slice_of_text_by_minus_one: false
@icontract.ensure(lambda s, result: len(result) == len(s) - 1)
def slice_of_text_by_minus_one(s: str) -> str:
    return s[:-1]


# === texts_equal_by_items: true
@icontract.ensure(lambda s, t, result: not result or len(s) == len(t) and all(s[i] == t[i] for i in range(len(s))))
def texts_equal_by_items(s: str, t: str) -> bool:
    return s == t


# === texts_equal_by_length: false
@icontract.ensure(lambda s, t, result: result == (s == t))
def texts_equal_by_length(s: str, t: str) -> bool:
    return len(s) == len(t) and (len(s) == 0 or s[0] == t[0])


# === loop_over_text: true
@icontract.ensure(lambda s, result: result == len(s))
def loop_over_text(s: str) -> int:
    k = 0
    for i in range(len(s)):
        if s[i] == s[i]:
            k += 1
    return k


# === escapes: true
@icontract.ensure(lambda result: result == "A")
def escapes(n: int) -> str:
    return "\x41" if "\N{LATIN SMALL LETTER E WITH ACUTE}" == "\u00e9" else "B"
