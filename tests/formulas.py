"""Random formulas as trees, their twins and their one-edit mutants, for the tests of formula claims.

A tree is a name or literal (str) or a tuple of trees. Everything is drawn from a seeded generator.
"""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from random import Random
from typing import TypeAlias

Tree: TypeAlias = "str | tuple[Tree, ...]"

CONSTANTS = {
    "x": "Int", "y": "Int", "z": "Int", "p": "Bool", "q": "Bool", "r": "Real", "s": "Real",
    "a": "(_ BitVec 3)", "b": "(_ BitVec 3)", "m": "(Array Int Int)",
}  # fmt: skip
FUNCTIONS = {"f": ("(Int)", "Int"), "g": ("(Int Int)", "Bool")}
NUMBERS: tuple[Tree, ...] = ("2", "3", ("-", "4"))
COMMUTATIVE = frozenset(["and", "or", "xor", "=", "distinct", "+", "*", "bvadd", "bvand", "bvor", "bvxor", "bvmul"])
FLIPPED = {
    "<": ">", "<=": ">=", ">": "<", ">=": "<=", "bvult": "bvugt", "bvugt": "bvult", "bvsle": "bvsge", "bvsge": "bvsle",
}  # fmt: skip
SWAPS = {
    "<": "<=", "<=": "<", ">": ">=", ">=": ">", "and": "or", "or": "and", "+": "-", "-": "+", "=": "distinct",
    "distinct": "=", "bvadd": "bvsub", "bvsub": "bvadd", "bvult": "bvslt", "forall": "exists", "exists": "forall",
    "div": "mod", "mod": "div", "=>": "and", "xor": "or", "bvugt": "bvult", "x": "y", "y": "z", "p": "q",
}  # fmt: skip


def boolean(random: Random, depth: int, bound: tuple[str, ...] = ()) -> Tree:
    """A random Boolean tree."""
    if depth <= 0:
        leaf: Tree = ("<", whole(random, 0, bound), whole(random, 0, bound))
        return leaf if random.random() < 0.25 else random.choice(["p", "q", "true"])
    deeper = depth - 1
    match random.randrange(14):
        case 0 | 1:
            return ("and", *(boolean(random, deeper, bound) for _ in range(random.randint(2, 3))))
        case 2 | 3:
            return ("or", *(boolean(random, deeper, bound) for _ in range(random.randint(2, 3))))
        case 4:
            return ("not", boolean(random, deeper, bound))
        case 5:
            return (random.choice(["=>", "xor", "="]), boolean(random, deeper, bound), boolean(random, deeper, bound))
        case 6 | 7:
            kind = random.choice(["<", "<=", ">", ">=", "=", "distinct"])
            return (kind, whole(random, deeper, bound), whole(random, deeper, bound))
        case 8:
            kind = random.choice(["<", "<=", ">", ">=", "="])
            return (kind, real(random, deeper, bound), real(random, deeper, bound))
        case 9:
            kind = random.choice(["bvult", "bvugt", "bvsle", "bvsge", "=", "distinct"])
            return (kind, bits(random, deeper), bits(random, deeper))
        case 10:
            return ("ite", *(boolean(random, deeper, bound) for _ in range(3)))
        case 11:
            return ("g", whole(random, deeper, bound), whole(random, deeper, bound))
        case 12:
            return ("distinct", *(whole(random, deeper, bound) for _ in range(3)))
    name = f"k{len(bound)}"
    return (random.choice(["forall", "exists"]), ((name, "Int"),), boolean(random, deeper, (*bound, name)))


def whole(random: Random, depth: int, bound: tuple[str, ...] = ()) -> Tree:
    """A random integer tree."""
    if depth <= 0:
        return random.choice(["x", "y", "z", *bound, "0", "1", "2", "6"])
    one, two = whole(random, depth - 1, bound), whole(random, depth - 1, bound)
    match random.randrange(9):
        case 0 | 1:
            return ("+", one, two, whole(random, 0, bound))
        case 2:
            return ("-", one, two)
        case 3:
            return ("-", one)
        case 4:
            return ("*", random.choice(NUMBERS), one)
        case 5:
            return (random.choice(["div", "mod"]), one, random.choice(NUMBERS))
        case 6:
            return ("f", one)
        case 7:
            return ("select", ("store", "m", one, "1"), two)
    return ("ite", boolean(random, 0, bound), one, two)


def real(random: Random, depth: int, bound: tuple[str, ...] = ()) -> Tree:
    """A random real tree."""
    if depth <= 0:
        return random.choice(["r", "s", "0.5", "3.0"])
    one, two = real(random, depth - 1, bound), real(random, depth - 1, bound)
    match random.randrange(5):
        case 0:
            return ("+", one, two)
        case 1:
            return ("-", one, two)
        case 2:
            return ("*", "2.5", one)
        case 3:
            return ("/", one, random.choice(["4.0", "0.5"]))
    return ("to_real", whole(random, depth - 1, bound))


