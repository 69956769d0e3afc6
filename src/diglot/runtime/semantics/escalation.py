"""Escalations: they look outwards for a handler as errors do, and whoever raised one goes on.

Source: BPMN 2.0.2 10.5.1, 10.5.5, 10.5.7.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from diglot.compiler.graph import Raise
from diglot.runtime import events as e
from diglot.runtime.plan import Escalate

from .registry import runs
from .triggers import come, is_listening

if TYPE_CHECKING:
    from diglot.runtime.guards import OccasionPlan
    from diglot.runtime.plan import NodePlan
    from diglot.runtime.state import Visit

    from .step import Step


@runs(Escalate)
def escalate(step: Step, visit: Visit, plan: NodePlan) -> None:
    """Raise the escalation; the token goes on unless a handler interrupted it."""
    node = plan.node
    assert isinstance(node, Raise)
    assert node.escalation is not None
    payload = None
    if plan.parts is not None:
        payload = plan.parts(step, step.frame(visit), visit.input)
    escalate_from(step, visit, node.escalation, payload)
    if step.state.visits.get(visit.id) is visit:
        step.finish(visit, visit.input)


def escalate_from(step: Step, visit: Visit, code: str, payload: Any = None) -> None:
    """Take an escalation from the visit outwards to the first handler that takes it.

    Scope by scope the exact code goes before every code; a handler's own scope and its siblings are
    passed by. Where nobody takes it nothing happens; of a child instance its parent is told.
    """
    state = step.state
    taker = _taker(step.plan.nodes[visit.node].guards.escalations, code)
    holder: Any = visit
    scope = state.scopes[visit.scope]
    is_from_handler = False
    while taker is None:
        if not is_from_handler and is_listening(step, scope):
            holder, taker = scope, _taker(step.plan.guards_of(scope.scope).escalations, code)
            if taker is not None:
                break
        if scope.owner is not None:
            holder = state.visits[scope.owner]
            taker = _taker(step.plan.nodes[holder.node].guards.escalations, code)
            scope, is_from_handler = state.scopes[holder.scope], False
        elif scope.parent is not None:
            scope, is_from_handler = state.scopes[scope.parent], True
        else:
            break
    step.emit(e.EscalationRaised(visit.id, code, payload, taker is not None))
    if taker is not None:
        bound = {taker.variable: {"code": code, "payload": payload}}
        come(step, taker, holder, payload, bound)


def _taker(takers: list[OccasionPlan], code: str) -> OccasionPlan | None:
    return next((taker for taker in takers if taker.code in (None, code)), None)
