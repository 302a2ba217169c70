"""Canonical texts of formulas: particular twins and particular neighbours, and the mutants of the rules."""

from __future__ import annotations

from types import ModuleType

import pytest

from checkers.formula import canonical, carry, linear, rewrite
from checkers.formula.smtlib import parse
from tests.mutation import survivors

HEAD = (
    "(declare-const x Int)(declare-const y Int)(declare-const r Real)(declare-const s Real)(declare-const p Bool)"
    "(declare-const q Bool)(declare-const b (_ BitVec 4))(declare-const c (_ BitVec 4))(declare-fun f (Int) Int)"
)
TWINS = [
    ("(=> true p)", "p"), ("(xor p true)", "(not p)"),
    ("(< x y)", "(> y x)"), ("(< x y)", "(<= (+ x 1) y)"), ("(< x y)", "(not (>= x y))"), ("(not (< r s))", "(<= s r)"),
    ("(- x y)", "(+ x (* (- 1) y))"), ("(<= (* 2 x) 7)", "(<= x 3)"), ("(>= (* 2 x) 7)", "(>= x 4)"),
    ("(<= (* 4 x) (* 2 y))", "(<= (* 2 x) y)"), ("(= (* 2 x) (* 2 y))", "(= y x)"), ("(= (* 2 x) 7)", "false"),
    ("(< (* 2.0 r) 7.0)", "(< r 3.5)"), ("(< (/ r 2.0) s)", "(< r (* s 2.0))"), ("(=> p q)", "(or q (not p))"),
    ("(xor p q)", "(not (= q p))"), ("(= p (not q))", "(xor p q)"), ("(distinct p q)", "(xor q p)"),
    ("(not (and p (not q)))", "(=> p q)"), ("(and p (and q p))", "(and q p)"), ("(and p (not p))", "false"),
    ("(or p true)", "true"), ("(ite (not p) x y)", "(ite p y x)"), ("(ite p q q)", "q"), ("(ite p true q)", "(or p q)"),
    ("(ite p q false)", "(and p q)"), ("(not (forall ((k Int)) (< k x)))", "(exists ((j Int)) (>= j x))"),
    ("(bvugt b c)", "(bvult c b)"), ("(bvule b c)", "(not (bvult c b))"), ("(bvadd b (bvadd c b))", "(bvadd b b c)"),
    ("(= b #x3)", "(= #b0011 b)"), ("(let ((z (+ x 1))) (= z (* z 2)))", "(= (+ x 1) (* 2 (+ 1 x)))"),
    ("(+ x 1 2)", "(+ 3 x)"), ("(* 2 x 3)", "(* 6 x)"), ("(div 7 (- 2))", "(- 3)"), ("(mod (- 7) 2)", "1"),
    ("(< 1 x 3)", "(and (> x 1) (< x 3))"), ("(- (- x))", "x"), ("(to_real 3)", "3.0"),
    ("(* x (* y 2))", "(* 2 (* y x))"), ("(= 1 2)", "false"), ("(= #b01 #b01)", "true"),
]  # fmt: skip
NEIGHBOURS = [
    ("(ite p x y)", "(ite p y x)"),
    ("(< x y)", "(<= x y)"), ("(< r s)", "(<= r s)"), ("(<= (* 2 x) 7)", "(<= x 4)"), ("(>= (* 2 x) 7)", "(>= x 3)"),
    ("(- x y)", "(- y (* 2 x))"), ("(=> p q)", "(and p q)"), ("(< r 0.5)", "(< r 0.25)"), ("(= x 1)", "(= x 2)"),
    ("(forall ((k Int)) (< k x))", "(exists ((k Int)) (< k x))"), ("(bvult b c)", "(bvslt b c)"),
    ("(= b #x3)", "(= b #x4)"), ("(div x 2)", "(mod x 2)"), ("(ite p x y)", "(ite p x x)"), ("(f x)", "(f (f x))"),
    ("(= (* 2 x) (* 4 y))", "(= x y)"), ("(< (* 2.0 r) 7.0)", "(<= (* 2.0 r) 7.0)"), ("(div 7 (- 2))", "(- 4)"),
    ("(forall ((k Int)) (exists ((j Int)) (< k j)))", "(forall ((k Int)) (exists ((j Int)) (< j k)))"),
    ("(forall ((k Int)) (= (f k) 0))", "(forall ((k Real)) (= r 0.0))"), ("(bvsub b c)", "(bvadd b c)"),
    ("(xor p q)", "(= p q)"), ("(distinct x y 1)", "(not (= x y 1))"), ("(and p q)", "(or p q)"),
    ("(* x x)", "(* x y)"),
    ("(ite p x y)", "(ite p y (+ x 1))"), ("(mod (- 7) 2)", "(- 1)"), ("(not (< r s))", "(< s r)"), ("(+ x x)", "x"),
    ("(bvadd b b)", "(bvand b b)"), ("(xor p p)", "p"), ("(<= r 1.5)", "(<= r 1.0)"), ("(<= r (- 1.5))", "(<= r 1.5)"),
]  # fmt: skip


