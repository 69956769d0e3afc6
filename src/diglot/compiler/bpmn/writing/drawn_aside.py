"""What other tools say at shapes and edges, set aside at the elements that are drawn.

The schema gives it a place, `di:extension`, and takes there only what it knows itself.
Source: Diagram Definition 1.1, DI.xsd.
"""

from __future__ import annotations

from itertools import count
from typing import Final

from .kinds import takes_extensions
from .mending import Leaving, Mending
from .naming import by_id, named
from .serial import split
from .tag import Tag

_EXTENSION: Final = "di:extension"
_REASON: Final = "the schemas know nothing of what is in it"


def set_drawings_aside(mending: Mending) -> None:
    """Leave no extension with anything in it at a shape, an edge or a plane."""
    elements = mending.walk()
    at = {id(one.tag): one for one in elements}
    leaving = [one for one in elements if one.kind == _EXTENSION and one.tag.children]
    if not leaving:
        return
    found = by_id(elements)
    taken = set(found)
    for one in leaving:
        shape = at[id(one.parent)]
        drawn = named(found, shape.tag.attributes.get("bpmnElement", "").strip())
        owner = next((one for one in drawn if takes_extensions(one.kind)), None)
        if owner is not None:
            _name(shape.tag, taken)
        mending.set_children_aside(shape, [Leaving(one.tag, _REASON)], at=owner)


def _name(shape: Tag, taken: set[str]) -> None:
    """Give a shape an id, which what is set aside of it refers to."""
    if not shape.id:
        name = split(shape.name)[1]
        new = next(one for n in count(1) if (one := f"{name}_{n}") not in taken)
        taken.add(new)
        shape.attributes = {"id": new} | shape.attributes
