"""A circle of flows has a way out, or something in it waits.

What neither waits nor can be left would keep the machine busy for ever within one step.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property

from diglot.compiler import codes
from diglot.compiler.diagnostics import Report
from diglot.compiler.graph import (
    Call,
    Choice,
    End,
    Graph,
    Inclusive,
    Node,
    Race,
    Raise,
    Receive,
    ScopeNode,
    Task,
    Wait,
)
from diglot.compiler.source import Source

from .structure import is_synthetic
from .ways import Ways


def check_loops(graph: Graph, report: Report, sources: Mapping[str, Source]) -> None:
    """Report the circles, as far as a token can come to them, that spin for ever."""
    loops = _Loops(graph)
    for scope in graph.scopes:
        reached = loops.ways.reachable(scope)
        among = [node.id for node in loops.ways.nodes_of(scope.id) if node.id in reached]
        for cycle in loops.ways.cycles(among):
            nodes = [loops.ways.nodes[node] for node in among if node in cycle]
            if not any(loops.can_leave(node, cycle) or loops.can_pause(node) for node in nodes):
                _report_endless(nodes, report)


def _report_endless(nodes: list[Node], report: Report) -> None:
    tasks = [node for node in nodes if not is_synthetic(node)] or nodes
    names = dict.fromkeys(f"`{node.name or node.id}`" for node in tasks)
    report.add(codes.ENDLESS_LOOP, tasks[0].span, tasks[0].pointer, tasks=", ".join(names))


class _Loops:
    def __init__(self, graph: Graph) -> None:
        self._graph = graph
        self.ways = Ways(graph)

    def can_leave(self, node: Node, cycle: frozenset[str]) -> bool:
        """Whether a decision, a guard or a handler of the node may lead out of the circle.

        Where a guard or a handler leads on inside the circle, what else the node does may lead out.
        """
        flows = self.ways.leaving(node.id)
        decides = isinstance(node, Choice | Inclusive) or any(
            flow.role != "sequence" and flow.target in cycle for flow in flows
        )
        return any(
            flow.target not in cycle and (decides or flow.role != "sequence") for flow in flows
        )

    def can_pause(self, node: Node) -> bool:
        """Whether the node, or something inside it, may wait for the outside or end the run."""
        if isinstance(node, ScopeNode):
            return node.body in self._pausing
        return _pauses(node)

    @cached_property
    def _pausing(self) -> frozenset[str]:
        """The scopes in which something, at any depth, may wait, fail on purpose or end all."""
        parents = {scope.id: scope.parent for scope in self._graph.scopes}
        pausing: set[str] = set()
        for node in self._graph.nodes:
            scope = node.scope if _pauses(node) else None
            while scope is not None and scope not in pausing:
                pausing.add(scope)
                scope = parents.get(scope)
        return frozenset(pausing)


def _pauses(node: Node) -> bool:
    match node:
        case Wait() | Receive() | Race() | Raise():
            return True
        case Task(waits=waits) | Call(waits=waits):
            return waits
        case End(effect=effect):
            return effect == "instance"
        case _:
            return False
