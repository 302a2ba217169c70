"""From typed expressions back to text in the contract notation, with substitution of variables.

Candidates are exchanged as text because that is what a draft holds; `checkers.lang.annotate` reads it again.
"""

from __future__ import annotations

import ast
import operator
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace

from checkers.lang import ir

_BINARY: Mapping[str, type[ast.operator]] = {
    "+": ast.Add,
    "-": ast.Sub,
    "*": ast.Mult,
    "//": ast.FloorDiv,
    "%": ast.Mod,
    "**": ast.Pow,
    "<<": ast.LShift,
    ">>": ast.RShift,
    "&": ast.BitAnd,
    "|": ast.BitOr,
    "^": ast.BitXor,
}
_UNARY: Mapping[str, type[ast.unaryop]] = {"-": ast.USub, "+": ast.UAdd, "~": ast.Invert, "not": ast.Not}
_COMPARE: Mapping[str, type[ast.cmpop]] = {
    "==": ast.Eq,
    "!=": ast.NotEq,
    "<": ast.Lt,
    "<=": ast.LtE,
    ">": ast.Gt,
    ">=": ast.GtE,
    "in": ast.In,
    "not in": ast.NotIn,
}
_ORDER: Mapping[str, Callable[[int, int], bool]] = {
    "<": operator.lt,
    "<=": operator.le,
    ">": operator.gt,
    ">=": operator.ge,
}
NEGATED: Mapping[str, ir.CompareOp] = {
    "==": "!=",
    "!=": "==",
    "<": ">=",
    "<=": ">",
    ">": "<=",
    ">=": "<",
    "in": "not in",
    "not in": "in",
}


def text(expr: ir.Expr) -> str:
    """The expression as Python text, with as few parentheses as precedence allows."""
    return tidy(ast.unparse(tree(expr)))


def tidy(unparsed: str) -> str:
    """Without the second pair of parentheses that `ast.unparse` puts around a generator that is the only argument."""
    for opening in ("all((", "any(("):
        start = unparsed.find(opening)
        while start >= 0:
            inner = start + 4
            depth, end = 1, inner + 1
            while depth:
                depth += {"(": 1, ")": -1}.get(unparsed[end], 0)
                end += 1
            if unparsed[end : end + 1] == ")" and " for " in unparsed[inner:end]:
                unparsed = unparsed[:inner] + unparsed[inner + 1 : end - 1] + unparsed[end:]
            start = unparsed.find(opening, start + 4)
    return unparsed


def operand(expr: ir.Expr) -> str:
    """The expression as text that may stand beside an arithmetic or comparison operator."""
    loose = isinstance(expr, ir.IfExp | ir.BoolOp | ir.Compare) or (isinstance(expr, ir.Unary) and expr.op == "not")
    return f"({text(expr)})" if loose else text(expr)


def tree(expr: ir.Expr) -> ast.expr:
    """The expression as a Python syntax tree."""
    match expr:
        case ir.Const(value=value):
            if isinstance(value, int) and not isinstance(value, bool) and value < 0:
                return ast.UnaryOp(ast.USub(), ast.Constant(-value))
            return ast.Constant(value)
        case ir.Var(name=name):
            return ast.Name(name)
        case ir.Unary(op=op, operand=operand):
            return ast.UnaryOp(_UNARY[op](), tree(operand))
        case ir.Binary(op=op, left=left, right=right):
            return ast.BinOp(tree(left), _BINARY[op](), tree(right))
        case ir.Compare(ops=ops, operands=operands):
            first, *rest = map(tree, operands)
            return ast.Compare(first, [_COMPARE[op]() for op in ops], rest)
        case ir.BoolOp(op=op, operands=operands):
            return ast.BoolOp(ast.And() if op == "and" else ast.Or(), [*map(tree, operands)])
        case ir.IfExp(test=test, then=then, orelse=orelse):
            return ast.IfExp(tree(test), tree(then), tree(orelse))
        case ir.Index(base=base, index=index):
            return ast.Subscript(tree(base), tree(index))
        case ir.Item(base=base, position=position):
            return ast.Subscript(tree(base), ast.Constant(position))
        case _:
            return _tree_of_compound(expr)


def _tree_of_compound(expr: ir.Expr) -> ast.expr:
    match expr:
        case ir.Slice(base=base, lower=lower, upper=upper):
            bounds = [None if bound is None else tree(bound) for bound in (lower, upper)]
            return ast.Subscript(tree(base), ast.Slice(*bounds))
        case ir.ListLit(items=items):
            return ast.List([*map(tree, items)])
        case ir.TupleLit(items=items):
            return ast.Tuple([*map(tree, items)])
        case ir.Builtin(name=name, args=args):
            return _call(name, args)
        case ir.Call(function=function, args=args):
            return _call(function.name, args)
        case ir.Old(operand=operand):
            return _call("Old", (operand,))
        case ir.Iterations():
            return _call("Iterations", ())
        case ir.Quantifier():
            return _tree_of_quantifier(expr)
        case _:
            raise AssertionError(expr)


