"""What of a graph gateways need at hand: merges, races, joins that leave a rest, ad-hoc bodies.

Source: BPMN 2.0.2 13.4; 13.3.5.
"""

from __future__ import annotations

from threading import Lock
from typing import TYPE_CHECKING

from diglot.compiler import graph as g

from .errors import UnrunnableGraph
from .evaluate import compile_condition
from .reach import Reach, between

if TYPE_CHECKING:
    from collections.abc import Iterable

    from .parts import Condition
    from .plan import NodePlan, Plan

#: Flows with their targets; a flow stands there once for each token it carries.
Routes = tuple[tuple[str, str], ...]

#: A flow carries, and a visit takes, at most so many tokens.
MOST_TOKENS = 10_000


class InclusivePlan:
    """An inclusive or complex gateway, compiled. A branch without a condition is always taken."""

    __slots__ = ("activation", "branches", "default")

    def __init__(self, plan: Plan, node: g.Inclusive) -> None:
        self.branches: list[tuple[Condition | None, Routes]] = []
        outgoing = dict.fromkeys(flow for flow, _ in plan.nodes[node.id].outgoing)
        for id in node.branches or outgoing:
            condition = plan.flows[id].condition
            if id != node.default:
                compiled = None if condition is None else compile_condition(condition)
                self.branches.append((compiled, plan.carried(id)))
        self.default: Routes = () if node.default is None else plan.carried(node.default)
        self.activation = None if node.activation is None else compile_condition(node.activation)


class AdHocPlan:
    """The rules of an ad-hoc body, compiled."""

    __slots__ = ("activities", "cancels_remaining", "completion", "is_sequential")

    def __init__(self, ad_hoc: g.AdHoc, nodes: Iterable[NodePlan]) -> None:
        self.is_sequential = ad_hoc.is_sequential
        self.cancels_remaining = ad_hoc.cancels_remaining
        self.completion = (
            None if ad_hoc.completion is None else compile_condition(ad_hoc.completion)
        )
        self.activities = tuple(plan.id for plan in nodes if is_activity(plan.node))


def is_activity(node: g.Node) -> bool:
    """Whether a node is work in the sense of an ad-hoc body, and no event and no gateway.

    A wait for a message and a message sent may be either, as may a node that does nothing; then
    the author's word for it decides.
    """
    match node:
        case g.Task() | g.Assign() | g.Call() | g.ScopeNode():
            return True
        case g.Receive() | g.Emit() | g.Pass():
            return "task" in node.construct.split("-")
        case _:
            return False


