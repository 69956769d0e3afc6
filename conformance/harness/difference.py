"""JSON values compared: what differs, and where."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import Any, TypeGuard

#: Longer values are cut in a message.
_LONGEST = 200


def is_object(value: Any) -> TypeGuard[dict[str, Any]]:
    """Whether a JSON value is an object."""
    return isinstance(value, dict)


def is_list(value: Any) -> TypeGuard[list[Any]]:
    """Whether a JSON value is an array."""
    return isinstance(value, list)


def differences(expected: Any, actual: Any, place: str = "") -> Iterator[str]:
    """Every difference by JSON pointer. The numbers 1 and 1.0 are one; 1 and true are not."""
    if is_object(expected) and is_object(actual):
        yield from _of_objects(expected, actual, place)
    elif is_list(expected) and is_list(actual):
        yield from _of_lists(expected, actual, place)
    elif isinstance(expected, bool) != isinstance(actual, bool) or expected != actual:
        yield f"{place or '/'}: expected {shown(expected)}, got {shown(actual)}"


def missing(
    expected: Mapping[str, Any], actual: Mapping[str, Any], place: str = ""
) -> Iterator[str]:
    """Differences of the members that `expected` has; `actual` may have others beside them."""
    for name, value in expected.items():
        if name in actual:
            yield from differences(value, actual[name], f"{place}/{name}")
        else:
            yield f"{place}/{name}: expected {shown(value)}, got nothing"


def shown(value: Any) -> str:
    """A value as compact JSON, cut where it is long."""
    text = json.dumps(value, ensure_ascii=False, default=repr)
    return text if len(text) <= _LONGEST else f"{text[:_LONGEST]}..."


def _of_objects(expected: dict[str, Any], actual: dict[str, Any], place: str) -> Iterator[str]:
    for name, value in expected.items():
        if name in actual:
            yield from differences(value, actual[name], f"{place}/{name}")
        else:
            yield f"{place}/{name}: expected {shown(value)}, got nothing"
    for name, value in actual.items():
        if name not in expected:
            yield f"{place}/{name}: expected nothing, got {shown(value)}"


def _of_lists(expected: list[Any], actual: list[Any], place: str) -> Iterator[str]:
    for index, (one, other) in enumerate(zip(expected, actual, strict=False)):
        yield from differences(one, other, f"{place}/{index}")
    if len(expected) != len(actual):
        yield f"{place or '/'}: expected {len(expected)} items, got {len(actual)}"
