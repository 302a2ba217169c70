"""Random programs of the subset without any contract: every operator, statement and exception, for the comparison of
the reference interpreter with CPython. They end (each `while` has fuel) but mean nothing.
"""

from __future__ import annotations

import random
from dataclasses import dataclass, field

INTS, BOOLS, STRS, LISTS, FLAGS, PAIRS = "int", "bool", "str", "list[int]", "list[bool]", "tuple[int, bool]"
_EXCEPTIONS = ("ValueError", "IndexError", "KeyError", "ZeroDivisionError", "RuntimeError", "ArithmeticError")


@dataclass(slots=True)
class Straight:
    """One program being written. `names` maps each type to the variables of it that are assigned by now."""

    rng: random.Random
    names: dict[str, list[str]]
    owned: list[str] = field(default_factory=list)
    helpers: bool = False
    lines: list[str] = field(default_factory=list)
    fresh: int = 0
    loops: int = 0
    busy: list[str] = field(default_factory=list)

    def pick(self, *choices: str) -> str:
        return self.rng.choice(choices)

    def chance(self, share: float) -> bool:
        return self.rng.random() < share

    def name(self, kind: str) -> str:
        return self.rng.choice(self.names[kind]) if self.names[kind] else self.expr(kind, 0)

    def expr(self, kind: str, depth: int) -> str:
        """An expression of `kind` with at most `depth` levels of operators."""
        if depth <= 0:
            return self.leaf(kind)
        if self.chance(0.08) and kind in (INTS, BOOLS, STRS):
            then, orelse = self.expr(kind, depth - 1), self.expr(kind, depth - 1)
            return f"({then} if {self.truth(depth - 1)} else {orelse})"
        writers = {
            INTS: self.integer, BOOLS: self.boolean, STRS: self.string, LISTS: self.sequence, FLAGS: self.sequence,
            PAIRS: self.pair,
        }  # fmt: skip
        return writers[kind](kind, depth - 1)

    def leaf(self, kind: str) -> str:
        if self.names[kind] and self.chance(0.7):
            return self.rng.choice(self.names[kind])
        match kind:
            case "int":
                return self.pick("0", "1", "2", "3", "-1", "-2", "7", "10", str(2**31), str(-(2**63)))
            case "bool":
                return self.pick("True", "False")
            case "str":
                return self.pick("''", "'a'", "'ab'", "'\\U0003ffff'", "'Ωb'")
            case "list[int]":
                return self.pick("[1]", "[3, -1, 2]", "[0, 0]", "[5, True]") if self.chance(0.95) else "[1, 2, 3, 4]"
            case "list[bool]":
                return self.pick("[True]", "[False, True]")
        return self.pick("(1, True)", "(0, False)")

    def truth(self, depth: int) -> str:
        """Something whose truth value is asked for: any type."""
        return self.expr(BOOLS if self.chance(0.7) else self.pick(INTS, STRS, LISTS, PAIRS), depth)

    def integer(self, _kind: str, depth: int) -> str:
        left = self.expr(INTS, depth)
        match self.rng.randrange(17):
            case 0 | 1 | 2 | 3:
                return f"({left} {self.pick('+', '-', '*', '+', '-')} {self.expr(INTS, depth)})"
            case 4:
                divisor = self.expr(INTS, depth)
                if self.chance(0.7):
                    divisor = f"({divisor} or {self.pick('1', '-3')})"
                return f"({left} {self.pick('//', '%')} {divisor})"
            case 5 | 6:
                return f"({left} {self.pick('//', '%')} {self.pick('2', '3', '-2', '-7', '10')})"
            case 7:
                return f"({left} ** {self.rng.randrange(4)})"
            case 8:
                return f"({left} {self.pick('<<', '>>')} {self.rng.randrange(6)})"
            case 9:
                return f"({left} & {self.pick('1', '3', '7', '255')})"
            case 10:
                return f"({self.pick('-', '+', '~')}{left})"
            case 11:
                arguments = ", ".join(self.expr(INTS, depth) for _ in range(self.rng.randint(2, 3)))
                return self.pick(f"abs({left})", f"min({arguments})", f"max({arguments})")
            case 12:
                return f"len({self.expr(self.pick(LISTS, STRS, FLAGS), depth)})"
            case 13:
                return self.element(self.name(LISTS), "0", depth)
            case 14:
                return self.pick(f"int({self.expr(BOOLS, depth)})", f"({self.expr(BOOLS, depth)} + {left})")
            case 15:
                if self.helpers:
                    right = self.expr(INTS, depth)
                    return self.pick(f"helper({left}, {right})", f"helper(y={left}, x={right})")
                return f"({left} {self.pick('and', 'or')} {self.expr(INTS, depth)})"
        return f"{self.name(PAIRS)}[{self.pick('0', '0', '-2')}]"

    def element(self, base: str, default: str, depth: int) -> str:
        """An item of `base`, in most cases guarded against a bad index."""
        position = self.expr(INTS, depth)
        match self.rng.randrange(8):
            case 0:
                return f"{base}[{position}]"
            case 1 | 2 | 3:
                return f"({base}[{position} % len({base})] if {base} else {default})"
            case 4 | 5:
                return f"({base}[{position}] if -len({base}) <= {position} < len({base}) else {default})"
        return f"({base} + [{default}])[{self.pick('0', '-1')}]" if default == "0" else f"({base} + {default})[-1]"

    def boolean(self, _kind: str, depth: int) -> str:
        order = self.pick("<", "<=", ">", ">=", "==", "!=")
        match self.rng.randrange(12):
            case 0 | 1 | 2:
                return f"({self.expr(INTS, depth)} {order} {self.expr(INTS, depth)})"
            case 3:
                middle, last = self.expr(INTS, depth), self.expr(INTS, depth)
                return f"({self.expr(INTS, depth)} {order} {middle} {self.pick('<', '<=', '==', '>')} {last})"
            case 4:
                return f"(not {self.truth(depth)})"
            case 5 | 6:
                return f"({self.expr(BOOLS, depth)} {self.pick('and', 'or')} {self.expr(BOOLS, depth)})"
            case 7:
                return f"({self.expr(INTS, depth)} {self.pick('in', 'not in')} {self.name(LISTS)})"
            case 8:
                kind = self.pick(LISTS, STRS, PAIRS, BOOLS, FLAGS)
                return f"({self.expr(kind, depth)} {self.pick('==', '!=')} {self.expr(kind, depth)})"
            case 9:
                return f"bool({self.expr(self.pick(INTS, STRS, LISTS), depth)})"
            case 10:
                return f"({self.expr(BOOLS, depth)} {self.pick('&', '|', '^')} {self.expr(BOOLS, depth)})"
        return self.quantifier(depth)

    def quantifier(self, depth: int) -> str:
        variable = f"q{self.fresh}"
        self.fresh += 1
        bound = self.expr(INTS, 0)
        domain = self.pick(
            self.name(LISTS), f"range({self.pick('3', '-1', '5')})", f"range({self.pick('-2', '1')}, min({bound}, 6))"
        )
        self.names[INTS].append(variable)
        body = self.expr(self.pick(BOOLS, BOOLS, INTS), depth)
        condition = f" if {self.expr(BOOLS, depth)}" if self.chance(0.3) else ""
        self.names[INTS].remove(variable)
        inside = f"{body} for {variable} in {domain}{condition}"
        return f"{self.pick('all', 'any')}({inside})"

    def string(self, _kind: str, depth: int) -> str:
        base = self.name(STRS)
        match self.rng.randrange(5):
            case 0 | 1:
                return f"({self.expr(STRS, depth)} + {self.expr(STRS, depth)})"
            case 2:
                return self.element(base, "'q'", depth)
        return f"{base}{self.cut(depth)}"

    def sequence(self, kind: str, depth: int) -> str:
        item = INTS if kind == LISTS else BOOLS
        match self.rng.randrange(6):
            case 0 | 1:
                return f"[{', '.join(self.expr(item, depth) for _ in range(self.rng.randint(1, 3)))}]"
            case 2 | 3:
                return f"({self.expr(kind, depth)} + {self.expr(kind, depth)})"
            case 4:
                return f"{self.name(kind)}{self.cut(depth)}"
        return f"list({self.name(kind)})"

    def cut(self, depth: int) -> str:
        lower = self.expr(INTS, depth) if self.chance(0.7) else ""
        upper = self.expr(INTS, depth) if self.chance(0.7) else ""
        return f"[{lower}:{upper}]"

    def pair(self, _kind: str, depth: int) -> str:
        return f"({self.expr(INTS, depth)}, {self.expr(BOOLS, depth)})"

    # --- statements ---

    def put(self, indent: int, text: str) -> None:
        self.lines.append("    " * indent + text)

    def variable(self, kind: str) -> str:
        """A local that may be assigned: an old one, or a new one."""
        free = [name for name in self.names[kind] if name not in self.busy and not name.startswith("q")]
        if free and self.chance(0.6):
            return self.rng.choice(free)
        self.fresh += 1
        return f"v{self.fresh}"

    def block(self, indent: int, depth: int, loop: bool) -> None:
        before = {kind: list(names) for kind, names in self.names.items()}
        owned = list(self.owned)
        for _ in range(self.rng.randint(1, 3)):
            self.statement(indent, depth, loop)
        if self.chance(0.95):  # otherwise a name stays in use that may be unbound
            self.names.update(before)
            self.owned = owned

    def statement(self, indent: int, depth: int, loop: bool) -> None:
        choice = self.rng.randrange(20)
        if depth <= 0 or choice < 9:
            self.simple(indent, loop)
        elif choice < 13:
            self.put(indent, f"if {self.truth(2)}:")
            self.block(indent + 1, depth - 1, loop)
            if self.chance(0.3):
                self.put(indent, f"elif {self.truth(1)}:")
                self.block(indent + 1, depth - 1, loop)
            if self.chance(0.5):
                self.put(indent, "else:")
                self.block(indent + 1, depth - 1, loop)
        elif choice < 17:
            self.for_loop(indent, depth)
        else:
            self.while_loop(indent, depth)

    def simple(self, indent: int, loop: bool) -> None:
        choice = self.rng.randrange(24)
        if choice < 7:
            kind = self.pick(INTS, INTS, INTS, BOOLS, STRS, PAIRS)
            self.assign(indent, kind)
        elif choice < 10:
            numbers = [name for name in self.names[INTS] if name not in self.busy and not name.startswith("q")]
            target = self.rng.choice(numbers) if numbers else "v0"
            self.put(indent, f"{target} {self.pick('+=', '-=', '*=', '+=')} {self.expr(INTS, 2)}")
        elif choice == 23:
            self.put(indent, f"a {self.pick('//=', '%=')} {self.expr(INTS, 1)} or {self.pick('2', '-3', '0')}")
        elif choice < 12:
            self.put(indent, f"a, b = {self.expr(INTS, 2)}, {self.expr(INTS, 2)}")
        elif choice == 12:
            self.put(indent, f"a = b = {self.expr(INTS, 2)}")
        elif choice == 13:
            self.put(indent, f"a, flag = {self.expr(PAIRS, 1)}")
        elif choice < 18:
            self.on_list(indent)
        elif choice == 18 and loop:
            self.put(indent, self.pick("break", "continue"))
        elif choice == 19:
            self.put(indent, f"assert {self.expr(BOOLS, 2)}{self.pick('', ' or True', ' or a != 5')}")
        elif choice == 20 and self.chance(0.3):
            self.put(indent, f"raise {self.pick(*_EXCEPTIONS)}{self.pick('', '()', '(a)')}")
        elif choice == 21 and self.chance(0.4):
            self.put(indent, f"return {self.expr(self.result, 2)}")
        else:
            self.put(indent, "pass")

    result: str = INTS

    def assign(self, indent: int, kind: str) -> None:
        value = self.expr(kind, 3)
        name = self.variable(kind)
        self.put(indent, f"{name} = {value}")
        if name not in self.names[kind]:
            self.names[kind].append(name)

    def on_list(self, indent: int) -> None:
        owned = [name for name in self.owned if name not in self.busy]
        if not owned or self.chance(0.3):
            self.fresh += 1
            name = f"w{self.fresh}"
            self.put(indent, f"{name} = {self.sequence(LISTS, 2)}")
            self.names[LISTS].append(name)
            self.owned.append(name)
            return
        target = self.rng.choice(owned)
        match self.rng.randrange(3):
            case 0:
                self.put(indent, f"{target}.append({self.expr(INTS, 2)})")
            case 1:
                self.put(indent, f"{target}[{self.place(target)}] = {self.expr(INTS, 2)}")
            case _:
                self.put(indent, f"{target}[{self.place(target)}] {self.pick('+=', '-=', '*=')} {self.expr(INTS, 2)}")

    def place(self, target: str) -> str:
        position = self.expr(INTS, 1)
        return position if self.chance(0.3) else f"{position} % (len({target}) or 1)"

    def for_loop(self, indent: int, depth: int) -> None:
        target = f"i{self.loops}"
        self.loops += 1
        small = f"min({self.expr(INTS, 1)}, 4)"
        lists = self.name(LISTS)
        domain = self.pick(
            f"range({self.pick('3', '0', small)})",
            f"range({self.pick('-1', '1', '0')}, {small})",
            f"range({self.pick('5', '2')}, {self.pick('-1', '0', '1')}, {self.pick('-1', '-2')})",
            f"range({self.pick('0', '-3')}, {small}, 2)",
            lists,
        )
        self.put(indent, f"for {target} in {domain}:")
        self.names[INTS].append(target)
        self.busy.append(lists)
        self.block(indent + 1, depth - 1, loop=True)
        self.busy.remove(lists)
        if self.chance(0.25):
            self.put(indent, "else:")
            self.block(indent + 1, 0, loop=False)
        if self.chance(0.8):  # otherwise it is read after a loop that may have been empty
            self.names[INTS].remove(target)

    def while_loop(self, indent: int, depth: int) -> None:
        fuel = f"k{self.loops}"
        self.loops += 1
        self.put(indent, f"{fuel} = 0")
        self.put(indent, f"while {fuel} < {self.pick('2', '3', '4')} and {self.truth(1)}:")
        self.put(indent + 1, f"{fuel} += 1")
        self.block(indent + 1, depth - 1, loop=True)
        if self.chance(0.25):
            self.put(indent, "else:")
            self.block(indent + 1, 0, loop=False)


