"""What is known of a value before it is there: the JSON kinds it may have, and what is in it.

A type stands for a set of JSON values, and may be larger than it need be, but never smaller: a
value that a run comes to is in the type that was worked out for it. Whatever cannot be said is
`ANYTHING`.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Final

import msgspec

#: The kinds of JSON values, as members of a set of bits.
NULL: Final = 1
BOOLEAN: Final = 2
NUMBER: Final = 4
TEXT: Final = 8
ARRAY: Final = 16
OBJECT: Final = 32
EVERY: Final = 63

#: Beyond these a type says less: constants of one kind, members of an object, items of an array
#: that are told apart, types inside each other, and types in one type.
MOST_CONSTANTS: Final = 64
MOST_MEMBERS: Final = 128
MOST_ITEMS: Final = 16
DEEPEST: Final = 12
LARGEST: Final = 1_000

_NO_NUMBERS: Final[frozenset[int | float]] = frozenset()
_NO_TEXTS: Final[frozenset[str]] = frozenset()


class Type(msgspec.Struct, frozen=True):
    """A set of values, kind by kind.

    `numbers` and `texts` are the only ones there are, None stands for all of them. `is_odd`: a
    number may be none (`nan`), which is null once the expression is done.
    """

    null: bool = False
    true: bool = False
    false: bool = False
    numbers: frozenset[int | float] | None = _NO_NUMBERS
    texts: frozenset[str] | None = _NO_TEXTS
    array: Array | None = None
    object: Object | None = None
    is_odd: bool = False

    @property
    def kinds(self) -> int:
        """The kinds that a value may have, as bits."""
        return (
            (NULL if self.null else 0)
            | (BOOLEAN if self.true or self.false else 0)
            | (NUMBER if self.numbers is None or self.numbers else 0)
            | (TEXT if self.texts is None or self.texts else 0)
            | (ARRAY if self.array is not None else 0)
            | (OBJECT if self.object is not None else 0)
        )

    @property
    def height(self) -> int:
        """How many types stand inside each other."""
        inner = max(
            self.array.height if self.array is not None else 0,
            self.object.height if self.object is not None else 0,
        )
        return inner + 1

    @property
    def size(self) -> int:
        """How many types this one is made of."""
        return (
            1
            + (self.array.size if self.array is not None else 0)
            + (self.object.size if self.object is not None else 0)
        )


class Array(msgspec.Struct, frozen=True):
    """Arrays of at least `least` items.

    An item at a place of `prefix` is of the type there, every other one of `rest` (None: it may be
    anything).
    """

    prefix: tuple[Type, ...] = ()
    rest: Type | None = None
    least: int = 0
    height: int = 0
    size: int = 0

    def at(self, place: int) -> Type:
        """The type of the item at a place, counted from 0, if there is one."""
        if place < len(self.prefix):
            return self.prefix[place]
        return ANYTHING if self.rest is None else self.rest


class Member(msgspec.Struct, frozen=True):
    """What stands under one name, and whether something always does."""

    type: Type
    is_required: bool = False


class Object(msgspec.Struct, frozen=True):
    """Objects with these members; others, if there are any, are of the type `rest`.

    Without `rest` they may be anything. `is_declared`: the names are those of a schema, so that
    its author has thought of all of them.
    """

    members: Mapping[str, Member]
    rest: Type | None = None
    is_declared: bool = False
    height: int = 0
    size: int = 0

    def get(self, name: str) -> Member:
        """What stands under a name."""
        found = self.members.get(name)
        if found is not None:
            return found
        return Member(ANYTHING if self.rest is None else self.rest)

    @property
    def is_closed(self) -> bool:
        """Whether there are no other members than the named ones."""
        return self.rest == NOTHING


NOTHING: Final = Type()
ANYTHING: Final = Type(
    null=True, true=True, false=True, numbers=None, texts=None, array=Array(), object=Object({})
)
#: What comes of a part of an expression that is not followed.
ODD_ANYTHING: Final = msgspec.structs.replace(ANYTHING, is_odd=True)
NULL_ONLY: Final = Type(null=True)
TRUTH: Final = Type(true=True, false=True)
TRUE: Final = Type(true=True)
FALSE: Final = Type(false=True)
ANY_NUMBER: Final = Type(numbers=None)
ODD_NUMBER: Final = Type(numbers=None, is_odd=True)
ANY_TEXT: Final = Type(texts=None)
ANY_ARRAY: Final = Type(array=Array())
ANY_OBJECT: Final = Type(object=Object({}))
_BY_BIT: Final = (NULL_ONLY, TRUTH, ANY_NUMBER, ANY_TEXT, ANY_ARRAY, ANY_OBJECT)


def of_kinds(kinds: int) -> Type:
    """Every value of these kinds."""
    return only(ANYTHING, kinds)


def only(type: Type, kinds: int) -> Type:
    """The values of a type that have one of these kinds."""
    if type.kinds & ~kinds == 0:
        return type
    return Type(
        null=type.null and bool(kinds & NULL),
        true=type.true and bool(kinds & BOOLEAN),
        false=type.false and bool(kinds & BOOLEAN),
        numbers=type.numbers if kinds & NUMBER else _NO_NUMBERS,
        texts=type.texts if kinds & TEXT else _NO_TEXTS,
        array=type.array if kinds & ARRAY else None,
        object=type.object if kinds & OBJECT else None,
        is_odd=type.is_odd and bool(kinds & NUMBER),
    )


def truthy(type: Type) -> Type:
    """The values of a type that jq takes for true."""
    if not type.null and not type.false:
        return type
    return Type(
        true=type.true,
        numbers=type.numbers,
        texts=type.texts,
        array=type.array,
        object=type.object,
        is_odd=type.is_odd,
    )


def may_be_true(type: Type) -> bool:
    """Whether some value of the type is taken for true."""
    return type.true or type.kinds & ~(NULL | BOOLEAN) != 0


def may_be_untrue(type: Type) -> bool:
    """Whether some value of the type is taken for untrue: null and false."""
    return type.null or type.false


def is_nothing(type: Type) -> bool:
    """Whether there is no such value."""
    return type == NOTHING


def truth(*, true: bool, false: bool) -> Type:
    """The booleans that are left."""
    return Type(true=true, false=false)


def texts(found: Iterable[str]) -> Type:
    """One of these texts."""
    constants = frozenset(found)
    return Type(texts=constants if len(constants) <= MOST_CONSTANTS else None)


def numbers(found: Iterable[int | float]) -> Type:
    """One of these numbers."""
    constants = frozenset(found)
    return Type(numbers=constants if len(constants) <= MOST_CONSTANTS else None)


def array_of(prefix: Iterable[Type] = (), rest: Type | None = None, least: int = 0) -> Type:
    """Arrays; of what is too much to be told apart less is said."""
    items = tuple(prefix)
    if len(items) > MOST_ITEMS:
        # Told apart no longer; what they have in common is worth keeping only if it is all.
        first = items[0]
        is_one = all(item == first for item in items) and rest in (NOTHING, first)
        items, rest = (), first if is_one else None
    items = tuple(map(_held, items))
    rest = None if rest is None or rest == ANYTHING else _held(rest)
    if rest == ANYTHING:
        rest = None
    return Type(array=Array(items, rest, least, _height(items, rest), _size(items, rest)))


def object_of(
    members: Mapping[str, Member], rest: Type | None = None, *, is_declared: bool = False
) -> Type:
    """Objects; those with too many members may be any."""
    rest = None if rest is None or rest == ANYTHING else _held(rest)
    if rest == ANYTHING:
        rest = None
    if len(members) > MOST_MEMBERS:
        return ANY_OBJECT
    held = {
        name: member if _held(member.type) is member.type else Member(ANYTHING, member.is_required)
        for name, member in members.items()
    }
    inner = [member.type for member in held.values()]
    size = _size(inner, rest)
    if size > LARGEST:
        held = {name: Member(ANYTHING, member.is_required) for name, member in held.items()}
        inner = [ANYTHING] * len(held)
        size = _size(inner, rest)
    return Type(object=Object(held, rest, is_declared, _height(inner, rest), size))


def record(**members: Type) -> Type:
    """Objects with just these members."""
    return object_of({name: Member(type, True) for name, type in members.items()}, NOTHING)


def _held(type: Type) -> Type:
    """A type as a part of another: one that is too deep or too large is given up."""
    return type if type.height < DEEPEST and type.size < LARGEST // 2 else ANYTHING


def _height(inner: Iterable[Type], rest: Type | None) -> int:
    highest = max((type.height for type in inner), default=0)
    return highest if rest is None else max(highest, rest.height)


def _size(inner: Iterable[Type], rest: Type | None) -> int:
    return sum(type.size for type in inner) + (0 if rest is None else rest.size)
