"""The box of an item: its shape, with the room of all that hangs on it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from .beside import stand_below_left, stand_beside
from .boundary import along_border
from .sketch import Item, Point, Size
from .tree import Tree
from .working import CLEAR, Box, up_to_grid

#: Between a shape and its text.
_OFF = 5.0
#: Between a boundary event and what compensates.
_BELOW = 30.0


@dataclass(slots=True)
class Shapes:
    """What is known of shapes before they have places: sizes, and what hangs on them."""

    sizes: dict[str, Size] = field(default_factory=dict[str, Size])
    #: Of containers: the height of the main line inside.
    lines: dict[str, float] = field(default_factory=dict[str, float])
    #: By item: upper left corners, from its own, of what hangs on it and of what is inside.
    hanging: dict[str, dict[str, Point]] = field(default_factory=dict[str, dict[str, Point]])
    #: By container, pool and the top: routes inside, from its upper left corner.
    routes: dict[str, dict[str, list[Point]]] = field(
        default_factory=dict[str, dict[str, list[Point]]]
    )


def make_box(tree: Tree, shapes: Shapes, name: str, band: int = 0) -> Box:
    """The box of an item, with its boundary events, annotations, data and text."""
    item = tree.items[name]
    size = shapes.sizes.get(name, item.size)
    events = [tree.items[event] for event in tree.boundary.get(name, ())]
    width, middles = along_border(events, size.width)
    shapes.sizes[name] = Size(width, size.height)
    box = Box(
        id=name,
        width=width,
        height=size.height,
        line=shapes.lines.get(name, size.height / 2),
        band=band,
        bottom_open=not events,
        label=item.label,
        text_side=-1 if item.kind == "gateway" else 1,
    )
    hanging = shapes.hanging.setdefault(name, {})
    for event, middle in zip(events, middles, strict=True):
        hanging[event.id] = Point(
            middle - event.size.width / 2, size.height - event.size.height / 2
        )
        text = event.label.height + _OFF if event.label is not None else 0.0
        box.down = max(box.down, event.size.height / 2 + text)
    if name in tree.under:
        hanging.update(_stand_below(tree, shapes, box, events, middles))
    own = [tree.items[beside] for beside in tree.beside.get(name, ())]
    if item.label is not None and own:
        _stand_text(box, item, item.label)
    hanging.update(stand_beside(box, item, own, has_boundary=bool(events)))
    lower = [tree.items[beside] for event in events for beside in tree.beside.get(event.id, ())]
    if lower:
        edge = middles[-1] - events[-1].size.width
        hanging.update(stand_below_left(box, lower, edge))
    return box


def _stand_below(
    tree: Tree, shapes: Shapes, box: Box, events: Sequence[Item], middles: Sequence[float]
) -> dict[str, Point]:
    """The place of what compensates: an upright line leads there from the last event.

    The lines from the other events pass it at its right.
    """
    name = tree.under[box.id]
    width, height = shapes.sizes.get(name, tree.items[name].size)
    texts = [event.label.height + 2 * _OFF for event in events if event.label is not None]
    top = up_to_grid(box.height + events[-1].size.height / 2 + max([_BELOW, *texts]))
    left = 0.0 if middles[-1] < width else middles[-1] - width / 2
    if len(events) > 1:
        left = min(left, middles[-2] - CLEAR - width)
    box.down = top + height - box.height
    box.left = max(box.left, -left)
    box.right = max(box.right, left + width - box.width)
    return {name: Point(left, top)}


def _stand_text(box: Box, item: Item, text: Size) -> None:
    """Annotations and data stand above: the text goes below, that of a gateway to their left."""
    box.label = None
    if item.kind == "gateway":
        box.up += text.height + _OFF
        box.left = max(box.left, text.width - box.width / 2 + _OFF)
        return
    over = max(0.0, (text.width - box.width) / 2)
    box.left, box.right = max(box.left, over), max(box.right, over)
    box.down += text.height + _OFF
    box.bottom_open = False
