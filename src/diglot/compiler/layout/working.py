"""What the steps of a layout hand to each other: boxes, wires, bands, and layers of both."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import Final, NamedTuple

from .sketch import Point, Size

#: Everything comes to lie on multiples of this, measured at the middle of shapes.
GRID: Final = 10.0
#: Between two shapes that follow each other, and between two rows of shapes.
GAP: Final = 50.0
ROW_GAP: Final = 40.0
#: Between a shape and a line that passes it, and between two lines.
CLEAR: Final = 20.0
#: No row is lower, so that the rows of events and of tasks lie level.
ROW: Final = 40.0


def up_to_grid(length: float) -> float:
    """The next multiple of the grid that is not less."""
    return math.ceil(length / GRID - 1e-9) * GRID


class Note(NamedTuple):
    """What stands above or below a shape, measured from its upper left corner."""

    left: float
    top: float
    right: float
    bottom: float


@dataclass(slots=True, kw_only=True)
class Box:
    """A shape in a layer, with the room of all that hangs on it.

    `line` is where lines dock at its left and right, measured from its top; `up`, `down`, `left`
    and `right` are the room needed beyond its borders.
    """

    id: str
    width: float
    height: float
    line: float
    up: float = 0.0
    down: float = 0.0
    left: float = 0.0
    right: float = 0.0
    #: Where `left` and `right` are not enough.
    notes: list[Note] = field(default_factory=list[Note])
    #: Lines may also dock above and below, in the middle.
    top_open: bool = True
    bottom_open: bool = True
    #: The text outside; where it goes is known when it is known where lines dock: above (-1) or
    #: below (+1) rather than on the other side.
    label: Size | None = None
    text_side: int = 1
    band: int = 0


@dataclass(slots=True, kw_only=True)
class Wire:
    """A line from one box to another.

    `drop` is where it leaves downwards (from a boundary event), from the top left of its source.
    One that only `orders` is routed elsewhere: its target is `least` layers right of its source.
    """

    id: str
    source: int
    target: int
    drop: Point | None = None
    label: Size | None = None
    orders: bool = False
    least: int = 0


@dataclass(slots=True, kw_only=True)
class Band:
    """A strip from left to right that certain boxes stay in: a lane, or a pool."""

    #: From the lower border of the band above.
    gap: float = 0.0
    least: float = 0.0
    padding: float = 20.0
    #: Room kept free at its lower border.
    strip: float = 0.0


@dataclass(slots=True)
class Layers:
    """Boxes and bends in layers. Boxes have the first numbers, in their order; bends the rest."""

    boxes: list[Box]
    wires: list[Wire]
    #: By node: its layer, its band, and the wire of a bend (-1 for a box).
    layer: list[int]
    band: list[int]
    wire: list[int]
    #: Nodes of each layer, from top to bottom.
    rows: list[list[int]]
    #: By wire, from left to right. A box begins or ends it, or a bend that is held by a box.
    chains: list[list[int]]
    back: frozenset[int]
    #: By bend: the boxes that hold it, and whether it is above (-1) or below (+1).
    held: dict[int, tuple[int, ...]] = field(default_factory=dict[int, tuple[int, ...]])
    side: dict[int, int] = field(default_factory=dict[int, int])
    #: By node: nodes that are joined with it in the layer before and in the one behind.
    left: list[list[int]] = field(default_factory=list[list[int]])
    right: list[list[int]] = field(default_factory=list[list[int]])
    #: By wire: it uses a corner of its source (of its target), rather than the side.
    from_corner: set[int] = field(default_factory=set[int])
    to_corner: set[int] = field(default_factory=set[int])

    def add_bend(self, layer: int, band: int, wire: int) -> int:
        """A new bend, which no row has yet."""
        self.layer.append(layer)
        self.band.append(band)
        self.wire.append(wire)
        self.left.append([])
        self.right.append([])
        return len(self.layer) - 1

    def is_box(self, node: int) -> bool:
        """Whether a node is a box rather than a bend."""
        return node < len(self.boxes)

    def positions(self) -> list[int]:
        """By node: its place in its row."""
        places = [0] * len(self.layer)
        for row in self.rows:
            for place, node in enumerate(row):
                places[node] = place
        return places


@dataclass(slots=True, kw_only=True)
class Placed:
    """A part that is laid out; its upper left corner, texts included, is (0, 0)."""

    #: Upper left corners of the shapes.
    at: dict[str, Point]
    routes: dict[str, list[Point]]
    width: float
    height: float
    #: The height of its main line.
    line: float
    #: Upper and lower border of each band.
    walls: list[tuple[float, float]]
