"""Texts outside of shapes: each at the first of its usual places where nothing is in the way."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import chain, pairwise
from typing import Final

from .geometry import Index, Segment, box_of, leans_through, meet, segment
from .sketch import Bounds, Item, Point, Size
from .tree import Tree

#: Between a text and what it belongs to.
_OFF: Final = 5.0
_NEAR: Final = 3.0
#: What it costs to cover a shape, another text and a line; a place further back costs 1.
_SHAPE, _TEXT, _LINE = 1000.0, 400.0, 60.0
#: Texts stand at one of the first parts of a line.
_PARTS: Final = 4
#: Where no usual place is free, places around are looked at in rings, each so much dearer.
_FURTHER: Final = 20
_RINGS: Final = 16
_RING: Final = 15.0


def place_labels(
    tree: Tree,
    bounds: Mapping[str, Bounds],
    routes: Mapping[str, Sequence[Point]],
    kept: Mapping[str, Bounds],
) -> dict[str, Bounds]:
    """Places for all texts that have none yet, those of shapes first."""
    room = _Room(tree, bounds, routes)
    made = dict(kept)
    for box in made.values():
        room.texts.add("", box_of(box))
    outgoing = {link.source for link in tree.links.values() if link.kind != "message"}
    for name, item in tree.items.items():
        if item.label is not None and name not in made and name in bounds:
            at = bounds[name]
            made[name] = room.place(_beside(item, at, item.label, name in outgoing))
    shared = Counter(
        (link.source, *routes[name][:1]) for name, link in tree.links.items() if name in routes
    )
    for name, link in tree.links.items():
        route = routes.get(name, ())
        if link.label is not None and name not in made and len(route) > 1:
            # Where ways begin together, each has its text where it is alone.
            first = 1 if shared[link.source, route[0]] > 1 and len(route) > 2 else 0
            made[name] = room.place(_along(route, link.label, first))
    return made


class _Room:
    """What is there already."""

    def __init__(
        self, tree: Tree, bounds: Mapping[str, Bounds], routes: Mapping[str, Sequence[Point]]
    ) -> None:
        self.shapes, self.frames, self.lines, self.texts = Index(), Index(), Index(), Index()
        for name, item in tree.items.items():
            if name in bounds:
                kind = self.frames if item.kind == "container" else self.shapes
                kind.add(name, box_of(bounds[name]))
        for name in (*tree.pools, *tree.lanes):
            if name in bounds:
                self.frames.add(name, box_of(bounds[name]))
        self.ends: list[tuple[Point, Point]] = []
        for name, route in routes.items():
            for one, other in pairwise(route):
                self.lines.add(name, segment(one, other))
                self.ends.append((one, other))

    def place(self, places: Iterable[Bounds]) -> Bounds:
        """The best of some places, and of those around; the first that nothing is in the way of."""
        usual = list(places)
        further = (
            (at, _FURTHER * ring) for ring in range(1, _RINGS) for at in _ring(usual[0], ring)
        )
        best, least = usual[0], float("inf")
        for at, price in chain(((at, number) for number, at in enumerate(usual)), further):
            if least <= price:
                break
            cost = self._cost(box_of(at)) + price
            if cost < least:
                best, least = at, cost
        self.texts.add("", box_of(best))
        return best

    def _cost(self, box: Segment) -> float:
        cost = 0.0
        for number in self.shapes.near(box):
            if meet(box, self.shapes.boxes[number]):
                cost += _SHAPE
        for number in self.texts.near(box):
            if meet(box, self.texts.boxes[number]):
                cost += _TEXT
        for number in self.frames.near(box):
            frame = self.frames.boxes[number]
            if meet(box, frame) and not (
                frame.left <= box.left
                and box.right <= frame.right
                and frame.top <= box.top
                and box.bottom <= frame.bottom
            ):
                cost += _TEXT
        for number in self.lines.near(box):
            if leans_through(*self.ends[number], box, 0.0):
                cost += _LINE
        return cost


def _ring(first: Bounds, number: int) -> Iterator[Bounds]:
    """Places around one, from its left on."""
    across, down = number * _RING, number * _RING
    for x, y in ((-1, 0), (1, 0), (0, 1), (0, -1), (-1, 1), (1, 1), (-1, -1), (1, -1)):
        yield Bounds(first.x + x * across, first.y + y * down, first.width, first.height)


def _beside(item: Item, at: Bounds, size: Size, has_line: bool) -> Iterator[Bounds]:
    """Places around a shape, the usual one first."""
    width, height = size
    middle = at.x + at.width / 2
    center = middle - width / 2
    below, above = at.y + at.height + _OFF, at.y - height - _OFF
    if item.kind == "boundary":
        left, right = middle - _NEAR - width, middle + _NEAR
        low = at.y + at.height + _NEAR
        if not has_line:
            yield Bounds(center, low, width, height)
        yield Bounds(left, low, width, height)
        yield Bounds(right, low, width, height)
        yield Bounds(at.x - width - _NEAR, at.y + at.height / 2 + _NEAR, width, height)
        yield Bounds(at.x + at.width + _NEAR, at.y + at.height / 2 + _NEAR, width, height)
        yield Bounds(center, low, width, height)
        return
    if item.kind == "gateway":
        yield Bounds(center, above, width, height)
        yield Bounds(center, below, width, height)
        yield Bounds(middle - width - _OFF, above + _OFF, width, height)
        yield Bounds(middle + _OFF, above + _OFF, width, height)
        yield Bounds(middle - width - _OFF, below - _OFF, width, height)
        yield Bounds(middle + _OFF, below - _OFF, width, height)
        return
    yield Bounds(center, below, width, height)
    yield Bounds(center, above, width, height)
    yield Bounds(at.x + at.width + _OFF, at.y + at.height / 2 - height - _NEAR, width, height)
    yield Bounds(at.x - width - _OFF, at.y + at.height / 2 - height - _NEAR, width, height)
    yield Bounds(middle + _NEAR, below, width, height)
    yield Bounds(middle - width - _NEAR, below, width, height)


def _along(route: Sequence[Point], size: Size, first: int) -> Iterator[Bounds]:
    """Places beside the parts of a line: at the beginning of each, then in its middle."""
    parts = list(pairwise(route))
    for is_middle in (False, True):
        for one, other in parts[first : first + _PARTS]:
            yield from _beside_part(one, other, size, is_middle)
    one, other = route[-2], route[-1]
    yield from _beside_part(other, one, size, False)


def _beside_part(one: Point, other: Point, size: Size, is_middle: bool) -> Iterator[Bounds]:
    width, height = size
    if one.y == other.y:
        forth = one.x <= other.x
        x = one.x + _OFF if forth else one.x - _OFF - width
        if is_middle:
            x = (one.x + other.x - width) / 2
        yield Bounds(x, one.y - height - _NEAR, width, height)
        yield Bounds(x, one.y + _NEAR, width, height)
        return
    down = one.y <= other.y
    y = one.y + _OFF if down else one.y - _OFF - height
    x = one.x
    if is_middle or one.x != other.x:
        x, y = (one.x + other.x) / 2, (one.y + other.y - height) / 2
    yield Bounds(x + _OFF, y, width, height)
    yield Bounds(x - _OFF - width, y, width, height)
