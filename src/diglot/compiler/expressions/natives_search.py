"""jq's functions that look for something among results."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from . import tree
from .closures import Code, Env, Many, Scope, compile_node, is_true, single
from .closures_functions import builtin, on_values
from .closures_updates import first_of
from .closures_values import iterate
from .run import Run
from .values import (
    contains,
    equal,
    failure_of_two,
    is_same_kind,
    to_text,
)

_Arguments = tuple[tree.Node, ...]


@builtin("isempty/1")
def isempty(arguments: _Arguments, scope: Scope) -> Code:
    """Whether there is no result."""
    many = compile_node(arguments[0], scope).many
    return single(lambda value, env: not first_of(many(value, env)))


def _decided(name: str, decides: bool) -> None:
    """Register `any` or `all`: the first answer that decides ends the search."""

    def search(values: Iterable[Any], condition: Many | None, env: Env) -> bool:
        for found in values:
            for answer in condition(found, env) if condition else (found,):
                if is_true(answer) is decides:
                    return decides
        return not decides

    @builtin(f"{name}/0")
    def of_items(_arguments: _Arguments, _scope: Scope) -> Code:
        return single(lambda value, env: search(iterate(value, env[0]), None, env))

    @builtin(f"{name}/1")
    def of_answers(arguments: _Arguments, scope: Scope) -> Code:
        condition = compile_node(arguments[0], scope).many
        return single(lambda value, env: search(iterate(value, env[0]), condition, env))

    @builtin(f"{name}/2")
    def of_results(arguments: _Arguments, scope: Scope) -> Code:
        results, condition = (compile_node(argument, scope).many for argument in arguments)
        return single(lambda value, env: search(results(value, env), condition, env))


_decided("any", True)
_decided("all", False)


@builtin("IN/1")
def in_results(arguments: _Arguments, scope: Scope) -> Code:
    """Whether the input equals a result."""
    many = compile_node(arguments[0], scope).many
    return single(lambda value, env: any(equal(found, value, env[0]) for found in many(value, env)))


@builtin("IN/2")
def results_in(arguments: _Arguments, scope: Scope) -> Code:
    """Whether a result of the first argument equals one of the second."""
    left, right = (compile_node(argument, scope).many for argument in arguments)

    def is_in(value: Any, env: Env) -> bool:
        # As in jq, the comparison is made anew for each result of the right side.
        return any(
            equal(one, other, env[0]) for other in right(value, env) for one in left(value, env)
        )

    return single(is_in)


@builtin("INDEX/1")
def index_by(arguments: _Arguments, scope: Scope) -> Code:
    """The items of the input by their keys."""
    key = compile_node(arguments[0], scope).many
    return single(lambda value, env: _indexed(iterate(value, env[0]), key, env))


@builtin("INDEX/2")
def index_results(arguments: _Arguments, scope: Scope) -> Code:
    """The results by their keys."""
    many, key = (compile_node(argument, scope).many for argument in arguments)
    return single(lambda value, env: _indexed(many(value, env), key, env))


def _indexed(rows: Iterable[Any], key: Many, env: Env) -> dict[str, Any]:
    index: dict[str, Any] = {}
    for row in rows:
        env[0].spend(1)
        for name in key(row, env):
            index[to_text(name, env[0])] = row
    return index


@builtin("inside/1")
@on_values
def inside(value: Any, container: Any, run: Run) -> bool:
    """Whether the input is within the argument."""
    if not is_same_kind(container, value):
        raise failure_of_two(container, value, "cannot have their containment checked")
    return contains(container, value, run)
