"""Times as BPMN's timers write them: moments and cycles of ISO 8601, and the fields of cron.

Source: BPMN 2.0.2 10.5.5, Table 10.101; ISO 8601-1:2019, 5.6.
"""

from __future__ import annotations

import re
from datetime import UTC, datetime
from typing import Final, NamedTuple
from zoneinfo import ZoneInfo

from diglot.specs.serverless_workflow.durations import DurationValue, parse_duration

#: No timer is written in a longer text.
LONGEST_TEXT: Final = 200
_REPEATED: Final = re.compile(r"R(-1|\d{0,9})/([^/]+)(?:/([^/]+))?")
#: A moment with the name of its zone behind it, as Java and FEEL write it.
_ZONED: Final = re.compile(r"([^\[\]]+)\[([\w+-]+(?:/[\w+-]+)*)\]")

#: Fields of cron that the library would draw: no two machines would agree on them.
_CHANCE: Final = re.compile(r"(?:^|[\s,])[hr](?:[\s,/(]|$)", re.IGNORECASE)


class CycleValue(NamedTuple):
    """A repeating interval: `left` more times, or without an end.

    `anchor_ms` is a moment of its rhythm in UTC, where it names one.
    """

    left: int | None
    anchor_ms: int | None
    every: DurationValue


def parse_instant(text: str) -> int:
    """The moment (milliseconds since 1970) that a date and time names; without a zone it is UTC.

    Raises:
        ValueError: it names none. The message is fit for an author's eyes.
    """
    named = _ZONED.fullmatch(text)
    try:
        moment = datetime.fromisoformat(named.group(1) if named else text)
        if moment.tzinfo is None:
            moment = moment.replace(tzinfo=ZoneInfo(named.group(2)) if named else UTC)
        return round(moment.timestamp() * 1000)
    except (ValueError, KeyError, OverflowError, OSError) as error:
        raise ValueError(f"{text!r:.60} is no ISO 8601 date and time") from error


def parse_cycle(text: str) -> CycleValue:
    """What a repeating interval says: `R3/PT10S`, `R/2030-01-01T00:00:00Z/PT1H`.

    Raises:
        ValueError: it is none, or no time passes in it. The message is fit for an author's eyes.
    """
    parts = _REPEATED.fullmatch(text)
    if parts is None:
        raise ValueError(f"{text!r:.60} is no repeating interval such as R3/PT10M")
    count, first, second = parts.groups()
    left = None if count in ("", "-1") else int(count)
    if second is None:
        return CycleValue(left, None, checked_interval(parse_duration(first)))
    start_ms = parse_instant(first)
    if second.startswith("P"):
        return CycleValue(left, start_ms, checked_interval(parse_duration(second)))
    length = DurationValue(milliseconds=parse_instant(second) - start_ms)
    return CycleValue(left, start_ms, checked_interval(length))


def checked_interval(every: DurationValue) -> DurationValue:
    """An interval in which time passes.

    Raises:
        ValueError: none does.
    """
    if every.months < 0 or every.milliseconds < 0 or not (every.months or every.milliseconds):
        raise ValueError("a cycle needs an interval in which time passes")
    return every


def next_cron(text: str, after_ms: int) -> int | None:
    """The first moment after `after_ms` that the fields of cron name in UTC; none if none does.

    Raises:
        ValueError: the text is not cron's.
    """
    # Late: few processes have a cron expression, and the library takes a while to load.
    from croniter import CroniterBadDateError, croniter

    # With six fields, or seven with the year, the seconds stand first in most dialects; croniter
    # wants to be told.
    is_long = len(text.split()) >= 6
    after = datetime.fromtimestamp(after_ms / 1000, UTC)
    try:
        found = croniter(text, after, second_at_beginning=is_long).get_next(datetime)
    except CroniterBadDateError:
        return None
    except (ValueError, KeyError, TypeError, AttributeError, OverflowError) as error:
        raise ValueError(f"{text!r:.60} is neither a cycle nor cron: {error}") from error
    return int(found.timestamp() * 1000)


def check_time(form: str, text: str) -> None:
    """Check what a timer that is no expression says: an `instant`, a `duration` or a `cycle`.

    Raises:
        ValueError: no clock could follow it. The message is fit for an author's eyes.
    """
    if len(text) > LONGEST_TEXT:
        raise ValueError(f"a timer of {len(text)} characters is too long")
    if form == "instant":
        parse_instant(text)
    elif form == "duration":
        parse_duration(text)
    elif text.startswith("R"):
        parse_cycle(text)
    elif _CHANCE.search(text):
        raise ValueError("h and r, which stand for times drawn by chance, are not supported")
    elif next_cron(text, 0) is None:
        raise ValueError(f"no date ever matches {text!r:.60}")
