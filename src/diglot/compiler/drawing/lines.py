"""Flows and associations with the signs at their ends.

A line stops where its arrowhead begins, so that its end never shows through the tip.

Source: BPMN 2.0.2, 7.4, Table 7.1.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from ..layout import Point
from .labels import SMALL
from .parts import End, Label, Line
from .pen import circle, numbers, path, rounded, symbol, text
from .routes import SLASH_AT, envelope_at, length, towards
from .symbols import EVENTS
from .text import Fitted
from .theme import Theme

_DASHES: Final[Mapping[str, str]] = {
    "dashed": 'stroke-dasharray="8 5"',
    "dotted": 'stroke-dasharray="0.2 4.2" stroke-linecap="round"',
}

#: How much of the line each end takes up.
_TAKEN: Final[Mapping[End, float]] = {
    "none": 0,
    "arrow": 8,
    "open-arrow": 0.5,
    "triangle": 10,
    "circle": 8,
    "diamond": 15,
    "slash": 0,
}


def draw_line(line: Line, theme: Theme) -> str:
    """The pieces of a line, without its label."""
    points = line.points
    whole = length(points)
    way = list(points)
    way[0] = towards(points[0], points[1], min(_TAKEN[line.start], whole / 3))
    way[-1] = towards(points[-1], points[-2], min(_TAKEN[line.end], whole / 3))
    d = rounded(way)
    drawn = [path(d, _DASHES.get(line.style, ""))]
    if line.style == "double":
        drawn = [
            path(d, 'stroke-width="5"'),
            path(d, f'class="h" stroke="{theme.paper}" stroke-width="2"'),
        ]
    drawn.append(_sign(line.start, points[0], points[1], theme))
    drawn.append(_sign(line.end, points[-1], points[-2], theme))
    if line.envelope:
        at = envelope_at(points)
        kind, surface = ("s", theme.surface) if line.envelope == "initiating" else ("b", theme.band)
        envelope = symbol(EVENTS["message"], at.x, at.y, scale=1.4)
        drawn.append(f'<g class="{kind}" fill="{surface}" stroke-width="1.1">{envelope}</g>')
    return "".join(drawn)


#: The corners of heads: how far along the line from its end, and how far beside it.
_HEADS: Final[Mapping[End, tuple[tuple[float, float], ...]]] = {
    "arrow": ((0, 0), (10, 4.5), (10, -4.5)),
    "open-arrow": ((8, 5), (0, 0), (8, -5)),
    "triangle": ((0, 0), (11, 5), (11, -5)),
    "diamond": ((0, 0), (8, 4.5), (16, 0), (8, -4.5)),
    "slash": ((SLASH_AT + 2, 4), (SLASH_AT - 2, -4)),
}


def _sign(end: End, at: Point, aim: Point, theme: Theme) -> str:
    """The sign at one end of a line, which goes on from there towards another point."""
    if end == "none":
        return ""
    surface = f'class="s" fill="{theme.surface}"'
    if end == "circle":
        middle = towards(at, aim, 4)
        return circle(middle.x, middle.y, 4, surface)
    corners = (_beside(at, aim, along, aside) for along, aside in _HEADS[end])
    d = "M" + " ".join(numbers(*corner) for corner in corners)
    match end:
        case "slash" | "open-arrow":
            return path(d, 'stroke-linecap="round"')
        case "arrow":
            return path(d + "Z", 'fill="currentColor" stroke="none"')
        case _:
            return path(d + "Z", surface)


def _beside(start: Point, aim: Point, along: float, aside: float) -> Point:
    """A point so far along the way from start to aim, and beside it."""
    unit = towards(Point(0, 0), Point(aim.x - start.x, aim.y - start.y), 1)
    return Point(
        start.x + unit.x * along - unit.y * aside,
        start.y + unit.y * along + unit.x * aside,
    )


def draw_label(label: Label, words: str) -> str:
    """A text outside of shapes; `words` are the attributes of its letters."""
    box = label.box
    return text(Fitted(label.lines, SMALL), box.x + box.width / 2, box.y, words)
