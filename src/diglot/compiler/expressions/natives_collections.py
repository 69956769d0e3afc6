"""jq's functions of arrays and objects."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import chain
from typing import Any

from . import tree
from .arithmetic import is_number, truncate
from .closures import Code, Env, Many, Scope, compile_node, is_true, several, single
from .closures_functions import builtin, on_input, on_values
from .closures_updates import map_container
from .closures_values import iterate
from .errors import ExpressionError
from .natives_values import length_of
from .operators import add, key_error, subtract
from .paths import delete_paths, get, get_path, set_path
from .run import Run
from .values import (
    compare,
    equal,
    failure,
    is_array,
    is_object,
    kind,
    sort_values,
)


@builtin("keys/0")
@on_input
def keys(value: Any, run: Run) -> list[Any]:
    """The keys in order, the indices of an array."""
    return sort_values(_keys(value, run), run)


@builtin("keys_unsorted/0")
@on_input
def keys_unsorted(value: Any, run: Run) -> list[Any]:
    """The keys in the order they have."""
    return _keys(value, run)


def _keys(value: Any, run: Run) -> list[Any]:
    if is_object(value):
        run.spend(len(value))
        return list(value)
    if is_array(value):
        run.spend(len(value))
        return list(range(len(value)))
    raise failure(value, "has no keys")


def has_key(value: Any, key: Any) -> bool:
    """Whether an object has a key, an array an index; null has nothing."""
    if value is None:
        return False
    if is_object(value) and isinstance(key, str):
        return key in value
    if is_array(value) and is_number(key):
        return key == key and 0 <= truncate(key) < len(value)
    raise ExpressionError(f"Cannot check whether {kind(value)} has a {kind(key)} key")


@builtin("has/1")
@on_values
def has(value: Any, key: Any, _run: Run) -> bool:
    """Whether the input has the key."""
    return has_key(value, key)


@builtin("in/1")
@on_values
def in_(value: Any, container: Any, _run: Run) -> bool:
    """Whether the input is a key of the argument."""
    return has_key(container, value)


@builtin("getpath/1")
@on_values
def getpath(value: Any, path: Any, run: Run) -> Any:
    """The value at a path."""
    return get_path(value, path, run)


@builtin("setpath/2")
@on_values
def setpath(value: Any, path: Any, new: Any, run: Run) -> Any:
    """The input with a value at a path."""
    return set_path(value, path, new, run)


@builtin("delpaths/1")
@on_values
def delpaths(value: Any, paths: Any, run: Run) -> Any:
    """The input without what stands at the paths."""
    return delete_paths(value, paths, run)


@builtin("first/0")
@on_input
def first(value: Any, run: Run) -> Any:
    """The first item."""
    return get(value, 0, run)


@builtin("last/0")
@on_input
def last(value: Any, run: Run) -> Any:
    """The last item."""
    return get(value, -1, run)


@builtin("nth/1")
@on_values
def nth(value: Any, place: Any, run: Run) -> Any:
    """The item at a place."""
    return get(value, place, run)


@builtin("reverse/0")
@on_input
def reverse(value: Any, run: Run) -> list[Any]:
    """The items from the last to the first; of all else only what is empty can be reversed."""
    if not is_array(value):
        size = length_of(value)
        return [] if size == 0 else [get(value, size - 1, run)]
    run.spend_items(len(value))
    return value[::-1]


@builtin("add/0")
@on_input
def add_all(value: Any, run: Run) -> Any:
    """The sum of the items, null without any."""
    return sum_of(iterate(value, run), run)


@builtin("add/1")
def add_results(arguments: tuple[tree.Node, ...], scope: Scope) -> Code:
    """The sum of the results, null without any."""
    many = compile_node(arguments[0], scope).many
    return single(lambda value, env: sum_of(many(value, env), env[0]))


def sum_of(results: Iterable[Any], run: Run) -> Any:
    """The sum from left to right; what is all text or all arrays is joined at once."""
    items = list(results)
    run.spend(len(items))
    kinds = set(map(type, items))
    if kinds == {str}:
        run.spend_text(sum(map(len, items)))
        return "".join(items)
    if kinds == {list}:
        run.spend_items(sum(map(len, items)))
        return list(chain.from_iterable(items))
    total: Any = None
    for item in items:
        total = add(total, item, run)
    return total


@builtin("flatten/0")
@on_input
def flatten(value: Any, run: Run) -> list[Any]:
    """The items, with those of inner arrays in their place."""
    return _flattened(value, -1, run)


@builtin("flatten/1")
@on_values
def flatten_to(value: Any, depth: Any, run: Run) -> list[Any]:
    """As `flatten`, as deep as the argument says."""
    if compare(depth, 0, run) < 0:
        raise ExpressionError("flatten depth must not be negative")
    return _flattened(value, depth, run)


def _flattened(value: Any, depth: Any, run: Run) -> list[Any]:
    found: list[Any] = []
    for item in iterate(value, run):
        if is_array(item) and not equal(depth, 0, run):
            found.extend(_flattened(item, subtract(depth, 1, run), run))
        else:
            found.append(item)
    run.spend_items(len(found))
    return found


@builtin("to_entries/0")
@on_input
def to_entries(value: Any, run: Run) -> list[Any]:
    """The entries as objects of key and value."""
    return entries_of(value, run)


def entries_of(value: Any, run: Run) -> list[Any]:
    """The entries of an object, or of an array by its indices."""
    return [{"key": key, "value": get(value, key, run)} for key in _keys(value, run)]


@builtin("from_entries/0")
@on_input
def from_entries(value: Any, run: Run) -> dict[str, Any]:
    """An object of such entries; jq also takes name, Name, Key and Value."""
    return _from_entries(iterate(value, run), run)


def _from_entries(entries: Iterator[Any], run: Run) -> dict[str, Any]:
    built: dict[str, Any] = {}
    for entry in entries:
        run.spend(1)
        key: Any = None
        for name in ("key", "Key", "name", "Name"):
            key = get(entry, name, run)
            if is_true(key):
                break
        value = get(entry, "value" if has_key(entry, "value") else "Value", run)
        if not isinstance(key, str):
            raise key_error(key)
        built[key] = value
    return built


@builtin("with_entries/1")
def with_entries(arguments: tuple[tree.Node, ...], scope: Scope) -> Code:
    """The entries changed and put together again."""
    many = compile_node(arguments[0], scope).many

    def change(value: Any, env: Env) -> Any:
        entries = entries_of(value, env[0])
        changed = [found for entry in entries for found in many(entry, env)]
        return _from_entries(iter(changed), env[0])

    return single(change)


@builtin("transpose/0")
@on_input
def transpose(value: Any, run: Run) -> list[Any]:
    """Rows as columns; short rows are filled with null."""
    rows = list(iterate(value, run))
    width = max(map(length_of, rows), default=0)
    columns: list[Any] = []
    while len(columns) < width:
        run.spend(len(rows) + 1)
        columns.append([get(row, len(columns), run) for row in rows])
    return columns


@builtin("map/1")
def map_(arguments: tuple[tree.Node, ...], scope: Scope) -> Code:
    """The results for every item in one array."""
    one, many = compile_node(arguments[0], scope)
    if one is not None:

        def map_one(value: Any, env: Env) -> list[Any]:
            if not is_array(value):
                return [one(item, env) for item in iterate(value, env[0])]
            env[0].spend(len(value))
            return [one(item, env) for item in value]

        return single(map_one)
    return single(
        lambda value, env: [found for item in iterate(value, env[0]) for found in many(item, env)]
    )


@builtin("walk/1")
def walk(arguments: tuple[tree.Node, ...], scope: Scope) -> Code:
    """The function on every value, what is inside before what it is in."""
    change = compile_node(arguments[0], scope).many
    return several(_walk(change))


def _walk(change: Many) -> Many:
    def walk_into(value: Any, env: Env) -> Iterator[Any]:
        env[0].spend(1)
        if is_object(value):
            value = map_container(value, env, walk_into)
        elif is_array(value):
            value = [found for item in value for found in walk_into(item, env)]
        yield from change(value, env)

    return walk_into


@builtin("combinations/0")
def combinations(_arguments: tuple[tree.Node, ...], _scope: Scope) -> Code:
    """Every choice of one item from each item."""
    return several(lambda value, env: _combined(value, env[0]))


@builtin("combinations/1")
def combinations_of(arguments: tuple[tree.Node, ...], scope: Scope) -> Code:
    """Every choice of so many items of the input."""
    counts = compile_node(arguments[0], scope).many

    def choose(value: Any, env: Env) -> Iterator[Any]:
        # jq makes one list of all counts, and one choice of it.
        rows: list[Any] = []
        for count in counts(value, env):
            if not is_number(count):
                raise ExpressionError("Range bounds must be numeric")
            at = 0
            while at < count:
                env[0].spend(1)
                rows.append(value)
                at += 1
        yield from _combined(rows, env[0])

    return several(choose)


def _combined(value: Any, run: Run) -> Iterator[Any]:
    run.spend(1)
    if length_of(value) == 0:
        yield []
        return
    for item in iterate(get(value, 0, run), run):
        rest = get(value, {"start": 1, "end": None}, run)
        for others in _combined(rest, run):
            run.spend(1)
            yield add([item], others, run)
