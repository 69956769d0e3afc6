"""Types put together: either of two, both at once, one laid over another, and one made coarser."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TypeVar

from .model import (
    ANYTHING,
    MOST_CONSTANTS,
    NOTHING,
    ODD_ANYTHING,
    Array,
    Member,
    Object,
    Type,
    array_of,
    is_nothing,
    object_of,
)

T = TypeVar("T", bound="str | float")


def union(one: Type, other: Type) -> Type:
    """The values of either type."""
    if one is other or other is NOTHING:
        return one
    if one is NOTHING:
        return other
    if one == ANYTHING or other == ANYTHING:
        return ODD_ANYTHING if one.is_odd or other.is_odd else ANYTHING
    if one == other:
        return one
    return Type(
        null=one.null or other.null,
        true=one.true or other.true,
        false=one.false or other.false,
        numbers=_either(one.numbers, other.numbers),
        texts=_either(one.texts, other.texts),
        array=_either_array(one.array, other.array),
        object=_either_object(one.object, other.object),
        is_odd=one.is_odd or other.is_odd,
    )


def union_of(types: Iterable[Type]) -> Type:
    """The values of any of these types."""
    found = NOTHING
    for type in types:
        found = union(found, type)
    return found


def _either(one: frozenset[T] | None, other: frozenset[T] | None) -> frozenset[T] | None:
    if one is None or other is None:
        return None
    both = one | other
    return both if len(both) <= MOST_CONSTANTS else None


def _either_array(one: Array | None, other: Array | None) -> Array | None:
    if one is None or other is None:
        return one or other
    length = max(len(one.prefix), len(other.prefix))
    prefix = [union(one.at(place), other.at(place)) for place in range(length)]
    rest = None
    if one.rest is not None and other.rest is not None:
        rest = union(one.rest, other.rest)
    return array_of(prefix, rest, min(one.least, other.least)).array


def _either_object(one: Object | None, other: Object | None) -> Object | None:
    if one is None or other is None:
        return one or other
    members = {
        name: _either_member(one.get(name), other.get(name))
        for name in {**one.members, **other.members}
    }
    rest = None
    if one.rest is not None and other.rest is not None:
        rest = union(one.rest, other.rest)
    is_declared = one.is_declared and other.is_declared
    return object_of(members, rest, is_declared=is_declared).object


def _either_member(one: Member, other: Member) -> Member:
    return Member(union(one.type, other.type), one.is_required and other.is_required)


def meet(one: Type, other: Type) -> Type:
    """The values that are of both types; `NOTHING` only if there surely is none."""
    if one is other or other == ANYTHING:
        return one
    if one == ANYTHING:
        return other
    return Type(
        null=one.null and other.null,
        true=one.true and other.true,
        false=one.false and other.false,
        numbers=_both(one.numbers, other.numbers),
        texts=_both(one.texts, other.texts),
        array=_both_array(one.array, other.array),
        object=_both_object(one.object, other.object),
        is_odd=one.is_odd and other.is_odd,
    )


def _both(one: frozenset[T] | None, other: frozenset[T] | None) -> frozenset[T] | None:
    if one is None:
        return other
    return one if other is None else one & other


def _both_array(one: Array | None, other: Array | None) -> Array | None:
    if one is None or other is None:
        return None
    least = max(one.least, other.least)
    prefix: list[Type] = []
    for place in range(max(len(one.prefix), len(other.prefix))):
        item = meet(one.at(place), other.at(place))
        if is_nothing(item):
            # No item can stand here: the array is shorter, or there is none.
            return None if least > place else array_of(prefix, NOTHING, least).array
        prefix.append(item)
    rest = _both_rest(one.rest, other.rest)
    if rest == NOTHING and least > len(prefix):
        return None
    return array_of(prefix, rest, least).array


def _both_rest(one: Type | None, other: Type | None) -> Type | None:
    if one is None:
        return other
    return one if other is None else meet(one, other)


def _both_object(one: Object | None, other: Object | None) -> Object | None:
    if one is None or other is None:
        return None
    members: dict[str, Member] = {}
    for name in {**one.members, **other.members}:
        left, right = one.get(name), other.get(name)
        member = Member(meet(left.type, right.type), left.is_required or right.is_required)
        if is_nothing(member.type) and member.is_required:
            return None
        members[name] = member
    is_declared = one.is_declared or other.is_declared
    return object_of(members, _both_rest(one.rest, other.rest), is_declared=is_declared).object


def lay_over(below: Object, above: Object) -> Type:
    """The members of both objects, those of `above` in place of namesakes: jq's `+`."""
    members = {
        name: _laid_over(below.get(name), above.get(name))
        for name in {**below.members, **above.members}
    }
    rest = None
    if below.rest is not None and above.rest is not None:
        rest = union(below.rest, above.rest)
    return object_of(members, rest)


def _laid_over(below: Member, above: Member) -> Member:
    if above.is_required:
        return above
    return Member(union(below.type, above.type), below.is_required)


def coarser(type: Type) -> Type:
    """The type without constants and without a least number of items, at every depth.

    What grows with each round of a loop comes to an end this way.
    """
    if type == ANYTHING:
        return type
    array, object = type.array, type.object
    if array is not None:
        items = union_of([*array.prefix, ANYTHING if array.rest is None else array.rest])
        array = array_of((), coarser(items)).array
    if object is not None:
        members = {
            name: Member(coarser(member.type), member.is_required)
            for name, member in object.members.items()
        }
        rest = None if object.rest is None else coarser(object.rest)
        object = object_of(members, rest, is_declared=object.is_declared).object
    return Type(
        null=type.null,
        true=type.true or type.false,
        false=type.true or type.false,
        numbers=None if type.numbers is None or type.numbers else type.numbers,
        texts=None if type.texts is None or type.texts else type.texts,
        array=array,
        object=object,
        is_odd=type.is_odd,
    )


def finished(type: Type) -> Type:
    """The type as it leaves an expression: what is no number is null then."""
    array, object = type.array, type.object
    if array is not None:
        rest = None if array.rest is None else finished(array.rest)
        array = array_of(map(finished, array.prefix), rest, array.least).array
    if object is not None:
        members = {
            name: Member(finished(member.type), member.is_required)
            for name, member in object.members.items()
        }
        rest = None if object.rest is None else finished(object.rest)
        object = object_of(members, rest, is_declared=object.is_declared).object
    return Type(
        null=type.null or type.is_odd,
        true=type.true,
        false=type.false,
        numbers=type.numbers,
        texts=type.texts,
        array=array,
        object=object,
    )
