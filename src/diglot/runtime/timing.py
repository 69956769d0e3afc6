"""Timers: when one is due, and what is left of a cycle after that.

A cycle is an ISO 8601 repeating interval (`R3/PT5S`, `R/2026-01-01T00:00:00Z/PT1H`, or with two
moments that lie one interval apart) or the fields of cron. `R3` fires three times, `R` for ever; it
begins one interval after it is armed, or at the moment it names. Times without a zone are UTC.

Source: BPMN 2.0.2 10.5.5, Table 10.101; ISO 8601-1:2019, 5.6.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, NamedTuple

from diglot.compiler.graph import Duration, TimerTrigger
from diglot.specs.bpmn import times
from diglot.specs.serverless_workflow.durations import DurationValue

from .clock import LAST_MS, iso, later
from .evaluate import as_duration, compile_value, type_name
from .faults import fault

if TYPE_CHECKING:
    from .semantics.frame import Frame
    from .semantics.step import Step

_DAY_MS = 86_400_000


class Due(NamedTuple):
    """A moment, and what is left of its cycle: the text of another one, or nothing."""

    at_ms: int
    repeat: str | None = None


class Cycle(NamedTuple):
    """A repeating interval with `left` more times, or without an end.

    `anchor_ms` is a moment of its rhythm, where one is known.
    """

    left: int | None
    anchor_ms: int | None
    every: Duration

    @property
    def text(self) -> str | None:
        """The cycle as ISO 8601 says it, or nothing where no time is left."""
        if self.left == 0:
            return None
        count = "" if self.left is None else str(self.left)
        anchor = "" if self.anchor_ms is None else f"{iso(self.anchor_ms)}/"
        return f"R{count}/{anchor}{_duration_text(self.every)}"

    def without_one(self) -> Cycle:
        """What is left after one time."""
        return self._replace(left=None if self.left is None else self.left - 1)


def compile_timer(trigger: TimerTrigger) -> Callable[[Step, Frame, Any], Due | None]:
    """The function that says when the timer is due that is armed now; nothing means never."""
    compute = compile_value(trigger.value)
    form = trigger.form

    def due(step: Step, frame: Frame, dot: Any) -> Due | None:
        return first_due(form, compute(step, frame, dot), step.now_ms)

    return due


def first_due(form: str, found: Any, now_ms: int) -> Due | None:
    """When a timer of this form with the computed value `found` is due first.

    Raises:
        Fault: the value is no such time.
    """
    match form:
        case "duration":
            return Due(later(now_ms, as_duration(found)))
        case "instant":
            return Due(as_instant(found))
        case "cron":
            return _cron_due(_text(found), now_ms)
        case "cycle":
            text = _text(found)
            if not text.startswith("R"):
                return _cron_due(text, now_ms)
            return _first_of(_cycle(text), now_ms)
        case _:
            return _first_of(Cycle(None, None, _positive(as_duration(found))), now_ms)


def next_due(repeat: str, last_ms: int, now_ms: int) -> Due | None:
    """The time after `last_ms` of a cycle, of which `repeat` is left; it keeps the rhythm.

    Times that were missed are made up for where they are counted; of a cycle without an end they
    are left out.
    """
    if not repeat.startswith("R"):
        return _cron_due(repeat, max(last_ms, now_ms))
    cycle = _cycle(repeat)
    after_ms = max(last_ms, now_ms) if cycle.left is None else last_ms
    anchor_ms = last_ms if cycle.anchor_ms is None else cycle.anchor_ms
    return _due(cycle, _time_after(anchor_ms, cycle.every, after_ms))


def as_instant(found: Any) -> int:
    """The moment (`_ms`) that an ISO 8601 date and time names.

    Raises:
        Fault: it names none.
    """
    try:
        return times.parse_instant(_text(found))
    except ValueError as error:
        raise fault("expression", str(error)) from error


def _text(found: Any) -> str:
    if not isinstance(found, str):
        raise fault("expression", f"a timer wants a text, not {type_name(found)}")
    if len(found) > times.LONGEST_TEXT:
        raise fault("expression", f"a timer of {len(found)} characters is too long")
    return found.strip()


def _cycle(text: str) -> Cycle:
    try:
        left, anchor_ms, every = times.parse_cycle(text)
    except ValueError as error:
        raise fault("expression", str(error)) from error
    return Cycle(left, anchor_ms, _duration(every))


def _positive(duration: Duration) -> Duration:
    try:
        return _duration(times.checked_interval(DurationValue(*_parts(duration))))
    except ValueError as error:
        raise fault("expression", str(error)) from error


def _duration(value: DurationValue) -> Duration:
    return Duration(months=value.months, milliseconds=value.milliseconds)


def _parts(duration: Duration) -> tuple[int, int]:
    return duration.months, duration.milliseconds


def _first_of(cycle: Cycle, now_ms: int) -> Due | None:
    if cycle.left == 0:
        return None
    if cycle.anchor_ms is not None:
        return _due(cycle, cycle.anchor_ms)
    if cycle.every.months:
        # The end of a month is not the end of the next one: only the beginning keeps the day.
        cycle = cycle._replace(anchor_ms=now_ms)
    return _due(cycle, later(now_ms, cycle.every))


def _due(cycle: Cycle, at_ms: int) -> Due | None:
    return None if at_ms >= LAST_MS else Due(at_ms, cycle.without_one().text)


def _time_after(anchor_ms: int, every: Duration, after_ms: int) -> int:
    """The first of `anchor_ms` plus one, two, three ... intervals that is later than `after_ms`."""
    longest_ms = every.months * 31 * _DAY_MS + every.milliseconds
    number = max(1, (after_ms - anchor_ms) // longest_ms)
    while True:
        at_ms = later(
            anchor_ms,
            Duration(months=number * every.months, milliseconds=number * every.milliseconds),
        )
        if at_ms > after_ms or at_ms >= LAST_MS:
            return at_ms
        number += 1


def _duration_text(duration: Duration) -> str:
    seconds, milliseconds = divmod(duration.milliseconds, 1000)
    months = f"{duration.months}M" if duration.months else ""
    return f"P{months}T{seconds}.{milliseconds:03d}S"


def _cron_due(text: str, after_ms: int) -> Due | None:
    at_ms = next_cron(text, after_ms)
    return None if at_ms is None else Due(at_ms, text)


def next_cron(text: str, after_ms: int) -> int | None:
    """The first moment after `after_ms` that the fields of cron name; nothing if there is none.

    Raises:
        Fault: the text is not cron's.
    """
    try:
        return times.next_cron(text, after_ms)
    except ValueError as error:
        raise fault("expression", str(error)) from error
