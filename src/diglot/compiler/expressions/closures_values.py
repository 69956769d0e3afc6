"""Closures of literals, variables, paths, strings, arrays and objects."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator
from typing import Any

from . import tree
from .closures import (
    Code,
    Env,
    Many,
    NotPlainError,
    One,
    Scope,
    compile_node,
    compiles,
    constant,
    several,
    single,
)
from .errors import ExpressionError, ExpressionLimit
from .formats import apply_format
from .operators import key_error
from .paths import get
from .run import Run
from .values import kind, shown


@compiles(tree.Identity)
def identity(_node: tree.Identity, _scope: Scope) -> Code:
    """The input itself."""
    return single(lambda value, _env: value)


@compiles(tree.Literal)
def literal(node: tree.Literal, _scope: Scope) -> Code:
    """The value of the text."""
    fixed = node.value
    if isinstance(fixed, float) and math.isinf(fixed):

        def infinite(_value: Any, env: Env) -> Any:
            env[0].has_odd_numbers = True
            return fixed

        return single(infinite)
    return single(lambda _value, _env: fixed)


@compiles(tree.Location)
def location(node: tree.Location, _scope: Scope) -> Code:
    """The object jq has for `$__loc__`."""
    line = node.line
    return single(lambda _value, _env: {"file": "<top-level>", "line": line})


@compiles(tree.Variable)
def variable(node: tree.Variable, scope: Scope) -> Code:
    """The value in the variable's slot."""
    slot = scope.variables.get(node.name)
    if slot is None:
        # One that jq binds itself, all of them forbidden.
        raise NotPlainError(node.name)
    return single(lambda _value, env: env[slot])


@compiles(tree.Path)
def path(node: tree.Path, scope: Scope) -> Code:
    """The steps one after the other; a run of constant keys is one closure."""
    code = compile_node(node.base, scope)
    keys: list[Any] = []
    for step in node.steps:
        key = constant(step.key) if isinstance(step, tree.IndexStep) else NotImplemented
        if key is not NotImplemented and not step.optional:
            keys.append(key)
            continue
        code = _after_step(_after_keys(code, keys), step, scope)
        keys = []
    return _after_keys(code, keys)


def _after_keys(code: Code, keys: list[Any]) -> Code:
    if not keys:
        return code
    one, many = code
    if one is None:
        fixed = tuple(keys)

        def each(value: Any, env: Env) -> Iterator[Any]:
            run = env[0]
            for found in many(value, env):
                for key in fixed:
                    found = get(found, key, run)
                yield found

        return several(each)
    return single(_read_keys(one, tuple(keys)))


def _read_keys(base: One, keys: tuple[Any, ...]) -> One:
    if len(keys) == 1:
        (only,) = keys
        is_name = isinstance(only, str)

        def read_one(value: Any, env: Env) -> Any:
            found = base(value, env)
            kind_of = found.__class__
            if kind_of is dict and is_name:
                return found.get(only)
            return get(found, only, env[0])

        return read_one

    def read(value: Any, env: Env) -> Any:
        found = base(value, env)
        for key in keys:
            kind_of = found.__class__
            if kind_of is dict and type(key) is str:
                found = found.get(key)
            else:
                found = get(found, key, env[0])
        return found

    return read


def _after_step(code: Code, step: tree.Step, scope: Scope) -> Code:
    if isinstance(step, tree.EachStep):
        return several(_each(code.many, step.optional))
    key = step_key(step, scope)
    one, many = code
    key_one, key_many = key
    if one is not None and key_one is not None and not step.optional:

        def read(value: Any, env: Env) -> Any:
            at = key_one(value, env)
            return get(one(value, env), at, env[0])

        return single(read)
    optional = step.optional

    def read_many(value: Any, env: Env) -> Iterator[Any]:
        run = env[0]
        for at in key_many(value, env):
            for found in many(value, env):
                try:
                    part = get(found, at, run)
                except ExpressionLimit:
                    raise
                except ExpressionError:
                    if not optional:
                        raise
                else:
                    yield part

    return several(read_many)


def step_key(step: tree.Step, scope: Scope) -> Code:
    """The code of the key of an index or a slice."""
    if isinstance(step, tree.IndexStep):
        return compile_node(step.key, scope)
    assert isinstance(step, tree.SliceStep)
    null = tree.Literal(0, 0, None)
    low_one, low_many = compile_node(step.low or null, scope)
    high_one, high_many = compile_node(step.high or null, scope)
    if low_one is not None and high_one is not None:

        def bounds(value: Any, env: Env) -> Any:
            start = low_one(value, env)
            return {"start": start, "end": high_one(value, env)}

        return single(bounds)

    def all_bounds(value: Any, env: Env) -> Iterator[Any]:
        for start in low_many(value, env):
            for end in high_many(value, env):
                yield {"start": start, "end": end}

    return several(all_bounds)


