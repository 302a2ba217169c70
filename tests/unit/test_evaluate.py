"""The kernel's evaluator against Z3's own evaluation, enumeration, and the text of the standard; and its mutants."""

from __future__ import annotations

from itertools import product
from types import ModuleType

import pytest
import z3

from checkers.kernel import bitvectors, evaluate, functions
from tests.mutation import survivors

BINARY = [
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
    "bvcomp",
    "concat",
]
ORDERS = ["bvult", "bvule", "bvugt", "bvuge", "bvslt", "bvsle", "bvsgt", "bvsge"]


def holds(module: ModuleType, script: str, model: str = "") -> str:
    """What the evaluator says of one script."""
    return str(module.evaluate(script, model).status)


def simplified(terms: list[str]) -> dict[str, str]:
    """Z3's values of closed terms, as SMT-LIB."""
    context = z3.Context()
    asserted = z3.parse_smt2_string("".join(f"(assert (= {term} {term}))" for term in terms), ctx=context)
    return {term: str(z3.simplify(formula.arg(0)).sexpr()) for term, formula in zip(terms, asserted, strict=True)}


def says(module: ModuleType, term: str, value: str) -> None:
    """The term has this value and no other one."""
    assert holds(module, f"(assert (= {term} {value}))(check-sat)") == "true", f"{term} = {value}"
    assert holds(module, f"(assert (not (= {term} {value})))(check-sat)") == "false", f"{term} = {value}"


def check_bit_vectors(module: ModuleType) -> None:
    numbers = [f"#b{number:03b}" for number in range(8)]
    for name, a, b in product(BINARY + ORDERS, numbers, numbers):
        says(module, f"({name} {a} {b})", VALUES[f"({name} {a} {b})"])
    for name, a in product(UNARY, numbers):
        says(module, f"({name} {a})", VALUES[f"({name} {a})"])


UNARY = [
    "bvnot", "bvneg", "(_ extract 1 0)", "(_ extract 2 2)", "(_ zero_extend 2)", "(_ sign_extend 2)", "(_ repeat 2)",
    "(_ rotate_left 1)", "(_ rotate_right 1)",
]  # fmt: skip
_NUMBERS = [f"#b{number:03b}" for number in range(8)]
VALUES = simplified(
    [
        *(f"({name} {a} {b})" for name, a, b in product(BINARY + ORDERS, _NUMBERS, _NUMBERS)),
        *(f"({name} {a})" for name, a in product(UNARY, _NUMBERS)),
    ]
)


def check_numbers(module: ModuleType) -> None:
    def spell(number: int) -> str:
        return str(number) if number >= 0 else f"(- {-number})"

    for a, b in product(range(-7, 8), [-3, -2, -1, 1, 2, 3]):
        # The standard: a = b * q + r with 0 <= r < |b|. Enumerated, not computed as the kernel does.
        q, r = next((q, r) for q in range(-8, 9) for r in range(abs(b)) if a == b * q + r)
        says(module, f"(div {spell(a)} {spell(b)})", spell(q))
        says(module, f"(mod {spell(a)} {spell(b)})", spell(r))
    for term, value in [
        ("(+ 1 2 3)", "6"), ("(- 5)", "(- 5)"), ("(- 9 2 3)", "4"), ("(* 2 3 4)", "24"), ("(abs (- 3))", "3"),
        ("(/ 1.0 4.0)", "0.25"), ("(to_int 2.5)", "2"), ("(to_int (- 2.5))", "(- 3)"), ("(to_real 3)", "3.0"),
        ("(is_int 2.0)", "true"), ("(is_int 2.5)", "false"), ("(< 1 2 3)", "true"), ("(< 1 3 2)", "false"),
        ("(<= 1 1)", "true"), ("(>= 1 2)", "false"), ("(> 2 2)", "false"), ("(< 2 2)", "false"), ("(>= 2 2)", "true"),
        ("((_ divisible 3) 9)", "true"), ("((_ divisible 3) 8)", "false"), ("(+ 0.1 0.2)", "0.3"),
        ("(div 7 2 3)", "1"), ("(/ 8.0 2.0 2.0)", "2.0"), ("(+ 1 0.5)", "1.5"),
    ]:  # fmt: skip
        says(module, term, value)


def check_core(module: ModuleType) -> None:
    for a, b in product(["true", "false"], repeat=2):
        x, y = a == "true", b == "true"
        for name, value in [("and", x and y), ("or", x or y), ("xor", x != y), ("=>", not x or y), ("=", x == y)]:
            says(module, f"({name} {a} {b})", str(value).lower())
    for term, wanted in [
        ("(=> true false false)", "true"), ("(xor true true true)", "true"), ("(= 1 1 2)", "false"),
        ("(distinct 1 2 1)", "false"), ("(distinct 1 2 3)", "true"), ("(ite true 1 2)", "1"), ("(ite false 1 2)", "2"),
        ("(let ((x 1)) (let ((x 2) (y x)) (+ x y)))", "3"), ("(! (+ 1 1) :pattern (1))", "2"),
        ("(forall ((b Bool)) (or b (not b)))", "true"), ("(forall ((b Bool)) b)", "false"),
        ("(exists ((b Bool) (c Bool)) (and b (not c)))", "true"), ("(exists ((b Bool)) (and b (not b)))", "false"),
        ("(and true true false)", "false"), ("(or false false true)", "true"), ("(not (and true))", "false"),
    ]:  # fmt: skip
        says(module, term, wanted)


