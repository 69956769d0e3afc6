"""Schedules: instances that start by the clock, by events or by a condition.

Nobody can see from outside whether the condition of a start has come to be true: it must not refer
to data of an instance, for there is none, and what it might see of the world is the time. So it is
asked when it is published and then every few seconds, starts an instance each time it has become
true, and where it fails it is not true. Whoever starts an instance at such a start by hand says
that the condition holds, and it is not asked.

Source: DSL reference, Schedule; DSL, Scheduling; BPMN 2.0.2 10.5.2, Table 10.84; our decisions A32
and A33.
"""

from __future__ import annotations

from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

from diglot.compiler.graph import (
    ConditionTrigger,
    Constant,
    Duration,
    EventTrigger,
    TimerTrigger,
    Trigger,
)

from . import timing
from .clock import later
from .errors import UnrunnableGraph
from .evaluate import as_duration, compile_condition, compile_value
from .faults import Fault
from .plan import Plan
from .semantics.frame import Frame
from .store.contract import Schedule

if TYPE_CHECKING:
    from .semantics import Step

#: How often the condition of a start is asked.
CONDITION_PAUSE_MS = 5_000


def triggers(plan: Plan) -> list[Trigger]:
    """What starts instances of a definition, in order of the document."""
    return [way.trigger for way in plan.ways]


def first_schedules(plan: Plan, step: Step, *, by_events_alone: bool = False) -> list[Schedule]:
    """The schedules of a version just published; `step` is one of no instance.

    Raises:
        UnrunnableGraph: a time cannot be computed.
    """
    now_ms = step.now_ms
    made: list[Schedule] = []
    for number, way in enumerate(plan.ways):
        if by_events_alone and not isinstance(way.trigger, EventTrigger):
            continue
        schedule = Schedule(plan.digest, number, "event", begun_ms=now_ms)
        match way.trigger:
            case TimerTrigger() as trigger:
                schedule.form = trigger.form
                try:
                    _arm(schedule, trigger, step)
                except Fault as found:
                    raise UnrunnableGraph(f"the time of {way.node}: {found}") from found
            case ConditionTrigger():
                schedule.form, schedule.due_ms, schedule.payload = "condition", now_ms, {}
            case _:
                schedule.payload = gathering()
        made.append(schedule)
    return made


def _arm(schedule: Schedule, trigger: TimerTrigger, step: Step) -> None:
    now_ms = step.now_ms
    match trigger.form:
        case "after":
            # It counts from the end of a run, so its first run begins at once.
            schedule.due_ms = now_ms
        case "every" | "cron":
            schedule.due_ms = next_due(trigger, now_ms, now_ms)
        case form:
            found = compile_value(trigger.value)(step, Frame(None, 0, None, now_ms), None)
            due = timing.first_due(form, found, now_ms)
            if due is not None:
                schedule.due_ms, schedule.payload = due.at_ms, {"repeat": due.repeat}


def advance(schedule: Schedule, trigger: TimerTrigger, now_ms: int) -> None:
    """Move a schedule by the clock, which has just started an instance, to its next moment."""
    assert schedule.due_ms is not None
    if trigger.form in ("every", "cron"):
        schedule.due_ms = next_due(trigger, schedule.due_ms, now_ms)
        return
    repeat = schedule.payload.get("repeat")
    due = None if repeat is None else timing.next_due(repeat, schedule.due_ms, now_ms)
    schedule.due_ms = None if due is None else due.at_ms
    schedule.payload = {"repeat": None if due is None else due.repeat}


def has_come(schedule: Schedule, trigger: ConditionTrigger, step: Step) -> bool:
    """Whether the condition has become true since it was asked last, which is noted."""
    was_true = schedule.payload.get("is_true", False)
    try:
        condition = compile_condition(trigger.condition)
        is_true = condition(step, Frame(None, 0, None, step.now_ms), None)
    except Fault:
        is_true = False
    schedule.payload = {"is_true": is_true}
    return is_true and not was_true


def gathering() -> dict[str, Any]:
    """Where a schedule by events stands before the first one."""
    return {"taken": [], "until": [], "events": [], "keys": {}, "shared": {}}


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
