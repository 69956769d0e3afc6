"""Free room in a drawing: the nearest place where a rectangle covers nothing."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from itertools import pairwise, product
from typing import Final

from .geometry import Index, Segment, box_of, leans_through, meet, segment
from .sketch import Bounds, Point
from .tree import Tree

#: Kept free around what is set down, and at least; how much further away the first is worth.
_CLEAR: Final = 30.0
_LEAST: Final = 10.0
_TIGHT: Final = 60.0
#: Kept free inside of what it is in.
_INSIDE: Final = 5.0
_APART: Final = 40.0
#: So many heights and so many places in each are looked at.
_NEAREST: Final = 40


class Room:
    """What is in the way of something that goes into a frame."""

    def __init__(
        self,
        tree: Tree,
        bounds: Mapping[str, Bounds],
        routes: Mapping[str, Sequence[Point]],
        inside: str,
    ) -> None:
        around = {inside}
        if inside in tree.items:
            around.update(tree.ancestors(inside))
        self._shapes, self._lines = Index(), Index()
        for name in (*tree.items, *tree.pools):
            if name in bounds and name not in around:
                self._shapes.add(name, box_of(bounds[name]))
        self._parts: list[tuple[Point, Point]] = []
        for name, route in routes.items():
            for one, other in pairwise(route):
                self._lines.add(name, segment(one, other))
                self._parts.append((one, other))

    def nearest(self, wanted: Bounds, frame: Bounds | None) -> Point:
        """The upper left corner of the nearest free place.

        Where the frame has no room it lies outside of it. Lines are covered rather than shapes.
        """
        places = self._places(wanted, frame)
        inner = [] if frame is None else [at for at in places if _is_in(at, wanted, frame)]
        for among, heeds_lines in product((inner, places), (True, False)):
            found = self._best(wanted, among, heeds_lines=heeds_lines)
            if found is not None:
                return found
        bottom = max((box.bottom for box in self._shapes.boxes), default=wanted.y)
        return Point(wanted.x, max(wanted.y, bottom + _APART))

    def _best(self, wanted: Bounds, places: Sequence[Point], *, heeds_lines: bool) -> Point | None:
        """The nearest of some places, rather with much room around it than with little."""
        best, least = None, math.inf
        for at in places:
            away = abs(at.x - wanted.x) + abs(at.y - wanted.y)
            if away >= least:
                break
            box = Segment(at.x, at.y, at.x + wanted.width, at.y + wanted.height)
            if self._is_free(box, _CLEAR, heeds_lines=heeds_lines):
                best, least = at, away
            elif away + _TIGHT < least and self._is_free(box, _LEAST, heeds_lines=heeds_lines):
                best, least = at, away + _TIGHT
        return best

    def _places(self, wanted: Bounds, frame: Bounds | None) -> list[Point]:
        """Corners where something may lie beside what is there, the nearest first."""
        xs, ys = {wanted.x}, {wanted.y}
        if frame is not None:
            inner = box_of(frame)
            xs.update((inner.left + _INSIDE, inner.right - _INSIDE - wanted.width))
            ys.update((inner.top + _INSIDE, inner.bottom - _INSIDE - wanted.height))
        for box in self._shapes.boxes:
            xs.update((box.left - _APART - wanted.width, box.right + _APART))
            ys.update((box.top - _APART - wanted.height, box.bottom + _APART))
            # With the middle as high as that of what is there.
            ys.add((box.top + box.bottom - wanted.height) / 2)
        near_xs = sorted(xs, key=lambda x: (abs(x - wanted.x), x))[:_NEAREST]
        near_ys = sorted(ys, key=lambda y: (abs(y - wanted.y), -y))[:_NEAREST]
        places = [Point(x, y) for x in near_xs for y in near_ys]
        places.sort(key=lambda at: (abs(at.x - wanted.x) + abs(at.y - wanted.y), -at.y, at.x))
        return places

    def _is_free(self, box: Segment, clear: float, *, heeds_lines: bool) -> bool:
        wide = Segment(box.left - clear, box.top - clear, box.right + clear, box.bottom + clear)
        if any(meet(wide, self._shapes.boxes[number]) for number in self._shapes.near(wide)):
            return False
        return not heeds_lines or not any(
            leans_through(*self._parts[number], box, 0.0) for number in self._lines.near(box)
        )


def _is_in(at: Point, wanted: Bounds, frame: Bounds) -> bool:
    return (
        frame.x + _INSIDE <= at.x <= frame.x + frame.width - _INSIDE - wanted.width
        and frame.y + _INSIDE <= at.y <= frame.y + frame.height - _INSIDE - wanted.height
    )
