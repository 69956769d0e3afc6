"""Triggers: how handlers are armed, and what happens when what they wait for comes.

A handler of a node is armed when the node becomes active, one of a scope when the scope is entered;
what has come by then (a moment that is past, a condition that is true) triggers at once.

Source: BPMN 2.0.2 10.5.5, 13.5.3, 13.5.4.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from diglot.runtime import events as e
from diglot.runtime.faults import Fault, problem
from diglot.runtime.occasions import Heard, have_come
from diglot.runtime.state import Visit
from diglot.runtime.timing import next_due

from .correlation import learn, match_filter, shared_keys
from .errors import build_error, raise_error, raise_in_scope
from .handlers import leave_by_flow, run_inside, take_over
from .race import win
from .receive import read_event
from .retries import restart
from .stopping import cancel_bodies, cancel_contents, cancel_visit

if TYPE_CHECKING:
    from diglot.runtime.guards import HandlerPlan, OccasionPlan
    from diglot.runtime.plan import NodePlan
    from diglot.runtime.state import ScopeVisit, Subscription, Timer
    from diglot.runtime.timing import Due

    from .frame import Frame
    from .step import Step

    Holder = Visit | ScopeVisit


# -- arming


def arm_visit(step: Step, visit: Visit, plan: NodePlan) -> bool:
    """Arm what guards a visit that becomes active; false if something interrupted it at once.

    Raises:
        Fault: a moment or a condition cannot be computed.
    """
    frame = step.frame(visit)
    for handler in plan.guards.armed:
        for occasion in handler.occasions:
            _arm(step, occasion, visit, frame, visit.input)
            if visit.id not in step.state.visits:
                return False
    return True


def arm_scope(step: Step, scope: ScopeVisit) -> None:
    """Arm what guards a scope that was just entered.

    What cannot be computed is an error of the scope itself, but for the moment of a time-out.

    Raises:
        Fault: that cannot be.
    """
    frame = step.frame_of(scope)
    for handler in step.plan.guards_of(scope.scope).armed:
        for occasion in handler.occasions:
            if not is_listening(step, scope):
                return
            try:
                _arm(step, occasion, scope, frame, scope.input)
            except Fault as found:
                if handler.raises is not None:
                    raise
                step.fail_scope(scope, {"instance": handler.handler.pointer, **found.problem})


def is_listening(step: Step, scope: ScopeVisit) -> bool:
    """Whether handlers of the scope may begin: it is not interrupted, not completing, not over."""
    is_alive = scope.id in step.state.scopes and (scope.tokens > 0 or scope.id in step.ending)
    return is_alive and not scope.is_closed and not scope.is_completing


def _arm(step: Step, occasion: OccasionPlan, holder: Holder, frame: Frame, dot: Any) -> None:
    if occasion.due is not None:
        _arm_timer(step, occasion, holder, occasion.due(step, frame, dot))
    elif occasion.filter is not None:
        _subscribe(step, occasion, holder)
    elif occasion.condition is not None:
        is_true = occasion.condition(step, frame, dot)
        step.emit(e.TruthSeen(holder.id, occasion.key, is_true))
        if is_true:
            come(step, occasion, holder)


def _arm_timer(step: Step, occasion: OccasionPlan, holder: Holder, due: Due | None) -> None:
    if due is None:
        return
    handler = occasion.handler
    repeat = None if handler.handler.is_interrupting else due.repeat
    if due.at_ms > step.now_ms or handler.raises is not None:
        visit, scope = _places(holder)
        id = step.new_id()
        step.emit(
            e.TimerArmed(id, "handler", due.at_ms, visit, scope, handler.id, occasion.index, repeat)
        )
        return
    if repeat is not None:
        _arm_again(step, occasion, holder, repeat, due.at_ms)
    come(step, occasion, holder)


def _arm_again(
    step: Step, occasion: OccasionPlan, holder: Holder, repeat: str, last_ms: int
) -> None:
    """Arm a cycle's next time; it counts from when this one was due, however late it is."""
    due = next_due(repeat, last_ms, step.now_ms)
    if due is not None:
        visit, scope = _places(holder)
        handler = occasion.handler.id
        step.emit(
            e.TimerArmed(
                step.new_id(), "handler", due.at_ms, visit, scope, handler, occasion.index,
                due.repeat,
            )
        )  # fmt: skip


