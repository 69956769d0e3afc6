"""Schedules: instances that start by themselves."""

from __future__ import annotations

import pytest

from diglot.compiler.graph import Constant, Duration, TimerTrigger
from diglot.runtime.clock import iso, later
from diglot.runtime.scheduler import settle
from diglot.runtime.schedules import next_due
from support.runs import Run, workflow

SET = "do: [{a: {set: {x: 1}}}]"
NOON = 1_767_268_800_000  # 2026-01-01T12:00:00Z
MINUTE = 60_000


def every(milliseconds: int, months: int = 0) -> TimerTrigger:
    return TimerTrigger(form="every", value=Duration(months=months, milliseconds=milliseconds))


def cron(text: str) -> TimerTrigger:
    return TimerTrigger(form="cron", value=Constant(text))


@pytest.mark.parametrize(
    ("trigger", "last_ms", "now_ms", "expected"),
    [
        (every(MINUTE), NOON, NOON, "2026-01-01T12:01:00.000Z"),
        (every(MINUTE), NOON, NOON + 150_000, "2026-01-01T12:03:00.000Z"),
        (every(MINUTE), NOON, NOON + 120_000, "2026-01-01T12:03:00.000Z"),
        (every(0, months=1), NOON, NOON + 40 * 86_400_000, "2026-03-01T12:00:00.000Z"),
        (cron("0 0 * * *"), NOON, NOON, "2026-01-02T00:00:00.000Z"),
        (cron("*/5 * * * *"), NOON, NOON, "2026-01-01T12:05:00.000Z"),
        (cron("30 0 12 * * *"), NOON, NOON, "2026-01-01T12:00:30.000Z"),
    ],
)
def test_the_next_moment_is_after_now(
    trigger: TimerTrigger, last_ms: int, now_ms: int, expected: str
) -> None:
    found = next_due(trigger, last_ms, now_ms)
    assert found is not None
    assert iso(found) == expected


def test_an_interval_of_nothing_never_fires() -> None:
    assert next_due(every(0), NOON, NOON) is None


def test_months_are_counted_in_the_calendar_and_clipped_to_their_end() -> None:
    january_31 = NOON + 30 * 86_400_000
    assert iso(later(january_31, Duration(months=1))) == "2026-02-28T12:00:00.000Z"


def test_what_lies_outside_the_calendar_is_its_first_or_last_moment() -> None:
    century_ms = 100 * 366 * 86_400_000

    assert iso(later(NOON, Duration(months=12 * 9000))) == "9999-12-31T23:59:59.999Z"
    assert iso(later(NOON, Duration(milliseconds=90 * century_ms))) == "9999-12-31T23:59:59.999Z"
    assert iso(later(NOON, Duration(months=-12 * 9000))) == "0001-01-01T00:00:00.000Z"
    assert iso(later(NOON, Duration(milliseconds=-90 * century_ms))) == "0001-01-01T00:00:00.000Z"


def test_every_starts_again_and_again_and_missed_ticks_count_once() -> None:
    run = Run()
    run.engine.deploy(workflow("schedule: {every: {minutes: 1}}\n" + SET))
    settle(run.engine)
    assert len(run.engine.store.instances()) == 0

    run.advance(MINUTE)
    run.advance(MINUTE)
    assert len(run.engine.store.instances()) == 2

    run.advance(10 * MINUTE)
    assert len(run.engine.store.instances()) == 3


def test_after_counts_from_the_end_of_the_run_before() -> None:
    run = Run()
    run.engine.deploy(workflow("schedule: {after: {minutes: 1}}\ndo: [{w: {wait: {seconds: 30}}}]"))
    settle(run.engine)
    assert len(run.engine.store.instances()) == 1

    run.advance(30_000)
    run.advance(59_000)
    assert len(run.engine.store.instances()) == 1

    run.advance(1_000)
    assert len(run.engine.store.instances()) == 2


def test_an_event_starts_an_instance_with_the_events_as_its_input() -> None:
    run = Run()
    run.engine.deploy(workflow("schedule: {on: {one: {with: {type: made}}}}\n" + SET))

    run.engine.publish_event({"id": "1", "source": "/s", "type": "other"})
    run.engine.publish_event({"id": "2", "source": "/s", "type": "made", "data": {"n": 1}})
    settle(run.engine)

    (row,) = run.engine.store.instances()
    assert row.input == [{"n": 1}]


def test_an_event_from_before_the_publication_starts_nothing() -> None:
    run = Run()
    run.engine.publish_event({"id": "1", "source": "/s", "type": "made"})
    run.engine.deploy(workflow("schedule: {on: {one: {with: {type: made}}}}\n" + SET))
    settle(run.engine)
    assert run.engine.store.instances() == []


def test_a_newer_version_takes_the_schedule_over() -> None:
    run = Run()
    body = "schedule: {every: {minutes: 1}}\n" + SET
    run.engine.deploy(workflow(body, version="1.9.0"))
    newer = run.engine.deploy(workflow(body, version="1.10.0"))
    run.engine.deploy(workflow(body, version="1.8.0"))

    run.advance(MINUTE)

    assert [row.definition for row in run.engine.store.instances()] == [newer]


def test_a_tick_that_is_done_twice_starts_once() -> None:
    run = Run()
    run.engine.deploy(workflow("schedule: {every: {minutes: 1}}\n" + SET))
    run.clock.advance(MINUTE)
    (schedule,) = run.engine.store.due_schedules(run.clock.now_ms())
    settle(run.engine)

    # The tick is done again, as after a crash between the start and its record.
    run.engine.store.save_schedule(schedule)
    settle(run.engine)

    assert len(run.engine.store.instances()) == 1
