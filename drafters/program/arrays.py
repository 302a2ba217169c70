"""Quantified facts about lists: the promises' own quantifiers up to a counter, and tests of elements seen so far.

A promise about a whole list usually holds, while the loop runs, of the part up to (or from) a counter. Sources of
predicates: quantifiers of the postcondition, asserts and precondition; `if` tests that read an element; what is
appended. Ends of ranges: 0, moving integers and their neighbours, lengths.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from itertools import product

from checkers.lang import ir
from drafters.program.render import conjuncts, free_names, negate, replace_expression, substitute, text
from drafters.program.view import View, literals

_RELATIONS: tuple[ir.CompareOp, ...] = ("<=", "<", ">=", ">", "==", "!=")


@dataclass(frozen=True, slots=True)
class Ends:
    """Texts for the start and stop of a range."""

    starts: tuple[str, ...]
    stops: tuple[str, ...]


def ends(view: View) -> Ends:
    """The starts and stops worth trying for ranges over indices."""
    counters = [term for term in view.terms if term in view.moving]
    lengths = [term for term in view.terms if term.startswith("len(") and term not in view.moving]
    near = [text for term in counters for text in (term, f"{term} + 1")]
    below = [f"{term} - 1" for term in counters if not term.startswith("len(")]
    return Ends(("0", *near), (*counters, *(f"{term} + 1" for term in counters), *below, *lengths))


def generalised(view: View) -> Iterator[str]:
    """Promises with quantifiers, with the ends of their ranges replaced by moving terms, one end or both."""
    for goal in (*view.promises(), *view.assertions()):
        for variant in _polarities(goal):
            yield from _with_ends(view, variant)


def _polarities(goal: ir.Expr) -> Iterator[ir.Expr]:
    """The goal if it holds a quantifier, and its quantifiers on their own with their negations."""
    goal = _over_indices(goal)
    inner = [node for node in ir.walk(goal) if isinstance(node, ir.Quantifier)]
    if inner:
        yield goal
    for node in inner:
        if node != goal and free_names(node) <= free_names(goal):
            yield node
            yield negate(node)


def _with_ends(view: View, plain: ir.Expr) -> Iterator[str]:
    """`plain` with stops and starts of its ranges replaced; every occurrence of one end is replaced alike."""
    found = [node for node in ir.walk(plain) if isinstance(node, ir.Quantifier)]
    yield text(plain)
    quantified = {node.variable for node in found}
    ranges = [node.domain for node in found if isinstance(node.domain, ir.Range)]
    stops = tuple(dict.fromkeys(item.stop for item in ranges if not free_names(item.stop) & quantified))
    starts = tuple(dict.fromkeys(item.start for item in ranges if not free_names(item.start) & quantified))
    options = ends(view)
    for stop in stops:
        for end in options.stops:
            swapped = _swap_end(plain, stop, _named(view, end), "stop")
            yield text(swapped)
            for start, origin in product(starts, view.origins()):
                yield text(replace_start(swapped, start, ir.Const(origin, ir.INT, plain.span)))
            if not isinstance(stop, ir.Const):
                yield text(replace_expression(plain, stop, _named(view, end)))
    for start, end in product(starts, options.starts[1:]):
        yield text(_swap_end(plain, start, _named(view, end), "start"))


def _named(view: View, end: str) -> ir.Expr:
    """A text as an opaque variable: candidates are rendered again at once."""
    return ir.Var(end if end.isidentifier() or end.endswith(")") else f"({end})", ir.INT, view.loop.span)


def _swap_end(expr: ir.Expr, old: ir.Expr, new: ir.Expr, side: str) -> ir.Expr:
    """`expr` with one end of its ranges replaced where it equals `old`, and nothing else.

    A new start becomes a condition: solvers find their way better where indices are known not to be negative.
    """
    if not isinstance(expr, ir.Quantifier):
        return _descend(expr, lambda part: _swap_end(part, old, new, side))
    domain = expr.domain
    body = _swap_end(expr.body, old, new, side)
    if isinstance(domain, ir.Range) and side == "stop" and domain.stop == old:
        return replace(expr, domain=replace(domain, stop=new), body=body)
    if isinstance(domain, ir.Range) and side == "start" and domain.start == old:
        return replace(from_condition(expr, new, domain.start), body=body)
    return replace(expr, body=body)


def replace_start(expr: ir.Expr, old: ir.Expr, new: ir.Expr) -> ir.Expr:
    """`expr` with the start of its ranges replaced where it equals `old`."""
    if isinstance(expr, ir.Quantifier) and isinstance(expr.domain, ir.Range) and expr.domain.start == old:
        return replace(expr, domain=replace(expr.domain, start=new))
    return _descend(expr, lambda part: replace_start(part, old, new))


def from_condition(expr: ir.Quantifier, start: ir.Expr, least: ir.Expr) -> ir.Quantifier:
    """A quantifier over a range from `least`, with `start <= variable` among its conditions."""
    assert isinstance(expr.domain, ir.Range)
    index = ir.Var(expr.variable, ir.INT, expr.span)
    reached: ir.Expr = ir.Compare(("<=",), (start, index), ir.BOOL, expr.span)
    if expr.condition is not None:
        reached = ir.BoolOp("and", (reached, expr.condition), ir.BOOL, expr.span)
    return replace(expr, domain=replace(expr.domain, start=least), condition=reached)


def _descend(expr: ir.Expr, change: Callable[[ir.Expr], ir.Expr]) -> ir.Expr:
    """`expr` with the parts of its connectives and comparisons changed."""
    if isinstance(expr, ir.BoolOp | ir.Compare):
        return replace(expr, operands=tuple(map(change, expr.operands)))
    return replace(expr, operand=change(expr.operand)) if isinstance(expr, ir.Unary) else expr


def _over_indices(expr: ir.Expr) -> ir.Expr:
    """Quantifiers over a list, and membership in one, as quantifiers over its indices from 0."""
    if isinstance(expr, ir.Compare) and expr.ops[0] in ("in", "not in"):
        return _membership(expr)
    if not isinstance(expr, ir.Quantifier):
        return _descend(expr, _over_indices)
    body, condition, domain = _over_indices(expr.body), expr.condition, expr.domain
    zero = ir.Const(0, ir.INT, expr.span)
    if isinstance(domain, ir.Range):
        whole = replace(expr, body=body)
        if isinstance(domain.start, ir.Const) or domain.step != 1:
            return whole
        return from_condition(whole, domain.start, zero)
    index = ir.Var(f"{expr.variable}_at", ir.INT, expr.span)
    names: dict[str, ir.Expr] = {expr.variable: ir.Index(domain, index, expr.variable_type, expr.span)}
    length = ir.Builtin("len", (domain,), ir.INT, expr.span)
    return replace(
        expr,
        variable=index.name,
        variable_type=ir.INT,
        domain=ir.Range(zero, length, 1, expr.span),
        condition=None if condition is None else substitute(condition, names),
        body=substitute(body, names),
    )


def _membership(expr: ir.Compare) -> ir.Expr:
    """`x in xs` as `any(x == xs[k] …)`, `x not in xs` as `all(x != xs[k] …)`."""
    if (
        len(expr.ops) != 1
        or not isinstance(expr.operands[1], ir.Var)
        or not isinstance(expr.operands[1].type, ir.ListOf)
    ):
        return expr
    item, source = expr.operands
    assert isinstance(source.type, ir.ListOf)
    index = ir.Var("k", ir.INT, expr.span)
    element = ir.Index(source, index, source.type.item, expr.span)
    zero, length = ir.Const(0, ir.INT, expr.span), ir.Builtin("len", (source,), ir.INT, expr.span)
    inside = expr.ops[0] == "in"
    body = ir.Compare(("==",) if inside else ("!=",), (element, item), ir.BOOL, expr.span)
    domain = ir.Range(zero, length, 1, expr.span)
    return ir.Quantifier("any" if inside else "all", "k", ir.INT, domain, None, body, False, ir.BOOL, expr.span)


def ranged(kind: str, body: str, start: str, stop: str) -> str:
    """A quantifier over `k` from `start` to `stop`; a start other than 0 is a condition, see `_swap_end`."""
    if start == "0":
        return f"{kind}({body} for k in range({stop}))"
    if start.isdigit():
        return f"{kind}({body} for k in range({start}, {stop}))"
    return f"{kind}({body} for k in range({stop}) if {start} <= k)"


def elements(view: View) -> Iterator[str]:
    """Facts about each element read by a test, for all (or some) indices in ranges that end at moving terms."""
    options = ends(view)
    lengths = tuple(term for term in options.stops if term.startswith("len("))
    pairs = [("0", stop) for stop in options.stops if stop not in lengths or stop in view.moving]
    pairs += [(start, length) for start in options.starts if start != "0" for length in lengths]
    pairs += [("0", length) for length in lengths]
    pairs += [(str(origin), stop) for origin in view.origins() for stop in options.stops]
    for predicate in dict.fromkeys(_predicates(view)):
        for start, stop in pairs:
            yield ranged("all", predicate, start, stop)
            if " == " in predicate and predicate.count("[") == 1:
                yield ranged("any", predicate, start, stop)


def _predicates(view: View) -> Iterator[str]:
    """Tests of the loop's body and comparisons with moving terms, with the index replaced by `k`."""
    targets = _element_targets(view)
    for stmt in ir.statements(view.loop.body):
        if not isinstance(stmt, ir.If | ir.While | ir.Return):
            continue
        test = stmt.value if isinstance(stmt, ir.Return) else stmt.test
        for part in dict.fromkeys((*conjuncts(test), *literals(test))):
            yield from _generic(view, substitute(part, targets))
    if isinstance(view.loop, ir.While):
        for part in literals(view.loop.test):
            yield from _generic(view, part)
    yield from _extremes(view)


