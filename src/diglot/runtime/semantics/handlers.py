"""Handlers: how an error finds its handler, how retries run, what time-outs stop.

Source: BPMN 2.0.2 10.5.6, 13.5.3, 13.5.4; DSL, Fault Tolerance; DSL reference, Catch, Retry.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from diglot.compiler.graph import ErrorTrigger
from diglot.compiler.graph.errors import canonical_error_type
from diglot.runtime import events as e
from diglot.runtime.clock import later
from diglot.runtime.evaluate import as_duration
from diglot.runtime.faults import Fault, fault, problem

if TYPE_CHECKING:
    from diglot.runtime.plan import ErrorPlan, HandlerPlan, RetryPlan
    from diglot.runtime.state import ScopeVisit, Timer, Visit

    from .frame import Frame
    from .step import Step


def raise_error(step: Step, visit: Visit, error: e.Problem) -> None:
    """Take `error` from the visit outwards, scope by scope, to the first handler that takes it.

    What the handler guards is stopped first. Nobody takes it: the instance faults.
    """
    while True:
        plan = step.plan.nodes[visit.node]
        error = _blame(step, error, plan.node.pointer)
        frame = step.frame(visit)
        taker, error = _taker(step, plan.boundary, error, frame)
        cancel_bodies(step, visit)
        scope = step.state.scopes[visit.scope]
        step.emit(e.VisitFailed(visit.id, error))
        if taker is not None:
            _take_flow(step, taker, scope, error)
            return
        owner = _leave_scope(step, scope, error)
        if owner is None:
            return
        visit, error = owner


def raise_in_scope(step: Step, scope: ScopeVisit, error: e.Problem) -> None:
    """An error that comes from the scope itself, such as a time-out of one run of it."""
    owner = _leave_scope(step, scope, error)
    if owner is not None:
        raise_error(step, *owner)


def _leave_scope(step: Step, scope: ScopeVisit, error: e.Problem) -> tuple[Visit, e.Problem] | None:
    """Offer the error to the scope's own handlers; if none takes it, leave towards the owner."""
    while True:
        if not scope.is_closed:
            catchers = step.plan.catchers.get(scope.scope, [])
            frame = step.frame_of(scope)
            taker, error = _taker(step, catchers, error, frame)
            left = error if taker is None else _catch(step, taker, scope, error)
            if left is None:
                return None
            error = left
        if scope.owner is not None:
            return step.state.visits[scope.owner], error
        if scope.parent is None:
            step.end_instance("faulted", error=error)
            return None
        # A scope that runs for a handler: its errors go past the scope it belongs to.
        parent = step.state.scopes[scope.parent]
        cancel_contents(step, scope)
        step.emit(e.ScopeLeft(scope.id))
        scope = parent


def _blame(step: Step, error: e.Problem, pointer: str) -> e.Problem:
    return error if error.get("instance") else {**error, "instance": pointer}


def _taker(
    step: Step, handlers: list[HandlerPlan], error: e.Problem, frame: Frame
) -> tuple[HandlerPlan | None, e.Problem]:
    """The first handler that takes the error; a condition that fails replaces the error."""
    for handler in handlers:
        try:
            if _matches(step, handler, error, frame):
                return handler, error
        except Fault as found:
            pointer = handler.handler.pointer or error.get("instance", "")
            error = {**found.problem, "instance": pointer}
    return None, error


def _matches(step: Step, handler: HandlerPlan, error: e.Problem, frame: Frame) -> bool:
    for name, value in handler.match:
        expected, actual = value(step, frame, frame.raw), error.get(name)
        if name == "type" and isinstance(expected, str) and isinstance(actual, str):
            expected, actual = canonical_error_type(expected), canonical_error_type(actual)
        if expected != actual:
            return False
    trigger = handler.trigger
    assert isinstance(trigger, ErrorTrigger)
    frame.extra = {trigger.variable: error}
    if handler.when is not None and not handler.when(step, frame, frame.raw):
        return False
    return handler.except_when is None or not handler.except_when(step, frame, frame.raw)


