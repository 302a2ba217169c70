"""Expressions: from syntax to typed IR. Each node is either understood exactly or refused by name and place.

`value` reads an expression for its value, `truth` where only its truthiness counts (conditions, clauses, `not`).
"""

from __future__ import annotations

import ast
from typing import NoReturn

from checkers.lang import ir
from checkers.lang.ir import BOOL, INT, NONE, STR, ListOf, TupleOf, Type
from checkers.lang.lower_calls import read_call
from checkers.lang.lower_linker import literal
from checkers.lang.lower_scope import Pending, Scope
from checkers.lang.types_join import EMPTY, coerce, is_number, join, settle, waits
from verifier.errors import Unsupported, VerifierError
from verifier.model import Span

_BINARY: dict[type[ast.operator], str] = {
    ast.Add: "+", ast.Sub: "-", ast.Mult: "*", ast.FloorDiv: "//", ast.Mod: "%", ast.Pow: "**",
    ast.LShift: "<<", ast.RShift: ">>", ast.BitAnd: "&", ast.BitOr: "|", ast.BitXor: "^",
    ast.Div: "/", ast.MatMult: "@",
}  # fmt: skip
_COMPARE: dict[type[ast.cmpop], ir.CompareOp] = {
    ast.Eq: "==", ast.NotEq: "!=", ast.Lt: "<", ast.LtE: "<=", ast.Gt: ">", ast.GtE: ">=",
    ast.In: "in", ast.NotIn: "not in",
}  # fmt: skip
_NAMES: dict[str, str] = {
    "Lambda": "lambda", "NamedExpr": "assignment expression", "Dict": "dict", "Set": "set", "Await": "await",
    "ListComp": "list comprehension", "SetComp": "set comprehension", "DictComp": "dict comprehension",
    "GeneratorExp": "generator expression", "Yield": "yield", "YieldFrom": "yield from", "JoinedStr": "f-string",
    "Starred": "unpacking with `*`", "Attribute": "attribute access",
}  # fmt: skip


