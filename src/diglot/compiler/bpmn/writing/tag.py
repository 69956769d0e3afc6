"""Elements while a file is composed: what the writers make and the serializer writes.

A name of the standard's model stands as it is (`task`); of any other vocabulary, the diagram's
among them, as `{namespace}name`. The same form is kept of a file that was read.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import msgspec


class Tag(msgspec.Struct):
    """An element to be written; children may be added until it is."""

    name: str
    attributes: dict[str, str] = msgspec.field(default_factory=dict[str, str])
    children: list[Tag] = msgspec.field(default_factory=list["Tag"])
    text: str = ""

    @property
    def id(self) -> str:
        """Its id, empty without one."""
        return self.attributes.get("id", "")

    def walk(self) -> Iterator[Tag]:
        """It and everything in it, in order of the document."""
        todo: list[Tag] = [self]
        while todo:
            one = todo.pop()
            yield one
            todo.extend(reversed(one.children))

    def each(self, *names: str) -> Iterator[Tag]:
        """The children of these names, in order."""
        return (child for child in self.children if child.name in names)

    def child(self, name: str) -> Tag | None:
        """The first child of that name."""
        return next(self.each(name), None)

    def add(self, name: str, attributes: dict[str, str] | None = None, text: str = "") -> Tag:
        """A new last child."""
        made = Tag(name, attributes or {}, [], text)
        self.children.append(made)
        return made


def from_kept(kept: list[Any]) -> Tag:
    """The element of the form `[name, attributes, children, text]`, however deep."""
    made: list[Tag] = []
    todo: list[tuple[list[Any], list[Tag]]] = [(kept, made)]
    while todo:
        one, into = todo.pop()
        tag = Tag(one[0], dict(one[1]) if len(one) > 1 else {}, [], one[3] if len(one) > 3 else "")
        into.append(tag)
        if len(one) > 2:
            todo.extend((child, tag.children) for child in reversed(one[2]))
    return made[0]
