"""The lines of a diagram: what each joins, how it is drawn, and the signs at its ends.

Source: BPMN 2.0.2, 7.4, Table 7.1.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Final

import msgspec

from ..bpmn.writing.tag import Tag
from .labels import given_label
from .model import BPMNDI, Model, bounds_of, colours_of, documentation_of, points_of
from .parts import End, Line, Shape
from .routes import docked

_GATEWAYS_AND_EVENTS: Final = ("Gateway", "Event")


def lines_of(plane: Tag, shapes: Mapping[str, Shape], model: Model) -> Iterator[Line]:
    """The lines of a plane that have two points at least; `shapes` are those of its elements."""
    for edge in plane.each(BPMNDI + "BPMNEdge"):
        tag = model.find(edge.attributes.get("bpmnElement", ""))
        line = None if tag is None else _line(edge, tag, shapes, model)
        if line is not None:
            yield line


def _line(edge: Tag, tag: Tag, shapes: Mapping[str, Shape], model: Model) -> Line | None:
    source, target = _ends(tag, model)
    points = docked(points_of(edge), shapes.get(source), shapes.get(target))
    if len(points) < 2:
        return None
    line = Line(
        id=tag.id,
        element=tag.name,
        points=points,
        source=source,
        target=target,
        name=tag.attributes.get("name", ""),
        documentation=documentation_of(tag),
        colours=colours_of(edge),
    )
    match tag.name:
        case "sequenceFlow":
            start = _beginning(tag, source, model)
            line = msgspec.structs.replace(line, start=start, end="arrow")
        case "messageFlow":
            line = msgspec.structs.replace(
                line,
                style="dashed",
                start="circle",
                end="triangle",
                envelope=_ENVELOPES.get(edge.attributes.get("messageVisibleKind", ""), ""),
            )
        case "association":
            direction = tag.attributes.get("associationDirection", "None")
            line = msgspec.structs.replace(
                line,
                style="dotted",
                start="open-arrow" if direction == "Both" else "none",
                end="none" if direction == "None" else "open-arrow",
            )
        case "dataInputAssociation" | "dataOutputAssociation":
            line = msgspec.structs.replace(line, style="dotted", end="open-arrow")
        case "conversationLink":
            line = msgspec.structs.replace(line, style="double")
        case _:
            return None
    given = bounds_of(edge.child(BPMNDI + "BPMNLabel"))
    return line if given is None else msgspec.structs.replace(line, label=given_label(line, given))


_ENVELOPES: Final = {"initiating": "initiating", "non_initiating": "answering"}


def _ends(tag: Tag, model: Model) -> tuple[str, str]:
    """The ids of what a line joins. Data associations say it in elements, or leave one end out."""
    ends: list[str] = []
    for name in ("sourceRef", "targetRef"):
        child = tag.child(name)
        said = tag.attributes.get(name, "") or ("" if child is None else child.text)
        found = model.find(said)
        ends.append("" if found is None else found.id)
    if tag.name.startswith("data"):
        # The end at the activity is a property or an input of it, which has no shape.
        holder = model.holder(tag)
        at = 1 if tag.name == "dataInputAssociation" else 0
        ends[at] = "" if holder is None else holder.id
    return ends[0], ends[1]


def _beginning(flow: Tag, source: str, model: Model) -> End:
    """The sign at the beginning of a sequence flow; a gateway's conditions need none."""
    origin = model.find(source)
    if origin is None:
        return "none"
    if flow.id and origin.attributes.get("default", "").rpartition(":")[2] == flow.id:
        return "slash"
    is_activity = not origin.name.endswith(_GATEWAYS_AND_EVENTS)
    return "diamond" if is_activity and flow.child("conditionExpression") is not None else "none"
