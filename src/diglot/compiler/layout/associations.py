"""Associations run straight where they can: upright or level, else from border to border."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from itertools import product

from .field import Field
from .geometry import box_of, leans_through
from .ports import sides_of
from .sketch import Bounds, Link, Point
from .tree import Tree

#: Less than this of a common side is too little for a straight line.
_SIDE = 5.0
#: How much longer a line may be so that it meets no other.
_MEETS = 30.0
#: So many lines that lean are looked at, the shortest first.
_LINES = 8
#: What is further away is joined by lines at right angles.
_FAR = 350.0

_Line = tuple[Point, Point]


def direct(
    tree: Tree, field: Field, link: Link, ends: tuple[Bounds, Bounds], free: Collection[str]
) -> _Line | None:
    """A straight line that goes through nothing but what is `free`, if there is one."""
    for line in _straight(tree, link, *ends):
        if field.is_free(line, free):
            return line
    return _leaning(field, ends, free, _FAR)


def _leaning(
    field: Field, ends: tuple[Bounds, Bounds], free: Collection[str], far: float
) -> _Line | None:
    """The best line from border to border at any angle, if none that is too far."""
    lines = [(one.at, other.at) for one, other in product(sides_of(ends[0]), sides_of(ends[1]))]
    lines.sort(key=_length)
    found = [
        line
        for line in lines[:_LINES]
        if _length(line) < far
        and field.is_free(line, free)
        and not any(leans_through(*line, box_of(shape)) for shape in ends)
    ]
    return min(found, key=lambda line: _length(line) + _MEETS * field.meets(line), default=None)


def _length(line: _Line) -> float:
    return abs(line[0].x - line[1].x) + abs(line[0].y - line[1].y)


def _straight(tree: Tree, link: Link, source: Bounds, target: Bounds) -> Iterator[_Line]:
    """Upright and level lines where the two face each other."""
    for x in _common(tree, link, source, target, is_upright=True):
        if source.y + source.height <= target.y:
            yield Point(x, source.y + source.height), Point(x, target.y)
        elif target.y + target.height <= source.y:
            yield Point(x, source.y), Point(x, target.y + target.height)
    for y in _common(tree, link, source, target, is_upright=False):
        if source.x + source.width <= target.x:
            yield Point(source.x + source.width, y), Point(target.x, y)
        elif target.x + target.width <= source.x:
            yield Point(source.x, y), Point(target.x + target.width, y)


def _common(
    tree: Tree, link: Link, source: Bounds, target: Bounds, *, is_upright: bool
) -> Iterator[float]:
    """Where a straight line joins two shapes: the middle of the smaller first."""
    spans: list[tuple[float, float]] = []
    for end, bounds in ((link.source, source), (link.target, target)):
        low, length = (bounds.x, bounds.width) if is_upright else (bounds.y, bounds.height)
        item = tree.items.get(end)
        if item is not None and item.kind in ("event", "boundary", "gateway"):
            # Round and pointed shapes are met in their middle only.
            low, length = low + length / 2, 0.0
        spans.append((low, low + length))
    spans.sort(key=lambda span: span[1] - span[0])
    low = max(span[0] for span in spans)
    high = min(span[1] for span in spans)
    if low > high:
        return
    for small, large in (spans, spans[::-1]):
        middle = (small[0] + small[1]) / 2
        if large[0] <= middle <= large[1]:
            yield middle
    if high - low > 2 * _SIDE:
        yield (low + high) / 2
