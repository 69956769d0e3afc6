"""Where lines meet shapes, and their middles."""

from __future__ import annotations

import math
from collections.abc import Sequence
from itertools import pairwise

from ..layout import Bounds, Point
from .parts import Shape

#: A point so close to an outline lies on it.
_NEAR = 0.75
#: So far from a bend nothing is in the way of it.
_BEND = 22.0
#: How far from its beginning the slash of a default flow is.
SLASH_AT = 10.0


def docked(
    points: Sequence[Point], source: Shape | None, target: Shape | None
) -> tuple[Point, ...]:
    """A line that begins and ends at the outlines of its shapes, where it went on inside of them.

    Equal points that follow each other are one.
    """
    way = [at for n, at in enumerate(points) if n == 0 or at != points[n - 1]]
    if source is not None:
        way = _cut(way, source)
    if target is not None:
        way = _cut(way[::-1], target)[::-1]
    return tuple(way)


def _cut(way: list[Point], shape: Shape) -> list[Point]:
    """What of a line lies behind where it leaves the shape for the first time."""
    outside = next((n for n, at in enumerate(way) if not _is_inside(at, shape)), 0)
    if outside == 0:
        return way
    inner, outer = way[outside - 1], way[outside]
    for _ in range(24):
        middle = Point((inner.x + outer.x) / 2, (inner.y + outer.y) / 2)
        if _is_inside(middle, shape):
            inner = middle
        else:
            outer = middle
    edge = Point(round(outer.x, 2), round(outer.y, 2))
    return [edge, *(at for at in way[outside:] if at != edge)]


def _is_inside(at: Point, shape: Shape) -> bool:
    x, y, width, height = shape.bounds
    aside, down = abs(at.x - x - width / 2), abs(at.y - y - height / 2)
    if shape.form == "event":
        return math.hypot(aside, down) < min(width, height) / 2 - _NEAR
    if shape.form == "gateway":
        return aside / (width / 2) + down / (height / 2) < 1 - _NEAR * 2 / min(width, height)
    return aside < width / 2 - _NEAR and down < height / 2 - _NEAR


def towards(start: Point, aim: Point, far: float) -> Point:
    """The point so far from the start on the way to another."""
    gap = math.dist(start, aim)
    if not gap:
        return start
    return Point(start.x + (aim.x - start.x) * far / gap, start.y + (aim.y - start.y) * far / gap)


def length(points: Sequence[Point]) -> float:
    """How long a line is."""
    return sum(math.dist(*pair) for pair in pairwise(points))


def middle_of(points: Sequence[Point]) -> tuple[Point, bool]:
    """The point half way along a line, and whether the line is upright there."""
    left = length(points) / 2
    for one, other in pairwise(points):
        part = math.dist(one, other)
        if part and part >= left:
            share = left / part
            at = Point(one.x + (other.x - one.x) * share, one.y + (other.y - one.y) * share)
            return at, abs(other.y - one.y) > abs(other.x - one.x)
        left -= part
    return points[0], False


def envelope_at(points: Sequence[Point]) -> Point:
    """Where the message of a line is shown: at its middle, but on no bend."""
    at, _ = middle_of(points)
    parts = [pair for pair in pairwise(points) if math.dist(*pair) >= 2 * _BEND]
    if not parts or all(math.dist(at, bend) >= _BEND for bend in points[1:-1]):
        return at
    middles = [Point((one.x + other.x) / 2, (one.y + other.y) / 2) for one, other in parts]
    return min(middles, key=lambda middle: math.dist(at, middle))


def around(boxes: Sequence[Bounds], points: Sequence[Point] = ()) -> Bounds:
    """The least bounds that hold all of these."""
    left = min([*(box.x for box in boxes), *(at.x for at in points)], default=0.0)
    top = min([*(box.y for box in boxes), *(at.y for at in points)], default=0.0)
    right = max([*(box.x + box.width for box in boxes), *(at.x for at in points)], default=0.0)
    foot = max([*(box.y + box.height for box in boxes), *(at.y for at in points)], default=0.0)
    return Bounds(left, top, right - left, foot - top)
