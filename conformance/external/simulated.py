"""Models of the token simulator, with what it takes for granted written into them.

The simulator passes through every task, lets any waiting event be triggered by hand, sends a
message along each message flow of whatever it leaves, and asks its settings which way a gateway
goes. Here each of these is said in BPMN, so that an engine does the same.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

from lxml import etree

BPMN = "http://www.omg.org/spec/BPMN/20100524/MODEL"
_TASKS = (
    "userTask", "serviceTask", "scriptTask", "manualTask", "businessRuleTask", "sendTask",
    "receiveTask", "callActivity", "task",
)  # fmt: skip
_WAITS = ("timerEventDefinition", "conditionalEventDefinition")
#: A message that only somebody's hand sends begins like this.
BY_HAND = "trigger."

Node = Any


def tag(name: str) -> str:
    """A name of BPMN as lxml has it."""
    return f"{{{BPMN}}}{name}"


class Model:
    """One model, made explicit; `waits_at` are activities that wait until they are triggered."""

    def __init__(self, data: bytes, waits_at: set[str]) -> None:
        parser = etree.XMLParser(resolve_entities=False, no_network=True)
        self.root: Node = etree.fromstring(data, parser)
        self.waits_at = waits_at
        self.flows = {flow.get("id"): flow for flow in self._all("messageFlow")}
        #: The messages and signals that trigger an element, by its id.
        self.triggers: dict[str, tuple[str, str]] = {}
        self._say_tasks()
        self._say_signals()
        self._say_messages()
        self._say_choices()

    def text(self) -> bytes:
        """The model as a file."""
        return bytes(etree.tostring(self.root))

    def find(self, id: str) -> Node | None:
        """An element by its id."""
        return next((one for one in self.root.iter() if one.get("id") == id), None)

    def process_of(self, id: str) -> str:
        """The process an element stands in."""
        element = self.find(id)
        while element is not None and element.tag != tag("process"):
            element = element.getparent()
        return "" if element is None else element.get("id")

    def _all(self, *names: str) -> Iterator[Node]:
        for name in names:
            yield from self.root.iter(tag(name))

    def _ends(self, end: str) -> set[str]:
        return {flow.get(end) for flow in self.flows.values()}

    def _say_tasks(self) -> None:
        """Tasks are passed through, but for those that wait and those that messages flow to."""
        sources, targets = self._ends("sourceRef"), self._ends("targetRef")
        for task in list(self._all(*_TASKS)):
            id = task.get("id")
            if id in self.waits_at:
                task.tag = tag("userTask")
            elif task.tag == tag("receiveTask") or id in targets:
                # Behind a gateway it waits for its event, too.
                task.tag = tag("receiveTask")
            else:
                task.tag = tag("sendTask" if id in sources else "task")

    def _say_signals(self) -> None:
        """Signals that name none are all the same one."""
        nameless = [one for one in self._all("signalEventDefinition") if not one.get("signalRef")]
        if nameless:
            signal = etree.Element(tag("signal"), id="Signal_nameless", name=f"{BY_HAND}signal")
            self.root.insert(0, signal)
        for definition in nameless:
            definition.set("signalRef", "Signal_nameless")

    def _say_messages(self) -> None:
        sources, targets = self._ends("sourceRef"), self._ends("targetRef")
        for event in list(self._all("endEvent", "intermediateThrowEvent")):
            if event.get("id") in sources and not _definitions(event):
                etree.SubElement(event, tag("messageEventDefinition"))
        for event in list(self._all("startEvent")):
            if event.get("id") in targets and not _definitions(event):
                etree.SubElement(event, tag("messageEventDefinition"))
        for event in list(self._all("intermediateCatchEvent", "boundaryEvent")):
            if not _definitions(event):
                etree.SubElement(event, tag("messageEventDefinition"))
        catches = ("startEvent", "intermediateCatchEvent", "boundaryEvent", "receiveTask")
        for element in list(self._all(*catches)):
            self._say_trigger(element, targets)
        for element in list(self._all("sendTask", "endEvent", "intermediateThrowEvent")):
            for holder in _message_holders(element):
                if holder.get("messageRef") is None and element.get("id") not in sources:
                    holder.set("messageRef", self._message(f"{BY_HAND}out"))

    def _say_trigger(self, element: Node, targets: set[str]) -> None:
        """Give a waiting element a message that a hand can send, or note what triggers it."""
        id = element.get("id")
        definitions = _definitions(element)
        for definition in definitions:
            if definition.tag in map(tag, _WAITS):
                for child in list(definition):
                    definition.remove(child)
                definition.tag = tag("messageEventDefinition")
                definition.attrib.pop("messageRef", None)
            if definition.tag == tag("signalEventDefinition"):
                signal: Any = self.find(definition.get("signalRef"))
                self.triggers[id] = ("signal", signal.get("name") or signal.get("id"))
        for holder in _message_holders(element):
            flow = next((one for one in self.flows.values() if one.get("targetRef") == id), None)
            if holder.get("messageRef") is not None:
                message = self.find(holder.get("messageRef"))
                name = None if message is None else message.get("name")
                self.triggers[id] = ("message", name or holder.get("messageRef"))
            elif flow is not None:
                self.triggers[id] = ("message", flow.get("id"))
            elif not (element.tag == tag("startEvent") and not definitions):
                holder.set("messageRef", self._message(BY_HAND + id))
                self.triggers[id] = ("message", BY_HAND + id)

    def _message(self, name: str) -> str:
        id = f"Message_{name}"
        if self.find(id) is None:
            message = etree.Element(tag("message"), id=id, name=name)
            self.root.insert(0, message)
        return id

    def _say_choices(self) -> None:
        """A gateway goes where the settings say: by default the default flow, else the first."""
        for gateway in self._all("exclusiveGateway", "inclusiveGateway"):
            id, default = gateway.get("id"), gateway.get("default")
            flows = [flow for flow in self._all("sequenceFlow") if flow.get("sourceRef") == id]
            if len(flows) < 2:
                continue
            usual = [default] if default else [flows[0].get("id")]
            for flow in flows:
                for child in flow.findall(tag("conditionExpression")):
                    flow.remove(child)
                if flow.get("id") == default:
                    continue
                condition = etree.SubElement(flow, tag("conditionExpression"), language="jq")
                condition.text = (
                    f"($runtime.metadata.ways[{json.dumps(id)}] // {json.dumps(usual)})"
                    f" | index({json.dumps(flow.get('id'))}) != null"
                )


def _definitions(element: Node) -> list[Node]:
    return [child for child in element if str(child.tag).endswith("EventDefinition")]


def _message_holders(element: Node) -> list[Node]:
    """What names the message of an element: a definition, or the element itself."""
    if element.tag in (tag("sendTask"), tag("receiveTask")):
        return [element]
    return [one for one in _definitions(element) if one.tag == tag("messageEventDefinition")]