def _take_flow(step: Step, taker: HandlerPlan, scope: ScopeVisit, data: Any) -> None:
    """A boundary handler: its token leaves on its flow with the error as data."""
    flow = taker.handler.flow
    assert flow is not None, f"{taker.id} guards a node and has no flow"
    (route,) = step.routes((step.plan.route(flow),))
    step.emit(e.TokenPut(scope.id, route, data))
    step.queue.append((True, route.arrival))


def _catch(step: Step, taker: HandlerPlan, scope: ScopeVisit, error: e.Problem) -> e.Problem | None:
    """A handler inside the scope: retry first, else run its body.

    What is left is the error that goes on outwards: the same if the handler gives it up, another
    if its policy cannot be computed.
    """
    if taker.retry is not None:
        try:
            due_ms = _next_run(step, taker.retry, taker, scope, error)
        except Fault as found:
            return {**found.problem, "instance": taker.handler.pointer}
        if due_ms is not None:
            _schedule_run(step, scope, error, due_ms)
            return None
        if not _goes_on(taker):
            return error
    cancel_contents(step, scope)
    handler = taker.handler
    result = scope.input if handler.run is None else None
    step.emit(e.ScopeClosed(scope.id, taker.id, handler.leave_by, result))
    if handler.run is None:
        step.queue.append((False, scope.id))
        return None
    trigger = taker.trigger
    assert isinstance(trigger, ErrorTrigger)
    step.enter_scope(
        handler.run,
        parent=scope.id,
        owner=None,
        data=scope.input,
        variables={trigger.variable: error},
        handler=taker.id,
    )
    return None


def _goes_on(taker: HandlerPlan) -> bool:
    """Whether a handler whose retries are used up has a way of its own.

    A catch that only retries gives the error up when it may not retry again (our decision A2).
    """
    return taker.handler.run is not None or taker.handler.leave_by is not None


def _next_run(
    step: Step, retry: RetryPlan, taker: HandlerPlan, scope: ScopeVisit, error: e.Problem
) -> int | None:
    """When the scope runs again, or nothing if the policy says no (our decisions A3 to A6)."""
    policy = retry.policy
    if policy.count is not None and scope.runs > policy.count:
        return None
    frame = step.frame_of(scope)
    trigger = taker.trigger
    assert isinstance(trigger, ErrorTrigger)
    frame.extra = {trigger.variable: error}
    if retry.when is not None and not retry.when(step, frame, scope.input):
        return None
    if retry.except_when is not None and retry.except_when(step, frame, scope.input):
        return None
    due_ms = step.now_ms + _pause_ms(step, retry, frame, scope)
    if retry.total_limit is not None:
        limit = as_duration(retry.total_limit(step, frame, scope.input))
        if due_ms > later(scope.began_ms, limit):
            return None
    return due_ms


def _pause_ms(step: Step, retry: RetryPlan, frame: Frame, scope: ScopeVisit) -> int:
    pause = 0
    if retry.delay is not None:
        delay = as_duration(retry.delay(step, frame, scope.input))
        pause = later(step.now_ms, delay) - step.now_ms
        if retry.policy.backoff == "linear":
            pause *= scope.runs
        elif retry.policy.backoff == "exponential":
            pause *= 2 ** min(scope.runs - 1, 62)
    if retry.jitter is not None:
        ends = [
            later(step.now_ms, as_duration(end(step, frame, scope.input))) - step.now_ms
            for end in retry.jitter
        ]
        pause += step.chance().randint(min(ends), max(ends))
    return max(0, min(pause, LONGEST_PAUSE_MS))


#: No pause between two runs is longer than a year, whatever the back-off gives.
LONGEST_PAUSE_MS = 365 * 24 * 3600 * 1000


def _schedule_run(step: Step, scope: ScopeVisit, error: e.Problem, due_ms: int) -> None:
    cancel_contents(step, scope)
    timer = step.new_id()
    step.emit(e.RetryScheduled(scope.id, scope.runs, error, timer, due_ms))
    if due_ms <= step.now_ms:
        step.emit(e.TimerFired(timer, step.now_ms))
        restart(step, scope)


