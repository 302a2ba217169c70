"""Contracts: which conditions a function has, in which order, in which scope; and the errors of contracts."""

from __future__ import annotations

import pytest

from checkers.lang import ir
from checkers.lang.interp import evaluate
from checkers.lang.lower import lower
from verifier.errors import Unsupported, VerifierError

HEAD = "import icontract\nfrom icontract import ensure, require, snapshot\n"
NAGINI = "from verifier.contracts import *\n"


def contract(source: str, *, head: str = HEAD) -> ir.Contract:
    return lower(head + source, "f").function.contract


def test_conditions_stand_in_the_order_in_which_icontract_evaluates_them() -> None:
    source = """
@require(lambda x: seen("r1", x))
@ensure(lambda x: seen("e1", x))
@require(lambda x: seen("r2", x))
@ensure(lambda x: seen("e2", x))
def f(x: int) -> int:
    return x
def seen(label: str, x: int) -> bool:
    return True
"""
    log: list[str] = []
    space: dict[str, object] = {}
    exec(HEAD + source, space)

    def seen(label: str, x: int) -> bool:
        log.append(label)
        return True

    space["seen"] = seen
    space["f"](3)  # type: ignore[operator]
    found = contract(source)
    ours = [clause.expr.args[0].value for clause in (*found.requires, *found.ensures)]  # type: ignore[union-attr]
    assert ours == log == ["r2", "r1", "e2", "e1"]


@pytest.mark.parametrize(
    ("head", "name"),
    [("from icontract import require as needs\n", "needs"), ("import icontract as i\n", "i.require")],
)
def test_the_library_is_known_by_its_import_whatever_its_alias(head: str, name: str) -> None:
    found = contract(f"@{name}(lambda x: x > 0, 'positive')\ndef f(x: int) -> int:\n    return x\n", head=head)
    assert [clause.text for clause in found.requires] == ["x > 0"]
    assert found.notation == "icontract"


def test_a_condition_may_be_the_name_of_a_function() -> None:
    source = "@require(positive)\n@ensure(same)\ndef f(x: int, y: int) -> int:\n    return x\n"
    source += "def positive(y: int) -> bool:\n    return y > 0\n"
    source += "def same(result: int, x: int) -> bool:\n    return x == result\n"
    found = contract(source)
    assert isinstance(found.requires[0].expr, ir.Call)
    assert evaluate(found.requires[0].expr, {"x": 0, "y": 3}) is True
    assert evaluate(found.ensures[0].expr, {"x": 1, "y": 3, "result": 2}) is False


def test_old_is_the_snapshot_on_the_entry_values() -> None:
    source = "@snapshot(lambda xs: len(xs), name='size')\n@snapshot(lambda xs: xs[:])\n"
    source += "@ensure(lambda result, OLD: len(result) == OLD.size + 1 and result[:-1] == OLD.xs)\n"
    source += "def f(xs: list[int]) -> list[int]:\n    xs = xs + [1]\n    return xs\n"
    clause = contract(source).ensures[0].expr
    assert evaluate(clause, {"xs": [4], "result": [4, 1]}) is True
    assert evaluate(clause, {"xs": [4], "result": [5, 1]}) is False


def test_nagini_names_read_entry_values_and_the_result() -> None:
    source = """
def f(xs: list[int], n: int) -> int:
    "text"
    Requires(n > 0)
    Ensures(Implies(len(xs) > 0, Exists(xs, lambda v: v >= Old(n) - Result())))
    Exsures(ValueError, n > 9)
    Requires(Forall(range(len(xs)), lambda k: xs[k] > 0))
    return n
"""
    found = contract(source, head=NAGINI)
    assert [clause.text for clause in found.requires] == ["n > 0", "Forall(range(len(xs)), lambda k: xs[k] > 0)"]
    assert found.notation == "nagini"
    assert found.exsures[0].exception == "ValueError"
    assert evaluate(found.ensures[0].expr, {"xs": [], "n": 1, "result": 1}) is True
    assert evaluate(found.ensures[0].expr, {"xs": [3], "n": 9, "result": 5}) is False
    assert evaluate(found.requires[1].expr, {"xs": [3, 0], "n": 9}) is False


@pytest.mark.parametrize(
    ("head", "name"),
    [
        ("from nagini_contracts.contracts import Requires as R\n", "R"),
        ("import nagini_contracts.contracts as n\n", "n.Requires"),
        ("import verifier.contracts\n", "verifier.contracts.Requires"),
        ("from verifier import contracts as c\n", "c.Requires"),
    ],
)
def test_nagini_names_are_known_by_their_import(head: str, name: str) -> None:
    found = contract(f"def f(x: int) -> int:\n    {name}(x > 0)\n    return x\n", head=head)
    assert [clause.text for clause in found.requires] == ["x > 0"]


