"""The flows of a graph as ways from node to node, for the checks that follow them.

A flow that leads out of its scope or nowhere is no way; `references.py` reports it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from diglot.compiler.graph import Flow, Graph, Node, Scope, Start


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

        Tarjan's algorithm, without recursion: documents can be long.
        """
        order: dict[str, int] = {}
        lowest: dict[str, int] = {}
        path: list[str] = []
        on_path: set[str] = set()
        for first in among:
            if first in order:
                continue
            work: list[tuple[str, int]] = [(first, 0)]
            while work:
                node, taken = work.pop()
                if taken == 0:
                    order[node] = lowest[node] = len(order)
                    path.append(node)
                    on_path.add(node)
                flows = self.leaving(node)
                if taken > 0:
                    lowest[node] = min(lowest[node], lowest[flows[taken - 1].target])
                while taken < len(flows):
                    target = flows[taken].target
                    taken += 1
                    if target not in order:
                        work.extend(((node, taken), (target, 0)))
                        break
                    if target in on_path:
                        lowest[node] = min(lowest[node], order[target])
                else:
                    if lowest[node] == order[node]:
                        component = _cut(path, node)
                        on_path -= component
                        if len(component) > 1 or self._returns(node):
                            yield component

    def _returns(self, node: str) -> bool:
        return any(flow.target == node for flow in self.leaving(node))


def _cut(path: list[str], node: str) -> frozenset[str]:
    """Take `node` and what was found after it off the path."""
    component = {path.pop()}
    while node not in component:
        component.add(path.pop())
    return frozenset(component)
