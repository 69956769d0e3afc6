"""What a picture consists of, before anything is drawn: shapes and lines with their places.

A picture knows what to show and not how. All numbers are pixels; y grows downwards.
"""

from __future__ import annotations

from typing import Literal, NamedTuple

import msgspec

from ..layout import Bounds, Point

Form = Literal[
    "activity",
    "event",
    "gateway",
    "pool",
    "lane",
    "group",
    "annotation",
    "data",
    "data-store",
    "message",
    "conversation",
    "choreography",
    "band",
]

Border = Literal["single", "thick", "double", "dotted", "dashed"]

#: Where the name of what is open stands at its upper edge.
Heading = Literal["middle", "left", "right"]

#: Where an event stands, and so how many circles it has and which way its symbol is filled.
Position = Literal["start", "catch", "throw", "boundary", "end"]

Marker = Literal[
    "loop", "parallel", "sequential", "compensation", "collapsed", "ad-hoc", "collection"
]

End = Literal["none", "arrow", "open-arrow", "triangle", "circle", "diamond", "slash"]


class Colours(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """Colours that the author gave, as `#rrggbb`; empty where there is none."""

    fill: str = ""
    stroke: str = ""
    text: str = ""


PLAIN = Colours()


class Label(NamedTuple):
    """A text outside of its shape: its lines, and the room that they take up."""

    box: Bounds
    lines: tuple[str, ...]


class Shape(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """Something with bounds. `element` is the name of what it shows in the standard's model.

    `symbol` is what stands in it: the trigger of an event, the type of a task, what a gateway does.
    A `label` stands outside of the shape; the name of what has none is written in it.
    """

    id: str
    element: str
    form: Form
    bounds: Bounds
    name: str = ""
    documentation: str = ""
    label: Label | None = None
    symbol: str = ""
    markers: tuple[Marker, ...] = ()
    border: Border = "single"
    colours: Colours = PLAIN
    #: It belongs to a part of what is shown, and not to the whole.
    is_inner: bool = False
    #: Of events only.
    position: Position | None = None
    is_interrupting: bool = True
    #: An expanded sub-process, or a pool with something in it.
    is_open: bool = False
    #: A pool or lane that is read from top to bottom.
    is_upright: bool = False
    #: A band or message of the side that only answers, an input or output: drawn dark.
    is_shaded: bool = False
    #: The edge of the choreography that a band lies at.
    side: Literal["", "top", "middle", "bottom"] = ""
    #: A band whose message is shown beside it.
    has_message: bool = False
    #: How deeply it is nested among what is drawn open.
    depth: int = 0
    heading: Heading = "middle"
    #: What stands on its borders: no text runs into it.
    covered: tuple[Bounds, ...] = ()
    #: Of a choreography's activity: what its bands leave free, from top to foot.
    free: tuple[float, float] | None = None


class Line(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """Something between two shapes, from its first point to its last.

    `source` and `target` are the ids of the elements that it joins.
    """

    id: str
    element: str
    points: tuple[Point, ...]
    source: str = ""
    target: str = ""
    name: str = ""
    documentation: str = ""
    label: Label | None = None
    style: Literal["solid", "dashed", "dotted", "double"] = "solid"
    start: End = "none"
    end: End = "none"
    colours: Colours = PLAIN
    #: A message is shown on its middle: white of who begins, grey of who answers.
    envelope: Literal["", "initiating", "answering"] = ""


class Picture(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """One diagram; `element` is the id of the process, collaboration or sub-process it shows.

    `processes` are the ids of the processes in it. Shapes and lines are in order of the file;
    `bounds` hold all of it.
    """

    id: str = ""
    element: str = ""
    processes: tuple[str, ...] = ()
    title: str = ""
    documentation: str = ""
    bounds: Bounds
    shapes: tuple[Shape, ...] = ()
    lines: tuple[Line, ...] = ()
