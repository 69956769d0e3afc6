"""Where several tokens may be on their way at once, as far as the drawing shows."""

from __future__ import annotations

from diglot.compiler.graph import (
    Choice,
    CompensationTrigger,
    Fork,
    Graph,
    Inclusive,
    Join,
    Node,
    Race,
)

from .ways import Ways

#: What says itself which of its flows are taken.
_DECIDES = (Choice, Fork, Inclusive, Join, Race)


def is_drawn(node: Node) -> bool:
    """Whether the flows of a node were drawn, and do not follow from a list of tasks."""
    return not node.id.startswith("/")


def is_given(node: Node) -> bool:
    """Whether the node is an author's element, and was not laid out beside or inside one."""
    return node.id == node.pointer


def splits(node: Node, ways: Ways) -> int:
    """Into how many flows a node parts that is no gateway: each of them gets a token."""
    leaving = ways.leaving(node.id)
    if len(leaving) < 2 or isinstance(node, _DECIDES):
        return 0
    count = sum(flow.role == "sequence" for flow in leaving)
    return count if count > 1 else 0


def scopes_with_branches(graph: Graph, ways: Ways) -> frozenset[str]:
    """The scopes in which there may be more than one token at a time."""
    found = {scope.id for scope in graph.scopes if scope.form == "ad-hoc"}
    for node in graph.nodes:
        leaving = ways.leaving(node.id)
        is_split = len(leaving) > 1 and (
            isinstance(node, Fork | Inclusive) or splits(node, ways) > 0
        )
        multiplies = node.start_quantity > 1 or any([flow.quantity > 1 for flow in leaving])
        if is_split or multiplies:
            found.add(node.scope)
    for handler in graph.handlers:
        if handler.is_interrupting and not isinstance(handler.trigger, CompensationTrigger):
            continue
        host = ways.nodes.get(handler.node or "")
        if host is not None:
            found.add(host.scope)
        elif handler.scope is not None:
            found.add(handler.scope)
    return frozenset(found)
