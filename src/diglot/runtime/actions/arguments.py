"""Reading an action's arguments: the wrong shape is the author's error, never a crash."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, TypeGuard, cast

from .contract import ActionError


def invalid(detail: str) -> ActionError:
    """The error for an argument that has the wrong shape or value."""
    return ActionError("validation", 400, "Invalid Argument", detail)


def text(values: Mapping[str, Any], name: str) -> str:
    """A string that has to be there and may not be empty."""
    value = values.get(name)
    if not isinstance(value, str) or not value:
        raise invalid(f"`{name}` has to be a string that is not empty, not {_kind(value)}")
    return _sendable(value, f"`{name}`")


def mapping(values: Mapping[str, Any], name: str) -> dict[str, Any]:
    """An object with string keys; absent and null are the empty one."""
    return as_mapping(values.get(name, {}), name)


def as_mapping(value: object, name: str) -> dict[str, Any]:
    """`value` as an object with string keys; null is the empty one."""
    if value is None:
        return {}
    if not isinstance(value, Mapping):
        raise invalid(f"`{name}` has to be an object, not {_kind(value)}")
    items = cast("Mapping[object, Any]", value)
    return {_sendable(str(key), f"a name in `{name}`"): item for key, item in items.items()}


def as_list(value: object) -> list[Any]:
    """The items of an array; anything else alone in a list."""
    return value if is_list(value) else [value]


def is_list(value: object) -> TypeGuard[list[Any]]:
    """Whether a JSON value is an array."""
    return isinstance(value, list)


def choice(values: Mapping[str, Any], name: str, options: tuple[str, ...]) -> str:
    """One of `options`; the first is the default."""
    value = values.get(name)
    if value is None:
        return options[0]
    if value not in options:
        raise invalid(f"`{name}` has to be one of {', '.join(options)}")
    return str(value)


def flag(values: Mapping[str, Any], name: str) -> bool:
    """A boolean that is false when absent."""
    value = values.get(name)
    if value is not None and not isinstance(value, bool):
        raise invalid(f"`{name}` has to be true or false, not {_kind(value)}")
    return bool(value)


def endpoint(value: object, name: str) -> tuple[str, dict[str, Any]]:
    """The URI of an endpoint and its authentication policy, empty when it has none.

    Source: DSL reference, endpoint: an object, or the URI alone.
    """
    if isinstance(value, str):
        return value, {}
    described = as_mapping(value, name)
    return text(described, "uri"), mapping(described, "authentication")


def scalar_text(value: object, where: str) -> str:
    """A scalar as it is written in a header, a query or an argument: `true`, `1.5`, `text`.

    Null is the empty string. `where` names the place in the error for an array or an object.
    """
    if value is None:
        return ""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, str | int | float):
        return _sendable(str(value), where)
    raise invalid(f"{where} has to be a string, a number or a boolean, not {_kind(value)}")


def _sendable(value: str, where: str) -> str:
    try:
        value.encode()
    except UnicodeEncodeError:
        raise invalid(f"{where} holds half of a surrogate pair") from None
    return value


def _kind(value: object) -> str:
    if value is None:
        return "null"
    if isinstance(value, bool):
        return "a boolean"
    if isinstance(value, str):
        return "a string" if value else "an empty string"
    if isinstance(value, int | float):
        return "a number"
    return "an array" if isinstance(value, list | tuple) else "an object"
