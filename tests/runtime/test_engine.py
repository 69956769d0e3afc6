"""The engine: one command is one transaction, and instances do not disturb each other."""

from __future__ import annotations

import threading
from pathlib import Path
from typing import get_args

import pytest

from diglot.compiler.graph import Node
from diglot.runtime import commands as c
from diglot.runtime import events as e
from diglot.runtime.engine import Engine, Settings
from diglot.runtime.errors import (
    AlreadyEnded,
    CallerError,
    Conflict,
    CorruptState,
    UnknownDefinition,
    UnknownInstance,
)
from diglot.runtime.evolve import fold
from diglot.runtime.semantics.registry import pure_rules, rules
from diglot.runtime.store import Done, Save, open_store
from support.runs import Run, workflow

PURE = "do: [{a: {set: {x: 1}}}, {b: {set: {y: '${ .x + 1 }'}}}]"
WAITING = "do: [{w: {wait: {seconds: 5}}}, {b: {set: {done: true}}}]"


def test_a_flow_that_needs_nothing_from_outside_is_one_commit() -> None:
    run = Run()
    instance = run.start(PURE)

    assert run.row(instance).output == {"y": 2}
    assert len(run.engine.store.history(instance)) == 1


def test_what_was_started_goes_on_in_another_engine_on_the_same_file(tmp_path: Path) -> None:
    url = f"sqlite:///{tmp_path / 'runs.db'}"
    first = Run(url)
    instance = first.start(WAITING)
    first.engine.close()

    second = Run(url, clock=first.clock)
    second.advance(5000)

    assert second.row(instance).output == {"done": True}
    assert second.engine.verify(instance) == second.row(instance).sequence


def test_a_start_with_the_same_id_starts_once() -> None:
    run = Run()
    digest = run.engine.deploy(workflow(PURE))

    run.engine.start(digest, {}, instance="mine")
    run.engine.start(digest, {"other": True}, instance="mine")

    assert len(run.engine.store.instances()) == 1
    assert run.row("mine").input == {}


def test_the_same_graph_again_is_the_same_version() -> None:
    run = Run()
    assert run.engine.deploy(workflow(PURE)) == run.engine.deploy(workflow(PURE))


def test_other_content_under_a_published_version_is_refused() -> None:
    run = Run()
    run.engine.deploy(workflow(PURE))

    with pytest.raises(CallerError, match="new version"):
        run.engine.deploy(workflow(WAITING))


def test_latest_is_the_highest_version() -> None:
    run = Run()
    digests = {
        version: run.engine.deploy(workflow(PURE, version=version))
        for version in ("1.10.0", "1.9.0", "2.0.0-rc.1")
    }

    assert run.engine.find("test", "one") == digests["2.0.0-rc.1"]
    assert run.engine.find("test", "one", "1.9.0") == digests["1.9.0"]
    with pytest.raises(UnknownDefinition):
        run.engine.find("test", "one", "3.0.0")


def test_every_kind_of_node_has_a_rule() -> None:
    assert {*get_args(Node)} <= {*pure_rules, *rules}


def test_commands_for_unknown_instances_are_refused() -> None:
    run = Run()
    for command in (c.CancelInstance(), c.FireTimer(1), c.CompleteJob(1)):
        with pytest.raises(UnknownInstance):
            run.engine.submit("nobody", command)


def test_a_save_that_comes_second_finds_a_conflict_and_writes_nothing() -> None:
    run = Run()
    instance = run.start(WAITING)
    stale = run.engine.state(instance)
    run.engine.suspend(instance)
    before = run.engine.store.history(instance)
    event = e.InstanceSuspended(run.clock.now_ms())
    now_ms = run.clock.now_ms()
    done = Done([event], e.encode([event]))
    save = Save(stale, stale.sequence, stale.counter, now_ms, [done])

    (outcome,) = run.engine.store.save([save])

    assert isinstance(outcome, Conflict)
    assert run.engine.store.history(instance) == before


