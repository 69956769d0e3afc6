"""A JSON Schema as a type: what a value that fits it surely is.

What a schema says beyond that (lengths, patterns, numbers between bounds, `not`) is left out: the
type is larger than the schema, never smaller. References lead inside the document only, and so
deep; what lies further is anything.

Source: JSON Schema, draft 4 to 2020-12.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final, cast
from urllib.parse import unquote

from diglot.compiler.pointers import split_pointer

from .constants import type_of_value
from .joining import meet, union_of
from .model import (
    ANYTHING,
    ARRAY,
    BOOLEAN,
    EVERY,
    MOST_CONSTANTS,
    NOTHING,
    NULL,
    NUMBER,
    OBJECT,
    TEXT,
    Member,
    Type,
    array_of,
    object_of,
    of_kinds,
    only,
)

#: How many schemas are looked at for one type, and how many stand inside each other.
_MOST_STEPS: Final = 2_000
_DEEPEST: Final = 24
_KINDS: Final = {
    "null": NULL,
    "boolean": BOOLEAN,
    "number": NUMBER,
    "integer": NUMBER,
    "string": TEXT,
    "array": ARRAY,
    "object": OBJECT,
}
#: Schemas in which what is evaluated elsewhere counts for `unevaluatedProperties`.
_BESIDE: Final = (
    "allOf", "anyOf", "oneOf", "if", "dependentSchemas", "$ref", "$dynamicRef", "$recursiveRef",
)  # fmt: skip


def type_of_schema(document: Any) -> Type:
    """The type of the values that fit a schema."""
    dialect = _mapping(document).get("$schema", "")
    if not isinstance(dialect, str) or "draft-03" in dialect:
        return ANYTHING
    return _Reading(document, dialect).type(document, 0)


class _Reading:
    def __init__(self, document: Any, dialect: str) -> None:
        self._document = document
        self._left = _MOST_STEPS
        is_old = any(f"draft-0{number}" in dialect for number in (4, 6, 7))
        #: In old drafts a reference stands alone, whatever is written beside it.
        self._ref_is_all = is_old
        self._has_prefix = not is_old and "2019-09" not in dialect
        self._has_inner_ids = _has_inner_ids(document)

    def type(self, schema: Any, depth: int) -> Type:
        """The type of one schema of the document."""
        self._left -= 1
        if schema is False:
            return NOTHING
        if not isinstance(schema, dict) or depth > _DEEPEST or self._left < 0:
            return ANYTHING
        known = cast("dict[str, Any]", schema)
        reference = known.get("$ref")
        found = ANYTHING
        if isinstance(reference, str):
            found = self._referred(reference, depth)
            if self._ref_is_all:
                return found
        for part in self._parts(known, depth):
            found = meet(found, part)
        return found

    def _parts(self, schema: dict[str, Any], depth: int) -> Iterator[Type]:
        """What each keyword says of a value, worked out one after the other."""
        if "type" in schema:
            yield of_kinds(_kinds_of(schema["type"]))
        if "const" in schema:
            yield type_of_value(schema["const"])
        choices = schema.get("enum")
        if isinstance(choices, list) and len(cast("list[Any]", choices)) <= 4 * MOST_CONSTANTS:
            yield union_of(map(type_of_value, cast("list[Any]", choices)))
        if _OBJECT_WORDS & schema.keys():
            yield _others(OBJECT, self._object(schema, depth))
        if _ARRAY_WORDS & schema.keys():
            yield _others(ARRAY, self._array(schema, depth))
        for inner in _schemas(schema.get("allOf")):
            yield self.type(inner, depth + 1)
        for word in ("anyOf", "oneOf"):
            ways = _schemas(schema.get(word))
            if ways:
                yield union_of([self.type(one, depth + 1) for one in ways])

    def _object(self, schema: dict[str, Any], depth: int) -> Type:
        properties = _mapping(schema.get("properties"))
        patterns = _mapping(schema.get("patternProperties"))
        rest = ANYTHING
        if "additionalProperties" in schema:
            rest = self.type(schema["additionalProperties"], depth + 1)
        elif schema.get("unevaluatedProperties") is False and not any(
            word in schema for word in _BESIDE
        ):
            rest = NOTHING
        if rest != ANYTHING and patterns:
            rest = union_of([rest, *(self.type(one, depth + 1) for one in patterns.values())])
        wanted = schema.get("required")
        required = set[str]()
        if isinstance(wanted, list):
            required = {one for one in cast("list[Any]", wanted) if isinstance(one, str)}
        members: dict[str, Member] = {}
        for name, inner in properties.items():
            type = self.type(inner, depth + 1)
            if type == NOTHING and name in required:
                return NOTHING
            members[name] = Member(type, name in required)
        for name in sorted(required - members.keys()):
            members[name] = Member(rest, True)
            if rest == NOTHING:
                return NOTHING
        return object_of(members, rest, is_declared=bool(properties))

    def _array(self, schema: dict[str, Any], depth: int) -> Type:
        items, prefix, rest = schema.get("items"), list[Any](), ANYTHING
        if isinstance(items, list):
            prefix = cast("list[Any]", items)
            if "additionalItems" in schema:
                rest = self.type(schema["additionalItems"], depth + 1)
        else:
            if self._has_prefix:
                prefix = _schemas(schema.get("prefixItems"))
            if items is not None:
                rest = self.type(items, depth + 1)
        least = schema.get("minItems", 0)
        if isinstance(least, bool) or not isinstance(least, int):
            least = 0
        return array_of([self.type(one, depth + 1) for one in prefix], rest, least)

    def _referred(self, reference: str, depth: int) -> Type:
        """What a reference leads to, inside the document and by a pointer."""
        if self._has_inner_ids or not (reference == "#" or reference.startswith("#/")):
            return ANYTHING
        found: Any = self._document
        for part in split_pointer(unquote(reference[1:])):
            if isinstance(found, dict) and part in found:
                found = cast("dict[str, Any]", found)[part]
            elif isinstance(found, list) and part.isdecimal() and len(part) < 8:
                items = cast("list[Any]", found)
                if int(part) >= len(items):
                    return ANYTHING
                found = items[int(part)]
            else:
                return ANYTHING
        return self.type(found, depth + 1)


_OBJECT_WORDS: Final = frozenset(
    (
        "properties", "required", "additionalProperties", "patternProperties",
        "unevaluatedProperties",
    )
)  # fmt: skip
_ARRAY_WORDS: Final = frozenset(("items", "prefixItems", "additionalItems", "minItems"))


def _others(kind: int, type: Type) -> Type:
    """What a keyword for one kind of values says of all: of the other kinds, nothing."""
    return union_of([only(ANYTHING, EVERY & ~kind), type])


def _kinds_of(written: Any) -> int:
    names: list[Any] = cast("list[Any]", written) if isinstance(written, list) else [written]
    kinds = 0
    for name in names:
        kinds |= _KINDS.get(name, EVERY) if isinstance(name, str) else EVERY
    return kinds


def _mapping(found: Any) -> dict[str, Any]:
    return cast("dict[str, Any]", found) if isinstance(found, dict) else {}


def _schemas(found: Any) -> list[Any]:
    return cast("list[Any]", found) if isinstance(found, list) else []


def _has_inner_ids(document: Any) -> bool:
    """Whether a part of a schema has an address of its own, so that `#` is not the document."""
    rest: list[tuple[Any, bool]] = [(document, True)]
    while rest:
        part, is_whole = rest.pop()
        if isinstance(part, dict):
            members = cast("dict[str, Any]", part)
            if not is_whole and any(isinstance(members.get(word), str) for word in ("$id", "id")):
                return True
            rest.extend((inner, False) for inner in members.values())
        elif isinstance(part, list):
            rest.extend((inner, False) for inner in cast("list[Any]", part))
    return False
