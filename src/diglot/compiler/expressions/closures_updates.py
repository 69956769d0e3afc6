"""Closures of assignments, and of the functions that take path expressions."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Any

from . import tree
from .closures import (
    Code,
    Env,
    Many,
    Scope,
    compile_node,
    compiles,
    is_true,
    several,
    single,
)
from .closures_functions import builtin
from .closures_paths import Paths, compile_paths, descend
from .errors import ExpressionError
from .operators import OPERATORS
from .paths import delete_paths, get_path, set_path
from .run import Run
from .values import is_array, is_object, kind, shown


@compiles(tree.Assignment)
def assignment(node: tree.Assignment, scope: Scope) -> Code:
    """`=` sets every place, `|=` updates each by its own value, the others by an operator."""
    paths = compile_paths(node.target, scope)
    one, many = compile_node(node.value, scope)
    if node.operator == "|=":
        return single(lambda value, env: modify(value, env, paths, lambda old: many(old, env)))
    change = _assign if node.operator == "=" else _operate(node.operator[:-1])
    if one is not None:
        return single(lambda value, env: change(value, env, paths, one(value, env)))

    def each(value: Any, env: Env) -> Iterator[Any]:
        for right in many(value, env):
            yield change(value, env, paths, right)

    return several(each)


def _assign(value: Any, env: Env, paths: Paths, right: Any) -> Any:
    owned: dict[int, Any] = {}
    state = value
    for path, _ in paths((), value, env):
        state = set_path(state, path, right, env[0], owned)
    return state


def _operate(operator: str) -> Callable[[Any, Env, Paths, Any], Any]:
    if operator == "//":

        def default(value: Any, env: Env, paths: Paths, right: Any) -> Any:
            return modify(value, env, paths, lambda old: (old if is_true(old) else right,))

        return default
    operation = OPERATORS[operator]

    def change(value: Any, env: Env, paths: Paths, right: Any) -> Any:
        return modify(value, env, paths, lambda old: (operation(old, right, env[0]),))

    return change


def modify(value: Any, env: Env, paths: Paths, update: Callable[[Any], Iterable[Any]]) -> Any:
    """The first result of the update at every place; where there is none, the place goes."""
    run = env[0]
    # Containers copied on the way are changed in place by the next paths, as long as no update
    # has seen one of them. The places are those of the value before all updates.
    owned: dict[int, Any] = {}
    doomed: list[Any] = []
    state = value
    for path, _ in paths((), value, env):
        run.spend(1)
        old = get_path(state, path, run)
        if id(old) in owned:
            owned.clear()
        for new in update(old):
            state = set_path(state, path, new, run, owned)
            break
        else:
            doomed.append(list(path))
    return delete_paths(state, doomed, run) if doomed else state


@builtin("path/1")
def path(arguments: tuple[tree.Node, ...], scope: Scope) -> Code:
    """The places as arrays of keys."""
    paths = compile_paths(arguments[0], scope)

    def places(value: Any, env: Env) -> Iterator[Any]:
        for place, _ in paths((), value, env):
            yield list(place)

    return several(places)


@builtin("paths/0")
def all_paths(_arguments: tuple[tree.Node, ...], _scope: Scope) -> Code:
    """The places of everything in the input."""

    def places(value: Any, env: Env) -> Iterator[Any]:
        for place, _ in descend((), value, env):
            if place:
                yield list(place)

    return several(places)


@builtin("paths/1")
def paths_where(arguments: tuple[tree.Node, ...], scope: Scope) -> Code:
    """The places of everything in the input for which the condition is true."""
    condition = compile_node(arguments[0], scope).many

    def places(value: Any, env: Env) -> Iterator[Any]:
        for place, found in descend((), value, env):
            for answer in condition(found, env):
                if is_true(answer) and place:
                    yield list(place)

    return several(places)


@builtin("del/1")
def delete(arguments: tuple[tree.Node, ...], scope: Scope) -> Code:
    """The input without the places."""
    paths = compile_paths(arguments[0], scope)

    def remove(value: Any, env: Env) -> Any:
        doomed = [list(place) for place, _ in paths((), value, env)]
        return delete_paths(value, doomed, env[0])

    return single(remove)


@builtin("pick/1")
def pick(arguments: tuple[tree.Node, ...], scope: Scope) -> Code:
    """Null with the places of the input set in it."""
    paths = compile_paths(arguments[0], scope)

    def picked(value: Any, env: Env) -> Any:
        run = env[0]
        owned: dict[int, Any] = {}
        state: Any = None
        for place, _ in paths((), value, env):
            state = set_path(state, place, get_path(value, place, run), run, owned)
        return state

    return single(picked)


@builtin("map_values/1")
def map_values(arguments: tuple[tree.Node, ...], scope: Scope) -> Code:
    """`.[] |= f`, in one pass."""
    update = compile_node(arguments[0], scope).many
    return single(lambda value, env: map_container(value, env, update))


def map_container(value: Any, env: Env, update: Many) -> Any:
    """Every item replaced by the first result of `update`; left out where there is none."""
    run: Run = env[0]
    if is_array(value):
        run.spend(len(value))
        return [new for item in value for new in first_of(update(item, env))]
    if is_object(value):
        run.spend(len(value))
        return {key: new for key, item in value.items() for new in first_of(update(item, env))}
    raise ExpressionError(f"Cannot iterate over {kind(value)} ({shown(value)})")


def first_of(results: Iterable[Any]) -> tuple[Any, ...]:
    """The first result, or none."""
    for result in results:
        return (result,)
    return ()
