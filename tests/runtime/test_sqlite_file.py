"""A SQLite file that says no: to everything, with a reason, and only for as long as it does."""

from __future__ import annotations

import sqlite3
import threading
from operator import attrgetter
from pathlib import Path

import pytest

from diglot.runtime.clock import SystemClock
from diglot.runtime.commands import FireTimer
from diglot.runtime.engine import Engine, Settings
from diglot.runtime.errors import StoreError
from diglot.runtime.scheduler import Scheduler
from diglot.runtime.store import open_store, sqlite_file
from support.runs import Run, workflow

WAIT = "do: [{p: {wait: {seconds: 1}}}]"


@pytest.fixture
def url(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    monkeypatch.setattr(sqlite_file, "BUSY_S", 0.05)
    return f"sqlite:///{tmp_path / 'runs.db'}"


def hold(url: str) -> sqlite3.Connection:
    """Another process that is writing."""
    other = sqlite3.connect(url.removeprefix("sqlite:///"), isolation_level=None)
    other.execute("BEGIN IMMEDIATE")
    return other


def connection_of(store: object) -> sqlite3.Connection:
    """The connection inside a store, to do what only another program would."""
    connection: sqlite3.Connection = attrgetter("_connection")(store)
    return connection


def test_a_database_that_another_process_holds_is_waited_for_and_named(url: str) -> None:
    run = Run(url)
    other = hold(url)

    with pytest.raises(StoreError, match=r"runs\.db: another process held the database"):
        run.start(WAIT)

    other.execute("ROLLBACK")
    instance = run.start(WAIT)
    run.advance(1000)
    assert run.row(instance).status == "completed"
    other.close()
    run.engine.close()


def test_many_commands_wait_once_for_a_database_that_is_held(url: str) -> None:
    run = Run(url)
    instances = [run.start(WAIT) for _ in range(5)]
    other = hold(url)
    run.clock.advance(1000)
    begun: list[str] = []
    store = run.engine.store
    connection = connection_of(store)

    def listen(text: str) -> None:
        if "BEGIN" in text:
            begun.append(text)

    connection.set_trace_callback(listen)

    due = store.due_timers(run.clock.now_ms(), 10)
    outcomes = run.engine.submit_many([(id, FireTimer(timer)) for id, timer in due])

    assert [type(outcome) for outcome in outcomes] == [StoreError] * 5
    assert begun.count("BEGIN IMMEDIATE") == 1
    other.execute("ROLLBACK")
    run.advance(0)
    assert {run.row(instance).status for instance in instances} == {"completed"}
    other.close()
    run.engine.close()


def test_a_file_with_tables_of_another_program_is_left_alone(url: str) -> None:
    path = url.removeprefix("sqlite:///")
    with sqlite3.connect(path) as connection:
        connection.execute("CREATE TABLE orders (id)")

    with pytest.raises(StoreError, match="the database of another program"):
        open_store(url)

    assert connection.execute("SELECT name FROM sqlite_master").fetchall() == [("orders",)]
    connection.close()


class Listened(SystemClock):
    """A clock that tells when somebody waits for it."""

    def __init__(self) -> None:
        self.slept = threading.Event()

    def sleep(self, seconds: float, wake: threading.Event) -> None:
        self.slept.set()
        super().sleep(min(seconds, 0.01), wake)


def test_a_scheduler_outlives_a_database_that_fails(url: str) -> None:
    clock = Listened()
    engine = Engine(url, clock=clock)
    instance = engine.start(engine.deploy(workflow("do: [{p: {wait: {milliseconds: 1}}}]")))
    connection = connection_of(engine.store)
    connection.execute("ALTER TABLE timers RENAME TO hidden")
    scheduler = Scheduler(engine)

    scheduler.start()
    assert clock.slept.wait(10)
    connection.execute("ALTER TABLE hidden RENAME TO timers")
    engine.wake.set()

    for _ in range(500):
        if engine.instance(instance).status == "completed":
            break
        clock.sleep(0.01, threading.Event())
    scheduler.stop()
    assert engine.instance(instance).status == "completed"
    engine.close()


def test_plans_that_were_let_go_are_made_again() -> None:
    run = Run(settings=Settings(cached_definitions=1))
    first = run.start(WAIT, name="first")
    second = run.start(WAIT, name="second")

    run.advance(1000)

    assert [run.row(instance).status for instance in (first, second)] == ["completed"] * 2


def test_a_definition_that_was_run_once_starts_by_itself_when_it_is_published_for_good() -> None:
    run = Run()
    graph = workflow("schedule: {every: {seconds: 1}}\ndo: [{a: {set: {x: 1}}}]")
    run.engine.deploy(graph, is_scheduled=False)
    run.advance(5000)
    assert run.engine.store.instances() == []

    run.engine.deploy(graph)
    run.advance(1000)

    assert len(run.engine.store.instances()) == 1
