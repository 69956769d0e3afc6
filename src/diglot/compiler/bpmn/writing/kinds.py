"""Which element of the standard's schemas each element of a tree is.

Names in the tables of the metamodel are those of `diglot.specs.bpmn.metamodel`.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import lru_cache
from typing import Final, NamedTuple

from diglot.specs.bpmn import metamodel
from diglot.specs.bpmn.metamodel import Child

from ..document import XSI
from .serial import split
from .tag import Tag

_NAMESPACES: Final = {prefix: namespace for namespace, prefix in metamodel.VOCABULARIES.items()}
_DRAWN: Final = tuple(prefix for prefix in _NAMESPACES if prefix)
TYPE: Final = f"{{{XSI}}}type"


class Typed(NamedTuple):
    """An element with its kind, which is empty where it holds a simple value of its `slot`."""

    tag: Tag
    kind: str
    parent: Tag | None
    slot: Child | None


def walk(root: Tag) -> Iterator[Typed]:
    """Every element that the schemas know in its place, parents first, in document order.

    The children of an element are looked at after it was given, so that they may be changed then.
    """
    todo = [Typed(root, "definitions", None, None)]
    while todo:
        one = todo.pop()
        yield one
        if one.kind:
            places = metamodel.places(one.kind)
            inner: list[Typed] = []
            for child in one.tag.children:
                place = places.get(known_name(child))
                if place is not None:
                    inner.append(Typed(child, kind_in(child, place[1]), one.tag, place[1]))
            todo.extend(reversed(inner))


def known_name(tag: Tag) -> str:
    """The name of an element in the metamodel; empty where it is of another vocabulary."""
    return _known_name(tag.name)


# Names come from a file; those of one file are few, but every walk asks for each again.
@lru_cache(maxsize=1_000)
def _known_name(name: str) -> str:
    return metamodel.qualified(*split(name))


def kind_in(tag: Tag, slot: Child) -> str:
    """The kind of an element in a place for it; empty for a simple value."""
    if slot.value is not None:
        return ""
    name = known_name(tag)
    kind = name if slot.type == slot.name else slot.type
    return (narrowed(tag, kind) or kind) if TYPE in tag.attributes else kind


def narrowed(tag: Tag, kind: str) -> str:
    """The kind that `xsi:type` makes of an element; empty where it names no kind of that kind."""
    written = tag.attributes.get(TYPE)
    if written is None:
        return ""
    local = written.strip().rpartition(":")[2]
    # The types of the model have the names of elements, with a `t` in front.
    for found in (f"{local[1:2].lower()}{local[2:]}", *(f"{one}{local}" for one in _DRAWN)):
        if metamodel.element_type(found) is not None and metamodel.is_a(found, kind):
            return found
    return ""


def places_of_text(kind: str) -> bool:
    """Whether character data may stand in an element of a kind."""
    return not kind or metamodel.has_text(kind)


def takes_extensions(kind: str) -> bool:
    """Whether an element may have `extensionElements`."""
    return any(child.name == "extensionElements" for child in metamodel.children(kind))


def vocabulary_of(kind: str) -> str:
    """The prefix that the kinds of a vocabulary have in the metamodel; the model's is empty."""
    prefix, colon, _ = kind.rpartition(":")
    return prefix + colon


def written_type(kind: str, prefixes: Mapping[str, str]) -> str:
    """The value of `xsi:type` for a kind; `prefixes` are those of namespaces."""
    local = metamodel.written(kind)
    local = local if ":" in kind else f"t{local[:1].upper()}{local[1:]}"
    return f"{prefixes[_NAMESPACES[vocabulary_of(kind)]]}:{local}"
