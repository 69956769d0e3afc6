"""Annotations and data stand with their host: annotations above it, data below.

Where the lower border has boundary events or a text, data stand above as well; at a gateway, above
and right of a line to its corner. What belongs to a boundary event stands below its host, at the
left.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from .sketch import Item, Point
from .working import GRID, Box, Note, up_to_grid

#: Between a host and what stands above or below it, and between things beside each other.
_AWAY: Final = 20.0
_BETWEEN: Final = 20.0
#: So far left of their host do things stand.
_OVER: Final = 40.0
#: From the upper corner of a gateway to what stands above it.
_ASIDE: Final = 15.0


def stand_beside(
    box: Box, host: Item, items: Sequence[Item], *, has_boundary: bool
) -> dict[str, Point]:
    """Places of annotations and data from the upper left corner of their host.

    The box gets the room that they need.
    """
    is_taken = has_boundary or host.label is not None
    goes_down = host.kind in ("activity", "container", "event") and not is_taken
    above = [item for item in items if item.kind == "annotation" or not goes_down]
    below = [item for item in items if item.kind != "annotation" and goes_down]
    made: dict[str, Point] = {}
    if above:
        start = box.width / 2 + _ASIDE if host.kind == "gateway" else 0.0
        tallest = max(_height(item) for item in above)
        floor = -box.up - _AWAY
        made.update(_row(box, above, start, floor, is_above=True))
        box.up += _AWAY + up_to_grid(tallest)
        box.top_open = host.kind == "gateway"
    if below:
        made.update(_row(box, below, 0.0, box.height + box.down + _AWAY, is_above=False))
        box.down += _AWAY + max(_height(item) for item in below)
        box.bottom_open = False
    return made


def stand_below_left(box: Box, items: Sequence[Item], edge: float) -> dict[str, Point]:
    """Places of what belongs to boundary events: below the host, left of `edge`."""
    made: dict[str, Point] = {}
    top = box.height + box.down + GRID
    for item in items:
        edge -= item.size.width
        made[item.id] = Point(edge, top)
        box.notes.append(Note(edge, top, edge + item.size.width, top + _height(item)))
        edge -= _BETWEEN
    box.down += GRID + max((_height(item) for item in items), default=0.0)
    return made


def _height(item: Item) -> float:
    return item.size.height + (item.label.height + 5.0 if item.label is not None else 0.0)


def _row(
    box: Box, items: Sequence[Item], start: float, edge: float, *, is_above: bool
) -> dict[str, Point]:
    """Beside each other, in the middle of their host unless they are much wider."""
    made: dict[str, Point] = {}
    rooms = [
        max(item.size.width, item.label.width if item.label is not None else 0.0) for item in items
    ]
    total = sum(rooms) + _BETWEEN * (len(items) - 1)
    if start == 0.0:
        start = max(-_OVER, (box.width - total) / 2)
    for item, room in zip(items, rooms, strict=True):
        left = start + (room - item.size.width) / 2
        top = edge - _height(item) if is_above else edge
        made[item.id] = Point(left, top)
        box.notes.append(Note(start, top, start + room, top + _height(item)))
        start += room + _BETWEEN
    return made
