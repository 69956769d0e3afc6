"""The diagrams of a written file as pictures: everything that has a place, and what it is.

What a diagram refers to and the file has not is not drawn; nor is what has no bounds.

Source: BPMN 2.0.2, 12.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

import msgspec

from ..bpmn.writing.tag import Tag
from ..layout import Bounds
from .flows import lines_of
from .labels import given_label, labels_outside
from .looks import look_of, name_of
from .model import BPMNDI, Model, bounds_of, colours_of, documentation_of
from .parts import Picture, Shape
from .places import placed
from .routes import around
from .surroundings import extent, surrounded

#: Around everything that is drawn.
_MARGIN: Final = 20.0

_WHOLES: Final = ("process", "collaboration", "choreography", "globalConversation", "definitions")


def pictures_of(root: Tag) -> tuple[Picture, ...]:
    """The pictures of a `definitions` element, one a plane, in order of the file."""
    model = Model(root)
    return tuple(
        _picture(diagram, plane, model)
        for diagram in root.each(BPMNDI + "BPMNDiagram")
        for plane in diagram.each(BPMNDI + "BPMNPlane")
    )


def _picture(diagram: Tag, plane: Tag, model: Model) -> Picture:
    shown = model.find(plane.attributes.get("bpmnElement", ""))
    found = surrounded(tuple(_shapes(plane, shown, model)), model)
    by_element = {shape.id: shape for shape in reversed(found)}
    shapes, lines = placed(found, tuple(lines_of(plane, by_element, model)))
    boxes = [extent(shape) for shape in shapes]
    labels = [*(shape.label for shape in shapes), *(line.label for line in lines)]
    boxes += [label.box for label in labels if label is not None]
    whole = around(boxes, [at for line in lines for at in line.points])
    x, y, width, height = whole
    return Picture(
        id=diagram.id,
        element="" if shown is None else shown.id,
        processes=tuple(_processes(shown, shapes, model)),
        title=_title(diagram, shown, shapes),
        documentation="" if shown is None else documentation_of(shown),
        bounds=Bounds(x - _MARGIN, y - _MARGIN, width + 2 * _MARGIN, height + 2 * _MARGIN),
        shapes=shapes,
        lines=lines,
    )


def _processes(shown: Tag | None, shapes: tuple[Shape, ...], model: Model) -> Iterator[str]:
    """The processes that a diagram shows: the one that it is of, and those of its pools."""
    while shown is not None:
        if shown.name == "process":
            yield shown.id
        shown = model.holder(shown)
    for shape in shapes:
        pool = model.find(shape.id) if shape.form == "pool" else None
        process = None if pool is None else model.find(pool.attributes.get("processRef", ""))
        if process is not None:
            yield process.id


def _title(diagram: Tag, shown: Tag | None, shapes: tuple[Shape, ...]) -> str:
    """What a diagram is called: by itself, by what it shows, or by its pools."""
    own = "" if shown is None else shown.attributes.get("name", "")
    pools = [shape.name for shape in shapes if shape.form == "pool" and shape.name]
    return (
        own
        or diagram.attributes.get("name", "")
        or ", ".join(pools[:4])
        or ("" if shown is None else shown.id)
    )


# -- shapes


def _shapes(plane: Tag, shown: Tag | None, model: Model) -> Iterator[Shape]:
    drawn = [
        (shape, tag)
        for shape in plane.each(BPMNDI + "BPMNShape")
        if (tag := model.find(shape.attributes.get("bpmnElement", ""))) is not None
    ]
    filled = {id(model.holder(tag)) for _, tag in drawn}
    for shape, tag in drawn:
        bounds = bounds_of(shape)
        look = look_of(tag, shape, model, has_content=id(tag) in filled)
        if bounds is None or look is None:
            continue
        made = Shape(
            id=tag.id,
            element=tag.name,
            bounds=bounds,
            name=name_of(tag, model),
            documentation=documentation_of(tag),
            colours=colours_of(shape),
            depth=_depth(tag, model),
            is_inner=_is_inner(tag, shown, model),
            **look,
        )
        given = bounds_of(shape.child(BPMNDI + "BPMNLabel"))
        if given is not None and labels_outside(made):
            made = msgspec.structs.replace(made, label=given_label(made, given))
        yield made


def _is_inner(tag: Tag, shown: Tag | None, model: Model) -> bool:
    holder = model.holder(tag)
    return holder is not None and holder is not shown and holder.name not in _WHOLES


def _depth(tag: Tag, model: Model) -> int:
    depth, holder = 0, model.holder(tag)
    while holder is not None:
        depth, holder = depth + 1, model.holder(holder)
    return depth
