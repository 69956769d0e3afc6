"""Handlers that have been triggered: the way each of them takes.

Source: BPMN 2.0.2 13.5.3, 13.5.4; DSL reference, Catch.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from diglot.runtime import events as e
from diglot.runtime.faults import Fault

from .data import write_output
from .entering import enter_scope
from .frame import Frame
from .stopping import cancel_contents

if TYPE_CHECKING:
    from diglot.runtime.guards import HandlerPlan
    from diglot.runtime.state import ScopeVisit, Visit

    from .step import Step


def leave_by_flow(
    step: Step,
    handler: HandlerPlan,
    scope: ScopeVisit,
    data: Any,
    came: Any,
    bound: dict[str, Any] | None = None,
    *,
    beside: Visit | None = None,
) -> None:
    """A handler of a node: a token with `data` leaves on its flow.

    What `came` is exported to the enclosing scope first, with the names `bound` in sight. The visit
    `beside` goes on.
    """
    try:
        _export(step, handler, scope.id, came, bound)
    except Fault as found:
        step.fail_scope(scope, _blame(handler, found))
        return
    flow = handler.handler.flow
    assert flow is not None, f"{handler.id} guards a node and has no flow"
    (route,) = step.routes((step.plan.route(flow),))
    is_kept = beside is not None and step.plan.nodes[beside.node].is_kept
    step.emit(e.TokenPut(scope.id, route, data, beside.id if beside and is_kept else None))
    step.queue.append((True, route.arrival))


def take_over(
    step: Step,
    handler: HandlerPlan,
    scope: ScopeVisit,
    came: Any,
    bound: dict[str, Any] | None = None,
) -> None:
    """A handler of a scope interrupts it: its tokens are gone, and no handler of it listens.

    Without a scope to run the guarded one completes with its input.
    """
    cancel_contents(step, scope)
    run = handler.handler.run
    result = scope.input if run is None else None
    step.emit(e.ScopeClosed(scope.id, handler.id, handler.handler.leave_by, result))
    if run is None:
        step.queue.append((False, scope.id))
    else:
        run_inside(step, handler, scope, came, bound)


def run_inside(
    step: Step,
    handler: HandlerPlan,
    scope: ScopeVisit,
    came: Any,
    bound: dict[str, Any] | None = None,
) -> None:
    """Run the handler's own scope inside the guarded one, with `bound` as variables of it.

    What `came` is exported in sight of that scope.
    """
    run = handler.handler.run
    assert run is not None, f"{handler.id} guards a scope and runs none"
    try:
        id = enter_scope(
            step,
            run,
            parent=scope.id,
            owner=None,
            data=scope.input,
            variables=bound,
            handler=handler.id,
        )
    except Fault as found:
        step.fail_scope(scope, _blame(handler, found), is_from_handler=True)
        return
    inner = step.state.scopes.get(id)
    if inner is None:
        return
    try:
        _export(step, handler, id, came, bound)
    except Fault as found:
        step.fail_scope(inner, _blame(handler, found))


def _export(
    step: Step, handler: HandlerPlan, scope: int, came: Any, bound: dict[str, Any] | None
) -> None:
    if handler.rules is not None:
        frame = Frame(None, scope, came, step.now_ms)
        frame.extra = bound
        write_output(step, frame, handler.rules, came)


def _blame(handler: HandlerPlan, found: Fault) -> e.Problem:
    return {"instance": handler.handler.pointer, **found.problem}
