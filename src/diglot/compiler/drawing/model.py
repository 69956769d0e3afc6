"""The elements of a written file, found by their ids, and what their values say."""

from __future__ import annotations

import math
import re
from typing import Final

from ..bpmn.writing.tag import Tag
from ..layout import Bounds, Point
from .parts import PLAIN, Colours

BPMNDI: Final = "{http://www.omg.org/spec/BPMN/20100524/DI}"
DC: Final = "{http://www.omg.org/spec/DD/20100524/DC}"
DI: Final = "{http://www.omg.org/spec/DD/20100524/DI}"

_BIO: Final = "{http://bpmn.io/schema/bpmn/biocolor/1.0}"
_COLOUR: Final = "{http://www.omg.org/spec/BPMN/non-normative/color/1.0}"
_HEX: Final = re.compile(r"#(?:[0-9a-f]{3}|[0-9a-f]{6})", re.IGNORECASE)
_RGB: Final = re.compile(r"rgb\(\s*(\d{1,3})\s*,\s*(\d{1,3})\s*,\s*(\d{1,3})\s*\)")

#: Nothing is drawn further away from the origin, or larger.
FURTHEST: Final = 1_000_000.0


class Model:
    """All elements of a file's model by their ids, and what each stands in."""

    def __init__(self, root: Tag) -> None:
        self._by_id: dict[str, Tag] = {}
        self._holders: dict[int, Tag] = {}
        todo = [root]
        while todo:
            tag = todo.pop()
            # Diagrams and extensions have ids of their own.
            if tag.name.startswith("{"):
                continue
            if tag.id:
                self._by_id.setdefault(tag.id, tag)
            for child in tag.children:
                self._holders[id(child)] = tag
            todo.extend(reversed(tag.children))

    def find(self, reference: str) -> Tag | None:
        """What a reference, with or without a prefix, means; None where it means nothing here."""
        reference = reference.strip()
        if not reference:
            return None
        return self._by_id.get(reference) or self._by_id.get(reference.rpartition(":")[2])

    def holder(self, tag: Tag) -> Tag | None:
        """The element that this one stands in."""
        return self._holders.get(id(tag))


def flag(tag: Tag, name: str, default: bool = False) -> bool:
    """An attribute that is true or false."""
    value = tag.attributes.get(name, "").strip()
    return value in ("true", "1") if value else default


def text_of(tag: Tag) -> str:
    """The text of an element and of whatever stands in it."""
    return "".join(one.text for one in tag.walk()).strip()


def documentation_of(tag: Tag) -> str:
    """What an element says of itself in full."""
    said = (text_of(one) for one in tag.each("documentation"))
    return "\n\n".join(text for text in said if text)


def bounds_of(tag: Tag | None) -> Bounds | None:
    """The bounds that an element of a diagram has; None where they are no rectangle."""
    found = None if tag is None else tag.child(DC + "Bounds")
    if found is None:
        return None
    x, y, width, height = (_number(found, name) for name in ("x", "y", "width", "height"))
    if x is None or y is None or not width or not height or width < 0 or height < 0:
        return None
    return Bounds(x, y, width, height)


def points_of(edge: Tag) -> tuple[Point, ...]:
    """The way of a line; points that are no numbers are left out."""
    points = ((_number(one, "x"), _number(one, "y")) for one in edge.each(DI + "waypoint"))
    return tuple(Point(x, y) for x, y in points if x is not None and y is not None)


def _number(tag: Tag, name: str) -> float | None:
    try:
        number = float(tag.attributes.get(name, ""))
    except ValueError:
        return None
    return number if math.isfinite(number) and abs(number) <= FURTHEST else None


def colours_of(drawn: Tag) -> Colours:
    """The colours of a shape or line, by the vocabulary of the OMG or that of bpmn.io."""
    get = drawn.attributes.get
    label = drawn.child(BPMNDI + "BPMNLabel")
    text = "" if label is None else label.attributes.get(_COLOUR + "color", "")
    found = Colours(
        fill=_colour(get(_COLOUR + "background-color") or get(_BIO + "fill") or ""),
        stroke=_colour(get(_COLOUR + "border-color") or get(_BIO + "stroke") or ""),
        text=_colour(text),
    )
    return PLAIN if found == PLAIN else found


def _colour(value: str) -> str:
    value = value.strip().lower()
    if _HEX.fullmatch(value):
        return value if len(value) == 7 else "#" + "".join(each * 2 for each in value[1:])
    if rgb := _RGB.fullmatch(value):
        return "#" + "".join(f"{min(int(each), 255):02x}" for each in rgb.groups())
    return ""
