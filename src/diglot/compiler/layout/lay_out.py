"""A sketch becomes a layout."""

from __future__ import annotations

from .amend import amend
from .boxes import Shapes
from .connect import connect
from .labels import place_labels
from .pools import fill_pools
from .regions import Content, enclose, fill, order_inside_out, region_links
from .sketch import Bounds, Layout, Point, Sketch
from .tree import Tree, grow

#: Where the whole begins.
_LEFT = 150.0
_TOP = 80.0
_NOTHING = Layout()


def lay_out(sketch: Sketch, fixed: Layout = _NOTHING) -> Layout:
    """Give everything a place: from left to right, lines at right angles, always alike.

    What is in `fixed` stays where it is; the rest is placed near to what it is joined with.
    """
    tree = grow(sketch)
    free = _free(tree)
    return amend(tree, free, fixed) if fixed.bounds or fixed.routes else free


def _free(tree: Tree) -> Layout:
    shapes = Shapes()
    links = region_links(tree)
    for name in order_inside_out(tree):
        enclose(tree, shapes, name, fill(tree, shapes, name, links.get(name, ())))
    frames: dict[str, Bounds] = {}
    if tree.pools or tree.leaves:
        content, frames = fill_pools(tree, shapes, links)
    else:
        content = fill(tree, shapes, "", links.get("", ()))
    return _absolute(tree, shapes, content, frames)


def _absolute(tree: Tree, shapes: Shapes, content: Content, frames: dict[str, Bounds]) -> Layout:
    bounds = {
        name: Bounds(frame.x + _LEFT, frame.y + _TOP, frame.width, frame.height)
        for name, frame in frames.items()
    }
    routes: dict[str, tuple[Point, ...]] = {}

    def keep(name: str, route: list[Point], move: Point) -> None:
        routes[name] = tuple(Point(at.x + move.x, at.y + move.y) for at in route)

    start = Point(_LEFT, _TOP)
    for name, route in content.routes.items():
        keep(name, route, start)
    todo = [(name, Point(at.x + _LEFT, at.y + _TOP)) for name, at in content.at.items()]
    while todo:
        name, at = todo.pop()
        size = shapes.sizes.get(name, tree.items[name].size)
        bounds[name] = Bounds(at.x, at.y, size.width, size.height)
        for inner, corner in shapes.hanging.get(name, {}).items():
            todo.append((inner, Point(at.x + corner.x, at.y + corner.y)))
        for link, route in shapes.routes.get(name, {}).items():
            keep(link, route, at)
    connect(tree, bounds, routes)
    return Layout(bounds=bounds, routes=routes, labels=place_labels(tree, bounds, routes, {}))
