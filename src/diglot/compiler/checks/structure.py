"""Every node of a scope can be reached from its start, and from every node an end can be.

Each scope is looked at alone: what a node does inside its own scope is another scope's matter.
"""

from __future__ import annotations

from collections.abc import Mapping

from diglot.compiler import codes
from diglot.compiler.diagnostics import Report
from diglot.compiler.graph import End, Graph, Node, Raise, ScopeNode
from diglot.compiler.source import Source

from .ways import Ways


def check_structure(graph: Graph, report: Report, sources: Mapping[str, Source]) -> None:
    """Report scopes nothing starts, nodes nothing reaches and nodes nothing follows."""
    ways = Ways(graph)
    told: set[str] = set()
    for scope in graph.scopes:
        if not scope.start:
            report.add(
                codes.SCOPE_WITHOUT_START, scope.span, scope.pointer or scope.id, scope=scope.id
            )
            continue
        reached = ways.reachable(scope.start)
        for node in ways.nodes_of(scope.id):
            if node.id not in reached:
                _report_unreachable(node, told, report)
            elif _is_dead_end(node, graph, ways):
                report.add(
                    codes.FLOW_WITHOUT_END, node.span, node.pointer, node=node.name or node.id
                )


def _report_unreachable(node: Node, told: set[str], report: Report) -> None:
    """Name the author's task once, however often it is laid out."""
    if not node.id.startswith("/"):
        report.add(codes.NODE_UNREACHABLE, node.span, node.pointer, node=node.name or node.id)
    elif not is_synthetic(node) and node.pointer not in told:
        told.add(node.pointer)
        task = node.name or node.pointer
        report.add(codes.UNREACHABLE_TASK, node.span, node.pointer, task=task)


def is_synthetic(node: Node) -> bool:
    """Whether a reader of a task list added the node: `#start`, `#end` and the like."""
    return node.id.startswith("/") and "#" in node.id.removeprefix(node.pointer)


def _is_dead_end(node: Node, graph: Graph, ways: Ways) -> bool:
    """Whether a token that is done here has no way to go.

    From any other node a dead end, an end or a circle can be reached, so no more needs a finding.
    """
    if isinstance(node, End | Raise) or node.id in ways.followed:
        return False
    return not (isinstance(node, ScopeNode) and _never_completes(node, graph, ways))


def _never_completes(node: ScopeNode, graph: Graph, ways: Ways) -> bool:
    """Whether a scope only ends by an error, so that nothing has to follow it."""
    body = next((scope for scope in graph.scopes if scope.id == node.body), None)
    if body is None or not body.start:
        return False
    reached = ways.reachable(body.start)
    ends = [one.id for one in ways.nodes_of(body.id) if isinstance(one, End)]
    return reached.isdisjoint(ends)
