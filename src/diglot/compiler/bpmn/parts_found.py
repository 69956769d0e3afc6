"""The parts of a graph in a file, as they stand at its elements.

Source: docs/bpmn-extension.md.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Generic, TypeVar

import msgspec

from .. import codes
from ..diagnostics import Report
from ..graph import Flow, Graph, Handler, Node, Scope
from .aside import DIGLOT as OWN
from .document import Element
from .writing.parts import DamagedPart, Kind, decode, decode_heading, kind_of

Part = TypeVar("Part", Node, Flow, Scope, Handler)


class Found(msgspec.Struct, Generic[Part]):
    """A part and the element it stands at; the value changes as the element says."""

    value: Part
    order: int
    #: The element of the model, and the one in its extensions.
    at: Element
    tag: Element

    @property
    def label(self) -> str | None:
        """What the element said of the part's name when it was written; None where nothing."""
        return self.tag.attributes.get("label")


class Parts:
    """The parts of one process by their ids, in the order that they had."""

    def __init__(self) -> None:
        self.nodes: dict[str, Found[Node]] = {}
        self.flows: dict[str, Found[Flow]] = {}
        self.scopes: dict[str, Found[Scope]] = {}
        self.handlers: dict[str, Found[Handler]] = {}
        #: The nodes that stand at an element, by its identity.
        self.nodes_at: dict[int, list[str]] = {}
        self.handlers_at: dict[int, list[str]] = {}
        self.scopes_at: dict[int, list[str]] = {}

    def table(self, kind: Kind) -> dict[str, Found[Node]]:
        """The parts of one kind."""
        tables: dict[Kind, object] = {
            "node": self.nodes,
            "flow": self.flows,
            "scope": self.scopes,
            "handler": self.handlers,
        }
        return tables[kind]  # type: ignore[return-value]


def is_part_of(element: Element, name: str) -> bool:
    """Whether an element is the one of this name in our namespace."""
    return element.namespace == OWN and element.name == name


def own(element: Element, name: str) -> Iterator[Element]:
    """What stands in the extensions of an element under this name of our namespace."""
    return (one for one in element.extensions(OWN) if one.name == name)


def heading_of(process: Element) -> Element | None:
    """What says that a process is a graph in parts."""
    return next(own(process, "graph"), None)


def read_heading(element: Element, report: Report) -> Graph | None:
    """The graph without its parts; None where it is damaged, which is reported."""
    try:
        return decode_heading(element.text.strip(), element.span)
    except DamagedPart as damage:
        report.add(
            codes.PART_DAMAGED, element.span, _owner(element), part="graph", problem=str(damage)
        )
        return None


def find_parts(process: Element, root: str, report: Report) -> Parts:
    """All parts of a process; what is damaged, missing or there already is reported."""
    found: list[tuple[Kind, Found[Node]]] = []
    seen: dict[tuple[Kind, str], Element] = {}
    for element in _elements(process):
        for tag in own(element, "part"):
            kind = tag.get("kind").strip()
            try:
                value = decode(kind, tag.text.strip(), element.span)
            except DamagedPart as damage:
                report.add(
                    codes.PART_DAMAGED, tag.span, _owner(tag), part="part", problem=str(damage)
                )
                continue
            key = kind_of(value), value.id
            if key in seen:
                report.add(
                    codes.PART_TWICE, tag.span, _owner(tag),
                    kind=kind, id=value.id[:100], line=seen[key].span.start.line,
                )  # fmt: skip
                continue
            seen[key] = tag
            found.append((key[0], Found(value, _order(tag), element, tag)))  # type: ignore[arg-type]
    parts = Parts()
    # Parts of equal order stay in the order in which they stand.
    for kind, one in found:
        places = {"node": parts.nodes_at, "handler": parts.handlers_at, "scope": parts.scopes_at}
        if kind in places:
            places[kind].setdefault(id(one.at), []).append(one.value.id)
    for kind, one in sorted(found, key=lambda pair: pair[1].order):
        parts.table(kind)[one.value.id] = one
    if root and root not in parts.scopes:
        report.add(codes.PART_MISSING, process.span, process.id, scope=root)
    return parts


def tell_parts(process: Element, report: Report) -> None:
    """Tell of the first element with parts in a process that is no graph in parts."""
    for element in _elements(process):
        tag = next(own(element, "part"), None) if element.children else None
        if tag is not None:
            report.add(codes.PARTS_WITHOUT_GRAPH, tag.span, element.id, element=element.id)
            return


def _elements(process: Element) -> Iterator[Element]:
    """The elements of the standard in a process, in document order, extensions left out."""
    todo = [process]
    while todo:
        element = todo.pop()
        yield element
        if element.children:
            todo.extend(
                child
                for child in reversed(element.children)
                if child.is_bpmn and child.name != "extensionElements"
            )


def _order(tag: Element) -> int:
    text = tag.get("order").strip()
    return int(text) if text.isascii() and text.isdigit() and len(text) < 10 else 10**9


def _owner(tag: Element) -> str:
    return next((one.id for one in tag.ancestors() if one.id), "")