def _subscribe(step: Step, occasion: OccasionPlan, holder: Holder) -> None:
    filter = occasion.filter
    assert filter is not None
    visit, scope = _places(holder)
    step.emit(
        e.SubscriptionOpened(
            step.new_id(),
            visit,
            occasion.index,
            False,
            filter.type,
            scope,
            occasion.handler.id,
            filter.filter.kind,
        )
    )


def _places(holder: Holder) -> tuple[int | None, int | None]:
    return (holder.id, None) if isinstance(holder, Visit) else (None, holder.id)


def complete_beside(step: Step, scope: ScopeVisit) -> None:
    """Where only handlers of a scope run any more, no further one may begin.

    Source: BPMN 2.0.2 13.3.2 (Completing), 13.5.4.
    """
    state = step.state
    beside = state.handling.get(scope.id, ())
    if not is_listening(step, scope) or scope.tokens != len(beside):
        return
    withdrawn = tuple(
        id
        for table, id in state.open.get(scope.id, ())
        if table == "subscriptions" or _is_handlers(step, state.timers.get(id))
    )
    step.emit(e.ScopeCompleting(scope.id, withdrawn))


def _is_handlers(step: Step, timer: Timer | None) -> bool:
    """Whether a timer is a handler's that is no time-out: that one goes on until the end."""
    if timer is None or timer.handler is None or timer.purpose != "handler":
        return False
    return step.plan.handlers[timer.handler].raises is None


# -- what comes


def fire(step: Step, timer: Timer) -> None:
    """A timer of a handler, of a retry or of one run is due; its event is recorded already."""
    state = step.state
    if timer.purpose == "retry":
        assert timer.scope is not None
        restart(step, state.scopes[timer.scope])
        return
    assert timer.handler is not None
    if timer.purpose == "attempt":
        assert timer.scope is not None
        scope = state.scopes[timer.scope]
        raise_in_scope(step, scope, problem("timeout", instance=_pointer_of(step, scope)))
        return
    occasion = step.plan.handlers[timer.handler].occasions[timer.part]
    holder = _holder(step, timer)
    if timer.repeat is not None:
        _arm_again(step, occasion, holder, timer.repeat, timer.due_ms)
    come(step, occasion, holder)


def hear(step: Step, subscription: Subscription, envelope: dict[str, Any], number: int) -> bool:
    """Offer a CloudEvent to a handler that listens; true if it was taken."""
    assert subscription.handler is not None
    handler = step.plan.handlers[subscription.handler]
    occasion = handler.occasions[subscription.index]
    filter = occasion.filter
    assert filter is not None
    holder = _holder(step, subscription)
    closes = handler.wanted is not None
    if isinstance(holder, Visit):
        if subscription.kind == "signal" and _is_absorbed(step, holder, number):
            return False
        frame, dot = step.frame(holder), holder.input
    else:
        frame, dot = step.frame_of(holder), holder.input
        if not is_listening(step, holder):
            return False
    # A message that was kept is older than what came since, and the store gives it out once.
    last = holder.seen.get(occasion.key if closes else handler.id, 0)
    if subscription.kind != "message" and 0 < number <= last:
        return False
    keys = match_filter(step, filter, envelope, frame, dot, {}, shared_keys(step))
    if keys is None:
        return False
    value = read_event(envelope, occasion.read)
    learn(step, keys.learned)
    source, id = str(envelope.get("source", "")), str(envelope.get("id", ""))
    key = occasion.key if closes else handler.id
    step.emit(e.EventHeard(subscription.id, source, id, value, key, number, closes))
    come(step, occasion, holder, [value])
    return True


def _is_absorbed(step: Step, visit: Visit, number: int) -> bool:
    """Whether an event sub-process inside the activity was interrupted by this very event.

    Source: BPMN 2.0.2 10.5.6.
    """
    bodies = (step.state.scopes[id] for id in step.state.bodies.get(visit.id, ()))
    return any(body.is_closed and number > 0 and number in body.seen.values() for body in bodies)


