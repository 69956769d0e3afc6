"""The order in which a reader lays out the parts of a graph, from the outside in.

The readable form is silent about an order that is this one, and says any other.
"""

from __future__ import annotations

from collections.abc import Iterator

from .model import Flow, Graph, Handler
from .nodes import Fork, Node, Receive, ScopeNode


class UsualOrder:
    """The parts of a graph in a reader's order, as far as scopes and flows tell it.

    What is inside a node follows it at once: its body, then what the body's handlers run. A flow
    stands with its source; the branches of a fork come with their targets. A handler follows all
    that is inside what it guards.
    """

    def __init__(self, graph: Graph) -> None:
        self._graph = graph
        self._in_scope: dict[str, list[Node]] = {}
        for node in graph.nodes:
            self._in_scope.setdefault(node.scope, []).append(node)
        self._runs: dict[str, list[str]] = {}
        for handler in graph.handlers:
            if handler.scope is not None and handler.run is not None:
                self._runs.setdefault(handler.scope, []).append(handler.run)
        #: Scope id to the number of nodes when it is complete, and how deep it stands.
        self._ends: dict[str, tuple[int, int]] = {}
        self.nodes: list[Node] = []
        for scope in (graph.root, *(scope.id for scope in graph.scopes), *self._in_scope):
            self._enter(scope)
        self._places = {node.id: place for place, node in enumerate(self.nodes)}
        self._by_id = {node.id: node for node in self.nodes}
        forks = {node.id for node in self.nodes if isinstance(node, Fork)}
        self._forks = forks
        branches = {flow.target for flow in graph.flows if flow.source in forks}
        #: A branch's flows come when the first node that they lead to comes.
        self._joins: dict[str, int] = {}
        for flow in graph.flows:
            if flow.source in branches and flow.target in self._places:
                place = self._places[flow.target]
                self._joins[flow.source] = min(place, self._joins.get(flow.source, place))
        self.flows = sorted(graph.flows, key=self._flow_place)
        self.handlers = sorted(graph.handlers, key=self._handler_place)

    def _enter(self, outermost: str) -> None:
        """Depth first, without recursion: a graph can be nested deeper than the stack."""
        work: list[tuple[str, Iterator[Node | str]]] = []
        following: str | None = outermost
        while True:
            if following is not None and following not in self._ends:
                self._ends[following] = (0, len(work))
                work.append((following, self._inside(following)))
            if not work:
                return
            scope, inside = work[-1]
            part = next(inside, None)
            following = part if isinstance(part, str) else None
            if part is None:
                self._ends[scope] = (len(self.nodes), len(work) - 1)
                work.pop()
            elif not isinstance(part, str):
                self.nodes.append(part)
                following = part.body if isinstance(part, ScopeNode | Receive) else None

    def _inside(self, scope: str) -> Iterator[Node | str]:
        """The nodes of a scope, then the scopes that its handlers run."""
        yield from self._in_scope.get(scope, ())
        yield from self._runs.get(scope, ())

    def _flow_place(self, flow: Flow) -> tuple[int, int]:
        source = self._places.get(flow.source, len(self.nodes))
        if flow.source in self._forks:
            return self._places.get(flow.target, source), source
        return self._joins.get(flow.source, source), source

    def _handler_place(self, handler: Handler) -> tuple[int, int]:
        """Where what is guarded ends; of two that end together the inner one comes first."""
        node = self._by_id.get(handler.node or "")
        if node is None:
            end, depth = self._ends.get(handler.scope or "", (len(self.nodes), 0))
            return end, -2 * depth
        depth = self._ends[node.scope][1]
        body = node.body if isinstance(node, ScopeNode | Receive) else None
        end = self._places[node.id] + 1 if body is None else self._ends.get(body, (0, 0))[0]
        return end, -2 * depth - 1
