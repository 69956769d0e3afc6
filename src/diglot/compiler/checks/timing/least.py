"""How long something takes at least before it completes, whichever way it goes.

Only waits of a known length count; work, events and conditions may take no time at all. That
something fails or is interrupted does not complete it, but may lead elsewhere at any moment.
"""

from __future__ import annotations

from heapq import heappop, heappush
from typing import cast

from diglot.compiler.graph import (
    Constant,
    End,
    Flow,
    Graph,
    Handler,
    Join,
    Listing,
    MultiInstance,
    Node,
    Raise,
    ScopeNode,
    Start,
    TimerTrigger,
    Value,
    Wait,
)

from ..ways import Ways
from .lengths import known_cycle, known_duration, least_ms


class Least:
    """The least time (`_ms`) of every node and scope of a graph."""

    def __init__(self, graph: Graph, ways: Ways) -> None:
        self._ways = ways
        self._handlers = {
            flow: handler
            for handler in graph.handlers
            for flow in (handler.flow, handler.leave_by)
            if flow is not None
        }
        self._of_scope: dict[str, list[Handler]] = {}
        for handler in graph.handlers:
            if handler.scope is not None and handler.is_interrupting and handler.raises is None:
                self._of_scope.setdefault(handler.scope, []).append(handler)
        #: Scopes in which something, at any depth, may end the whole instance.
        self._ending = _ending(graph)
        #: Of the scopes themselves, without what their handlers do instead.
        self.bodies: dict[str, int] = {}
        self.scopes: dict[str, int] = {}
        starts = {scope.id: scope.start for scope in graph.scopes}
        for scope in _inside_out(graph):
            self.bodies[scope] = self._of_flows(scope, starts[scope])
            # A handler's scope lies inside the one it is for, and is known by now.
            self.scopes[scope] = self._with_handlers(scope)

    def of(self, node: Node) -> int:
        """The least time of a node itself, where it is not skipped."""
        match node:
            case Wait(timer=TimerTrigger() as timer):
                return _of_timer(timer)
            case ScopeNode(body=body, ad_hoc=None):
                return self._times(node) * self.scopes.get(body, 0)
            case _:
                return 0

    def _times(self, node: ScopeNode) -> int:
        """How many runs of the body follow each other at least."""
        if node.multi is not None:
            return _runs_of(node.multi)
        if node.loop is not None and node.loop.is_tested_before:
            return 0
        return 1

    def _with_handlers(self, scope: str) -> int:
        """The least time of a scope where its handlers may complete it, too."""
        ways = [self.bodies[scope]]
        for handler in self._of_scope.get(scope, ()):
            begins = _of_timer(handler.trigger)
            ways.append(begins + self.scopes.get(handler.run or "", 0))
        return min(ways)

    def _of_flows(self, scope: str, start: str) -> int:
        """The least time in which a token comes from the start of a scope to an end of it.

        A scope that has no end, or none that can be reached, takes no known time.
        """
        ways = self._ways
        came: dict[str, dict[str, int]] = {}
        done: set[str] = set()
        ends: list[int] = []
        # A process may be begun at each of its starts.
        starts = {node.id for node in ways.nodes_of(scope) if isinstance(node, Start)}
        queue = [(0, node) for node in sorted(starts | {start}) if node in ways.nodes]
        while queue:
            at, name = heappop(queue)
            if name in done:
                continue
            done.add(name)
            node = ways.nodes[name]
            left = at if node.guard is not None and node.guard.skip is None else at + self.of(node)
            is_over = not isinstance(node, Raise) and name not in ways.followed
            if isinstance(node, End) or is_over:
                ends.append(left)
            if isinstance(node, ScopeNode) and node.body in self._ending:
                ends.append(at)
            for flow in ways.leaving(name):
                target = ways.nodes[flow.target]
                begins = at + self._begins(flow) if flow.role != "sequence" else left
                if isinstance(target, Join):
                    flows = came.setdefault(target.id, {})
                    flows.setdefault(flow.id, begins)
                    need = target.need or len(ways.arriving(target.id))
                    if len(flows) < need:
                        continue
                    begins = max(begins, sorted(flows.values())[need - 1])
                if target.id not in done:
                    heappush(queue, (begins, target.id))
        return min(ends, default=0)

    def _begins(self, flow: Flow) -> int:
        """When a handler of a node takes its flow at the earliest."""
        handler = self._handlers.get(flow.id)
        return 0 if handler is None else _of_timer(handler.trigger)


def _of_timer(trigger: object) -> int:
    """After how long a trigger comes at the earliest."""
    if not isinstance(trigger, TimerTrigger):
        return 0
    if trigger.form == "duration":
        length = known_duration(trigger.value)
        return 0 if length is None else max(0, least_ms(length))
    cycle = known_cycle(trigger)
    if cycle is None or cycle.anchor_ms is not None:
        return 0
    return cycle.every.months * 28 * 86_400_000 + cycle.every.milliseconds


def _runs_of(multi: MultiInstance) -> int:
    """How many runs follow each other at least."""
    if multi.condition is not None:
        return 0
    count = _count(multi.collection, multi.cardinality)
    if count <= 0 or multi.completion is not None:
        return max(0, min(count, 1))
    if multi.is_sequential:
        return count
    return -(-count // multi.limit) if multi.limit else 1


def _count(collection: Value | None, cardinality: Value | None) -> int:
    """How many items there surely are."""
    if isinstance(collection, Listing):
        return len(collection.items)
    known = collection if collection is not None else cardinality
    document = known.document if isinstance(known, Constant) else None
    if isinstance(document, list):
        return len(cast("list[object]", document))
    return document if isinstance(document, int) else 0


def _ending(graph: Graph) -> frozenset[str]:
    parents = {scope.id: scope.parent for scope in graph.scopes}
    found: set[str] = set()
    for node in graph.nodes:
        scope = node.scope if isinstance(node, End) and node.effect == "instance" else None
        while scope is not None and scope not in found:
            found.add(scope)
            scope = parents.get(scope)
    return frozenset(found)


def _inside_out(graph: Graph) -> list[str]:
    """The scopes, each behind all that stand in it; those in a circle are left out."""
    children: dict[str | None, list[str]] = {}
    for scope in graph.scopes:
        children.setdefault(scope.parent, []).append(scope.id)
    order: list[str] = []
    seen: set[str] = set()
    known = {scope.id for scope in graph.scopes}
    rest = [graph.root]
    while rest:
        one = rest.pop()
        if one in known and one not in seen:
            seen.add(one)
            order.append(one)
            rest.extend(children.get(one, ()))
    order.reverse()
    return order