_HELPER = """\
def helper(x: int, y: int) -> int:
    for k in range(3):
        if x + k == y:
            return x
    return y // (x + 1)


"""


def straight(rng: random.Random) -> tuple[str, tuple[tuple[str, str], ...]]:
    """The source of a function `f`, and its parameters with their types."""
    params = [("a", INTS), ("b", INTS), ("flag", BOOLS), ("s", STRS), ("xs", LISTS), ("fs", FLAGS)]
    writer = Straight(rng, {INTS: ["a", "b"], BOOLS: ["flag"], STRS: ["s"], LISTS: ["xs"], FLAGS: ["fs"], PAIRS: []})
    writer.helpers = rng.random() < 0.3
    writer.result = rng.choice([INTS, INTS, BOOLS, STRS, LISTS, PAIRS])
    for _ in range(rng.randint(2, 6)):
        writer.statement(1, 3, loop=False)
    writer.put(1, f"return {writer.expr(writer.result, 3)}")
    signature = ", ".join(f"{name}: {kind}" for name, kind in params)
    head = _HELPER if writer.helpers else ""
    source = f"{head}def f({signature}) -> {writer.result}:\n" + "\n".join(writer.lines) + "\n"
    return source, tuple(params)


_LITERALS: dict[str, tuple[object, ...]] = {
    INTS: (0, 1, -1, 2, 3, -2, 5, 7, 2**31, -(2**31) - 1, 2**63, 2**64 + 1),
    BOOLS: (False, True),
    STRS: ("", "a", "ab", "b\U0003ffffc", "Ω"),
    LISTS: ([], [0], [1, 2], [3, -1, 2], [5, 5, 0, -7]),
    FLAGS: ([], [True], [False, True, True]),
}


def arguments(rng: random.Random, params: tuple[tuple[str, str], ...]) -> list[object]:
    """Fresh random arguments for the parameters."""
    chosen = [rng.choice(_LITERALS[kind][:8] if rng.random() < 0.8 else _LITERALS[kind]) for _, kind in params]
    return [list(value) if isinstance(value, list) else value for value in chosen]
