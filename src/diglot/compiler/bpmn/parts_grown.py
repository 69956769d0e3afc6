"""A graph that grows: what a drawing leaves open gets a flow, an end or a start."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final, Literal

import msgspec

from ..graph import End, Flow, Handler, Node, Raise, Scope
from .laying import free_name
from .parts_added import Added
from .parts_drawn import Drawing

#: Forms of scopes whose results are variables: a token may end anywhere in them.
_OPEN: Final = frozenset({"sub-process", "event-sub-process", "transaction", "ad-hoc"})


class Growth:
    """The parts of a graph by what hangs on them; what is added to it is added to `Added`."""

    def __init__(self, drawing: Drawing, added: Added) -> None:
        self._added = added
        self._scopes = {one.value.id: one.value for one in drawing.parts.scopes.values()}
        self._nodes: dict[str, Node] = {}
        self._inside: dict[str, list[Node]] = {}
        for node in (*(one.value for one in drawing.parts.nodes.values()), *added.nodes):
            self._nodes[node.id] = node
            self._inside.setdefault(node.scope, []).append(node)
        flows = (*(one.value for one in drawing.parts.flows.values()), *added.flows)
        self._flows = {flow.id for flow in flows}
        #: By node what its ordinary flows lead to.
        self._ways: dict[str, set[str]] = {}
        for flow in flows:
            if flow.role == "sequence":
                self._ways.setdefault(flow.source, set()).add(flow.target)
        self._reached = {flow.target for flow in flows}
        handlers = (*(one.value for one in drawing.parts.handlers.values()), *added.handlers)
        self._undoing = {one.activity for one in handlers if one.activity is not None}

    def has_start(self, scope: Scope) -> bool:
        """Whether the node that a scope begins at is there; an empty name is the author's."""
        node = self._nodes.get(scope.start)
        return not scope.start or (node is not None and node.scope == scope.id)

    def scope_of(self, node: str) -> str:
        """The scope that a node stands in; empty where it is gone."""
        found = self._nodes.get(node)
        return "" if found is None else found.scope

    def ways(self, node: str) -> set[str]:
        """What the ordinary flows of a node lead to."""
        return self._ways.get(node, set())

    def is_end(self, node: str) -> bool:
        """Whether a token only ends at a node."""
        found = self._nodes.get(node)
        return isinstance(found, End) and found.effect == "none"

    def inside(self, scope: str) -> Iterable[Node]:
        """The nodes of a scope."""
        return self._inside.get(scope, [])

    def firsts(self, scope: str) -> list[Node]:
        """The nodes of a scope that nothing leads to, but no ends."""
        return [
            node
            for node in self.inside(scope)
            if not isinstance(node, End)
            and node.id not in self._reached
            and node.id not in self._undoing
        ]

    def end(self, node: str) -> None:
        """Let a node that nothing follows end its scope."""
        found = self._nodes.get(node)
        if found is None or isinstance(found, End | Raise) or node in self._ways:
            return
        scope = self._scopes.get(found.scope)
        if scope is not None and scope.form not in _OPEN and node not in self._undoing:
            self.lead(node, self.end_of(scope))

    def end_handler(self, handler: Handler) -> Handler:
        """A handler whose token ends where it has no way to go."""
        ways = (handler.flow, handler.run, handler.raises, handler.leave_by, handler.activity)
        node = self._nodes.get(handler.node or "")
        scope = None if node is None else self._scopes.get(node.scope)
        if node is None or scope is None or any(way is not None for way in ways):
            return handler
        flow = self.lead(node.id, self.end_of(scope), role="handler")
        return msgspec.structs.replace(handler, flow=flow)

    def end_of_scope(self, scope: str) -> str:
        """As `end_of`; empty where the scope is gone."""
        found = self._scopes.get(scope)
        return "" if found is None else self.end_of(found)

    def end_of(self, scope: Scope) -> str:
        """The first end of a scope that ends nothing else; a new one where there is none."""
        for node in self.inside(scope.id):
            if isinstance(node, End) and node.effect == "none":
                return node.id
        made = End(
            id=self.free(f"{scope.id}#end"),
            scope=scope.id,
            pointer=scope.pointer,
            span=scope.span,
        )
        self._added.nodes.append(made)
        self._nodes[made.id] = made
        self._inside.setdefault(scope.id, []).append(made)
        return made.id

    def lead(
        self, source: str, target: str, role: Literal["sequence", "handler"] = "sequence"
    ) -> str:
        """A new flow; its id."""
        name = free_name(f"{source}->{target}", self._flows)
        self._flows.add(name)
        if role == "sequence":
            self._ways.setdefault(source, set()).add(target)
        self._added.flows.append(Flow(id=name, source=source, target=target, role=role))
        return name

    def free(self, name: str) -> str:
        """An id that no node has."""
        return free_name(name, self._nodes)
