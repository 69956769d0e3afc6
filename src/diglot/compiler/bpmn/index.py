"""One process, walked once: which element stands where, and what is tied to it by references.

Everything here is a look-up by id afterwards, so that no rule of the reader searches.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from operator import attrgetter
from typing import Final

from .constructs import kebab
from .document import BPMN, Document, Element
from .rules.kinds import ACTIVITIES, FLOW_NODES, SUB_PROCESSES

_NO_ELEMENTS: Final[tuple[Element, ...]] = ()
#: Elements that hold flow elements and so are scopes.
_CONTAINERS: Final = SUB_PROCESSES | {"process"}
#: Where an element stands in the document.
_place: Final = attrgetter("start")


class Index:
    """The elements of one process by what refers to them.

    Every flow node has an id here; one that has none in the file gets one from its place.
    """

    def __init__(self, document: Document, process: Element) -> None:
        self.document = document
        self.process = process
        #: The flow nodes directly in a container, by the identity of its element.
        self._nodes: dict[int, list[Element]] = {}
        self._ids: dict[Element, str] = {}
        #: The nodes at both ends of a sequence flow, where both are of this process.
        self._ends: dict[Element, tuple[Element, Element]] = {}
        self._by_id: dict[str, Element] = {}
        self._outgoing: dict[str, list[Element]] = {}
        self._incoming: dict[str, list[Element]] = {}
        self._boundaries: dict[str, list[Element]] = {}
        self._partners: dict[str, list[str]] = {}
        self._link_catches: dict[int, list[Element]] = {}
        #: The references to data stores, wherever they stand.
        self.stores: list[Element] = []
        self._walk()

    def _walk(self) -> None:
        flows: list[Element] = []
        associations: list[Element] = []
        boundaries: list[Element] = []
        todo = [self.process]
        while todo:
            container = todo.pop()
            nodes = self._nodes[id(container)] = []
            for child in container.children:
                if child.namespace != BPMN:
                    continue
                name = child.name
                if name in FLOW_NODES:
                    nodes.append(child)
                    self._enter(child, container, len(nodes))
                    if name in _CONTAINERS:
                        todo.append(child)
                    elif name == "boundaryEvent":
                        boundaries.append(child)
                    elif name == "intermediateCatchEvent" and is_link(child):
                        self._link_catches.setdefault(id(container), []).append(child)
                elif name == "sequenceFlow":
                    flows.append(child)
                elif name == "association":
                    associations.append(child)
                elif name == "dataStoreReference":
                    self.stores.append(child)
        # In document order, though containers were walked one by one.
        flows.sort(key=_place)
        for flow in flows:
            self._enter_flow(flow)
        for name, leaving in self._outgoing.items():
            if len(leaving) > 1:
                _put_in_order(self._by_id[name], leaving)
        for boundary in sorted(boundaries, key=_place):
            host = self.node(boundary.get("attachedToRef"))
            if host is not None:
                self._boundaries.setdefault(self.id_of(host), []).append(boundary)
        for association in (*associations, *self._associations_outside()):
            source = association.get("sourceRef").strip().rpartition(":")[2]
            target = association.get("targetRef").strip().rpartition(":")[2]
            self._partners.setdefault(source, []).append(target)
            self._partners.setdefault(target, []).append(source)

    def _associations_outside(self) -> Iterator[Element]:
        for collaboration in self.document.root.each("collaboration"):
            yield from collaboration.each("association")

    def _enter(self, element: Element, container: Element, number: int) -> None:
        found = element.id
        if not found:
            owner = self._ids.get(container) or container.id or "process"
            found = f"{owner}#{kebab(element.name)}-{number}"
        self._ids[element] = found
        self._by_id.setdefault(found, element)

    def _enter_flow(self, flow: Element) -> None:
        source, target = self.node(flow.get("sourceRef")), self.node(flow.get("targetRef"))
        if source is None or target is None:
            return
        self._ends[flow] = source, target
        self._outgoing.setdefault(self._ids[source], []).append(flow)
        self._incoming.setdefault(self._ids[target], []).append(flow)

    def node(self, reference: str) -> Element | None:
        """The flow node of this process that a reference names."""
        reference = reference.strip()
        found = self._by_id.get(reference)
        if found is None and ":" in reference:
            found = self._by_id.get(reference.rpartition(":")[2])
        return found

    def id_of(self, element: Element) -> str:
        """The id of an element; that of a flow node is never empty."""
        return self._ids.get(element) or element.id

    def has_nodes(self, element: Element) -> bool:
        """Whether an element holds flow nodes: the process, or a sub-process."""
        return id(element) in self._nodes

    def nodes_of(self, container: Element) -> list[Element]:
        """The flow nodes that stand directly in a container, in document order."""
        return self._nodes.get(id(container), [])

    def outgoing(self, node: Element) -> list[Element] | tuple[Element, ...]:
        """The sequence flows that leave a node, in the order in which it lists them.

        What it does not list comes behind, in document order.
        """
        return self._outgoing.get(self.id_of(node), _NO_ELEMENTS)

    def incoming(self, node: Element) -> list[Element] | tuple[Element, ...]:
        """The sequence flows that lead to a node, in document order."""
        return self._incoming.get(self.id_of(node), _NO_ELEMENTS)

    def source_of(self, flow: Element) -> Element | None:
        """The node a flow leaves."""
        ends = self._ends.get(flow)
        return self.node(flow.get("sourceRef")) if ends is None else ends[0]

    def target_of(self, flow: Element) -> Element | None:
        """The node a flow leads to."""
        ends = self._ends.get(flow)
        return self.node(flow.get("targetRef")) if ends is None else ends[1]

    def boundaries_of(self, activity: Element) -> list[Element] | tuple[Element, ...]:
        """The boundary events attached to an activity."""
        return self._boundaries.get(self.id_of(activity), _NO_ELEMENTS)

    def compensation_of(self, boundary: Element) -> Element | None:
        """The activity that an association makes the handler of a compensation boundary event."""
        for partner in self._partners.get(self.id_of(boundary), ()):
            found = self.node(partner)
            if found is not None and found.name in ACTIVITIES:
                return found
        return None

    def undoes(self, activity: Element) -> bool:
        """Whether an activity runs only to undo another: it says so, or an association does."""
        if not self._partners and "isForCompensation" not in activity.attributes:
            return False
        if activity.flag("triggeredByEvent"):
            return False
        return activity.flag("isForCompensation") or any(
            (event := self.node(partner)) is not None
            and event.name == "boundaryEvent"
            and any(True for _ in event.each("compensateEventDefinition"))
            for partner in self._partners.get(self.id_of(activity), ())
        )

    def link_catch(self, throw: Element) -> Element | None:
        """Where a link goes on: the catching link of the same name in the same container.

        Links without a name are one link.
        """
        catches = self._link_catches.get(id(throw.parent), [])
        name = link_name(throw)
        for catch in catches:
            if link_name(catch) == name:
                return catch
        wanted = {child.text.strip() for link in _links(throw) for child in link.each("target")}
        for catch in catches:
            if any(link.id in wanted for link in _links(catch)):
                return catch
        return None


def is_link(event: Element) -> bool:
    """Whether an event is a link."""
    return any(True for _ in _links(event))


def link_name(event: Element) -> str:
    """The name of a link; where its definition has none, that of the event."""
    for link in _links(event):
        if link.get("name").strip():
            return link.get("name").strip()
    return event.get("name").strip()


def _links(event: Element) -> Iterable[Element]:
    return event.each("linkEventDefinition")


def _put_in_order(node: Element, leaving: list[Element]) -> None:
    """Sort flows as the node lists them: its outgoing flows are an ordered collection.

    Source: BPMN 2.0.2 8.3.13, FlowNode.
    """
    listed = [child.text.strip().rpartition(":")[2] for child in node.each("outgoing")]
    ranks = {name: rank for rank, name in enumerate(listed)}
    leaving.sort(key=lambda flow: ranks.get(flow.id, len(ranks)))