class Reader:
    """Reads the expressions of one scope."""

    def __init__(self, scope: Scope) -> None:
        self.scope = scope

    # --- entry points ------------------------------------------------------------------------------------------

    def value(self, node: ast.expr) -> ir.Expr:
        """The expression for its value, with every type settled. Raises Unsupported, VerifierError, Pending."""
        return self.settle(self.loose(node))

    def loose(self, node: ast.expr) -> ir.Expr:
        """Like `value`, but the item type of an empty list may still be open: for places that coerce."""
        expr = self._any(node)
        if expr.type == NONE:
            self.refuse("None as a value", node)
        return expr

    def whatever(self, node: ast.expr) -> ir.Expr:
        """Like `loose`, but None is welcome: for `return` and for expression statements."""
        return self._any(node)

    def number(self, node: ast.expr) -> ir.Expr:
        """An int or bool. Raises Unsupported for any other type."""
        expr = self.value(node)
        if not is_number(expr.type):
            self.refuse(f"`{expr.type}` where a number is needed", node)
        return expr

    def truth(self, node: ast.expr) -> ir.Expr:
        """An expression of which only the truthiness counts, so that operands of `and` and `or` need no common type."""
        match node:
            case ast.BoolOp(op=op, values=values):
                parts = [self.truth(item) for item in values]
                if _joined(parts) is None:
                    parts = [part if part.type == BOOL else _as_bool(part) for part in parts]
                kind = _joined(parts)
                assert kind is not None
                return ir.BoolOp("and" if isinstance(op, ast.And) else "or", tuple(parts), kind, self.span(node))
            case ast.IfExp(test=test, body=body, orelse=orelse):
                condition, parts = self.truth(test), [self.truth(body), self.truth(orelse)]
                if _joined(parts) is None:
                    parts = [_as_bool(part) for part in parts]
                kind = _joined(parts)
                assert kind is not None
                return ir.IfExp(condition, parts[0], parts[1], kind, self.span(node))
            case _:
                return self.value(node)

    # --- helpers for all readers ---------------------------------------------------------------------------------

    def span(self, node: ast.AST) -> Span:
        """Where the node stands."""
        return self.scope.text.span(node)

    def refuse(self, construct: str, node: ast.AST) -> NoReturn:
        """Raise Unsupported at the node."""
        raise Unsupported(construct, self.span(node))

    def settle(self, expr: ir.Expr) -> ir.Expr:
        """The expression with every open item type read as int. Raises Pending where a variable's is not known yet."""
        if waits(expr):
            raise Pending("list whose item type is not known", expr.span)
        return settle(expr)

    def fit(self, expr: ir.Expr, kind: Type, node: ast.AST) -> ir.Expr:
        """The expression with the type that its place demands. Raises Unsupported."""
        fitted = coerce(expr, kind)
        if fitted is None:
            self.refuse(f"`{expr.type}` where `{kind}` is needed", node)
        return fitted

    # --- dispatch ----------------------------------------------------------------------------------------------

    def _any(self, node: ast.expr) -> ir.Expr:
        match node:
            case ast.Constant():
                return self._constant(node)
            case ast.Name():
                return self._name(node)
            case ast.Attribute():
                return self._attribute(node)
            case ast.Call():
                return read_call(self, node)
            case ast.UnaryOp():
                return self._unary(node)
            case ast.BinOp(op=ast.Pow()) if (power := literal(self.scope.text, node)) is not None:
                return power
            case ast.BinOp(op=op, left=left, right=right):
                return self.combine(op, self.loose(left), self.loose(right), node)
            case ast.BoolOp():
                return self._boolop(node)
            case ast.IfExp():
                return self._ifexp(node)
            case ast.Compare():
                return self._compare(node)
            case ast.List():
                return self._list(node)
            case ast.Tuple():
                return self._tuple(node)
            case ast.Subscript():
                return self._subscript(node)
            case _:
                name = type(node).__name__
                return self.refuse(_NAMES.get(name, name), node)

    def _constant(self, node: ast.Constant) -> ir.Expr:
        if node.value is None:
            return ir.Const(None, NONE, self.span(node))
        expr = literal(self.scope.text, node)
        if expr is None:
            self.refuse(f"{type(node.value).__name__} literal", node)
        return expr

    def _name(self, node: ast.Name) -> ir.Expr:
        name, scope, span = node.id, self.scope, self.span(node)
        if name in scope.quantified:
            inner, kind = scope.quantified[name]
            return ir.Var(inner, kind, span)
        if name in scope.names:
            return ir.Var(name, scope.names[name], span)
        if name in scope.unknown:
            if scope.mode == "body":
                raise Pending(f"`{name}`, which is never given a value of a known type", span)
            raise VerifierError("bad-contract", f"`{name}` is a local variable, which a contract cannot see", span=span)
        expr = scope.linker.constant(name, span, scope.reads)
        if expr is not None:
            return expr
        if scope.linker.is_builtin(name, span, scope.reads):
            self.refuse(f"`{name}` as a value", node)
        if scope.mode == "body":
            self.refuse(f"unknown name `{name}`", node)
        raise VerifierError("bad-contract", f"the name `{name}` is not defined here", span=span)

    def _attribute(self, node: ast.Attribute) -> ir.Expr:
        snapshots = self.scope.snapshots
        if isinstance(node.value, ast.Name) and node.value.id == "OLD" and snapshots is not None:
            if node.attr not in snapshots:
                message = f"there is no snapshot named `{node.attr}`"
                raise VerifierError("bad-contract", message, span=self.span(node))
            return snapshots[node.attr]
        return self.refuse(f"attribute `.{node.attr}`", node)

    # --- operators ---------------------------------------------------------------------------------------------

    def _unary(self, node: ast.UnaryOp) -> ir.Expr:
        span = self.span(node)
        if isinstance(node.op, ast.Not):
            return ir.Unary("not", self.truth(node.operand), BOOL, span)
        constant = literal(self.scope.text, node)
        if constant is not None:
            return constant
        operand = self.number(node.operand)
        op = {ast.USub: "-", ast.UAdd: "+", ast.Invert: "~"}[type(node.op)]
        return ir.Unary(op, operand, INT, span)  # type: ignore[arg-type]

    def combine(self, operator: ast.operator, left: ir.Expr, right: ir.Expr, node: ast.AST) -> ir.Expr:
        """`left operator right`, typed. Raises Unsupported for operands outside the subset."""
        op, span = _BINARY[type(operator)], self.span(node)
        if op == "+" and isinstance(left.type, ListOf) and isinstance(right.type, ListOf):
            kind = join(left.type, right.type)
            assert kind is not None
            return ir.Binary("+", self.fit(left, kind, node), self.fit(right, kind, node), kind, span)
        if op == "+" and left.type == right.type == STR:
            return ir.Binary("+", left, right, STR, span)
        if op in ("/", "@") or not (is_number(left.type) and is_number(right.type)):
            self.refuse(f"`{op}` on `{left.type}` and `{right.type}`", node)
        if op in ("**", "<<", ">>"):
            self._check_literal(op, right, node)
        if op in ("&", "|", "^"):
            return self._bitwise(op, left, right, node)
        return ir.Binary(op, left, right, INT, span)  # type: ignore[arg-type]

    def _check_literal(self, op: str, right: ir.Expr, node: ast.AST) -> None:
        limit = 16 if op == "**" else 256
        if not (isinstance(right, ir.Const) and right.type == INT):
            self.refuse(f"`{op}` with a right operand that is not a literal", node)
        assert isinstance(right.value, int)
        if not 0 <= right.value <= limit:
            self.refuse(f"`{op}` with a right operand outside 0..{limit}", node)

    def _bitwise(self, op: str, left: ir.Expr, right: ir.Expr, node: ast.AST) -> ir.Expr:
        span = self.span(node)
        if left.type == right.type == BOOL:
            return ir.Binary(op, left, right, BOOL, span)  # type: ignore[arg-type]
        if op != "&":
            self.refuse(f"`{op}` on int", node)
        if not _is_mask(right) and _is_mask(left):
            left, right = right, left
        if not _is_mask(right):
            self.refuse("`&` on int with a mask that is not a literal 2**k - 1", node)
        return ir.Binary("&", left, right, INT, span)

    def _boolop(self, node: ast.BoolOp) -> ir.Expr:
        parts = [self.loose(item) for item in node.values]
        kind = _joined(parts)
        if kind is None:
            self.refuse("`and`/`or` of " + " and ".join(sorted({f"`{part.type}`" for part in parts})), node)
        fitted = tuple(self.fit(part, kind, item) for part, item in zip(parts, node.values, strict=True))
        return ir.BoolOp("and" if isinstance(node.op, ast.And) else "or", fitted, kind, self.span(node))

    def _ifexp(self, node: ast.IfExp) -> ir.Expr:
        test, then, orelse = self.truth(node.test), self.loose(node.body), self.loose(node.orelse)
        kind = join(then.type, orelse.type)
        if kind is None:
            self.refuse(f"conditional expression of `{then.type}` and `{orelse.type}`", node)
        return ir.IfExp(
            test, self.fit(then, kind, node.body), self.fit(orelse, kind, node.orelse), kind, self.span(node)
        )

    # --- comparison --------------------------------------------------------------------------------------------

    def _compare(self, node: ast.Compare) -> ir.Expr:
        nodes = [node.left, *node.comparators]
        for op in node.ops:
            if type(op) not in _COMPARE:
                self.refuse("`is`" if isinstance(op, ast.Is) else "`is not`", node)
        ops = [_COMPARE[type(op)] for op in node.ops]
        parts = [self._operand(node, position, item) for position, item in enumerate(nodes)]
        for position, symbol in enumerate(ops):
            self._match(symbol, parts, position, node)
        return ir.Compare(tuple(ops), tuple(map(self.settle, parts)), BOOL, self.span(node))

    def _operand(self, node: ast.Compare, position: int, item: ast.expr) -> ir.Expr:
        if position and isinstance(node.ops[position - 1], ast.In | ast.NotIn) and isinstance(item, ast.Tuple):
            display = ast.copy_location(ast.List(item.elts, ast.Load()), item)
            if position == len(node.ops) and item.elts:
                return self.loose(display)
        return self.loose(item)

    def _match(self, op: ir.CompareOp, parts: list[ir.Expr], position: int, node: ast.Compare) -> None:
        left, right = parts[position], parts[position + 1]
        shown = f"`{op}` on `{left.type}` and `{right.type}`"
        if op in ("in", "not in"):
            if not (isinstance(right.type, ListOf) and is_number(left.type)):
                self.refuse(shown, node)
        elif op in ("==", "!="):
            kind = join(left.type, right.type)
            if kind is None:
                self.refuse(shown, node)
            if not (is_number(left.type) and is_number(right.type)):
                parts[position], parts[position + 1] = self.fit(left, kind, node), self.fit(right, kind, node)
                if position and parts[position].type != left.type:
                    self.refuse(shown, node)
        elif not (is_number(left.type) and is_number(right.type)):
            self.refuse(shown, node)

    # --- containers --------------------------------------------------------------------------------------------

    def _list(self, node: ast.List) -> ir.Expr:
        items = tuple(self.loose(item) for item in node.elts)
        if not items:
            return ir.ListLit((), EMPTY, self.span(node))
        for item, inner in zip(node.elts, items, strict=True):
            if not is_number(inner.type):
                self.refuse(f"list of `{inner.type}`", item)
        kind = BOOL if all(item.type == BOOL for item in items) else INT
        return ir.ListLit(items, ListOf(kind), self.span(node))

    def _tuple(self, node: ast.Tuple) -> ir.Expr:
        items = tuple(self.loose(item) for item in node.elts)
        return ir.TupleLit(items, TupleOf(tuple(item.type for item in items)), self.span(node))

    def _subscript(self, node: ast.Subscript) -> ir.Expr:
        base, span = self.value(node.value), self.span(node)
        if isinstance(base.type, TupleOf):
            return self._item(base, base.type, node)
        if not (isinstance(base.type, ListOf) or base.type == STR):
            self.refuse(f"subscript of `{base.type}`", node)
        if isinstance(node.slice, ast.Slice):
            return self._slice(base, node.slice, span)
        index = self.number(node.slice)
        kind = base.type.item if isinstance(base.type, ListOf) else STR
        return ir.Index(base, index, kind, span)

    def _slice(self, base: ir.Expr, part: ast.Slice, span: Span) -> ir.Expr:
        step = part.step
        if not (self._absent(step) or literal(self.scope.text, step) == ir.Const(1, INT, span)):  # type: ignore[arg-type]
            self.refuse("slice with a step", part)
        ends = [None if self._absent(end) else end for end in (part.lower, part.upper)]
        lower, upper = (None if end is None else self.number(end) for end in ends)
        return ir.Slice(base, lower, upper, base.type, span)

    def _absent(self, node: ast.expr | None) -> bool:
        return node is None or (isinstance(node, ast.Constant) and node.value is None)

    def _item(self, base: ir.Expr, kind: TupleOf, node: ast.Subscript) -> ir.Expr:
        place = literal(self.scope.text, node.slice)
        if not (isinstance(place, ir.Const) and place.type == INT):
            self.refuse("index of a tuple that is not a literal", node)
        assert isinstance(place.value, int)
        count = len(kind.items)
        if not -count <= place.value < count:
            self.refuse("index of a tuple that is out of range", node)
        position = place.value % count
        return ir.Item(base, position, kind.items[position], self.span(node))


def _joined(parts: list[ir.Expr]) -> Type | None:
    kind: Type | None = parts[0].type
    for part in parts[1:]:
        kind = None if kind is None else join(kind, part.type)
    if kind is None or any(coerce(part, kind) is None for part in parts):
        return None
    return kind


def _as_bool(expr: ir.Expr) -> ir.Expr:
    return ir.Builtin("bool", (expr,), BOOL, expr.span)


def _is_mask(expr: ir.Expr) -> bool:
    if not (isinstance(expr, ir.Const) and expr.type == INT):
        return False
    assert isinstance(expr.value, int)
    return expr.value >= 0 and (expr.value & (expr.value + 1)) == 0
