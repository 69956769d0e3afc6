"""Lengths of time, intervals and calendars in words."""

from __future__ import annotations

import re
from typing import Final

from ...graph import Duration
from .words import shortened

_UNITS: Final = (("day", 86_400_000), ("hour", 3_600_000), ("minute", 60_000))


def length(value: Duration) -> str:
    """A length of time: `2 hours 30 minutes`, `0.2 s`."""
    words: list[str] = []
    years, months = divmod(max(value.months, 0), 12)
    words += [_counted(years, "year")] if years else []
    words += [_counted(months, "month")] if months else []
    rest = max(value.milliseconds, 0)
    for unit, size in _UNITS:
        count, rest = divmod(rest, size)
        words += [_counted(count, unit)] if count else []
    if rest % 1000:
        words.append(f"{rest / 1000:g} s")
    elif rest:
        words.append(_counted(rest // 1000, "second"))
    return " ".join(words) or "no time"


def _counted(count: int, unit: str) -> str:
    return f"{count} {unit}" if count == 1 else f"{count} {unit}s"


def every(value: Duration) -> str:
    """An interval: `Every 2 hours`, `Every day`."""
    text = length(value)
    return f"Every {text.removeprefix('1 ') if ' ' not in text.removeprefix('1 ') else text}"


_CYCLE: Final = re.compile(
    r"R(\d{0,9})/(?:[^/P]+/)?P(?:(\d{1,6})D)?(?:T(?:(\d{1,6})H)?(?:(\d{1,6})M)?(?:(\d{1,6})S)?)?"
)


def cycle(text: str) -> str:
    """A repeating interval, `R3/PT10M`, or the fields of cron."""
    found = _CYCLE.fullmatch(text.strip())
    if found is None:
        return f"At {shortened(text, 40)}" if text.startswith("R") else cron(text)
    days, hours, minutes, seconds = (int(group or 0) for group in found.groups()[1:])
    pause = Duration(milliseconds=(((days * 24 + hours) * 60 + minutes) * 60 + seconds) * 1000)
    count = found[1]
    return f"{every(pause)}, {count} times" if count else every(pause)


_DAYS: Final = ("Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday")
_SHORT_DAYS: Final = {day[:3].lower(): day for day in _DAYS}


def cron(text: str) -> str:
    """The fields of cron as words, as far as they are usual ones: `Every day at 8:00`."""
    fields = text.split()
    if len(fields) == 6 and fields[0] == "0":
        fields = fields[1:]
    if len(fields) == 5:
        minute, hour, day, month, weekday = fields
        if month == "*":
            found = _often(minute, hour, day, weekday) or _daily(minute, hour, day, weekday)
            if found:
                return found
    return f"At {shortened(text, 40)}"


def _often(minute: str, hour: str, day: str, weekday: str) -> str:
    if (day, weekday) != ("*", "*"):
        return ""
    if hour == "*":
        if minute == "*":
            return "Every minute"
        if minute.startswith("*/") and minute[2:].isdigit():
            return f"Every {minute[2:]} minutes"
        return f"Every hour at minute {int(minute)}" if minute.isdigit() else ""
    if minute == "0" and hour.startswith("*/") and hour[2:].isdigit():
        return f"Every {hour[2:]} hours"
    return ""


def _daily(minute: str, hour: str, day: str, weekday: str) -> str:
    if not (minute.isdigit() and hour.isdigit()):
        return ""
    time = f"at {int(hour)}:{int(minute):02}"
    if day == "*":
        if weekday == "*":
            return f"Every day {time}"
        if weekday.lower() in ("1-5", "mon-fri"):
            return f"Every weekday {time}"
        named = _SHORT_DAYS.get(weekday.lower())
        if weekday.isdigit():
            named = _DAYS[int(weekday) % 7]
        return f"Every {named} {time}" if named else ""
    return f"On day {int(day)} of every month {time}" if weekday == "*" and day.isdigit() else ""