def test_exceptions_are_listed_beside_icontract() -> None:
    head = HEAD + "from verifier.contracts import Exsures\n"
    source = "@require(lambda x: x > 0)\ndef f(x: int) -> int:\n    Exsures(KeyError, x > 3)\n    return x\n"
    found = contract(source, head=head)
    assert (found.notation, found.exsures[0].exception) == ("icontract", "KeyError")


def test_safety_needs_no_contract_and_drops_postconditions() -> None:
    source = HEAD + "@require(lambda x: x > 0)\n@ensure(lambda result: 1 / 0)\ndef f(x: int) -> int:\n    return x\n"
    found = lower(source, "f", safety=True).function.contract
    assert (len(found.requires), found.ensures) == (1, ())
    assert lower("def f(x: int) -> int:\n    return x\n", "f", safety=True).function.contract == ir.Contract()


def test_loop_notes_are_read_at_the_top_of_the_body() -> None:
    source = """
def f(n: int) -> int:
    Requires(n >= 0)
    i = 0
    while i < n:
        Invariant(0 <= i)
        Decreases((n - i, 0))
        Invariant(Old(n) == n)
        i += 1
    return i
"""
    loop = lower(NAGINI + source, "f").loops["f.0"]
    assert (len(loop.given.invariants), len(loop.given.decreases), len(loop.body)) == (2, 2, 1)


# --- errors ----------------------------------------------------------------------------------------------------

BODY = "def f(x: int) -> int:\n    return x\n"

BAD = [
    (HEAD, "@require(lambda x: x > y)\n" + BODY, 3, 24, "the name `y` is not defined here"),
    (HEAD, "@require(lambda y: y > 1)\n" + BODY, 3, 17, "the condition names `y`"),
    (HEAD, "@require(lambda x, result: x > 1)\n" + BODY, 3, 20, "`result` is not available"),
    (HEAD, "@require(lambda x, OLD: x > 1)\n" + BODY, 3, 20, "`OLD` is not available"),
    (HEAD, "@ensure(lambda result: g(result))\n" + BODY, 3, 24, "the function `g` is not defined"),
    (HEAD, "@ensure(lambda OLD, result: OLD.x == result)\n" + BODY, 3, 29, "there is no snapshot"),
    (HEAD, "@snapshot(lambda x: x)\n@ensure(lambda OLD: OLD.z)\n" + BODY, 4, 21, "no snapshot named `z`"),
    (HEAD, "@ensure(lambda x: x)\n@snapshot(lambda x: x)\n" + BODY, 4, 2, "icontract refuses a snapshot"),
    (HEAD, "@require\n" + BODY, 3, 2, "needs a condition"),
    (HEAD, "@require()\n" + BODY, 3, 2, "has no condition"),
    (HEAD, "@require(lambda x: x, message='a')\n" + BODY, 3, 2, "cannot take `message`"),
    (HEAD, "@require(missing)\n" + BODY, 3, 10, "`missing` is not a function"),
    (NAGINI, "def f(x: int) -> int:\n    Requires(y > 1)\n    y = 1\n    return x\n", 3, 14, "`y` is a local variable"),
    (NAGINI, "def f(x: int) -> int:\n    Requires(Result() > 1)\n    return x\n", 3, 14, "postcondition only"),
    (NAGINI, "def f(x: int) -> int:\n    Requires(Old(x) > 1)\n    return x\n", 3, 14, "`Old` stands"),
    (NAGINI, "def f(x: int) -> int:\n    Ensures(x, 1)\n    return x\n", 3, 5, "takes 1 argument, not 2"),
    (NAGINI, "def f(x: int) -> int:\n    Ensures(Iterations() > 1)\n    return x\n", 3, 13, "`Iterations()` stands"),
]


@pytest.mark.parametrize(("head", "source", "line", "column", "message"), BAD)
def test_a_contract_that_nobody_can_evaluate(head: str, source: str, line: int, column: int, message: str) -> None:
    with pytest.raises(VerifierError) as caught:
        lower(head + source, "f")
    error = caught.value
    assert error.code == "bad-contract", error.message
    assert error.span is not None
    assert (error.span.line, error.span.column) == (line, column), error.message
    assert message in error.message


