"""jq's functions of dates, all of them in UTC.

A broken-down time is [year, month from 0, day, hour, minute, second, weekday, day of the year].
Source: jq 1.8 manual, "Dates".
"""

from __future__ import annotations

import math
import re
from typing import Any

from .arithmetic import as_float, is_number, settle, truncate
from .closures_functions import builtin, on_input
from .errors import ExpressionError
from .run import Run
from .values import is_array

_DAY = 86_400
_INT_MIN, _INT_MAX = -(2**31), 2**31 - 1


@builtin("gmtime/0")
@on_input
def gmtime(value: Any, run: Run) -> list[Any]:
    """A timestamp as broken-down time, with the fraction of its second."""
    if not is_number(value):
        raise ExpressionError("gmtime() requires numeric inputs")
    number = as_float(value)
    parts = _broken_down(truncate(number))
    parts[5] = settle(parts[5] + (number - math.floor(number)), run)
    return parts


@builtin("mktime/0")
@on_input
def mktime(value: Any, _run: Run) -> int:
    """The timestamp of a broken-down time."""
    if not is_array(value):
        raise ExpressionError("mktime requires array inputs")
    return _timestamp(value, "mktime requires parsed datetime inputs")


@builtin("todate/0", "todateiso8601/0")
@on_input
def todate(value: Any, _run: Run) -> str:
    """A timestamp or a broken-down time as ISO 8601 text."""
    fault = "strftime/1 requires parsed datetime inputs"
    if is_number(value) and value == value:
        seconds = truncate(value)
    elif is_array(value):
        seconds = _seconds(value, fault)
    else:
        raise ExpressionError(fault)
    year, month, day, hour, minute, second, *_ = _broken_down(seconds)
    return f"{year}-{month + 1:02d}-{day:02d}T{hour:02d}:{minute:02d}:{second:02d}Z"


_ISO_8601 = re.compile(
    r" *(\d{1,4})- *(\d{1,2})- *(\d{1,2})T *(\d{1,2}): *(\d{1,2}): *(\d{1,2})Z(?:[ \t-\r].*)?",
    re.ASCII | re.DOTALL,
)


@builtin("fromdate/0", "fromdateiso8601/0")
@on_input
def fromdate(value: Any, _run: Run) -> int:
    """The timestamp of an ISO 8601 text."""
    if not isinstance(value, str):
        raise ExpressionError("strptime/1 requires string inputs and arguments")
    read = _ISO_8601.fullmatch(value)
    if read is not None:
        year, month, day, hour, minute, second = map(int, read.groups())
        if 1 <= month <= 12 and 1 <= day <= 31 and hour < 24 and minute < 60 and second <= 61:
            return _timestamp([year, month - 1, day, hour, minute, second], "")
    raise ExpressionError(f'date "{value}" does not match format "%Y-%m-%dT%H:%M:%SZ"')


def _timestamp(parts: list[Any], fault: str) -> int:
    seconds = _seconds(parts, fault)
    if seconds == -1:
        # The second before 1970 is C's sign for a failure, and so it is jq's.
        raise ExpressionError("invalid gmtime representation")
    return seconds


def _seconds(parts: list[Any], fault: str) -> int:
    """The seconds since 1970; parts outside of their range carry over."""
    fields = [1900, 0, 0, 0, 0, 0]
    for place, part in enumerate(parts[:8]):
        if not is_number(part) or part != part:
            raise ExpressionError(fault)
        if place < len(fields):
            fields[place] = truncate(part, _INT_MIN, _INT_MAX)
    year, month, day, hour, minute, second = fields
    days = _days(year + month // 12, month % 12, day)
    return ((days * 24 + hour) * 60 + minute) * 60 + second


def _days(year: int, month: int, day: int) -> int:
    """Days since 1970 in the Gregorian calendar without a beginning; years start in March here."""
    year, month = (year, month - 2) if month >= 2 else (year - 1, month + 10)
    era, year_of_era = divmod(year, 400)
    day_of_year = (153 * month + 2) // 5
    days = year_of_era * 365 + year_of_era // 4 - year_of_era // 100 + day_of_year
    return era * 146_097 + days - 719_468 + day - 1


def _broken_down(seconds: int) -> list[Any]:
    days, rest = divmod(seconds, _DAY)
    era, day_of_era = divmod(days + 719_468, 146_097)
    year_of_era = (
        day_of_era - day_of_era // 1_460 + day_of_era // 36_524 - day_of_era // 146_096
    ) // 365
    day_of_year = day_of_era - (365 * year_of_era + year_of_era // 4 - year_of_era // 100)
    month = (5 * day_of_year + 2) // 153
    day = day_of_year - (153 * month + 2) // 5 + 1
    year = era * 400 + year_of_era
    year, month = (year, month + 2) if month < 10 else (year + 1, month - 10)
    if not _INT_MIN <= year - 1900 <= _INT_MAX:
        raise ExpressionError("error converting number of seconds since epoch to datetime")
    hour, rest = divmod(rest, 3_600)
    minute, second = divmod(rest, 60)
    return [year, month, day, hour, minute, second, (days + 4) % 7, days - _days(year, 0, 1)]