def check_arrays(module: ModuleType) -> None:
    zero = "((as const (Array Int Int)) 0)"
    bits = "((as const (Array Bool Int)) {})"
    for term, value in [
        (f"(select (store {zero} 1 5) 1)", "5"), (f"(select (store {zero} 1 5) 2)", "0"),
        (f"(= (store {zero} 1 0) {zero})", "true"), (f"(= (store {zero} 1 5) {zero})", "false"),
        (f"(= (store (store {zero} 1 5) 1 0) {zero})", "true"),
        (f"(= {zero} ((as const (Array Int Int)) 1))", "false"),
        # Over a finite index sort two tables with different defaults may be one array.
        (f"(= (store (store {bits.format(0)} true 7) false 7) {bits.format(7)})", "true"),
        (f"(= (store {bits.format(0)} true 7) {bits.format(7)})", "false"),
    ]:  # fmt: skip
        says(module, term, value)


def check_models(module: ModuleType) -> None:
    head = "(declare-const x Int)(declare-fun f (Int) Int)(define-fun two () Int 2)"
    head += "(define-fun add ((a Int)) Int (+ a two))"
    assert holds(module, f"{head}(assert (= (add x) 5))(check-sat)", "(define-fun x () Int 3)") == "true"
    assert holds(module, f"{head}(assert (= (add x) 5))(check-sat)", "((define-fun x () Int 4))") == "false"
    model = "(model (define-fun f ((a Int)) Int (ite (= a 1) 7 (- 1))))"
    assert holds(module, f"{head}(assert (and (= (f 1) 7) (= (f 2) (- 1))))(check-sat)", model) == "true"
    assert holds(module, f"{head}(assert (= x 0))(assert (= (f 3) 0))(check-sat)") == "true"
    assert holds(module, f"{head}(assert (= x 0))(assert (= (f 3) 1))(check-sat)") == "false"
    refused = [
        "(define-fun x () Real 3.0)", "(define-fun x () Bool true)", "(define-fun two () Int 3)",
        "(define-fun add ((a Int)) Int 5)", "(define-fun x () Int 3)(define-fun x () Int 4)",
        "(define-fun x () Int true)",
        "(define-fun + ((a Int) (b Int)) Int 5)", "(define-fun x ((a Int)) Int 3)", "(assert true)", "x", "(", ")",
    ]  # fmt: skip
    for model in refused:
        assert holds(module, f"{head}(assert (= (add x) 5))(check-sat)", model) == "unknown", model
    # No model may smuggle in a value of another sort.
    assert holds(module, "(declare-const x Int)(assert (= (* 2 x) 5))", "(define-fun x () Real 2.5)") == "unknown"
    assert holds(module, "(declare-const x Int)(assert x)", "(define-fun x () Int true)") == "unknown"
    assert holds(module, "(declare-const r Real)(assert (= (/ r 2) 0.5))", "(define-fun r () Real 1)") == "true"


def check_open(module: ModuleType) -> None:
    """What the standard or the model leaves open is never guessed."""
    zero = "(declare-const x Int)(declare-const r Real)"
    for term in ["(= (div x 0) 0)", "(= (mod x 0) x)", "(= (/ r 0.0) 0.0)", "(= (/ r 0) 0.0)"]:
        assert holds(module, f"{zero}(assert (or true {term}))(check-sat)") == "unknown", term
    model = "(define-fun div0 ((a Int) (b Int)) Int 4)(define-fun /0 ((a Real)) Real (+ a 1.0))"
    assert holds(module, f"{zero}(assert (= (div x 0) 4))(check-sat)", model) == "true"
    assert holds(module, f"{zero}(assert (= (/ 2.0 0.0) 3.0))(check-sat)", model) == "true"
    declared = f"{zero}(declare-fun div0 (Int Int) Int)"
    assert holds(module, f"{declared}(assert (= (div x 0) 4))(check-sat)", model) == "unknown"
    for formula in [
        "(forall ((k Int)) (= k k))", '(= "a" "a")', "(= (str.len x) 1)", "(f x)", "(and 1 true)", "(= 1 true)",
        "(= (+ 1) 1)",
        "(not true true)", "(= (bvadd #b1 #b10) #b1)", "(= #b1 #b01)", "(select x 1)", "(let ((and true)) and)",
        "(ite 1 2 3)",
        "(let ((y 1) (y 2)) (= y 2))", "x", "(= (abs 1 2) 1)", "(= ((_ extract 5 0) #b1) #b000001)", "(is_int 2.0 2.0)",
        "()",
    ]:  # fmt: skip
        assert holds(module, f"(declare-const x Int)(assert {formula})(check-sat)") == "unknown", formula
    for script in ["(check-sat)", "(push 1)(assert true)", "(declare-const x Int)(declare-const x Int)(assert true)",
                   "(declare-const s String)(assert true)", "(declare-const and Bool)(assert true)"]:  # fmt: skip
        assert holds(module, script) == "unknown", script


