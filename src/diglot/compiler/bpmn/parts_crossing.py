"""Flows from one scope into another: those out of a row of steps end it, others are refused.

A row of steps that is drawn where it is entered has no end of its own to be seen. A flow from one
of its steps to what comes behind the row is a flow to that end.
"""

from __future__ import annotations

import msgspec

from .. import codes
from ..graph import Flow
from .document import Element
from .parts_added import Added
from .parts_drawn import Drawing
from .parts_grown import Growth
from .reading import Reading


def join_rows(reading: Reading, drawing: Drawing, added: Added) -> None:
    """Let no flow lead from one scope into another."""
    parts = drawing.parts
    graph = Growth(drawing, added)
    rows = _Rows(drawing, graph)

    def within(flow: Flow, element: Element | None) -> Flow | None:
        scope = graph.scope_of(flow.source)
        if scope == graph.scope_of(flow.target):
            return flow
        end = rows.end_before(scope, flow.target)
        if end:
            return msgspec.structs.replace(flow, target=end)
        reading.find(codes.FLOW_BETWEEN_SCOPES, element or drawing.process, flow=flow.id)
        return None

    for name, part in list(parts.flows.items()):
        if (kept := within(part.value, part.at)) is None:
            del parts.flows[name]
        else:
            part.value = kept
    before = list(added.flows)
    found = {one.id: within(one, added.at.get(one.id)) for one in before}
    # Flows that were made on the way stand behind these.
    changed = (found.get(one.id, one) for one in added.flows)
    added.flows = [one for one in changed if one is not None]


class _Rows:
    """How a graph goes on behind its rows of steps."""

    def __init__(self, drawing: Drawing, graph: Growth) -> None:
        self._drawing = drawing
        self._graph = graph
        handlers = drawing.parts.handlers.values()
        self._run = {one.value.run: one.value for one in handlers if one.value.run}

    def end_before(self, scope: str, target: str) -> str:
        """The end of a scope behind which a node comes next; empty where it comes elsewhere.

        A row that nothing follows is followed by that node from now on.
        """
        graph, inner, seen = self._graph, scope, set[str]()
        #: Nodes that nothing follows, with their scopes.
        left: list[tuple[str, str]] = []
        while scope and scope not in seen:
            seen.add(scope)
            owner, ways = self._owner(scope)
            scope = graph.scope_of(owner)
            is_beside = scope != "" and scope == graph.scope_of(target)
            if target in ways or (is_beside and not ways):
                for node, around in left:
                    graph.lead(node, graph.end_of_scope(around))
                if not ways:
                    graph.lead(owner, target)
                return graph.end_of_scope(inner)
            if not all(map(graph.is_end, ways)):
                break
            if not ways:
                left.append((owner, scope))
        return ""

    def _owner(self, scope: str) -> tuple[str, set[str]]:
        """The node that a row belongs to, and what comes behind it."""
        handler = self._run.get(scope)
        flows = self._drawing.parts.flows
        if handler is not None and handler.leave_by in flows:
            return self._drawing.owner(handler.scope or ""), {flows[handler.leave_by].value.target}
        owner = self._drawing.owner(scope if handler is None else handler.scope or "")
        return owner, self._graph.ways(owner)
