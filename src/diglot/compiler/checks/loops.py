"""A circle of flows has a way out, or something in it waits.

What neither waits nor can be left would keep the machine busy for ever within one step; so would a
circle whose way out is decided by what nothing in it changes. The time is no such thing: it stands
still within a step.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property

from diglot.compiler import codes
from diglot.compiler.diagnostics import Code, Report
from diglot.compiler.graph import (
    Assign,
    Choice,
    Compensate,
    Emit,
    Fork,
    Graph,
    Inclusive,
    Join,
    Node,
    Pass,
    Raise,
    ScopeNode,
)
from diglot.compiler.source import Source

from .branching import scopes_with_branches
from .pauses import Pauses
from .structure import is_synthetic
from .ways import Ways


def check_loops(graph: Graph, report: Report, sources: Mapping[str, Source]) -> None:
    """Report the circles, as far as a token can come to them, that spin for ever."""
    loops = _Loops(graph)
    for scope in graph.scopes:
        reached = loops.ways.reachable(scope)
        among = [node.id for node in loops.ways.nodes_of(scope.id) if node.id in reached]
        place = {node: number for number, node in enumerate(among)}
        for cycle in loops.ways.cycles(among):
            names = sorted(cycle, key=place.__getitem__)
            nodes = [loops.ways.nodes[name] for name in names]
            if any(loops.can_leave(node, cycle) or loops.can_pause(node) for node in nodes):
                loops.check_busy(names, scope.id, report)
            else:
                _report(codes.ENDLESS_LOOP, nodes, report)


def _report(code: Code, nodes: list[Node], report: Report) -> None:
    tasks = [node for node in nodes if not is_synthetic(node)] or nodes
    names = dict.fromkeys(f"`{node.name or node.id}`" for node in tasks)
    report.add(code, tasks[0].span, tasks[0].pointer, tasks=", ".join(names))


class _Loops:
    def __init__(self, graph: Graph) -> None:
        self._graph = graph
        self._pauses = Pauses(graph)
        self.ways = Ways(graph)
        self.can_pause = self._pauses.may_pause

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

    def check_busy(self, among: list[str], scope: str, report: Report) -> None:
        """Report the circles without a pause in which nothing is changed either, inside of one.

        Where there are other tokens on their way, these may change it.
        """
        if scope in self._branching:
            return
        nodes = self.ways.nodes
        quick = [name for name in among if not self.can_pause(nodes[name])]
        place = {name: number for number, name in enumerate(quick)}
        for cycle in self.ways.cycles(quick):
            circle = [nodes[name] for name in sorted(cycle, key=place.__getitem__)]
            if not any(self._may_change(node) for node in circle):
                _report(codes.BUSY_LOOP, circle, report)

    @cached_property
    def _branching(self) -> frozenset[str]:
        return scopes_with_branches(self._graph, self.ways)

    def _may_change(self, node: Node) -> bool:
        if isinstance(node, ScopeNode):
            return node.body in self._changing or _changes(node)
        return _changes(node)

    @cached_property
    def _changing(self) -> frozenset[str]:
        return self._pauses.scopes_with(_changes)


#: Work that is only drawn and stands for something that may be done there some day.
_DRAWN = frozenset({"task", "call-activity"})


def _changes(node: Node) -> bool:
    """Whether data may be different behind the node, as far as can be told from outside."""
    rules = node.data
    if isinstance(node, Pass) and node.construct in _DRAWN:
        return True
    if rules is not None and (rules.needs or rules.read or rules.write or rules.export):
        return True
    match node:
        case Assign() | Emit() | Raise() | Compensate() | Fork() | Join():
            return True
        case ScopeNode(multi=multi, loop=loop, ad_hoc=ad_hoc):
            return multi is not None or loop is not None or ad_hoc is not None
        case _:
            return False