CHECKS = [check_core, check_numbers, check_bit_vectors, check_arrays, check_models, check_open]


@pytest.mark.parametrize("check", CHECKS, ids=lambda check: check.__name__)
def test_the_evaluator_follows_the_standard(check: object) -> None:
    assert callable(check)
    check(evaluate)


def check_without_bits(module: ModuleType) -> None:
    for check in CHECKS:
        if check is not check_bit_vectors:
            check(module)


def check_bits(module: ModuleType) -> None:
    check_open(module)
    check_bit_vectors(module)


def test_every_mutant_of_the_theories_is_noticed() -> None:
    table = [
        ('"Bool", last or not all(left)', '"Bool", last or not any(left)'),
        ("% 2 == 1)", "% 2 == 0)"),
        ("combinations(_alike(args), 2)", "pairwise(_alike(args))"),
        ('"<": lambda a, b: a < b', '"<": lambda a, b: a <= b'),
        ('">=": lambda a, b: a >= b', '">=": lambda a, b: a > b'),
        ("numbers[0] - sum(numbers[1:])", "numbers[0] + sum(numbers[1:])"),
        ("a // b if b > 0 else -(a // -b)", "a // b"),
        ("a % abs(b)", "a % b"),
        ("abs(numbers[0])", "numbers[0]"),
        ("data.__floor__()", "data.__trunc__()"),
        ("data.denominator == 1", "data.denominator != 0"),
        ("or len(keys) == _size(kind[1])", "or False"),
        ("bool(left.default == right.default) or", "True or"),
        ("if pair[0] != index)", "if True)"),
        ('raise Open("arguments of different sorts are compared")', "pass"),
    ]
    assert survivors(functions, table, check_without_bits, through=(evaluate,)) == []


def test_every_mutant_of_the_bit_vectors_is_noticed() -> None:
    table = [
        ("return a // b if b else 2**width - 1", "return a // b if b else 0"),
        ("return a % b if b else a", "return a % b if b else 0"),
        ("return -quotient if (x < 0) != (y < 0) else quotient", "return quotient"),
        ("return -remainder if x < 0 else remainder", "return remainder"),
        ("return x % y if y else x", "return abs(x) % abs(y) if y else x"),
        ("a << b if b < width else 0", "a << (b % width)"),
        ("_signed(width, a) >> b", "a >> b"),
        ("number - 2**width if number >> (width - 1) else number", "number"),
        ("bits(width + more, _signed(width, number))", "bits(width + more, number)"),
        ("number << count | number >> (width - count)", "number >> count | number << (width - count)"),
        ('if name[2] == "s" else number', 'if name[2] == "u" else number'),
        ("(a[0] + b[0], a[1] << b[0] | b[1])", "(a[0] + b[0], b[1] << a[0] | a[1])"),
        ("width > high >= low", "high >= low"),
        ('raise Open("bit vectors of different widths")', "pass"),
    ]
    assert survivors(bitvectors, table, check_bits, through=(functions, evaluate)) == []


def test_every_mutant_of_the_evaluator_is_noticed() -> None:
    table = [
        ('found == {True} if kind == "forall" else True in found', "True in found"),
        ("function is None or key in self.declared or key in self.defined", "function is None"),
        ("self._term(then if boolean", "self._term(then if not boolean"),
        ("if self.declared.get(name, signature) != signature:", "if False:"),
        ("if name in self.model or name in self.defined or name in THEORY:", "if False:"),
        ('return Result("true") if formulas else', 'return Result("true") if True else'),
        ("names[name] = yield self._term(bound, scope)", "names[name] = yield self._term(bound, names)"),
        ("if name in _OPEN_AT_ZERO and any(arg.data == 0 for arg in args[1:]):", "if False:"),
        ("return fit((function.result,), (", "return tuple(("),
        ("if len({_pair(pair)[0] for pair in pairs}) != len(pairs):", "if False:"),
    ]
    assert survivors(evaluate, table, check_without_bits) == []


def test_deep_terms_and_circles_end() -> None:
    deep = "(assert " + "(not " * 4000 + "true" + ")" * 4000 + ")"
    assert evaluate.evaluate(deep, "").status == "true"
    circle = "(define-fun f ((a Int)) Int (f a))"
    script = "(declare-fun f (Int) Int)(assert (= (f 1) 1))"
    assert evaluate.evaluate(script, circle).status == "unknown"
    growing = "(define-fun f ((a Int)) Int (+ (f a) (f a)))"
    assert evaluate.evaluate(script, growing).status == "unknown"


def test_models_are_shown_constant_by_constant() -> None:
    script = "(declare-const x Int)(declare-const b (_ BitVec 4))(declare-const p Bool)(assert p)(check-sat)"
    shown = evaluate.values_of(script, "(define-fun x () Int (- 3))(define-fun b () (_ BitVec 4) #xa)")
    assert shown == {"x": "(- 3)", "b": "#b1010", "p": "false"}
