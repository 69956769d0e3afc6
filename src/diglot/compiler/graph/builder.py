"""Collects the parts of a graph in the order of the document and freezes them."""

from __future__ import annotations

from typing import Literal

import msgspec

from .. import codes
from ..diagnostics import Report
from ..source import Span
from .data import Expression
from .model import Flow, Graph, Handler, Scope
from .nodes import Node

#: More nodes than any author lays out by hand; what is laid out several times can explode.
NODE_LIMIT = 30_000
#: Ids repeat the way to a node, so that few nodes can have very many characters.
ID_CHARACTERS_LIMIT = 50_000_000


class Builder:
    """The parts of one graph while a reader finds them.

    An id that is already taken is reported and its part dropped, so that what is frozen can be
    indexed by id. Nodes, flows, scopes and handlers have each their own ids.
    """

    def __init__(self, report: Report, *, limit: int = NODE_LIMIT) -> None:
        self.report = report
        #: The number of nodes at which the builder is full.
        self.limit = limit
        self._scopes: dict[str, Scope] = {}
        self._nodes: dict[str, Node] = {}
        self._flows: dict[str, Flow] = {}
        self._handlers: dict[str, Handler] = {}
        self._parallels: dict[str, int] = {}
        self._targets: set[str] = set()
        self._id_characters = 0

    @property
    def is_full(self) -> bool:
        """Whether the graph has as many nodes as it may have; a reader then lays out no more."""
        return len(self._nodes) >= self.limit or self._id_characters >= ID_CHARACTERS_LIMIT

    def add(self, node: Node) -> None:
        """Put `node` behind the nodes there are."""
        if node.id in self._nodes:
            self._refuse(node.id, node.span, node.pointer)
        else:
            self._nodes[node.id] = node
            self._id_characters += len(node.id)

    def add_scope(self, scope: Scope) -> None:
        """Put `scope` behind the scopes there are; an enclosing scope comes first."""
        if scope.id in self._scopes:
            self._refuse(scope.id, scope.span, scope.pointer)
        else:
            self._scopes[scope.id] = scope

    def add_handler(self, handler: Handler) -> None:
        """Put `handler` behind the handlers there are; the order decides between two that match."""
        if handler.id in self._handlers:
            self._refuse(handler.id, handler.span, handler.pointer)
        else:
            self._handlers[handler.id] = handler

    def add_flow(
        self,
        source: str,
        target: str,
        *,
        role: Literal["sequence", "skip", "handler"] = "sequence",
        condition: Expression | None = None,
        name: str = "",
    ) -> str:
        """Put a flow behind the flows there are; its id, `<source>-><target>` made unique."""
        base = f"{source}->{target}" if role == "sequence" else f"{source}->{target}#{role}"
        count = self._parallels.get(base, 0) + 1
        self._parallels[base] = count
        flow_id = base if count == 1 else f"{base}#{count}"
        self._flows[flow_id] = Flow(
            id=flow_id, source=source, target=target, role=role, condition=condition, name=name
        )
        self._targets.add(target)
        return flow_id

    def is_target(self, node_id: str) -> bool:
        """Whether some flow leads to this id, whether or not the node is there yet."""
        return node_id in self._targets

    def freeze(self, heading: Graph) -> Graph:
        """`heading` with all parts in it."""
        return msgspec.structs.replace(
            heading,
            scopes=tuple(self._scopes.values()),
            nodes=tuple(self._nodes.values()),
            flows=tuple(self._flows.values()),
            handlers=tuple(self._handlers.values()),
        )

    def _refuse(self, taken: str, span: Span | None, pointer: str) -> None:
        self.report.add(codes.DUPLICATE_NODE_ID, span, pointer, id=taken)
