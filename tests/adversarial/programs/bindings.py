"""What a name means at the time of the call: rebinding, shadowing, conditional definitions."""

import icontract

# === defined_twice: false
@icontract.ensure(lambda n, result: result == n)
def defined_twice(n: int) -> int:
    return n


@icontract.ensure(lambda n, result: result == n)
def defined_twice(n: int) -> int:
    return n + 1


# === rebound_afterwards: false
@icontract.ensure(lambda n, result: result == n)
def rebound_afterwards(n: int) -> int:
    return n


def other(n: int) -> int:
    raise KeyError


rebound_afterwards = other


# === callee_rebound_afterwards: false
def helper(n: int) -> int:
    return n


@icontract.ensure(lambda n, result: result == n)
def callee_rebound_afterwards(n: int) -> int:
    return helper(n)


helper = lambda n: 0


# === callee_defined_twice: false
def helper(n: int) -> int:
    return n


@icontract.ensure(lambda n, result: result == n)
def callee_defined_twice(n: int) -> int:
    return helper(n)


def helper(n: int) -> int:
    return 0


# === callee_deleted: false
def helper(n: int) -> int:
    return n


@icontract.ensure(lambda n, result: result == n)
def callee_deleted(n: int) -> int:
    return helper(n)


del helper


# === conditional_callee: false
if 1 > 2:

    def helper(n: int) -> int:
        return n

else:

    def helper(n: int) -> int:
        return 0


@icontract.ensure(lambda n, result: result == n)
def conditional_callee(n: int) -> int:
    return helper(n)


# === conditional_redefinition: false
def helper(n: int) -> int:
    return n


if 1 < 2:

    def helper(n: int) -> int:
        return 0


@icontract.ensure(lambda n, result: result == n)
def conditional_redefinition(n: int) -> int:
    return helper(n)


# === callee_from_try: false
try:
    helper = int
except Exception:

    def helper(n: int) -> int:
        return n


@icontract.ensure(lambda result: result == "0")
def callee_from_try(n: int) -> int:
    return helper(n)


# === callee_is_a_class: unsupported
class helper:
    def __init__(self, n: int) -> None:
        pass


@icontract.ensure(lambda n, result: result != n)
def callee_is_a_class(n: int) -> int:
    return helper(n)


# === star_import_may_rebind: unsupported
def helper(n: int) -> int:
    return n


from os.path import *


@icontract.ensure(lambda n, result: result == n)
def star_import_may_rebind(n: int) -> int:
    return helper(n)


# === shadowed_length: false
def len(xs):
    return 0


@icontract.ensure(lambda n, result: result == 3)
def shadowed_length(n: int) -> int:
    return len([1, 2, 3])


# === shadowed_by_import: false
from operator import neg as abs


@icontract.ensure(lambda n, result: result >= 0)
def shadowed_by_import(n: int) -> int:
    return abs(n)


# === shadowed_by_loop: false
for abs in (bool,):
    pass


@icontract.ensure(lambda n, result: result == n or result == -n)
def shadowed_by_loop(n: int) -> int:
    return abs(n)


# === shadowed_by_walrus: false
(abs := bool)


@icontract.ensure(lambda n, result: result == n or result == -n)
def shadowed_by_walrus(n: int) -> int:
    return abs(n)


# === shadowed_by_handler: false
try:
    raise ValueError
except ValueError as abs:
    pass
abs = bool if "abs" not in dir() else bool


@icontract.ensure(lambda n, result: result == n or result == -n)
def shadowed_by_handler(n: int) -> int:
    return abs(n)


# === shadowed_by_with: unsupported
import contextlib

with contextlib.nullcontext(bool) as abs:
    pass


@icontract.ensure(lambda n, result: result == n or result == -n)
def shadowed_by_with(n: int) -> int:
    return abs(n)


# === shadowed_by_match: false
match bool:
    case abs:
        pass


@icontract.ensure(lambda n, result: result == n or result == -n)
def shadowed_by_match(n: int) -> int:
    return abs(n)


# === shadowed_by_global_statement: false
def install() -> None:
    global abs
    abs = bool


install()


@icontract.ensure(lambda n, result: result == n or result == -n)
def shadowed_by_global_statement(n: int) -> int:
    return abs(n)


# === shadowed_by_local: false
@icontract.ensure(lambda n, result: result == 3)
def shadowed_by_local(n: int) -> int:
    m = len([1, 2, 3])
    len = n
    return m


# === shadowed_by_parameter: unsupported
@icontract.ensure(lambda len, result: result == 3)
def shadowed_by_parameter(len: int) -> int:
    return len([1, 2, 3])


# === shadowed_range: false
def range(n):
    return [1]


@icontract.ensure(lambda n, result: result == max(n, 0))
def shadowed_range(n: int) -> int:
    k = 0
    for i in range(n):
        k += 1
    return k


# === shadowed_type_name: true
int = bool


@icontract.ensure(lambda n, result: result == n)
def shadowed_type_name(n: int) -> int:
    return n


# === shadowed_type_makes_the_claim: never
int = bool


@icontract.ensure(lambda n, result: 0 <= result <= 1)
def shadowed_type_makes_the_claim(n: int) -> int:
    return n


# === global_assigned_twice: false
K = 1
K = 2


@icontract.ensure(lambda result: result == 1)
def global_assigned_twice(n: int) -> int:
    return K


# === global_assigned_in_branch: false
K = 1
if K:
    K = 2


@icontract.ensure(lambda result: result == 1)
def global_assigned_in_branch(n: int) -> int:
    return K


# === global_augmented: false
K = 1
K += 1


@icontract.ensure(lambda result: result == 1)
def global_augmented(n: int) -> int:
    return K


# === global_rebound_by_loop: false
K = 1
for K in (5,):
    pass