def _element_targets(view: View) -> dict[str, ir.Expr]:
    """The target of a loop over a list variable as `xs[k]`."""
    loop = view.loop
    if isinstance(loop, ir.For) and isinstance(loop.iterable, ir.Var):
        index = ir.Var("k", ir.INT, loop.span)
        return {loop.target: ir.Index(loop.iterable, index, loop.target_type, loop.span)}
    return {}


def _generic(view: View, part: ir.Expr) -> Iterator[str]:
    """The test with each index expression it uses replaced by `k`, in all relations if it is a comparison."""
    indices = dict.fromkeys(
        node.index for node in ir.walk(part) if isinstance(node, ir.Index) and isinstance(node.base, ir.Var)
    )
    index = ir.Var("k", ir.INT, part.span)
    for old in indices:
        lifted = replace_expression(part, old, index)
        if not free_names(lifted) <= view.table.names() | {"k"} or free_names(lifted) == {"k"}:
            continue
        if isinstance(lifted, ir.Compare) and len(lifted.ops) == 1 and lifted.operands[0].type == ir.INT:
            yield from (text(replace(lifted, ops=(op,))) for op in _RELATIONS)
        else:
            yield text(lifted)
            yield text(negate(lifted))


def _extremes(view: View) -> Iterator[str]:
    """Elements of a list against moving integers that are assigned an element of it."""
    targets = _element_targets(view)
    for stmt in ir.statements(view.loop.body):
        if not isinstance(stmt, ir.Assign) or stmt.target not in view.moving:
            continue
        value = substitute(stmt.value, targets)
        for node in ir.walk(value):
            if isinstance(node, ir.Index) and isinstance(node.base, ir.Var) and view.admits(node.base):
                yield from (f"{node.base.name}[k] {op} {stmt.target}" for op in ("<=", ">=", "=="))