DEAL = "import deal\n"
UNSUPPORTED = [
    (HEAD, "@require(lambda x: x, error=ValueError)\n" + BODY, 3, 29, "`error` in an icontract decorator"),
    (HEAD, "@require(lambda x: x, enabled=False)\n" + BODY, 3, 31, "`enabled`"),
    (HEAD, "@require(lambda x, y=1: x)\n" + BODY, 3, 10, "parameters of the condition"),
    (HEAD, "@require(lambda x, _ARGS: x)\n" + BODY, 3, 20, "`_ARGS` in a contract"),
    (HEAD, "@require(len)\n" + BODY, 3, 10, ""),
    (HEAD, "@require(abs and (lambda x: x))\n" + BODY, 3, 10, "not a lambda"),
    (HEAD, "@property\n@require(lambda x: x)\n" + BODY, 3, 2, "decorator `property`"),
    (HEAD, "@icontract.invariant(lambda x: x)\n" + BODY, 3, 2, "decorator `icontract.invariant`"),
    (
        HEAD,
        "@snapshot(lambda x: 1 // x, name='y')\n@ensure(lambda OLD: OLD.y)\n" + BODY,
        3,
        21,
        "snapshot that may raise",
    ),
    (
        HEAD,
        "@snapshot(lambda x: [x][0], name='y')\n@ensure(lambda OLD: OLD.y)\n" + BODY,
        3,
        21,
        "snapshot that may raise",
    ),
    (
        HEAD,
        "@snapshot(lambda x: 3 % x, name='y')\n@ensure(lambda OLD: OLD.y)\n" + BODY,
        3,
        21,
        "snapshot that may raise",
    ),
    (HEAD, "require = 3\n@require(lambda x: x)\n" + BODY, 4, 2, "not bound once"),
    ("", "@require(lambda x: x)\n" + BODY, 1, 2, "not bound once"),
    (HEAD + "from other import *\n", "@require(lambda x: x)\n" + BODY, 5, 10, "may come from"),
    (DEAL, "@deal.pre(lambda x: x)\n" + BODY, 2, 2, "in the notation of deal"),
    ("", "def f(x: int) -> int:\n    'pre: x > 0'\n    return x\n", 2, 5, "PEP 316"),
    (
        HEAD + NAGINI,
        "@require(lambda x: x)\ndef f(x: int) -> int:\n    Requires(x)\n    return x\n",
        5,
        1,
        "two contract",
    ),
    (HEAD + NAGINI, "@require(lambda x: Implies(x, x))\n" + BODY, 4, 20, "`Implies` in an icontract condition"),
    (NAGINI, "def f(x: int) -> int:\n    y = x\n    Requires(y)\n    return x\n", 4, 5, "`Requires` at this place"),
    (NAGINI, "def f(x: int) -> int:\n    Requires(x)\n    Decreases(x)\n    return x\n", 4, 5, "`Decreases`"),
    (NAGINI, "def f(x: int) -> int:\n    Requires(Acc(x))\n    return x\n", 3, 14, "`Acc`"),
    (NAGINI, "def f(x: int) -> int:\n    Requires(x)\n    return Old(x)\n", 4, 12, "`Old` outside a contract"),
    (NAGINI, "def f(x: int) -> int:\n    Ensures(Forall(int, lambda k: k > x))\n    return x\n", 3, 13, "bounded"),
    (
        NAGINI,
        "def f(x: int) -> int:\n    Ensures(Forall([x], lambda k: (k, [[x]])))\n    return x\n",
        3,
        35,
        "triggers",
    ),
    ("", "def f(x: int) -> int:\n    Requires(x)\n    return x\n", 2, 5, "not bound once"),
    (
        HEAD,
        "@require(lambda x: g(x))\n" + BODY + "def g(x: int) -> int:\n    for i in range(x): pass\n    return 1\n",
        3,
        20,
        "loop",
    ),
    (HEAD, "@require(lambda x: f(x) > 1)\n" + BODY, 3, 20, "recursion"),
    (HEAD, "@ensure(lambda result: result is None)\ndef f(x: int) -> None:\n    pass\n", 3, 24, "`is`"),
    (
        HEAD,
        "class A:\n    @require(lambda x: x)\n    def f(self, x: int) -> int:\n        return x\n",
        5,
        5,
        "method `A.f`",
    ),
]


@pytest.mark.parametrize(("head", "source", "line", "column", "message"), UNSUPPORTED)
def test_a_contract_outside_the_subset_is_named(head: str, source: str, line: int, column: int, message: str) -> None:
    with pytest.raises(VerifierError) as caught:
        lower(head + source, "A.f" if "class A" in source else "f")
    error = caught.value
    if message:
        assert isinstance(error, Unsupported), error.message
        assert message in error.message
    assert error.span is not None
    assert (error.span.line, error.span.column) == (line, column), error.message


def test_a_function_without_a_contract_is_no_claim() -> None:
    with pytest.raises(VerifierError) as caught:
        lower(BODY, "f")
    assert caught.value.code == "no-claim"
    with pytest.raises(VerifierError) as caught:
        lower(BODY, "g")
    assert caught.value.code == "no-such-file"
