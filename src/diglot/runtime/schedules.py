"""Schedules: instances that start by the clock or by events.

Source: DSL reference, Schedule; DSL, Scheduling; our decisions A32 and A33.
"""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

from diglot.compiler.graph import Constant, Duration, EventTrigger, Start, TimerTrigger, Trigger

from .clock import later
from .evaluate import as_duration
from .faults import Fault
from .plan import NodePlan, Plan
from .store.contract import Schedule


def triggers(plan: Plan) -> list[Trigger]:
    """What starts instances of a definition, in order of the document."""
    start = start_of(plan).node
    return list(start.triggers) if isinstance(start, Start) else []


def start_of(plan: Plan) -> NodePlan:
    """The node that gets an instance's first token."""
    return plan.nodes[plan.scopes[plan.graph.root].start]


def first_schedules(plan: Plan, now_ms: int) -> list[Schedule]:
    """The schedules of a version just published."""
    made: list[Schedule] = []
    for number, trigger in enumerate(triggers(plan)):
        if isinstance(trigger, TimerTrigger):
            # `after` counts from the end of a run, so its first run begins at once.
            due_ms = now_ms if trigger.form == "after" else next_due(trigger, now_ms, now_ms)
            made.append(Schedule(plan.digest, number, trigger.form, due_ms))
        elif isinstance(trigger, EventTrigger):
            made.append(Schedule(plan.digest, number, "event", payload=gathering()))
    return made


def gathering() -> dict[str, Any]:
    """Where a schedule by events stands before the first one."""
    return {"taken": [], "until": [], "events": [], "keys": {}}


def next_due(trigger: TimerTrigger, last_ms: int, now_ms: int) -> int | None:
    """The first moment after `now_ms`; moments that were missed count as one, already past.

    `every` keeps the rhythm of `last_ms`; cron is read in UTC. Nothing if there is no such moment.
    """
    if trigger.form == "cron":
        return _next_cron(_constant(trigger), now_ms)
    duration = _duration(trigger)
    due_ms = later(last_ms, duration)
    if due_ms <= last_ms:
        return None
    if due_ms <= now_ms and not duration.months:
        due_ms += -(-(now_ms + 1 - due_ms) // duration.milliseconds) * duration.milliseconds
    while due_ms <= now_ms:
        due_ms = later(due_ms, duration)
    return due_ms


def pause_after(trigger: TimerTrigger, ended_ms: int) -> int:
    """When a run begins whose predecessor ended at `ended_ms`."""
    return later(ended_ms, _duration(trigger))


def _next_cron(expression: str, now_ms: int) -> int | None:
    from croniter import croniter

    now = datetime.fromtimestamp(now_ms / 1000, UTC)
    # With six fields the seconds stand first in most dialects; croniter wants to be told.
    is_long = len(expression.split()) == 6
    found = croniter(expression, now, second_at_beginning=is_long).get_next(datetime)
    return int(found.timestamp() * 1000)


def _constant(trigger: TimerTrigger) -> str:
    assert isinstance(trigger.value, Constant)
    return str(trigger.value.document)


def _duration(trigger: TimerTrigger) -> Duration:
    value = trigger.value
    if isinstance(value, Duration):
        return value
    try:
        return as_duration(value.document if isinstance(value, Constant) else None)
    except Fault:
        return Duration()