class Gates:
    """The gateways of a plan. Where merges can be reached from is found out when it is asked."""

    def __init__(self, plan: Plan) -> None:
        self._plan = plan
        #: Gateways that have to wait for tokens, which may be on their way; and the nodes of the
        #: scopes they stand in.
        self.merges = {
            id: node for id, node in plan.nodes.items() if _waits(node, plan.incoming.get(id, []))
        }
        self.has_complex = any(node.parts.activation for node in self.merges.values())
        scopes = {node.node.scope for node in self.merges.values()}
        self.watched = {id for id, node in plan.nodes.items() if node.node.scope in scopes}
        #: A node that a race leads to, with the race.
        self.raced = {
            target: id
            for id, node in plan.nodes.items()
            if node.kind is g.Race
            for _, target in node.outgoing
        }
        #: All ways, and those of sequence flows alone, of which the paths to a merge are made.
        self.ways: dict[str, list[tuple[str, str]]] = {}
        self._paths: dict[str, list[tuple[str, str]]] = {}
        for flow in plan.graph.flows:
            self.ways.setdefault(flow.source, []).append((flow.id, flow.target))
            # A node that only a handler leads to has its own ways on.
            self._paths.setdefault(flow.target, [])
            if flow.role != "handler":
                self._paths.setdefault(flow.source, []).append((flow.id, flow.target))
        #: For a join that cancels the rest, the nodes whose tokens are this rest.
        self.regions = {
            id: self._region(node.node)
            for id, node in plan.nodes.items()
            if isinstance(node.node, g.Join) and node.node.rest == "cancel"
        }
        self._reaches: dict[str, Reach] = {}
        #: By scope the merges that were asked for; by node how many of these were looked at, and
        #: those of them it leads to, with its kind.
        self._asked: dict[str, list[str]] = {}
        self._leads_to: dict[str, tuple[int, tuple[tuple[str, int], ...]]] = {}
        self._guard = Lock()
        self._prepare()

    def _prepare(self) -> None:
        """Tell the nodes how tokens are received, and what ad-hoc body they are part of."""
        inside: dict[str, list[NodePlan]] = {}
        for node in self._plan.nodes.values():
            inside.setdefault(node.node.scope, []).append(node)
            node.is_gathering = (
                node.kind is g.Join or node.id in self.merges or node.node.start_quantity != 1
            )
            _check_quantity(f"a visit of {node.id}", node.node.start_quantity)
        for body in self._plan.graph.nodes:
            if isinstance(body, g.ScopeNode) and body.ad_hoc is not None:
                ad_hoc = AdHocPlan(body.ad_hoc, inside.get(body.body, []))
                for member in inside.get(body.body, []):
                    member.ad_hoc = ad_hoc
                    member.is_gathering = True

    def reach(self, merge: str) -> Reach:
        """From where which incoming flows of a merge can be reached."""
        found = self._reaches.get(merge)
        if found is None:
            with self._guard:
                found = self._reaches.get(merge)
                if found is None:
                    found = Reach(merge, self._plan.incoming.get(merge, []), self._paths)
                    self._reaches[merge] = found
                    scope = self._plan.nodes[merge].node.scope
                    self._asked.setdefault(scope, []).append(merge)
        return found

    def leads_to(self, node: str) -> tuple[tuple[str, int], ...]:
        """The merges a node leads to, each with its kind among the nodes that lead to it.

        Of those merges that have been asked for: no other has waited yet.
        """
        asked = self._asked.get(self._plan.nodes[node].node.scope, [])
        count, found = self._leads_to.get(node, (0, ()))
        if count < len(asked):
            with self._guard:
                count, found = self._leads_to.get(node, (0, ()))
                kinds = [(merge, self._reaches[merge].kind(node)) for merge in asked[count:]]
                found = (*found, *((merge, kind) for merge, kind in kinds if kind is not None))
                self._leads_to[node] = (count + len(kinds), found)
        return found

    def _region(self, join: g.Join) -> frozenset[str]:
        graph = self._plan.graph
        targets = {flow.target for flow in graph.flows}
        starts = [
            node.id
            for node in graph.nodes
            if node.scope == join.scope and (isinstance(node, g.Start) or node.id not in targets)
        ]
        split, region = between(join.id, starts, self.ways)
        if split is None or not _splits(self._plan.nodes[split]):
            raise UnrunnableGraph(
                f"{join.id} cancels the rest, and there is no gateway before it that every way to "
                "it passes and that makes several tokens of one"
            )
        return region


def _waits(node: NodePlan, incoming: list[str]) -> bool:
    return isinstance(node.node, g.Inclusive) and (
        len(incoming) > 1 or node.node.activation is not None
    )


def _splits(node: NodePlan) -> bool:
    return len(node.outgoing) > 1 and node.kind not in (g.Choice, g.Race)


def carried(flow: g.Flow) -> Routes:
    """A flow with its target, once for each token it carries.

    Raises:
        UnrunnableGraph: it carries none, or too many.
    """
    _check_quantity(f"flow {flow.id}", flow.quantity)
    return ((flow.id, flow.target),) * flow.quantity


def _check_quantity(what: str, quantity: int) -> None:
    if not 1 <= quantity <= MOST_TOKENS:
        raise UnrunnableGraph(f"{what} takes 1 to {MOST_TOKENS} tokens, not {quantity}")
