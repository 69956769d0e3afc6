"""Timers: when they are due, and what is left of a cycle."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from diglot.compiler.graph import Duration
from diglot.runtime.clock import iso
from diglot.runtime.faults import Fault
from diglot.runtime.timing import Due, first_due, next_due

NOON = 1_767_268_800_000  # 2026-01-01T12:00:00Z
SECOND = 1000
HOUR = 3600 * SECOND


def times(text: str, now_ms: int = NOON, most: int = 5) -> list[str]:
    """When a cycle is due that is armed at `now_ms` and never late."""
    found: list[str] = []
    due = first_due("cycle", text, now_ms)
    while due is not None and len(found) < most:
        found.append(iso(due.at_ms))
        due = None if due.repeat is None else next_due(due.repeat, due.at_ms, due.at_ms)
    return found


@pytest.mark.parametrize(
    ("form", "value", "expected"),
    [
        ("duration", "PT5S", "2026-01-01T12:00:05.000Z"),
        ("duration", Duration(milliseconds=5000), "2026-01-01T12:00:05.000Z"),
        ("duration", {"minutes": 2}, "2026-01-01T12:02:00.000Z"),
        ("instant", "2025-01-01T00:00:00Z", "2025-01-01T00:00:00.000Z"),
        ("instant", "2026-01-01T14:00:00+02:00", "2026-01-01T12:00:00.000Z"),
        ("instant", "2026-03-01T08:00:00", "2026-03-01T08:00:00.000Z"),
        ("instant", "2026-03-01", "2026-03-01T00:00:00.000Z"),
        ("every", Duration(milliseconds=HOUR), "2026-01-01T13:00:00.000Z"),
        ("cron", "0 0 * * *", "2026-01-02T00:00:00.000Z"),
        ("cycle", "0 0/5 * * * ?", "2026-01-01T12:05:00.000Z"),
        ("cycle", "0 0 0,18 ? * * *", "2026-01-01T18:00:00.000Z"),
        ("cycle", "0 0 12 1 1 ? 2027", "2027-01-01T12:00:00.000Z"),
    ],
)
def test_a_timer_is_due(form: str, value: object, expected: str) -> None:
    due = first_due(form, value, NOON)
    assert due is not None
    assert iso(due.at_ms) == expected


def test_a_cycle_comes_as_often_as_it_says() -> None:
    assert times("R3/PT5S") == [
        "2026-01-01T12:00:05.000Z",
        "2026-01-01T12:00:10.000Z",
        "2026-01-01T12:00:15.000Z",
    ]
    assert times("R1/PT5S") == ["2026-01-01T12:00:05.000Z"]
    assert times("R0/PT5S") == []


@pytest.mark.parametrize("text", ["R/PT1H", "R-1/PT1H"])
def test_a_cycle_without_a_number_never_ends(text: str) -> None:
    assert times(text, most=30)[-1] == "2026-01-02T18:00:00.000Z"


def test_a_cycle_that_names_a_moment_begins_then() -> None:
    assert times("R2/2026-01-02T00:00:00Z/PT1H") == [
        "2026-01-02T00:00:00.000Z",
        "2026-01-02T01:00:00.000Z",
    ]


def test_two_moments_are_an_interval() -> None:
    assert times("R2/2026-01-02T00:00:00Z/2026-01-02T06:00:00Z") == [
        "2026-01-02T00:00:00.000Z",
        "2026-01-02T06:00:00.000Z",
    ]


def test_months_are_counted_from_the_beginning_and_not_from_the_shortest_of_them() -> None:
    january_31 = NOON + 30 * 24 * HOUR
    assert times("R3/P1M", january_31) == [
        "2026-02-28T12:00:00.000Z",
        "2026-03-31T12:00:00.000Z",
        "2026-04-30T12:00:00.000Z",
    ]


def test_a_late_time_does_not_move_the_next_one() -> None:
    first = first_due("cycle", "R/PT10S", NOON)
    assert first is not None
    assert first.repeat is not None

    second = next_due(first.repeat, first.at_ms, first.at_ms + 3 * SECOND)

    assert second == Due(NOON + 20 * SECOND, first.repeat)


def test_times_that_were_missed_are_made_up_for_where_they_are_counted() -> None:
    first = first_due("cycle", "R5/PT10S", NOON)
    assert first is not None
    assert first.repeat is not None

    second = next_due(first.repeat, first.at_ms, NOON + HOUR)

    assert second is not None
    assert (second.at_ms, second.repeat) == (NOON + 20 * SECOND, "R3/PT10.000S")


def test_of_a_cycle_without_an_end_missed_times_are_left_out() -> None:
    first = first_due("cycle", "R/PT10S", NOON)
    assert first is not None
    assert first.repeat is not None

    second = next_due(first.repeat, first.at_ms, NOON + HOUR + SECOND)

    assert second is not None
    assert second.at_ms == NOON + HOUR + 10 * SECOND


@pytest.mark.parametrize(
    ("form", "value"),
    [
        ("duration", "soon"),
        ("duration", 5),
        ("instant", "soon"),
        ("instant", 5),
        ("instant", None),
        ("cycle", "R3"),
        ("cycle", "R3/soon"),
        ("cycle", "R/PT0S"),
        ("cycle", "R/P-1D"),
        ("cycle", "R/PT1H/2026-01-01T00:00:00Z"),
        ("cycle", "R/2026-01-02/2026-01-01"),
        ("cycle", "R" + "9" * 300 + "/PT1S"),
        ("cycle", "every day"),
        ("cron", "61 * * * *"),
        ("every", "PT0S"),
    ],
)
def test_what_is_no_time_is_a_fault(form: str, value: object) -> None:
    with pytest.raises(Fault) as found:
        first_due(form, value, NOON)
    assert found.value.problem["type"].endswith("/expression")


@pytest.mark.parametrize("text", ["0 0 30 2 *", "R/P9999Y"])
def test_a_time_that_no_calendar_has_never_comes(text: str) -> None:
    assert first_due("cycle", text, NOON) is None


@given(
    st.integers(0, 40),
    st.integers(1, 10**9),
    st.integers(1, 12),
    st.lists(st.integers(0, 10**9), max_size=6),
)
def test_the_times_of_a_cycle_are_its_anchor_and_whole_intervals(
    months: int, milliseconds: int, count: int, delays: list[int]
) -> None:
    seconds, rest = divmod(milliseconds, 1000)
    text = f"R{count}/P{months}MT{seconds}.{rest:03d}S"
    due = first_due("cycle", text, NOON)
    seen: list[int] = []
    for number in range(count):
        assert due is not None
        seen.append(due.at_ms)
        late = delays[number % len(delays)] if delays else 0
        due = None if due.repeat is None else next_due(due.repeat, due.at_ms, due.at_ms + late)

    assert due is None
    assert seen == sorted(set(seen))
    if not months:
        assert seen == [NOON + (number + 1) * milliseconds for number in range(count)]


@given(st.integers(1, 10**7), st.integers(0, 10**10))
def test_an_endless_cycle_is_next_due_on_its_rhythm_and_later_than_now(
    milliseconds: int, late: int
) -> None:
    repeat = f"R/PT{milliseconds // 1000}.{milliseconds % 1000:03d}S"
    due = next_due(repeat, NOON, NOON + late)
    assert due is not None
    assert NOON + late < due.at_ms <= NOON + late + milliseconds
    assert (due.at_ms - NOON) % milliseconds == 0
