"""Lengths of time that are known before a run, and how they are told.

What an expression computes is not known, but for one that only says a text.
"""

from __future__ import annotations

import json
import re
from functools import lru_cache
from typing import TYPE_CHECKING, Final

from diglot.compiler.graph import Constant, Duration, Expression, Handler, Node, TimerTrigger, Value
from diglot.specs.serverless_workflow.durations import parse_duration

if TYPE_CHECKING:
    from diglot.specs.bpmn.times import CycleValue

DAY_MS: Final = 86_400_000
#: Longer than any year of the calendar.
YEAR_MS: Final = 366 * DAY_MS
_SHORTEST_MONTH_MS: Final = 28 * DAY_MS
_LONGEST_MONTH_MS: Final = 31 * DAY_MS
_TEXT: Final = re.compile(r'\s*"(?:[^"\\]|\\["\\/])*"\s*')
_UNITS: Final = (
    ("day", DAY_MS),
    ("hour", 3_600_000),
    ("minute", 60_000),
    ("second", 1_000),
    ("millisecond", 1),
)


def known_text(value: Value | None) -> str | None:
    """The text that a value surely is."""
    if isinstance(value, Constant):
        return value.document if isinstance(value.document, str) else None
    if isinstance(value, Expression) and _TEXT.fullmatch(value.text):
        text: str = json.loads(value.text)
        return text
    return None


def known_duration(value: Value | None) -> Duration | None:
    """The length that a value surely is; None also where its text is none."""
    if isinstance(value, Duration):
        return value
    text = known_text(value)
    return None if text is None else _parsed(text)


@lru_cache(1000)
def _parsed(text: str) -> Duration | None:
    try:
        found = parse_duration(text)
    except ValueError:
        return None
    return Duration(months=found.months, milliseconds=found.milliseconds)


def known_cycle(timer: TimerTrigger) -> CycleValue | None:
    """The repeating interval of a timer; None where it is none, or cron, or computed."""
    text = known_text(timer.value) if timer.form == "cycle" else None
    if text is None or not text.startswith("R"):
        return None
    # Late: few documents have a cycle.
    from diglot.specs.bpmn.times import parse_cycle

    try:
        return parse_cycle(text)
    except ValueError:
        return None


def least_ms(length: Duration) -> int:
    """How long it is at least, in whichever months."""
    return length.months * _SHORTEST_MONTH_MS + length.milliseconds


def most_ms(length: Duration) -> int:
    """How long it is at most, in whichever months."""
    return length.months * _LONGEST_MONTH_MS + length.milliseconds


def limit_of(timer: TimerTrigger) -> Duration | None:
    """How long after it is armed a timer surely fires, where that is known."""
    return known_duration(timer.value) if timer.form == "duration" else None


def spoken(length: Duration) -> str:
    """`1 month`, `2 hours 30 minutes`: a length in words."""
    years, months = divmod(length.months, 12)
    words = [_counted(*one) for one in ((years, "year"), (months, "month")) if one[0]]
    if length.milliseconds or not words:
        words.append(spoken_ms(length.milliseconds))
    return " ".join(words)


def spoken_ms(milliseconds: int) -> str:
    """The two largest units of a length in words."""
    words: list[str] = []
    rest = milliseconds
    for unit, size in _UNITS:
        count, rest = divmod(rest, size)
        if count:
            words.append(_counted(count, unit))
        if len(words) == 2:
            break
    return " ".join(words) or "0 seconds"


def _counted(count: int, unit: str) -> str:
    return f"{count} {unit}" if count == 1 else f"{count} {unit}s"


def name_of(part: Node | Handler) -> str:
    """What its author calls it."""
    return part.name or part.pointer or part.id
