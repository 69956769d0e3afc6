"""Small BPMN files as graphs, and what a test asks of them."""

from __future__ import annotations

from itertools import pairwise
from typing import TypeVar

from diglot.compiler.bpmn.profiles import profile_of
from diglot.compiler.bpmn.reader import read
from diglot.compiler.bpmn.xml import read_xml
from diglot.compiler.diagnostics import Report
from diglot.compiler.graph import Flow, Graph, Handler, Scope
from diglot.compiler.graph.nodes import Node

_HEAD = (
    "<definitions xmlns='http://www.omg.org/spec/BPMN/20100524/MODEL' "
    "xmlns:xsi='http://www.w3.org/2001/XMLSchema-instance' "
    "xmlns:zeebe='http://camunda.org/schema/zeebe/1.0' "
    "xmlns:camunda='http://camunda.org/schema/1.0/bpmn' "
    "xmlns:flowable='http://flowable.org/bpmn' "
    "targetNamespace='https://diglot.example/reading'>"
)

T = TypeVar("T")


def graphs_of(body: str) -> tuple[tuple[Graph, ...], Report]:
    """The graphs of a file with these elements, and what was found while reading them."""
    found = Report()
    document = read_xml(f"{_HEAD}{body}</definitions>", "order.bpmn", found)
    assert document is not None
    report = Report()
    return read(document, report, profile=profile_of(document)), report


def graph_of(body: str, around: str = "", *, finds: tuple[str, ...] = ()) -> Graph:
    """The graph of an executable process `order` with these elements; `around` stands beside it.

    `finds` are the names of what is found while it is read.
    """
    graphs, report = graphs_of(f"{around}<process id='order' isExecutable='true'>{body}</process>")
    assert tuple(dict.fromkeys(names_of(report))) == finds
    return next(graph for graph in graphs if graph.name == "order")


def names_of(report: Report) -> list[str]:
    """The names of the findings, in order of their places."""
    from diglot.compiler import codes

    return [codes.by_id(found.code).name for found in report.sorted()]


def node(graph: Graph, id: str, kind: type[T]) -> T:
    """The node of this id, which is of this kind."""
    found = next(node for node in graph.nodes if node.id == id)
    assert isinstance(found, kind)
    return found


def kinds(graph: Graph, scope: str = "/") -> dict[str, str]:
    """The kinds of the nodes of a scope, by their ids."""
    return {node.id: str(node.__struct_config__.tag) for node in graph.nodes if node.scope == scope}


def flow(graph: Graph, id: str) -> Flow:
    """The flow of this id."""
    return next(flow for flow in graph.flows if flow.id == id)


def ways(graph: Graph, source: str) -> list[str]:
    """Where the flows of a node lead, in order of the file."""
    return [flow.target for flow in graph.flows if flow.source == source]


def handler(graph: Graph, id: str) -> Handler:
    """The handler of this id."""
    return next(handler for handler in graph.handlers if handler.id == id)


def scope(graph: Graph, id: str) -> Scope:
    """The scope of this id."""
    return next(scope for scope in graph.scopes if scope.id == id)


def find(graph: Graph, id: str) -> Node | None:
    """The node of this id, if there is one."""
    return next((node for node in graph.nodes if node.id == id), None)


def path(text: str) -> str:
    """Sequence flows along a path: `a b c` has the flows `a-b` and `b-c`."""
    nodes = text.split()
    return "".join(
        f"<sequenceFlow id='{source}-{target}' sourceRef='{source}' targetRef='{target}'/>"
        for source, target in pairwise(nodes)
    )


def chosen(source: str, target: str, condition: str) -> str:
    """A sequence flow with a condition."""
    return (
        f"<sequenceFlow id='{source}-{target}' sourceRef='{source}' targetRef='{target}'>"
        f"<conditionExpression xsi:type='tFormalExpression'>{condition}</conditionExpression>"
        "</sequenceFlow>"
    )
