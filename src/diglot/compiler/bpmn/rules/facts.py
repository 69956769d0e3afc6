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
        self._listed: dict[tuple[Element, str], frozenset[str]] = {}
        self._named_in: dict[tuple[Element, str], frozenset[Element]] = {}
        self._contents: dict[Element, frozenset[str]] = {}
        self._gather()
        for flow in self.each("sequenceFlow"):
            self._outgoing.setdefault(flow.get("sourceRef").strip(), []).append(flow)
            self._incoming.setdefault(flow.get("targetRef").strip(), []).append(flow)

    def _gather(self) -> None:
        named = self.named
        todo = [self.root]
        while todo:
            element = todo.pop()
            if element.namespace != BPMN or element.name == "extensionElements":
                continue
            named.setdefault(element.name, []).append(element)
            if element.children:
                todo.extend(reversed(element.children))

    def each(self, *names: str) -> Iterator[Element]:
        """The elements with one of these names; in document order within a name."""
        for name in names:
            yield from self.named.get(name, ())

    def find(self, reference: str, at: Element) -> Element | None:
        """What a reference written at `at` names, here or in an imported document."""
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

    def listed(self, node: Element, side: str) -> frozenset[str]:
        """The ids that a node lists as `incoming` or `outgoing`, prefixes left out."""
        key = (node, side)
        if key not in self._listed:
            names = (child.text.strip().rpartition(":")[2] for child in node.each(side))
            self._listed[key] = frozenset(names)
        return self._listed[key]

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
