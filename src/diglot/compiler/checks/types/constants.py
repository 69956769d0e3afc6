"""The type of a value that is known already."""

from __future__ import annotations

from typing import Any, cast

from .model import (
    ANY_NUMBER,
    ANYTHING,
    FALSE,
    NOTHING,
    NULL_ONLY,
    TRUE,
    Member,
    Type,
    array_of,
    numbers,
    object_of,
    texts,
)

#: Whole numbers beyond this are other numbers to jq itself, which counts in doubles.
EXACT = 2**53
#: Deeper constants are anything.
_DEEPEST = 40


def type_of_value(value: Any, depth: int = 0) -> Type:
    """The type of which this JSON value is the only one."""
    if depth > _DEEPEST:
        return ANYTHING
    match value:
        case None:
            return NULL_ONLY
        case bool():
            return TRUE if value else FALSE
        case int() | float():
            return numbers((value,)) if -EXACT < value < EXACT else ANY_NUMBER
        case str():
            return texts((value,))
        case list():
            items = [type_of_value(item, depth + 1) for item in cast("list[Any]", value)]
            return array_of(items, NOTHING, len(items))
        case dict():
            members = {
                name: Member(type_of_value(item, depth + 1), True)
                for name, item in cast("dict[str, Any]", value).items()
            }
            return object_of(members, NOTHING)
        case _:
            return ANYTHING


def holds(type: Type, value: Any) -> bool:
    """Whether a JSON value is of a type."""
    match value:
        case None:
            return type.null
        case bool():
            return type.true if value else type.false
        case int() | float():
            return type.numbers is None or value in type.numbers
        case str():
            return type.texts is None or value in type.texts
        case list():
            array, items = type.array, cast("list[Any]", value)
            if array is None or len(items) < array.least:
                return False
            return all(holds(array.at(place), item) for place, item in enumerate(items))
        case dict():
            object, members = type.object, cast("dict[str, Any]", value)
            if object is None:
                return False
            required = (name for name, one in object.members.items() if one.is_required)
            return all(name in members for name in required) and all(
                holds(object.get(name).type, item) for name, item in members.items()
            )
        case _:
            return False
