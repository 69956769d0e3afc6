"""The states of a definition's nodes and flows in one run, from the history of the run."""

from __future__ import annotations

from collections.abc import Iterable

from diglot.compiler.drawing.states import State, Status
from diglot.compiler.graph import Graph
from diglot.runtime import events as e
from diglot.runtime.secrets import masked


class Trace:
    """Takes in a history, and says of each node and flow where the run stands with it."""

    def __init__(self, graph: Graph) -> None:
        self._nodes: dict[int, str] = {}
        #: Of each node: its open visits and whether they wait; how it ended last, and why.
        self._open: dict[str, dict[int, Status]] = {}
        self._ended: dict[str, tuple[Status, str]] = {}
        self._counts: dict[str, int] = {}
        #: How often a condition let a node be left out; that is told where it never was done.
        self._skips: dict[str, int] = {}
        # A boundary event may be a node as well, which is counted itself.
        nodes = {node.id for node in graph.nodes}
        handlers = [one for one in graph.handlers if one.id not in nodes]
        self._known = {one.id for one in handlers}
        self._by_flow = {one.flow: one.id for one in handlers if one.flow is not None}

    def states(self) -> dict[str, State]:
        """The states by the ids of nodes, flows and handlers."""
        found = {name: State(status="skipped", count=count) for name, count in self._skips.items()}
        for name, count in self._counts.items():
            opened = self._open.get(name)
            status, note = self._ended.get(name, ("done", ""))
            if opened:
                is_waiting = all(one == "waiting" for one in opened.values())
                status, note = ("waiting" if is_waiting else "active"), ""
            found[name] = State(status=status, count=count, note=note)
        return found

    def follow(self, events: Iterable[e.Event]) -> None:
        """Take in more of the history."""
        for event in events:
            self._apply(event)

    def _apply(self, event: e.Event) -> None:
        match event:
            case e.VisitEntered(id=id, node=node):
                self._count(node)
                self._nodes[id] = node
                self._open.setdefault(node, {})[id] = "active"
            case e.VisitPassed(node=node, routes=routes):
                self._count(node)
                self._ended[node] = ("done", "")
                self._take(routes)
            case e.VisitSkipped(node=node, routes=routes):
                self._skips[node] = self._skips.get(node, 0) + 1
                self._take(routes)
            case e.TokenEnded(node=node):
                self._count(node)
                self._ended[node] = ("done", "")
            case e.VisitLeft(id=id, routes=routes):
                self._end(id, "done", "")
                self._take(routes)
            case e.VisitFailed(id=id, error=error):
                self._end(id, "failed", str(masked(error.get("title", ""))))
            case e.VisitCancelled(id=id):
                self._end(id, "skipped", "cancelled")
            case e.TimerArmed(visit=int() as visit, purpose="wait"):
                self._wait(visit)
            case e.SubscriptionOpened(visit=int() as visit, handler=None):
                self._wait(visit)
            case e.TokenPut(route=route):
                self._take((route,))
            case e.ScopeEntered(handler=str() as handler) if handler in self._known:
                self._count(handler)
            case _:
                pass

    def _count(self, name: str) -> None:
        self._counts[name] = self._counts.get(name, 0) + 1

    def _take(self, routes: Iterable[e.Route]) -> None:
        for route in routes:
            if route.flow is not None:
                self._count(route.flow)
                if route.flow in self._by_flow:
                    self._count(self._by_flow[route.flow])

    def _end(self, id: int, status: Status, note: str) -> None:
        node = self._nodes.pop(id, None)
        if node is not None:
            self._open[node].pop(id, None)
            self._ended[node] = (status, note)

    def _wait(self, id: int) -> None:
        node = self._nodes.get(id)
        if node is not None:
            self._open[node][id] = "waiting"
