"""Small BPMN files that were exported, as another reader sees them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from xml.etree import ElementTree
from xml.etree.ElementTree import Element

from diglot.compiler import codes, compile_source
from diglot.compiler.bpmn.writing.write import write_bpmn
from diglot.compiler.diagnostics import Diagnostic, Report
from diglot.compiler.graph import Graph
from diglot.compiler.imports import Resolve

MODEL = "{http://www.omg.org/spec/BPMN/20100524/MODEL}"
DIGLOT = "{https://diglot.dev/bpmn/1}"
BPMNDI = "{http://www.omg.org/spec/BPMN/20100524/DI}"
DC = "{http://www.omg.org/spec/DD/20100524/DC}"
DI = "{http://www.omg.org/spec/DD/20100524/DI}"
TOOL = "{https://diglot.example/tool}"

_HEAD = (
    "<definitions xmlns='http://www.omg.org/spec/BPMN/20100524/MODEL'"
    " xmlns:xsi='http://www.w3.org/2001/XMLSchema-instance'"
    " xmlns:bpmndi='http://www.omg.org/spec/BPMN/20100524/DI'"
    " xmlns:dc='http://www.omg.org/spec/DD/20100524/DC'"
    " xmlns:di='http://www.omg.org/spec/DD/20100524/DI'"
    " xmlns:tool='https://diglot.example/tool'"
    " id='file' targetNamespace='https://diglot.example/kept'>"
)


@dataclass(frozen=True, slots=True)
class Exported:
    """A file that was written, and what its author was told."""

    text: str
    found: Sequence[Diagnostic]

    @property
    def root(self) -> Element:
        """The whole file."""
        return ElementTree.fromstring(self.text)

    @property
    def told(self) -> list[tuple[str, str]]:
        """The name of each finding, and the id of the element that it is about."""
        return [(codes.by_id(one.code).name, one.pointer) for one in self.found]

    def of(self, id: str) -> Element:
        """The only element that has this id."""
        found = [one for one in self.root.iter() if one.get("id") == id]
        assert len(found) == 1, f"{len(found)} elements have the id {id}"
        return found[0]

    def shape(self, id: str) -> Element:
        """The only shape or edge of an element."""
        drawn = [*self.root.iter(f"{BPMNDI}BPMNShape"), *self.root.iter(f"{BPMNDI}BPMNEdge")]
        found = [one for one in drawn if one.get("bpmnElement") == id]
        assert len(found) == 1, f"{len(found)} things draw {id}"
        return found[0]

    def bounds(self, id: str) -> tuple[float, ...]:
        """Where the shape of an element is: x, y, width, height."""
        bounds = self.shape(id).find(f"{DC}Bounds")
        assert bounds is not None
        return tuple(float(bounds.attrib[name]) for name in ("x", "y", "width", "height"))

    def way(self, id: str) -> list[tuple[float, float]]:
        """The ends and bends of the edge of an element."""
        found = self.shape(id).iter(f"{DI}waypoint")
        return [(float(one.attrib["x"]), float(one.attrib["y"])) for one in found]

    def planes(self) -> dict[str, list[str]]:
        """What each plane draws, by the element that it is of."""
        return {
            plane.attrib["bpmnElement"]: [one.attrib["bpmnElement"] for one in plane]
            for plane in self.root.iter(f"{BPMNDI}BPMNPlane")
        }


def file(body: str, *, around: str = "", drawn: str = "", head: str = _HEAD) -> str:
    """A file with an executable process `order` of these elements.

    `around` stands before it, `drawn` behind it.
    """
    process = f"<process id='order' isExecutable='true'>{body}</process>"
    return f"{head}{around}{process}{drawn}</definitions>"


def diagram(element: str, *drawn: str, more: str = "") -> str:
    """A diagram of an element; `more` are attributes of the plane."""
    return (
        f"<bpmndi:BPMNDiagram id='diagram_{element}'>"
        f"<bpmndi:BPMNPlane id='plane_{element}' bpmnElement='{element}' {more}>{''.join(drawn)}"
        "</bpmndi:BPMNPlane></bpmndi:BPMNDiagram>"
    )


def graphs_of(text: str, *, resolve: Resolve | None = None) -> tuple[Graph, ...]:
    """The graphs of a file without an error."""
    compiled = compile_source(text, "order.bpmn", resolve=resolve)
    assert not compiled.has_errors, compiled.diagnostics
    return compiled.graphs


def written(graphs: Sequence[Graph], *, resolve: Resolve | None = None) -> Exported:
    """A file of these graphs."""
    report = Report()
    text = write_bpmn(graphs, report, resolve=resolve)
    assert text is not None, report.diagnostics
    return Exported(text, report.diagnostics)


def exported(text: str) -> Exported:
    """A file, read and written."""
    return written(graphs_of(text))


def mended(body: str, *, around: str = "", drawn: str = "") -> Exported:
    """A file of a process with these elements, read and written without a loss.

    What was set aside in it is put back where it is read again, so that it has the same bytes.
    """
    first = exported(file(body, around=around, drawn=drawn))
    second = exported(first.text)
    assert second.text == first.text
    return first
