"""What is to be laid out, and where everything came to lie.

A sketch knows sizes and no places. All numbers are pixels; y grows downwards.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Literal, NamedTuple

import msgspec


class Point(NamedTuple):
    """A place."""

    x: float
    y: float


class Size(NamedTuple):
    """How much room something needs."""

    width: float
    height: float


class Bounds(NamedTuple):
    """The rectangle that something takes up."""

    x: float
    y: float
    width: float
    height: float


class Item(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """Something with a shape.

    `parent` is the container that it is drawn inside, or the pool; empty at the top. A `boundary`
    event lies on the border of its `host`; an `annotation` and `data` lie near theirs, where they
    have one. Of a `container` (an expanded sub-process) the size is the least that it has.
    `label` is the room of a text that stands outside the shape.
    """

    id: str
    kind: Literal["event", "boundary", "activity", "gateway", "container", "data", "annotation"]
    size: Size
    parent: str = ""
    lane: str = ""
    host: str = ""
    label: Size | None = None


class Link(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A line between two items, pools or (of an association) lines.

    `sequence` flows stay in one pool, and order what they join from left to right. A `message`
    flow goes from one pool to another.
    """

    id: str
    source: str
    target: str
    kind: Literal["sequence", "message", "association"] = "sequence"
    label: Size | None = None


class Lane(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A band of a pool, from top to bottom in order; `parent` is the lane that it is a part of."""

    id: str
    pool: str
    parent: str = ""


class Pool(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A participant; one without items is drawn as a closed band."""

    id: str
    #: The room of its name, which stands upright at its left.
    label: Size | None = None


class Sketch(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """One diagram before it has places; everything in order of the document.

    A lane set outside of any pool has the empty pool.
    """

    items: tuple[Item, ...] = ()
    links: tuple[Link, ...] = ()
    pools: tuple[Pool, ...] = ()
    lanes: tuple[Lane, ...] = ()


_NO_BOUNDS: Mapping[str, Bounds] = MappingProxyType({})
_NO_ROUTES: Mapping[str, tuple[Point, ...]] = MappingProxyType({})


class Layout(msgspec.Struct, frozen=True, kw_only=True):
    """Where everything lies: items, pools and lanes, the bends of lines, texts outside of shapes.

    A route has its two ends and the bends between them; the ends lie on the borders of the shapes.
    """

    bounds: Mapping[str, Bounds] = _NO_BOUNDS
    routes: Mapping[str, tuple[Point, ...]] = _NO_ROUTES
    labels: Mapping[str, Bounds] = _NO_BOUNDS
