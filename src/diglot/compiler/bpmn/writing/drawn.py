"""The diagrams that a file has already: what they draw, and what is wrong with them.

A shape stays as it is. What draws nothing, or something twice, is left out; what has no place is
given one with what is not drawn at all.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Final

from ... import codes
from ...layout import Bounds, Point
from ..document import BPMNDI, DC, DI
from ..rules.kinds import COLLABORATIONS, SUB_PROCESSES
from .alterations import Alterations
from .scenes import CONTAINERS, Model
from .tag import Tag

DIAGRAM: Final = f"{{{BPMNDI}}}BPMNDiagram"
PLANE: Final = f"{{{BPMNDI}}}BPMNPlane"
SHAPE: Final = f"{{{BPMNDI}}}BPMNShape"
EDGE: Final = f"{{{BPMNDI}}}BPMNEdge"
LABEL: Final = f"{{{BPMNDI}}}BPMNLabel"
STYLE: Final = f"{{{BPMNDI}}}BPMNLabelStyle"
BOUNDS: Final = f"{{{DC}}}Bounds"
WAYPOINT: Final = f"{{{DI}}}waypoint"
#: What a shape or an edge refers to besides the element that it draws.
_REFERENCES: Final = ("choreographyActivityShape", "sourceElement", "targetElement", "labelStyle")
#: The numbers of a place.
_NUMBERS: Final = {BOUNDS: ("x", "y", "width", "height"), WAYPOINT: ("x", "y")}
_NO_PLACE: Final = "it has no place"


@dataclass(slots=True)
class Plane:
    """The plane of an element, with the shapes and edges on it by the ids of what they draw."""

    tag: Tag
    element: Tag
    shapes: dict[str, Tag] = field(default_factory=dict[str, Tag])
    edges: dict[str, Tag] = field(default_factory=dict[str, Tag])
    #: What had no place when the file was read.
    without_place: list[Tag] = field(default_factory=list[Tag])


def drawn_planes(root: Tag, model: Model, alterations: Alterations) -> list[Plane]:
    """The planes of a file, mended."""
    planes: list[Plane] = []
    dropped: dict[int, str] = {}
    for diagram in root.each(DIAGRAM):
        tag = diagram.child(PLANE)
        if tag is None:
            dropped[id(diagram)] = "it has no plane"
            continue
        found = _shapes_and_edges(tag, model, alterations)
        element = _element(model, tag, found)
        if element is None:
            dropped[id(diagram)] = "nothing of the model stands on it"
            continue
        if model.find(tag.attributes.get("bpmnElement", "")) is not element:
            _correct(tag, f"it is the plane of `{element.id}`", alterations)
        tag.attributes["bpmnElement"] = element.id
        shapes = {id: one for id, one in found.items() if one.name == SHAPE}
        edges = {id: one for id, one in found.items() if one.name == EDGE}
        _open(shapes, model, alterations)
        without = [*(one for one in shapes.values() if bounds_of(one) is None),
                   *(one for one in edges.values() if not points_of(one))]  # fmt: skip
        planes.append(Plane(tag, element, shapes, edges, without))
    _drop(root, dropped, alterations)
    return planes


def _shapes_and_edges(plane: Tag, model: Model, alterations: Alterations) -> dict[str, Tag]:
    found: dict[str, Tag] = {}
    dropped: dict[int, str] = {}
    for child in plane.each(SHAPE, EDGE):
        _leave_out_half_places(child, alterations)
        drawn = model.find(child.attributes.get("bpmnElement", ""))
        is_band = "choreographyActivityShape" in child.attributes
        if drawn is None or not drawn.id:
            dropped[id(child)] = "it draws nothing of the model"
        elif is_band and bounds_of(child) is None:
            dropped[id(child)] = _NO_PLACE
        elif not is_band and drawn.id in found:
            dropped[id(child)] = f"`{drawn.id}` is drawn already"
        else:
            child.attributes["bpmnElement"] = drawn.id
            # A participant may have a band on many activities.
            if not is_band:
                found[drawn.id] = child
    _drop(plane, dropped, alterations)
    return found


def _open(shapes: Mapping[str, Tag], model: Model, alterations: Alterations) -> None:
    """Let sub-processes say that they are open where what is in them is drawn inside.

    Readers of the field take one that says nothing for a closed one, and move its content away.
    """
    for id, shape in shapes.items():
        tag = model.by_id[id]
        if tag.name in SUB_PROCESSES and not shape.attributes.get("isExpanded", "").strip():
            frame = bounds_of(shape)
            inside = [bounds_of(shapes[one.id]) for one in tag.children if one.id in shapes]
            if frame is not None and inside and all(one and _holds(frame, one) for one in inside):
                shape.attributes["isExpanded"] = "true"
                _correct(shape, "it is open", alterations)


def _holds(frame: Bounds, inner: Bounds) -> bool:
    x, y = inner.x + inner.width / 2, inner.y + inner.height / 2
    return frame.x < x < frame.x + frame.width and frame.y < y < frame.y + frame.height


def _drop(owner: Tag, dropped: Mapping[int, str], alterations: Alterations) -> None:
    """Leave children out, by their identities, with the reasons."""
    kept: list[Tag] = []
    for tag in owner.children:
        reason = dropped.get(id(tag))
        if reason is None:
            kept.append(tag)
        else:
            pointer, name = _named(tag)
            alterations.tell(codes.DRAWING_LEFT_OUT, pointer, shape=name, reason=reason)
    owner.children = kept


def _correct(tag: Tag, reason: str, alterations: Alterations) -> None:
    pointer, name = _named(tag)
    alterations.tell(codes.DRAWING_CORRECTED, pointer, shape=name, reason=reason)


def _named(tag: Tag) -> tuple[str, str]:
    """The id of something drawn, or of what it draws; and how it is called in a message."""
    pointer = tag.id or tag.attributes.get("bpmnElement", "").rpartition(":")[2].strip()
    return pointer, pointer or tag.name.rpartition("}")[2]


def _leave_out_half_places(drawn: Tag, alterations: Alterations) -> None:
    """Take away bounds and bends that lack a number."""
    for tag in (drawn, *drawn.each(LABEL)):
        whole = [one for one in tag.children if _is_whole(one)]
        if len(whole) != len(tag.children):
            tag.children = whole
            _correct(drawn, "not all of its places are numbers", alterations)


def _is_whole(tag: Tag) -> bool:
    wanted = _NUMBERS.get(tag.name, ())
    return all(_number(tag.attributes.get(name)) is not None for name in wanted)


def _element(model: Model, plane: Tag, found: dict[str, Tag]) -> Tag | None:
    """What a plane is of; where it says nothing sensible, what holds most of what is drawn."""
    element = model.find(plane.attributes.get("bpmnElement", ""))
    if element is not None and element.name in COLLABORATIONS:
        return element
    # Pools stand on the plane of their collaboration alone.
    has_pools = any(model.by_id[id].name == "participant" for id in found)
    if element is not None and element.name in CONTAINERS and not has_pools:
        return element
    holders: Counter[str] = Counter()
    for id in found:
        for around in model.above(model.by_id[id]):
            if around.name in COLLABORATIONS or around.name == "process":
                holders[around.id] += 1
                if around.name in COLLABORATIONS:
                    return around
    return model.by_id[holders.most_common(1)[0][0]] if holders else None


def settle(root: Tag, planes: Iterable[Plane], alterations: Alterations) -> None:
    """Leave out what still has no place, and what refers to it: nobody can draw that."""
    for plane in planes:
        dropped: dict[int, str] = {}
        for tag in plane.without_place:
            if bounds_of(tag) is not None or points_of(tag):
                _correct(tag, "it had no place", alterations)
            else:
                is_shape = tag.name == SHAPE
                dropped[id(tag)] = _NO_PLACE if is_shape else "its ends are not drawn there"
        _drop(plane.tag, dropped, alterations)
    _untie(root, alterations)


def _untie(root: Tag, alterations: Alterations) -> None:
    """Leave out references between shapes that lead nowhere, now that some are gone."""
    diagrams = list(root.each(DIAGRAM))
    ids = {tag.id for tag in root.walk() if tag.id}
    for diagram in diagrams:
        for tag in diagram.walk():
            for name in _REFERENCES:
                if name in tag.attributes:
                    value = tag.attributes[name].strip()
                    local = value.rpartition(":")[2]
                    if value in ids or local in ids:
                        tag.attributes[name] = value if value in ids else local
                    else:
                        del tag.attributes[name]
                        _correct(tag, f"its `{name}` names nothing", alterations)


def bounds_of(shape: Tag) -> Bounds | None:
    """Where a shape or a label is; None where it does not say so."""
    for child in shape.each(BOUNDS):
        numbers = [_number(child.attributes.get(name)) for name in ("x", "y", "width", "height")]
        x, y, width, height = numbers
        if x is not None and y is not None and width and height and width > 0 and height > 0:
            return Bounds(x, y, width, height)
    return None


def points_of(edge: Tag) -> tuple[Point, ...]:
    """The ends and bends of an edge; none where there are less than two."""
    points = [
        Point(x, y)
        for child in edge.each(WAYPOINT)
        if (x := _number(child.attributes.get("x"))) is not None
        and (y := _number(child.attributes.get("y"))) is not None
    ]
    return tuple(points) if len(points) > 1 else ()


def _number(text: str | None) -> float | None:
    try:
        number = float(text or "")
    except ValueError:
        return None
    return number if abs(number) < 1e7 else None


def labels_of(tags: dict[str, Tag]) -> Iterator[tuple[str, Bounds]]:
    """The places of the labels of shapes or edges."""
    for id, tag in tags.items():
        label = tag.child(LABEL)
        bounds = None if label is None else bounds_of(label)
        if bounds is not None:
            yield id, bounds
