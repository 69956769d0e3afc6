"""Pieces of SVG: numbers, paths, texts, as short as they can be."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from typing import Final

from ..layout import Bounds, Point
from ..layout.measure import LINE_HEIGHT
from .routes import towards
from .symbols import Symbol
from .text import Fitted, xml
from .theme import Theme

#: How far below the middle of a line of text its letters stand, in sizes of the font.
_BASE: Final = 0.35


def number(value: float) -> str:
    """A number with two places at most."""
    text = f"{value:.2f}".rstrip("0").rstrip(".")
    return "0" if text == "-0" else text


def numbers(*values: float) -> str:
    """Numbers with spaces between them."""
    return " ".join(number(value) for value in values)


def path(d: str, more: str = "") -> str:
    """A path with more attributes."""
    return f'<path d="{d}"{_spaced(more)}/>'


def rectangle(box: Bounds, radius: float = 0, more: str = "", *, inset: float = 0) -> str:
    """A rectangle, `inset` from its bounds."""
    x, y, width, height = box
    # A box that is smaller than its border still is one.
    width, height = max(width - 2 * inset, 0.1), max(height - 2 * inset, 0.1)
    round_ = f' rx="{number(radius)}"' if radius else ""
    return (
        f'<rect x="{number(x + inset)}" y="{number(y + inset)}" width="{number(width)}"'
        f' height="{number(height)}"{round_}{_spaced(more)}/>'
    )


def circle(x: float, y: float, radius: float, more: str = "") -> str:
    """A circle around a point."""
    return f'<circle cx="{number(x)}" cy="{number(y)}" r="{number(radius)}"{_spaced(more)}/>'


def symbol(
    parts: Symbol, x: float, y: float, *, scale: float = 1.0, knocked: str = "", more: str = ""
) -> str:
    """A symbol around a point; `knocked` are the attributes of what is knocked out of ink."""
    drawn: list[str] = []
    for one in parts:
        paint = {
            "outline": "",
            "line": 'fill="none"',
            "filled": 'fill="currentColor"',
            "knocked-out": f'fill="none" {knocked}',
        }[one.paint]
        if one.width != 1.5:
            paint += f' stroke-width="{number(one.width)}"'
        drawn.append(path(one.path, paint.strip()))
    size = "" if scale == 1 else f" scale({number(scale)})"
    place = f'transform="translate({numbers(x, y)}){size}"'
    return f"<g {place}{_spaced(more)}>{''.join(drawn)}</g>"


def text(
    fitted: Fitted, x: float, top: float, more: str, *, anchor: str = "middle", turn: float = 0
) -> str:
    """Lines of text, the first one's top at `top`; turned around (x, top) by so many degrees."""
    step = fitted.size * LINE_HEIGHT
    first = top + step / 2 + fitted.size * _BASE
    attributes = f'text-anchor="{anchor}" ' if anchor != "start" else ""
    if turn:
        attributes += f'transform="rotate({number(turn)} {numbers(x, top)})" '
    attributes += f'font-size="{number(fitted.size)}" {more}'.strip()
    if len(fitted.lines) == 1:
        place = f'x="{number(x)}" y="{number(first)}"'
        return f"<text {place} {attributes}>{xml(fitted.lines[0])}</text>"
    spans = "".join(
        f'<tspan x="{number(x)}" y="{number(first + n * step)}">{xml(line)}</tspan>'
        for n, line in enumerate(fitted.lines)
        if line
    )
    return f"<text {attributes}>{spans}</text>"


def ink(theme: Theme) -> str:
    """The attributes of text in the colour of the surroundings, whatever it stands in."""
    return f'class="n" color="{theme.ink}" fill="currentColor" stroke="none"'


def rounded(points: Sequence[Point], radius: float = 6) -> str:
    """A line whose bends are round."""
    parts = [f"M{numbers(*points[0])}"]
    for before, at, after in zip(points, points[1:], points[2:], strict=False):
        # A bend takes half of a short piece at most, for the next one needs room as well.
        room = min(radius, math.dist(before, at) / 2, math.dist(at, after) / 2)
        parts.append(f"L{numbers(*towards(at, before, room))}")
        parts.append(f"Q{numbers(*at)} {numbers(*towards(at, after, room))}")
    parts.append(f"L{numbers(*points[-1])}")
    return "".join(parts)


def group(inner: Iterable[str], attributes: str = "") -> str:
    """A group of pieces; nothing for none."""
    whole = "".join(inner)
    return f"<g{_spaced(attributes)}>{whole}</g>" if whole else ""


def _spaced(more: str) -> str:
    return f" {more}" if more else ""
