"""Clocks that step, that differ, and that are somewhere else: nothing is lost or done twice."""

from __future__ import annotations

import time
from itertools import pairwise
from pathlib import Path

import pytest

from diglot.runtime.clock import ManualClock, iso
from diglot.runtime.desk import Desk, Held
from diglot.runtime.engine import Engine
from diglot.runtime.scheduler import settle
from diglot.runtime.store import Lease
from support.graphs import after, boundary, process, wait
from support.runs import Run, workflow
from support.stores import new_url

pytestmark = pytest.mark.both_stores

HOUR_MS = 3_600_000
WAITS = process("start -> pause -> a -> end", name="waits", pause=wait("PT10M"))
GUARDED = process("start -> a -> end\nlate -> b -> end", late=boundary("a", after("PT1H")))
NIGHTLY = "schedule: {cron: '30 2 * * *'}\ndo: [{a: {set: {x: 1}}}]"
#: Before the clocks of Berlin go forward, and before they go back: 2027-03-27 and 2027-10-30, noon.
SPRING_MS, AUTUMN_MS = 1_806_148_800_000, 1_824_897_600_000


def finish(run: Run) -> None:
    """Do every job that there is."""
    desk = Desk(run.engine)
    while leases := desk.claim(["work"], 10, "w"):
        answers = desk.complete([(held(lease), {lease.node: 1}) for lease in leases])
        assert set(answers) == {"taken"}
        settle(run.engine)


def held(lease: Lease) -> Held:
    return Held(lease.instance, lease.job, lease.attempt)


@pytest.mark.parametrize("step_ms", [-5 * HOUR_MS, 5 * HOUR_MS])
def test_a_clock_that_steps_loses_nothing(step_ms: int) -> None:
    run = Run()
    waits, guarded = (
        run.engine.start(run.engine.deploy(graph), {}, instance=name)
        for graph, name in ((WAITS, "waits"), (GUARDED, "guarded"))
    )
    (lease,) = Desk(run.engine).claim(["work"], 10, "w", lease_s=60)

    run.advance(step_ms)

    desk = Desk(run.engine)
    if step_ms < 0:
        # Ahead of what was, nothing is due: whoever holds the job still has it.
        assert desk.complete([(held(lease), {})]) == ["taken"]
        run.advance(-step_ms)
    else:
        # The lease ended, and the time of the task with it.
        assert desk.complete([(held(lease), {})]) == ["late"]
    run.advance(HOUR_MS)
    finish(run)
    for instance in (waits, guarded):
        assert run.row(instance).status == "completed"
        assert run.engine.verify(instance) > 0


def test_an_engine_whose_clock_is_ahead_ends_leases_early_and_results_count_once(
    tmp_path: Path,
) -> None:
    url = new_url(tmp_path)
    one = Run(url)
    ahead = Engine(url, clock=ManualClock(one.clock.now_ms() + 5_000), secrets=lambda name: None)
    digest = one.engine.deploy(process("start -> a -> end"))
    one.engine.start(digest, {}, instance="i")
    (first,) = Desk(one.engine).claim(["work"], 1, "first", lease_s=3)

    settle(ahead)
    (second,) = Desk(ahead).claim(["work"], 1, "second", lease_s=30)

    assert (first.attempt, second.attempt) == (1, 2)
    assert Desk(one.engine).complete([(held(first), {"by": "first"})]) == ["late"]
    settle(one.engine)
    assert Desk(one.engine).complete([(held(second), {"by": "second"})]) == ["taken"]
    assert one.row("i").output == {"by": "second"}
    assert one.engine.verify("i") == ahead.verify("i")
    ahead.close()
    one.engine.close()


def test_a_timer_fires_once_though_the_clocks_of_the_engines_differ(tmp_path: Path) -> None:
    url = new_url(tmp_path)
    one = Run(url)
    clock = ManualClock(one.clock.now_ms() + 5_000)
    ahead = Engine(url, clock=clock, secrets=lambda name: None)
    instance = one.engine.start(one.engine.deploy(WAITS), {})

    for _ in range(70):
        one.advance(10_000)
        clock.advance(10_000)
        settle(ahead)
    finish(one)

    assert one.row(instance).status == "completed"
    assert [type(event).__name__ for event in one.events(instance)].count("TimerFired") == 1
    ahead.close()
    one.engine.close()


@pytest.mark.parametrize("noon_ms", [SPRING_MS, AUTUMN_MS])
def test_a_nightly_start_comes_once_a_night_wherever_the_machine_is(
    noon_ms: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    # In one of these nights half past two comes twice in Berlin, in the other one it does not.
    monkeypatch.setenv("TZ", "Europe/Berlin")
    time.tzset()
    try:
        run = Run(clock=ManualClock(noon_ms))
        run.engine.deploy(workflow(NIGHTLY))
        for _ in range(3 * 24 * 2):
            run.advance(HOUR_MS // 2)
    finally:
        monkeypatch.undo()
        time.tzset()

    begun = sorted(row.started_ms for row in run.engine.store.instances())
    assert [iso(at)[11:] for at in begun] == ["02:30:00.000Z"] * 3
    assert [later - earlier for earlier, later in pairwise(begun)] == [24 * HOUR_MS] * 2
