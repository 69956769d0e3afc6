"""A plane as a sketch: how much room everything on it needs.

Sizes are those of bpmn.io, which readers of the field know.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Mapping
from typing import Final

from ...layout import Item, Lane, Link, Pool, Size, Sketch
from ...layout.measure import LINE_HEIGHT, label_size, text_width, wrap
from .scenes import CONVERSATIONS, Figure, Line, LineKind, Scene
from .tag import Tag

EVENT: Final = Size(36, 36)
TASK: Final = Size(100, 80)
GATEWAY: Final = Size(50, 50)
CONTAINER: Final = Size(140, 120)
DATA: Final = Size(36, 50)
STORE: Final = Size(50, 50)
GROUP: Final = Size(300, 200)
CHOREOGRAPHY: Final = Size(120, 100)
#: The room of the text of a note, and what stands around it.
_NOTE_WIDTH: Final = 180.0
_NOTE_LEAST: Final = Size(100, 30)
_NOTE_MARGIN: Final = 10
_NOTE_LINES: Final = 20
_FONT: Final = 12.0
_GRID: Final = 10


def sketch_of(scene: Scene, lines: list[Line], present: Collection[str]) -> Sketch:
    """The sketch of what is `present` of a scene, with its lines."""
    pools = tuple(Pool(id=one.id, label=_label(one)) for one in scene.pools if one.id in present)
    lanes = tuple(
        Lane(id=one.tag.id, pool=one.pool, parent=one.parent if one.parent in present else "")
        for one in scene.lanes
        if one.tag.id in present
    )
    items = tuple(_item(one, present) for one in scene.figures if one.tag.id in present)
    parents = {one.tag.id: one.parent for one in scene.figures}
    links = tuple(
        Link(id=one.tag.id, source=one.source, target=one.target, kind=_kind(one, parents),
             label=_label(one.tag))
        for one in lines
    )  # fmt: skip
    return Sketch(items=items, links=links, pools=pools, lanes=lanes)


def _kind(line: Line, parents: Mapping[str, str]) -> LineKind:
    """What a line is for the layout: a flow that breaks the rules of its kind ties nothing."""
    is_inside = parents.get(line.source) == parents.get(line.target)
    return "association" if line.kind == "sequence" and not is_inside else line.kind


def _item(figure: Figure, present: Collection[str]) -> Item:
    tag = figure.tag
    return Item(
        id=tag.id,
        kind=figure.kind,
        size=_size(figure),
        parent=figure.parent if figure.parent in present else "",
        lane=figure.lane if figure.lane in present else "",
        host=figure.host if figure.host in present else "",
        label=_label(tag) if _has_label_outside(figure) else None,
    )


def _has_label_outside(figure: Figure) -> bool:
    return figure.kind in ("event", "boundary", "gateway", "data")


def _label(tag: Tag) -> Size | None:
    name = name_of(tag)
    return label_size(name) if name else None


def name_of(tag: Tag) -> str:
    """What a label says: a name, and the state of data below it."""
    name = tag.attributes.get("name", "").strip()
    state = tag.child("dataState")
    said = "" if state is None else state.attributes.get("name", "").strip("[] ")
    return f"{name}\n[{said}]".strip() if said and f"[{said}]" not in name else name


def _size(figure: Figure) -> Size:
    name = figure.tag.name
    if name in CONVERSATIONS or figure.kind == "gateway":
        return GATEWAY
    match figure.kind:
        case "event" | "boundary":
            return EVENT
        case "container":
            return CONTAINER
        case "data":
            return STORE if name == "dataStoreReference" else DATA
        case "annotation":
            return GROUP if name == "group" else _note(figure.tag)
        case _:
            return CHOREOGRAPHY if "horeography" in name else TASK


def _note(tag: Tag) -> Size:
    text = tag.child("text")
    lines = wrap("" if text is None else text.text, _NOTE_WIDTH, size=_FONT, most=_NOTE_LINES)
    widest = max((text_width(line, size=_FONT) for line in lines), default=0.0)
    height = len(lines) * _FONT * LINE_HEIGHT
    return Size(
        max(_NOTE_LEAST.width, _on_grid(widest + 2 * _NOTE_MARGIN)),
        max(_NOTE_LEAST.height, _on_grid(height + _NOTE_MARGIN)),
    )


def _on_grid(length: float) -> int:
    return math.ceil(length / _GRID) * _GRID
