"""jq's functions of arrays and objects."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
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
    failure_of_two,
    is_array,
    is_object,
    kind,
    sort_key,
    sort_values,
)


def _array(value: Any, message: str) -> list[Any]:
    if not is_array(value):
        raise failure(value, message)
    return value


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


@builtin("sort/0")
@on_input
def sort(value: Any, run: Run) -> list[Any]:
    """The items in order."""
    return sort_values(_array(value, "cannot be sorted, as it is not an array"), run)


@builtin("unique/0")
@on_input
def unique(value: Any, run: Run) -> list[Any]:
    """The items in order, each once."""
    ordered = sort_values(_array(value, "cannot be sorted, as it is not an array"), run)
    return [
        item
        for place, item in enumerate(ordered)
        if place == 0 or not equal(ordered[place - 1], item, run)
    ]


@builtin("min/0")
@on_input
def min_(value: Any, run: Run) -> Any:
    """The first of the least items."""
    items = _iterable_array(value, value)
    return _extreme(items, items, True, run)


@builtin("max/0")
@on_input
def max_(value: Any, run: Run) -> Any:
    """The last of the greatest items."""
    items = _iterable_array(value, value)
    return _extreme(items, items, False, run)


def _iterable_array(value: Any, others: Any) -> list[Any]:
    if not is_array(value):
        raise failure_of_two(value, others, "cannot be iterated over")
    return value


def _extreme(items: list[Any], by: list[Any], is_least: bool, run: Run) -> Any:
    if not items:
        return None
    best = 0
    for place in range(1, len(items)):
        run.spend(1)
        if (compare(by[place], by[best], run) < 0) is is_least:
            best = place
    return items[best]


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


@builtin("bsearch/1")
@on_values
def bsearch(value: Any, target: Any, run: Run) -> int:
    """The place in a sorted array, or -1 minus the place to insert at."""
    items = _array(value, "cannot be searched from")
    start, end = 0, len(items)
    while start < end:
        middle = (start + end) // 2
        run.spend(1)
        order = compare(target, items[middle], run)
        if order == 0:
            return middle
        if order < 0:
            end = middle
        else:
            start = middle + 1
    return -1 - start


def _by(finish: Callable[[list[Any], list[Any], Run], Any]) -> Any:
    """A function of the items and the keys that the argument makes of them."""

    def compile_call(arguments: tuple[tree.Node, ...], scope: Scope) -> Code:
        one, many = compile_node(arguments[0], scope)

        def by_key(value: Any, env: Env) -> Any:
            run = env[0]
            if one is not None and is_array(value):
                run.spend(len(value))
                by = [[one(item, env)] for item in value]
            elif one is not None:
                by = [[one(item, env)] for item in iterate(value, run)]
            else:
                by = [list(many(item, env)) for item in iterate(value, run)]
            if not is_array(value):
                raise failure_of_two(value, by, _NOT_BOTH[finish])
            return finish(value, by, run)

        return single(by_key)

    return compile_call


def _order(by: list[Any], run: Run) -> list[int]:
    run.spend(len(by))
    kinds: set[type] = {keys[0].__class__ if len(keys) == 1 else list for keys in by}
    if kinds == {str} or kinds == {int}:
        run.spend(len(by) * len(by).bit_length() >> 3)
        return sorted(range(len(by)), key=lambda place: by[place][0])
    key = sort_key(run)
    return sorted(range(len(by)), key=lambda place: key(by[place]))


def _sorted_by(items: list[Any], by: list[Any], run: Run) -> list[Any]:
    return [items[place] for place in _order(by, run)]


def _grouped_by(items: list[Any], by: list[Any], run: Run) -> list[Any]:
    groups: list[Any] = []
    last: Any = None
    for place in _order(by, run):
        if not groups or not equal(last, by[place], run):
            groups.append([])
            last = by[place]
        groups[-1].append(items[place])
    return groups


def _unique_by(items: list[Any], by: list[Any], run: Run) -> list[Any]:
    return [group[0] for group in _grouped_by(items, by, run)]


def _least_by(items: list[Any], by: list[Any], run: Run) -> Any:
    return _extreme(items, by, True, run)


def _greatest_by(items: list[Any], by: list[Any], run: Run) -> Any:
    return _extreme(items, by, False, run)


_SORTED = "cannot be sorted, as they are not both arrays"
_NOT_BOTH: dict[Any, str] = {
    _sorted_by: _SORTED,
    _grouped_by: _SORTED,
    _unique_by: _SORTED,
    _least_by: "cannot be iterated over",
    _greatest_by: "cannot be iterated over",
}

builtin("sort_by/1")(_by(_sorted_by))
builtin("group_by/1")(_by(_grouped_by))
builtin("unique_by/1")(_by(_unique_by))
builtin("min_by/1")(_by(_least_by))
builtin("max_by/1")(_by(_greatest_by))


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
            yield add([item], others, run)