def bits(random: Random, depth: int) -> Tree:
    """A random bit-vector tree of width 3."""
    if depth <= 0:
        return random.choice(["a", "b", "#b011", "#b111"])
    name = random.choice(["bvadd", "bvand", "bvor", "bvxor", "bvsub", "bvmul", "bvudiv", "bvurem", "bvshl", "bvnot"])
    one = bits(random, depth - 1)
    return (name, one) if name == "bvnot" else (name, one, bits(random, depth - 1))


def text_of(tree: Tree, names: Mapping[str, str] | None = None) -> str:
    """A tree as SMT-LIB, with other names if any are given."""
    if isinstance(tree, str):
        return (names or {}).get(tree, tree)
    return "(" + " ".join(text_of(each, names) for each in tree) + ")"


def script_of(trees: list[Tree], names: Mapping[str, str] | None = None, random: Random | None = None) -> str:
    """A script that asserts the trees; with a generator, declarations come in another order and comments appear."""
    renamed = names or {}
    lines = [f"(declare-const {renamed.get(name, name)} {sort})" for name, sort in CONSTANTS.items()]
    lines += [f"(declare-fun {name} {params} {sort})" for name, (params, sort) in FUNCTIONS.items()]
    asserts = [f"(assert {text_of(tree, names)})" for tree in trees]
    if random is not None:
        random.shuffle(lines)
        random.shuffle(asserts)
        asserts = [line.replace(" ", "\n  ; a comment (\n\t", 1) for line in asserts]
    return "\n".join([*lines, *asserts, "(check-sat)"])


def twin(tree: Tree, random: Random) -> Tree:
    """The same formula written otherwise: arguments shuffled, comparisons turned, differences as sums."""
    if isinstance(tree, str) or not tree:
        return tree
    if tree[0] in ("forall", "exists"):
        return (tree[0], tree[1], twin(tree[2], random))
    head, *args = tree
    args = [twin(arg, random) for arg in args]
    if head in COMMUTATIVE:
        random.shuffle(args)
    if isinstance(head, str) and head in FLIPPED and random.random() < 0.5:
        head, args = FLIPPED[head], args[::-1]
    if head == "-" and len(args) == 2 and random.random() < 0.5:
        return ("+", args[0], ("*", ("-", "1"), args[1]))
    if head == "=>" and random.random() < 0.5:
        return ("or", args[1], ("not", args[0]))
    if head == "and" and random.random() < 0.3:
        return ("not", ("or", *(("not", arg) for arg in args)))
    if head == "not" and random.random() < 0.3:
        return ("not", ("not", ("not", args[0])))
    return (head, *args)


def mutate(tree: Tree, random: Random) -> Tree:
    """The tree with one edit at a random place."""
    places = list(_places(tree))
    if not places:
        return ("not", tree)
    path, leaf = random.choice(places)
    return _replaced(tree, path, SWAPS.get(leaf) or str(int(leaf) + 1))


def _places(tree: Tree, path: tuple[int, ...] = ()) -> list[tuple[tuple[int, ...], str]]:
    if isinstance(tree, str):
        return [(path, tree)] if tree in SWAPS or tree.isdigit() else []
    return [found for index, each in enumerate(tree) for found in _places(each, (*path, index))]


def _replaced(tree: Tree, path: tuple[int, ...], leaf: str) -> Tree:
    if not path:
        return leaf
    assert not isinstance(tree, str)
    head, *rest = path
    return (*tree[:head], _replaced(tree[head], tuple(rest), leaf), *tree[head + 1 :])


def decoded(text: str, names: Mapping[str, str]) -> str:
    """A canonical text back as an SMT-LIB formula over `names` (canonical to wanted name).

    Reads the text alone, so that whatever it left out would be missing here.
    """
    lines = [line for line in text.split("\n") if line.startswith("(")]
    terms: list[str] = []
    for line in lines:
        op, data, sort, args = eval(line, {"Fraction": Fraction})  # our own text, in a test
        parts = [terms[index] for index in args]
        terms.append(_node(op, data, sort, parts, names))
    return terms[-1]


def _node(op: str, data: object, sort: object, parts: list[str], names: Mapping[str, str]) -> str:
    match op:
        case "free":
            return names[str(data)]
        case "bound":
            return f"level{data}"
        case "apply":
            return f"({data} {' '.join(parts)})"
        case "scaled":
            return f"(* {_literal(data, sort)} {parts[0]})"
        case "const":
            return _literal(data, sort)
        case "forall" | "exists":
            assert isinstance(data, tuple)
            level, sorts = data
            return f"({op} ({' '.join(f'(level{level + k} {each})' for k, each in enumerate(sorts))}) {parts[0]})"
    return f"({op} {' '.join(parts)})"


def _literal(data: object, sort: object) -> str:
    if isinstance(data, bool):
        return "true" if data else "false"
    if isinstance(sort, tuple):
        return f"(_ bv{data} {sort[1]})"
    assert isinstance(data, int | Fraction)
    number = f"(/ {abs(data.numerator)}.0 {data.denominator}.0)" if sort == "Real" else str(abs(data))
    return f"(- {number})" if data < 0 else number
