"""An exported file as somebody changes it in a modeler, and what it is read as then."""

from __future__ import annotations

from collections.abc import Iterator

from lxml import etree

from diglot.compiler import Compiled, compile_source
from diglot.compiler.bpmn.aside import DIGLOT
from diglot.compiler.bpmn.document import BPMN, XSI
from diglot.compiler.bpmn.rules.kinds import FLOW_NODES
from diglot.compiler.bpmn.writing.view import View
from diglot.compiler.bpmn.writing.write import write_bpmn
from diglot.compiler.codes import by_id
from diglot.compiler.diagnostics import Diagnostic, Report, Severity
from diglot.compiler.graph import Graph
from support.workflows import graph_of

Element = etree._Element  # pyright: ignore[reportPrivateUsage]

JQ = "https://github.com/jqlang/jq"
_REFERENCES = ("sourceRef", "targetRef", "attachedToRef", "default", "bpmnElement")


def model(name: str) -> str:
    """The name of an element of the standard."""
    return f"{{{BPMN}}}{name}"


def own(name: str) -> str:
    """The name of an element of Diglot's namespace."""
    return f"{{{DIGLOT}}}{name}"


class Edited:
    """A file that was written from a workflow in YAML, and can be changed."""

    def __init__(self, body: str, view: View = "business") -> None:
        self.source = graph_of(body)
        text = write_bpmn((self.source,), Report(), view=view)
        assert text is not None
        self.root: Element = etree.fromstring(text.encode())

    @classmethod
    def of(cls, text: str) -> Edited:
        """A file that was written before."""
        made = cls.__new__(cls)
        made.root = etree.fromstring(text.encode())
        return made

    # -- what there is

    @property
    def text(self) -> str:
        """The file."""
        return etree.tostring(self.root, encoding="unicode")

    @property
    def process(self) -> Element:
        """The only process."""
        return next(self.root.iter(model("process")))

    def find(self, id: str) -> Element:
        """The element of an id."""
        return next(one for one in self.elements() if one.get("id") == id)

    def has(self, id: str) -> bool:
        """Whether there is an element of this id."""
        return any(one.get("id") == id for one in self.elements())

    def elements(self) -> Iterator[Element]:
        """All elements in document order."""
        return self.root.iter("*")

    def nodes(self) -> list[Element]:
        """All flow nodes."""
        return [one for one in self.elements() if etree.QName(one).localname in FLOW_NODES]

    def flows(self) -> list[Element]:
        """All sequence flows."""
        return list(self.root.iter(model("sequenceFlow")))

    def parts(self, id: str) -> list[Element]:
        """The parts at an element."""
        return self.find(id).findall(f"{model('extensionElements')}/{own('part')}")

    # -- what somebody does

    def rename(self, id: str, name: str) -> None:
        """Give an element another name."""
        self.find(id).set("name", name)

    def document(self, id: str, text: str) -> None:
        """Write a documentation."""
        made = etree.Element(model("documentation"))
        made.text = text
        self.find(id).insert(0, made)

    def delete(self, id: str) -> None:
        """Take an element away with all that hangs on it, as modelers do."""
        element = self.find(id)
        gone = {one.get("id") for one in element.iter() if one.get("id")}
        for event in self.nodes():
            if event.get("attachedToRef") in gone and event.get("id") not in gone:
                self.delete(event.get("id", ""))
        for flow in [*self.flows(), *self.root.iter(model("association"))]:
            if {flow.get("sourceRef"), flow.get("targetRef")} & gone:
                self._remove(flow)
        self._remove(element)

    def disconnect(self, id: str) -> None:
        """Take a flow away."""
        self._remove(self.find(id))

    def _remove(self, element: Element) -> None:
        id = element.get("id")
        for one in list(self.elements()):
            if one.tag in (model("incoming"), model("outgoing")) and one.text == id:
                _parent(one).remove(one)
            if id and one.get("bpmnElement") == id:
                _parent(one).remove(one)
            if id and one.get("default") == id:
                del one.attrib["default"]
        _parent(element).remove(element)

    def add(self, kind: str, id: str, *, to: str = "", name: str = "") -> Element:
        """Draw a new element; in the process where no sub-process is named."""
        made = etree.SubElement(self.find(to) if to else self.process, model(kind), {"id": id})
        if name:
            made.set("name", name)
        return made

    def connect(self, source: str, target: str, id: str, condition: str = "") -> Element:
        """Draw a new flow."""
        container = _parent(self.find(source))
        flow = etree.SubElement(container, model("sequenceFlow"), {"id": id})
        flow.set("sourceRef", source)
        flow.set("targetRef", target)
        if condition:
            self.set_condition(id, condition)
        return flow

    def set_condition(self, id: str, text: str, language: str = JQ) -> None:
        """Write another condition at a flow."""
        flow = self.find(id)
        for old in flow.findall(model("conditionExpression")):
            flow.remove(old)
        made = etree.SubElement(flow, model("conditionExpression"), {"language": language})
        made.set(f"{{{XSI}}}type", "bpmn:tFormalExpression")
        made.text = text

    def add_timer(self, event: str, duration: str) -> None:
        """Let an event wait for so long."""
        timer = etree.SubElement(self.find(event), model("timerEventDefinition"))
        made = etree.SubElement(timer, model("timeDuration"))
        made.set(f"{{{XSI}}}type", "bpmn:tFormalExpression")
        made.text = duration

    def lead(self, flow: str, target: str) -> None:
        """Let a flow lead elsewhere."""
        self._unlist(flow, "incoming")
        self.find(flow).set("targetRef", target)

    def leave(self, flow: str, source: str) -> None:
        """Let a flow come from elsewhere."""
        self._unlist(flow, "outgoing")
        for one in self.nodes():
            if one.get("default") == flow:
                del one.attrib["default"]
        self.find(flow).set("sourceRef", source)

    def _unlist(self, flow: str, name: str) -> None:
        for one in list(self.root.iter(model(name))):
            if one.text == flow:
                _parent(one).remove(one)

    def insert(self, flow: str, kind: str, id: str, *, name: str = "") -> None:
        """Draw a new element into a flow."""
        element = self.find(flow)
        behind, container = element.get("targetRef", ""), _parent(element)
        self.add(kind, id, name=name)
        container.append(self.find(id))
        self.lead(flow, id)
        self.connect(id, behind, f"{id}_out")

    def move(self, id: str, to: str) -> None:
        """Draw an element in another sub-process, without its flows."""
        for flow in self.flows():
            if id in (flow.get("sourceRef"), flow.get("targetRef")):
                self._remove(flow)
        (self.find(to) if to else self.process).append(self.find(id))

    def copy(self, id: str, new: str) -> Element:
        """Copy an element with all that stands at it and in it, without its flows."""
        element = self.find(id)
        made: Element = etree.fromstring(etree.tostring(element))
        ids = {one.get("id", ""): f"{new}_{one.get('id')}" for one in made.iter() if one.get("id")}
        ids[id] = new
        for one in list(made.iter("*")):
            if one.get("id") in ids:
                one.set("id", ids[one.get("id", "")])
            for name in _REFERENCES:
                if one.get(name) in ids:
                    one.set(name, ids[one.get(name, "")])
            if one.text in ids and one.tag in (model("incoming"), model("outgoing")):
                one.text = ids[one.text]
        for one in [*made.findall(model("incoming")), *made.findall(model("outgoing"))]:
            made.remove(one)
        _parent(element).append(made)
        return made

    def forget(self, id: str) -> None:
        """Lose what stands in the extensions of an element."""
        element = self.find(id)
        for one in element.findall(model("extensionElements")):
            element.remove(one)

    # -- what becomes of it

    def compiled(self) -> Compiled:
        """What the file is read as."""
        return compile_source(self.text, "edited.bpmn")

    def graph(self, *told: str) -> Graph:
        """The graph, which has a meaning; `told` are the names of the warnings about parts."""
        compiled = self.compiled()
        assert [one for one in compiled.diagnostics if one.is_firm] == []
        assert [by_id(one.code).name for one in of_export(compiled)] == list(told)
        assert compiled.graph is not None
        return compiled.graph

    def only_error(self) -> Diagnostic:
        """The only error."""
        found = self.compiled().diagnostics
        (error,) = [one for one in found if one.severity is Severity.ERROR]
        return error


def of_export(compiled: Compiled) -> list[Diagnostic]:
    """Findings about parts of a graph."""
    return [one for one in compiled.diagnostics if one.code.startswith("DG16")]


def _parent(element: Element) -> Element:
    found = element.getparent()
    assert found is not None
    return found
