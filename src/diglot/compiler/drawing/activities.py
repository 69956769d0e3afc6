"""Activities: a box with a text, the sign of its type, and markers at its lower edge.

Source: BPMN 2.0.2, 10.3.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from ..layout import Bounds
from . import symbols
from .brush import Brush
from .labels import heading_box, heading_of
from .parts import Shape
from .pen import circle, rectangle
from .text import fit_into

RADIUS: Final = 9.0
#: How far the sign of a task's type reaches from the upper left corner, and markers from below.
_SIGN: Final = 25.0
_MARKERS: Final = 19.0


def draw_activity(shape: Shape, brush: Brush) -> Iterator[str]:
    """The pieces of an activity, open or closed."""
    box = shape.bounds
    line = {
        "thick": 'stroke-width="4"',
        "dotted": 'stroke-width="1.8" stroke-dasharray="0.2 4.2" stroke-linecap="round"',
    }.get(shape.border, "")
    yield rectangle(box, RADIUS, line)
    if shape.border == "double":
        yield rectangle(box, RADIUS - 3, 'fill="none"', inset=3)
    if shape.is_open:
        yield heading(shape, brush)
    else:
        yield _words(shape, brush)
    yield _sign(shape, brush)
    yield marker_row(shape, brush)


def heading(shape: Shape, brush: Brush) -> str:
    """The name of what is open, at its upper edge."""
    fitted = heading_of(shape)
    return brush.set(fitted, heading_box(shape, fitted, shape.heading))


def marker_row(shape: Shape, brush: Brush) -> str:
    """The markers, side by side at the middle of the lower edge."""
    x = shape.bounds.x + shape.bounds.width / 2
    y = shape.bounds.y + shape.bounds.height - 11
    left = (len(shape.markers) - 1) / 2
    return "".join(
        brush.symbol(symbols.MARKERS[marker], x + (n - left) * 18, y)
        for n, marker in enumerate(shape.markers)
    )


def _sign(shape: Shape, brush: Brush) -> str:
    x, y = shape.bounds.x + 15, shape.bounds.y + 15
    if shape.symbol.startswith("start-"):
        dash = "" if shape.is_interrupting else ' stroke-dasharray="3 2"'
        event = symbols.EVENTS.get(shape.symbol.removeprefix("start-"), ())
        return circle(x, y, 9, f'stroke-width="1.2"{dash}') + brush.symbol(event, x, y, 0.5)
    parts = symbols.TASKS.get(shape.symbol)
    return brush.symbol(parts, x, y) if parts else ""


def _words(shape: Shape, brush: Brush) -> str:
    """The text, where it runs into nothing: in the middle, below or beside the sign."""
    x, y, width, height = shape.bounds
    foot = _MARKERS if shape.markers else 5.0
    whole = Bounds(x + 6, y + 5, max(width - 12, 10), max(height - 5 - foot, 12))
    rooms, taken = [whole], list(shape.covered)
    if shape.symbol:
        rooms.append(Bounds(whole.x, y + _SIGN, whole.width, max(height - _SIGN - foot, 12)))
        rooms.append(Bounds(x + _SIGN, whole.y, max(width - _SIGN - 4, 10), whole.height))
        taken.append(Bounds(x, y, _SIGN, _SIGN))
    if shape.covered:
        rooms += [_uncovered(room, shape.covered) for room in rooms]
        # What has to be cut is cut where all text is.
        rooms.append(rooms[-2 if shape.symbol else -1])
    fitted, room = fit_into(shape.name, rooms, taken)
    return brush.set(fitted, room)


def _uncovered(room: Bounds, covered: Sequence[Bounds]) -> Bounds:
    """What of a room is free of the events on its upper and lower edges."""
    middle = room.y + room.height / 2
    upper = [box.y + box.height for box in covered if box.y + box.height / 2 < middle]
    lower = [box.y for box in covered if box.y + box.height / 2 >= middle]
    top = max([room.y, *(at + 1 for at in upper if at < middle)])
    foot = min([room.y + room.height, *(at - 1 for at in lower if at > middle)])
    return room._replace(y=top, height=foot - top)
