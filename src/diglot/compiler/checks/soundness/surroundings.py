"""What the net of a scope has to know of the graph around it, and of what is inside its nodes."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from typing import Final

from diglot.compiler.graph import (
    Compensate,
    CompensationTrigger,
    Emit,
    End,
    Flow,
    Graph,
    Handler,
    Inclusive,
    Join,
    Node,
    Race,
    Raise,
    Scope,
    ScopeNode,
    Start,
)

from ..ways import Ways

# Kinds of nodes, asked of very many nodes: the type alone is sooner looked up than compared.
_JOINING: Final = frozenset[type[Node]]({Join, Inclusive})
_MAY_END: Final = frozenset[type[Node]]({Emit, Raise, Compensate})
_ENDING: Final = frozenset[type[Node]]({End, Compensate, Raise})


class Surroundings:
    """Found out once for a graph, in the order in which scopes stand in each other.

    Flows that are `doubted` are taken or not as if they had a condition: theirs could not be read.
    """

    def __init__(self, graph: Graph, doubted: Collection[str] = ()) -> None:
        self.ways = Ways(graph)
        self.scopes = {scope.id: scope for scope in graph.scopes}
        self.flows = {flow.id: flow for flow in graph.flows}
        #: How many tokens those flows carry at a time that carry several.
        self.quantities = {flow.id: flow.quantity for flow in graph.flows if flow.quantity > 1}
        #: Flows that have a condition.
        self.asked = frozenset(
            flow.id for flow in graph.flows if flow.condition is not None or flow.id in doubted
        )
        #: The node that enters a scope.
        self.owner = {
            node.body: node
            for node in graph.nodes
            if isinstance(node, ScopeNode) and node.body in self.scopes
        }
        #: Nodes that a race leads to.
        self.raced = frozenset(
            flow.target
            for flow in graph.flows
            if isinstance(self.ways.nodes.get(flow.source), Race)
        )
        #: Ends at which tokens may meet, as they may at any other node.
        self.meeting: frozenset[str] = frozenset()
        self._handlers: dict[str, list[Handler]] = {}
        #: Scopes that something from outside may end while they go on.
        self._stoppable: set[str] = set()
        for handler in graph.handlers:
            self._place(handler)
        #: Scopes that come to their end, and those that may end what is around them.
        self.completing: set[str] = set()
        self.breaking: set[str] = set()
        for scope in sorted(graph.scopes, key=self.depth, reverse=True):
            self._look_into(scope)

    def _place(self, handler: Handler) -> None:
        """Keep a handler with the node that leaves by it."""
        if isinstance(handler.trigger, CompensationTrigger):
            return
        node = handler.node
        if node is None and handler.scope is not None:
            if handler.is_interrupting:
                self._stoppable.add(handler.scope)
            leaves = way_of(handler) is not None
            owner = self.owner.get(handler.scope)
            node = owner.id if leaves and owner is not None else None
        elif node is not None and handler.is_interrupting:
            guarded = self.ways.nodes.get(node)
            if isinstance(guarded, ScopeNode):
                self._stoppable.add(guarded.body)
        if node is not None:
            self._handlers.setdefault(node, []).append(handler)

    def depth(self, scope: Scope) -> int:
        """How many scopes there are from a scope outwards, itself among them."""
        return sum(1 for _ in self.around(scope.id))

    def around(self, scope: str) -> Iterator[str]:
        """The scope and those it stands in, from the inside out; a circle of them ends."""
        seen: set[str] = set()
        one: str | None = scope
        while one is not None and one in self.scopes and one not in seen:
            seen.add(one)
            yield one
            one = self.scopes[one].parent

    def starts(self, scope: Scope) -> list[Node]:
        """The nodes that a scope may begin at, one of them each time."""
        nodes = self.ways.nodes_of(scope.id)
        others = [one for one in nodes if isinstance(one, Start) and one.id != scope.start]
        first: list[Node] = [one for one in nodes if one.id == scope.start]
        return first if scope.parent is not None else [*first, *others]

    def handlers(self, node: str) -> list[Handler]:
        """The handlers that a node may be left by, or that go on beside it."""
        return self._handlers.get(node, [])

    def is_end(self, node: Node) -> bool:
        """Whether a node is an end of its scope, where tokens need not wait for each other."""
        kind = type(node)
        return kind is End or (kind in _MAY_END and not self.ways.leaving(node.id))

    def keeps_apart(self, node: Node) -> bool:
        """Whether a node tells tokens apart by the flows they came by."""
        if type(node) in _JOINING:
            return True
        return self.is_end(node) and node.id not in self.meeting

    def may_end_early(self, scope: Scope) -> bool:
        """Whether by its ad-hoc rules a scope may end whenever one of its activities has."""
        owner = self.owner.get(scope.id)
        ad_hoc = None if owner is None else owner.ad_hoc
        return ad_hoc is not None and ad_hoc.completion is not None

    def may_be_stopped(self, scope: str) -> bool:
        """Whether something else may end a scope that does not end by itself."""
        for one in self.around(scope):
            if one in self._stoppable:
                return True
            beside = self.ways.nodes_of(one) if one != scope else ()
            if any(ends_scope(node) for node in beside):
                return True
        return False

    def completes(self, node: Node) -> bool:
        """Whether a node may come to its own end."""
        if not isinstance(node, ScopeNode) or node.multi or node.ad_hoc or node.loop:
            return True
        return node.body not in self.scopes or node.body in self.completing

    def may_break(self, node: Node) -> bool:
        """Whether what is inside a node may end the scope that the node stands in."""
        return isinstance(node, ScopeNode) and node.body in self.breaking

    def _look_into(self, scope: Scope) -> None:
        reached = {scope.start} if scope.start in self.ways.nodes else set[str]()
        rest = list(reached)
        while rest:
            node = self.ways.nodes[rest.pop()]
            raises = _raises(node)
            flows = self._taken(node, raises=raises)
            if not flows and not raises:
                self.completing.add(scope.id)
            if raises or (isinstance(node, End) and node.effect == "instance"):
                self.breaking.add(scope.id)
            if self.may_break(node):
                self.breaking.add(scope.id)
            for flow in flows:
                if flow.target not in reached:
                    reached.add(flow.target)
                    rest.append(flow.target)
        if scope.id in self._stoppable or not reached:
            self.completing.add(scope.id)

    def _taken(self, node: Node, *, raises: bool) -> Sequence[Flow]:
        leaving = self.ways.leaving(node.id)
        if raises or not self.completes(node):
            return [flow for flow in leaving if flow.role == "handler"]
        return leaving


def way_of(handler: Handler) -> str | None:
    """The flow that what a handler guards is left by, or that goes on beside it."""
    return handler.flow or handler.leave_by


def ends_scope(node: Node) -> bool:
    """Whether a node ends all of the scope it stands in."""
    if type(node) not in _ENDING:
        return False
    match node:
        case End(effect=effect):
            return effect != "none"
        case Compensate(cancels=cancels):
            return cancels
        case _:
            return _raises(node)


def _raises(node: Node) -> bool:
    return isinstance(node, Raise) and node.escalation is None
