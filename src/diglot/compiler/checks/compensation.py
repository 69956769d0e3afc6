"""What is asked to be undone can be: it has somebody to undo it, and it was done before.

Compensation reaches what is completed in the scope that it is asked for in, and what is inside of
that. What fails or is interrupted is not completed, and is not undone.

Source: BPMN 2.0.2 10.7, 13.5.5.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property
from typing import Final

from diglot.compiler import codes
from diglot.compiler.diagnostics import Report
from diglot.compiler.graph import (
    Choice,
    Compensate,
    CompensationTrigger,
    Graph,
    Node,
    Race,
    ScopeNode,
    Start,
)
from diglot.compiler.source import Source

from .once import add_once
from .ways import Ways

_UNCONNECTED: Final = frozenset(
    {
        codes.COMPENSATION_WITHOUT_HANDLER.id,
        codes.COMPENSATION_ELSEWHERE.id,
        codes.COMPENSATION_SHARED.id,
    }
)


def check_compensation(graph: Graph, report: Report, sources: Mapping[str, Source]) -> None:
    """Report compensation that is asked for in vain, and what undoes and is never asked to."""
    asking = [node for node in graph.nodes if isinstance(node, Compensate)]
    undoes = any(isinstance(handler.trigger, CompensationTrigger) for handler in graph.handlers)
    if not asking and not undoes:
        return
    found = Report()
    # What the reader could not connect has been told, and so is what comes of it.
    is_told = any(one.code in _UNCONNECTED for one in report)
    check = _Check(graph, found, is_told=is_told)
    for node in asking:
        if not node.cancels:
            check.asked(node)
    if not is_told:
        check.never_asked(asking)
    add_once(found, report)


class _Check:
    def __init__(self, graph: Graph, report: Report, *, is_told: bool) -> None:
        self._is_told = is_told
        self._graph = graph
        self._report = report
        self._ways = Ways(graph)
        self._scopes = {scope.id: scope for scope in graph.scopes}
        self._undone = {
            handler.node
            for handler in graph.handlers
            if isinstance(handler.trigger, CompensationTrigger) and handler.node is not None
        }

    @cached_property
    def _holding(self) -> frozenset[str]:
        """The scopes in which, at any depth, something can be undone."""
        holding: set[str] = set()
        for handler in self._graph.handlers:
            if not isinstance(handler.trigger, CompensationTrigger):
                continue
            scope = handler.scope
            if handler.node is not None:
                guarded = self._ways.nodes.get(handler.node)
                scope = None if guarded is None else guarded.scope
            while scope is not None and scope not in holding:
                holding.add(scope)
                known = self._scopes.get(scope)
                scope = None if known is None else known.parent
        return frozenset(holding)

    def asked(self, node: Compensate) -> None:
        """One event that asks for compensation."""
        reach = self._reach(node)
        among = [one for scope in reach for one in self._ways.nodes_of(scope)]
        what = None
        if node.activity is not None:
            activity = self._ways.nodes.get(node.activity)
            if activity is None:
                return
            among = [activity] if activity.scope in reach else []
            what = f"`{_name(activity)}`"
        among = [one for one in among if self._can_be_undone(one)]
        if not among and not self._is_told:
            code, whole = codes.NOTHING_TO_COMPENSATE, "what was done before it"
        elif among and len(reach) == 1 and not self._may_precede(among, node):
            code, whole = codes.COMPENSATION_TOO_EARLY, "all that can be undone"
        else:
            return
        self._report.add(code, node.span, node.pointer, node=_name(node), what=what or whole)

    def _reach(self, node: Compensate) -> list[str]:
        """The scopes whose activities it asks for.

        An event sub-process belongs to the scope that it handles for.
        """
        reach = [node.scope]
        scope = self._scopes.get(node.scope)
        while (
            scope is not None
            and scope.form == "event-sub-process"
            and scope.parent is not None
            and scope.parent not in reach
        ):
            reach.append(scope.parent)
            scope = self._scopes.get(scope.parent)
        return reach

    def _can_be_undone(self, node: Node) -> bool:
        return node.id in self._undone or (
            isinstance(node, ScopeNode) and node.body in self._holding
        )

    def _may_precede(self, activities: list[Node], node: Compensate) -> bool:
        """Whether one of the activities may be completed before the event is reached.

        Where several tokens are in the scope at the same time, each may be.
        """
        if node.scope in self._branching:
            return True
        # What a handler leads to begins when its activity has not been completed.
        rest = [
            flow.target
            for activity in activities
            for flow in self._ways.leaving(activity.id)
            if flow.role == "sequence"
        ]
        seen: set[str] = set()
        while rest:
            one = rest.pop()
            if one == node.id:
                return True
            if one not in seen:
                seen.add(one)
                rest.extend(flow.target for flow in self._ways.leaving(one))
        return False

    @cached_property
    def _branching(self) -> frozenset[str]:
        """The scopes in which more than one token may be under way."""
        found = {scope.id for scope in self._graph.scopes if scope.form == "ad-hoc"}
        starts: set[str] = set()
        for node in self._graph.nodes:
            is_start = isinstance(node, Start) or not self._ways.arriving(node.id)
            if is_start and node.id not in self._ways.undoing:
                if node.scope in starts:
                    found.add(node.scope)
                starts.add(node.scope)
            leaving = [one for one in self._ways.leaving(node.id) if one.role == "sequence"]
            several = len(leaving) > 1 or any(flow.quantity > 1 for flow in leaving)
            if several and not isinstance(node, Choice | Race):
                found.add(node.scope)
        for handler in self._graph.handlers:
            guarded = self._ways.nodes.get(handler.node or "")
            if guarded is not None and not handler.is_interrupting:
                found.add(guarded.scope)
        return frozenset(found)

    def never_asked(self, asking: list[Compensate]) -> None:
        """Note the handlers that nothing ever asks to undo anything."""
        scopes, activities = self._asked(asking)
        for handler in self._graph.handlers:
            if not isinstance(handler.trigger, CompensationTrigger):
                continue
            guarded = self._ways.nodes.get(handler.node or "")
            if guarded is not None:
                is_asked = guarded.id in activities or guarded.scope in scopes
                name = _name(guarded)
            else:
                is_asked = (handler.scope or "") in scopes
                name = handler.name or handler.pointer or handler.id
            if not is_asked:
                self._report.add(
                    codes.COMPENSATION_NEVER_ASKED, handler.span, handler.pointer, node=name
                )

    def _asked(self, asking: list[Compensate]) -> tuple[frozenset[str], frozenset[str]]:
        """The scopes all of which is asked to be undone, and the single activities."""
        scopes: set[str] = set()
        activities: set[str] = set()
        for node in asking:
            if node.cancels:
                scopes.update(self._transaction(node))
            elif node.activity is None:
                scopes.update(self._reach(node))
            else:
                activities.add(node.activity)
                activity = self._ways.nodes.get(node.activity)
                if isinstance(activity, ScopeNode):
                    scopes.add(activity.body)
        children: dict[str, list[str]] = {}
        for scope in self._graph.scopes:
            if scope.parent is not None:
                children.setdefault(scope.parent, []).append(scope.id)
        rest, seen = list(scopes), set[str]()
        while rest:
            one = rest.pop()
            if one not in seen:
                seen.add(one)
                rest.extend(children.get(one, ()))
        return frozenset(seen), frozenset(activities)

    def _transaction(self, node: Compensate) -> list[str]:
        """The transaction that it cancels."""
        scope, seen = self._scopes.get(node.scope), set[str]()
        while scope is not None and scope.id not in seen:
            if scope.form == "transaction":
                return [scope.id]
            seen.add(scope.id)
            scope = self._scopes.get(scope.parent or "")
        return []


def _name(node: Node) -> str:
    return node.name or node.pointer or node.id
