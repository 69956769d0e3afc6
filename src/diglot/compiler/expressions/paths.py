"""Reading, setting and deleting at a path; a path is a list of keys, indices and slices.

Nothing is changed in place: what is set is copied along the path. Source: jq 1.8 manual, `path`,
`setpath`, `delpaths`.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from .arithmetic import is_number, truncate
from .errors import ExpressionError, ExpressionLimit
from .run import MAX_SIZE, Run
from .values import equal, is_array, is_object, kind, same, shown, sort_values

_INT_MIN, _INT_MAX = -(2**31), 2**31 - 1
_LARGEST_INDEX = _INT_MAX >> 2


def get(value: Any, key: Any, run: Run) -> Any:
    """`value[key]`; what is absent is null."""
    kind_of = value.__class__
    kind_key = key.__class__
    if kind_key is str and kind_of is dict:
        return value.get(key)
    if kind_of is list:
        if kind_key is int or kind_key is float:
            return _item(value, key)
        if kind_key is dict:
            low, high = _bounds(value, key)
            run.spend_items(high - low)
            return value[low:high]
        if kind_key is list:
            return places_of(value, key, run)
    elif value is None:
        if kind_key is str or kind_key is int or kind_key is float or kind_key is dict:
            return None
    elif kind_of is str and kind_key is dict:
        low, high = _bounds(value, key)
        run.spend_text(high - low)
        return value[low:high]
    raise ExpressionError(f"Cannot index {kind(value)} with {kind(key)} ({shown(key)})")


def _item(items: list[Any], index: int | float) -> Any:
    if index != index:
        return None
    place = truncate(index, _INT_MIN, _INT_MAX)
    if place < 0:
        place += len(items)
    return items[place] if 0 <= place < len(items) else None


def _bounds(value: list[Any] | str, key: dict[str, Any]) -> tuple[int, int]:
    """The places a slice key means: the start is rounded down, the end up."""
    length = len(value)
    # An object that is no slice has neither bound, which is not the same as null.
    start, end = key.get("start", ""), key.get("end", "")
    start = 0 if start is None else start
    end = length if end is None else end
    if not is_number(start) or not is_number(end):
        raise ExpressionError("Array/string slice indices must be integers")
    start = 0 if start != start else start
    end = length if end != end else end
    start = max(start + length, 0) if start < 0 else min(start, length)
    low = truncate(start)
    end = end + length if end < 0 else end
    if end < 0:
        end = low
    high = min(truncate(end), length)
    if high < length and high < end:
        high += 1
    return low, max(low, high)


def places_of(items: list[Any], wanted: list[Any], run: Run) -> list[int]:
    """Where `wanted` stands in `items` as a stretch."""
    run.spend(len(items) + 1)
    if not wanted:
        return []
    length = len(wanted)
    return [
        place
        for place in range(len(items) - length + 1)
        if all(same(items[place + at], wanted[at], run) for at in range(length))
    ]


def get_path(value: Any, path: Any, run: Run) -> Any:
    """The value at a path."""
    for key in _checked(path):
        run.spend(1)
        value = get(value, key, run)
    return value


def set_path(value: Any, path: Any, new: Any, run: Run, owned: dict[int, Any] | None = None) -> Any:
    """The value with `new` at a path.

    `owned` holds the containers that this run of updates made itself, by id: those are changed in
    place, and the copies made here are added.
    """
    keys = _checked(path)
    if not keys:
        return new
    containers: list[Any] = []
    for key in keys:
        run.spend(1)
        containers.append(value)
        value = get(value, key, run)
    for container, key in zip(reversed(containers), reversed(keys), strict=True):
        new = _set(container, key, new, run, owned)
    return new


def _checked(path: Any) -> Sequence[Any]:
    kind_of = path.__class__
    if kind_of is not list and kind_of is not tuple:
        raise ExpressionError("Path must be specified as an array")
    checked: Sequence[Any] = path
    return checked


def _set(value: Any, key: Any, new: Any, run: Run, owned: dict[int, Any] | None) -> Any:
    kind_key = key.__class__
    kind_of = value.__class__
    if kind_key is str and (value is None or kind_of is dict):
        return _set_entry(value or {}, key, new, run, owned)
    if is_number(key) and (value is None or kind_of is list):
        return _set_item(value, key, new, run, owned)
    if kind_key is dict and (value is None or kind_of is list):
        items: list[Any] = value or []
        low, high = _bounds(items, key)
        if not is_array(new):
            raise ExpressionError("A slice of an array can only be assigned another array")
        run.spend_items(len(items) + len(new))
        return [*items[:low], *new, *items[high:]]
    if kind_key is dict and type(value) is str:
        raise ExpressionError("Cannot update string slices")
    raise ExpressionError(f"Cannot update field at {kind(key)} index of {kind(value)}")


def _set_entry(
    entries: dict[str, Any], key: str, new: Any, run: Run, owned: dict[int, Any] | None
) -> dict[str, Any]:
    if owned is not None and id(entries) in owned:
        entries[key] = new
        return entries
    run.spend_entries(len(entries) + 1)
    result = {**entries, key: new}
    if owned is not None:
        owned[id(result)] = result
    return result


def _set_item(
    value: list[Any] | None, key: int | float, new: Any, run: Run, owned: dict[int, Any] | None
) -> list[Any]:
    if key != key:
        raise ExpressionError("Cannot set array element at NaN index")
    items = value or []
    place = truncate(key, _INT_MIN, _INT_MAX)
    if place < 0:
        place += len(items)
    if place < 0:
        raise ExpressionError("Out of bounds negative array index")
    if place > _LARGEST_INDEX:
        raise ExpressionError("Array index too large")
    if place > MAX_SIZE:
        raise ExpressionLimit("size")
    if owned is None or id(value) not in owned:
        run.spend_items(len(items))
        items = list(items)
        if owned is not None:
            owned[id(items)] = items
    missing = place - len(items) + 1
    if missing > 0:
        run.spend_items(missing)
        items.extend([None] * missing)
    items[place] = new
    return items


def delete_paths(value: Any, paths: Any, run: Run) -> Any:
    """The value without what stands at the paths."""
    if not is_array(paths):
        raise ExpressionError("Paths must be specified as an array")
    ordered = sort_values(paths, run)
    for path in ordered:
        if not is_array(path):
            raise ExpressionError(f"Path must be specified as array, not {kind(path)}")
    if not ordered:
        return value
    if not ordered[0]:
        return None
    return _delete(value, ordered, 0, run)


def _delete(value: Any, paths: list[list[Any]], depth: int, run: Run) -> Any:
    doomed: list[Any] = []
    at = 0
    while at < len(paths):
        key = paths[at][depth]
        after = at + 1
        while after < len(paths) and equal(key, paths[after][depth], run):
            after += 1
        run.spend(after - at + 1)
        if len(paths[at]) == depth + 1:
            doomed.append(key)
        else:
            part = get(value, key, run)
            if part is not None:
                value = _set(value, key, _delete(part, paths[at:after], depth + 1, run), run, None)
        at = after
    return _delete_keys(value, doomed, run)


def _delete_keys(value: Any, keys: list[Any], run: Run) -> Any:
    if value is None or not keys:
        return value
    if is_array(value):
        run.spend_items(len(value))
        doomed = _doomed_places(value, keys, run)
        return [item for place, item in enumerate(value) if place not in doomed]
    if is_object(value):
        run.spend_entries(len(value))
        for key in keys:
            if type(key) is not str:
                raise ExpressionError(f"Cannot delete {kind(key)} field of object")
        gone = set(keys)
        return {key: item for key, item in value.items() if key not in gone}
    raise ExpressionError(f"Cannot delete fields from {kind(value)}")


def _doomed_places(items: list[Any], keys: list[Any], run: Run) -> set[int]:
    doomed: set[int] = set()
    for key in keys:
        if is_object(key):
            low, high = _bounds(items, key)
            run.spend(high - low)
            doomed.update(range(low, high))
        elif is_number(key):
            if key == key:
                place = truncate(key, _INT_MIN, _INT_MAX)
                doomed.add(place + len(items) if key < 0 else place)
        else:
            raise ExpressionError(f"Cannot delete {kind(key)} element of array")
    return doomed
