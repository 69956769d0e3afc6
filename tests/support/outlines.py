"""What a composed file shows, as short lines that a test can tell exactly.

    start: startEvent 'Start' -> check
    check: exclusiveGateway 'Amount?' -> approve (amount > 1000), reject* (otherwise)
    late: boundaryEvent/timer 'After 1 minute' at approve -> end
    all: subProcess+multi 'All' -> end | For each pet
      all_start: startEvent 'Start' -> ...

An element is told by its id, its kind with its event definitions and its loop, its name, what it is
attached to, its flows with their names, and the notes beside it. A default flow has a `*`, an event
that does not interrupt a `~`, an activity that undoes another a `^`.
"""

from __future__ import annotations

from collections.abc import Iterator
from textwrap import dedent

import msgspec

from diglot.compiler import compile_source
from diglot.compiler.bpmn.rules.kinds import FLOW_NODES
from diglot.compiler.bpmn.writing.compose import compose
from diglot.compiler.bpmn.writing.tag import Tag
from diglot.compiler.bpmn.writing.view import View
from diglot.compiler.diagnostics import Report
from diglot.compiler.graph import Graph
from support.workflows import graph_of

_LOOPS = {
    "standardLoopCharacteristics": "+loop",
    "multiInstanceLoopCharacteristics": "+multi",
}


def composed(body: str, view: View = "business") -> Tag:
    """The process of a workflow in YAML; `document` is put in front of it."""
    return process_of(graph_of(dedent(body).lstrip()), view)


def lines(text: str) -> str:
    """An outline as it stands in a test."""
    return dedent(text).strip()


def process_of(graph: Graph, view: View = "business") -> Tag:
    """The process of a graph."""
    report = Report()
    root = compose(graph, view, report)
    assert report.diagnostics == []
    (process,) = root.each("process")
    return process


def graph_of_bpmn(body: str) -> Graph:
    """The graph of an executable process with these elements, as if it had never been BPMN."""
    text = (
        "<definitions xmlns='http://www.omg.org/spec/BPMN/20100524/MODEL' "
        "xmlns:xsi='http://www.w3.org/2001/XMLSchema-instance' targetNamespace='urn:test'>"
        f"<process id='order' isExecutable='true'>{body}</process></definitions>"
    )
    graph = compile_source(text, "order.bpmn").graph
    assert graph is not None
    return msgspec.structs.replace(graph, foreign=None, presentation=None)


def drawn(body: str, view: View = "business") -> str:
    """The outline of a workflow in YAML."""
    return outline(composed(body, view))


def outline(process: Tag) -> str:
    """The elements of a process, one a line."""
    return "\n".join(_lines(process, 0))


def _lines(container: Tag, depth: int) -> Iterator[str]:
    flows = {flow.id: flow for flow in container.each("sequenceFlow")}
    texts = {
        note.id: note.children[0].text.replace("\n", "; ")
        for note in container.each("textAnnotation")
    }
    notes = {
        one.attributes["sourceRef"]: texts[one.attributes["targetRef"]]
        for one in container.each("association")
        if one.attributes["targetRef"] in texts
    }
    for element in container.children:
        if element.name not in FLOW_NODES:
            continue
        yield "  " * depth + _line(element, flows, notes)
        yield from _lines(element, depth + 1)


def _line(element: Tag, flows: dict[str, Tag], notes: dict[str, str]) -> str:
    kind = element.name + "".join(
        f"/{child.name.removesuffix('EventDefinition')}"
        for child in element.children
        if child.name.endswith("EventDefinition")
    )
    kind += "".join(_LOOPS.get(child.name, "") for child in element.children)
    marks = "~" if "false" in _interrupting(element) else ""
    marks += "^" if element.attributes.get("isForCompensation") else ""
    text = f"{element.id}: {kind}{marks}"
    if name := element.attributes.get("name"):
        text += f" {name!r}"
    if host := element.attributes.get("attachedToRef"):
        text += f" at {host}"
    ways = [_way(element, flows[child.text]) for child in element.each("outgoing")]
    if ways:
        text += f" -> {', '.join(ways)}"
    return f"{text} | {notes[element.id]}" if element.id in notes else text


def _interrupting(element: Tag) -> list[str | None]:
    return [element.attributes.get(name) for name in ("cancelActivity", "isInterrupting")]


def _way(source: Tag, flow: Tag) -> str:
    mark = "*" if source.attributes.get("default") == flow.id else ""
    name = flow.attributes.get("name")
    return f"{flow.attributes['targetRef']}{mark}" + (f" ({name})" if name else "")
