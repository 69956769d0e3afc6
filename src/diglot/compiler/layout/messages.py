"""Messages run from pool to pool, upright where they can, in the free room between columns."""

from __future__ import annotations

import math
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from .field import Field
from .geometry import Segment
from .ports import Port, bottom_of, top_of
from .sketch import Bounds, Link, Point
from .tree import Tree

#: Between the ends of messages at one border.
_STEP = 20.0
#: From a shape to the level part of a line: another may pass on both sides. And to an upright one.
_LEVEL = (25.0, 15.0, 35.0)
_NEAR = (15.0, 25.0, 20.0, 10.0)
#: How near to the ends of a pool a line docks, and how much of a round border it may use.
_CORNER = 40.0
_ROUND = 0.6
#: A straight line that costs no more for what it meets is taken at once.
_GOOD = 60.0
#: So many free columns are tried, and how far beyond the ends.
_COLUMNS = 12
_ASIDE = 1000.0


@dataclass(slots=True)
class _End:
    """Where a message docks: between two places of the upper or the lower border."""

    bounds: Bounds
    kind: Literal["pool", "wide", "round", "pointed"]
    x: float = 0.0

    @property
    def middle(self) -> float:
        """Of its upper and lower border."""
        return self.bounds.x + self.bounds.width / 2

    def range(self) -> tuple[float, float]:
        """What of the border a line may use."""
        half = self.bounds.width / 2
        match self.kind:
            case "pool":
                free = max(0.0, half - _CORNER)
            case "wide":
                free = half - min(10.0, half / 2)
            case "round":
                free = half * _ROUND
            case "pointed":
                free = 0.0
        return self.middle - free, self.middle + free

    def on_border(self, at: Point) -> Point:
        """A point of the bounds moved inwards, to where a round shape is met."""
        if self.kind != "round" or at.x == self.middle:
            return at
        aside = (at.x - self.middle) / (self.bounds.width / 2)
        half = self.bounds.height / 2
        inwards = half - half * math.sqrt(1.0 - aside * aside)
        return Point(at.x, at.y + (inwards if at.y == self.bounds.y else -inwards))


def draw_messages(
    tree: Tree,
    bounds: Mapping[str, Bounds],
    routes: dict[str, tuple[Point, ...]],
    field: Field,
    links: Sequence[Link],
) -> None:
    """Draw messages: the ends first spread along each border, then one line after the other."""
    ends: dict[str, tuple[_End, _End]] = {}
    for link in links:
        if link.source in bounds and link.target in bounds and link.source != link.target:
            ends[link.id] = _end(tree, bounds, link.source), _end(tree, bounds, link.target)
    taken = {*field.docks, *_stood_on(tree, bounds)}
    _spread(links, ends, taken)
    for link in links:
        if link.id not in ends:
            continue
        route = _draw(tree, field, link, *ends[link.id])
        if route is not None:
            source, target = ends[link.id]
            route[0], route[-1] = source.on_border(route[0]), target.on_border(route[-1])
            routes[link.id] = tuple(route)
            field.keep(link.id, route)


def _end(tree: Tree, bounds: Mapping[str, Bounds], name: str) -> _End:
    item = tree.items.get(name)
    if item is None:
        return _End(bounds[name], "pool")
    if item.kind in ("event", "boundary"):
        return _End(bounds[name], "round")
    return _End(bounds[name], "pointed" if item.kind == "gateway" else "wide")


def _stood_on(tree: Tree, bounds: Mapping[str, Bounds]) -> Iterator[Point]:
    """Middles of the upper and lower borders that data and annotations stand before."""
    for host, items in tree.beside.items():
        for item in items:
            if host in bounds and item in bounds:
                at, near = bounds[host], bounds[item]
                middle = at.x + at.width / 2
                if near.x <= middle <= near.x + near.width:
                    yield Point(middle, at.y if near.y < at.y else at.y + at.height)


def _spread(
    links: Sequence[Link], ends: Mapping[str, tuple[_End, _End]], taken: Collection[Point]
) -> None:
    """Give each end its place on the border, in order of where the lines come from.

    Beside the middle, where that is taken.
    """
    borders: dict[tuple[str, bool], list[tuple[float, int, _End]]] = {}
    for number, link in enumerate(links):
        if link.id not in ends:
            continue
        source, target = ends[link.id]
        goes_down = source.bounds.y < target.bounds.y
        for name, end, other, is_lower in (
            (link.source, source, target, goes_down),
            (link.target, target, source, not goes_down),
        ):
            from_x = end.middle if other.kind == "pool" else other.middle
            borders.setdefault((name, is_lower), []).append((from_x, number, end))
    for (_, is_lower), found in borders.items():
        found.sort(key=lambda entry: entry[:2])
        first = found[0][2]
        y = first.bounds.y + (first.bounds.height if is_lower else 0.0)
        count = len(found)
        place = sum(from_x < first.middle for from_x, _, _ in found)
        is_taken = Point(first.middle, y) in taken
        middle = place if is_taken else (count - 1) / 2
        most = max(middle, count + is_taken - 1 - middle)
        half = first.range()[1] - first.middle
        step = min(_STEP, half / most) if most else 0.0
        for number, (_, _, end) in enumerate(found):
            slot = number + (is_taken and number >= place)
            end.x = first.middle + (slot - middle) * step
    for source, target in ends.values():
        for end, other in ((source, target), (target, source)):
            if end.kind == "pool":
                low, high = end.range()
                end.x = min(max(other.x, low), high)


