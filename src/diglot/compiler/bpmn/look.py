"""How an element looks besides its name, its flows and what is in it: what its parts say in full.

An element of an exported file shows what its parts say. Where it looks otherwise than when it was
written somebody changed it in a way that no part follows.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Final, Protocol, TypeVar

from diglot.specs.bpmn import metamodel

#: Attributes that are read from the element, or that say only how elements are called.
_FREE: Final = frozenset({"id", "name", "default", "attachedToRef", "activityRef"})
#: References to what the file declares once, which is told by its name.
_DECLARED: Final = frozenset({"messageRef", "signalRef", "errorRef", "escalationRef"})
#: What stands in an element besides what it looks like.
_APART: Final = ("documentation", "extensionElements", "incoming", "outgoing")
_HELD: Final = ("flowElement", "artifact", "laneSet")


class Looking(Protocol):
    """An element that is written, or one that was read."""

    @property
    def name(self) -> str:
        """Its name, that of another vocabulary as `{namespace}name`."""
        ...

    @property
    def attributes(self) -> dict[str, str]:
        """Its attributes."""
        ...

    @property
    def text(self) -> str:
        """The text directly in it."""
        ...


Kind = TypeVar("Kind", bound=Looking)


def look_of(
    element: Kind,
    children_of: Callable[[Kind], Iterable[Kind]],
    name_of: Callable[[str], str],
) -> str:
    """A short text that is another one where an element looks otherwise.

    `children_of` gives the children that are of the standard, `name_of` the name of what a
    reference names among the file's declarations.
    """
    shown = "\n".join(_lines(element, children_of, name_of, ""))
    return hashlib.sha256(shown.encode("utf-8", "surrogatepass")).hexdigest()[:12]


def _lines(
    element: Kind,
    children_of: Callable[[Kind], Iterable[Kind]],
    name_of: Callable[[str], str],
    indent: str,
) -> Iterator[str]:
    attributes: Mapping[str, metamodel.Attribute] = {}
    if metamodel.element_type(element.name) is not None:
        attributes = metamodel.attributes(element.name)
    yield f"{indent}{element.name} {' '.join(element.text.split()) if indent else ''}"
    for name in sorted(element.attributes):
        value = element.attributes[name].strip()
        attribute = attributes.get(name)
        # Editors leave out what is so anyway.
        is_default = attribute is not None and attribute.default == value
        if name not in _FREE and not name.startswith("{") and not is_default:
            yield f"{indent} {name}={name_of(value) if name in _DECLARED else value}"
    for child in children_of(element):
        if not _is_apart(child.name):
            yield from _lines(child, children_of, name_of, f"{indent} ")


def _is_apart(name: str) -> bool:
    known = metamodel.element_type(name)
    held = known is not None and any(metamodel.is_a(name, kind) for kind in _HELD)
    return held or name in _APART
