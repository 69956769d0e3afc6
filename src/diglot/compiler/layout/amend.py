"""New parts find their places in a drawing that is there, and nothing of it moves.

What is new hangs together in islands, laid out as they would be in a drawing of their own. Each is
set down as far from what it is joined with as it would be there, or at the nearest place that has
room. A container without a shape is drawn around what it has inside.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence

from .connect import connect
from .islands import Island, islands
from .labels import place_labels
from .room import Room
from .sketch import Bounds, Layout, Point
from .tree import Tree

#: Where the names of pools and containers stand, and what else is around their content.
_HEADER = 30.0
_TITLE = 40.0
_PADDING = 30.0
_GAP = 40.0
#: Nothing is drawn further away than this.
_MOST = 1e7
#: What is new stands no further from what it is joined with, where there is room.
_NEAR = 80.0


def amend(tree: Tree, free: Layout, fixed: Layout) -> Layout:
    """What is fixed, with the rest of a free layout around it."""
    bounds = _sound_bounds(tree, fixed.bounds)
    routes = {
        name: tuple(route)
        for name, route in fixed.routes.items()
        if name in tree.links and len(route) > 1 and all(map(_is_sound, route))
    }
    _on_borders(tree, bounds, free)
    for _ in range(2):
        for island in islands(tree, bounds):
            _set_down(tree, bounds, routes, island, free)
        # What is beside of something that is drawn around its content comes behind it.
        _around(tree, bounds)
    _lanes(tree, bounds, free)
    connect(tree, bounds, routes)
    kept = {name: at for name, at in fixed.labels.items() if _is_sound(at)}
    return Layout(bounds=bounds, routes=routes, labels=place_labels(tree, bounds, routes, kept))


def _is_sound(numbers: Iterable[float]) -> bool:
    """Whether numbers are places that one can reckon with."""
    return all(abs(number) <= _MOST for number in numbers)


def _sound_bounds(tree: Tree, fixed: Mapping[str, Bounds]) -> dict[str, Bounds]:
    return {
        name: at
        for name, at in fixed.items()
        if _is_sound(at)
        and min(at.width, at.height) >= 0
        and (name in tree.items or name in tree.pools or name in tree.lanes)
    }


def _on_borders(tree: Tree, bounds: dict[str, Bounds], free: Layout) -> None:
    """New events on the border of something that is there: below, else above, where room is."""
    for host, events in tree.boundary.items():
        around = bounds.get(host)
        if around is None:
            continue
        for event in events:
            if event not in bounds:
                size = free.bounds[event]
                others = [bounds[other] for other in events if other in bounds]
                bounds[event] = _on_border(around, size, others)


def _on_border(host: Bounds, event: Bounds, others: Sequence[Bounds]) -> Bounds:
    width, height = event.width, event.height
    places = [
        Bounds(x, y - height / 2, width, height)
        for y in (host.y + host.height, host.y)
        for x in _steps(host.x + host.width - width - 12.0, host.x, width + 14.0)
    ]
    for at in places:
        if not any(_overlap(at, other) for other in others):
            return at
    return places[0]


def _steps(start: float, end: float, step: float) -> Iterator[float]:
    """From the right to the left, at most a hundred."""
    yield start
    for number in range(1, min(100, int(max(0.0, start - end) // step) + 1)):
        yield start - number * step


def _overlap(one: Bounds, other: Bounds) -> bool:
    return (
        one.x < other.x + other.width
        and other.x < one.x + one.width
        and one.y < other.y + other.height
        and other.y < one.y + one.height
    )


def _set_down(
    tree: Tree,
    bounds: dict[str, Bounds],
    routes: dict[str, tuple[Point, ...]],
    island: Island,
    free: Layout,
) -> None:
    """Move an island as a whole to where it has room."""
    own = [free.bounds[name] for name in island.members]
    own += [free.labels[name] for name in island.members if name in free.labels]
    hull = _hull(own)
    move = _move(tree, bounds, island, free, hull)
    wanted = Bounds(hull.x + move.x, hull.y + move.y, hull.width, hull.height)
    members = set(island.members)
    others = {
        name: route
        for name, route in routes.items()
        if not members & {tree.links[name].source, tree.links[name].target}
    }
    room = Room(tree, bounds, others, island.parent)
    found = room.nearest(wanted, _frame(tree, bounds, island))
    across, down = found.x - hull.x, found.y - hull.y
    for name in island.members:
        at = free.bounds[name]
        bounds[name] = Bounds(at.x + across, at.y + down, at.width, at.height)
    for name, route in free.routes.items():
        link = tree.links[name]
        if name not in routes and link.source in members and link.target in members:
            routes[name] = tuple(Point(x + across, y + down) for x, y in route)


def _hull(own: Sequence[Bounds]) -> Bounds:
    left, top = min(at.x for at in own), min(at.y for at in own)
    right = max(at.x + at.width for at in own)
    bottom = max(at.y + at.height for at in own)
    return Bounds(left, top, right - left, bottom - top)


def _move(
    tree: Tree, bounds: Mapping[str, Bounds], island: Island, free: Layout, hull: Bounds
) -> Point:
    """From where an island lies when all is free to where it should lie."""
    if island.anchors:
        moves = [_from_anchor(bounds, free, *pair) for pair in island.anchors]
        return Point(round(sum(move.x for move in moves) / len(moves)), moves[0].y)
    inside = [bounds[name] for name in tree.children.get(island.parent, ()) if name in bounds]
    inside = inside or [
        bounds[name]
        for name in (*tree.pools, *tree.children[""])
        if name in bounds and not island.parent
    ]
    frame = _frame(tree, bounds, island)
    if inside:
        around = _hull(inside)
        return Point(around.x - hull.x, around.y + around.height + _GAP - hull.y)
    if frame is not None:
        return Point(frame.x + _PADDING - hull.x, frame.y + _PADDING - hull.y)
    return Point(0.0, 0.0)


def _from_anchor(bounds: Mapping[str, Bounds], free: Layout, member: str, anchor: str) -> Point:
    """The move after which a member is as far from its anchor as it is in a free layout.

    Measured from the middle, because a shape that is there may have another size; and no further
    than near, because in between there may be less.
    """
    there, here, own = bounds[anchor], free.bounds[anchor], free.bounds[member]
    across, down = own.x - here.x, own.y + own.height / 2 - here.y - here.height / 2
    if across > 0:
        across = there.width + min(across - here.width, _NEAR)
    else:
        across = max(across, -own.width - _NEAR)
    far = (own.height + there.height) / 2 + _NEAR
    down = min(max(down, -far), far)
    return Point(
        there.x + across - own.x, there.y + there.height / 2 + down - own.y - own.height / 2
    )


def _frame(tree: Tree, bounds: Mapping[str, Bounds], island: Island) -> Bounds | None:
    """What an island should stay inside of, where that is drawn."""
    first = island.members[0]
    lane = tree.lane.get(tree.host.get(first, first), "")
    if lane in bounds:
        return bounds[lane]
    at = bounds.get(island.parent)
    if at is None:
        return None
    left, top = (_HEADER, 0.0) if island.parent in tree.pools else (0.0, _TITLE - _PADDING)
    return Bounds(at.x + left, at.y + top, at.width - left, at.height - top)


def _around(tree: Tree, bounds: dict[str, Bounds]) -> None:
    """Draw the containers and pools that have only their content, from the inside out."""
    depth = {name: sum(1 for _ in tree.ancestors(name)) for name in tree.items}
    containers = [name for name in tree.items if name in tree.children and name not in bounds]
    containers.sort(key=lambda name: -depth[name])
    for name in (*containers, *(pool for pool in tree.pools if pool not in bounds)):
        inside = [bounds[child] for child in tree.children[name] if child in bounds]
        if inside:
            at = _hull(inside)
            left = _PADDING + (_HEADER if name in tree.pools else 0.0)
            top = _PADDING if name in tree.pools else _TITLE
            bounds[name] = Bounds(
                at.x - left,
                at.y - top,
                at.width + left + _PADDING,
                at.height + top + _PADDING,
            )
        for event in tree.boundary.get(name, ()):
            if name in bounds and event not in bounds:
                size = tree.items[event].size
                others = [bounds[one] for one in tree.boundary[name] if one in bounds]
                bounds[event] = _on_border(bounds[name], Bounds(0.0, 0.0, *size), others)


def _lanes(tree: Tree, bounds: dict[str, Bounds], free: Layout) -> None:
    """New lanes share what their pool has left below those that are there."""
    inner: dict[str, list[str]] = {}
    for name, lane in tree.lanes.items():
        inner.setdefault(lane.parent or lane.pool, []).append(name)
    todo = [*tree.pools, ""]
    for outer in todo:
        lanes = inner.get(outer, [])
        todo += lanes
        new = [name for name in lanes if name not in bounds]
        around = bounds.get(outer)
        if around is None or not new:
            bounds.update({name: free.bounds[name] for name in new if name in free.bounds})
            continue
        there = [bounds[name] for name in lanes if name in bounds]
        top = max((at.y + at.height for at in there), default=around.y)
        wanted = sum(free.bounds[name].height for name in new)
        spare = around.y + around.height - top
        scale = spare / wanted if spare > 0 else 1.0
        for name in new:
            height = free.bounds[name].height * scale
            bounds[name] = Bounds(around.x + _HEADER, top, around.width - _HEADER, height)
            top += height