def _draw(tree: Tree, field: Field, link: Link, source: _End, target: _End) -> list[Point] | None:
    free = {*tree.ancestors(link.source), *tree.ancestors(link.target)}
    ends = {link.source, link.target}
    goes_down = source.bounds.y < target.bounds.y
    start, end = _ports(source, target, goes_down)
    if (goes_down and start.at.y > end.at.y) or (not goes_down and start.at.y < end.at.y):
        # Beside each other, or one in the other: no way is upright.
        return _around(field, source, target, free, ends)
    height = abs(end.at.y - start.at.y)
    straight = [[Point(x, start.at.y), Point(x, end.at.y)] for x in _straight(source, target)]
    best = field.best(straight, free, ends)
    if best is not None and (field.price(best, free, ends) or 0.0) < height + _GOOD:
        return best
    bent = list(_bent(field, start.at, end.at, free, ends))
    best = field.best([*straight, *bent], free, ends)
    return best if best is not None else _around(field, source, target, free, ends)


def _ports(source: _End, target: _End, goes_down: bool) -> tuple[Port, Port]:
    if goes_down:
        return bottom_of(source.bounds, source.x), top_of(target.bounds, target.x)
    return top_of(source.bounds, source.x), bottom_of(target.bounds, target.x)


def _straight(source: _End, target: _End) -> Iterator[float]:
    """Where an upright line meets both."""
    (low, high), (other_low, other_high) = source.range(), target.range()
    low, high = max(low, other_low), min(high, other_high)
    if low > high:
        return
    ends = math.ceil(low), math.floor(high)
    for x in (source.x, target.x, (low + high) / 2, *ends):
        if low <= x <= high:
            yield x


def _bent(
    field: Field, start: Point, end: Point, free: set[str], ends: set[str]
) -> Iterator[list[Point]]:
    """Lines with one level part, and lines with two and a free column between them."""
    way = 1.0 if start.y < end.y else -1.0
    middle = (start.y + end.y) / 2 // 5 * 5
    for y in (
        middle,
        *(end.y - way * near for near in _LEVEL),
        *(start.y + way * n for n in _LEVEL),
    ):
        yield [start, Point(start.x, y), Point(end.x, y), end]
    for x in _columns(field, start, end, free, ends):
        for leaves in _LEVEL:
            for enters in _LEVEL:
                upper, lower = start.y + way * leaves, end.y - way * enters
                yield [
                    start,
                    Point(start.x, upper),
                    Point(x, upper),
                    Point(x, lower),
                    Point(end.x, lower),
                    end,
                ]


def _columns(
    field: Field, start: Point, end: Point, free: set[str], ends: set[str]
) -> Iterator[float]:
    """Where upright lines may pass what is between two places: beside it, the nearest first."""
    low, high = sorted((start.y, end.y))
    around = Segment(min(start.x, end.x) - _ASIDE, low, max(start.x, end.x) + _ASIDE, high)
    found: set[float] = set()
    for number in field.shapes.near(around):
        if field.shapes.names[number] not in free:
            box = field.shapes.boxes[number]
            for near in _NEAR:
                found.update((box.left - near, box.right + near))
    count = 0
    for x in sorted(found, key=lambda x: (abs(x - start.x) + abs(x - end.x), x)):
        if field.is_clear(Segment(x, low + _LEVEL[0], x, high - _LEVEL[0]), free, ends):
            yield x
            count += 1
            if count == _COLUMNS:
                return


def _around(
    field: Field, source: _End, target: _End, free: set[str], ends: set[str]
) -> list[Point] | None:
    starts = [bottom_of(source.bounds, source.x), top_of(source.bounds, source.x)]
    targets = [top_of(target.bounds, target.x), bottom_of(target.bounds, target.x)]
    found = field.find(starts, targets, free, ends)
    if found is None or len(found) < 2:
        middle = (starts[0].at.y + targets[0].at.y) / 2
        found = [
            starts[0].at,
            Point(starts[0].at.x, middle),
            Point(targets[0].at.x, middle),
            targets[0].at,
        ]
    return found