def come(
    step: Step,
    occasion: OccasionPlan,
    holder: Holder,
    came: Any = None,
    bound: dict[str, Any] | None = None,
) -> None:
    """What a handler waits for has come; it is triggered unless more has to come."""
    handler = occasion.handler
    if handler.wanted is not None:
        place = str(occasion.index)
        if place in holder.met.get(handler.id, ()):
            return
        step.emit(e.TriggerMet(holder.id, handler.id, place, came))
        met = holder.met[handler.id]
        if not have_come(handler.wanted, {int(place) for place in met}):
            return
        came = _all_heard(handler, met)
        if not handler.handler.is_interrupting:
            _wait_again(step, handler, holder)
    _trigger(step, handler, holder, came, bound)


def _all_heard(handler: HandlerPlan, met: dict[str, Any]) -> list[Any] | None:
    """What was read of the events among all that came, in the handler's order."""
    heard = [occasion for occasion in handler.occasions if isinstance(occasion.occasion, Heard)]
    if not heard:
        return None
    return [met[str(one.index)][0] for one in heard if str(one.index) in met]


def _wait_again(step: Step, handler: HandlerPlan, holder: Holder) -> None:
    """A handler that waits for several begins anew; a moment that is past has come for good."""
    timers = {
        timer.part
        for table, id in step.state.open.get(holder.id, ())
        if table == "timers" and (timer := step.state.timers[id]).handler == handler.id
    }
    again = [
        occasion
        for occasion in handler.occasions
        if str(occasion.index) in holder.met[handler.id]
        and (occasion.due is None or occasion.index in timers)
    ]
    places = tuple(str(occasion.index) for occasion in again)
    step.emit(e.TriggersForgotten(holder.id, handler.id, places))
    for occasion in again:
        if occasion.filter is not None:
            _subscribe(step, occasion, holder)


def _holder(step: Step, waiting: Timer | Subscription) -> Holder:
    if waiting.visit is not None:
        return step.state.visits[waiting.visit]
    assert waiting.scope is not None
    return step.state.scopes[waiting.scope]


# -- triggering


def _trigger(
    step: Step, handler: HandlerPlan, holder: Holder, came: Any, bound: dict[str, Any] | None
) -> None:
    if step.is_too_much(handler.id, holder.id):
        # What it runs is a scope of its own each time, so its nodes do not tell.
        pointer = handler.handler.pointer
        detail = f"a handler triggers itself without end: {pointer or handler.id}"
        step.end_instance("faulted", error=problem("runtime", detail, instance=pointer))
    elif isinstance(holder, Visit):
        _trigger_at_visit(step, handler, holder, came, bound)
    elif handler.raises is not None:
        # A time-out of the whole workflow is no task's error.
        pointer = _pointer_of(step, holder) if holder.owner else handler.handler.pointer
        error = build_error(step, handler.raises, step.frame_of(holder), pointer)
        cancel_contents(step, holder)
        raise_in_scope(step, holder, error)
    elif not is_listening(step, holder):
        return
    elif handler.handler.is_interrupting:
        take_over(step, handler, holder, came, bound)
    else:
        run_inside(step, handler, holder, came, bound)


def _trigger_at_visit(
    step: Step, handler: HandlerPlan, visit: Visit, came: Any, bound: dict[str, Any] | None
) -> None:
    if handler.raises is not None or handler.handler.is_interrupting:
        win(step, visit)
    if handler.raises is not None:
        cancel_bodies(step, visit)
        raise_error(step, visit, build_error(step, handler.raises, step.frame(visit), ""))
        return
    scope = step.state.scopes[visit.scope]
    data = visit.input if came is None else came
    is_interrupting = handler.handler.is_interrupting
    if is_interrupting:
        cancel_visit(step, visit)
    beside = None if is_interrupting else visit
    leave_by_flow(step, handler, scope, data, came, bound, beside=beside)


def _pointer_of(step: Step, scope: ScopeVisit) -> str:
    if scope.owner is None:
        return step.plan.scopes[scope.scope].pointer
    return step.plan.nodes[step.state.visits[scope.owner].node].node.pointer
