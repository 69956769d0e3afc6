"""Closures of path expressions: where a value stands, not only what it is.

A path closure takes the path so far, the value there and an environment, and gives pairs of a
longer path and the value there. Only what surely stays a path is compiled; an expression that
might leave the value's place (`.a | tostring`) is left to jq, which decides by identity.
Source: jq 1.8 manual, `path`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Any

from . import tree
from .closures import (
    Code,
    Env,
    Many,
    NotPlainError,
    Scope,
    compile_node,
    is_true,
)
from .closures_control import compile_patterns
from .closures_functions import define_in
from .closures_values import step_key
from .errors import ExpressionError, ExpressionLimit
from .paths import get, get_path
from .values import is_array, is_object, kind, shown

PathKeys = tuple[Any, ...]
Place = tuple[PathKeys, Any]
Paths = Callable[[PathKeys, Any, Env], Iterable[Place]]


def compile_paths(node: tree.Node, scope: Scope) -> Paths:
    """The closure of a path expression; raises `NotPlainError` for anything else."""
    scope.budget.take()
    match node:
        case tree.Identity():
            return here
        case tree.Descend():
            return descend
        case tree.Path():
            return _path(node, scope)
        case tree.Pipe(stages=stages):
            paths = compile_paths(stages[0], scope)
            for stage in stages[1:]:
                paths = _then(paths, compile_paths(stage, scope))
            return paths
        case tree.Comma(items=items):
            return _all_of([compile_paths(item, scope) for item in items])
        case tree.If():
            return _if(node, scope)
        case tree.Alternative(items=items):
            paths = compile_paths(items[-1], scope)
            for item in reversed(items[:-1]):
                paths = _or_else(compile_paths(item, scope), paths)
            return paths
        case tree.Try(body=body, handler=None):
            return _try(compile_paths(body, scope))
        case tree.Bind():
            return _bind(node, scope)
        case tree.Define():
            return compile_paths(node.body, define_in(node, scope))
        case tree.Call():
            return _call(node, scope)
        case _:
            raise NotPlainError(type(node).__name__)


def here(path: PathKeys, value: Any, _env: Env) -> Iterable[Place]:
    """`.`: the place itself."""
    return ((path, value),)


def nowhere(_path: PathKeys, _value: Any, _env: Env) -> Iterable[Place]:
    """`empty`: no place."""
    return ()


def descend(path: PathKeys, value: Any, env: Env) -> Iterator[Place]:
    """`..`: every place, a container before what is in it."""
    open_places: list[Iterator[Place]] = [iter(((path, value),))]
    while open_places:
        place = next(open_places[-1], None)
        if place is None:
            open_places.pop()
            continue
        yield place
        if type(place[1]) is list or type(place[1]) is dict:
            open_places.append(each_place(place[0], place[1], env))


def each_place(path: PathKeys, value: Any, env: Env) -> Iterator[Place]:
    """`.[]`: the places of the items."""
    run = env[0]
    places: Iterable[tuple[Any, Any]]
    if is_array(value):
        places = enumerate(value)
    elif is_object(value):
        places = value.items()
    else:
        raise ExpressionError(f"Cannot iterate over {kind(value)} ({shown(value)})")
    price = 1 + (len(path) >> 5)
    for key, item in places:
        run.fuel -= price
        if run.fuel < 0:
            raise ExpressionLimit("fuel")
        yield (*path, key), item


def _path(node: tree.Path, scope: Scope) -> Paths:
    paths = compile_paths(node.base, scope)
    for step in node.steps:
        if isinstance(step, tree.EachStep):
            paths = _each(paths, step.optional)
        else:
            paths = _index(paths, step_key(step, scope), step.optional)
    return paths


def _each(before: Paths, optional: bool) -> Paths:
    def each(path: PathKeys, value: Any, env: Env) -> Iterator[Place]:
        for at, found in before(path, value, env):
            if not optional or is_array(found) or is_object(found):
                yield from each_place(at, found, env)

    return each


def _index(before: Paths, key: Code, optional: bool) -> Paths:
    keys = key.many

    def index(path: PathKeys, value: Any, env: Env) -> Iterator[Place]:
        run = env[0]
        for one in keys(value, env):
            for at, found in before(path, value, env):
                run.spend(1 + (len(at) >> 5))
                try:
                    part = get(found, one, run)
                except ExpressionLimit:
                    raise
                except ExpressionError:
                    if not optional:
                        raise
                else:
                    yield (*at, one), part

    return index


def _then(before: Paths, after: Paths) -> Paths:
    def then(path: PathKeys, value: Any, env: Env) -> Iterator[Place]:
        for at, found in before(path, value, env):
            yield from after(at, found, env)

    return then


def _all_of(items: list[Paths]) -> Paths:
    def all_of(path: PathKeys, value: Any, env: Env) -> Iterator[Place]:
        env[0].spend(len(items))
        for item in items:
            yield from item(path, value, env)

    return all_of


def _if(node: tree.If, scope: Scope) -> Paths:
    paths = compile_paths(node.otherwise, scope) if node.otherwise else here
    for condition, result in reversed(node.branches):
        ask = compile_node(condition, scope).many
        paths = _choose(ask, compile_paths(result, scope), paths)
    return paths


def _choose(ask: Many, yes: Paths, no: Paths) -> Paths:
    def choose(path: PathKeys, value: Any, env: Env) -> Iterator[Place]:
        for answer in ask(value, env):
            yield from (yes if is_true(answer) else no)(path, value, env)

    return choose


def _or_else(left: Paths, right: Paths) -> Paths:
    def or_else(path: PathKeys, value: Any, env: Env) -> Iterator[Place]:
        is_found = False
        for place in left(path, value, env):
            if is_true(place[1]):
                is_found = True
                yield place
        if not is_found:
            yield from right(path, value, env)

    return or_else


def _try(body: Paths) -> Paths:
    def attempt(path: PathKeys, value: Any, env: Env) -> Iterator[Place]:
        try:
            yield from body(path, value, env)
        except ExpressionLimit:
            raise
        except ExpressionError:
            return

    return attempt


def _bind(node: tree.Bind, scope: Scope) -> Paths:
    source = compile_node(node.source, scope).many
    binder, inner = compile_patterns(node.patterns, scope)
    body = compile_paths(node.body, inner)

    def bound(path: PathKeys, value: Any, env: Env) -> Iterator[Place]:
        for found in source(value, env):
            for inner_env in binder(found, env):
                yield from body(path, value, inner_env)

    return bound


def _call(node: tree.Call, scope: Scope) -> Paths:
    name, arguments = node.name, node.arguments
    callee = scope.functions.get((name, len(arguments)))
    if callee is not None:
        paths: Paths = callee.call_for_paths(node, scope)
        return paths
    match name, arguments:
        case "empty", ():
            return nowhere
        case "recurse", ():
            return descend
        case "first" | "last", ():
            return _fixed_index(0 if name == "first" else -1)
        case ("error", ()) | ("error", (_,)):
            return _fail(compile_node(node, scope).many)
        case "select", (condition,):
            return _choose(compile_node(condition, scope).many, here, nowhere)
        case "recurse", (step,):
            return _recurse(compile_paths(step, scope))
        case "first", (generator,):
            return _first(compile_paths(generator, scope))
        case "getpath", (keys,):
            return _get_path(compile_node(keys, scope).many)
        case kind_name, () if kind_name in _SELECTORS:
            wanted = _SELECTORS[kind_name]
            return lambda path, value, _env: ((path, value),) if kind(value) in wanted else ()
        case _:
            raise NotPlainError(name)


_SCALARS = frozenset(("null", "boolean", "number", "string"))
_CONTAINERS = frozenset(("array", "object"))
_SELECTORS = {
    "arrays": frozenset(("array",)),
    "objects": frozenset(("object",)),
    "iterables": _CONTAINERS,
    "booleans": frozenset(("boolean",)),
    "numbers": frozenset(("number",)),
    "strings": frozenset(("string",)),
    "nulls": frozenset(("null",)),
    "values": (_SCALARS | _CONTAINERS) - {"null"},
    "scalars": _SCALARS,
}


def _fixed_index(index: int) -> Paths:
    return lambda path, value, env: (((*path, index), get(value, index, env[0])),)


def _fail(error: Many) -> Paths:
    def fail(_path: PathKeys, value: Any, env: Env) -> Iterator[Place]:
        for _ in error(value, env):
            raise AssertionError("an error has no results")
        yield from ()

    return fail


def _recurse(step: Paths) -> Paths:
    def recurse(path: PathKeys, value: Any, env: Env) -> Iterator[Place]:
        open_places: list[Iterator[Place]] = [iter(((path, value),))]
        while open_places:
            place = next(open_places[-1], None)
            if place is None:
                open_places.pop()
                continue
            env[0].spend(1)
            yield place
            open_places.append(iter(step(place[0], place[1], env)))

    return recurse


def _first(generator: Paths) -> Paths:
    def first(path: PathKeys, value: Any, env: Env) -> Iterator[Place]:
        for place in generator(path, value, env):
            yield place
            return

    return first


def _get_path(paths: Many) -> Paths:
    def places(path: PathKeys, value: Any, env: Env) -> Iterator[Place]:
        for keys in paths(value, env):
            found = get_path(value, keys, env[0])
            yield (*path, *keys), found

    return places
