"""Closures of arithmetic, comparisons, `and`, `or`, `//` and the minus sign."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from . import tree
from .closures import (
    Code,
    Env,
    Many,
    One,
    Scope,
    compile_node,
    compiles,
    constant,
    is_true,
    several,
    single,
)
from .operators import OPERATORS, negate
from .run import Run
from .values import compare, equal

Operation = Callable[[Any, Any, Run], Any]


@compiles(tree.Arithmetic)
def arithmetic(node: tree.Arithmetic, scope: Scope) -> Code:
    """From the left; the right side is evaluated first and its results turn slowest, as in jq."""
    code = compile_node(node.first, scope)
    terms = [compile_node(term, scope) for _, term in node.rest]
    ones = [term.one for term in terms if term.one is not None]
    operations = [OPERATORS[operator] for operator, _ in node.rest]
    if code.one is not None and len(ones) == len(terms) > 1:
        return single(_chain(code.one, list(zip(operations, ones, strict=True))))
    for operation, term, (_, written) in zip(operations, terms, node.rest, strict=True):
        code = binary(operation, code, term, constant(written))
    return code


def _chain(first: One, rest: list[tuple[Operation, One]]) -> One:
    operations = [operation for operation, _ in rest]
    ones = [one for _, one in reversed(rest)]

    def calculate(value: Any, env: Env) -> Any:
        terms = [one(value, env) for one in ones]
        result = first(value, env)
        for operation in operations:
            result = operation(result, terms.pop(), env[0])
        return result

    return calculate


def binary(operation: Operation, left: Code, right: Code, fixed: Any = NotImplemented) -> Code:
    """An operation over each combination of results; `fixed` is the right side if a literal."""
    left_one, left_many = left
    right_one, right_many = right
    if left_one is not None and fixed is not NotImplemented:
        return single(lambda value, env: operation(left_one(value, env), fixed, env[0]))
    if left_one is not None and right_one is not None:

        def both(value: Any, env: Env) -> Any:
            second = right_one(value, env)
            return operation(left_one(value, env), second, env[0])

        return single(both)

    def each(value: Any, env: Env) -> Iterator[Any]:
        run = env[0]
        for second in right_many(value, env):
            for first in left_many(value, env):
                yield operation(first, second, run)

    return several(each)


def _not_equal(left: Any, right: Any, run: Run) -> bool:
    return not equal(left, right, run)


def _less(left: Any, right: Any, run: Run) -> bool:
    # Numbers are compared here as `compare` does, which is slower: NaN is less than all.
    kind_left = left.__class__
    kind_right = right.__class__
    if (kind_left is int or kind_left is float) and (kind_right is int or kind_right is float):
        return bool(left < right or left != left)
    return compare(left, right, run) < 0


def _greater(left: Any, right: Any, run: Run) -> bool:
    kind_left = left.__class__
    kind_right = right.__class__
    if (kind_left is int or kind_left is float) and (kind_right is int or kind_right is float):
        return not (left <= right or left != left)
    return compare(left, right, run) > 0


def _less_or_equal(left: Any, right: Any, run: Run) -> bool:
    return not _greater(left, right, run)


def _greater_or_equal(left: Any, right: Any, run: Run) -> bool:
    return not _less(left, right, run)


_COMPARISONS: dict[str, Operation] = {
    "==": equal,
    "!=": _not_equal,
    "<": _less,
    "<=": _less_or_equal,
    ">": _greater,
    ">=": _greater_or_equal,
}


@compiles(tree.Comparison)
def comparison(node: tree.Comparison, scope: Scope) -> Code:
    """Over all kinds of values, in jq's order."""
    left = compile_node(node.left, scope)
    fixed = constant(node.right)
    one = left.one
    if one is not None and isinstance(fixed, str) and node.operator in ("==", "!="):
        # No other kind of value equals a string in Python.
        if node.operator == "==":
            return single(lambda value, env: one(value, env) == fixed)
        return single(lambda value, env: one(value, env) != fixed)
    return binary(_COMPARISONS[node.operator], left, compile_node(node.right, scope), fixed)


@compiles(tree.Logic)
def logic(node: tree.Logic, scope: Scope) -> Code:
    """`and`, `or`: true or false, and no look at the right side where the left one decides."""
    codes = [compile_node(item, scope) for item in node.items]
    decides = node.operator == "or"
    ones = [code.one for code in codes if code.one is not None]
    if len(ones) == len(codes):
        return single(_short(ones, decides))
    many = codes[0].many
    for code in codes[1:]:
        many = _short_many(many, code.many, decides)
    return several(many)


def _short(ones: list[One], decides: bool) -> One:
    def short(value: Any, env: Env) -> bool:
        for one in ones:
            found = one(value, env)
            if (found is not None and found is not False) is decides:
                return decides
        return not decides

    return short


def _short_many(left: Many, right: Many, decides: bool) -> Many:
    def short(value: Any, env: Env) -> Iterator[bool]:
        for first in left(value, env):
            if is_true(first) is decides:
                yield decides
            else:
                for second in right(value, env):
                    yield is_true(second)

    return short


@compiles(tree.Alternative)
def alternative(node: tree.Alternative, scope: Scope) -> Code:
    """The true results of the left side; where there are none, the results of the right one."""
    codes = [compile_node(item, scope) for item in node.items]
    code = codes[-1]
    for before in reversed(codes[:-1]):
        code = _or_else(before, code)
    return code


def _or_else(left: Code, right: Code) -> Code:
    left_one, left_many = left
    right_one, right_many = right
    if left_one is not None and right_one is not None:

        def first_true(value: Any, env: Env) -> Any:
            found = left_one(value, env)
            if found is not None and found is not False:
                return found
            return right_one(value, env)

        return single(first_true)

    def all_true(value: Any, env: Env) -> Iterator[Any]:
        is_found = False
        for found in left_many(value, env):
            if is_true(found):
                is_found = True
                yield found
        if not is_found:
            yield from right_many(value, env)

    return several(all_true)


@compiles(tree.Negation)
def negation(node: tree.Negation, scope: Scope) -> Code:
    """Of numbers only."""
    one, many = compile_node(node.operand, scope)
    if one is not None:
        return single(lambda value, env: negate(one(value, env), env[0]))

    def each(value: Any, env: Env) -> Iterator[Any]:
        for found in many(value, env):
            yield negate(found, env[0])

    return several(each)
