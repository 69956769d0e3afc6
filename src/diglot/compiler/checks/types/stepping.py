"""Steps of paths on types: by a name, by a number, into each, along a slice.

Source: jq 1.8 manual, Basic filters.
"""

from __future__ import annotations

from diglot.compiler.expressions import tree

from .inference import NONE, Inference, Results
from .joining import union, union_of
from .model import (
    ANY_NUMBER,
    ANYTHING,
    ARRAY,
    NOTHING,
    NULL,
    NULL_ONLY,
    NUMBER,
    OBJECT,
    TEXT,
    Array,
    Object,
    Type,
    array_of,
    only,
)
from .words import kinds_in_words


def member_of(found: Object, name: str) -> Type:
    """What `.name` gives of an object; what is absent is null."""
    member = found.get(name)
    return member.type if member.is_required else union(member.type, NULL_ONLY)


def members_of(found: Object) -> Type:
    """Whatever stands in an object."""
    rest = ANYTHING if found.rest is None else found.rest
    return union_of([rest, *(member.type for member in found.members.values())])


def items_of(found: Array) -> Type:
    """Whatever stands in an array."""
    rest = ANYTHING if found.rest is None else found.rest
    return union_of([rest, *found.prefix])


def item_of(found: Array, place: int) -> Type:
    """The item at a place, from the end where it is negative; what is not there is null."""
    is_exact = found.rest == NOTHING and found.least == len(found.prefix)
    if place < 0 and is_exact:
        place += len(found.prefix)
        return found.prefix[place] if place >= 0 else NULL_ONLY
    if place < 0:
        type, is_there = items_of(found), -place <= found.least
    else:
        type, is_there = found.at(place), place < found.least
    return type if is_there else union(type, NULL_ONLY)


def step(type: Type, key: Type) -> tuple[Type, bool]:
    """`type[key]`, and whether some combination of values fails."""
    found = NOTHING
    if type.kinds & NULL and key.kinds & (TEXT | NUMBER | OBJECT):
        found = NULL_ONLY
    if type.object is not None and key.kinds & TEXT:
        names = key.texts
        if names is None:
            found = union(found, union(members_of(type.object), NULL_ONLY))
        else:
            found = union_of([found, *(member_of(type.object, name) for name in names)])
    if type.array is not None:
        found = union(found, _of_array(type.array, key))
    if type.kinds & TEXT and key.kinds & OBJECT:
        found = union(found, only(ANYTHING, TEXT))
    if key.kinds & ARRAY and type.kinds & NULL:
        found = union(found, NULL_ONLY)
    return found, _may_fail(type.kinds, key.kinds)


def _of_array(found: Array, key: Type) -> Type:
    type = NOTHING
    if key.kinds & NUMBER:
        places = key.numbers
        if places is not None and all(isinstance(place, int) for place in places):
            type = union_of([item_of(found, int(place)) for place in places])
        else:
            type = union(items_of(found), NULL_ONLY)
    if key.kinds & OBJECT:
        type = union(type, array_of((), items_of(found)))
    if key.kinds & ARRAY:
        type = union(type, array_of((), ANY_NUMBER))
    return type


_STEPS = {
    NULL: NULL | NUMBER | TEXT | OBJECT,
    NUMBER: 0,
    TEXT: OBJECT,
    ARRAY: NUMBER | OBJECT | ARRAY,
    OBJECT: TEXT,
}


def _may_fail(kinds: int, keys: int) -> bool:
    # A slice may have bounds that are no numbers.
    if keys & OBJECT:
        return True
    return any(
        kinds & bit and keys & ~_STEPS.get(bit, 0) for bit in (1, 2, NUMBER, TEXT, ARRAY, OBJECT)
    )


def step_by_name(inference: Inference, place: tree.Node, type: Type, name: str) -> Results:
    """`.name`, with a note where nothing is ever called that."""
    note_absence(inference, place, type, name)
    found, _ = step(type, Type(texts=frozenset((name,))))
    if found == NOTHING:
        return inference.fails(place, no_member(type.kinds, name))
    return Results(found)


def no_member(kinds: int, name: str) -> str:
    """Why a step by a name fails."""
    return f"{kinds_in_words(kinds)} has no members such as `{name[:40]}`"


def note_absence(inference: Inference, place: tree.Node, type: Type, name: str) -> None:
    """Note a name that an object never has, or that its schema does not know."""
    found = type.object
    if found is None or inference.notes is None:
        return
    member = found.members.get(name)
    is_absent = found.is_closed if member is None else member.type == NOTHING
    if is_absent:
        inference.note("absent", (place.start, place.end), name, "", type)
    elif member is None and found.is_declared and found.members:
        inference.note("unnamed", (place.start, place.end), name, "", type)


def iterate(type: Type) -> tuple[Results, bool]:
    """`.[]`, and whether some value fails."""
    found, least, most = NOTHING, 1, 1
    if type.array is not None:
        items = items_of(type.array)
        found = union(found, items)
        least = min(least, type.array.least)
        is_short = type.array.rest == NOTHING and len(type.array.prefix) < 2
        most = 1 if is_short else 2
    if type.object is not None:
        found = union(found, members_of(type.object))
        has_one = any(member.is_required for member in type.object.members.values())
        least, most = min(least, 1 if has_one else 0), 2
    if found == NOTHING:
        return NONE, type.kinds & ~(ARRAY | OBJECT) != 0
    return Results(found, least, most), type.kinds & ~(ARRAY | OBJECT) != 0
