"""Mutants of the front end that `test_lower_mutants` has to notice: `(old, new)` snippets for each module."""

from __future__ import annotations

SOURCE = [
    ("found[0] if len(found) == 1 and found[0].top else None", "found[0] if found else None"),
    ("found[0] if len(found) == 1 and found[0].top else None", "found[0] if len(found) == 1 else None"),
    ("if isinstance(node, ast.Global):", "if False:"),
    (
        "        case ast.ExceptHandler(name=str(name)) | ast.MatchAs(name=str(name))",
        "        case ast.MatchAs(name=str(name))",
    ),
    ("                if isinstance(child, ast.NamedExpr):", "                if False:"),
    ("            yield from _signature(node.args)\n            if node.returns", "            if node.returns"),
    ("ctx=ast.Store() | ast.Del()):\n            yield name", "ctx=ast.Store()):\n            yield name"),
    ("yield alias.asname or alias.name, Binding", "yield alias.name, Binding"),
]

JOIN = [
    ("        case (Scalar(), Scalar()) if is_number(left) and is_number(right):", "        case Scalar(), Scalar():"),
    (
        "expr.type == kind or (expr.type == BOOL and kind == INT)",
        "expr.type == kind or (expr.type == INT and kind == BOOL)",
    ),
    ("return right if left == EMPTY else left", "return left if left == EMPTY else right"),
    ("return any(map(holds_list, items))", "return False"),
]

ALIASING = [
    ("return frozenset((name,)) if holds_list(kind) else frozenset()", "return frozenset()"),
    ("return sources(then, calls) | sources(orelse, calls)", "return sources(orelse, calls)"),
    ("ir.BoolOp(operands=items) | ir.TupleLit(items=items)", "ir.TupleLit(items=items)"),
    ("return sources(base, calls) if holds_list(expr.type) else frozenset()", "return frozenset()"),
    ("(sources(args[position], calls) for position in held)", "(frozenset[str]() for position in held)"),
    ("            if target == name and names:", "            if False:"),
    ("            if target != name and name in names:", "            if False:"),
    ("            reached.add(name)\n            todo.append(name)", "            reached.add(name)"),
]

LINKER = [
    (
        'if name in self.source.bindings:\n            raise Unsupported(f"`{name}` is shadowed',
        'if False:\n            raise Unsupported(f"`{name}` is shadowed',
    ),
    (
        '        if stars:\n            raise Unsupported(f"`{name}` may come',
        '        if False:\n            raise Unsupported(f"`{name}` may come',
    ),
    ("if name in [other for other, _ in self.active]:", "if len(self.active) > 5:"),
    ("if depth + sum(other for _, other in self.active) > MAX_NESTING:", "if False:"),
    ("return ir.Const(-value, INT, place)", "return ir.Const(value, INT, place)"),
    ("if item in (INT, BOOL):", "if item != ir.NONE:"),
]

QUANTIFIERS = [
    ("start = ends[0] if len(ends) == 2 else ir.Const(0, INT, span)", "start = ir.Const(0, INT, span)"),
    ("given.type == INT and given.value)", "given.type == INT)"),
    ("        step = given.value\n", "        step = abs(given.value)\n"),
    ("    eager = isinstance(node, ast.ListComp)\n", "    eager = False\n"),
    ("        condition = _conjunction(reader, part.ifs)\n", "        condition = None\n"),
    ("            _refuse_names(reader, part.iter, targets[position:])", "            pass"),
    ("    if len(set(targets)) < len(targets):", "    if False:"),
]

EXPRESSIONS = [
    ("        if not 0 <= right.value <= limit:", "        if not right.value <= limit:"),
    ('        if op != "&":\n', "        if False:\n"),
    ("(expr.value & (expr.value + 1)) == 0", "(expr.value & (expr.value - 1)) == 0"),
    ("        position = place.value % count\n", "        position = abs(place.value)\n"),
    ("        if not -count <= place.value < count:", "        if False:"),
    ("            if not (isinstance(right.type, ListOf) and is_number(left.type)):", "            if False:"),
    (
        "        ends = [None if self._absent(end) else end for end in (part.lower, part.upper)]",
        "        ends = [None if self._absent(end) else end for end in (part.upper, part.lower)]",
    ),
    ('return ir.Unary("not", self.truth(node.operand), BOOL, span)', "return self.truth(node.operand)"),
    (
        "self.fit(then, kind, node.body), self.fit(orelse, kind, node.orelse)",
        "self.fit(orelse, kind, node.orelse), self.fit(then, kind, node.body)",
    ),
]