def text(module: ModuleType, term: str, question: str = "valid") -> str:
    """The canonical text of a claim in which the term occurs."""
    value = "(+ x y)" if not term.startswith(BOOLEAN) and term not in ("p", "q", "true", "false") else None
    value = "s" if term in ("3.0", "(to_real 3)") else value
    value = "(bvmul b c)" if term.startswith(("(bvadd", "(bvsub", "(bvand")) else value
    whole = f"(= {term} {value})" if value else term
    # Both names of each sort are told apart here, so that only the term itself can make a difference.
    script = f"{HEAD}(assert {whole})(assert (< (f x) y))(assert (or p (f 1)))".replace(
        "(or p (f 1))", "(or p (= (f 1) 1))"
    )
    script += "(assert (< r (* 7.0 s)))(assert (bvult b (bvmul c #x5)))(assert (=> p (= x 77)))(assert (or q (= y 78)))"
    return str(module.canonicalise(parse(script + "(check-sat)"), question).text)


BOOLEAN = (
    "(<", "(>", "(=", "(not", "(and", "(or", "(xor", "(distinct", "(forall", "(exists", "(bvu", "(bvs", "(ite p q",
    "(ite p t",
    "(let",
)  # fmt: skip


def check_twins(module: ModuleType) -> None:
    for one, other in TWINS:
        assert text(module, one) == text(module, other), (one, other)


def check_neighbours(module: ModuleType) -> None:
    for one, other in NEIGHBOURS:
        assert text(module, one) != text(module, other), (one, other)


def check(module: ModuleType) -> None:
    check_twins(module)
    check_neighbours(module)


def test_twins_have_one_text() -> None:
    check_twins(canonical)


def test_neighbours_have_texts_of_their_own() -> None:
    check_neighbours(canonical)


def whole(script: str, question: str = "valid") -> str:
    return canonical.canonicalise(parse(script + "(check-sat)"), question).text


def test_names_order_and_layout_make_no_difference() -> None:
    one = "(declare-const x Int)(declare-const y Int)(assert (< x (* 2 y)))(assert (> y 3))"
    other = "(declare-fun b () Int)\n(declare-const a Int) ; turned\n(assert (< 3 a))(assert (> (* a 2) b))"
    assert whole(one) == whole(other)
    assert whole(one) == whole("(declare-const unused Real)(set-info :status sat)" + one)
    assert whole(one) == whole("(define-fun twice ((k Int)) Int (* 2 k))" + one.replace("(* 2 y)", "(twice y)"))


def test_what_belongs_to_the_claim_makes_a_difference() -> None:
    script = "(declare-fun f (Int) Int)(declare-const x Int)(assert (< (f x) x))"
    texts = [
        whole(script), whole(script, "satisfiable"), whole(script, "unsatisfiable"),
        whole(script.replace("f (", "g (").replace("(f", "(g")),
        whole(script.replace("Int", "Real")), whole(script + "(assert (> x 0))"),
    ]  # fmt: skip
    assert len(set(texts)) == len(texts)
    sorts = "(declare-sort {0} 0)(declare-const a {0})(declare-const b {0})(assert (= a b))"
    assert whole(sorts.format("U")) != whole(sorts.format("V"))


def test_crossed_constants_are_not_confused() -> None:
    """Equal up to the names of constants only where one renaming serves the whole formula."""
    head = "(declare-const x Int)(declare-const y Int)"
    one = whole(f"{head}(assert (< x 3))(assert (< (* 2 x) y))")
    other = whole(f"{head}(assert (< x 3))(assert (< (* 2 y) x))")
    assert one != other
    ring = "".join(f"(declare-const v{k} Int)" for k in range(6))
    six = whole(
        ring
        + "".join(f"(assert (< v{k} (f v{(k + 1) % 6})))" for k in range(6)).join(["(declare-fun f (Int) Int)", ""])
    )
    two = whole(
        ring
        + "".join(f"(assert (< v{k} (f v{k // 3 * 3 + (k + 1) % 3})))" for k in range(6)).join(
            ["(declare-fun f (Int) Int)", ""]
        )
    )
    assert six != two  # colour refinement alone cannot tell one ring of six from two rings of three


def test_symmetric_constants_do_not_explode() -> None:
    names = [f"v{k}" for k in range(12)]
    script = "".join(f"(declare-const {name} Int)(assert (> {name} 0))" for name in names)
    script += f"(assert (= 100 (+ {' '.join(names)})))"
    assert whole(script).startswith("formula\n")
    assert whole(script) == whole(script.replace("v", "w"))


def test_long_chains_and_towers_of_squares_end() -> None:
    chain = "".join(f"(declare-const v{k} Int)" for k in range(400))
    chain += "".join(f"(assert (< v{k} (* 2 v{k + 1})))" for k in range(399))
    assert whole(chain)
    tower = "(declare-const x Int)(assert (let ((a0 (+ x 1)))" + "".join(
        f"(let ((a{k + 1} (* a{k} a{k})))" for k in range(200)
    )
    assert whole(tower + "(> a200 0)" + ")" * 202)


