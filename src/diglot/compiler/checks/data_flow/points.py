"""The nodes of all scopes as one net of points: a run is somewhere on it, step by step.

A node is one point, or two where something may happen between its beginning and its end: a body, a
handler, a guard that leads past it. A scope has a point where it is entered, one where it is left,
and one for "somewhere inside", from which handlers begin.
"""

from __future__ import annotations

from collections.abc import Iterable

from diglot.compiler.checks.ways import Ways
from diglot.compiler.graph import (
    Choice,
    CompensationTrigger,
    End,
    Flow,
    Graph,
    Handler,
    Inclusive,
    Join,
    Node,
    Race,
    Raise,
    Receive,
    Scope,
    ScopeNode,
    Start,
)

from .uses import Deeds, Spot, Uses

_NOTHING = Deeds()


class Points:
    """The points and the ways between them.

    A way takes along all variables, or only those of its set: what a scope holds does not outlive
    it. Ways by which something is interrupted are not `plain`.
    """

    def __init__(self, graph: Graph, ways: Ways, uses: Uses) -> None:
        self._graph = graph
        self._ways = ways
        self._variables = uses.variables
        self._uses = uses
        #: Where the flow of a node comes in, and the point that it leaves from.
        self.into: dict[str, int] = {}
        self.out_of: dict[str, int] = {}
        self.at: dict[Spot, int] = {}
        self.deeds: list[Deeds] = []
        self.nodes: list[Node | None] = []
        self.after: list[list[tuple[int, int]]] = []
        self.before: list[list[tuple[int, int]]] = []
        self.plain: list[list[tuple[int, int]]] = []
        self.plain_before: list[list[tuple[int, int]]] = []
        #: Points after which every way is taken, and points that wait for all or some ways.
        self.splits: set[int] = set()
        self.joins: set[int] = set()
        self._inside: dict[str, int] = {}
        self._scopes = {scope.id: scope for scope in graph.scopes}
        self._lay_points()
        self._lay_ways()
        self.order = self._ordered()

    # -- points

    def _point(self, spot: Spot | None, node: Node | None = None) -> int:
        number = len(self.after)
        self.after.append([])
        self.before.append([])
        self.plain.append([])
        self.plain_before.append([])
        self.nodes.append(node)
        deeds = _NOTHING if spot is None else self._uses.deeds.get(spot, _NOTHING)
        self.deeds.append(deeds)
        if spot is not None:
            self.at[spot] = number
        return number

    def _lay_points(self) -> None:
        guarded = {handler.node for handler in self._graph.handlers}
        for scope in self._graph.scopes:
            self._point(("enter", scope.id))
            self._inside[scope.id] = self._point(None)
            self._point(("leave", scope.id))
        for node in self._graph.nodes:
            has_body = isinstance(node, ScopeNode | Receive) and node.body in self._scopes
            if has_body or node.guard is not None or node.id in guarded:
                self.into[node.id] = self._point(("begin", node.id), node)
                self.out_of[node.id] = self._point(("node", node.id), node)
                if not has_body:
                    # It reads what it finds when it begins.
                    self._way(self.into[node.id], self.out_of[node.id])
                if node.guard is not None:
                    beyond = self._point(None, node)
                    self._way(self.out_of[node.id], beyond)
                    if node.guard.skip is None:
                        self._way(self.into[node.id], beyond)
                    self.out_of[node.id] = beyond
            else:
                self.into[node.id] = self.out_of[node.id] = self._point(("node", node.id), node)
        for handler in self._graph.handlers:
            self._point(("handler", handler.id))

    # -- ways

    def _way(self, source: int, target: int, taken: int = -1, *, is_plain: bool = True) -> None:
        self.after[source].append((target, taken))
        self.before[target].append((source, taken))
        if is_plain:
            self.plain[source].append((target, taken))
            self.plain_before[target].append((source, taken))

    def _lay_ways(self) -> None:
        for scope in self._graph.scopes:
            self._of_scope(scope)
        for node in self._graph.nodes:
            self._of_node(node)
        for handler in self._graph.handlers:
            self._of_handler(handler)

    def _of_scope(self, scope: Scope) -> None:
        enter, inside = self.at["enter", scope.id], self._inside[scope.id]
        self._way(enter, inside, is_plain=False)
        starts = {scope.start} if scope.start in self.into else set[str]()
        if scope.id == self._graph.root:
            starts |= {node.id for node in self._ways.nodes_of(scope.id) if isinstance(node, Start)}
        for start in sorted(starts):
            self._way(enter, self.into[start])
        if scope.parent in self._scopes:
            self._way(inside, self._inside[scope.parent], self._kept(scope.id), is_plain=False)
        undoing = self._ways.undoing
        for node in self._ways.nodes_of(scope.id):
            self._way(self.out_of[node.id], inside, is_plain=False)
            if node.id in undoing:
                self._way(inside, self.into[node.id], is_plain=False)

    def _of_node(self, node: Node) -> None:
        out = self.out_of[node.id]
        body = node.body if isinstance(node, ScopeNode | Receive) else None
        if body is not None and body in self._scopes:
            self._through_body(node, body)
        flows = self._ways.leaving(node.id)
        onward = [flow for flow in flows if flow.role == "sequence"]
        for flow in onward:
            self._way(out, self.into[flow.target])
        for flow in flows:
            if flow.role == "skip" and node.guard is not None and flow.id == node.guard.skip:
                self._way(self.into[node.id], self.into[flow.target])
        if len(onward) > 1 and not isinstance(node, Choice | Inclusive | Race):
            self.splits.add(out)
        if isinstance(node, Join | Inclusive):
            self.joins.add(self.into[node.id])
        if isinstance(node, End) and node.effect == "instance":
            if self._graph.root in self._scopes:
                self._way(out, self.at["leave", self._graph.root], self._of_root())
        elif isinstance(node, Raise) and node.escalation is None:
            if node.scope in self._inside:
                self._way(self.into[node.id], self._inside[node.scope], is_plain=False)
        elif not onward and node.id not in self._ways.undoing and node.scope in self._scopes:
            self._way(out, self.at["leave", node.scope])

    def _through_body(self, node: Node, body: str) -> None:
        into, out = self.into[node.id], self.at["node", node.id]
        enter, leave = self.at["enter", body], self.at["leave", body]
        outside = self._kept(body)
        copied = self._variables.copied(body)
        self._way(into, enter, ~self._variables.own(body))
        self._way(leave, out, outside & ~copied)
        if copied:
            self._way(into, out, copied)
            self.splits.add(into)
        is_repeated = isinstance(node, Receive) or (
            isinstance(node, ScopeNode) and (node.multi is not None or node.loop is not None)
        )
        if is_repeated:
            self._way(leave, enter, outside)
        is_optional = isinstance(node, Receive) or (
            isinstance(node, ScopeNode)
            and (node.multi is not None or (node.loop is not None and node.loop.is_tested_before))
        )
        if is_optional:
            # Nothing is said of what is missing only where there was nothing to run for.
            self._way(into, out, is_plain=False)

    def _of_handler(self, handler: Handler) -> None:
        point = self.at["handler", handler.id]
        nodes = self._ways.nodes
        guarded: str | None = None
        if handler.node in self.into:
            node = nodes[handler.node]
            guarded = node.scope
            self._way(self.into[node.id], point, is_plain=False)
            if isinstance(node, ScopeNode | Receive) and node.body in self._inside:
                kept = self._kept(node.body)
                self._way(self._inside[node.body], point, kept, is_plain=False)
        if handler.scope in self._inside:
            guarded = handler.scope
            self._way(self._inside[handler.scope], point, is_plain=False)
            if handler.retry is not None:
                again = self._kept(handler.scope)
                self._way(point, self.at["enter", handler.scope], again, is_plain=False)
        if guarded not in self._scopes or isinstance(handler.trigger, CompensationTrigger):
            return
        if handler.raises is not None:
            outer = self._scopes[guarded].parent if handler.scope is not None else guarded
            if outer in self._inside:
                self._way(point, self._inside[outer], self._kept(guarded), is_plain=False)
        elif handler.flow is not None:
            for flow in self._ways.leaving(handler.node or ""):
                if flow.id == handler.flow:
                    self._way(point, self.into[flow.target])
        elif handler.run in self._scopes:
            self._way(point, self.at["enter", handler.run], ~self._variables.own(handler.run))
            self._leave_by(handler, self.at["leave", handler.run], guarded, handler.run)
        else:
            self._leave_by(handler, point, guarded, None)

    def _leave_by(self, handler: Handler, source: int, guarded: str, run: str | None) -> None:
        kept = -1 if run is None else self._kept(run)
        if handler.leave_by is None:
            self._way(source, self.at["leave", guarded], kept)
            return
        for flow in self._flows_of(guarded):
            if flow.id == handler.leave_by:
                self._way(source, self.into[flow.target], kept & self._kept(guarded))

    def _flows_of(self, scope: str) -> Iterable[Flow]:
        parent = self._scopes[scope].parent
        for node in self._ways.nodes_of(parent or ""):
            if isinstance(node, ScopeNode) and node.body == scope:
                yield from self._ways.leaving(node.id)

    def _kept(self, scope: str) -> int:
        """What outlives a scope."""
        return ~self._variables.own(scope)

    def _of_root(self) -> int:
        return self._variables.own(self._graph.root)

    # -- order

    def _ordered(self) -> list[int]:
        """Each point that can be reached, behind what leads to it as far as no circle does."""
        if self._graph.root not in self._scopes:
            return []
        first = self.at["enter", self._graph.root]
        seen = bytearray(len(self.after))
        seen[first] = 1
        found: list[int] = []
        work = [(first, iter(self.after[first]))]
        while work:
            point, rest = work[-1]
            for target, _ in rest:
                if not seen[target]:
                    seen[target] = 1
                    work.append((target, iter(self.after[target])))
                    break
            else:
                work.pop()
                found.append(point)
        found.reverse()
        return found
