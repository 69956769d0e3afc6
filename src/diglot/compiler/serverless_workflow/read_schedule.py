"""What starts instances by itself: intervals, cron expressions, events.

Source: DSL, Scheduling; DSL reference, Schedule; our decisions A32, A33.
"""

from __future__ import annotations

import re
from datetime import UTC, datetime
from typing import TYPE_CHECKING

from diglot.specs.serverless_workflow.model import workflow as model

from .. import codes
from ..graph import Constant, Duration, EventTrigger, TimerTrigger, Trigger
from .read_events import read_strategy
from .values import duration, spelled

if TYPE_CHECKING:
    from .reading import Reading

_POINTER = "/schedule"
_LONGEST_CRON = 200
#: Fields that the library would draw: no two machines would agree on them.
_CHANCE = re.compile(r"(?:^|[\s,])[hr](?:[\s,/(]|$)", re.IGNORECASE)


def read_schedule(reading: Reading, found: model.Schedule) -> Trigger:
    """The trigger of the root scope's start."""
    match found:
        case model.ScheduleEvery():
            length = _length(reading, found.every, f"{_POINTER}/every")
            if length.months <= 0 and length.milliseconds <= 0:
                problem = "an interval has to be longer than zero"
                _report_length(reading, found.every, f"{_POINTER}/every", problem)
            return TimerTrigger(form="every", value=length)
        case model.ScheduleAfter():
            length = _length(reading, found.after, f"{_POINTER}/after")
            return TimerTrigger(form="after", value=length)
        case model.ScheduleCron():
            _check_cron(reading, found.cron, f"{_POINTER}/cron")
            return TimerTrigger(form="cron", value=Constant(" ".join(found.cron.split())))
        case model.ScheduleOn():
            strategy = read_strategy(reading, found.on, f"{_POINTER}/on")
            return EventTrigger(strategy=strategy, read=found.read)


def _length(reading: Reading, written: str | dict[str, int], pointer: str) -> Duration:
    """A length of time that is known before anything runs; an hour stands in after a finding."""
    length = duration(reading, written, pointer)
    if isinstance(length, Duration):
        return length
    problem = "a schedule has no data that an expression could be evaluated on"
    _report_length(reading, written, pointer, problem)
    return Duration(milliseconds=3_600_000)


def _report_length(
    reading: Reading, written: str | dict[str, int], pointer: str, problem: str
) -> None:
    reading.find(codes.BAD_DURATION, pointer, duration=spelled(written), problem=problem)


def _check_cron(reading: Reading, text: str, pointer: str) -> None:
    """Report a cron expression that no clock could follow, or that never comes due."""
    problem = _cron_problem(text)
    if problem:
        reading.find(codes.BAD_CRON, pointer, expression=text[:100], problem=problem)


def _cron_problem(text: str) -> str:
    # Late: few documents have a cron expression, and the library takes a while to load.
    from croniter import CroniterBadCronError, CroniterBadDateError, croniter

    fields = text.split()
    if len(text) > _LONGEST_CRON:
        return "it is too long"
    if len(fields) not in (5, 6):
        return f"it has {len(fields)} fields"
    if _CHANCE.search(text):
        return "h and r, which stand for times drawn by chance, are not supported"
    try:
        clock = croniter(
            text, datetime(2024, 1, 1, tzinfo=UTC), second_at_beginning=len(fields) == 6
        )
        clock.get_next()
    except CroniterBadDateError:
        return "no date ever matches it"
    except (CroniterBadCronError, ValueError) as fault:
        return str(fault).splitlines()[0][:200]
    return ""