def _tree_of_quantifier(expr: ir.Quantifier) -> ast.expr:
    domain = expr.domain
    source = _range(domain) if isinstance(domain, ir.Range) else tree(domain)
    conditions = [] if expr.condition is None else [tree(expr.condition)]
    generator = ast.comprehension(ast.Name(expr.variable), source, conditions, 0)
    return ast.Call(ast.Name(expr.kind), [ast.GeneratorExp(tree(expr.body), [generator])], [])


def _range(domain: ir.Range) -> ast.expr:
    plain = isinstance(domain.start, ir.Const) and domain.start.value == 0 and domain.step == 1
    ends = [domain.stop] if plain else [domain.start, domain.stop]
    step = [] if domain.step == 1 else [ast.UnaryOp(ast.USub(), ast.Constant(-domain.step))]
    if domain.step > 1:
        step = [ast.Constant(domain.step)]  # type: ignore[list-item]
    return ast.Call(ast.Name("range"), [*map(tree, ends), *step], [])


def _call(name: str, args: Sequence[ir.Expr]) -> ast.expr:
    return ast.Call(ast.Name(name), [*map(tree, args)], [])


def substitute(expr: ir.Expr, names: Mapping[str, ir.Expr]) -> ir.Expr:
    """`expr` with free variables replaced; components of tuples that become known are picked.

    Quantified variables shadow; replacements must not mention a quantified variable of `expr`.
    """
    match expr:
        case ir.Var(name=name):
            return names.get(name, expr)
        case ir.Item(base=base, position=position):
            inner = substitute(base, names)
            return inner.items[position] if isinstance(inner, ir.TupleLit) else replace(expr, base=inner)
        case ir.Quantifier(variable=variable, domain=domain, condition=condition, body=body):
            inside = {name: value for name, value in names.items() if name != variable}
            return replace(
                expr,
                domain=_substitute_domain(domain, names),
                condition=None if condition is None else substitute(condition, inside),
                body=substitute(body, inside),
            )
        case _:
            return rebuild(expr, tuple(substitute(operand, names) for operand in ir.operands(expr)))


def _substitute_domain(domain: ir.Range | ir.Expr, names: Mapping[str, ir.Expr]) -> ir.Range | ir.Expr:
    if isinstance(domain, ir.Range):
        return replace(domain, start=substitute(domain.start, names), stop=substitute(domain.stop, names))
    return substitute(domain, names)


def rebuild(expr: ir.Expr, operands: tuple[ir.Expr, ...]) -> ir.Expr:
    """`expr` with its direct operands, in the order of `ir.operands`, replaced (not for quantifiers)."""
    match expr:
        case ir.Unary() | ir.Old():
            return replace(expr, operand=operands[0])
        case ir.Binary():
            return replace(expr, left=operands[0], right=operands[1])
        case ir.Compare() | ir.BoolOp():
            return replace(expr, operands=operands)
        case ir.ListLit() | ir.TupleLit():
            return replace(expr, items=operands)
        case ir.Builtin():
            return replace(expr, args=operands)
        case ir.Call(order=order):
            args = list(operands)
            for place, value in zip(order, operands, strict=True):
                args[place] = value
            return replace(expr, args=tuple(args))
        case ir.IfExp():
            return replace(expr, test=operands[0], then=operands[1], orelse=operands[2])
        case ir.Index():
            return replace(expr, base=operands[0], index=operands[1])
        case ir.Item():
            return replace(expr, base=operands[0])
        case ir.Slice(lower=lower, upper=upper):
            rest = list(operands[1:])
            low = rest.pop(0) if lower is not None else None
            high = rest.pop(0) if upper is not None else None
            return replace(expr, base=operands[0], lower=low, upper=high)
        case _:
            return expr


def replace_expression(expr: ir.Expr, old: ir.Expr, new: ir.Expr) -> ir.Expr:
    """`expr` with every occurrence of the subexpression `old` replaced."""
    if expr == old:
        return new
    if isinstance(expr, ir.Quantifier):
        domain = expr.domain
        if isinstance(domain, ir.Range):
            domain = replace(
                domain,
                start=replace_expression(domain.start, old, new),
                stop=replace_expression(domain.stop, old, new),
            )
        else:
            domain = replace_expression(domain, old, new)
        condition = None if expr.condition is None else replace_expression(expr.condition, old, new)
        return replace(expr, domain=domain, condition=condition, body=replace_expression(expr.body, old, new))
    return rebuild(expr, tuple(replace_expression(operand, old, new) for operand in ir.operands(expr)))


