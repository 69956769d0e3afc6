"""What a file says besides what runs: kept beside the graph, so that it can be written again.

`foreign_of` is the whole file but its diagrams, as plain data; `presentation_of` is the diagrams.
Nothing that an element says is lost between them.
"""

from __future__ import annotations

from typing import Any, Final

from .document import BPMN, BPMNDI, DC, DI, Document, Element

#: Attributes of shapes and edges that are kept by these names.
_FLAGS: Final = ("isExpanded", "isHorizontal", "isMarkerVisible", "isMessageVisible")
_TEXTS: Final = ("messageVisibleKind", "choreographyActivityShape", "participantBandKind")


def foreign_of(document: Document) -> dict[str, Any]:
    """The file as a tree: `[name, attributes, children, text]`, diagrams left out.

    Names of other namespaces than the model's are `{uri}name`. Trailing members that are empty
    are left out. `namespaces` are the prefixes that values may have.
    """
    namespaces: dict[str, str] = {}
    known: object = None
    todo = [document.root]
    while todo:
        element = todo.pop()
        # Elements share the prefixes in force where they declare none.
        if element.namespaces is not known:
            known = element.namespaces
            for prefix, uri in element.namespaces.items():
                namespaces.setdefault(prefix, uri)
        todo += [
            child
            for child in reversed(element.children)
            if child.children or child.namespaces is not known
        ]
    return {"bpmn": _node(document.root), "namespaces": namespaces}


def _node(root: Element) -> list[Any]:
    made = _bare(root)
    children = [one for one in root.children if one.name != "BPMNDiagram"]
    todo: list[tuple[list[Element], list[Any]]] = [(children, made)]
    while todo:
        children, node = todo.pop()
        for child in children:
            inner = _bare(child)
            node[2].append(inner)
            if child.children:
                todo.append((child.children, inner))
    return made


def _bare(element: Element) -> list[Any]:
    """An element as it is kept, its children still to come."""
    name, namespace, attributes = element.name, element.namespace, element.attributes
    if namespace != BPMN:
        name = f"{{{namespace}}}{name}"
    if element.foreign:
        attributes = attributes | element.foreign
    text = element.text
    if text and not text.isspace():
        return [name, attributes, [], text]
    if element.children:
        return [name, attributes, []]
    return [name, attributes] if attributes else [name]


def presentation_of(document: Document) -> dict[str, Any] | None:
    """Where the elements are drawn; None without a diagram.

    `shapes` and `edges` by the id of what they draw. Where a file has several diagrams, what the
    first of them draws stands there, and `diagrams` has each by itself. `written` are the diagrams
    as trees, with the ids, styles and extensions that a drawing does not need.
    """
    found: list[dict[str, Any]] = []
    written: list[Any] = []
    for diagram in document.root.children:
        if diagram.namespace == BPMNDI and diagram.name == "BPMNDiagram":
            written.append(_node(diagram))
            for plane in diagram.children:
                if plane.name == "BPMNPlane":
                    found.append(_plane(diagram, plane))
    if not written:
        return None
    shapes: dict[str, Any] = {}
    edges: dict[str, Any] = {}
    for one in found:
        for id, shape in one["shapes"].items():
            shapes.setdefault(id, shape)
        for id, edge in one["edges"].items():
            edges.setdefault(id, edge)
    kept: dict[str, Any] = {"shapes": shapes, "edges": edges, "written": written}
    if len(found) > 1:
        kept["diagrams"] = found
    return kept


def _plane(diagram: Element, plane: Element) -> dict[str, Any]:
    shapes: dict[str, Any] = {}
    edges: dict[str, Any] = {}
    for child in plane.children:
        drawn = child.get("bpmnElement").strip()
        if not drawn or child.namespace != BPMNDI:
            continue
        # A reference may have a prefix; the names in the shapes have none.
        drawn = drawn.rpartition(":")[2] if ":" in drawn else drawn
        if child.name == "BPMNShape":
            shapes.setdefault(drawn, _shape(child))
        elif child.name == "BPMNEdge":
            edges.setdefault(drawn, _edge(child))
    return {
        "name": diagram.get("name"),
        "element": plane.get("bpmnElement").strip().rpartition(":")[2],
        "shapes": shapes,
        "edges": edges,
    }


def _shape(element: Element) -> dict[str, Any]:
    shape: dict[str, Any] = {}
    for child in element.children:
        if child.name == "Bounds" and child.namespace == DC:
            shape["bounds"] = _bounds(child)
        elif child.name == "BPMNLabel":
            _add_label(shape, child)
    return _with_facts(shape, element)


def _edge(element: Element) -> dict[str, Any]:
    edge: dict[str, Any] = {
        "waypoints": [
            [_number(child.get("x")), _number(child.get("y"))]
            for child in element.children
            if child.name == "waypoint" and child.namespace == DI
        ]
    }
    for child in element.children:
        if child.name == "BPMNLabel":
            _add_label(edge, child)
    return _with_facts(edge, element)


def _with_facts(kept: dict[str, Any], element: Element) -> dict[str, Any]:
    """Flags as they are written, and the colours that other vocabularies add."""
    attributes = element.attributes
    for name in _FLAGS:
        if name in attributes:
            kept[name] = element.flag(name)
    for name in _TEXTS:
        if name in attributes:
            kept[name] = attributes[name]
    if element.foreign:
        kept["colours"] = dict(element.foreign)
    return kept


def _add_label(kept: dict[str, Any], element: Element) -> None:
    for child in element.children:
        if child.name == "Bounds":
            kept["label"] = _bounds(child)


def _bounds(element: Element) -> list[float]:
    get = element.attributes.get
    return [_number(get(name, "")) for name in ("x", "y", "width", "height")]


def _number(text: str) -> float:
    try:
        number = float(text)
    except ValueError:
        return 0
    if number != number or number in (float("inf"), float("-inf")):
        return 0
    return int(number) if number.is_integer() else number
