"""JSON values as jq sees them: kinds, truth, order, equality, and their text.

Values are `None`, `bool`, `int`, `float`, `str`, `list` and `dict`. Python says `1 == True`; jq
does not, which is why nothing here relies on `==` alone. Source: jq 1.8 manual, `sort`, `tojson`.
"""

from __future__ import annotations

from contextlib import suppress
from functools import cmp_to_key
from typing import Any, TypeGuard

from .arithmetic import compare_numbers, number_text
from .errors import ExpressionError, ExpressionLimit
from .run import MAX_SIZE, Run

_KINDS: dict[type, str] = {
    type(None): "null",
    bool: "boolean",
    int: "number",
    float: "number",
    str: "string",
    list: "array",
    dict: "object",
}
_RANKS: dict[type, int] = {type(None): 1, bool: 2, int: 4, float: 4, str: 5, list: 6, dict: 7}

#: Error messages show at most this many bytes of a value.
_SHOWN = 30


def is_array(value: Any) -> TypeGuard[list[Any]]:
    """Whether a value is an array."""
    return type(value) is list


def is_object(value: Any) -> TypeGuard[dict[str, Any]]:
    """Whether a value is an object."""
    return type(value) is dict


def kind(value: Any) -> str:
    """The name of the value's type, as jq's `type`."""
    return _KINDS[type(value)]


def rank(value: Any) -> int:
    """The place of the value's type in the order of all values."""
    return 3 if value is True else _RANKS[type(value)]


def is_same_kind(left: Any, right: Any) -> bool:
    """Whether two values have the same type; true and false are two types to jq."""
    return rank(left) == rank(right)


def compare(left: Any, right: Any, run: Run) -> int:
    """Negative, zero or positive, over all values."""
    kind_left = left.__class__
    if kind_left is str and type(right) is str:
        return -1 if left < right else left > right
    ranks = rank(left) - rank(right)
    if ranks:
        return ranks
    if kind_left is int or kind_left is float:
        return compare_numbers(left, right)
    if kind_left is list:
        run.spend(min(len(left), len(right)) + 1)
        for one, other in zip(left, right, strict=False):
            order = compare(one, other, run)
            if order:
                return order
        return len(left) - len(right)
    if kind_left is dict:
        run.spend(len(left) + len(right) + 1)
        keys = sorted(left)
        others = sorted(right)
        if keys != others:
            return -1 if keys < others else 1
        for key in keys:
            order = compare(left[key], right[key], run)
            if order:
                return order
    return 0


def equal(left: Any, right: Any, run: Run) -> bool:
    """Whether two values are the same value."""
    kind_left = left.__class__
    if kind_left is str:
        run.spend(len(left) >> 12)
        return type(right) is str and left == right
    if left is None or kind_left is bool:
        return left is right
    if kind_left is int or kind_left is float:
        kind_right = right.__class__
        return (kind_right is int or kind_right is float) and left == right
    if kind_left is not type(right) or len(left) != len(right):
        return False
    if left is right:
        return True
    run.spend(len(left) + 1)
    if kind_left is list:
        return all(equal(one, other, run) for one, other in zip(left, right, strict=True))
    return all(key in right and equal(item, right[key], run) for key, item in left.items())


def same(left: Any, right: Any, run: Run) -> bool:
    """As `equal`, for a unit of fuel: where values are compared in a loop."""
    run.spend(1)
    return equal(left, right, run)


def sort_key(run: Run) -> Any:
    """A key for `sorted` that puts values in jq's order."""

    def order(left: Any, right: Any) -> int:
        run.spend(1)
        return compare(left, right, run)

    return cmp_to_key(order)


def sort_values(values: list[Any], run: Run) -> list[Any]:
    """The values in order, equal ones in the order they had."""
    run.spend(len(values))
    kinds = set(map(type, values))
    if kinds == {str} or kinds == {int}:
        run.spend(len(values) * len(values).bit_length() >> 3)
        return sorted(values)
    return sorted(values, key=sort_key(run))


