"""Which message a thing sends or waits for: what its own reference, else a message flow, says.

A thing that names no message takes the name of its message flow's message, else what the other end
names, else the id of the flow, so that two pools meet. All of this is of the whole file.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property
from typing import Final, NamedTuple

from .document import Document, Element
from .rules.kinds import COLLABORATIONS, FLOW_NODES

_KEY_HOLDERS: Final = COLLABORATIONS | {"subConversation"}


class Key(NamedTuple):
    """A correlation key: its id or name, and the properties it is made of."""

    name: str
    element: Element
    properties: tuple[Element, ...]


class Messages:
    """The messages, message flows and correlation keys of one file."""

    def __init__(self, document: Document) -> None:
        self.document = document

    @cached_property
    def _flows(self) -> tuple[dict[str, list[Element]], dict[str, list[Element]]]:
        """The message flows by what they leave and by what they lead to."""
        leaving: dict[str, list[Element]] = {}
        leading: dict[str, list[Element]] = {}
        for collaboration in self.document.root.each("collaboration"):
            for flow in collaboration.each("messageFlow"):
                source, target = self._end(flow, "sourceRef"), self._end(flow, "targetRef")
                if source is not None:
                    leaving.setdefault(source.id, []).append(flow)
                if target is not None:
                    leading.setdefault(target.id, []).append(flow)
        return leaving, leading

    def message_of(self, thing: Element, *, sends: bool) -> Element | None:
        """The `message` a task or an event definition refers to, itself or by its operation."""
        found = self.document.find(thing.get("messageRef"))
        if found is None:
            found = self._message_of_operation(thing, sends=sends)
        return found if found is not None and found.name == "message" else None

    def _message_of_operation(self, thing: Element, *, sends: bool) -> Element | None:
        written = thing.get("operationRef")
        child = thing.child("operationRef")
        operation = self.document.find(written or ("" if child is None else child.text))
        if operation is None:
            return None
        # Who sends and who receives both speak of what goes into the operation.
        for name in ("inMessageRef", "outMessageRef"):
            reference = operation.child(name)
            if reference is not None:
                return self.document.find(reference.text)
        return None

    def flowing(self, node: Element, thing: Element, *, sends: bool) -> tuple[str, Element | None]:
        """The name of the message of a node, and its `message` where there is one.

        `thing` is the event definition, or the task itself. Empty where nothing says it.
        """
        message = self.message_of(thing, sends=sends)
        if message is not None:
            return spoken(message), message
        written = thing.get("messageRef").strip()
        if written:
            return written.rpartition(":")[2], None
        for flow in self._flows[0 if sends else 1].get(node.id, ()):
            return self._of_flow(flow, node, sends=sends)
        return "", None

    def sends_to_node(self, node: Element) -> bool:
        """Whether a message flow leads from a node to a node, or says which message it carries."""
        flows = self._flows[0].get(node.id)
        return flows is not None and any(
            flow.get("messageRef").strip()
            or ((target := self._end(flow, "targetRef")) is not None and target.name in FLOW_NODES)
            for flow in flows
        )

    def _of_flow(self, flow: Element, node: Element, *, sends: bool) -> tuple[str, Element | None]:
        message = self.document.find(flow.get("messageRef"))
        if message is not None and message.name == "message":
            return spoken(message), message
        other = self._end(flow, "targetRef" if sends else "sourceRef")
        if other is not None:
            for thing in (other, *other.each("messageEventDefinition")):
                message = self.message_of(thing, sends=not sends)
                if message is not None:
                    return spoken(message), message
            # Who waits at the end of several flows waits for all of them under one name.
            target = other if sends else node
            flow = next(iter(self._flows[1].get(target.id, ())), flow)
        return flow.id or flow.get("name").strip(), None

    def _end(self, flow: Element, end: str) -> Element | None:
        return self.document.find(flow.get(end))

    # -- correlation

    @cached_property
    def keys(self) -> tuple[Key, ...]:
        """The correlation keys of the file, in document order."""
        return tuple(self._find_keys())

    def _find_keys(self) -> Iterator[Key]:
        todo = [child for child in self.document.root.each() if child.name in _KEY_HOLDERS]
        while todo:
            holder = todo.pop(0)
            todo.extend(holder.each("subConversation"))
            for key in holder.each("correlationKey"):
                found = [
                    self.document.find(reference.text)
                    for reference in key.each("correlationPropertyRef")
                ]
                properties = tuple(
                    one for one in found if one is not None and one.name == "correlationProperty"
                )
                if properties:
                    yield Key(key.id or key.get("name"), key, properties)

    @cached_property
    def _paths(self) -> dict[tuple[str, str], Element]:
        """How a property is read from a message, by the ids of both."""
        found: dict[tuple[str, str], Element] = {}
        for one in self.document.root.each("correlationProperty"):
            for retrieval in one.each("correlationPropertyRetrievalExpression"):
                message = self.document.find(retrieval.get("messageRef"))
                path = retrieval.child("messagePath")
                if message is not None and path is not None:
                    found.setdefault((one.id, message.id), path)
        return found

    def path_of(self, property: Element, message: Element) -> Element | None:
        """The expression that reads a property from a message."""
        return self._paths.get((property.id, message.id))


def spoken(element: Element) -> str:
    """What a message or a signal is called: its name, else its id."""
    return element.get("name").strip() or element.id
