"""The flows of a graph as ways from node to node, for the checks that follow them.

A flow that leads out of its scope or nowhere is no way; `references.py` reports it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from diglot.compiler.graph import Flow, Graph, Node, Scope, Start

from .components import components


class Ways:
    """The nodes of each scope and the flows between them, both in order of the document."""

    def __init__(self, graph: Graph) -> None:
        self.nodes = {node.id: node for node in graph.nodes}
        self._in_scope: dict[str, list[Node]] = {}
        for node in self.nodes.values():
            self._in_scope.setdefault(node.scope, []).append(node)
        self._leaving: dict[str, list[Flow]] = {}
        #: Activities that only a compensation begins.
        self.undoing = {handler.activity for handler in graph.handlers if handler.activity}
        #: Nodes that something follows, be it by a flow that leads nowhere.
        self.followed = {flow.source for flow in graph.flows if flow.role == "sequence"}
        for flow in graph.flows:
            source, target = self.nodes.get(flow.source), self.nodes.get(flow.target)
            if source is not None and target is not None and source.scope == target.scope:
                self._leaving.setdefault(flow.source, []).append(flow)

    def nodes_of(self, scope: str) -> Sequence[Node]:
        """The nodes that stand directly in a scope."""
        return self._in_scope.get(scope, ())

    def leaving(self, node: str) -> Sequence[Flow]:
        """The flows of every role that start at a node."""
        return self._leaving.get(node, ())

    def reachable(self, scope: Scope) -> frozenset[str]:
        """The nodes of a scope that a token can come to.

        It begins at the scope's start, at another start of a whole process, which whoever starts it
        may choose, or at an activity that undoes another.
        """
        reached: set[str] = set()
        rest = [scope.start] if scope.start in self.nodes else []
        for one in self.nodes_of(scope.id):
            is_other_start = isinstance(one, Start) and scope.parent is None
            if one.id in self.undoing or is_other_start:
                rest.append(one.id)
        while rest:
            node = rest.pop()
            if node not in reached:
                reached.add(node)
                rest.extend(flow.target for flow in self.leaving(node))
        return frozenset(reached)

    def cycles(self, among: Iterable[str]) -> Iterator[frozenset[str]]:
        """The largest sets of nodes in which each can be reached from each by at least one flow.

        `among` has with each node all that it leads to. What is led to comes first.
        """
        names = list(among)
        number = {name: place for place, name in enumerate(names)}
        flows = (flow for name in names for flow in self.leaving(name))
        group = components(
            len(names), [(number[flow.source], number[flow.target]) for flow in flows]
        )
        members: dict[int, set[str]] = {}
        for name, component in zip(names, group, strict=True):
            members.setdefault(component, set()).add(name)
        for component in sorted(members, reverse=True):
            if len(members[component]) > 1 or self._returns(*members[component]):
                yield frozenset(members[component])

    def _returns(self, node: str) -> bool:
        return any(flow.target == node for flow in self.leaving(node))
