"""What is inside of a container, a pool or the top: its parts laid out, and stacked."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final

from .boxes import Shapes, make_box
from .component import place
from .sketch import Link, Point, Size
from .tree import Tree
from .working import GAP, GRID, ROW_GAP, Box, Placed, Wire, up_to_grid

#: Parts that stand alone fill rows that are at least so wide.
_LEAST_ROW: Final = 600.0


@dataclass(slots=True)
class Content:
    """What was laid out inside of something; it begins at (0, 0)."""

    at: dict[str, Point] = field(default_factory=dict[str, Point])
    routes: dict[str, list[Point]] = field(default_factory=dict[str, list[Point]])
    width: float = 0.0
    height: float = 0.0
    line: float = 0.0
    walls: list[tuple[float, float]] = field(default_factory=list[tuple[float, float]])


def is_drop(tree: Tree, link: Link) -> bool:
    """Whether a line leads from a boundary event, which is on the border of something."""
    item = tree.items.get(link.source)
    return item is not None and item.kind == "boundary" and link.source in tree.host


def region_links(tree: Tree) -> dict[str, list[Link]]:
    """By container, pool and the top: the lines that are laid out with what is inside."""
    found: dict[str, list[Link]] = {}
    for link in tree.links.values():
        if link.kind == "message" or (link.kind == "association" and not is_drop(tree, link)):
            continue
        source, target = tree.items.get(link.source), tree.items.get(link.target)
        if source is None or target is None or target.kind in ("data", "annotation", "boundary"):
            continue
        if source.kind in ("data", "annotation") or target.id in tree.host:
            continue
        if tree.parent[source.id] == tree.parent[target.id]:
            found.setdefault(tree.parent[source.id], []).append(link)
    return found


def wires_of(
    tree: Tree, shapes: Shapes, links: Iterable[Link], number: Mapping[str, int]
) -> list[Wire]:
    """The lines between boxes, by the boxes' numbers."""
    wires: list[Wire] = []
    for link in links:
        source = link.source
        drop = None
        if is_drop(tree, link):
            source = tree.host[link.source]
            event = tree.items[link.source]
            corner = shapes.hanging[source][link.source]
            drop = Point(corner.x + event.size.width / 2, corner.y + event.size.height)
        if source in number and link.target in number:
            wires.append(
                Wire(
                    id=link.id,
                    source=number[source],
                    target=number[link.target],
                    drop=drop,
                    label=link.label,
                )
            )
    return wires


def parts(count: int, wires: Sequence[Wire]) -> list[list[int]]:
    """Boxes that hang together, in order of their first."""
    first = list(range(count))

    def root(box: int) -> int:
        while first[box] != box:
            first[box] = first[first[box]]
            box = first[box]
        return box

    for wire in wires:
        one, other = sorted((root(wire.source), root(wire.target)))
        first[other] = one
    found: dict[int, list[int]] = {}
    for box in range(count):
        found.setdefault(root(box), []).append(box)
    return list(found.values())


def place_part(boxes: Sequence[Box], wires: Sequence[Wire], part: Sequence[int]) -> Placed:
    """Lay out some of the boxes, alone."""
    number = {box: place_ for place_, box in enumerate(part)}
    inner = [
        Wire(
            id=wire.id,
            source=number[wire.source],
            target=number[wire.target],
            drop=wire.drop,
            label=wire.label,
        )
        for wire in wires
        if wire.source in number and not wire.orders
    ]
    return place([boxes[box] for box in part], inner)


def stack(placed: Sequence[Placed], are_alone: Sequence[bool], width: float = 0.0) -> Content:
    """Put parts below each other; those of a single shape stand in rows beside each other."""
    content = Content()
    rows: list[list[Placed]] = [
        [part] for part, is_alone in zip(placed, are_alone, strict=True) if not is_alone
    ]
    alone = [part for part, is_alone in zip(placed, are_alone, strict=True) if is_alone]
    widest = max([width, *(row[0].width for row in rows)], default=0.0)
    if alone:
        total = sum(part.width + GAP for part in alone)
        tall = sum(part.height + ROW_GAP for part in alone) / len(alone)
        even = total / max(1, round(math.sqrt(total / tall / 2)))
        widest = max(widest, min(even, total), _LEAST_ROW if total > _LEAST_ROW else 0.0)
        used = widest + 1.0
        for part in alone:
            if used + part.width > widest:
                rows.append([])
                used = 0.0
            rows[-1].append(part)
            used += part.width + GAP
    y = 0.0
    for row in rows:
        line = max(part.line for part in row)
        x = 0.0
        for part in row:
            move = Point(x, y + line - part.line)
            content.at.update(
                {name: Point(at.x + move.x, at.y + move.y) for name, at in part.at.items()}
            )
            for name, route in part.routes.items():
                content.routes[name] = [Point(at.x + move.x, at.y + move.y) for at in route]
            content.width = max(content.width, x + part.width)
            content.height = max(content.height, move.y + part.height)
            x = up_to_grid(x + part.width + GAP)
        if y == 0.0:
            content.line = line
        y = up_to_grid(content.height + ROW_GAP)
    return content


def fill(tree: Tree, shapes: Shapes, inside: str, links: Sequence[Link]) -> Content:
    """Lay out what is inside of something that has no lanes."""
    names = tree.children[inside]
    boxes = [make_box(tree, shapes, name) for name in names]
    number = {name: box for box, name in enumerate(names)}
    wires = wires_of(tree, shapes, links, number)
    found = parts(len(boxes), wires)
    looped = {wire.source for wire in wires if wire.source == wire.target}
    placed = [place_part(boxes, wires, part) for part in found]
    return stack(placed, [len(part) == 1 and part[0] not in looped for part in found])


#: Around what is inside of a container; its name stands at the top.
_PADDING: Final = 30.0
_TITLE: Final = 40.0


def enclose(tree: Tree, shapes: Shapes, name: str, content: Content) -> None:
    """Give a container the size of what is inside."""
    least = tree.items[name].size
    low = _PADDING if not tree.boundary.get(name) else _PADDING + GRID
    width = max(least.width, up_to_grid(content.width + 2 * _PADDING))
    height = max(least.height, up_to_grid(_TITLE + content.height + low))
    spare = (height - _TITLE - content.height - low) / 2
    top = _TITLE + spare // GRID * GRID
    # Lines dock at multiples of the grid from its top, as they do everywhere.
    top += up_to_grid(content.line) - content.line
    shapes.sizes[name] = Size(width, height)
    if content.at:
        shapes.lines[name] = top + content.line
    hanging = shapes.hanging.setdefault(name, {})
    for inner, at in content.at.items():
        hanging[inner] = Point(at.x + _PADDING, at.y + top)
    shapes.routes[name] = {
        link: [Point(at.x + _PADDING, at.y + top) for at in route]
        for link, route in content.routes.items()
    }


def order_inside_out(tree: Tree) -> list[str]:
    """Containers, each behind all that are inside of it or below it."""
    order: list[str] = []
    todo = ["", *tree.pools]
    while todo:
        name = todo.pop()
        if name in tree.children and name in tree.items:
            order.append(name)
        below = [tree.under[one] for one in tree.children.get(name, ()) if one in tree.under]
        inner = (*tree.children.get(name, ()), *below)
        todo.extend(one for one in inner if one in tree.children)
    return order[::-1]