def test_datatypes_are_kept_as_they_are_written() -> None:
    script = "(declare-datatypes ((L 0)) (((nil) (cons (hd Int) (tl L)))))(declare-const a L)(assert ((_ is cons) a))"
    assert whole(script) == whole(script.replace(")(", ")\n("))


def test_models_travel_to_twins() -> None:
    model = "(define-fun x () Int 3)\n(define-fun f ((x Int)) Int (+ x 1))"
    renamed = carry.rename_model(model, {"x": "c0", "y": "c1"}, {"a b": "c0", "z": "c1"})
    assert renamed == "(define-fun |a b| () Int 3)\n(define-fun f ((x Int)) Int (+ x 1))"
    assert carry.rename_model("(", {"x": "c0"}, {"y": "c0"}) == "("


@pytest.mark.parametrize(
    ("module", "through", "table"),
    [
        (
            rewrite,
            (canonical,),
            [
                ('junction("or", [*(self.negate(arg)', 'junction("and", [*(self.negate(arg)'),
                ('return self.graph.truth(term.data is not True)', 'return self.graph.truth(term.data is True)'),
                ('"<" if term.op == "<=" else "<="', '"<=" if term.op == "<=" else "<"'),
                ("return self.negate(result) if odd else result", "return result"),
                ("test, then, other = self.negate(test), other, then", "test = self.negate(test)"),
                ("difference, strict = difference.shifted(1), False", "strict = False"),
                ('name, a, b = name.replace(">", "<"), b, a', 'name = name.replace(">", "<")'),
                ("if sort == INT and scaled.constant.denominator != 1:", "if False:"),
                ('_DUAL = {"and": "or"', '_DUAL = {"and": "and"'),
                ("name, args = name.replace(\"gt\", \"lt\").replace(\"ge\", \"le\"), (args[1], args[0])",
                 "name = name.replace(\"gt\", \"lt\").replace(\"ge\", \"le\")"),
                ("return self.negate(self.bits(name.replace", "return (self.bits(name.replace"),
                ("return self.negate(self.equal(args))", "return self.equal(args)"),
                ("return self.negate(self.parity(args))", "return self.parity(args)"),
                ('COMMUTATIVE = frozenset(["and", "or"', 'COMMUTATIVE = frozenset(["and", "ite", "or"'),
                ('"<" if strict else "<="', '"<="'),
            ],
        ),
        (
            linear,
            (rewrite, canonical),
            [
                ("scaled.constant.__ceil__()", "scaled.constant.__floor__()"),
                ("Fraction(scale, common)", "Fraction(-scale, common)"),
                ("if value < 0}", "if value}"),
                ("remainder = a % abs(b)", "remainder = a % b"),
                ("value.plus(other, -1), values", "value.plus(other, 1), values"),
                ("times(1 / number(b))", "times(number(b))"),
                ("factor *= coefficient", "factor *= 1"),
                ("max(-self.constant, Fraction(0))", "Fraction(0)"),
            ],
        ),
    ],
    ids=["rewrite", "linear"],
)  # fmt: skip
def test_every_mutant_of_the_rules_is_noticed(
    module: ModuleType, through: tuple[ModuleType, ...], table: list[tuple[str, str]]
) -> None:
    assert survivors(module, table, check, through=through) == []


def test_every_mutant_of_the_naming_is_noticed() -> None:
    def strict(module: ModuleType) -> None:
        check(module)
        head = "(declare-fun g (Int Int) Bool)(declare-fun f (Int) Int)(declare-const x Int)(declare-const y Int)"
        # One assertion without commutative functions: no order of arguments hides what the text leaves out.
        formulas = [
            "(g 1 2)", "(g 1 3)", "(g x (f x))", "(g (f x) x)", "(g x y)", "(g x x)", "(forall ((k Int)) (g k x))",
            "(exists ((k Int)) (g k x))", "(forall ((k Int)) (g x k))",
        ]  # fmt: skip
        found = [module.canonicalise(parse(f"{head}(assert {each})(check-sat)"), "valid") for each in formulas]
        found += [module.canonicalise(parse(f"{head}(assert (g 1 2))(check-sat)"), "satisfiable")]
        found += [module.canonicalise(parse(f"{head.replace('g', 'h')}(assert (h 1 2))(check-sat)"), "valid")]
        assert len({each.text for each in found}) == len(found)
        assert all(len(set(each.renaming.values())) == len(each.renaming) for each in found)

    table = [
        ('["formula", question, *header, text]', '["formula", *header, text]'),
        ('names[str(node.data)] = f"c{len(names)}"', 'names[str(node.data)] = "c0"'),
        ("{spelled(data)}, {node.sort!r}", "None, {node.sort!r}"),
        ("{[numbers[arg] for arg in args]})", "{sorted(numbers[arg] for arg in args)})"),
        ("({node.op!r}, {spelled", "(0, {spelled"),
    ]
    assert survivors(canonical, table, strict) == []
