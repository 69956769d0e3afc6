"""The parts of a BPMN process's graph: its flows keep the ids that their author gave them."""

from __future__ import annotations

from collections.abc import Container

import msgspec

from ..diagnostics import Report
from ..graph import Flow, Graph, Guard
from ..graph.builder import NODE_LIMIT, Builder


def free_name(name: str, taken: Container[str], mark: str = "#") -> str:
    """A name that is not taken: this one, or with a number from 2 behind a mark."""
    found, number = name, 1
    while found in taken:
        number += 1
        found = f"{name}{mark}{number}"
    return found


class Laying(Builder):
    """A builder whose flows may come with their ids, and whose nodes may be preceded by others."""

    def __init__(self, report: Report, *, limit: int = NODE_LIMIT) -> None:
        super().__init__(report, limit=limit)
        #: By node the first and the last of what stands in front of it.
        self._fronts: dict[str, tuple[str, str]] = {}

    def lay(self, flow: Flow) -> str:
        """Put a flow behind the flows there are; its id, made unique where it is taken."""
        found = free_name(flow.id, self._flows)
        self._flows[found] = flow if found == flow.id else msgspec.structs.replace(flow, id=found)
        self._targets.add(flow.target)
        return found

    def has_node(self, node: str) -> bool:
        """Whether a node of this id has been laid out."""
        return node in self._nodes

    def precede(self, node: str, first: str, last: str) -> None:
        """Let all flows to a node lead to `first` instead, and one from `last` to the node."""
        self.add_flow(last, node)
        self._fronts[node] = first, last

    def freeze(self, heading: Graph) -> Graph:
        """`heading` with all parts in it."""
        graph = super().freeze(heading)
        if not self._fronts:
            return graph
        return msgspec.structs.replace(graph, flows=tuple(map(self._led, graph.flows)))

    def _led(self, flow: Flow) -> Flow:
        first, last = self._fronts.get(flow.target, ("", ""))
        if not first or flow.source == last:
            return flow
        return msgspec.structs.replace(flow, target=first)

    def guard(self, node: str, guard: Guard) -> None:
        """Let a node that is laid out run only where a condition holds."""
        found = self._nodes.get(node)
        if found is not None:
            self._nodes[node] = msgspec.structs.replace(found, guard=guard)
