"""The SMT-LIB reader: what is one question, and what is bad input at which place."""

from __future__ import annotations

import pytest

from checkers.formula.canonical import elaborate
from checkers.formula.smtlib import parse, print_script
from verifier.errors import VerifierError

ASK = "(check-sat)"

BAD = [
    ("", 1, 1, "no (check-sat)"),
    ("(assert true)", 1, 14, "no (check-sat)"),
    ("(check-sat)", 1, 1, "asserts nothing"),
    ("(assert true)\n(check-sat)\n(check-sat)", 3, 1, "second (check-sat)"),
    ("(assert true)(check-sat)\n (assert false)", 2, 2, "after (check-sat)"),
    ("(push 1)(assert true)(check-sat)", 1, 2, "`push` is not allowed"),
    ("(assert true)\n  (reset)(check-sat)", 2, 4, "`reset` is not allowed"),
    ("(assert true)(check-sat-assuming (p))", 1, 15, "is not allowed"),
    ("(assert true)(get-model)(check-sat)", 1, 14, "before (check-sat)"),
    ("(frobnicate)", 1, 2, "unknown command"),
    ("(|assert| true)(check-sat)", 1, 2, "unknown command"),
    ("(assert true false)(check-sat)", 1, 1, "takes 1 argument(s), not 2"),
    ("(set-option :timeout 10)(assert true)(check-sat)", 1, 13, ":timeout"),
    ("(set-option :rlimit 10)(assert true)(check-sat)", 1, 13, ":rlimit"),
    ("(set-logic NONSENSE)(assert true)(check-sat)", 1, 12, "name of a logic"),
    ("(declare-const x Int)(set-logic QF_LIA)(assert true)(check-sat)", 1, 22, "before everything else"),
    ("(define-fun-rec f ((x Int)) Int (f x))(assert true)(check-sat)", 1, 2, "recursive"),
    ("(assert true)(exit)(check-sat)", 1, 20, "nothing may follow"),
    ("(assert (and true\n  true)", 1, 1, "never closed"),
    ("(assert true))", 1, 14, "without an opening"),
    ('(assert "abc', 1, 9, "string is never closed"),
    ("(assert |abc", 1, 9, "quoted symbol is never closed"),
    ("(assert #q)", 1, 9, "unexpected character"),
    ("(assert 007)", 1, 9, "does not start with 0"),
    ("(assert 1a)", 1, 9, "cannot follow"),
    ('(assert "a\x00")', 1, 9, "U+0000"),
    ('(assert "\U00030000")', 1, 9, "U+30000"),
    ("x", 1, 1, "a command is expected"),
]

ILL_SORTED = [
    ("(assert (> x y))", 9 + 3, "`x` is not declared"),
    ("(assert (frob 1))", 10, "`frob` is not declared"),
    ("(assert 1)", 9, "sort Bool is expected"),
    ("(assert (> 1 true))", 9, "takes numbers"),
    ("(assert (and true 1))", 9, "takes arguments of sort Bool"),
    ("(assert (= 1 true))", 9, "arguments of one sort"),
    ("(declare-const x Int)(assert (x 1))", 30, "takes 0 argument(s)"),
    ("(declare-fun f (Int) Int)(assert (= f 1))", 37, "takes 1 argument(s)"),
    ("(declare-fun f (Int) Int)(assert (= (f true) 1))", 37, "sort Int is expected"),
    ("(declare-const x Foo)(assert true)", 18, "the sort `Foo` is not declared"),
    ("(declare-const x Int)(declare-const x Int)(assert true)", 37, "declared twice"),
    ("(declare-const and Bool)(assert and)", 16, "belongs to a theory"),
    ("(declare-const @x Bool)(assert true)", 16, "reserved for solvers"),
    ("(define-fun f ((x Int)) Bool (+ x 1))(assert (f 1))", 30, "sort Bool is expected"),
    ("(assert (let ((x 1) (x 2)) true))", 14, "bound twice"),
    ("(assert (let ((and 1)) true))", 15, "belongs to a theory"),
    ("(assert (forall () true))", 9, "without a variable"),
    ("(assert (bvult #b1 #b01))", 9, "arguments of one sort"),
    ("(assert (= ((_ extract 4 0) #b1) #b1))", 12, "outside of the vector"),
    ("(assert (! true :named p))", 17, "names of terms"),
    ("(assert (true))", 9, "constants stand without"),
    ("(assert ())", 9, "a term is expected"),
    ("(assert (_ bv9 3))", 9, "does not fit"),
    ("(assert let)", 9, "a term is expected"),
]