def iterate(value: Any, run: Run) -> Iterator[Any]:
    """The items of an array or the values of an object, each for a unit of fuel."""
    kind_of = value.__class__
    if kind_of is list:
        items: Iterable[Any] = value
    elif kind_of is dict:
        items = value.values()
    else:
        raise ExpressionError(f"Cannot iterate over {kind(value)} ({shown(value)})")
    for item in items:
        run.fuel -= 1
        if run.fuel < 0:
            raise ExpressionLimit("fuel")
        yield item


def _each(many: Many, optional: bool) -> Many:
    def items(value: Any, env: Env) -> Iterator[Any]:
        run = env[0]
        for found in many(value, env):
            if not optional or type(found) is list or type(found) is dict:
                yield from iterate(found, run)

    return items


@compiles(tree.Format)
def format_(node: tree.Format, _scope: Scope) -> Code:
    """The input in a format."""
    name = node.name
    return single(lambda value, env: apply_format(name, value, env[0]))


@compiles(tree.Text)
def text(node: tree.Text, scope: Scope) -> Code:
    """The parts joined; where an expression has several results, the last one turns slowest."""
    name = node.format
    codes = [
        single(_fixed(part)) if isinstance(part, str) else compile_node(part, scope)
        for part in node.parts
    ]
    plain = [isinstance(part, str) for part in node.parts]
    ones = [code.one for code in codes if code.one is not None]
    if len(ones) == len(codes):
        pairs = list(zip(ones, plain, strict=True))
        is_text = name == "text"

        def join(value: Any, env: Env) -> str:
            run = env[0]
            found: list[str] = []
            for one, is_plain in reversed(pairs):
                part = one(value, env)
                if not is_plain and not (is_text and type(part) is str):
                    part = apply_format(name, part, run)
                found.append(part)
            found.reverse()
            joined = "".join(found)
            run.spend_text(len(joined))
            return joined

        return single(join)
    steps = [(code.many, is_plain) for code, is_plain in zip(codes, plain, strict=True)]

    def joins(value: Any, env: Env) -> Iterator[str]:
        run = env[0]

        def endings(count: int, ending: str) -> Iterator[str]:
            run.spend_text(len(ending) + 192)
            if count == 0:
                yield ending
                return
            many, is_plain = steps[count - 1]
            for found in many(value, env):
                part = found if is_plain else apply_format(name, found, run)
                yield from endings(count - 1, part + ending)

        return endings(len(steps), "")

    return several(joins)


def _fixed(value: Any) -> One:
    return lambda _value, _env: value


@compiles(tree.Array)
def array(node: tree.Array, scope: Scope) -> Code:
    """All results in an array."""
    if node.body is None:
        return single(lambda _value, _env: [])
    one, many = compile_node(node.body, scope)
    if one is not None:
        return single(lambda value, env: [one(value, env)])
    return single(lambda value, env: list(many(value, env)))


@compiles(tree.Object)
def object_(node: tree.Object, scope: Scope) -> Code:
    """One object for each combination of keys and values; the first entry turns slowest."""
    entries = [
        (compile_node(entry.key, scope), _entry_value(entry, scope)) for entry in node.entries
    ]
    ones = [
        (key.one, code.one) for key, code in entries if key.one is not None and code is not None
    ]
    fixed = [
        (constant(entry.key), one)
        for entry, (_, one) in zip(node.entries, ones, strict=False)
        if one is not None and isinstance(constant(entry.key), str)
    ]
    if len(fixed) == len(entries):
        return single(lambda value, env: {key: one(value, env) for key, one in fixed})
    built = _builds([(key.many, code.many if code else None) for key, code in entries])
    if len(ones) == len(entries) and all(one is not None for _, one in ones):
        return single(lambda value, env: next(iter(built(value, env))))
    return several(built)


def _entry_value(entry: tree.Entry, scope: Scope) -> Code | None:
    """None where each key reads its own field of the input."""
    if entry.value is not None:
        return compile_node(entry.value, scope)
    key = constant(entry.key)
    if key is NotImplemented:
        return None
    return single(lambda value, env: get(value, key, env[0]))


def _builds(entries: list[tuple[Many, Many | None]]) -> Many:
    def builds(value: Any, env: Env) -> Iterator[dict[str, Any]]:
        run = env[0]

        def extend(count: int, built: dict[str, Any]) -> Iterator[dict[str, Any]]:
            run.spend_entries(len(built) + 8)
            if count == len(entries):
                yield built
                return
            keys, items = entries[count]
            for key in keys(value, env):
                for item in items(value, env) if items else (get(value, key, run),):
                    if type(key) is not str:
                        raise key_error(key)
                    yield from extend(count + 1, {**built, key: item})

        return extend(0, {})

    return builds
