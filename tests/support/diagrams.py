"""Small BPMN files with a diagram, as pictures."""

from __future__ import annotations

from xml.etree import ElementTree

from diglot.compiler.drawing import Picture, pictures_of, to_svg
from diglot.compiler.drawing.parts import Line, Shape
from diglot.compiler.drawing.written import tree_of

SVG = "{http://www.w3.org/2000/svg}"

_HEAD = (
    "<definitions xmlns='http://www.omg.org/spec/BPMN/20100524/MODEL'"
    " xmlns:di='http://www.omg.org/spec/DD/20100524/DI'"
    " xmlns:dc='http://www.omg.org/spec/DD/20100524/DC'"
    " xmlns:bpmndi='http://www.omg.org/spec/BPMN/20100524/DI'"
    " xmlns:bioc='http://bpmn.io/schema/bpmn/biocolor/1.0'"
    " xmlns:color='http://www.omg.org/spec/BPMN/non-normative/color/1.0'"
    " xmlns:me='urn:me' targetNamespace='urn:me'>"
)


def shape(element: str, x: float, y: float, width: float, height: float, more: str = "") -> str:
    """A shape of a diagram; `more` is `attributes` or `attributes>children`."""
    attributes, _, children = more.partition(">")
    return (
        f"<bpmndi:BPMNShape bpmnElement='{element}' {attributes}>"
        f"<dc:Bounds x='{x}' y='{y}' width='{width}' height='{height}'/>{children}"
        "</bpmndi:BPMNShape>"
    )


def edge(element: str, *points: tuple[float, float], more: str = "") -> str:
    """A line of a diagram; `more` is `attributes` or `attributes>children`."""
    attributes, _, children = more.partition(">")
    ways = "".join(f"<di:waypoint x='{x}' y='{y}'/>" for x, y in points)
    return (
        f"<bpmndi:BPMNEdge bpmnElement='{element}' {attributes}>{ways}{children}</bpmndi:BPMNEdge>"
    )


def label(x: float, y: float, width: float, height: float) -> str:
    """Where a file puts the label of a shape or line."""
    box = f"<dc:Bounds x='{x}' y='{y}' width='{width}' height='{height}'/>"
    return f"<bpmndi:BPMNLabel>{box}</bpmndi:BPMNLabel>"


def plane(element: str, *drawn: str, name: str = "") -> str:
    """A diagram of an element."""
    return (
        f"<bpmndi:BPMNDiagram id='diagram_{element}' name='{name}'>"
        f"<bpmndi:BPMNPlane bpmnElement='{element}'>{''.join(drawn)}</bpmndi:BPMNPlane>"
        "</bpmndi:BPMNDiagram>"
    )


def document(elements: str) -> str:
    """A whole file with these elements."""
    return f"{_HEAD}{elements}</definitions>"


def pictures(model: str, *planes: str) -> tuple[Picture, ...]:
    """The pictures of a file with these elements and diagrams."""
    return pictures_of(tree_of(document(model + "".join(planes))))


def picture(process: str, *drawn: str) -> Picture:
    """The picture of a process `p` with these elements in it."""
    (one,) = pictures(f"<process id='p' name='Order'>{process}</process>", plane("p", *drawn))
    return one


def only_shape(element: str, more: str = "", size: tuple[float, float] = (100, 80)) -> Shape:
    """The shape of the one element `a` of a process."""
    (one,) = picture(element, shape("a", 0, 0, *size, more=more)).shapes
    return one


def only_line(process: str, line: str, *shapes: str) -> Line:
    """The one line of a process."""
    (one,) = picture(process, *shapes, line).lines
    return one


def parsed(svg: str) -> ElementTree.Element:
    """A drawing as its elements: what is no XML is refused."""
    return ElementTree.fromstring(svg)


def group_of(svg: str, element: str) -> ElementTree.Element:
    """What is drawn of an element."""
    found = parsed(svg).find(f".//{SVG}g[@data-element='{element}']")
    assert found is not None, element
    return found


def drawn_of(elements: str, width: float, height: float, more: str = "") -> ElementTree.Element:
    """What is drawn of the element `a` of a process."""
    return group_of(to_svg(picture(elements, shape("a", 0, 0, width, height, more))), "a")


def title_of(svg: str, element: str) -> str:
    """What a picture says of an element."""
    return group_of(svg, element).findtext(f"{SVG}title") or ""


def texts_in(svg: str) -> list[str]:
    """All lines of text, in order of the drawing."""
    found: list[str] = []
    for text in parsed(svg).iter(f"{SVG}text"):
        spans = list(text)
        found += [span.text or "" for span in spans] if spans else [text.text or ""]
    return found
