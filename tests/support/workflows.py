"""Workflows as short texts, and what the reader makes of them."""

from __future__ import annotations

from typing import TypeVar

from diglot.compiler.diagnostics import Diagnostic, Report, Severity
from diglot.compiler.graph import Flow, Graph, Handler, Node, Scope
from diglot.compiler.serverless_workflow import read
from diglot.compiler.source import Source

HEAD = "document: {dsl: 1.0.3, namespace: test, name: one, version: 1.0.0}\n"

NodeT = TypeVar("NodeT", bound=Node)


def compile_text(body: str, name: str = "one.yaml") -> tuple[Graph | None, list[Diagnostic]]:
    """Graph and findings of a workflow; `document` is put in front unless the text has it."""
    text = body if body.startswith("document:") else HEAD + body
    report = Report()
    graph = read(Source(text, name), report)
    return graph, report.sorted()


def graph_of(body: str) -> Graph:
    """The graph of a workflow that has no errors."""
    graph, found = compile_text(body)
    assert [finding.message for finding in found if finding.severity is Severity.ERROR] == []
    assert graph is not None
    return graph


def findings(body: str) -> list[str]:
    """`code@line:column` of each finding; lines count from 1 behind the `document` in front."""
    places: list[str] = []
    for found in compile_text(body)[1]:
        assert found.span is not None
        start = found.span.start
        places.append(f"{found.code}@{start.line - 1}:{start.column}")
    return places


def finding(body: str, code: str) -> Diagnostic:
    """The only finding of this code."""
    (found,) = [found for found in compile_text(body)[1] if found.code == code]
    return found


def node(graph: Graph, id: str, kind: type[NodeT]) -> NodeT:
    """The node with this id, which is of this kind."""
    found = next(node for node in graph.nodes if node.id == id)
    assert isinstance(found, kind)
    return found


def scope(graph: Graph, id: str) -> Scope:
    """The scope with this id."""
    return next(scope for scope in graph.scopes if scope.id == id)


def handler(graph: Graph, id: str) -> Handler:
    """The handler with this id."""
    return next(handler for handler in graph.handlers if handler.id == id)


def flow(graph: Graph, id: str) -> Flow:
    """The flow with this id."""
    return next(flow for flow in graph.flows if flow.id == id)


def ways(graph: Graph, scope: str = "/") -> list[str]:
    """The flows of a scope, in order, as `source -> target`; ids are told without the list's own.

    A flow that is no ordinary one has its role in front, a conditional one its condition behind.
    """
    members = {node.id for node in graph.nodes if node.scope == scope}

    def short(id: str) -> str:
        return id.rpartition("/")[2]

    return [
        ("" if flow.role == "sequence" else f"{flow.role} ")
        + f"{short(flow.source)} -> {short(flow.target)}"
        + ("" if flow.condition is None else f" if {flow.condition.text}")
        for flow in graph.flows
        if flow.source in members
    ]
