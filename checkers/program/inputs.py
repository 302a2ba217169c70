"""Deterministic inputs that satisfy a precondition, small ones first.

Parameters are assigned one after the other. Each prefix has its own list of candidates: guesses from the program's
comparisons, then the pool of the type, kept only where every conjunct that is now decided holds. Two streams alternate:
all inputs by the sum of their positions in those lists, and a scattered one that reaches far into each list.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import islice

from checkers.lang import ir
from checkers.lang.interp import Value
from checkers.lang.lower import Program
from checkers.program import input_pools as pools
from checkers.program import input_relations as relations
from checkers.program.input_relations import Condition

Input = tuple[Value, ...]
WORK = 40_000
"""Conditions evaluated before the search for inputs gives up."""
_LONE = tuple(sorted(range(-128, 400), key=lambda value: (abs(value), value)))
_GUESSES, _FEW, _NEAR = 160, 6, 600


@dataclass(slots=True)
class Space:
    """The inputs of one function, its parameters taken in the order `order`. `work` counts down with every condition
    that is evaluated."""

    function: ir.Function
    constants: Sequence[int]
    work: int = WORK
    scans: int = 6
    order: tuple[int, ...] = ()
    params: tuple[ir.Param, ...] = ()
    _conditions: tuple[Condition, ...] = ()
    _comparisons: tuple[Condition, ...] = ()
    _pools: dict[ir.Type, tuple[Value, ...]] = field(default_factory=dict)
    _known: dict[tuple[int, ...], tuple[Value, ...]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self._conditions = relations.conjuncts(self.function.contract.requires)
        self._comparisons = relations.comparisons(self.function)
        for param in self.function.params:
            if param.type not in self._pools:
                self._pools[param.type] = pools.pool(param.type, self.constants, relations.texts(self.function))
        if len(self._pools) == 1 and ir.INT in self._pools and len(self.function.params) == 1:
            self._pools[ir.INT] = pools.distinct([*self._pools[ir.INT], *_LONE])
        self.order = relations.order(self.function)
        self.params = tuple(self.function.params[place] for place in self.order)

    def arranged(self, values: Input) -> Input:
        """`values` in the function's own order of parameters."""
        given = dict(zip(self.order, values, strict=True))
        return tuple(given[place] for place in range(len(values)))

    def candidates(self, places: tuple[int, ...], values: Input) -> tuple[Value, ...]:
        """The values to try for the next parameter after `values`, which stand at `places` in their own lists."""
        if places not in self._known:
            self._known[places] = self._filter(values)
        return self._known[places]

    def _filter(self, values: Input) -> tuple[Value, ...]:
        param = self.params[len(values)]
        env = {known.name: value for known, value in zip(self.params, values, strict=False)}
        names = env.keys() | {param.name}
        decided = [
            item for item in self._conditions if item.names <= names and (param.name in item.names or not env)
        ]  # fmt: skip
        guesses = list(islice(relations.guesses(self._comparisons, param, env), _GUESSES))
        self.work -= 20 * bool(guesses)
        same = [value for known, value in zip(self.params, values, strict=False) if known.type == param.type]
        pool = self._pools[param.type]
        weight = {repr(value): pools.coarse(value) // 2 for value in guesses}
        found = [
            value for value in pools.distinct([*pool[:2], *same, *guesses, *pool])
            if self._holds(decided, {**env, param.name: value})
        ]  # fmt: skip
        if len(found) < _FEW and decided and param.type == ir.INT and self.scans > 0:
            self.scans -= bool(env)
            near = {value + step for value in (0, *guesses[:6]) if type(value) is int for step in range(-_NEAR, _NEAR)}
            scan = pools.distinct([*found, *sorted(near, key=lambda value: (abs(value), value))])
            found = list(islice((v for v in scan if self._holds(decided, {**env, param.name: v})), 2 * _FEW))
        return tuple(sorted(found, key=lambda value: weight.get(repr(value), pools.coarse(value))))

    def _holds(self, conditions: Sequence[Condition], env: dict[str, Value]) -> bool:
        for condition in conditions:
            self.work -= 1
            if not relations.truth(condition, env):
                return False
        return True

    def by_sum(self, total: int, places: tuple[int, ...] = (), values: Input = ()) -> Iterator[Input]:
        """Every input whose positions sum to `total`."""
        if self.work < 0:
            return
        if len(values) == len(self.params):
            if total == 0:
                yield values
            return
        options = self.candidates(places, values)
        last = len(values) == len(self.params) - 1
        for place in range(total if last else 0, min(total + 1, len(options))):
            yield from self.by_sum(total - place, (*places, place), (*values, options[place]))

    def scattered(self, seed: int) -> Input | None:
        """One input chosen by `seed`: each position is near the front or anywhere, or None at a dead end."""
        places: tuple[int, ...] = ()
        values: Input = ()
        state = seed * 0x9E3779B97F4A7C15 % 2**64
        for _ in self.params:
            options = self.candidates(places, values)
            if not options or self.work < 0:
                return None
            state = (state * 6364136223846793005 + 1442695040888963407) % 2**64
            reach = min(len(options), 4) if state >> 33 & 1 else len(options)
            place = (state >> 36) % reach
            places, values = (*places, place), (*values, options[place])
        return values


def sample_inputs(program: Program, count: int, constants: Sequence[int] | None = None) -> Iterator[Input]:
    """At most `count` distinct inputs that satisfy the precondition of `program`, small ones first, always the same.

    `constants` are integers of interest, by default those of the program. May end early when the precondition is
    hard to meet or the function has few inputs.
    """
    function = program.function
    space = Space(function, relations.constants(function) if constants is None else constants)
    seen: set[str] = set()
    for values in map(space.arranged, _streams(space, count)):
        key = repr(values)
        if key not in seen and admits(function, values):
            seen.add(key)
            yield values
            if len(seen) >= count:
                return


def spread_inputs(program: Program, count: int) -> tuple[Input, ...]:
    """At most `count` inputs that satisfy the precondition: half of them the smallest, the others spread evenly over
    many more, boundary values included."""
    found = tuple(sample_inputs(program, 10 * count))
    head, rest = found[: count // 2], found[count // 2 :]
    step = max(1, -(-len(rest) // max(1, count - len(head))))
    return (*head, *rest[::step])


def admits(function: ir.Function, values: Input) -> bool:
    """Whether the precondition holds of `values`, clause by clause as CPython would evaluate it."""
    env = {param.name: value for param, value in zip(function.params, values, strict=True)}
    return all(relations.truth(Condition(clause.expr, frozenset()), env) for clause in function.contract.requires)


def _streams(space: Space, count: int) -> Iterator[Input]:
    """Small sums first; after each level as many scattered inputs as that level had, and more when a level is dry."""
    seed, dry = 0, 0
    params = max(1, len(space.function.params))
    for total in range(1000):
        found = 0
        for values in space.by_sum(total):
            found += 1
            yield values
        dry = 0 if found else dry + 1
        for _ in range(found + 2 if total >= 3 else 0):
            seed += 1
            scattered = space.scattered(seed)
            if scattered is not None:
                yield scattered
        if space.work < 0 or (dry > 60 * params and seed > count):
            return