@pytest.mark.parametrize(("text", "line", "column", "message"), BAD)
def test_what_is_no_question_is_refused_at_its_place(text: str, line: int, column: int, message: str) -> None:
    with pytest.raises(VerifierError) as caught:
        parse(text)
    assert caught.value.code == "bad-smtlib"
    assert message in caught.value.message
    assert caught.value.span is not None
    assert (caught.value.span.line, caught.value.span.column) == (line, column)


@pytest.mark.parametrize(("text", "column", "message"), ILL_SORTED)
def test_what_has_no_sort_is_refused_at_its_place(text: str, column: int, message: str) -> None:
    with pytest.raises(VerifierError) as caught:
        elaborate(parse(f"; a comment\n{text}{ASK}"))
    assert caught.value.code == "bad-smtlib"
    assert message in caught.value.message
    assert caught.value.span is not None
    assert (caught.value.span.line, caught.value.span.column) == (2, column)


def test_everything_harmless_is_read_and_dropped() -> None:
    script = parse(
        """; comment with ( and "
        (set-info :status unsat) (set-option :produce-models true) (set-logic QF_LIA)
        (set-info :source |several
        lines ( |)
        (declare-fun |a b| () Int) (declare-const x Int) ; another
        (define-sort I () Int)
        (assert (< x |a b|)) (check-sat) (get-model) (get-value (x)) (echo "bye") (exit)"""
    )
    assert print_script(script, negate=False).text == (
        "(set-logic QF_LIA)\n(declare-fun |a b| () Int)\n(declare-const x Int)\n(define-sort I () Int)\n"
        "(assert (< x |a b|))\n(check-sat)\n"
    )


def test_validity_asserts_the_negation_of_the_conjunction() -> None:
    one = parse("(declare-const p Bool)(assert p)(check-sat)")
    assert "(assert (not p))" in print_script(one, negate=True).text
    two = parse("(declare-const p Bool)(assert p)(declare-const q Bool)(assert q)(check-sat)")
    text = print_script(two, negate=True).text
    assert text.endswith("(declare-const q Bool)\n(assert (not (and p q)))\n(check-sat)\n")


def test_strings_and_symbols_are_spelled_so_that_both_solvers_agree() -> None:
    script = parse(
        '(declare-const |x| String)(declare-const |let| Bool)(assert (= x "a""é\\"))(assert |let|)(check-sat)'
    )
    text = print_script(script, negate=False).text
    assert '(assert (= x "a""\\u{e9}\\"))' in text
    assert "(declare-const x String)" in text
    assert "(assert |let|)" in text


def test_places_of_the_printed_script_lead_back_to_the_source() -> None:
    script = parse("(declare-const p Bool)\n\n(assert\n   (and p\n     (or   p   p)))\n(check-sat)")
    for negate in (False, True):
        printed = print_script(script, negate=negate)
        line = next(k for k, text in enumerate(printed.text.split("\n"), 1) if "(or" in text)
        column = printed.text.split("\n")[line - 1].index("(or") + 1
        span = printed.locate(line, column + 1)
        assert span is not None
        assert (span.line, span.column) == (5, 7)


@pytest.mark.parametrize("depth", [3_000, 100_000])
def test_deep_nesting_ends_in_a_term_or_an_error(depth: int) -> None:
    text = "(assert " + "(not " * depth + "true" + ")" * depth + ")(check-sat)"
    if depth < 4_000:
        assert elaborate(parse(text))[0].data is True
    else:
        with pytest.raises(VerifierError, match="nested deeper"):
            parse(text)


def test_a_script_has_a_limited_size() -> None:
    with pytest.raises(VerifierError, match="longer than"):
        parse(" " * (4 * 2**20 + 1))