CALLS = [
    ("    order = [position for position, _ in pairs]\n", "    order = sorted(position for position, _ in pairs)\n"),
    ("            given[position] = default\n", "            given[position] = lowered.defaults[-1]\n"),
    ('    if scope.mode != "body" and lowered.loops:', "    if False:"),
    ("    if len(node.args) > len(params):", "    if False:"),
]

ASSIGNMENTS = [
    (
        "if plain and isinstance(place, ast.Name) and place.id not in reads:",
        "if plain and isinstance(place, ast.Name):",
    ),
    ("    plain = len(set(names)) == len(target.elts)\n", "    plain = len(names) == len(target.elts)\n"),
    ("    if not builder.is_bound(base.name):\n        value, done", "    if False:\n        value, done"),
    (
        "        if not builder.is_bound(base.name):\n            done.append",
        "        if False:\n            done.append",
    ),
    ("                builder.mutates(name.id, stmt)\n", ""),
    (
        "    for target in targets:\n        done.extend(_store(builder, target, held",
        "    for target in reversed(targets):\n        done.extend(_store(builder, target, held",
    ),
    ("    for place, held in later:\n", "    for place, held in later[::-1]:\n"),
]

STATEMENTS = [
    (
        '        if name in self.frame.params:\n            raise self.refuse(f"mutation',
        '        if False:\n            raise self.refuse(f"mutation',
    ),
    (
        "        if any(name in names for names in self.iterated):",
        "        if any(name in names for names in self.iterated[-1:]):",
    ),
    ("return left & right\n", "return left | right\n"),
    ("        self.bound = None if endless else before\n", "        self.bound = None\n"),
    ("        if breaks:\n            self.bound = before\n        return (ir.While", "        return (ir.While"),
    ("        if breaks:\n            self.bound = before\n        return (ir.For", "        return (ir.For"),
    ("        after, self.bound = self.bound, before\n", "        after = self.bound\n"),
    ("        self.count += 1\n", ""),
    ("if self.frame.visible()[name] != item and self.frame.final:", "if False:"),
    ("        self.bind(name)\n        body, breaks", "        body, breaks"),
    (
        "        self.bound = before\n        orelse = self.block(stmt.orelse)\n        if breaks:",
        "        orelse = self.block(stmt.orelse)\n        if breaks:",
    ),
]

CONTRACT = [
    ("        tuple(reversed(decorated.requires)),\n", "        tuple(decorated.requires),\n"),
    ("        tuple(reversed(decorated.ensures)),\n", "        tuple(decorated.ensures),\n"),
    ('{"result", "OLD"} if library.name == "ensure" else set()', '{"result", "OLD"}'),
    ('            if name in ("error", "a_repr"):', '            if name == "a_repr":'),
    ("if enabled is not None and not (isinstance(enabled, ast.Constant) and enabled.value is True):", "if False:"),
    ("    if pep316(node):\n", "    if False:\n"),
    ("    if decorated.count and (nagini.requires or nagini.ensures):", "    if False:"),
    (
        '        if not library.sure:\n            raise Unsupported(f"decorator',
        '        if False:\n            raise Unsupported(f"decorator',
    ),
    ('is not None and library.name == "snapshot" and position > last_ensure:', "is not None and False:"),
]

CLAUSES = [
    ("isinstance(expr, ir.Index | ir.Call | ir.Quantifier)", "isinstance(expr, ir.Call | ir.Quantifier)"),
    ('expr.op in ("//", "%")', 'expr.op == "//"'),
    ("ensures = () if safety else tuple", "ensures = tuple"),
]

LOWER = [
    ("    if frame.returns not in (None, NONE):\n", "    if False:\n"),
    ("    if builder.bound is not None:\n        body = (*body, _end(frame))\n", ""),
    ("    check_aliasing(body, frame.mutations, frame.calls)\n", ""),
    ("    refuse_dynamic(module)\n", ""),
    ("    if size > MAX_NODES:", "    if False:"),
    ("    loops = bool(own) or any(call.loops for call in frame.calls.values())", "    loops = bool(own)"),
]
