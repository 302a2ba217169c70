"""Mutants of the reference interpreter that `test_interp` has to notice: `(old, new)` snippets for each module."""

from __future__ import annotations

EVALUATE = [
    ('"//": operator.floordiv', '"//": lambda a, b: int(a / b)'),
    ('"%": operator.mod', '"%": __import__("math").fmod'),
    ('">>": operator.rshift', '">>": lambda a, b: int(a / 2**b)'),
    ('"&": operator.and_', '"&": lambda a, b: int(a) & int(b)'),
    ('"|": operator.or_', '"|": operator.xor'),
    ('"^": operator.xor', '"^": operator.or_'),
    ('"<=": operator.le', '"<=": operator.lt'),
    ('">=": operator.ge', '">=": operator.gt'),
    ("lambda item, items: item in items", "lambda item, items: any(item is each for each in items)"),
    ("~+operand(env, run)", "~operand(env, run) if False else not operand(env, run)"),
    ("lambda env, run: +operand(env, run)", "operand"),
    (
        "                if not value:\n                    return value",
        "                if not value:\n                    return False",
    ),
    ("            if value:\n                return value", "            if value:\n                return True"),
    ("            left = right\n", ""),
    (
        "            if not test(left, right):\n                return False",
        "            if not test(left, right):\n                left = False",
    ),
    (
        "then(env, run) if test(env, run) else orelse(env, run)",
        "(lambda a, b: a if test(env, run) else b)(then(env, run), orelse(env, run))",
    ),
    ("return items[position]", "return items[position] if position >= 0 else items[len(items) + position - 1]"),
    ("items[start : upper(env, run)]", "items[start : upper(env, run) or None]"),
    ("                if not eager:\n                    break", "                break"),
    ("if condition is not None and not condition(local, run):", "if condition is not None and condition(local, run):"),
    ("        local = dict(env)\n", "        local = env\n"),
    ('expr.kind == "any"\n', 'expr.kind == "all"\n'),
    ('unbound=scope.unbound if inlined else "NameError"', "unbound=scope.unbound"),
    ("for position in expr.order)", "for position in range(count))"),
    ("**{name: env[name] for name in bound}", ""),
    ("if -_BOUND < result < _BOUND:", "if result < _BOUND * 2:"),
    ("        if size > ITEMS:\n            raise Spent\n", ""),
    (
        "    if base.bit_length() * exponent > BITS + exponent:\n        raise Spent\n",
        "    if exponent > BITS:\n        return 1\n",
    ),
    ("raise Fault(unbound, span) from None", "return 0"),
    ("                run.spend(len(right) >> 5)\n", "                pass\n"),
]

STATEMENTS = [
    ("        run.left -= count\n", ""),
    ("        changed = list(env[target])\n", "        changed = env[target]\n"),
    ("            changed[position] = item\n", "            changed[position - 1] = item\n"),
    ("changed = [*env[target], item]", "changed = [item, *env[target]]"),
    ('            raise Fault("AssertionError", span, "assert")', '            raise Fault("AssertionError", span)'),
    ("        for arg in args:\n            arg(env, run)\n", ""),
    ("    if type(left) is not type(right) or left != right:", "    if left != right:"),
    ("        return all(map(_exact, left, right))\n", "        return True\n"),
    ("_exact(env[name], saved[name]) for name in saved", "_exact(env[name], saved[name]) for name in list(saved)[:1]"),
    ("            self.limit *= 2\n", ""),
    ("brent = _Brent() if run.cycles else None", "brent = _SHARED if run.cycles else None"),
    (
        "        self.age += 1\n        if saved is None or self.age == self.limit:",
        "        self.age += 1\n        if saved is None:",
    ),
    (
        "                return orelse(env, run)\n            signal = body(env, run)",
        "                return _NEXT\n            signal = body(env, run)",
    ),
    ("        arrive(env, run, items, iterations)\n        return orelse", "        return orelse"),
    ("items.start + iterations * step", "items.start + iterations"),
    ("            env[target] = item\n            signal", "            signal"),
    ("        run.entry = saved\n", ""),
    (
        "        run.entry = entry\n        _demand(self.ensures",
        "        run.entry = saved\n        _demand(self.ensures",
    ),
    ("        _demand(self.requires, entry, run, span, self.unmet)\n", ""),
    ('raise Fault(fault.exception, fault.span, "contract") from None', "raise"),
    ('raise Fault(unmet, span, "contract")', "raise Fault(unmet, span)"),
    ('contract.notation == "nagini"', 'contract.notation == "deal"'),
    (
        "then(env, run) if test(env, run) else orelse(env, run)",
        "then(env, run) if test(env, run) is True else orelse(env, run)",
    ),
]

INTERP = [
    (
        '        refused = _examine("violates", "the postcondition"',
        '        refused = None and _examine("violates", "the postcondition"',
    ),
    ('status: Status = "unknown" if partial else "diverges"', 'status: Status = "diverges"'),
    ("    if refused is not None:\n        return refused\n", ""),
    ('    if raised.cause == "assert":', '    if raised.cause == "never":'),
    ('        if raised.exception in ("ViolationError", "Unmet"):', '        if raised.exception == "never":'),
    ('covers(item.exception, "AssertionError")', "False"),
    ('if listed or raised.exception == "Unmet"', "if listed"),
    ('"unknown" if listed or', '"unknown" if'),
    ('"unknown" if listed else "violates"', '"violates"'),
    ("if covers(item.exception, raised.exception)", "if item.exception == raised.exception"),
    ("    if not speaking:", "    if not speaking and not function.contract.exsures:"),
    ('            if fault.cause == "budget":', '            if fault.cause == "never":'),
    ("steps=steps, cycles=True)", "steps=steps, cycles=False)"),
    ('{**entry, "result": value}', '{"result": value, **dict.fromkeys(entry, value)}'),
    ("all(conforms(each, item) for each in value)", "True"),
    ("len(value) == len(items) and ", ""),
    (
        'type(value) is {"int"',
        'isinstance(value, {"int"'.replace("isinstance(value, ", "type(value) in (bool, int) or type(value) is "),
    ),
    ("entry=entry, iterations=iterations", "entry=env, iterations=iterations"),
    ("entry=entry, iterations=iterations", "entry=entry"),
]

MACHINE = [
    (
        "        if self.left < 0:\n            raise Spent",
        "        if self.left < -10_000_000:\n            raise Spent",
    ),
]
