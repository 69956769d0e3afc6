"""Everything that is in the way of a line, and the best line around it.

A line at right angles is looked for on a grid of the borders of what is near: by length, bends,
crossings, and most of all without running along another line.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import Final

from .geometry import (
    Index,
    Segment,
    box_of,
    goes_through,
    leans_through,
    segment,
    segments,
    straightened,
)
from .ports import STEP, Port
from .search import BEND, MOST_STEPS, Search
from .sketch import Bounds, Point

#: Kept between a line and a shape that it passes; and between two lines at least, and rather.
_CLEAR: Final = 5.0
_APART: Final = 10.0
_CROSSING: Final = 25.0
_ALONG: Final = 400.0
_NEAR: Final = 120.0
#: So many steps have all searches for lines together; what comes then is drawn as it comes.
_MOST_STEPS: Final = 150_000
#: How much further than the two ends is looked, first and last; and how far from borders.
_WINDOWS: Final = ((150.0, (10.0, 20.0)), (1e9, (10.0,)))


class Field:
    """Shapes and lines that are there; new lines find their way between them."""

    def __init__(self, shapes: Mapping[str, Bounds], routes: Mapping[str, Sequence[Point]]) -> None:
        self.shapes = Index()
        for name, bounds in shapes.items():
            self.shapes.add(name, box_of(bounds))
        self.lines = Index()
        self._left = _MOST_STEPS
        #: Where lines begin and end.
        self.docks: set[Point] = set()
        for name, route in routes.items():
            self.keep(name, route)

    def keep(self, name: str, route: Sequence[Point]) -> None:
        """Remember a line."""
        for part in segments(route):
            self.lines.add(name, part)
        self.docks.update((route[0], route[-1]))

    def is_clear(self, part: Segment, free: Collection[str], ends: Collection[str]) -> bool:
        """Whether a segment goes through nothing; it may come near to its `ends`."""
        for number in self.shapes.near(_wider(part, _CLEAR)):
            name = self.shapes.names[number]
            if name not in free and goes_through(
                part, self.shapes.boxes[number], 1.0 if name in ends else -_CLEAR
            ):
                return False
        return True

    def is_free(self, line: tuple[Point, Point], free: Collection[str]) -> bool:
        """Whether a line at any angle goes through no shape."""
        return not any(
            self.shapes.names[number] not in free
            and leans_through(*line, self.shapes.boxes[number])
            for number in self.shapes.near(segment(*line))
        )

    def meets(self, line: tuple[Point, Point]) -> int:
        """How many parts of other lines a line at any angle crosses or ends at."""
        return sum(
            leans_through(*line, _wider(self.lines.boxes[number], 0.5), 0.0)
            for number in self.lines.near(segment(*line))
        )

    def cost(self, part: Segment, kin: Collection[str] = ()) -> float:
        """What a segment costs for the lines that it crosses or runs along, but for its kin."""
        cost = 0.0
        for number in self.lines.near(_wider(part, _APART)):
            other = self.lines.boxes[number]
            if self.lines.names[number] in kin:
                continue
            if part.is_upright != other.is_upright:
                upright, level = (part, other) if part.is_upright else (other, part)
                is_met = level.left < upright.left < level.right
                if is_met and upright.top < level.top < upright.bottom:
                    cost += _CROSSING
                continue
            if part.is_upright:
                apart = abs(part.left - other.left)
                are_level = part.top < other.bottom and other.top < part.bottom
            else:
                apart = abs(part.top - other.top)
                are_level = part.left < other.right and other.left < part.right
            if are_level and apart < _APART:
                cost += _ALONG if apart < _CLEAR else _NEAR
        return cost

    def price(
        self, route: Sequence[Point], free: Collection[str], ends: Collection[str]
    ) -> float | None:
        """What a whole line costs; nothing where it goes through a shape."""
        total = 0.0
        parts = segments(route)
        for part in parts:
            if not self.is_clear(part, free, ends):
                return None
            total += self.cost(part) + part.right - part.left + part.bottom - part.top
        return total + BEND * (len(parts) - 1)

    def best(
        self, routes: Iterable[Sequence[Point]], free: Collection[str], ends: Collection[str]
    ) -> list[Point] | None:
        """The cheapest of some lines that go through nothing; the first of equal ones."""
        best: list[Point] | None = None
        least = float("inf")
        for route in routes:
            line = straightened(route)
            price = self.price(line, free, ends) if len(line) > 1 else None
            if price is not None and price < least:
                best, least = line, price
        return best

    def find(
        self,
        starts: Sequence[Port],
        targets: Sequence[Port],
        free: Collection[str],
        ends: Collection[str],
        kin: Collection[str] = (),
    ) -> list[Point] | None:
        """The cheapest line at right angles that goes through nothing; it may join its `kin`.

        None where there is none, or where all steps are spent.
        """

        def price(part: Segment) -> float | None:
            if not self.is_clear(part, free, ends):
                return None
            return part.right - part.left + part.bottom - part.top + self.cost(part, kin)

        for window, away in _WINDOWS:
            most = min(MOST_STEPS, self._left)
            search = Search(*self._grid((*starts, *targets), free, window, away), price, most)
            found = search.run(starts, targets)
            self._left -= most - search.left
            if found is not None:
                return straightened(found)
        return None

    def _grid(
        self,
        ports: Sequence[Port],
        free: Collection[str],
        window: float,
        away: Sequence[float],
    ) -> tuple[list[float], list[float]]:
        """Where lines may run upright and level: at the ports, and beside of what is near."""
        across = [port.at.x for port in ports]
        down = [port.at.y for port in ports]
        around = Segment(
            min(across) - window, min(down) - window, max(across) + window, max(down) + window
        )
        xs, ys = {*across}, {*down}
        for port in ports:
            xs.update(port.at.x + more * STEP[port.way][0] for more in away)
            ys.update(port.at.y + more * STEP[port.way][1] for more in away)
        for number in self.shapes.near(around):
            if self.shapes.names[number] not in free:
                box = self.shapes.boxes[number]
                for more in away:
                    xs.update((box.left - more, box.right + more))
                    ys.update((box.top - more, box.bottom + more))
        return (
            sorted(x for x in xs if around.left <= x <= around.right),
            sorted(y for y in ys if around.top <= y <= around.bottom),
        )


def _wider(part: Segment, more: float) -> Segment:
    return Segment(part.left - more, part.top - more, part.right + more, part.bottom + more)