def conjuncts(expr: ir.Expr) -> tuple[ir.Expr, ...]:
    """The parts of a conjunction, chained comparisons split into single ones."""
    if isinstance(expr, ir.BoolOp) and expr.op == "and":
        return tuple(part for operand in expr.operands for part in conjuncts(operand))
    if isinstance(expr, ir.Compare) and len(expr.ops) > 1:
        pairs = zip(expr.ops, expr.operands, expr.operands[1:], strict=False)
        return tuple(replace(expr, ops=(op,), operands=(left, right)) for op, left, right in pairs)
    if isinstance(expr, ir.Unary) and expr.op == "not":
        inner = negate(expr.operand)
        return conjuncts(inner) if inner != expr else (expr,)
    return (expr,)


def negate(expr: ir.Expr) -> ir.Expr:
    """The negation, pushed inwards through `not`, single comparisons, `and` and `or` of truth values."""
    match expr:
        case ir.Unary(op="not", operand=operand):
            return operand
        case ir.Compare(ops=(op,)):
            return replace(expr, ops=(NEGATED[op],))
        case ir.BoolOp(op=op, operands=operands):
            other = replace(expr, op="or" if op == "and" else "and")
            return replace(other, operands=tuple(map(negate, operands)), type=ir.BOOL)
        case ir.Compare():
            return negate(ir.BoolOp("and", conjuncts(expr), ir.BOOL, expr.span))
        case _:
            return ir.Unary("not", expr, ir.BOOL, expr.span)


def simplified(expr: ir.Expr) -> ir.Expr:
    """`expr` without truth values and comparisons that are known: `True == p` is `p`, `-1 != -1 or p` is `p`."""
    match expr:
        case ir.Compare(ops=(op,), operands=(left, right)) if op in ("==", "!="):
            left, right = simplified(left), simplified(right)
            for known, other in ((left, right), (right, left)):
                if isinstance(known, ir.Const) and isinstance(known.value, bool) and other.type == ir.BOOL:
                    return other if known.value == (op == "==") else negate(other)
            values = constant(left), constant(right)
            if None not in values:
                return ir.Const((values[0] == values[1]) == (op == "=="), ir.BOOL, expr.span)
            return replace(expr, operands=(left, right))
        case ir.Compare(ops=(op,), operands=(left, right)) if op in _ORDER:
            low, high = constant(left), constant(right)
            return expr if low is None or high is None else ir.Const(_ORDER[op](low, high), ir.BOOL, expr.span)
        case ir.BoolOp(op=op, operands=operands):
            neutral = op == "and"
            parts = [simplified(part) for part in operands]
            if any(isinstance(part, ir.Const) and part.value is (not neutral) for part in parts):
                return ir.Const(not neutral, ir.BOOL, expr.span)
            kept = tuple(part for part in parts if not (isinstance(part, ir.Const) and part.value is neutral))
            if len(kept) < 2:
                return kept[0] if kept else ir.Const(neutral, ir.BOOL, expr.span)
            return replace(expr, operands=kept)
        case ir.Unary(op="not", operand=operand):
            inner = simplified(operand)
            known_value = inner.value if isinstance(inner, ir.Const) else None
            if isinstance(known_value, bool):
                return ir.Const(not known_value, ir.BOOL, expr.span)
            return replace(expr, operand=inner)
        case _:
            return expr


def constant(expr: ir.Expr) -> int | None:
    """The value of an integer literal, with or without a sign."""
    if isinstance(expr, ir.Unary) and expr.op == "-":
        inner = constant(expr.operand)
        return None if inner is None else -inner
    if isinstance(expr, ir.Const) and isinstance(expr.value, int) and not isinstance(expr.value, bool):
        return expr.value
    return None


def free_names(expr: ir.Expr) -> frozenset[str]:
    """The variables that occur free in `expr`."""
    match expr:
        case ir.Var(name=name):
            return frozenset((name,))
        case ir.Quantifier(variable=variable, domain=domain, condition=condition, body=body):
            ends = (domain.start, domain.stop) if isinstance(domain, ir.Range) else (domain,)
            inside = free_names(body) | (free_names(condition) if condition is not None else frozenset())
            outside: frozenset[str] = frozenset().union(*map(free_names, ends))
            return outside | (inside - {variable})
        case _:
            return frozenset().union(*map(free_names, ir.operands(expr)))
