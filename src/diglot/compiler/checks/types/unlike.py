"""Why no value of one type is of another, in words."""

from __future__ import annotations

from .joining import meet
from .model import NOTHING, NUMBER, TEXT, Object, Type
from .words import in_words, kinds_in_words, names_in_words


def unlike(given: Type, wanted: Type, place: str = "") -> str:
    """What keeps the values of `given` from being `wanted`; both types have none in common."""
    it = f"`{place}`" if place else "it"
    common = given.kinds & wanted.kinds
    if not common:
        return f"{it} is {in_words(given)}, and {kinds_in_words(wanted.kinds)} is expected"
    if given.object is not None and wanted.object is not None:
        found = _in_object(given.object, wanted.object, place)
        if found:
            return found
    if common & TEXT and wanted.texts is not None:
        return f"{it} is {in_words(given)}, and not {names_in_words(sorted(wanted.texts))}"
    if common & NUMBER and wanted.numbers is not None:
        numbers = [str(number) for number in sorted(wanted.numbers)]
        return f"{it} is {in_words(given)}, and not {names_in_words(numbers)}"
    if given.array is not None and wanted.array is not None:
        for number in range(max(given.array.least, wanted.array.least)):
            one, other = given.array.at(number), wanted.array.at(number)
            if meet(one, other) == NOTHING:
                if other == NOTHING or one == NOTHING:
                    return f"{it} has more or fewer items than the schema allows"
                return unlike(one, other, f"{place}[{number}]")
    return f"{it} is {in_words(given)} of another form"


def _in_object(given: Object, wanted: Object, place: str) -> str:
    for name in {**wanted.members, **given.members}:
        one, other = given.get(name), wanted.get(name)
        if not (one.is_required or other.is_required) or meet(one.type, other.type) != NOTHING:
            continue
        inner = f"{place}.{name[:40]}" if place else name[:40]
        if one.type == NOTHING:
            return f"`{inner}` is required and never there"
        if other.type == NOTHING:
            return f"`{inner}` is there and not allowed"
        return unlike(one.type, other.type, inner)
    return ""
