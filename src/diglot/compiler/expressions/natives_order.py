"""jq's functions of the order of values: sorting, grouping, least and greatest."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from . import tree
from .closures import Code, Env, Scope, compile_node, single
from .closures_functions import builtin, on_input, on_values
from .closures_values import iterate
from .run import Run
from .values import (
    compare,
    equal,
    failure,
    failure_of_two,
    is_array,
    sort_key,
    sort_values,
)


def _array(value: Any, message: str) -> list[Any]:
    if not is_array(value):
        raise failure(value, message)
    return value


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