def built(view: View) -> Iterator[str]:
    """Lists that the loop builds: what each appended element is, prefixes and suffixes of other lists."""
    targets = _element_targets(view)
    k = ir.Var("k", ir.INT, view.loop.span)
    if isinstance(view.loop, ir.For) and isinstance(view.loop.iterable, ir.Range):
        targets[view.loop.target] = k
    for stmt in ir.statements(view.loop.body):
        if isinstance(stmt, ir.Append):
            for lifted in _lifted(view, substitute(stmt.value, targets)):
                yield f"all({stmt.target}[k] == {text(lifted)} for k in range(len({stmt.target})))"
    yield from _last_items(view)
    lists = [name for name, kind in view.scope.items() if isinstance(kind, ir.ListOf) and name in view.table.names()]
    counters = [term for term in view.terms if term in view.moving]
    yield from _bridges(view, lists, counters)
    for out in (name for name in lists if name in view.modified):
        for source in (name for name in lists if name != out and view.scope[name] == view.scope[out]):
            yield f"{out} == {source}"
            yield f"len({out}) == len({source})"
            yield from (f"{out} == {source}[:{end}]" for end in counters)
            for body in (f"{source}[k]", f"{source}[len({source}) - 1 - k]"):
                yield from (ranged("all", f"{out}[k] == {body}", a, b) for a, b in _spans(view, out))


