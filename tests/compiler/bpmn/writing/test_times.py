"""Lengths of time and calendars in words."""

from __future__ import annotations

import pytest

from diglot.compiler.bpmn.writing import times
from diglot.compiler.graph import Duration

_SECOND, _HOUR, _DAY = 1000, 3_600_000, 86_400_000


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        (Duration(milliseconds=30 * _SECOND), "30 seconds"),
        (Duration(milliseconds=1 * _SECOND), "1 second"),
        (Duration(milliseconds=200), "0.2 s"),
        (Duration(milliseconds=2 * _HOUR + 30 * 60 * _SECOND), "2 hours 30 minutes"),
        (Duration(milliseconds=7 * _DAY), "7 days"),
        (Duration(months=14), "1 year 2 months"),
        (Duration(), "no time"),
    ],
)
def test_a_length_of_time_is_told_in_its_units(value: Duration, expected: str) -> None:
    assert times.length(value) == expected


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        (Duration(milliseconds=_DAY), "Every day"),
        (Duration(milliseconds=2 * _HOUR), "Every 2 hours"),
        (Duration(milliseconds=_HOUR + 60 * _SECOND), "Every 1 hour 1 minute"),
    ],
)
def test_an_interval_is_told(value: Duration, expected: str) -> None:
    assert times.every(value) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("R3/PT10M", "Every 10 minutes, 3 times"),
        ("R/PT1H", "Every hour"),
        ("R/P1D", "Every day"),
        ("R/odd", "At R/odd"),
        ("0 8 * * *", "Every day at 8:00"),
    ],
)
def test_a_cycle_is_told(text: str, expected: str) -> None:
    assert times.cycle(text) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("* * * * *", "Every minute"),
        ("*/5 * * * *", "Every 5 minutes"),
        ("15 * * * *", "Every hour at minute 15"),
        ("0 */2 * * *", "Every 2 hours"),
        ("0 8 * * *", "Every day at 8:00"),
        ("0 0 8 * * *", "Every day at 8:00"),
        ("30 9 * * 1-5", "Every weekday at 9:30"),
        ("0 7 * * mon", "Every Monday at 7:00"),
        ("0 7 * * 0", "Every Sunday at 7:00"),
        ("0 0 1 * *", "On day 1 of every month at 0:00"),
        ("0 0 1 1 *", "At 0 0 1 1 *"),
        ("@daily", "At @daily"),
    ],
)
def test_a_calendar_is_told_where_it_is_a_usual_one(text: str, expected: str) -> None:
    assert times.cron(text) == expected
