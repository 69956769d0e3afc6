"""Retries: whether and when a failed scope runs again.

Source: DSL reference, Retry; our decisions A2 to A6.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from diglot.runtime import events as e
from diglot.runtime.clock import later
from diglot.runtime.evaluate import as_duration
from diglot.runtime.faults import Fault

from .frame import Frame
from .stopping import cancel_contents

if TYPE_CHECKING:
    from diglot.runtime.guards import HandlerPlan, OccasionPlan
    from diglot.runtime.parts import RetryPlan
    from diglot.runtime.state import ScopeVisit

    from .step import Step

#: No pause between two runs is longer than a year, whatever the back-off gives.
LONGEST_PAUSE_MS = 365 * 24 * 3600 * 1000


def goes_on(handler: HandlerPlan) -> bool:
    """Whether a handler whose retries are used up has a way of its own.

    A catch that only retries gives the error up when it may not retry again (our decision A2).
    """
    return handler.handler.run is not None or handler.handler.leave_by is not None


def next_run(
    step: Step, retry: RetryPlan, taker: OccasionPlan, scope: ScopeVisit, error: e.Problem
) -> int | None:
    """When the scope runs again, or nothing if the policy says no (our decisions A3 to A6)."""
    policy = retry.policy
    if policy.count is not None and scope.runs > policy.count:
        return None
    frame = step.frame_of(scope)
    frame.extra = {taker.variable: error}
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


def schedule_run(step: Step, scope: ScopeVisit, error: e.Problem, due_ms: int) -> None:
    """Stop what is left of this run, and begin the next one at `due_ms`."""
    cancel_contents(step, scope)
    timer = step.new_id()
    step.emit(e.RetryScheduled(scope.id, scope.runs, error, timer, due_ms))
    if due_ms <= step.now_ms:
        step.emit(e.TimerFired(timer, step.now_ms))
        restart(step, scope)


def arm_attempts(step: Step, scope: ScopeVisit) -> None:
    """Arm the timers that bound a single run of the scope.

    Raises:
        Fault: its length cannot be computed.
    """
    for taker in step.plan.guards_of(scope.scope).errors:
        retry = taker.handler.retry
        if retry is not None and retry.attempt_due is not None:
            frame = Frame(None, scope.id, scope.input, step.now_ms)
            due_ms = retry.attempt_due(step, frame, scope.input)
            step.emit(
                e.TimerArmed(
                    step.new_id(), "attempt", due_ms, scope=scope.id, handler=taker.handler.id
                )
            )


def restart(step: Step, scope: ScopeVisit) -> None:
    """Run a scope again from its input."""
    arrival = step.new_id()
    start = step.plan.scopes[scope.scope].start
    step.emit(e.ScopeRestarted(scope.id, start, arrival, step.now_ms))
    try:
        arm_attempts(step, scope)
    except Fault as found:
        assert scope.owner is not None, f"{scope.scope} is retried and belongs to nothing"
        step.fail(step.state.visits[scope.owner], found.problem)
        return
    step.queue.append((True, arrival))