@icontract.ensure(lambda result: result == 1)
def global_rebound_by_loop(n: int) -> int:
    return K


# === global_rebound_by_unpacking: false
K = 1
J, *K = 1, 2


@icontract.ensure(lambda result: result == 1)
def global_rebound_by_unpacking(n: int) -> int:
    return K


# === global_rebound_by_function: false
K = 1


def change() -> None:
    global K
    K = 2


change()


@icontract.ensure(lambda result: result == 1)
def global_rebound_by_function(n: int) -> int:
    return K


# === global_rebound_in_class: false
K = 1


class Box:
    global K
    K = 2


@icontract.ensure(lambda result: result == 1)
def global_rebound_in_class(n: int) -> int:
    return K


# === global_rebound_through_dictionary: false
K = 1
globals()["K"] = 2


@icontract.ensure(lambda result: result == 1)
def global_rebound_through_dictionary(n: int) -> int:
    return K


# === global_rebound_by_exec: false
K = 1
exec("K = 2")


@icontract.ensure(lambda result: result == 1)
def global_rebound_by_exec(n: int) -> int:
    return K


# === global_deleted: false
K = 1


@icontract.ensure(lambda result: result == 1)
def global_deleted(n: int) -> int:
    return K


del K


# === global_list_is_mutable: false
K = [1]
K.append(2)


@icontract.ensure(lambda result: result == 1)
def global_list_is_mutable(n: int) -> int:
    return len(K)


# === global_from_call: unsupported
K = abs(-3)


@icontract.ensure(lambda result: result == 3)
def global_from_call(n: int) -> int:
    return K


# === global_of_another_scope: false
K = 1


def somewhere() -> int:
    K = 2
    return K


@icontract.ensure(lambda result: result == 2)
def global_of_another_scope(n: int) -> int:
    return K


# === class_attribute_is_no_global: false
class Box:
    K = 1


@icontract.ensure(lambda result: result == 1)
def class_attribute_is_no_global(n: int) -> int:
    return K


# === patched_builtins: false
import builtins

original = builtins.abs
builtins.abs = lambda n: -1


@icontract.ensure(lambda n, result: result >= 0)
def patched_builtins(n: int) -> int:
    return abs(n)


# === patched_defaults: false
def helper(n: int, k: int = 1) -> int:
    return n + k


helper.__defaults__ = (2,)


@icontract.ensure(lambda n, result: result == n + 1)
def patched_defaults(n: int) -> int:
    return helper(n)


# === patched_code: false
def helper(n: int) -> int:
    return n


helper.__code__ = (lambda n: 0).__code__


@icontract.ensure(lambda n, result: result == n)
def patched_code(n: int) -> int:
    return helper(n)


# === patched_by_setattr: false
import sys

K = 1
setattr(sys.modules[__name__], "K", 2) if __name__ in sys.modules else globals().update(K=2)


@icontract.ensure(lambda result: result == 1)
def patched_by_setattr(n: int) -> int:
    return K


# === patched_through_a_module_alias: false
import sys as system

K = 1
self = system.modules.get(__name__)
if self is not None:
    self.K = 2
else:
    del K


@icontract.ensure(lambda result: result == 1)
def patched_through_a_module_alias(n: int) -> int:
    return K


# === patched_through_attrgetter: false
import operator


@icontract.ensure(lambda result: result == 1)
def patched_through_attrgetter(n: int) -> int:
    return K


K = 1


def helper() -> None:
    return None


operator.attrgetter("__globals__")(helper)["K"] = 2


# === patched_through_inspect: false
import inspect


@icontract.ensure(lambda result: result == 1)
def patched_through_inspect(n: int) -> int:
    return K


K = 1


def helper() -> None:
    return None


dict(inspect.getmembers(helper))["__globals__"]["K"] = 2


# === patched_by_mock: false
from unittest import mock

mock.patch("builtins.abs", lambda n: -1).start()


@icontract.ensure(lambda result: result >= 0)
def patched_by_mock(n: int) -> int:
    return abs(n)


# === walrus_in_an_annotation: false
K = 1
J: (K := 2) = 1


@icontract.ensure(lambda result: result == 1)
def walrus_in_an_annotation(n: int) -> int:
    return K


# === walrus_in_a_default: false
K = 1


def helper(n: int = (K := 2)) -> int:
    return n


@icontract.ensure(lambda result: result == 1)
def walrus_in_a_default(n: int) -> int:
    return K


# === walrus_in_a_comprehension: false
K = 1
[(K := item) for item in (1, 2)]


@icontract.ensure(lambda result: result == 1)
def walrus_in_a_comprehension(n: int) -> int:
    return K


# === comprehension_variable_is_no_global: true
K = 1
[K for K in (5, 6)]


@icontract.ensure(lambda result: result == 1)
def comprehension_variable_is_no_global(n: int) -> int:
    return K


# === annotated_global: true
K: int = 7


@icontract.ensure(lambda result: result == 7)
def annotated_global(n: int) -> int:
    return K


# === global_is_bool: true
DEBUG = False


@icontract.ensure(lambda n, result: result == n)
def global_is_bool(n: int) -> int:
    return n + DEBUG


# === global_of_a_dotted_import: unsupported
import os.path


@icontract.ensure(lambda result: result == 1)
def global_of_a_dotted_import(n: int) -> int:
    return os


# === defined_after_use: true
@icontract.ensure(lambda n, result: result == n + 4)
def defined_after_use(n: int) -> int:
    return helper(n) + LATER


def helper(n: int) -> int:
    return n


LATER = 4


# === main_guard: true
@icontract.ensure(lambda n, result: result == n)
def main_guard(n: int) -> int:
    return n


if __name__ == "__main__":
    print(main_guard(1))