def _last_items(view: View) -> Iterator[str]:
    """The last item of each list that the loop appends to, against moving integers."""
    moving = [name for name in view.names(ir.INT) if name in view.modified]
    for out in dict.fromkeys(stmt.target for stmt in ir.statements(view.loop.body) if isinstance(stmt, ir.Append)):
        yield f"len({out}) > 0"
        yield from (f"{out}[len({out}) - 1] {op} {name}" for name in moving for op in ("==", "<=", ">="))


def _bridges(view: View, lists: list[str], counters: list[str]) -> Iterator[str]:
    """The last element of a growing list against the next one of each list that is read, and against fixed numbers."""
    grown = {stmt.target for stmt in ir.statements(view.loop.body) if isinstance(stmt, ir.Append)}
    fixed = [name for name in view.names(ir.INT) if name not in view.modified]
    flags = [text for name in view.names(ir.BOOL) for text in (name, f"not {name}")]
    for out in sorted(grown & set(lists)):
        last = f"len({out}) == 0 or {out}[len({out}) - 1]"
        for source in (name for name in lists if name not in grown):
            for next_one in (term for term in counters if not term.startswith("len(")):
                yield from (f"{next_one} >= len({source}) or {last} {op} {source}[{next_one}]" for op in ("<=", ">="))
        for name in fixed:
            yield from (f"{last} {op} {name}" for op in ("<=", ">="))
            yield from (f"{flag} or {last} {op} {name}" for flag in flags for op in ("<=", ">="))


def _lifted(view: View, value: ir.Expr) -> Iterator[ir.Expr]:
    """The appended value as a function of `k`: as it stands, and with moving counters replaced by `k`."""
    names = view.table.names()
    k = ir.Var("k", ir.INT, view.loop.span)
    if free_names(value) <= names | {"k"}:
        yield value
    for name in free_names(value) & view.moving:
        lifted = substitute(value, {name: k})
        if free_names(lifted) <= names | {"k"}:
            yield lifted


def _spans(view: View, out: str) -> Iterator[tuple[str, str]]:
    """Ranges of indices of a list that the loop changes in place."""
    counters = [term for term in view.terms if term in view.moving and not term.startswith("len(")]
    yield from (("0", term) for term in counters)
    yield from ((term, f"len({out})") for term in counters)
    yield from ((f"{term} + 1", f"len({out})") for term in counters)
    yield from ((low, high) for low in counters for high in counters if low != high)
    yield from ((low, f"{high} + 1") for low in counters for high in counters if low != high)


def vacuous(fact: str) -> str:
    """`all(False …)` over the fact's domain: where that holds in every state, the fact says nothing.

    Facts of another shape than `all(… for …)` come back as `False`.
    """
    call = ast.parse(fact, mode="eval").body
    if isinstance(call, ast.Call) and isinstance(call.func, ast.Name) and call.func.id == "all":
        (generator,) = call.args
        if isinstance(generator, ast.GeneratorExp):
            inner = ast.GeneratorExp(ast.Constant(False), generator.generators)
            return ast.unparse(ast.Call(call.func, [inner], []))
    return "False"
