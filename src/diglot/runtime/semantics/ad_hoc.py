"""Ad-hoc bodies: activities that need no flows, one at a time or all at once, until it is enough.

A body in which nothing is left to do completes, whether its condition was ever true or not (ours):
nobody could begin anything in it any more.

Source: BPMN 2.0.2 13.3.5.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from diglot.runtime import events as e
from diglot.runtime.faults import Fault

from .errors import raise_in_scope
from .stopping import cancel_contents

if TYPE_CHECKING:
    from diglot.runtime.gates import AdHocPlan
    from diglot.runtime.plan import NodePlan

    from .step import Step


def admits(step: Step, plan: NodePlan, scope: int, arrival: int) -> bool:
    """Whether a token may begin a node now.

    Once the body is satisfied it is taken away; an activity of a sequential body waits in line.
    """
    ad_hoc = plan.ad_hoc
    assert ad_hoc is not None
    if step.state.scopes[scope].is_satisfied:
        step.emit(e.TokensWithdrawn(scope, (arrival,)))
        step.follow(scope, ())
        return False
    if ad_hoc.is_sequential and plan.id in ad_hoc.activities:
        step.lines[scope] = ad_hoc
        return False
    return True


def activity_done(step: Step, plan: NodePlan, scope_id: int) -> None:
    """An activity of a body has completed: ask whether that is enough."""
    ad_hoc = plan.ad_hoc
    scope = step.state.scopes.get(scope_id)
    if ad_hoc is None or scope is None or plan.id not in ad_hoc.activities:
        return
    step.lines[scope_id] = ad_hoc
    if ad_hoc.completion is None or scope.is_satisfied:
        return
    frame = step.frame_of(scope)
    try:
        is_enough = ad_hoc.completion(step, frame, scope.input)
    except Fault as found:
        raise_in_scope(step, scope, found.problem)
        return
    if not is_enough:
        return
    if ad_hoc.cancels_remaining:
        cancel_contents(step, scope)
    else:
        step.emit(e.ScopeSatisfied(scope_id))
        if any(arrival.scope == scope_id for arrival in step.state.arrivals.values()):
            step.emit(e.TokensWithdrawn(scope_id))
    step.look_for_end(scope)


def next_in_line(step: Step) -> bool:
    """Begin the next activity of each sequential body in which none is active; false if none is."""
    from .quantities import begin_with_all

    has_begun = False
    lines, step.lines = step.lines, {}
    for scope, ad_hoc in lines.items():
        if not ad_hoc.is_sequential or scope not in step.state.scopes:
            continue
        arrival = None if _is_busy(step, scope, ad_hoc) else _first_in_line(step, scope, ad_hoc)
        if arrival is not None:
            plan = step.plan.nodes[step.state.arrivals[arrival].node]
            begin_with_all(step, plan, scope, arrival)
            has_begun = True
    return has_begun


def _is_busy(step: Step, scope: int, ad_hoc: AdHocPlan) -> bool:
    visits = step.state.visits
    return any(
        visits[id].node in ad_hoc.activities and visits[id].compensates is None
        for id in step.state.visits_in[scope]
    )


def _first_in_line(step: Step, scope: int, ad_hoc: AdHocPlan) -> int | None:
    """The oldest token before an activity that has all it needs to begin."""
    first: list[int] = []
    for node in ad_hoc.activities:
        standing = step.state.at.get((scope, node), [])
        if standing and len(standing) >= step.plan.nodes[node].node.start_quantity:
            first.append(standing[0])
    return min(first, default=None)
