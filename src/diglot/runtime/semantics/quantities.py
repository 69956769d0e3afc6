"""Where several tokens make one visit: joins, and activities that need more than one token.

Source: BPMN 2.0.2 13.3.2 (startQuantity), 13.4.1, Table 13.1.
"""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from diglot.compiler.graph import Join
from diglot.runtime import events as e

from . import ad_hoc, inclusive
from .stopping import cancel_visit

if TYPE_CHECKING:
    from diglot.runtime.plan import NodePlan

    from .step import Step


def gather(step: Step, plan: NodePlan, scope: int, arrival: int) -> None:
    """A token came to a node that may need others: begin what has all it needs."""
    if plan.ad_hoc is None or ad_hoc.admits(step, plan, scope, arrival):
        begin_with_all(step, plan, scope, arrival)


def begin_with_all(step: Step, plan: NodePlan, scope: int, arrival: int) -> None:
    """Begin a visit if all the tokens it needs are there."""
    if plan.kind is Join:
        _join(step, plan, scope)
    elif plan.id in step.plan.gates.merges:
        inclusive.gather(step, plan, scope)
    else:
        _begin_with_several(step, plan, scope, arrival)


def _begin_with_several(step: Step, plan: NodePlan, scope: int, arrival: int) -> None:
    needed = plan.node.start_quantity
    arrivals = step.state.arrivals
    if needed == 1:
        if plan.is_late:
            step.late.append(arrival)
        else:
            step.begin(plan, scope, (arrival,), arrivals[arrival].data)
        return
    standing = step.state.at[scope, plan.id]
    if len(standing) >= needed:
        consumed = tuple(standing[:needed])
        step.begin(plan, scope, consumed, arrivals[consumed[-1]].data)


def _join(step: Step, plan: NodePlan, scope: int) -> None:
    node = plan.node
    assert isinstance(node, Join)
    if node.rest == "ignore":
        _ignore(step, plan, scope)
    state = step.state
    standing = state.at.get((scope, plan.id), [])
    incoming = step.plan.incoming.get(plan.id, [])
    need = max(1, len(incoming) if node.need is None else node.need)
    if len(standing) < need:
        return
    first: dict[str | None, int] = {}
    for id in standing:
        first.setdefault(state.arrivals[id].flow, id)
    if len(first) < need:
        return
    consumed = tuple(first[flow] for flow in incoming if flow in first)
    if node.rest == "ignore":
        _expect_rest(step, plan, scope, [flow for flow in incoming if flow not in first])
    elif node.rest == "cancel":
        _cancel_rest(step, plan, scope, consumed)
    if node.collects:
        step.begin(plan, scope, consumed, [state.arrivals[id].data for id in consumed])
    else:
        step.begin(plan, scope, consumed, state.arrivals[max(consumed)].data)


def _expect_rest(step: Step, plan: NodePlan, scope: int, flows: list[str]) -> None:
    """Keep in mind the flows whose token of this round is still to come, and is ignored then."""
    late = Counter(step.state.scopes[scope].gates.get(plan.id, {}))
    late.update(flows)
    step.emit(e.GateTurned(scope, plan.id, dict(late)))


def _ignore(step: Step, plan: NodePlan, scope: int) -> None:
    """Take away the tokens that belong to rounds which went on without them.

    The n-th token of a flow belongs to the n-th round.
    """
    state = step.state
    late = dict(state.scopes[scope].gates.get(plan.id, {}))
    taken: list[int] = []
    for id in state.at.get((scope, plan.id), ()) if late else ():
        flow = state.arrivals[id].flow or ""
        if late.get(flow, 0) > 0:
            late[flow] -= 1
            taken.append(id)
    if taken:
        step.emit(e.TokensWithdrawn(scope, tuple(taken)))
        left = {flow: count for flow, count in late.items() if count}
        step.emit(e.GateTurned(scope, plan.id, left))
        step.follow(scope, ())


def _cancel_rest(step: Step, plan: NodePlan, scope: int, consumed: tuple[int, ...]) -> None:
    """Take away what is under way between the split and this join, of whatever round.

    So does a cancellation region of YAWL. What can still leave by another way stays.
    """
    state = step.state
    region = step.plan.gates.regions[plan.id]
    for id in list(state.visits_in.get(scope, ())):
        if id in state.visits and state.visits[id].node in region:
            cancel_visit(step, state.visits[id])
    places = [node for node in (*sorted(region), plan.id) if (scope, node) in state.at]
    taken = [id for node in places for id in state.at[scope, node] if id not in consumed]
    if taken:
        step.emit(e.TokensWithdrawn(scope, tuple(taken)))