def restart(step: Step, scope: ScopeVisit) -> None:
    """Run a scope again from its input."""
    arrival = step.new_id()
    start = step.plan.scopes[scope.scope].start
    step.emit(e.ScopeRestarted(scope.id, start, arrival, step.now_ms))
    try:
        step.arm_scope(scope.id, scope.scope, scope.input, is_first=False)
    except Fault as found:
        assert scope.owner is not None, f"{scope.scope} is retried and belongs to nothing"
        raise_error(step, step.state.visits[scope.owner], found.problem)
        return
    step.queue.append((True, arrival))


def fire(step: Step, timer: Timer) -> None:
    """A timer of a handler, of a retry or of one run is due; its event is recorded already."""
    state = step.state
    if timer.purpose == "retry":
        assert timer.scope is not None
        restart(step, state.scopes[timer.scope])
        return
    assert timer.handler is not None
    handler = step.plan.handlers[timer.handler]
    if timer.scope is not None:
        scope = state.scopes[timer.scope]
        # A time-out of the whole workflow is no task's error.
        pointer = _pointer_of(step, scope) if scope.owner else handler.handler.pointer
        if timer.purpose == "attempt":
            raise_in_scope(step, scope, problem("timeout", instance=pointer))
        else:
            _expire_scope(step, handler, scope, pointer)
        return
    assert timer.visit is not None
    visit = state.visits[timer.visit]
    if handler.raises is not None:
        cancel_bodies(step, visit)
        raise_error(step, visit, build_error(step, handler.raises, step.frame(visit), ""))
        return
    scope, data = state.scopes[visit.scope], visit.input
    if handler.handler.is_interrupting:
        cancel_bodies(step, visit)
        step.emit(e.VisitCancelled(visit.id))
    _take_flow(step, handler, scope, data)


def _expire_scope(step: Step, handler: HandlerPlan, scope: ScopeVisit, pointer: str) -> None:
    assert handler.raises is not None, (
        f"{handler.id} guards a scope by the clock and raises nothing"
    )
    error = build_error(step, handler.raises, step.frame_of(scope), pointer)
    cancel_contents(step, scope)
    raise_in_scope(step, scope, error)


def _pointer_of(step: Step, scope: ScopeVisit) -> str:
    if scope.owner is None:
        return step.plan.scopes[scope.scope].pointer
    return step.plan.nodes[step.state.visits[scope.owner].node].node.pointer


def build_error(step: Step, template: ErrorPlan, frame: Frame, pointer: str) -> e.Problem:
    """The error of a template; `instance` is the machine's, whatever the author wrote (A29).

    Source: DSL reference, Error.
    """
    error: e.Problem = {
        "type": template.type(step, frame, frame.input),
        "status": template.status(step, frame, frame.input),
    }
    if not isinstance(error["type"], str):
        raise fault("expression", "the type of an error is text")
    error["type"] = canonical_error_type(error["type"])
    for name, part in (("title", template.title), ("detail", template.detail)):
        value = None if part is None else part(step, frame, frame.input)
        if value is not None:
            error[name] = value if isinstance(value, str) else json.dumps(value)
    if pointer:
        error["instance"] = pointer
    return error


# -- stopping


def cancel_contents(step: Step, scope: ScopeVisit) -> None:
    """Stop every visit and every handler that runs inside a scope visit."""
    state = step.state
    for id in list(state.visits_in.get(scope.id, ())):
        visit = state.visits[id]
        cancel_bodies(step, visit)
        step.emit(e.VisitCancelled(id))
    for id in list(state.handling.get(scope.id, ())):
        cancel_contents(step, state.scopes[id])
        step.emit(e.ScopeLeft(id))
    if scope.tokens > 0:
        step.emit(e.TokensWithdrawn(scope.id))


def cancel_bodies(step: Step, visit: Visit) -> None:
    """Stop the scopes a visit owns, and the child instance it waits for."""
    for id in list(step.state.bodies.get(visit.id, ())):
        cancel_contents(step, step.state.scopes[id])
        step.emit(e.ScopeLeft(id))
    if visit.child is not None:
        step.emit(e.ChildCancelled(visit.id, visit.child))


def cancel_children(step: Step) -> None:
    """Ask every child instance somebody still waits for to stop."""
    for visit in list(step.state.visits.values()):
        if visit.child is not None:
            step.emit(e.ChildCancelled(visit.id, visit.child))
