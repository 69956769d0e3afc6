"""The parts of a BPMN process's graph: its flows keep the ids that their author gave them."""

from __future__ import annotations

import msgspec

from ..graph import Flow, Guard
from ..graph.builder import Builder


class Laying(Builder):
    """A builder whose flows may come with their ids."""

    def lay(self, flow: Flow) -> str:
        """Put a flow behind the flows there are; its id, made unique where it is taken."""
        found, number = flow.id, 1
        while found in self._flows:
            number += 1
            found = f"{flow.id}#{number}"
        self._flows[found] = flow if number == 1 else msgspec.structs.replace(flow, id=found)
        self._targets.add(flow.target)
        return found

    def has_node(self, node: str) -> bool:
        """Whether a node of this id has been laid out."""
        return node in self._nodes

    def guard(self, node: str, guard: Guard) -> None:
        """Let a node that is laid out run only where a condition holds."""
        found = self._nodes.get(node)
        if found is not None:
            self._nodes[node] = msgspec.structs.replace(found, guard=guard)
