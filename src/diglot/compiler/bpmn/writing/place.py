"""A layout as shapes and edges of a plane.

Source: BPMN 2.0.2, 12.2, 12.3.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from ...layout import Bounds, Layout, Point
from ..laying import free_name
from ..rules.kinds import CHOREOGRAPHY_ACTIVITIES
from .drawn import BOUNDS, EDGE, LABEL, SHAPE, WAYPOINT, Plane, bounds_of
from .scenes import CONTAINERS, Figure, Line, Scene
from .tag import Tag

#: How high the band of a participant in a choreography task is.
_BAND: Final = 20.0
#: What stands around the members of a group.
_MARGIN: Final = 20.0


def place(
    plane: Plane,
    scene: Scene,
    layout: Layout,
    new: set[str],
    lines: Iterable[Line],
    ids: set[str],
) -> None:
    """Write what is `new` on a plane, and these lines, into its tag."""
    placing = _Placing(plane, layout, ids)
    for pool in scene.pools:
        if pool.id in new:
            placing.shape(pool, {"isHorizontal": "true"})
    for lane in scene.lanes:
        if lane.tag.id in new:
            placing.shape(lane.tag, {"isHorizontal": "true"})
    for figure in scene.figures:
        if figure.tag.id in new:
            placing.shape(figure.tag, _flags(figure))
            if figure.tag.name in CHOREOGRAPHY_ACTIVITIES:
                placing.bands(figure.tag)
    for line in lines:
        placing.edge(line.tag)


def _flags(figure: Figure) -> dict[str, str]:
    name = figure.tag.name
    if name == "exclusiveGateway":
        return {"isMarkerVisible": "true"}
    if name in CONTAINERS:
        return {"isExpanded": "true" if figure.kind == "container" else "false"}
    return {}


class _Placing:
    """One plane while shapes and edges are added."""

    def __init__(self, plane: Plane, layout: Layout, ids: set[str]) -> None:
        self._plane = plane
        self._layout = layout
        self._ids = ids

    def shape(self, element: Tag, flags: dict[str, str]) -> None:
        """Give an element its shape, or the shape that it has its place."""
        bounds = self._layout.bounds.get(element.id)
        if bounds is None:
            return
        shape = self._plane.shapes.get(element.id)
        if shape is None:
            shape = Tag(SHAPE, {"id": self._id(element), "bpmnElement": element.id, **flags})
            self._plane.tag.children.append(shape)
            self._plane.shapes[element.id] = shape
        _put(shape, bounds)
        self._label(shape, element)

    def edge(self, element: Tag) -> None:
        """Give a line its edge, or the edge that it has its way."""
        route = self._layout.routes.get(element.id, ())
        if len(route) < 2:
            return
        edge = self._plane.edges.get(element.id)
        if edge is None:
            edge = Tag(EDGE, {"id": self._id(element), "bpmnElement": element.id})
            self._plane.tag.children.append(edge)
            self._plane.edges[element.id] = edge
        edge.children = [child for child in edge.children if child.name != WAYPOINT]
        first = sum(1 for child in edge.children if child.name != LABEL)
        edge.children[first:first] = [Tag(WAYPOINT, _point(point)) for point in route]
        self._label(edge, element)

    def bands(self, task: Tag) -> None:
        """The participants of a choreography's activity, at its head and its foot."""
        shape = self._plane.shapes.get(task.id)
        bounds = None if shape is None else bounds_of(shape)
        if shape is None or bounds is None:
            return
        first = task.attributes.get("initiatingParticipantRef", "").strip()
        names = [one.text.strip() for one in task.each("participantRef")]
        for index, name in enumerate(names[:2]):
            place = "bottom" if index else "top"
            kind = "initiating" if name == first else "non_initiating"
            band = Tag(
                SHAPE,
                {
                    "id": self._free(f"{task.id}_{place}_di"),
                    "bpmnElement": name,
                    "isMessageVisible": "false",
                    "participantBandKind": f"{place}_{kind}",
                    "choreographyActivityShape": shape.id,
                },
            )
            y = bounds.y + bounds.height - _BAND if index else bounds.y
            _put(band, Bounds(bounds.x, y, bounds.width, _BAND))
            self._plane.tag.children.append(band)

    def _label(self, drawn: Tag, element: Tag) -> None:
        bounds = self._layout.labels.get(element.id)
        label = drawn.child(LABEL)
        if bounds is None or (label is not None and bounds_of(label) is not None):
            return
        if label is None:
            label = drawn.add(LABEL)
        _put(label, bounds)

    def _id(self, element: Tag) -> str:
        return self._free(f"{element.id}_di")

    def _free(self, id: str) -> str:
        new = free_name(id, self._ids, "_")
        self._ids.add(new)
        return new


def _put(shape: Tag, bounds: Bounds) -> None:
    """Write the place of a shape or a label, before its own label and behind its extension."""
    made = Tag(
        BOUNDS,
        {name: _text(value) for name, value in zip(Bounds._fields, bounds, strict=True)},
    )
    rest = [child for child in shape.children if child.name != BOUNDS]
    first = sum(1 for child in rest if child.name != LABEL)
    shape.children = [*rest[:first], made, *rest[first:]]


def _point(point: Point) -> dict[str, str]:
    return {"x": _text(point.x), "y": _text(point.y)}


def _text(number: float) -> str:
    rounded = round(number, 2)
    return str(int(rounded)) if rounded == int(rounded) else str(rounded)
