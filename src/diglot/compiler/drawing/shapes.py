"""Every form of shape, drawn with what it has in it.

Source: BPMN 2.0.2, 7.4 and the figures of clauses 9 to 11.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Final

import msgspec

from ..layout import Bounds, Point
from ..layout.measure import text_width
from . import symbols
from .activities import RADIUS, draw_activity, heading, marker_row
from .brush import Brush
from .parts import Form, Shape
from .pen import circle, number, numbers, path, rectangle, text
from .surroundings import MESSAGE_GAP, MESSAGE_HEIGHT, MESSAGE_WIDTH
from .text import clean, fit

#: A pool's and a lane's name stand in a band of this width.
HEADER: Final = 30.0
#: What markers at a lower edge take up.
_MARKERS: Final = 19.0
#: A band that is lower has its marker beside its name.
_TWO_LINES: Final = 34.0
_THIN: Final = 'stroke-width="1.25"'


def draw(shape: Shape, brush: Brush) -> str:
    """The pieces of a shape."""
    return "".join(_FORMS[shape.form](shape, brush))


def _middle(box: Bounds) -> tuple[float, float]:
    return box.x + box.width / 2, box.y + box.height / 2


# -- events and gateways


def _event(shape: Shape, brush: Brush) -> Iterator[str]:
    x, y = _middle(shape.bounds)
    radius = min(shape.bounds.width, shape.bounds.height) / 2
    dash = "" if shape.is_interrupting else ' stroke-dasharray="4.5 3"'
    width = "3.5" if shape.position == "end" else "1.5"
    yield circle(x, y, radius, f'stroke-width="{width}"{dash}')
    scale = radius / 18
    if shape.position in ("catch", "throw", "boundary"):
        yield circle(x, y, max(radius - 3, 0.1), f'fill="none"{dash}')
        scale *= 0.92
    is_thrown = shape.position in ("throw", "end")
    parts = (symbols.THROWN if is_thrown else symbols.EVENTS).get(shape.symbol)
    if parts:
        yield brush.symbol(parts, x, y, scale)


def _gateway(shape: Shape, brush: Brush) -> Iterator[str]:
    x, y, width, height = shape.bounds
    middle, across = _middle(shape.bounds)
    yield path(
        f"M{numbers(middle, y)} {numbers(x + width, across)}"
        f" {numbers(middle, y + height)} {numbers(x, across)}Z"
    )
    parts = symbols.GATEWAYS.get(shape.symbol)
    if parts:
        yield brush.symbol(parts, middle, across, min(width, height) / 50)


# -- pools and lanes


def _pool(shape: Shape, brush: Brush) -> Iterator[str]:
    box = shape.bounds
    yield rectangle(box, more=_THIN)
    if shape.is_open:
        band = _header(shape)
        yield rectangle(band, more=f"{brush.band} {_THIN}")
        yield _named_band(shape, band, brush)
    else:
        yield _closed_pool(shape, brush)
    yield marker_row(shape, brush)


def _closed_pool(shape: Shape, brush: Brush) -> str:
    """The name in the middle; in a narrow pool it is turned before a word of it is broken."""
    x, y, width, height = shape.bounds
    room = Bounds(x + 6, y + 2, max(width - 12, 10), max(height - 4, 12))
    widest = max((text_width(word) for word in clean(shape.name).split()), default=0.0)
    if widest > room.width and height > width:
        return brush.write_up(shape.name, shape.bounds)
    return brush.write(shape.name, room)


def _lane(shape: Shape, brush: Brush) -> Iterator[str]:
    yield rectangle(shape.bounds, more=_THIN)
    yield _named_band(shape, _header(shape), brush)


def _header(shape: Shape) -> Bounds:
    x, y, width, height = shape.bounds
    if shape.is_upright:
        return Bounds(x, y, width, min(HEADER, height))
    return Bounds(x, y, min(HEADER, width), height)


def _named_band(shape: Shape, band: Bounds, brush: Brush) -> str:
    return brush.write(shape.name, band) if shape.is_upright else brush.write_up(shape.name, band)


# -- data and artifacts


def _data(shape: Shape, brush: Brush) -> Iterator[str]:
    x, y, width, height = shape.bounds
    fold = min(width, height) * 0.28
    yield path(
        f"M{numbers(x, y)}H{number(x + width - fold)}L{numbers(x + width, y + fold)}"
        f"V{number(y + height)}H{number(x)}Z"
    )
    yield path(
        f"M{numbers(x + width - fold, y)}V{number(y + fold)}H{number(x + width)}", 'fill="none"'
    )
    if shape.symbol:
        arrow = symbols.THROWN if shape.symbol == "output" else symbols.EVENTS
        yield brush.symbol(arrow["link"], x + 10, y + 11, 0.62)
    if shape.markers:
        middle, _ = _middle(shape.bounds)
        yield brush.symbol(symbols.MARKERS["collection"], middle, y + height - 8)


def _data_store(shape: Shape, brush: Brush) -> Iterator[str]:
    x, y, width, height = shape.bounds
    rise = min(height * 0.16, width * 0.25)
    top, foot = y + rise * 0.75, y + height - rise * 0.75
    yield path(f"M{numbers(x, top)}{_bow(width, -rise)}V{number(foot)}{_bow(-width, rise)}Z")
    rings = (f"M{numbers(x, top + n * rise * 0.7)}{_bow(width, rise)}" for n in range(3))
    yield path("".join(rings), 'fill="none"')


def _bow(width: float, rise: float) -> str:
    """Half an ellipse, nearly: so far to the side, and down and up again."""
    return f"c{numbers(0, rise)} {numbers(width, rise)} {numbers(width, 0)}"


def _group(shape: Shape, brush: Brush) -> Iterator[str]:
    box = shape.bounds
    yield rectangle(box, 10, 'fill="none" stroke-dasharray="10 5 1.5 5" stroke-linecap="round"')
    yield heading(shape, brush)


def _annotation(shape: Shape, brush: Brush) -> Iterator[str]:
    x, y, width, height = shape.bounds
    # What lies behind stays to be seen; only the bracket is drawn.
    yield rectangle(shape.bounds, more='fill="none" stroke="none"')
    side = min(10.0, width)
    yield path(
        f"M{numbers(x + side, y)}H{number(x)}V{number(y + height)}h{number(side)}", 'fill="none"'
    )
    fitted = fit(shape.name, max(width - 12, 20), max(height - 6, 14))
    if fitted.lines:
        top = y + min(5.0, max((height - fitted.height) / 2, 0))
        yield text(fitted, x + 7, top, brush.words, anchor="start")


def _message(shape: Shape, brush: Brush) -> Iterator[str]:
    yield from _envelope(shape.bounds, "")


def _envelope(box: Bounds, paint: str) -> Iterator[str]:
    yield rectangle(box, more=paint)
    flap = Point(box.x + box.width / 2, box.y + box.height * 0.55)
    corner = Point(box.x + box.width, box.y)
    yield path(f"M{numbers(box.x, box.y)}L{numbers(*flap)} {numbers(*corner)}", 'fill="none"')


# -- conversations and choreographies


def _conversation(shape: Shape, brush: Brush) -> Iterator[str]:
    x, y, width, height = shape.bounds
    slope = min(width / 4, height / 2)
    line = 'stroke-width="4"' if shape.border == "thick" else ""
    yield path(
        f"M{numbers(x, y + height / 2)}L{numbers(x + slope, y)}H{number(x + width - slope)}"
        f"L{numbers(x + width, y + height / 2)} {numbers(x + width - slope, y + height)}"
        f"H{number(x + slope)}Z",
        line,
    )
    yield marker_row(shape, brush)


def _choreography(shape: Shape, brush: Brush) -> Iterator[str]:
    x, y, width, height = shape.bounds
    yield rectangle(shape.bounds, RADIUS, 'stroke-width="4"' if shape.border == "thick" else "")
    # Between the bands of those who take part.
    top, foot = shape.free or (y, y + height)
    below = foot - _MARKERS if shape.markers else foot
    room = Bounds(x + 6, top + 1, max(width - 12, 10), max(below - top - 2, 12))
    yield brush.write(shape.name, room._replace(height=18) if shape.is_open else room)
    above = shape.bounds._replace(height=max(foot - y, 24))
    yield marker_row(msgspec.structs.replace(shape, bounds=above), brush)


def _band(shape: Shape, brush: Brush) -> Iterator[str]:
    x, y, width, height = shape.bounds
    radius = min(RADIUS, height / 2)
    upper = radius if shape.side == "top" else 0
    lower = radius if shape.side == "bottom" else 0
    right, foot = x + width, y + height
    yield path(
        f"M{numbers(x, y + upper)}Q{numbers(x, y, x + upper, y)}"
        f"H{number(right - upper)}Q{numbers(right, y, right, y + upper)}"
        f"V{number(foot - lower)}Q{numbers(right, foot, right - lower, foot)}"
        f"H{number(x + lower)}Q{numbers(x, foot, x, foot - lower)}Z",
        brush.band if shape.is_shaded else "",
    )
    room = Bounds(x + 6, y + 1, max(width - 12, 10), max(height - 2, 12))
    if shape.markers and height < _TWO_LINES:
        # The marker has no room below the name.
        fitted = fit(shape.name, max(room.width - 24, 10), room.height)
        yield brush.set(fitted, room)
        aside = x + width / 2 + fitted.width / 2 + 10
        yield brush.symbol(symbols.MARKERS["parallel"], aside, y + height / 2, 0.7)
    elif shape.markers:
        yield brush.write(shape.name, room._replace(height=room.height - 14))
        yield brush.symbol(symbols.MARKERS["parallel"], x + width / 2, foot - 9, 0.8)
    else:
        yield brush.write(shape.name, room)
    if shape.has_message:
        yield from _said(shape, brush)


def _said(band: Shape, brush: Brush) -> Iterator[str]:
    """The message of a participant, outside of the choreography's activity."""
    x, y, width, height = band.bounds
    middle = x + width / 2
    is_above = band.side == "top"
    start = y if is_above else y + height
    far = start - MESSAGE_GAP if is_above else start + MESSAGE_GAP
    yield path(
        f"M{numbers(middle, start)}V{number(far)}",
        'fill="none" stroke-dasharray="0.2 4" stroke-linecap="round"',
    )
    top = far - MESSAGE_HEIGHT if is_above else far
    box = Bounds(middle - MESSAGE_WIDTH / 2, top, MESSAGE_WIDTH, MESSAGE_HEIGHT)
    yield from _envelope(box, brush.band if band.is_shaded else "")


_FORMS: Final[Mapping[Form, Callable[[Shape, Brush], Iterator[str]]]] = {
    "activity": draw_activity,
    "event": _event,
    "gateway": _gateway,
    "pool": _pool,
    "lane": _lane,
    "group": _group,
    "annotation": _annotation,
    "data": _data,
    "data-store": _data_store,
    "message": _message,
    "conversation": _conversation,
    "choreography": _choreography,
    "band": _band,
}
