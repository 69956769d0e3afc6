"""How good a layout is, in numbers: fewer of each is better, and some must be none."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import pairwise

import msgspec

from .geometry import Index, Segment, box_of, leans_through, meet, segment
from .sketch import Bounds, Layout, Link, Point, Sketch
from .tree import Tree, grow

#: So far within its bounds may a line meet a round shape.
_ROUND = 4.0


class Quality(msgspec.Struct, frozen=True, kw_only=True):
    """What a reader would stumble over.

    `overlaps` counts pairs of shapes, `through` pairs of a line and a shape that it goes through,
    `crossings` places where two lines cross, `along` pairs of lines that run along each other
    and end at different shapes, `bends` bends of all lines, `label_overlaps` pairs of a text and a
    shape or another text, `label_crossings` texts that a line goes through, `outside` what is not
    inside of its parent or lane, and `missing` what has no place or no line.
    """

    overlaps: int = 0
    through: int = 0
    crossings: int = 0
    along: int = 0
    bends: int = 0
    label_overlaps: int = 0
    label_crossings: int = 0
    outside: int = 0
    missing: int = 0


def measure(sketch: Sketch, layout: Layout) -> Quality:
    """Measure a layout of a sketch."""
    tree = grow(sketch)
    shapes = {name: box_of(layout.bounds[name]) for name in tree.items if name in layout.bounds}
    index = Index()
    for name, box in shapes.items():
        index.add(name, box)
    routes = {
        name: layout.routes[name] for name in tree.links if len(layout.routes.get(name, ())) > 1
    }
    crossings, along = _lines(tree, routes)
    texts = {name: box_of(bounds) for name, bounds in layout.labels.items()}
    return Quality(
        overlaps=_overlaps(tree, shapes, index, layout.bounds),
        through=sum(1 for _ in through(sketch, layout)),
        crossings=crossings,
        along=along,
        bends=sum(len(route) - 2 for route in routes.values()),
        label_overlaps=_text_overlaps(tree, texts, index),
        label_crossings=_text_crossings(texts, routes),
        outside=sum(1 for _ in outside(sketch, layout)),
        missing=_missing(tree, layout),
    )


def through(sketch: Sketch, layout: Layout) -> Iterator[tuple[str, str]]:
    """Lines, and shapes that they go through."""
    tree = grow(sketch)
    index = Index()
    for name in tree.items:
        if name in layout.bounds:
            index.add(name, box_of(layout.bounds[name]))
    for name, link in tree.links.items():
        route = layout.routes.get(name, ())
        free = _may_cross(tree, link)
        found: set[str] = set()
        for one, other in pairwise(route):
            for number in index.near(segment(one, other)):
                shape = index.names[number]
                if (
                    shape not in free
                    and shape not in found
                    and leans_through(one, other, index.boxes[number], _less(tree, link, shape))
                ):
                    found.add(shape)
                    yield name, shape


def _less(tree: Tree, link: Link, shape: str) -> float:
    """How far a line may reach into the bounds of a shape: to the border of a round one."""
    is_round = tree.items[shape].kind in ("event", "boundary")
    return _ROUND if is_round and shape in (link.source, link.target) else 1.0


def outside(sketch: Sketch, layout: Layout) -> Iterator[tuple[str, str]]:
    """Shapes, and what they should be inside of."""
    tree = grow(sketch)
    for name, item in tree.items.items():
        bounds = layout.bounds.get(name)
        if bounds is None:
            continue
        box = box_of(bounds)
        around = [tree.parent[name]]
        if item.lane in tree.lanes and tree.lanes[item.lane].pool == tree.parent[name]:
            around.append(item.lane)
        is_on_border = item.kind == "boundary" and name in tree.host
        for frame in around:
            if frame in layout.bounds and not is_on_border:
                outer = box_of(layout.bounds[frame])
                if not (
                    outer.left <= box.left
                    and box.right <= outer.right
                    and outer.top <= box.top
                    and box.bottom <= outer.bottom
                ):
                    yield name, frame
    for lane in tree.lanes.values():
        outer_bounds = layout.bounds.get(lane.parent or lane.pool)
        bounds = layout.bounds.get(lane.id)
        if outer_bounds is not None and bounds is not None:
            outer, box = box_of(outer_bounds), box_of(bounds)
            if box.top < outer.top or box.bottom > outer.bottom:
                yield lane.id, lane.parent or lane.pool


def _may_cross(tree: Tree, link: Link) -> set[str]:
    """What a line may go through: whatever is around its ends."""
    free: set[str] = set()
    for end in (link.source, link.target):
        free.update(tree.ancestors(end))
        if end in tree.links:
            for inner in (tree.links[end].source, tree.links[end].target):
                free.update(tree.ancestors(inner))
    return free


def _overlaps(
    tree: Tree, shapes: Mapping[str, Segment], index: Index, bounds: Mapping[str, Bounds]
) -> int:
    total = 0
    around = {name: set(tree.ancestors(name)) for name in shapes}
    for number, name in enumerate(index.names):
        for other_number in index.near(index.boxes[number]):
            other = index.names[other_number]
            if other_number <= number or not meet(index.boxes[number], index.boxes[other_number]):
                continue
            if name in around[other] or other in around[name]:
                continue
            if _is_border(tree, name, other) or _is_border(tree, other, name):
                continue
            total += 1
    frames = [box_of(bounds[pool]) for pool in tree.pools if pool in bounds]
    lanes = [
        box_of(bounds[lane]) for leaves in tree.leaves.values() for lane in leaves if lane in bounds
    ]
    for group in (frames, lanes):
        group.sort(key=lambda box: (box.top, box.left))
        for number, box in enumerate(group):
            for other_box in group[number + 1 :]:
                if other_box.top >= box.bottom:
                    break
                total += meet(box, other_box)
    return total


def _is_border(tree: Tree, event: str, host: str) -> bool:
    return tree.items[event].kind == "boundary" and tree.host.get(event) == host


def _lines(tree: Tree, routes: Mapping[str, tuple[Point, ...]]) -> tuple[int, int]:
    index = Index()
    parts: list[tuple[str, Point, Point]] = []
    for name, route in routes.items():
        for one, other in pairwise(route):
            parts.append((name, one, other))
            index.add(name, segment(one, other))
    crossings = 0
    along: set[tuple[str, str]] = set()
    for number, (name, one, other) in enumerate(parts):
        for second in index.near(index.boxes[number]):
            far, start, end = parts[second]
            if second <= number or far == name:
                continue
            if _cross(one, other, start, end):
                crossings += 1
            elif _run_along(index.boxes[number], index.boxes[second]) and not _share_end(
                tree, name, far
            ):
                along.add((name, far))
    return crossings, len(along)


def _cross(one: Point, other: Point, start: Point, end: Point) -> bool:
    """Whether two lines cross, in the inside of both."""

    def turn(at: Point, to: Point, third: Point) -> float:
        return (to.x - at.x) * (third.y - at.y) - (to.y - at.y) * (third.x - at.x)

    return (
        turn(one, other, start) * turn(one, other, end) < 0
        and turn(start, end, one) * turn(start, end, other) < 0
    )


def _run_along(one: Segment, other: Segment) -> bool:
    if one.is_upright and other.is_upright and one.left == other.left:
        return min(one.bottom, other.bottom) - max(one.top, other.top) > 1.0
    if one.top == one.bottom == other.top == other.bottom:
        return min(one.right, other.right) - max(one.left, other.left) > 1.0
    return False


def _share_end(tree: Tree, one: str, other: str) -> bool:
    first, second = tree.links[one], tree.links[other]
    return first.source == second.source or first.target == second.target


def _text_overlaps(tree: Tree, texts: Mapping[str, Segment], index: Index) -> int:
    total = 0
    around = {name: set(tree.ancestors(name)) for name in texts}
    for name, link in tree.links.items():
        if name in texts:
            around[name] = _may_cross(tree, link)
    placed = Index()
    for name, box in texts.items():
        for number in index.near(box):
            shape = index.names[number]
            if shape in around[name] or not meet(box, index.boxes[number], 1.0):
                continue
            if tree.items[shape].kind != "container" or _cuts(box, index.boxes[number]):
                total += 1
        for number in placed.near(box):
            total += meet(box, placed.boxes[number], 1.0)
        placed.add(name, box)
    return total


def _cuts(text: Segment, box: Segment) -> bool:
    """Whether a text is not wholly inside of a container."""
    return not (
        box.left <= text.left
        and text.right <= box.right
        and box.top <= text.top
        and text.bottom <= box.bottom
    )


def _text_crossings(texts: Mapping[str, Segment], routes: Mapping[str, tuple[Point, ...]]) -> int:
    index = Index()
    ends: list[tuple[Point, Point]] = []
    for name, route in routes.items():
        for one, other in pairwise(route):
            index.add(name, segment(one, other))
            ends.append((one, other))
    return sum(
        any(leans_through(*ends[number], box) for number in index.near(box))
        for box in texts.values()
    )


def _missing(tree: Tree, layout: Layout) -> int:
    def is_known(end: str) -> bool:
        return end in tree.items or end in tree.pools or end in tree.links

    return sum(name not in layout.bounds for name in (*tree.items, *tree.pools)) + sum(
        len(layout.routes.get(name, ())) < 2
        for name, link in tree.links.items()
        if is_known(link.source) and is_known(link.target)
    )
