"""Lines that the layers do not carry: associations, and whatever leads out of its container."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from itertools import pairwise

from .associations import direct
from .field import Field
from .flows import usual
from .messages import draw_messages
from .ports import Port, beside, bottom_of, left_of, right_of, sides_of, top_of
from .sketch import Bounds, Link, Point
from .tree import Tree

#: Lines may dock beside the middle of their upper and lower borders.
_WIDE = ("activity", "container")


def connect(tree: Tree, bounds: Mapping[str, Bounds], routes: dict[str, tuple[Point, ...]]) -> None:
    """Draw the lines that are not yet drawn, those to other lines last."""
    shapes = {name: bounds[name] for name in tree.items if name in bounds}
    field = Field(shapes, routes)
    todo = [link for name, link in tree.links.items() if name not in routes]
    draw_messages(tree, bounds, routes, field, [link for link in todo if link.kind == "message"])
    others = [link for link in todo if link.id not in routes]
    others.sort(key=lambda link: _turn(tree, bounds, link))
    for link in others:
        route = _line(tree, bounds, routes, field, link)
        if route is not None:
            routes[link.id] = tuple(route)
            field.keep(link.id, route)


def _turn(tree: Tree, bounds: Mapping[str, Bounds], link: Link) -> tuple[bool, bool, float]:
    """Flows come first, then associations, the short ones first, and last those to lines."""
    if link.source not in bounds or link.target not in bounds:
        return link.source in tree.links or link.target in tree.links, False, 0.0
    if link.kind != "association":
        return False, False, 0.0
    one, other = bounds[link.source], bounds[link.target]
    across = one.x + one.width / 2 - other.x - other.width / 2
    down = one.y + one.height / 2 - other.y - other.height / 2
    return False, True, abs(across) + abs(down)


def _line(
    tree: Tree,
    bounds: Mapping[str, Bounds],
    routes: Mapping[str, tuple[Point, ...]],
    field: Field,
    link: Link,
) -> list[Point] | None:
    source = _bounds_of(link.source, bounds, routes)
    target = _bounds_of(link.target, bounds, routes)
    if source is None or target is None or link.source == link.id == link.target:
        return None
    free = may_cross(tree, link)
    ends = {link.source, link.target}
    if link.kind == "association":
        line = direct(tree, field, link, (source, target), free | ends)
        if line is not None:
            return list(line)
    is_flow = link.kind == "sequence"
    starts = list(_ports(tree, link.source, source, field.docks, is_flow=is_flow, is_source=True))
    targets = list(_ports(tree, link.target, target, field.docks, is_flow=is_flow, is_source=False))
    if link.source in tree.ancestors(link.target):
        starts = _inwards(source)
    elif link.target in tree.ancestors(link.source):
        targets = _inwards(target)
    found = usual(field, starts, targets, free, ends) if is_flow else None
    found = found or field.find(starts, targets, free, ends, _kin(tree, link))
    if found is None and is_flow:
        found = field.find(sides_of(source), sides_of(target), free, ends)
    if found is None or len(found) < 2:
        found = plain(starts[0], targets[0])
    return found


def _kin(tree: Tree, link: Link) -> set[str]:
    """The associations that begin or end where one does: they may run together."""
    if link.kind != "association":
        return set()
    return {
        other.id
        for other in tree.links.values()
        if other.kind == "association"
        and (other.source == link.source or other.target == link.target)
    }


def may_cross(tree: Tree, link: Link) -> set[str]:
    """What a line may go through: whatever is around its ends."""
    free: set[str] = set()
    for end in (link.source, link.target):
        free.update(tree.ancestors(end))
        line = tree.links.get(end)
        if line is not None and end not in tree.items:
            for inner in (line.source, line.target):
                free.update(tree.ancestors(inner))
    return free


def plain(start: Port, target: Port) -> list[Point]:
    """A line at right angles that heeds nothing."""
    middle = (start.at.x + target.at.x) / 2
    line = [start.at, Point(middle, start.at.y), Point(middle, target.at.y), target.at]
    return [point for place, point in enumerate(line) if place == 0 or point != line[place - 1]] + (
        [Point(start.at.x + 1.0, start.at.y)] if start.at == target.at else []
    )


def _bounds_of(
    end: str, bounds: Mapping[str, Bounds], routes: Mapping[str, tuple[Point, ...]]
) -> Bounds | None:
    """The bounds of a shape, or the middle of a line."""
    if end in bounds:
        return bounds[end]
    route = routes.get(end)
    if route is None:
        return None
    one, other = max(
        pairwise(route),
        key=lambda part: abs(part[0].x - part[1].x) + abs(part[0].y - part[1].y),
    )
    return Bounds((one.x + other.x) / 2, (one.y + other.y) / 2, 0.0, 0.0)


def _ports(
    tree: Tree,
    name: str,
    bounds: Bounds,
    docks: Collection[Point],
    *,
    is_flow: bool,
    is_source: bool,
) -> Iterator[Port]:
    """Where a line may dock: a flow leaves at the right and enters at the left."""
    item = tree.items.get(name)
    if item is not None and item.kind == "boundary" and name in tree.host:
        yield bottom_of(bounds)
    elif not is_flow or item is None:
        for port in sides_of(bounds):
            yield port
            if port.at in docks and item is not None and item.kind in _WIDE:
                yield from beside(bounds, port)
    else:
        yield right_of(bounds) if is_source else left_of(bounds)
        yield from (bottom_of(bounds), top_of(bounds))


def _inwards(bounds: Bounds) -> list[Port]:
    """Where a line docks at the border of what its other end is inside of."""
    return [Port(port.at, (port.way + 2) % 4) for port in (left_of(bounds), right_of(bounds))]
