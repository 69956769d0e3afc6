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

#: Scopes whose results are variables: a token may end anywhere in them. Source: BPMN 2.0.2 13.2.
_FORMS_OF_VARIABLES = frozenset({"sub-process", "event-sub-process", "transaction", "ad-hoc"})

#: What leads to a catching link, whose flow nobody draws.
_LINK = (
    "Throw a link of the same name; of several that catch it, the first is the one that is led to."
)


def check_structure(graph: Graph, report: Report, sources: Mapping[str, Source]) -> None:
    """Report scopes nothing starts, nodes nothing reaches and nodes nothing follows."""
    ways = Ways(graph)
    told: set[str] = set()
    completing: set[str] = set()
    dead_ends: list[Node] = []
    for scope in graph.scopes:
        if not scope.start:
            report.add(
                codes.SCOPE_WITHOUT_START, scope.span, scope.pointer or scope.id, scope=scope.id
            )
            completing.add(scope.id)
            continue
        reached = ways.reachable(scope)
        keeps_variables = scope.binds_input or scope.form in _FORMS_OF_VARIABLES
        for node in ways.nodes_of(scope.id):
            if node.id not in reached:
                _report_unreachable(node, told, report)
            elif isinstance(node, End) or (keeps_variables and node.id not in ways.followed):
                completing.add(scope.id)
            elif node.id in ways.followed or node.id in ways.undoing:
                continue
            elif not isinstance(node, Raise):
                dead_ends.append(node)
    # From any other node a dead end, an end or a circle can be reached: no more needs a finding.
    # What only ends by an error is no dead end, as nothing has to follow it; nor is what undoes
    # another activity, which the compensation follows.
    known = {scope.id for scope in graph.scopes}
    for node in dead_ends:
        body = node.body if isinstance(node, ScopeNode) else ""
        if body not in known or body in completing:
            report.add(codes.FLOW_WITHOUT_END, node.span, node.pointer, node=node.name or node.id)


def _report_unreachable(node: Node, told: set[str], report: Report) -> None:
    """Name the author's task once, however often it is laid out."""
    if not node.id.startswith("/"):
        hint = _LINK if node.construct == "intermediate-catch-event-link" else ""
        name = node.name or node.id
        report.add(codes.NODE_UNREACHABLE, node.span, node.pointer, hint=hint, node=name)
    elif not is_synthetic(node) and node.pointer not in told:
        told.add(node.pointer)
        task = node.name or node.pointer
        report.add(codes.UNREACHABLE_TASK, node.span, node.pointer, task=task)


def is_synthetic(node: Node) -> bool:
    """Whether a reader of a task list added the node: `#start`, `#end` and the like."""
    return node.id.startswith("/") and "#" in node.id.removeprefix(node.pointer)