def contains(left: Any, right: Any, run: Run) -> bool:
    """Whether `right` is within `left`: substrings, items and entries, at any depth."""
    run.spend(1)
    if kind(left) != kind(right):
        return False
    if is_object(left):
        return all(key in left and contains(left[key], item, run) for key, item in right.items())
    if is_array(left):
        return all(any(contains(has, item, run) for has in left) for item in right)
    if isinstance(left, str):
        run.spend_text(len(left))
        return right in left
    return equal(left, right, run)


def places_in_text(text: str, wanted: str) -> list[int]:
    """Where `wanted` stands in `text`, also where it overlaps itself."""
    found: list[int] = []
    at = text.find(wanted) if wanted else -1
    while at >= 0:
        found.append(at)
        at = text.find(wanted, at + 1)
    return found


def to_json(value: Any, run: Run) -> str:
    """The value as compact JSON, as jq's `tojson` writes it."""
    parts: list[str] = []
    _write(value, parts.append, run)
    text = "".join(parts)
    run.spend_text(len(text))
    return text


def to_text(value: Any, run: Run) -> str:
    """A string as it is, anything else as JSON: jq's `tostring`."""
    return value if isinstance(value, str) else to_json(value, run)


def _write(value: Any, put: Any, run: Run) -> None:
    kind_of = value.__class__
    if kind_of is str:
        put(_quoted(value))
    elif value is None:
        put("null")
    elif kind_of is bool:
        put("true" if value else "false")
    elif kind_of is list:
        run.spend(len(value) + 1)
        separator = "["
        for item in value:
            put(separator)
            _write(item, put, run)
            separator = ","
        put("]" if value else "[]")
    elif kind_of is dict:
        run.spend(len(value) + 1)
        separator = "{"
        for key, item in value.items():
            put(separator)
            put(_quoted(key))
            put(":")
            _write(item, put, run)
            separator = ","
        put("}" if value else "{}")
    else:
        if kind_of is int and value.bit_length() > 10_000:
            raise ExpressionLimit("size")
        put(number_text(value))


_ESCAPES = {code: f"\\u{code:04x}" for code in (*range(32), 127)} | {
    ord(sign): f"\\{letter}" for sign, letter in zip('\b\t\r\n\f"\\', 'btrnf"\\', strict=True)
}


def _quoted(value: str) -> str:
    return f'"{value.translate(_ESCAPES)}"'


def shown(value: Any, room: int = _SHOWN) -> str:
    """The value as an error message shows it: its JSON, cut to `room` bytes."""
    # A message may show a large value: write no more of it than it can show.
    text = _short_json(value, room * 2).encode()
    if len(text) < room:
        return text.decode()
    close = {34: '"', 91: "]", 123: "}"}.get(text[0], "")
    keep = room - (5 if close else 4)
    while keep and text[keep] & 0xC0 == 0x80:
        keep -= 1
    return f"{text[:keep].decode()}...{close}"


def _short_json(value: Any, limit: int) -> str:
    if isinstance(value, str):
        return _quoted(value[:limit])
    parts: list[str] = []
    length = 0

    def put(part: str) -> None:
        nonlocal length
        parts.append(part[:limit])
        length += len(part)
        if length > limit:
            raise _EnoughError

    with suppress(_EnoughError):
        _write(value, put, Run(MAX_SIZE))
    return "".join(parts)


class _EnoughError(Exception):
    """As much text as a message can show is written."""


def failure(value: Any, message: str) -> ExpressionError:
    """`number (1) cannot ...`."""
    return ExpressionError(f"{kind(value)} ({shown(value)}) {message}")


def failure_of_two(left: Any, right: Any, message: str) -> ExpressionError:
    """`number (1) and string ("a") cannot ...`."""
    return ExpressionError(
        f"{kind(left)} ({shown(left)}) and {kind(right)} ({shown(right)}) {message}"
    )
