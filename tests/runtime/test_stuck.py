"""What cannot go on stands still alone: others on the same database run as if it were not there."""

from __future__ import annotations

import sqlite3
from pathlib import Path

import pytest

from diglot.runtime import scheduler
from diglot.runtime.scheduler import settle
from support.runs import Run, workflow

WAIT = "do: [{w: {wait: PT1S}}]"
CALLS = """
do:
  - call: {run: {workflow: {namespace: test, name: broken, version: 1.0.0}}}
"""


def reopened(run: Run, path: Path, broken: str = "broken") -> Run:
    """A new engine, for which a definition that runs is no graph any more."""
    run.engine.close()
    with sqlite3.connect(path) as connection:
        connection.execute("UPDATE definition_versions SET graph=? WHERE name=?", (b"{}", broken))
    connection.close()
    return Run(f"sqlite:///{path}", clock=run.clock)


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "runs.db"


def test_timers_that_stay_due_do_not_keep_later_ones_from_firing(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(scheduler, "BATCH", 2)
    run = Run(f"sqlite:///{path}")
    stuck = [run.start(WAIT, name="broken") for _ in range(5)]
    run.advance(1)
    fine = run.start(WAIT, name="fine")
    run = reopened(run, path)

    run.advance(1000)

    assert run.row(fine).status == "completed"
    assert {run.row(instance).status for instance in stuck} == {"running"}
    run.engine.close()


def test_a_child_that_cannot_start_does_not_hold_up_other_messages(path: Path) -> None:
    run = Run(f"sqlite:///{path}")
    run.engine.deploy(workflow(WAIT, name="broken"))
    run.engine.deploy(workflow("do: [{a: {set: {n: 1}}}]", name="fine"))
    first = run.engine.deploy(workflow(CALLS, name="first"))
    second = run.engine.deploy(workflow(CALLS.replace("broken", "fine"), name="second"))
    run = reopened(run, path)
    waits, ends = run.engine.start(first), run.engine.start(second)

    settle(run.engine)

    assert run.row(ends).output == {"n": 1}
    assert run.row(waits).status == "running"
    run.engine.close()


def test_a_child_that_could_not_start_starts_once_its_definition_is_mended(path: Path) -> None:
    run = Run(f"sqlite:///{path}")
    run.engine.deploy(workflow("do: [{a: {set: {n: 1}}}]", name="broken"))
    with sqlite3.connect(path) as connection:
        (graph,) = connection.execute("SELECT graph FROM definition_versions").fetchone()
    connection.close()
    parent = run.engine.deploy(workflow(CALLS, name="parent"))
    run = reopened(run, path)
    instance = run.engine.start(parent)
    settle(run.engine)

    run.engine.close()
    with sqlite3.connect(path) as connection:
        connection.execute("UPDATE definition_versions SET graph=? WHERE name='broken'", (graph,))
    connection.close()
    run = Run(f"sqlite:///{path}", clock=run.clock)
    run.advance(60_000)

    assert run.row(instance).output == {"n": 1}
    run.engine.close()


def test_a_schedule_that_cannot_start_does_not_hold_up_others(path: Path) -> None:
    every = "schedule: {every: {minutes: 1}}\ndo: [{a: {set: {n: 1}}}]"
    run = Run(f"sqlite:///{path}")
    for name in ("a", "broken", "z"):
        run.engine.deploy(workflow(every, name=name))
    names = {run.engine.find("test", name): name for name in ("a", "broken", "z")}
    run = reopened(run, path)

    run.advance(60_000)

    assert sorted(names[row.definition] for row in run.engine.store.instances()) == ["a", "z"]
    run.engine.close()


def test_a_schedule_by_events_that_cannot_start_does_not_hold_up_others(path: Path) -> None:
    on = "schedule: {on: {one: {with: {type: made}}}}\ndo: [{a: {set: {n: 1}}}]"
    run = Run(f"sqlite:///{path}")
    for name in ("a", "broken", "z"):
        run.engine.deploy(workflow(on, name=name))
    names = {run.engine.find("test", name): name for name in ("a", "broken", "z")}
    run = reopened(run, path)

    run.engine.publish_event({"id": "1", "source": "/s", "type": "made"})
    settle(run.engine)

    assert sorted(names[row.definition] for row in run.engine.store.instances()) == ["a", "z"]
    assert run.engine.store.open_inbox(10) == []
    run.engine.close()
