"""The flows of a graph as ways from node to node, for the checks that follow them.

A flow that leads out of its scope or nowhere is no way; `references.py` reports it.
"""

from __future__ import annotations

from collections.abc import Generator, Iterable, Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Final

from diglot.compiler.graph import Flow, Graph, Node, Scope, Start

from .components import components, has_circle


class Ways:
    """The nodes of each scope and the flows between them, both in order of the document."""

    def __init__(self, graph: Graph) -> None:
        kept = _KEPT.get()
        if kept is not None and kept[0] is graph:
            self.__dict__.update(kept[1].__dict__)
        else:
            self._find(graph)

    def _find(self, graph: Graph) -> None:
        self.nodes = {node.id: node for node in graph.nodes}
        self._reached: dict[tuple[str, str, str | None], frozenset[str]] = {}
        self._in_scope: dict[str, list[Node]] = {}
        for node in self.nodes.values():
            self._in_scope.setdefault(node.scope, []).append(node)
        self._leaving: dict[str, list[Flow]] = {}
        self._arriving: dict[str, list[Flow]] = {}
        #: Activities that only a compensation begins.
        self.undoing = {handler.activity for handler in graph.handlers if handler.activity}
        #: Nodes that something follows, be it by a flow that leads nowhere.
        self.followed = {flow.source for flow in graph.flows if flow.role == "sequence"}
        for flow in graph.flows:
            source, target = self.nodes.get(flow.source), self.nodes.get(flow.target)
            if source is not None and target is not None and source.scope == target.scope:
                self._leaving.setdefault(flow.source, []).append(flow)
                self._arriving.setdefault(flow.target, []).append(flow)

    def nodes_of(self, scope: str) -> Sequence[Node]:
        """The nodes that stand directly in a scope."""
        return self._in_scope.get(scope, ())

    def leaving(self, node: str) -> Sequence[Flow]:
        """The flows of every role that start at a node."""
        return self._leaving.get(node, ())

    def arriving(self, node: str) -> Sequence[Flow]:
        """The flows of every role that lead to a node."""
        return self._arriving.get(node, ())

    def reachable(self, scope: Scope) -> frozenset[str]:
        """The nodes of a scope that a token can come to.

        It begins at the scope's start, at another start of a whole process, which whoever starts it
        may choose, or at an activity that undoes another.
        """
        # Of several scopes with one id, which is an error, each has its own start.
        key = (scope.id, scope.start, scope.parent)
        if key in self._reached:
            return self._reached[key]
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
        found = self._reached[key] = frozenset(reached)
        return found

    def cycles(self, among: Iterable[str]) -> Iterator[frozenset[str]]:
        """The largest sets of nodes in which each can be reached from each by at least one flow.

        Only flows from one node `among` these to another count. What is led to comes first.
        """
        names = list(among)
        number = {name: place for place, name in enumerate(names)}
        ways = [
            (number[name], number[flow.target])
            for name in names
            for flow in self.leaving(name)
            if flow.target in number
        ]
        if not has_circle(len(names), ways):
            return
        group = components(len(names), ways)
        members: dict[int, set[str]] = {}
        for name, component in zip(names, group, strict=True):
            members.setdefault(component, set()).add(name)
        for component in sorted(members, reverse=True):
            if len(members[component]) > 1 or self._returns(*members[component]):
                yield frozenset(members[component])

    def _returns(self, node: str) -> bool:
        return any(flow.target == node for flow in self.leaving(node))


_KEPT: Final[ContextVar[tuple[Graph, Ways] | None]] = ContextVar("kept", default=None)


@contextmanager
def ways_kept(graph: Graph) -> Generator[None, None, None]:
    """As long as this lasts, the ways of a graph are found out once for all who ask."""
    before = _KEPT.set((graph, Ways(graph)))
    try:
        yield
    finally:
        _KEPT.reset(before)
