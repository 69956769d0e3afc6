"""The diagram of a BPMN file, whoever drew it, as a sketch and the places of everything in it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, Final, Literal

from lxml import etree

from diglot.compiler.layout import Bounds, Item, Lane, Layout, Link, Point, Pool, Size, Sketch

_BPMN: Final = "{http://www.omg.org/spec/BPMN/20100524/MODEL}"
_BPMNDI: Final = "{http://www.omg.org/spec/BPMN/20100524/DI}"
_DC: Final = "{http://www.omg.org/spec/DD/20100524/DC}"
_DI: Final = "{http://www.omg.org/spec/DD/20100524/DI}"

Kind = Literal["event", "boundary", "activity", "gateway", "container", "data", "annotation"]
_DATA: Final = frozenset(
    {"dataObjectReference", "dataStoreReference", "dataObject", "dataInput", "dataOutput"}
)
_LINKS: Final[Mapping[str, Literal["sequence", "message", "association"]]] = {
    "sequenceFlow": "sequence",
    "messageFlow": "message",
    "association": "association",
    "dataInputAssociation": "association",
    "dataOutputAssociation": "association",
}

#: An element of a library without types.
Node = Any


def drawn(data: bytes) -> tuple[Sketch, Layout]:
    """The first plane of a file: what it shows, and where."""
    root = etree.fromstring(data, etree.XMLParser(resolve_entities=False, no_network=True))
    by_id: dict[str, Node] = {
        str(node.get("id")): node for node in root.iter("*") if node.get("id")
    }
    plane = root.find(f"{_BPMNDI}BPMNDiagram/{_BPMNDI}BPMNPlane")
    reading = _Reading(by_id, [] if plane is None else list(plane))
    sketch = Sketch(
        items=tuple(reading.items()),
        links=tuple(reading.links()),
        pools=tuple(reading.pools()),
        lanes=tuple(reading.lanes()),
    )
    return sketch, reading.layout()


class _Reading:
    """One plane; what has no element, or one that is no part of a sketch, is left out."""

    def __init__(self, by_id: Mapping[str, Node], shapes: list[Node]) -> None:
        self._pool_of = {
            _local(node.get("processRef", "")): id
            for id, node in by_id.items()
            if _name(node) == "participant" and node.get("processRef")
        }
        self._lane_of = {
            (reference.text or "").strip(): id
            for id, node in by_id.items()
            if _name(node) == "lane"
            for reference in node.findall(f"{_BPMN}flowNodeRef")
        }
        self._shapes: dict[str, Node] = {}
        self._edges: dict[str, Node] = {}
        self._nodes: dict[str, Node] = {}
        for shape in shapes:
            node = by_id.get(_local(shape.get("bpmnElement", "")))
            if node is not None:
                into = self._shapes if shape.tag == f"{_BPMNDI}BPMNShape" else self._edges
                into.setdefault(node.get("id"), shape)
                self._nodes[node.get("id")] = node

    def items(self) -> Iterator[Item]:
        """Flow nodes, data and annotations."""
        for id, shape in self._shapes.items():
            node = self._nodes[id]
            kind = self._kind(node, shape)
            if kind is not None:
                bounds = _bounds(shape)
                host = _local(node.get("attachedToRef", "")) if kind == "boundary" else ""
                yield Item(
                    id=id,
                    kind=kind,
                    size=Size(bounds.width, bounds.height),
                    parent=self._parent(node),
                    lane=self._lane_of.get(id, ""),
                    host=host,
                    label=_label_size(shape),
                )

    def links(self) -> Iterator[Link]:
        """Lines with both their ends in the picture."""
        for id, edge in self._edges.items():
            node = self._nodes[id]
            source, target = _ends(node)
            kind = _LINKS.get(_name(node))
            known = self._shapes.keys() | self._edges.keys()
            if kind is not None and source in known and target in known:
                label = _label_size(edge)
                yield Link(id=id, source=source, target=target, kind=kind, label=label)

    def pools(self) -> Iterator[Pool]:
        """Participants."""
        for id in self._shapes:
            if _name(self._nodes[id]) == "participant":
                yield Pool(id=id)

    def lanes(self) -> Iterator[Lane]:
        """Lanes, each in its pool and its lane."""
        for id in self._shapes:
            node = self._nodes[id]
            if _name(node) == "lane":
                outer = node.getparent().getparent()
                parent = outer.get("id") if _name(outer) == "lane" else ""
                yield Lane(id=id, pool=self._pool(node), parent=parent)

    def layout(self) -> Layout:
        """Where everything lies."""
        both = (*self._shapes.items(), *self._edges.items())
        labels = ((id, shape.find(f"{_BPMNDI}BPMNLabel/{_DC}Bounds")) for id, shape in both)
        return Layout(
            bounds={id: _bounds(shape) for id, shape in self._shapes.items()},
            routes={id: _route(edge) for id, edge in self._edges.items()},
            labels={id: _as_bounds(label) for id, label in labels if label is not None},
        )

    def _kind(self, node: Node, shape: Node) -> Kind | None:
        name = _name(node)
        if name == "boundaryEvent":
            return "boundary"
        if name.endswith("Event"):
            return "event"
        if name.endswith("Gateway"):
            return "gateway"
        if name in ("subProcess", "adHocSubProcess", "transaction"):
            is_open = shape.get("isExpanded") == "true"
            return "container" if is_open else "activity"
        if name.endswith("Task") or name in ("task", "callActivity"):
            return "activity"
        if name == "textAnnotation":
            return "annotation"
        return "data" if name in _DATA else None

    def _parent(self, node: Node) -> str:
        for outer in node.iterancestors():
            id = outer.get("id", "")
            if id in self._shapes and _name(outer) != "lane":
                return id
            if id in self._pool_of:
                return self._pool_of[id] if self._pool_of[id] in self._shapes else ""
        return ""

    def _pool(self, node: Node) -> str:
        found = (self._pool_of.get(outer.get("id", "")) for outer in node.iterancestors())
        return next((pool for pool in found if pool), "")


def _ends(node: Node) -> tuple[str, str]:
    """Source and target of a line; of a data association, the activity that it belongs to."""
    found = [node.get("sourceRef"), node.get("targetRef")]
    for number, name in enumerate(("sourceRef", "targetRef")):
        if found[number] is None:
            child = node.find(f"{_BPMN}{name}")
            found[number] = None if child is None else child.text
    if _name(node).startswith("data"):
        owner = node.getparent().get("id")
        found[1 if _name(node) == "dataInputAssociation" else 0] = owner
    source, target = (_local((one or "").strip()) for one in found)
    return source, target


def _bounds(shape: Node) -> Bounds:
    return _as_bounds(shape.find(f"{_DC}Bounds"))


def _as_bounds(node: Node) -> Bounds:
    x, y, width, height = (float(node.get(name)) for name in ("x", "y", "width", "height"))
    return Bounds(x, y, width, height)


def _route(edge: Node) -> tuple[Point, ...]:
    found = edge.findall(f"{_DI}waypoint")
    return tuple(Point(float(one.get("x")), float(one.get("y"))) for one in found)


def _label_size(shape: Node) -> Size | None:
    label = shape.find(f"{_BPMNDI}BPMNLabel/{_DC}Bounds")
    return None if label is None else Size(float(label.get("width")), float(label.get("height")))


def _name(node: Node) -> str:
    return str(node.tag).removeprefix(_BPMN)


def _local(reference: str) -> str:
    return reference.rpartition(":")[2]
