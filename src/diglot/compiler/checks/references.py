"""Ids are unique, and every reference inside a graph has its target in the same graph.

A reader makes graphs that pass; a graph that somebody wrote or changed by hand may not.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from functools import cached_property
from typing import Any, Literal

from diglot.compiler import codes
from diglot.compiler.diagnostics import Code, Report
from diglot.compiler.graph import (
    Choice,
    Compensate,
    Flow,
    Graph,
    Handler,
    Inclusive,
    Node,
    Receive,
    Scope,
    ScopeNode,
)
from diglot.compiler.hints import Hints
from diglot.compiler.source import Source

_Part = Scope | Node | Flow | Handler


def check_references(graph: Graph, report: Report, sources: Mapping[str, Source]) -> None:
    """Report ids that are given twice and references that lead nowhere or elsewhere."""
    for parts in (graph.scopes, graph.nodes, graph.flows, graph.handlers):
        _check_ids(parts, report)
    references = _References(graph, report)
    references.of_graph()
    for scope in graph.scopes:
        references.of_scope(scope)
    for node in graph.nodes:
        references.of_node(node)
    for flow in graph.flows:
        references.of_flow(flow)
    for handler in graph.handlers:
        references.of_handler(handler)


def _check_ids(parts: Iterable[_Part], report: Report) -> None:
    seen: set[str] = set()
    for part in parts:
        if part.id in seen:
            _add(report, codes.DUPLICATE_NODE_ID, part, id=part.id)
        seen.add(part.id)


def _add(report: Report, code: Code, part: _Part, *, hint: str = "", **parameters: Any) -> None:
    if isinstance(part, Flow):
        report.add(code, None, part.id, hint=hint, **parameters)
    else:
        report.add(code, part.span, part.pointer or part.id, hint=hint, **parameters)


class _References:
    def __init__(self, graph: Graph, report: Report) -> None:
        self._graph = graph
        self._report = report
        self._hints = Hints()
        self._scopes = {scope.id: scope for scope in graph.scopes}
        self._nodes = {node.id: node for node in graph.nodes}
        self._flows = {flow.id: flow for flow in graph.flows}
        self._known: Mapping[str, Mapping[str, object]] = {
            "scope": self._scopes,
            "node": self._nodes,
            "flow": self._flows,
        }
        self._entries: dict[str, list[str]] = {}
        for node in graph.nodes:
            if isinstance(node, ScopeNode | Receive) and node.body is not None:
                self._entries.setdefault(node.body, []).append(node.id)
        for handler in graph.handlers:
            if handler.run is not None:
                self._entries.setdefault(handler.run, []).append(handler.id)

    @cached_property
    def _inside(self) -> frozenset[str]:
        """The scopes that stand in the outermost one, at any depth."""
        children: dict[str, list[str]] = {}
        for scope in self._graph.scopes:
            if scope.parent is not None:
                children.setdefault(scope.parent, []).append(scope.id)
        inside: set[str] = set()
        rest = [self._graph.root]
        while rest:
            scope_id = rest.pop()
            if scope_id not in inside:
                inside.add(scope_id)
                rest.extend(children.get(scope_id, ()))
        return frozenset(inside)

    def of_graph(self) -> None:
        """The scope that everything starts with."""
        root = self._graph.root
        if root not in self._scopes:
            self._report.add(
                codes.DANGLING_REFERENCE, None, owner=self._graph.key, kind="scope", name=root
            )

    def of_scope(self, scope: Scope) -> None:
        """A scope's place in the tree, and its start."""
        for problem in self._misplacements(scope):
            _add(self._report, codes.SCOPE_MISPLACED, scope, scope=scope.id, problem=problem)
        if scope.parent is not None:
            self._exists(scope, "scope", scope.parent)
        if scope.start and self._exists(scope, "node", scope.start):
            start = self._nodes[scope.start]
            if start.scope != scope.id:
                problem = f"starts at `{start.id}`, which stands in `{start.scope}`"
                _add(self._report, codes.SCOPE_MISPLACED, scope, scope=scope.id, problem=problem)

    def of_node(self, node: Node) -> None:
        """A node's scope, its guard, and what its kind refers to."""
        self._exists(node, "scope", node.scope)
        if node.guard is not None and node.guard.skip is not None:
            self._leaves(node, node.guard.skip, node.id)
        if node.subject:
            self._exists(node, "node", node.subject)
        match node:
            case Choice() | Inclusive():
                default = () if node.default is None else (node.default,)
                for flow in (*node.branches, *default):
                    self._leaves(node, flow, node.id)
            case ScopeNode(body=str(body)) | Receive(body=str(body)):
                if self._exists(node, "scope", body) and self._scopes[body].parent != node.scope:
                    problem = f"is entered from `{node.scope}` and stands elsewhere"
                    _add(self._report, codes.SCOPE_MISPLACED, node, scope=body, problem=problem)
            case Compensate(activity=str(activity)):
                self._exists(node, "node", activity)
            case _:
                pass

    def of_flow(self, flow: Flow) -> None:
        """Both ends of a flow, which stand in one scope."""
        source, target = self._nodes.get(flow.source), self._nodes.get(flow.target)
        if source is None or target is None:
            self._exists(flow, "node", flow.source)
            self._exists(flow, "node", flow.target)
        elif source.scope != target.scope:
            places = {"source": source.scope, "target": target.scope}
            _add(self._report, codes.FLOW_LEAVES_SCOPE, source, flow=flow.id, **places)

    def of_handler(self, handler: Handler) -> None:
        """What a handler guards and where it goes."""
        for problem in _unclear(handler):
            _add(self._report, codes.HANDLER_UNCLEAR, handler, handler=handler.id, problem=problem)
        guarded: str | None = None
        if handler.node is not None and self._exists(handler, "node", handler.node):
            guarded = handler.node
        if handler.scope is not None and self._exists(handler, "scope", handler.scope):
            guarded = next(iter(self._entries.get(handler.scope, ())), None)
        if handler.run is not None:
            self._exists(handler, "scope", handler.run)
        for flow in (handler.flow, handler.leave_by):
            if flow is not None:
                self._leaves(handler, flow, guarded)

    def _misplacements(self, scope: Scope) -> Iterator[str]:
        if scope.id == self._graph.root:
            if scope.parent is not None:
                yield "is the outermost and stands in another"
            return
        if scope.parent is None:
            yield "stands in no other"
        elif scope.parent in self._scopes and scope.id not in self._inside:
            yield "does not stand inside the outermost one"
        entries = len(self._entries.get(scope.id, ()))
        if entries != 1:
            yield "is entered by several elements" if entries else "is entered by nothing"

    def _exists(self, owner: _Part, kind: Literal["scope", "node", "flow"], name: str) -> bool:
        if name in self._known[kind]:
            return True
        hint = self._hints.did_you_mean(name, self._known[kind])
        parameters = {"owner": owner.id, "kind": kind, "name": name}
        _add(self._report, codes.DANGLING_REFERENCE, owner, hint=hint, **parameters)
        return False

    def _leaves(self, owner: Node | Handler, flow: str, source: str | None) -> None:
        if self._exists(owner, "flow", flow) and self._flows[flow].source != source:
            _add(self._report, codes.FLOW_LEAVES_ELSEWHERE, owner, owner=owner.id, flow=flow)


def _unclear(handler: Handler) -> Iterator[str]:
    if handler.node is None and handler.scope is None:
        yield "guards nothing"
    if handler.node is not None and handler.scope is not None:
        yield "guards a node and a scope at once"
    ways = (handler.flow, handler.run, handler.raises)
    if sum(way is not None for way in ways) > 1:
        yield "goes several ways at once"
