"""Types in words, for those who read a finding."""

from __future__ import annotations

import json
from typing import Final

from .model import ARRAY, BOOLEAN, NULL, NUMBER, OBJECT, TEXT, Type

_WORDS: Final = (
    (NULL, "null"),
    (BOOLEAN, "a boolean"),
    (NUMBER, "a number"),
    (TEXT, "a text"),
    (ARRAY, "an array"),
    (OBJECT, "an object"),
)
#: Longer constants and more members than this are not quoted.
_LONGEST: Final = 40
_MOST: Final = 8


def kinds_in_words(kinds: int) -> str:
    """`a number or a text`."""
    found = [words for bit, words in _WORDS if kinds & bit]
    if len(found) < 2:
        return found[0] if found else "nothing"
    return f"{', '.join(found[:-1])} or {found[-1]}"


def in_words(type: Type) -> str:
    """What a value of the type is, with the constant where there is but one."""
    only = single_value(type)
    if isinstance(only, str | int | float) and not isinstance(only, bool):
        text = json.dumps(only, ensure_ascii=False)
        if len(text) <= _LONGEST:
            return f"{kinds_in_words(type.kinds)} ({text})"
    return kinds_in_words(type.kinds)


def names_in_words(names: list[str]) -> str:
    """`` `a`, `b` and 3 more``."""
    shown = [f"`{name[:_LONGEST]}`" for name in names[:_MOST]]
    if len(names) > _MOST:
        return f"{', '.join(shown)} and {len(names) - _MOST} more"
    if len(shown) < 2:
        return shown[0] if shown else "no members"
    return f"{', '.join(shown[:-1])} and {shown[-1]}"


class Unknown:
    """Stands for a value that is not known."""


UNKNOWN: Final = Unknown()


def single_value(type: Type) -> str | float | bool | Unknown | None:
    """The one scalar a type has; `UNKNOWN` where it may be another or is none."""
    if type.kinds == NULL:
        return None
    if type.kinds == BOOLEAN and type.true != type.false:
        return type.true
    for kind, constants in ((NUMBER, type.numbers), (TEXT, type.texts)):
        if type.kinds == kind and constants is not None and len(constants) == 1:
            return next(iter(constants))
    return UNKNOWN