def test_a_command_decided_on_a_stale_state_is_decided_again(tmp_path: Path) -> None:
    url = f"sqlite:///{tmp_path / 'runs.db'}"
    first = Run(url)
    instance = first.start(WAITING)
    first.engine.suspend(instance)
    second = Run(url, clock=first.clock)
    second.engine.resume(instance)

    # The first engine still holds the state from before the other one resumed.
    first.engine.suspend(instance)

    assert first.row(instance).status == "suspended"
    assert first.engine.verify(instance) == first.row(instance).sequence


def test_a_suspended_instance_keeps_what_happens_and_goes_on_when_resumed() -> None:
    run = Run()
    instance = run.start(WAITING)
    run.engine.suspend(instance)
    run.advance(5000)
    assert run.row(instance).status == "suspended"

    run.engine.resume(instance)

    assert run.row(instance).output == {"done": True}


def test_an_instance_that_is_over_cannot_be_suspended() -> None:
    run = Run()
    instance = run.start(PURE)
    with pytest.raises(AlreadyEnded):
        run.engine.suspend(instance)


def test_no_task_begins_after_a_cancel() -> None:
    run = Run()
    instance = run.start(WAITING)
    run.engine.cancel(instance)
    run.advance(60_000)

    assert run.row(instance).status == "cancelled"
    entered = [event.node for event in run.events(instance) if isinstance(event, e.VisitPassed)]
    assert not any(node.endswith("/b") for node in entered)


def test_a_loop_that_never_waits_is_stopped_by_name() -> None:
    run = Run(settings=Settings(loop_budget=50))
    instance = run.start(
        "do: [{again: {set: {n: '${ (.n // 0) + 1 }'}}}, "
        "{maybe: {switch: [{more: {when: '.n > 0', then: again}}, {no: {then: end}}]}}]"
    )
    error = run.row(instance).error
    assert error is not None
    assert "never waits" in error["detail"]
    assert error["instance"] in ("/do/0/again", "/do/1/maybe")


def test_many_threads_start_many_instances_and_nothing_is_lost(tmp_path: Path) -> None:
    engine = Engine(f"sqlite:///{tmp_path / 'runs.db'}")
    digest = engine.deploy(workflow(PURE))
    started: list[str] = []

    def work() -> None:
        started.extend([engine.start(digest, {}) for _ in range(20)])

    threads = [threading.Thread(target=work) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()

    assert len(set(started)) == 160
    assert {engine.instance(instance).status for instance in started} == {"completed"}
    engine.close()


def test_commands_of_many_instances_share_a_commit(tmp_path: Path) -> None:
    commits: list[str] = []
    store = open_store(f"sqlite:///{tmp_path / 'runs.db'}", on_commit=commits.append)
    run = Run(store)
    digest = run.engine.deploy(workflow(PURE))
    commits.clear()

    outcomes = run.engine.submit_many([(f"i{n}", c.StartInstance(digest)) for n in range(50)])

    assert outcomes == [None] * 50
    assert commits == ["before", "after"]
    assert all(run.row(f"i{n}").status == "completed" for n in range(50))


def test_one_command_that_is_wrong_leaves_its_neighbours_alone() -> None:
    run = Run()
    digest = run.engine.deploy(workflow(PURE))

    outcomes = run.engine.submit_many(
        [("a", c.StartInstance(digest)), ("nobody", c.FireTimer(1)), ("b", c.StartInstance(digest))]
    )

    assert [type(outcome) for outcome in outcomes] == [type(None), UnknownInstance, type(None)]
    assert {run.row("a").status, run.row("b").status} == {"completed"}


def test_history_folds_to_the_state() -> None:
    run = Run()
    instance = run.start(WAITING)

    folded = fold(instance, run.events(instance))

    assert folded.snapshot() == run.engine.state(instance).snapshot()


def test_a_row_changed_behind_the_engine_is_found(tmp_path: Path) -> None:
    import sqlite3

    path = tmp_path / "runs.db"
    run = Run(f"sqlite:///{path}")
    instance = run.start(WAITING)
    with sqlite3.connect(path) as connection:
        connection.execute("UPDATE timers SET due_ms = due_ms + 1")
    connection.close()

    with pytest.raises(CorruptState, match="timers"):
        run.engine.verify(instance)
