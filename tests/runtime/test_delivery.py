"""Jobs, leases and results: at least once outside, exactly once inside."""

from __future__ import annotations

import pytest

from diglot.runtime import events as e
from diglot.runtime.errors import StaleAttempt
from support.runs import Run

CALL = """
do:
  - call: {call: http, with: {method: get, endpoint: https://example.com}}
  - after: {set: {got: "${ . }"}}
"""


@pytest.fixture
def run() -> Run:
    return Run()


def test_a_result_moves_the_instance_on(run: Run) -> None:
    instance = run.start(CALL)
    (lease,) = run.claim()

    run.engine.complete(lease, "yes")

    assert run.row(instance).status == "completed"
    assert run.row(instance).output == {"got": "yes"}


def test_the_same_result_twice_is_taken_once(run: Run) -> None:
    instance = run.start(CALL)
    (lease,) = run.claim()
    run.engine.complete(lease, "yes")
    before = run.row(instance).sequence

    with pytest.raises(StaleAttempt):
        run.engine.complete(lease, "yes")

    assert run.row(instance).sequence == before


def test_a_lease_that_ends_makes_the_job_ready_again(run: Run) -> None:
    run.start(CALL)
    (first,) = run.claim(lease_ms=1000)
    assert run.claim() == []

    run.advance(1000)
    (second,) = run.claim()

    assert (first.attempt, second.attempt) == (1, 2)
    assert first.idempotency_key == second.idempotency_key


def test_a_late_result_of_an_old_attempt_changes_nothing(run: Run) -> None:
    instance = run.start(CALL)
    (first,) = run.claim(lease_ms=1000)
    run.advance(1000)
    (second,) = run.claim()
    before = run.engine.state(instance).snapshot()

    with pytest.raises(StaleAttempt):
        run.engine.complete(first, "late")

    assert run.engine.state(instance).snapshot() == before
    run.engine.complete(second, "right")
    assert run.row(instance).output == {"got": "right"}


def test_a_late_result_after_the_lease_and_before_the_next_attempt_is_refused(run: Run) -> None:
    instance = run.start(CALL)
    (lease,) = run.claim(lease_ms=1000)
    run.advance(1000)

    with pytest.raises(StaleAttempt):
        run.engine.complete(lease, "late")

    assert run.row(instance).status == "running"


def test_every_attempt_is_on_record(run: Run) -> None:
    instance = run.start(CALL)
    (first,) = run.claim(lease_ms=1000)
    run.advance(1000)
    (second,) = run.claim()
    run.engine.complete(second, "right")

    found = run.engine.store.attempts(instance, first.job)

    assert [(one["attempt"], one["outcome"]) for one in found] == [
        (1, "expired"),
        (2, "completed"),
    ]


def test_a_heartbeat_lengthens_the_lease_and_keeps_progress(run: Run) -> None:
    instance = run.start(CALL)
    (lease,) = run.claim(lease_ms=1000)

    assert run.engine.store.extend(lease, run.clock.now_ms() + 5000, {"done": 3})
    run.advance(4000)

    assert run.claim() == []
    assert run.engine.store.attempts(instance, lease.job)[0]["progress"] == {"done": 3}


def test_a_job_that_is_given_back_is_ready_when_it_was_said(run: Run) -> None:
    run.start(CALL)
    (lease,) = run.claim()
    now_ms = run.clock.now_ms()

    assert run.engine.store.give_back(lease, now_ms, now_ms + 2000, "released")

    assert run.claim() == []
    run.advance(2000)
    assert [again.attempt for again in run.claim()] == [2]


def test_a_failed_job_raises_its_error_at_the_task(run: Run) -> None:
    instance = run.start(CALL)
    (lease,) = run.claim()

    run.engine.fail(lease, {"type": "https://example.com/oops", "status": 503, "title": "Oops"})

    row = run.row(instance)
    assert row.status == "faulted"
    assert row.error == {
        "type": "https://example.com/oops",
        "status": 503,
        "title": "Oops",
        "instance": "/do/0/call",
    }


def test_the_result_of_a_cancelled_instance_is_refused(run: Run) -> None:
    instance = run.start(CALL)
    (lease,) = run.claim()
    run.engine.cancel(instance, "operator")

    with pytest.raises(StaleAttempt):
        run.engine.complete(lease, "late")

    assert run.row(instance).status == "cancelled"
    assert not any(isinstance(event, e.JobClosed) for event in run.events(instance))


def test_jobs_are_given_out_by_type_and_oldest_first(run: Run) -> None:
    first = run.start(CALL)
    run.advance(10)
    second = run.start(CALL)

    assert run.claim("shell") == []
    assert [lease.instance for lease in run.claim("http")] == [first, second]


def test_a_job_nobody_waits_for_is_done_without_moving_anything(run: Run) -> None:
    instance = run.start("do: [{bg: {run: {shell: {command: 'true'}, await: false}}}]", {"a": 1})
    assert run.row(instance).output == {"a": 1}
    before = run.row(instance).status
    (lease,) = run.claim("shell")

    run.engine.complete(lease, "done")

    assert run.row(instance).output == {"a": 1}
    assert (before, run.row(instance).status) == ("completed", "completed")
    assert run.engine.verify(instance) == run.row(instance).sequence


def test_a_cancel_drops_the_jobs_that_nobody_waits_for(run: Run) -> None:
    instance = run.start(
        "do: [{bg: {run: {shell: {command: 'true'}, await: false}}}, {pause: {wait: PT1H}}]"
    )

    run.engine.cancel(instance, "operator")

    assert run.claim("shell") == []
    assert run.engine.verify(instance) == run.row(instance).sequence
