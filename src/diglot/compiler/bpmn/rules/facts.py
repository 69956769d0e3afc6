"""What the rules ask of a document again and again, worked out once.

References are resolved in the document and, by their prefix, in the documents it imports.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cached_property
from typing import Final

from ..document import BPMN, XSI, Document, Element
from .kinds import TRIGGERS

_TYPE: Final = f"{{{XSI}}}type"
_NO_FLOWS: Final[tuple[Element, ...]] = ()


class Facts:
    """A document with its elements by name and its flows by their ends.

    `imported` are the documents that could be read, by the namespace they were imported for.
    `is_strict`: every broken constraint is told. Otherwise those are left out that are told with
    what is done instead, where the model is made into a graph.
    """

    def __init__(
        self,
        document: Document,
        imported: Mapping[str, tuple[Document, ...]] | None = None,
        *,
        is_strict: bool = False,
    ) -> None:
        self.document = document
        self.is_strict = is_strict
        self.root = document.root
        self.imported: Mapping[str, tuple[Document, ...]] = imported or {}
        #: The elements of the standard's model by local name, each list in document order.
        self.named: dict[str, list[Element]] = {}
        self._incoming: dict[str, list[Element]] = {}
        self._outgoing: dict[str, list[Element]] = {}
        self._triggers: dict[Element, tuple[str, ...]] = {}
        self._ends: dict[Element, tuple[Element | None, Element | None]] = {}
        #: By side and the id of a flow the node that it leaves, or leads to.
        self._flow_ends: dict[str, dict[str, Element | None]] = {"outgoing": {}, "incoming": {}}
        self._kinds_named: dict[str, frozenset[tuple[str, str]]] = {}
        self._listed: dict[Element, Mapping[str, set[str]]] = {}
        self._named_in: dict[tuple[Element, str], frozenset[Element]] = {}
        self._contents: dict[Element, frozenset[str]] = {}
        #: The names of all attributes of these elements.
        self.attributes: set[str] = set()
        self._gather()
        self._follow_flows()

    def _gather(self) -> None:
        named, attributes = self.named, self.attributes
        todo = [self.root]
        while todo:
            element = todo.pop()
            if element.namespace != BPMN or element.name == "extensionElements":
                continue
            named.setdefault(element.name, []).append(element)
            if element.attributes:
                attributes.update(element.attributes)
            if element.children:
                todo.extend(reversed(element.children))

    def _follow_flows(self) -> None:
        sources, targets = self._flow_ends["outgoing"], self._flow_ends["incoming"]
        for flow in self.each("sequenceFlow"):
            id, source, target = flow.id, *self.ends(flow)
            self._outgoing.setdefault(flow.get("sourceRef").strip(), []).append(flow)
            self._incoming.setdefault(flow.get("targetRef").strip(), []).append(flow)
            sources.setdefault(id, source)
            targets.setdefault(id, target)

    def speaks_of(self, names: frozenset[str]) -> bool:
        """Whether any element of the standard's model has one of these names, or an attribute."""
        return not (names.isdisjoint(self.named) and names.isdisjoint(self.attributes))

    def each(self, *names: str) -> Iterator[Element]:
        """The elements with one of these names; in document order within a name."""
        for name in names:
            yield from self.named.get(name, ())

    def find(self, reference: str, at: Element) -> Element | None:
        """What a reference written at `at` names, here or in an imported document."""
        if not self.imported:
            # Nearly all are ids of this very document.
            found = self.document.by_id.get(reference)
            if found is not None:
                return found
        reference = reference.strip()
        prefix, colon, local = reference.partition(":")
        if colon:
            for document in self.imported.get(at.namespaces.get(prefix, ""), ()):
                found = document.by_id.get(local)
                if found is not None:
                    return found
            if at.namespaces.get(prefix, "") in self.imported:
                return None
        return self.document.find(reference)

    def attribute(self, element: Element, name: str) -> Element | None:
        """What the reference in an attribute names."""
        reference = element.attributes.get(name)
        return self.find(reference, element) if reference else None

    def incoming(self, node: Element) -> list[Element] | tuple[Element, ...]:
        """The sequence flows that lead to a node, whether it lists them or not."""
        return self._incoming.get(node.id, _NO_FLOWS) if node.id else _NO_FLOWS

    def outgoing(self, node: Element) -> list[Element] | tuple[Element, ...]:
        """The sequence flows that leave a node, whether it lists them or not."""
        return self._outgoing.get(node.id, _NO_FLOWS) if node.id else _NO_FLOWS

    def ends(self, flow: Element) -> tuple[Element | None, Element | None]:
        """What the references of a sequence flow name as its source and as its target."""
        found = self._ends.get(flow)
        if found is None:
            found = self.attribute(flow, "sourceRef"), self.attribute(flow, "targetRef")
            self._ends[flow] = found
        return found

    def is_listed(self, flow: Element) -> bool:
        """Whether the nodes at both ends of a flow are the first that list it there."""
        source, target = self.ends(flow)
        id, listing = flow.id, self._listing
        return listing["outgoing"].get(id) is source and listing["incoming"].get(id) is target

    def lists(self, node: Element, side: str, id: str) -> bool:
        """Whether a node lists an id as `incoming` or `outgoing`, with whichever prefix."""
        return self._listing[side].get(id) is node or id in self._listed_by(node, side)

    def is_end(self, node: Element, side: str, id: str) -> bool:
        """Whether a flow with this id has a node as the end whose `side` it is."""
        return self._flow_ends[side].get(id) is node

    def kinds_named(self, child: str) -> frozenset[tuple[str, str]]:
        """The namespaces and names of all that children of this name name, whose ever they are."""
        found = self._kinds_named.get(child)
        if found is None:
            targets = [self.find(one.text, one) for one in self.each(child)]
            found = frozenset([(one.namespace, one.name) for one in targets if one is not None])
            self._kinds_named[child] = found
        return found

    @cached_property
    def _listing(self) -> Mapping[str, Mapping[str, Element | None]]:
        """By side and the id that is listed there the first element that lists it."""
        listing: dict[str, dict[str, Element | None]] = {}
        for side in ("incoming", "outgoing"):
            first = listing[side] = {}
            for child in self.each(side):
                written = child.text.strip()
                # Nearly all are ids, without a prefix.
                id = written.rpartition(":")[2] if ":" in written else written
                first.setdefault(id, child.parent)
        return listing

    def _listed_by(self, node: Element, side: str) -> set[str]:
        found = self._listed.get(node)
        if found is None:
            found = self._listed[node] = {"incoming": set(), "outgoing": set()}
            for child in node.children:
                if child.name in found and child.namespace == BPMN:
                    found[child.name].add(child.text.strip().rpartition(":")[2])
        return found[side]

    def named_in(self, owner: Element, child: str) -> frozenset[Element]:
        """What the references in an element's children of this name name."""
        key = (owner, child)
        if key not in self._named_in:
            targets = (self.find(one.text, one) for one in owner.each(child))
            self._named_in[key] = frozenset(one for one in targets if one is not None)
        return self._named_in[key]

    def holds(self, scope: Element, name: str) -> bool:
        """Whether an element has a child of this name."""
        if scope not in self._contents:
            self._contents[scope] = frozenset(child.name for child in scope.each())
        return name in self._contents[scope]

    @cached_property
    def associated(self) -> Mapping[Element, list[Element]]:
        """What associations connect elements with, whichever way they were drawn."""
        found: dict[Element, list[Element]] = {}
        for association in self.each("association"):
            source = self.attribute(association, "sourceRef")
            target = self.attribute(association, "targetRef")
            if source is not None and target is not None and source is not target:
                found.setdefault(source, []).append(target)
                found.setdefault(target, []).append(source)
        return found

    @cached_property
    def calls(self) -> Mapping[Element, list[Element]]:
        """What is called, here or in an imported document, with the activities that call it."""
        found: dict[Element, list[Element]] = {}
        for call in self.each("callActivity"):
            target = self.attribute(call, "calledElement")
            if target is not None:
                found.setdefault(target, []).append(call)
        return found

    @cached_property
    def handlers(self) -> frozenset[Element]:
        """What is associated with compensation events."""
        return frozenset(
            other
            for event in self.each("boundaryEvent")
            if "compensate" in self.triggers(event)
            for other in self.associated.get(event, ())
        )

    @cached_property
    def definition_users(self) -> Mapping[Element, list[Element]]:
        """The events that refer to an event definition."""
        found: dict[Element, list[Element]] = {}
        for reference in self.each("eventDefinitionRef"):
            definition = self.find(reference.text, reference)
            if definition is not None and reference.parent is not None:
                found.setdefault(definition, []).append(reference.parent)
        return found

    @cached_property
    def instantiating(self) -> frozenset[Element]:
        """The scopes in which a receive task or an event-based gateway begins an instance."""
        starters = self.each("receiveTask", "eventBasedGateway")
        return frozenset(
            node.parent for node in starters if node.parent and node.flag("instantiate")
        )

    @cached_property
    def in_sets(self) -> frozenset[Element]:
        """The data inputs and outputs that are in a set."""
        members = [self.named_in(one, "dataInputRefs") for one in self.each("inputSet")]
        members += [self.named_in(one, "dataOutputRefs") for one in self.each("outputSet")]
        none: frozenset[Element] = frozenset()
        return none.union(*members)

    @cached_property
    def raced(self) -> frozenset[Element]:
        """What event-based gateways wait for."""
        targets = (
            self.attribute(flow, "targetRef")
            for gateway in self.each("eventBasedGateway")
            for flow in self.outgoing(gateway)
        )
        return frozenset(target for target in targets if target is not None)

    def pool_of(self, element: Element) -> frozenset[Element]:
        """The participant and the process, as far as known, that an element is or stands in."""
        if element.name != "participant":
            process = self.process_of(element)
            return frozenset() if process is None else frozenset({process})
        process = self.attribute(element, "processRef")
        return frozenset({element}) if process is None else frozenset({element, process})

    def process_of(self, element: Element) -> Element | None:
        """The process around an element."""
        return next((scope for scope in element.ancestors() if scope.name == "process"), None)

    def is_executable(self, element: Element) -> bool:
        """Whether the process around an element is meant to be run."""
        process = self.process_of(element)
        return process is not None and process.flag("isExecutable")

    def definitions_of(self, event: Element) -> list[Element]:
        """The event definitions of an event: those inside it and those it refers to."""
        definitions: list[Element] = []
        for child in event.each():
            if child.name in TRIGGERS:
                definitions.append(child)
            elif child.name == "eventDefinitionRef":
                target = self.find(child.text, child)
                if target is not None and target.name in TRIGGERS:
                    definitions.append(target)
        return definitions

    def triggers(self, event: Element) -> tuple[str, ...]:
        """What an event reacts to or brings about: `message`, `timer`, ... in its order."""
        if event not in self._triggers:
            names = tuple(TRIGGERS[one.name] for one in self.definitions_of(event))
            self._triggers[event] = names
        return self._triggers[event]

    def item_of(self, element: Element | None, attribute: str = "itemSubjectRef") -> str:
        """The kind of item an element carries, `""` where it does not say.

        Items with the same structure are the same kind; one without a structure is its own kind.
        """
        if element is None or not element.get(attribute):
            return ""
        definition = self.find(element.get(attribute), element)
        if definition is None:
            return f"#{element.get(attribute).strip()}"
        return definition.get("structureRef").strip() or f"#{definition.id}"

    def data_item_of(self, element: Element | None) -> str:
        """The kind of item of a data element; a reference has that of what it refers to."""
        if element is None:
            return ""
        behind = {"dataObjectReference": "dataObjectRef", "dataStoreReference": "dataStoreRef"}
        if element.name in behind and not element.get("itemSubjectRef"):
            return self.item_of(self.attribute(element, behind[element.name]))
        return self.item_of(element)


def is_formal(expression: Element) -> bool:
    """Whether an expression says that it is written in a language, and not in prose."""
    if expression.name == "formalExpression":
        return True
    return expression.foreign.get(_TYPE, "").rpartition(":")[2].strip() == "tFormalExpression"


def is_blank(expression: Element) -> bool:
    """Whether nothing is written in an expression."""
    return not expression.text.strip() and not expression.children


def names_own(element: Element, child: str) -> list[str]:
    """The references that an element lists in children of this name."""
    return [found.text.strip() for found in element.each(child)]
