"""Pools below each other, lanes as bands inside of them, and the flow through all of them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Final

from .boxes import Shapes, make_box
from .component import place
from .regions import Content, is_drop, parts, place_part, stack, wires_of
from .sketch import Bounds, Link, Point
from .tree import Tree
from .working import Band, Box, Placed, Wire, up_to_grid

#: Where the names of pools and of lanes stand.
_HEADER: Final = 30.0
_CLOSED: Final = 60.0
_LEAST: Final = 120.0
#: Between pools, and where messages go between them.
_BETWEEN: Final = 40.0
_WITH_MESSAGES: Final = 70.0
_SIDE: Final = 30.0
#: So many shapes that stand alone stand beside each other.
_ROW: Final = 6


@dataclass(slots=True)
class _Plan:
    """Bands from top to bottom: lanes without lanes inside, and pools (or the top) without."""

    pool: list[str]
    lane: list[str]
    bands: list[Band]
    boxes: list[Box]
    wires: list[Wire]
    strips: dict[int, Content]


def fill_pools(
    tree: Tree, shapes: Shapes, links: dict[str, list[Link]]
) -> tuple[Content, dict[str, Bounds]]:
    """Lay out pools and lanes, and what is in them; bounds of pools and lanes."""
    plan = _plan(tree, shapes, links)
    shared, narrow = _shared(plan)
    _strips(plan, narrow, len(shared))
    number = {box: place_ for place_, box in enumerate(shared)}
    wires = [
        replace(wire, source=number[wire.source], target=number[wire.target])
        for wire in plan.wires
        if wire.source in number
    ]
    placed = place([plan.boxes[box] for box in shared], wires, plan.bands)
    return _assemble(tree, plan, placed)


def _shared(plan: _Plan) -> tuple[list[int], list[list[int]]]:
    """Boxes that are laid out together, and parts that have a strip of their band for themselves.

    Together is what hangs together over bands, and what is in a band whose lower border, and so
    the strip above it, is crossed by lines.
    """
    shared: list[int] = []
    narrow: list[list[int]] = []
    crossed: set[int] = set()
    for wire in plan.wires:
        if not wire.orders:
            ends = sorted((plan.boxes[wire.source].band, plan.boxes[wire.target].band))
            crossed.update(range(*ends))
    alone: dict[int, list[int]] = {}
    for part in parts(len(plan.boxes), plan.wires):
        bands = {plan.boxes[box].band for box in part}
        if len(bands) == 1 and not bands & crossed:
            narrow.append(part)
            continue
        shared += part
        if len(part) == 1:
            alone.setdefault(plan.boxes[part[0]].band, []).append(part[0])
    for boxes in alone.values():
        # Beside each other, the wide ones last.
        boxes.sort(key=lambda box: plan.boxes[box].width)
        for place_, box in enumerate(boxes[1:]):
            if (place_ + 1) % _ROW:
                plan.wires.append(
                    Wire(id=f" {box}", source=boxes[place_], target=box, orders=True, least=1)
                )
    return sorted(shared), narrow


def _plan(tree: Tree, shapes: Shapes, links: dict[str, list[Link]]) -> _Plan:
    plan = _Plan([], [], [], [], [], {})
    has_messages = any(link.kind == "message" for link in tree.links.values())
    number: dict[str, int] = {}
    for pool in (*tree.pools, ""):
        if not pool and not tree.children[pool] and pool not in tree.leaves:
            continue
        gap = _WITH_MESSAGES if has_messages else _BETWEEN
        lanes: Sequence[str] = tree.leaves.get(pool, [""])
        names = tree.children[pool]
        for place_, lane in enumerate(lanes):
            is_closed = not names and lanes == [""]
            band = Band(
                gap=gap if place_ == 0 else 0.0,
                least=_CLOSED if is_closed else _LEAST,
                padding=0.0 if is_closed else 30.0,
            )
            plan.pool.append(pool)
            plan.lane.append(lane)
            plan.bands.append(band)
            for name in names:
                if tree.lane.get(name, "") == lane:
                    number[name] = len(plan.boxes)
                    plan.boxes.append(make_box(tree, shapes, name, len(plan.bands) - 1))
    for pool in (*tree.pools, ""):
        plan.wires += wires_of(tree, shapes, links.get(pool, ()), number)
    plan.wires += _order_only(tree, plan, number)
    return plan


def _order_only(tree: Tree, plan: _Plan, number: dict[str, int]) -> Iterator[Wire]:
    """Messages, and whatever else joins two parts, order what they join and no more."""
    known = {wire.id for wire in plan.wires}
    for link in tree.links.values():
        if link.id in known or link.kind == "association" or is_drop(tree, link):
            continue
        ends: list[int] = []
        for end in (link.source, link.target):
            at = tree.host.get(end, end)
            while at in tree.items and at not in number:
                at = tree.parent[at]
            if at in number:
                ends.append(number[at])
        if len(ends) == 2 and ends[0] != ends[1]:
            yield Wire(id=link.id, source=ends[0], target=ends[1], orders=True)


def _strips(plan: _Plan, narrow: Sequence[Sequence[int]], shared: int) -> None:
    """Lay out the parts that stay in one band, and keep room for them in it."""
    by_band: dict[int, list[Sequence[int]]] = {}
    for part in narrow:
        by_band.setdefault(plan.boxes[part[0]].band, []).append(part)
    looped = {wire.source for wire in plan.wires if wire.source == wire.target}
    width = 150.0 * min(shared, 8)
    for band, found in by_band.items():
        placed = [place_part(plan.boxes, plan.wires, part) for part in found]
        alone = [len(part) == 1 and part[0] not in looped for part in found]
        strip = stack(placed, alone, width)
        plan.strips[band] = strip
        padding = plan.bands[band].padding
        plan.bands[band].strip = up_to_grid(strip.height + padding)


def _assemble(tree: Tree, plan: _Plan, placed: Placed) -> tuple[Content, dict[str, Bounds]]:
    depth = _depths(tree)
    deepest = max(depth.values(), default=0)
    has_pools = bool(tree.pools)
    start = (_HEADER if has_pools else 0.0) + _HEADER * deepest + _SIDE
    content = Content(walls=placed.walls, line=placed.line)
    content.at = {name: Point(at.x + start, at.y) for name, at in placed.at.items()}
    content.routes = {
        name: [Point(at.x + start, at.y) for at in route] for name, route in placed.routes.items()
    }
    width = placed.width
    shared = {box.band for box in plan.boxes if box.id in placed.at}
    for band, strip in plan.strips.items():
        top = placed.walls[band][1] - plan.bands[band].strip
        if band not in shared:
            upper, lower = placed.walls[band]
            top = upper + max(0.0, (lower - upper - strip.height) / 2)
        top += -strip.line % 10.0 - top % 10.0
        for name, at in strip.at.items():
            content.at[name] = Point(at.x + start, at.y + top)
        for name, route in strip.routes.items():
            content.routes[name] = [Point(at.x + start, at.y + top) for at in route]
        width = max(width, strip.width)
    content.width = up_to_grid(max(width, 300.0) + start + _SIDE)
    content.height = placed.height
    return content, _frames(tree, plan, content, depth)


def _depths(tree: Tree) -> dict[str, int]:
    """By lane: how many lanes it is in, with itself."""
    depth: dict[str, int] = {}
    for name in tree.lanes:
        path: list[str] = []
        at = name
        while at and at not in depth:
            path.append(at)
            at = tree.lanes[at].parent
        for inner in reversed(path):
            depth[inner] = depth.get(tree.lanes[inner].parent, 0) + 1
    return depth


def _frames(tree: Tree, plan: _Plan, content: Content, depth: dict[str, int]) -> dict[str, Bounds]:
    """Bounds of pools, and of lanes right of the names of what they are in."""
    made: dict[str, Bounds] = {}
    spans: dict[str, tuple[float, float]] = {}
    for band, (upper, lower) in enumerate(content.walls):
        around = [plan.pool[band]] if plan.pool[band] else []
        at = plan.lane[band]
        while at:
            around.append(at)
            at = tree.lanes[at].parent
        for name in around:
            low, high = spans.get(name, (upper, lower))
            spans[name] = min(low, upper), max(high, lower)
    for pool in tree.pools:
        upper, lower = spans[pool]
        made[pool] = Bounds(0.0, upper, content.width, lower - upper)
    for lane in tree.lanes:
        if lane in spans:
            upper, lower = spans[lane]
            left = _HEADER * (depth[lane] - (0 if tree.lanes[lane].pool else 1))
            made[lane] = Bounds(left, upper, content.width - left, lower - upper)
    return made
