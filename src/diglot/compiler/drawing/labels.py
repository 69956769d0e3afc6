"""Texts that are outside of their shapes: the lines they have, and where a file puts them."""

from __future__ import annotations

from typing import Final, NamedTuple, get_args

from ..layout import Bounds
from ..layout.measure import LABEL_LINES, LINE_HEIGHT, even, text_width
from .parts import Heading, Label, Line, Shape
from .routes import SLASH_AT, towards
from .text import Fitted, clean, fit

#: The size of the font outside of shapes.
SMALL: Final = 11.0

#: A label without bounds is at most so wide, or so where there is little room.
WIDTH: Final = 90.0
NARROW: Final = 60.0
#: Between a label and what it belongs to.
GAP: Final = 5.0
#: How far the slash of a default flow keeps others away from its middle.
_SLASH: Final = 7.0

#: The usual place goes first.
HEADINGS: Final[tuple[Heading, ...]] = get_args(Heading)

_OUTSIDE: Final = frozenset({"event", "gateway", "data", "data-store", "message", "conversation"})


class Setting(NamedTuple):
    """The lines of a label, and the room that they take up."""

    lines: tuple[str, ...]
    width: float
    height: float


def labels_outside(shape: Shape) -> bool:
    """Whether the name of a shape is written outside of it."""
    return bool(clean(shape.name)) and shape.form in _OUTSIDE


def is_headed(shape: Shape) -> bool:
    """Whether its name stands at its upper edge, over what it holds."""
    return (shape.form == "activity" and shape.is_open) or shape.form == "group"


def heading_of(shape: Shape) -> Fitted:
    """The name of what is open, as it goes to its upper edge."""
    return fit(shape.name, max(shape.bounds.width - 20, 10), 30)


def heading_box(shape: Shape, fitted: Fitted, where: Heading) -> Bounds:
    """The room that this takes up."""
    x, y, width, _ = shape.bounds
    spare = width - fitted.width
    left = {"left": min(10.0, spare / 2), "middle": spare / 2, "right": max(spare - 10, spare / 2)}
    return Bounds(x + left[where], y + 6, fitted.width, fitted.height)


def set_label(name: str, width: float, *, most: int = LABEL_LINES) -> Setting:
    """A text in lines of that width at most."""
    lines = even(clean(name), width, size=SMALL, most=most)
    widest = max((text_width(each, size=SMALL) for each in lines), default=0.0)
    return Setting(lines, widest, len(lines) * SMALL * LINE_HEIGHT)


def label_in(bounds: Bounds, setting: Setting) -> Label:
    """A label that hangs from the top of its bounds, in their middle."""
    x = bounds.x + (bounds.width - setting.width) / 2
    return Label(Bounds(x, bounds.y, setting.width, setting.height), setting.lines)


def given_label(of: Shape | Line, bounds: Bounds) -> Label | None:
    """The label that a file gives these bounds; None for a name that shows nothing.

    Fonts differ a little: a line is not broken for a pixel or two, and no label is narrower than
    a word.
    """
    most = max(LABEL_LINES, round(bounds.height / SMALL))
    setting = set_label(of.name, max(bounds.width + 4, 40.0), most=most)
    if not setting.lines:
        return None
    label = label_in(bounds, setting)
    return _clear(of, label) if isinstance(of, Line) else label


def _clear(line: Line, label: Label) -> Label:
    """A label that does not touch the slash of a default flow, which files leave no room for."""
    start, aim = line.points[:2]
    at, box = towards(start, aim, SLASH_AT), label.box
    aside, down = box.x + box.width / 2 - at.x, box.y + box.height / 2 - at.y
    is_near = abs(aside) < box.width / 2 + _SLASH and abs(down) < box.height / 2 + _SLASH
    if line.start != "slash" or not is_near:
        return label
    if abs(aim.y - start.y) > abs(aim.x - start.x):
        box = box._replace(x=at.x + _SLASH if aside > 0 else at.x - _SLASH - box.width)
    else:
        box = box._replace(y=at.y + _SLASH if down > 0 else at.y - _SLASH - box.height)
    return label._replace(box=box)
