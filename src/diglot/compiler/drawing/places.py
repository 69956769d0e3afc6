"""Texts that a file gives no place: each at the first of its usual places that is free.

What is huge is in nobody's way: only its borders are, and of slanted lines only the short ones.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from itertools import chain, pairwise
from typing import Final

import msgspec

from ..layout import Bounds, Point
from ..layout.geometry import Index, Segment, box_of, leans_through, meet, segment
from .labels import (
    GAP,
    HEADINGS,
    NARROW,
    WIDTH,
    Setting,
    heading_box,
    heading_of,
    is_headed,
    label_in,
    labels_outside,
    set_label,
)
from .parts import Heading, Label, Line, Shape
from .routes import SLASH_AT, envelope_at, towards

#: What it costs to cover a shape, another text or a border, and a line; a place further back
#: costs 1.
_SHAPE, _TEXT, _LINE = 1000.0, 400.0, 60.0
#: So many things are looked at; where there are more in one place, nobody reads anything.
_MOST: Final = 1_000_000
#: What is longer at a side is no solid, and no slanted line that is looked at.
_HUGE: Final = 1_500.0
#: So many parts of a line are tried, from its beginning.
_PARTS: Final = 4
#: What the message of a line takes up, and the slash of a default flow.
_ENVELOPE: Final = (30.0, 22.0)
_SLASH: Final = (10.0, 10.0)


def placed(
    shapes: Sequence[Shape], lines: Sequence[Line]
) -> tuple[tuple[Shape, ...], tuple[Line, ...]]:
    """The same with places for all their texts, those of shapes first."""
    room = _Room(shapes, lines)
    headed = [_headed(one, room) for one in shapes]
    named = [_named(one, room) for one in headed]
    gateways = {one.id for one in shapes if one.form == "gateway"}
    told = [_told(one, room, is_choice=one.source in gateways) for one in lines]
    return tuple(named), tuple(told)


def is_frame(shape: Shape) -> bool:
    """Whether other shapes stand in it."""
    return shape.is_open or shape.form in ("pool", "lane", "group")


class _Room:
    """What is there already."""

    def __init__(self, shapes: Sequence[Shape], lines: Sequence[Line]) -> None:
        self.solids, self.borders, self.texts, self.lines = Index(), Index(), Index(), Index()
        self.ends: list[tuple[Point, Point]] = []
        self.looked_at = 0
        for shape in shapes:
            if is_frame(shape) or max(shape.bounds.width, shape.bounds.height) > _HUGE:
                for border in _borders(shape.bounds):
                    self.borders.add("", border)
            else:
                self.solids.add("", box_of(shape.bounds))
        for line in lines:
            for one, other in pairwise(line.points):
                is_slanted = one.x != other.x and one.y != other.y
                if not is_slanted or math.dist(one, other) <= _HUGE:
                    self.lines.add("", segment(one, other))
                    self.ends.append((one, other))
            if line.envelope:
                self._keep_clear(envelope_at(line.points), *_ENVELOPE)
            if line.start == "slash":
                self._keep_clear(towards(line.points[0], line.points[1], SLASH_AT), *_SLASH)
        labels = [*(shape.label for shape in shapes), *(line.label for line in lines)]
        for label in labels:
            if label is not None:
                self.texts.add("", box_of(label.box))

    def _keep_clear(self, at: Point, wide: float, high: float) -> None:
        self.solids.add("", box_of(Bounds(at.x - wide / 2, at.y - high / 2, wide, high)))

    def best(self, places: Iterator[Label]) -> Label | None:
        """The best of some places, which is then taken; None without any."""
        best: Label | None = None
        least = math.inf
        for number, label in enumerate(places):
            cost = number + self.cost(label.box)
            if cost < least:
                best, least = label, cost
            if cost == number:
                break
        if best is not None:
            self.texts.add("", box_of(best.box))
        return best

    def cost(self, bounds: Bounds) -> float:
        """What it costs to write there; nothing, once too much has been looked at."""
        box = box_of(bounds)
        cost = 0.0
        for index, price in ((self.solids, _SHAPE), (self.texts, _TEXT), (self.borders, _TEXT)):
            for number in self._near(index, box):
                cost += price if meet(box, index.boxes[number]) else 0.0
        for number in self._near(self.lines, box):
            cost += _LINE if leans_through(*self.ends[number], box, 0.0) else 0.0
        return cost

    def _near(self, index: Index, box: Segment) -> Sequence[int]:
        if self.looked_at > _MOST:
            return ()
        found = tuple(index.near(box))
        self.looked_at += len(found)
        return found


def _borders(bounds: Bounds) -> Iterator[Segment]:
    left, top, right, foot = box_of(bounds)
    yield Segment(left, top, right, top)
    yield Segment(left, foot, right, foot)
    yield Segment(left, top, left, foot)
    yield Segment(right, top, right, foot)


# -- shapes


def _headed(shape: Shape, room: _Room) -> Shape:
    """What is open, its name where nothing of what it holds is."""
    if not is_headed(shape):
        return shape
    fitted = heading_of(shape)
    places: dict[Label, Heading] = {}
    for where in HEADINGS:
        places.setdefault(Label(heading_box(shape, fitted, where), fitted.lines), where)
    found = room.best(iter(places)) if fitted.lines else None
    return shape if found is None else msgspec.structs.replace(shape, heading=places[found])


def _named(shape: Shape, room: _Room) -> Shape:
    if shape.label is not None or not labels_outside(shape):
        return shape
    return msgspec.structs.replace(shape, label=room.best(_around(shape)))


def _around(shape: Shape) -> Iterator[Label]:
    """Labels around a shape, the usual one first."""
    size = set_label(shape.name, WIDTH)
    x, y, wide, high = shape.bounds
    middle, across = x + wide / 2, y + high / 2
    below, above = y + high + GAP, y - size.height - GAP
    if shape.position == "boundary":
        # A line leaves from the middle of it.
        left, right = middle - 4 - size.width, middle + 4
    else:
        yield label_in(Bounds(middle - size.width / 2, below, size.width, size.height), size)
        yield label_in(Bounds(middle - size.width / 2, above, size.width, size.height), size)
        left, right = x - size.width - GAP, x + wide + GAP
    if shape.form == "gateway":
        for at in ((middle + GAP, above + GAP), (middle - GAP - size.width, above + GAP)):
            yield label_in(Bounds(*at, size.width, size.height), size)
        for at in ((middle + GAP, below - GAP), (middle - GAP - size.width, below - GAP)):
            yield label_in(Bounds(*at, size.width, size.height), size)
    foot = below if shape.position == "boundary" else across + 3
    top = above if shape.position == "boundary" else across - size.height - 3
    for at in ((left, foot), (right, foot), (left, top), (right, top)):
        yield label_in(Bounds(*at, size.width, size.height), size)


# -- lines


def _told(line: Line, room: _Room, *, is_choice: bool) -> Line:
    if line.label is not None or not line.name.strip():
        return line
    return msgspec.structs.replace(line, label=room.best(_along(line, is_choice)))


def _along(line: Line, is_choice: bool) -> Iterator[Label]:
    """Labels beside the parts of a line: of a choice near it, of others in the middle."""
    sizes = {set_label(line.name, width): None for width in (WIDTH, NARROW)}
    parts = list(pairwise(line.points))[:_PARTS]
    # The longest part first, but earlier ones of about that length.
    by_length = sorted(parts, key=lambda part: -round(math.dist(*part) / 50))
    orders = [[(part, False) for part in parts], [(part, True) for part in by_length]]
    start = SLASH_AT + GAP if line.start == "slash" else 0.0
    for size in sizes:
        for part, is_middle in chain(*(orders if is_choice else reversed(orders))):
            skip = start if part is parts[0] else 0.0
            one, other = part
            for bounds in _beside(one, other, size, skip, is_middle=is_middle):
                yield label_in(bounds, size)


def _beside(
    one: Point, other: Point, size: Setting, skip: float, *, is_middle: bool
) -> Iterator[Bounds]:
    """Room on both sides of a part of a line, at its beginning or in its middle."""
    _, width, height = size
    middle = Point((one.x + other.x) / 2, (one.y + other.y) / 2)
    if abs(one.y - other.y) < 1:
        forth = one.x <= other.x
        x = one.x + GAP + skip if forth else one.x - GAP - skip - width
        x = middle.x - width / 2 if is_middle else x
        yield Bounds(x, one.y - height - GAP + 1, width, height)
        yield Bounds(x, one.y + GAP - 1, width, height)
    elif abs(one.x - other.x) < 1:
        down = one.y <= other.y
        y = one.y + GAP + skip if down else one.y - GAP - skip - height
        y = middle.y - height / 2 if is_middle else y
        yield Bounds(one.x + GAP, y, width, height)
        yield Bounds(one.x - GAP - width, y, width, height)
    else:
        at = middle if is_middle else Point((one.x * 2 + other.x) / 3, (one.y * 2 + other.y) / 3)
        falls = (other.x - one.x) * (other.y - one.y) > 0
        right, left = at.x + 3, at.x - 3 - width
        yield Bounds(right if falls else left, at.y - height - 3, width, height)
        yield Bounds(left if falls else right, at.y + 3, width, height)
