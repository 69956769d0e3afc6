"""Which nodes may run at the same time.

Every node is in a lane: a branch of a split inside a branch of a split, and so on outwards. Two
nodes may run at the same time if their lanes part at one split into different branches of it. A
join of some branches leads into the lane of these, one of all into that of the split. Where lanes
meet otherwise the outer lane goes on, so that what is not drawn in blocks is rather taken to be one
after the other.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from diglot.compiler.checks.ways import Ways
from diglot.compiler.graph import (
    Choice,
    CompensationTrigger,
    Flow,
    Graph,
    Handler,
    Inclusive,
    Node,
    Race,
    Receive,
    Scope,
    ScopeNode,
    Start,
)


@dataclass(frozen=True, slots=True, eq=False)
class Lane:
    """Some branches of a split inside an outer lane; the outermost has no split.

    `each` is the activity whose runs go on side by side, where the branch is the body of one.
    """

    outer: Lane | None = None
    split: str = ""
    branches: frozenset[int] = frozenset()
    depth: int = 0
    each: ScopeNode | None = None


class Crossing(NamedTuple):
    """A split around a lane, and the branches of it in which the lane is."""

    outer: Lane
    split: str
    branches: frozenset[int]


def crossings(lane: Lane | None) -> Iterator[Crossing]:
    """The splits around a lane, from the inside out."""
    while lane is not None and lane.outer is not None:
        yield Crossing(lane.outer, lane.split, lane.branches)
        lane = lane.outer


def has_lanes(graph: Graph, ways: Ways) -> bool:
    """Whether anything in a graph may run at the same time as something else."""
    if any(not handler.is_interrupting for handler in graph.handlers):
        return True
    for node in graph.nodes:
        multi = node.multi if isinstance(node, ScopeNode) else None
        if multi is not None and not multi.is_sequential:
            return True
        if len(ways.leaving(node.id)) > 1 and not isinstance(node, Choice | Race):
            return True
    return False


class Lanes:
    """The lane of each node, handler and scope; None where nothing leads to it."""

    def __init__(self, graph: Graph, ways: Ways) -> None:
        self._ways = ways
        self._totals: dict[str, int] = {}
        self._some: dict[tuple[Lane, str, frozenset[int]], Lane] = {}
        self.of_node: dict[str, Lane] = {}
        self.of_handler: dict[str, Lane] = {}
        self.of_scope: dict[str, Lane] = {}
        self._scopes = {scope.id: scope for scope in graph.scopes}
        self._of_scopes: dict[str, list[Handler]] = {}
        self._of_nodes: dict[str, list[Handler]] = {}
        for handler in graph.handlers:
            if isinstance(handler.trigger, CompensationTrigger):
                continue
            if handler.scope is not None:
                self._of_scopes.setdefault(handler.scope, []).append(handler)
            elif handler.node is not None:
                self._of_nodes.setdefault(handler.node, []).append(handler)
        self._orderly: set[str] = set()
        work: list[tuple[str, Lane]] = [(graph.root, Lane())]
        while work:
            scope, lane = work.pop()
            if scope in self._scopes and scope not in self.of_scope:
                work.extend(self._through(self._scopes[scope], lane))

    # -- one scope

    def _through(self, scope: Scope, lane: Lane) -> Iterator[tuple[str, Lane]]:
        """Give each node of a scope its lane; the scopes inside with theirs."""
        handlers = self._of_scopes.get(scope.id, [])
        beside = [one for one in handlers if not one.is_interrupting and one.run is not None]
        main = lane
        if beside:
            main = self._branch(lane, f"{scope.id}!", 0, len(beside) + 1)
        self.of_scope[scope.id] = main
        for handler in handlers:
            place = beside.index(handler) + 1 if handler in beside else 0
            its = self._branch(lane, f"{scope.id}!", place, 0) if place else lane
            self.of_handler[handler.id] = its
            if handler.run is not None:
                yield handler.run, its
        arriving: dict[str, list[Lane]] = {}
        for start in self._starts(scope):
            arriving[start] = [main]
        for id in self._ordered(scope):
            node = self._ways.nodes[id]
            lanes = arriving.get(id)
            if lanes:
                yield from self._through_node(node, self._meeting(lanes), scope, arriving)

    def _through_node(
        self, node: Node, lane: Lane, scope: Scope, arriving: dict[str, list[Lane]]
    ) -> Iterator[tuple[str, Lane]]:
        flows = self._ways.leaving(node.id)
        handlers = self._of_nodes.get(node.id, [])
        beside = [one for one in handlers if not one.is_interrupting and one.flow is not None]
        around = lane
        if beside:
            lane = self._branch(around, f"{node.id}!", 0, len(beside) + 1)
        self.of_node[node.id] = lane
        by_flow: dict[str, Lane] = {}
        for handler in handlers:
            its = lane
            if handler in beside:
                its = self._branch(around, f"{node.id}!", 1 + beside.index(handler), 0)
            self.of_handler[handler.id] = its
            if handler.flow is not None:
                by_flow[handler.flow] = its
        onward = self._onward(node, flows, scope)
        for flow in flows:
            its = by_flow.get(flow.id, lane)
            if flow.id in onward:
                its = self._branch(lane, node.id, onward[flow.id], len(onward))
            arriving.setdefault(flow.target, []).append(its)
        if isinstance(node, Receive) and node.body is not None:
            yield node.body, lane
        if isinstance(node, ScopeNode):
            if node.ad_hoc is not None and node.ad_hoc.is_sequential:
                self._orderly.add(node.body)
            multi = node.multi
            if multi is not None and not multi.is_sequential and not multi.is_chained:
                lane = Lane(lane, f"{node.id}*", frozenset((0,)), lane.depth + 1, node)
            yield node.body, lane

    def _onward(self, node: Node, flows: Sequence[Flow], scope: Scope) -> dict[str, int]:
        """The flows that are taken at the same time, with their numbers."""
        if len(flows) < 2 or isinstance(node, Choice | Race) or scope.id in self._orderly:
            return {}
        default = node.default if isinstance(node, Inclusive) else None
        onward = [flow.id for flow in flows if flow.role == "sequence" and flow.id != default]
        return {id: place for place, id in enumerate(onward)} if len(onward) > 1 else {}

    def _starts(self, scope: Scope) -> list[str]:
        starts = [scope.start] if scope.start in self._ways.nodes else []
        if scope.parent is None:
            starts += [
                node.id
                for node in self._ways.nodes_of(scope.id)
                if isinstance(node, Start) and node.id != scope.start
            ]
        return starts

    def _ordered(self, scope: Scope) -> list[str]:
        """The nodes that can be reached, behind what leads to them as far as no circle does."""
        seen: set[str] = set()
        found: list[str] = []
        for start in self._starts(scope):
            if start in seen:
                continue
            seen.add(start)
            behind: list[str] = []
            work = [(start, iter(self._ways.leaving(start)))]
            while work:
                node, rest = work[-1]
                for flow in rest:
                    if flow.target not in seen:
                        seen.add(flow.target)
                        work.append((flow.target, iter(self._ways.leaving(flow.target))))
                        break
                else:
                    work.pop()
                    behind.append(node)
            # What another start leads to comes before all that the first has led to already.
            found = behind[::-1] + found
        return found

    # -- where lanes part and meet

    def _branch(self, lane: Lane, split: str, branch: int, count: int) -> Lane:
        """One branch of a split; `count`, where it is given, is how many it has in all."""
        if count:
            self._totals[split] = count
        return self._branches(lane, split, frozenset((branch,)))

    def _branches(self, lane: Lane, split: str, branches: frozenset[int]) -> Lane:
        """The lane of some branches of a split: that of the split itself for all of them."""
        if len(branches) == self._totals.get(split):
            return lane
        key = (lane, split, branches)
        if key not in self._some:
            self._some[key] = Lane(lane, split, branches, lane.depth + 1)
        return self._some[key]

    def _meeting(self, lanes: list[Lane]) -> Lane:
        if len(lanes) == 1:
            return lanes[0]
        # Branches of one split first, all at once: there may be very many of them.
        apart: dict[tuple[Lane | None, str], list[Lane]] = {}
        for lane in dict.fromkeys(lanes):
            apart.setdefault((lane.outer, lane.split), []).append(lane)
        met: Lane | None = None
        for (outer, split), some in apart.items():
            lane = some[0]
            if len(some) > 1 and outer is not None:
                branches = frozenset[int]().union(*(one.branches for one in some))
                lane = self._branches(outer, split, branches)
            met = lane if met is None else self._met(met, lane)
        assert met is not None
        return met

    def _met(self, one: Lane, other: Lane) -> Lane:
        low, high = one, other
        while low.depth > high.depth and low.outer is not None:
            low = low.outer
        while high.depth > low.depth and high.outer is not None:
            high = high.outer
        while low is not high and low.outer is not high.outer:
            if low.outer is None or high.outer is None:
                return low
            low, high = low.outer, high.outer
        if low is high:
            return low
        assert low.outer is not None
        if low.split != high.split:
            return low.outer
        return self._branches(low.outer, low.split, low.branches | high.branches)
