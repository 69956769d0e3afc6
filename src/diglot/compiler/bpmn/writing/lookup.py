"""A graph by what refers to what, so that nothing that is composed has to search."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cached_property
from typing import Final

from ...graph import (
    End,
    Flow,
    Graph,
    Handler,
    Node,
    Pass,
    Receive,
    Scope,
    ScopeNode,
    Start,
)

_NO_FLOWS: Final[tuple[Flow, ...]] = ()
_NO_HANDLERS: Final[tuple[Handler, ...]] = ()


class Lookup:
    """The parts of one graph by their ids and by what they hang on."""

    def __init__(self, graph: Graph) -> None:
        self.graph = graph
        self.nodes: dict[str, Node] = {node.id: node for node in graph.nodes}
        self.scopes: dict[str, Scope] = {scope.id: scope for scope in graph.scopes}
        self.flows: dict[str, Flow] = {flow.id: flow for flow in graph.flows}
        self._out: dict[str, list[Flow]] = {}
        self._in: dict[str, list[Flow]] = {}
        self._nodes_of: dict[str, list[Node]] = {}
        self._of_node: dict[str, list[Handler]] = {}
        self._of_scope: dict[str, list[Handler]] = {}
        #: What enters a scope: a node, or the handler that runs it.
        self.owners: dict[str, Node | Handler] = {}
        for node in graph.nodes:
            self._nodes_of.setdefault(node.scope, []).append(node)
            if isinstance(node, ScopeNode | Receive) and node.body:
                self.owners.setdefault(node.body, node)
        for flow in graph.flows:
            self._out.setdefault(flow.source, []).append(flow)
            self._in.setdefault(flow.target, []).append(flow)
        for handler in graph.handlers:
            if handler.node is not None:
                self._of_node.setdefault(handler.node, []).append(handler)
            elif handler.scope is not None:
                self._of_scope.setdefault(handler.scope, []).append(handler)
            if handler.run:
                self.owners.setdefault(handler.run, handler)

    def nodes_of(self, scope: str) -> list[Node]:
        """The nodes that stand directly in a scope, in order."""
        return self._nodes_of.get(scope, [])

    def leaving(self, node: str) -> list[Flow]:
        """The flows that a node takes when it is done."""
        return [flow for flow in self._out.get(node, _NO_FLOWS) if flow.role == "sequence"]

    def all_leaving(self, node: str) -> Iterable[Flow]:
        """Every flow that leaves a node, whatever for."""
        return self._out.get(node, _NO_FLOWS)

    def leading(self, node: str) -> Iterable[Flow]:
        """Every flow that leads to a node."""
        return self._in.get(node, _NO_FLOWS)

    def guarding_node(self, node: str) -> Iterable[Handler]:
        """The handlers of a node."""
        return self._of_node.get(node, _NO_HANDLERS)

    def guarding_scope(self, scope: str) -> Iterable[Handler]:
        """The handlers of a scope."""
        return self._of_scope.get(scope, _NO_HANDLERS)

    @cached_property
    def undoing(self) -> frozenset[str]:
        """The nodes that only undo others."""
        return frozenset(one.activity for one in self.graph.handlers if one.activity is not None)

    @cached_property
    def caught(self) -> dict[str, Handler]:
        """The nodes that are boundary events themselves: a token that is caught goes through."""
        found: dict[str, Handler] = {}
        for handler in self.graph.handlers:
            flow = self.flows.get(handler.flow or "")
            if flow is None or handler.node is None or flow.target != handler.id:
                continue
            target = self.nodes.get(flow.target)
            if isinstance(target, Pass) and len(list(self.leading(target.id))) == 1:
                found[target.id] = handler
        return found

    def start_of(self, scope: Scope) -> Start | None:
        """The start of a scope, where it begins at one."""
        node = self.nodes.get(scope.start)
        return node if isinstance(node, Start) and node.scope == scope.id else None

    def ends_of(self, scope: str) -> list[End]:
        """The ends of a scope."""
        return [node for node in self.nodes_of(scope) if isinstance(node, End)]
