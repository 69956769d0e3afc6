"""What of a graph is not drawn: what no token comes to, and what only the technical view tells."""

from __future__ import annotations

from collections.abc import Iterator

from ...checks.ways import Ways
from ...graph import End, Graph, Handler, Inclusive, Join, Node, Raise, Scope, ScopeNode
from .lookup import Lookup
from .view import View


def hidden_nodes(lookup: Lookup, graph: Graph, view: View) -> frozenset[str]:
    """The nodes that have no shape, and whose flows have no lines.

    An engine would begin at what nothing leads to, and a reader would wonder how it is come to.
    """
    ways = Ways(graph)
    found: set[str] = set()
    for scope in graph.scopes:
        reached = ways.reachable(scope) if scope.start else frozenset[str]()
        nodes = lookup.nodes_of(scope.id)
        found.update(node.id for node in nodes if reached and node.id not in reached)
        if scope.form == "ad-hoc":
            found.update(_choosing(lookup, scope))
        if view == "business":
            found.update(_given_up(lookup, nodes))
    return frozenset(found)


def gives_up(lookup: Lookup, scope: Scope, hidden: frozenset[str]) -> bool:
    """Whether it is hidden what a scope does once all of its branches have failed."""
    return any(isinstance(one, Join) and one.id in hidden for one in lookup.nodes_of(scope.id))


def is_hidden(lookup: Lookup, handler: Handler, hidden: frozenset[str]) -> bool:
    """Whether a handler leads to what is hidden."""
    flow = lookup.flows.get(handler.flow or "")
    return flow is not None and flow.target in hidden


def _choosing(lookup: Lookup, scope: Scope) -> Iterator[str]:
    """What chooses the first activities of an ad-hoc sub-process, which has no flows for that."""
    for flow in lookup.all_leaving(scope.start):
        node = lookup.nodes[flow.target]
        if isinstance(node, Inclusive) and not node.construct:
            yield node.id
            targets = (lookup.nodes[one.target] for one in lookup.all_leaving(node.id))
            yield from (one.id for one in targets if isinstance(one, End) and not one.construct)


def _given_up(lookup: Lookup, nodes: list[Node]) -> Iterator[str]:
    """Where branches that compete meet when each has failed, and the error that is raised then."""
    for join in nodes:
        leading = list(lookup.leading(join.id))
        if not isinstance(join, Join) or join.construct or not leading:
            continue
        leaving = lookup.leaving(join.id)
        end = lookup.nodes.get(leaving[0].target) if len(leaving) == 1 else None
        come = (lookup.nodes.get(flow.source) for flow in leading)
        is_lost = all(flow.role == "handler" for flow in leading)
        if is_lost and isinstance(end, Raise) and all(isinstance(one, ScopeNode) for one in come):
            yield from (join.id, end.id)
