"""One part that hangs together is laid out: layers, order, heights, columns, lines."""

from __future__ import annotations

from collections.abc import Sequence

from .columns import Columns, columns
from .coordinates import heights
from .corners import use_corners
from .reach import reaches
from .routes import fill_channels, route_of
from .sketch import Point
from .spine import Spine
from .trials import in_order
from .working import CLEAR, GRID, Band, Box, Layers, Placed, Wire


def place(boxes: Sequence[Box], wires: Sequence[Wire], bands: Sequence[Band] = ()) -> Placed:
    """Lay out boxes and wires; with bands, each box stays in its band."""
    layers, spine = in_order(list(boxes), list(wires))
    use_corners(layers, spine)
    _keep_texts(layers)
    made = heights(layers, spine, bands)
    between = fill_channels(layers, made.y)
    across = columns(layers, between.counts, reaches(layers, made.y, between))
    routes = {
        wire.id: route_of(layers, number, made.y, across, between)
        for number, wire in enumerate(layers.wires)
        if not wire.orders
    }
    return _normal(layers, spine, made.y, made.walls, across, routes)


def _keep_texts(layers: Layers) -> None:
    """Give texts outside of shapes their room: where no line docks, or left of the upper corner."""
    used = _sides_used(layers)
    for number, box in enumerate(layers.boxes):
        if box.label is None:
            continue
        sides = used.get(number, ())
        room = box.label.height + 5.0
        over = max(0.0, (box.label.width - box.width) / 2)
        for side in (box.text_side, -box.text_side):
            if side not in sides:
                if side < 0:
                    box.up += room
                else:
                    box.down += room
                box.right = max(box.right, over)
                break
        else:
            box.up = max(box.up, room)
            over = max(0.0, box.label.width - box.width / 2 + 5.0)
        box.left = max(box.left, over)


def _sides_used(layers: Layers) -> dict[int, set[int]]:
    """By box: where lines dock above (-1) and below (+1) it."""
    used: dict[int, set[int]] = {}
    for number, wire in enumerate(layers.wires):
        for is_used, box, place in (
            (number in layers.from_corner, wire.source, 0),
            (number in layers.to_corner, wire.target, -1),
        ):
            if is_used:
                if number in layers.back:
                    place = -1 - place
                used.setdefault(box, set()).add(layers.side[layers.chains[number][place]])
    return used


def _normal(
    layers: Layers,
    spine: Spine,
    y: list[float],
    walls: list[tuple[float, float]],
    across: Columns,
    routes: dict[str, list[Point]],
) -> Placed:
    """Move everything so that it begins at (0, 0)."""
    tops = [y[n] - box.line - box.up for n, box in enumerate(layers.boxes)]
    bottoms = [y[n] - box.line + box.height + box.down for n, box in enumerate(layers.boxes)]
    lines = [point.y for route in routes.values() for point in route]
    top = min([*tops, *(line - CLEAR / 2 for line in lines)], default=0.0)
    bottom = max([*bottoms, *(line + CLEAR / 2 for line in lines)], default=0.0)
    if walls:
        top, bottom = walls[0][0], walls[-1][1]
    top = top // GRID * GRID
    main = min(spine.trunk, default=None)
    starts = layers.wires[main].source if main is not None else 0
    if spine.trunk:
        starts = min(
            (layers.wires[number].source for number in spine.trunk),
            key=lambda node: layers.layer[node],
        )
    return Placed(
        at={
            box.id: Point(across.x[n] - across.left, y[n] - box.line - top)
            for n, box in enumerate(layers.boxes)
        },
        routes={
            name: [Point(x - across.left, height - top) for x, height in route]
            for name, route in routes.items()
        },
        width=across.right - across.left,
        height=bottom - top,
        line=y[starts] - top if layers.boxes else 0.0,
        walls=[(upper - top, lower - top) for upper, lower in walls],
    )
