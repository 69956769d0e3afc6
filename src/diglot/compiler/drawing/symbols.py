"""The signs of the standard, drawn by paths of our own around the origin.

A symbol is one or more strokes; the colour of ink and the surface behind come from what it is in.
Those of events fit a circle of 36 pixels, those of gateways a diamond of 50, those of tasks a
square of 18.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Final, Literal, NamedTuple


class Stroke(NamedTuple):
    """A path and how it is painted.

    `outline` has the surface inside, `filled` is ink, `line` has no inside, and `knocked-out` is a
    line in the colour of the surface, on top of ink.
    """

    path: str
    paint: Literal["outline", "filled", "line", "knocked-out"] = "outline"
    width: float = 1.5


Symbol = tuple[Stroke, ...]


def _gear(x: float, y: float, radius: float, teeth: int) -> str:
    """A wheel with square teeth."""
    corners: list[str] = []
    for tooth in range(teeth):
        for part, out in ((-0.26, 0.72), (-0.17, 1.0), (0.17, 1.0), (0.26, 0.72)):
            turn = (tooth + part) * 2 * math.pi / teeth
            corners.append(
                f"{x + math.sin(turn) * radius * out:.2f} {y - math.cos(turn) * radius * out:.2f}"
            )
    return "M" + " ".join(corners) + "Z"


def _ring(x: float, y: float, radius: float) -> str:
    half = f"A{radius} {radius} 0 1 1"
    return f"M{x + radius} {y}{half} {x - radius} {y}{half} {x + radius} {y}Z"


_PENTAGON: Final = "M0-9.2 8.8-2.8 5.4 7.5H-5.4L-8.8-2.8Z"
_PLUS: Final = "M-2.7-9H2.7V-2.7H9V2.7H2.7V9H-2.7V2.7H-9V-2.7H-2.7Z"
_SHEET: Final = "M-6.5-8.5H6.5V8.5H-6.5Z"

#: Every trigger as what is awaited; thrown ones are filled.
EVENTS: Final[Mapping[str, Symbol]] = {
    "message": (Stroke("M-9-6.5H9V6.5H-9Z"), Stroke("M-9-6.5 0 .8 9-6.5", "line")),
    "timer": (
        Stroke(_ring(0, 0, 9.5)),
        Stroke("M0-9.5V-7M0 9.5V7M-9.5 0H-7M9.5 0H7", "line", 1.2),
        Stroke("M1.8-6.2 0 0 4.8 1.4", "line"),
    ),
    "error": (Stroke("M-8.6 8.6-3.4-7.6 2.2 1.8 8.6-8.6 3.4 7.6-2.2-1.8Z"),),
    "escalation": (Stroke("M0-9 6.6 8.2 0 1.6-6.6 8.2Z"),),
    "cancel": (
        Stroke(
            "M-8.6-5.4-5.4-8.6 0-3.2 5.4-8.6 8.6-5.4 3.2 0"
            " 8.6 5.4 5.4 8.6 0 3.2-5.4 8.6-8.6 5.4-3.2 0Z"
        ),
    ),
    "compensation": (Stroke("M-9.8 0-1.2-6.6V6.6ZM-1.2 0 7.4-6.6V6.6Z"),),
    "conditional": (
        Stroke(_SHEET),
        Stroke("M-4.2-5.2H4.2M-4.2-1.7H4.2M-4.2 1.7H4.2M-4.2 5.2H4.2", "line", 1.2),
    ),
    "link": (Stroke("M-9.4-3.6H1.4V-7.6L9.6 0 1.4 7.6V3.6H-9.4Z"),),
    "signal": (Stroke("M0-9.4 9 6.6H-9Z"),),
    "terminate": (Stroke(_ring(0, 0, 10.5), "filled"),),
    "multiple": (Stroke(_PENTAGON),),
    "parallel-multiple": (Stroke(_PLUS),),
}

#: What is thrown: ink where an awaited one has the surface, and lines knocked out of it.
THROWN: Final[Mapping[str, Symbol]] = {
    **{
        name: tuple(
            Stroke(one.path, "knocked-out" if one.paint == "line" else "filled", one.width)
            for one in symbol
        )
        for name, symbol in EVENTS.items()
    },
    # The flap of a dark envelope leaves the corners.
    "message": (
        Stroke("M-9-6.5H9V6.5H-9Z", "filled"),
        Stroke("M-9.2-6.6 0 .8 9.2-6.6", "knocked-out"),
    ),
}

GATEWAYS: Final[Mapping[str, Symbol]] = {
    "exclusive": (
        Stroke(
            "M-7.6-9.6-4.3-9.6 0-2.7 4.3-9.6 7.6-9.6 1.8 0"
            " 7.6 9.6 4.3 9.6 0 2.7-4.3 9.6-7.6 9.6-1.8 0Z",
            "filled",
            0.5,
        ),
    ),
    "parallel": (Stroke("M0-11.5V11.5M-11.5 0H11.5", "line", 4),),
    "inclusive": (Stroke(_ring(0, 0, 10.5), "line", 2.8),),
    "complex": (Stroke("M0-12V12M-12 0H12M-8.5-8.5 8.5 8.5M-8.5 8.5 8.5-8.5", "line", 3),),
    "event-based": (
        Stroke(_ring(0, 0, 13.5), "line", 1),
        Stroke(_ring(0, 0, 10.8), "line", 1),
        Stroke("M0-6.8 6.5-2.1 4 5.5H-4L-6.5-2.1Z", "line", 1.2),
    ),
    "event-based-start": (
        Stroke(_ring(0, 0, 13), "line", 1),
        Stroke("M0-7.8 7.4-2.4 4.6 6.3H-4.6L-7.4-2.4Z", "line", 1.2),
    ),
    "event-based-parallel": (
        Stroke(_ring(0, 0, 13), "line", 1),
        Stroke("M-2.2-7.6H2.2V-2.2H7.6V2.2H2.2V7.6H-2.2V2.2H-7.6V-2.2H-2.2Z", "line", 1.2),
    ),
}


#: The types of tasks.
TASKS: Final[Mapping[str, Symbol]] = {
    "user": (
        Stroke("M-8 8V5.2C-8 2.6-5.6 1-3.2.3 0 2.4 0 2.4 3.2.3 5.6 1 8 2.6 8 5.2V8Z", width=1.2),
        Stroke(_ring(0, -4, 4), width=1.2),
        Stroke(
            "M-3.9-5.2C-2-3.6-.6-6.6 3.8-4.6 3.4-7 2-8 0-8-2.2-8-3.8-6.8-3.9-5.2Z", "filled", 0.8
        ),
    ),
    "manual": (
        Stroke(
            "M-8.4 1.6V-1.8C-8.4-3-7.6-4-6.4-4.6L-1.4-7C.2-7.6 1-5.6-.4-4.9L-2.6-3.6H7.2"
            "C8.8-3.6 8.8-1.2 7.2-1.2 8.9-1.2 8.9 1.2 7.2 1.2 8.5 1.2 8.5 3.5 6.8 3.5"
            " 7.9 3.5 7.7 5.8 6.2 5.8H-4.4C-7 5.8-8.4 4.4-8.4 1.6Z",
            width=1.2,
        ),
        Stroke("M1-1.2H7.2M1 1.2H7.2M1 3.5H6.8", "line", 1),
    ),
    "service": (
        Stroke(_gear(-2, -2, 7.2, 9), width=1.1),
        Stroke(_ring(-2, -2, 2.2), width=1.1),
        Stroke(_gear(4.2, 4.2, 5.4, 8), width=1.1),
        Stroke(_ring(4.2, 4.2, 1.6), width=1.1),
    ),
    "send": (
        Stroke("M-8.5-6H8.5V6H-8.5Z", "filled", 1.2),
        Stroke("M-8.7-6.1 0 .6 8.7-6.1", "knocked-out", 1.4),
    ),
    "receive": (
        Stroke("M-8.5-6H8.5V6H-8.5Z", width=1.2),
        Stroke("M-8.5-6 0 .6 8.5-6", "line", 1.2),
    ),
    "receive-start": (
        Stroke(_ring(0, 0, 9.5), width=1.2),
        Stroke("M-6-4.2H6V4.2H-6Z", width=1.1),
        Stroke("M-6-4.2 0 .5 6-4.2", "line", 1.1),
    ),
    "script": (
        Stroke(
            "M-3.4-8.2H7.4C2.6-4.4 3-3 5.2-.4 7 2 6.8 5 3.4 8.2"
            "H-7.4C-4 5-3.8 2-5.6-.4-7.8-3-8.2-4.4-3.4-8.2Z",
            width=1.2,
        ),
        Stroke("M-4-4.8H1.6M-4.4-1.6H2.2M-2.6 1.6H4M-2.8 4.8H3.2", "line", 1),
    ),
    "business-rule": (
        Stroke("M-8.5-6.8H8.5V6.8H-8.5Z", width=1.2),
        Stroke("M-8.5-6.8H8.5V-2.8H-8.5Z", "filled", 1),
        Stroke("M-8.5 2H8.5M-3.2-2.8V6.8", "line", 1),
    ),
}

#: What stands at the lower edge of an activity, in a square of 14.
MARKERS: Final[Mapping[str, Symbol]] = {
    "loop": (
        Stroke("M-1.8 5.6A5.6 5.6 0 1 1 2.2 5.4", "line"),
        Stroke("M-5.4 5.9H-1.5V1.9", "line"),
    ),
    "parallel": (Stroke("M-4.4-5.5V5.5M0-5.5V5.5M4.4-5.5V5.5", "line", 2),),
    "sequential": (Stroke("M-5.5-4.4H5.5M-5.5 0H5.5M-5.5 4.4H5.5", "line", 2),),
    "compensation": (Stroke("M-7 0-.4-5V5ZM-.4 0 6.2-5V5Z", width=1.2),),
    "collapsed": (Stroke("M-6.5-6.5H6.5V6.5H-6.5Z", width=1.2), Stroke("M0-4V4M-4 0H4", "line")),
    "ad-hoc": (
        Stroke(
            "M-6.8 2.4C-5.4-3.6-2.2-3.4 0-.6 2.2 2.2 5.2 2.4 6.8-2.6"
            " 5.2 4.4 2 4.2-.4 1.4-2.6-1.2-5.2-1.6-6.8 2.4Z",
            "filled",
            0.8,
        ),
    ),
    "collection": (Stroke("M-3.5-4.5V4.5M0-4.5V4.5M3.5-4.5V4.5", "line", 1.6),),
}

#: Beside a state's colour, so that it is never the colour alone that says it; in a square of 10.
STATES: Final[Mapping[str, Symbol]] = {
    "done": (Stroke("M-3.6.2-1 2.8 3.8-2.8", "knocked-out", 1.9),),
    "active": (Stroke("M-2.2-3.4V3.4L3.6 0Z", "knocked-out", 1.6),),
    "waiting": (Stroke("M0-3.6V.4L2.6 2.2", "knocked-out", 1.8),),
    "failed": (Stroke("M-2.8-2.8 2.8 2.8M2.8-2.8-2.8 2.8", "knocked-out", 1.9),),
    "skipped": (Stroke("M-3.6-2.8-.6 0-3.6 2.8M.8-2.8 3.8 0 .8 2.8", "knocked-out", 1.6),),
}
