"""When an expression is evaluated, and whose variables it sees then."""

from __future__ import annotations

from typing import Final

from diglot.compiler.graph import (
    Choice,
    CompensationTrigger,
    Graph,
    Node,
    Receive,
    ScopeNode,
    Wait,
)
from diglot.compiler.graph.sites import Site

from .uses import Spot

#: Evaluated before there is an instance.
BEFORE: Final = frozenset({"workflow-input", "schedule", "schema"})
#: Where the input of an activity, as it has read it, is not there yet.
UNREAD: Final = frozenset({"guard", "needs", "read"})
#: What becomes of a result.
GIVES: Final = frozenset({"write", "export", "each-write", "each-export"})


def owner_of(site: Site) -> str:
    """The id of the node or handler that an expression belongs to."""
    owner = site.node or site.handler
    return "" if owner is None else owner.id


def spot_of_handler(site: Site) -> Spot:
    """When a handler's expression is evaluated: what arms it as soon as what it guards begins."""
    handler = site.handler
    if handler is None:
        return "handler", ""
    if site.place in ("timer", "correlation"):
        if handler.node is not None:
            return "begin", handler.node
        if handler.scope is not None:
            return "enter", handler.scope
    return "handler", handler.id


def begins_with(node: Node, site: Site) -> bool:
    """Whether an expression of a node with a body is evaluated before the body."""
    has_body = isinstance(node, ScopeNode) or (isinstance(node, Receive) and bool(node.body))
    return has_body and site.place not in GIVES


def inner_scope(node: Node | None, site: Site) -> tuple[str, bool]:
    """The body whose variables an expression of its node sees once the body is done.

    And whether its input is an object of them.
    """
    if not isinstance(node, ScopeNode):
        return "", False
    if site.place in ("completion", "while"):
        return node.body, False
    if site.place not in ("write", "export"):
        return "", False
    if node.multi is not None and site.expression is node.multi.output:
        return node.body, False
    if node.data is not None and node.data.export_mode == "variables":
        return node.body, True
    return "", False


def is_awaited(site: Site) -> bool:
    """Whether somebody waits until an expression is true."""
    if site.place != "condition":
        return False
    return site.handler is not None or isinstance(site.node, Wait)


def first_conditions(graph: Graph) -> set[int]:
    """The conditions that are asked first, by their identity."""
    first = {node.branches[0] for node in graph.nodes if isinstance(node, Choice) and node.branches}
    return {id(flow.condition) for flow in graph.flows if flow.id in first}


def undoing_in(graph: Graph) -> tuple[frozenset[str], frozenset[str]]:
    """What compensations begin: activities, and the scopes in which they do it."""
    activities = {handler.activity for handler in graph.handlers if handler.activity is not None}
    scopes = {
        handler.run
        for handler in graph.handlers
        if handler.run is not None and isinstance(handler.trigger, CompensationTrigger)
    }
    if activities:
        scopes |= {
            node.body
            for node in graph.nodes
            if isinstance(node, ScopeNode) and node.id in activities
        }
    if scopes:
        for scope in graph.scopes:
            if scope.parent in scopes:
                scopes.add(scope.id)
    return frozenset(activities), frozenset(scopes)
