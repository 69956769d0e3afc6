"""What shapes know of the others: what stands on their borders, in them, and at their edges."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

import msgspec

from ..layout import Bounds
from ..layout.geometry import Index, box_of
from .model import Model
from .parts import Form, Shape

#: What an activity holds; a task that something was laid on may as well hold an event.
_HELD: Final[tuple[Form, ...]] = ("activity", "event", "gateway")

#: So many events on the borders of one activity keep its text away.
_EVENTS: Final = 12
#: So many shapes are looked at to see whether one of them stands in another.
_MOST: Final = 1_000_000

#: The message of a choreography's participant stands so far out, and is so large.
MESSAGE_GAP: Final = 20.0
MESSAGE_WIDTH: Final = 28.0
MESSAGE_HEIGHT: Final = 20.0


def surrounded(shapes: Sequence[Shape], model: Model) -> tuple[Shape, ...]:
    """The same shapes, each with what it has to know of its surroundings."""
    covered = _covered(shapes, model)
    free = _free(shapes)
    inner = _Inner(shapes)
    return tuple(
        _opened(
            msgspec.structs.replace(
                shape, covered=tuple(covered.get(shape.id, ())), free=free.get(number)
            ),
            inner,
        )
        for number, shape in enumerate(shapes)
    )


class _Inner:
    """Shapes by where their middles are."""

    def __init__(self, shapes: Sequence[Shape]) -> None:
        self._shapes = shapes
        self._index = Index()
        self._looked_at = 0
        for shape in shapes:
            x, y, width, height = shape.bounds
            self._index.add("", box_of(Bounds(x + width / 2, y + height / 2, 0, 0)))

    def of(self, outer: Shape) -> Iterator[Shape]:
        """What stands in a shape; nothing more, once too much has been looked at."""
        if self._looked_at > _MOST:
            return
        for number in self._index.near(box_of(outer.bounds)):
            self._looked_at += 1
            if _stands_in(self._shapes[number], outer):
                yield self._shapes[number]


def _covered(shapes: Sequence[Shape], model: Model) -> dict[str, list[Bounds]]:
    """The bounds of the events on each activity."""
    found: dict[str, list[Bounds]] = {}
    for shape in shapes:
        tag = model.find(shape.id) if shape.position == "boundary" else None
        host = None if tag is None else model.find(tag.attributes.get("attachedToRef", ""))
        if host is not None and len(found.setdefault(host.id, [])) < _EVENTS:
            found[host.id].append(shape.bounds)
    return found


def _free(shapes: Sequence[Shape]) -> dict[int, tuple[float, float]]:
    """From where to where the bands leave each activity of a choreography free, by its number.

    The bands of an activity stand behind it in the file.
    """
    found: dict[int, tuple[float, float]] = {}
    number = -1
    for n, shape in enumerate(shapes):
        if shape.form == "choreography":
            number = n
        elif shape.form == "band" and number >= 0 and _holds(shapes[number].bounds, shape.bounds):
            _, y, _, height = shapes[number].bounds
            top, foot = found.get(number, (y, y + height))
            if shape.bounds.y + shape.bounds.height / 2 < y + height / 2:
                top = max(top, shape.bounds.y + shape.bounds.height)
            else:
                foot = min(foot, shape.bounds.y)
            found[number] = (top, foot)
    return found


def _holds(outer: Bounds, inner: Bounds) -> bool:
    return (
        outer.x <= inner.x + 1
        and outer.y <= inner.y + 1
        and inner.x + inner.width <= outer.x + outer.width + 1
        and inner.y + inner.height <= outer.y + outer.height + 1
    )


def _opened(shape: Shape, inner: _Inner) -> Shape:
    """A closed activity with something in it is open, or would hide it.

    Some files do not say that it is, or have a task in place of the sub-process.
    """
    if shape.is_open or shape.form != "activity":
        return shape
    forms = _HELD if "collapsed" in shape.markers else _HELD[:1]
    if not any(one.form in forms for one in inner.of(shape)):
        return shape
    markers = tuple(marker for marker in shape.markers if marker != "collapsed")
    # The start of an event sub-process is one of what is in it.
    symbol = "" if shape.symbol.startswith("start-") else shape.symbol
    return msgspec.structs.replace(shape, markers=markers, symbol=symbol, is_open=True)


def _stands_in(inner: Shape, outer: Shape) -> bool:
    return (
        inner.position != "boundary"
        and inner.bounds.width < outer.bounds.width
        and inner.bounds.height < outer.bounds.height
        and _holds(outer.bounds, inner.bounds)
    )


def extent(shape: Shape) -> Bounds:
    """The bounds of a shape with what is drawn beside it."""
    if not shape.has_message:
        return shape.bounds
    x, y, width, height = shape.bounds
    more = MESSAGE_GAP + MESSAGE_HEIGHT
    wide = max(width, MESSAGE_WIDTH)
    top = y - more if shape.side == "top" else y
    return Bounds(x + (width - wide) / 2, top, wide, height + more)
