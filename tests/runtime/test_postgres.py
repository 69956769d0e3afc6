"""What only a server does: connections break, answers are lost, and others write as well."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from typing import Any

import psycopg
import pytest
from conformance.harness.postgres import FAST, Server

from diglot.runtime import events as e
from diglot.runtime.clock import ManualClock
from diglot.runtime.engine import Engine
from diglot.runtime.errors import StoreError
from diglot.runtime.evolve import evolve
from diglot.runtime.scheduler import settle
from diglot.runtime.state import State
from diglot.runtime.store import Done, Save, Store, migrating, open_store
from support.runs import Run, workflow
from support.steps import NOTE, known

NOW = 1_750_000_000_000
WORK = "do: [{a: {call: http, with: {method: get, endpoint: 'http://x/'}}}]"
WAIT = "do: [{w: {wait: {seconds: 5}}}, {b: {set: {done: true}}}]"


@pytest.fixture
def url(postgres: Server) -> str:
    return postgres.laid_out()


@pytest.fixture
def store(url: str) -> Iterator[Store]:
    store = open_store(url)
    yield store
    store.close()


def start_of(id: str) -> Save:
    state = State(id)
    events: list[e.Event] = [e.InstanceStarted("digest", {"of": id}, NOW)]
    for event in events:
        evolve(state, event)
    return Save(state, 0, 0, NOW, [Done(events, e.encode(events))])


def break_connections(url: str) -> None:
    """End every session in the database but this one's."""
    with psycopg.connect(url, autocommit=True) as raw:
        raw.execute(
            "SELECT pg_terminate_backend(pid) FROM pg_stat_activity"
            " WHERE datname=current_database() AND pid<>pg_backend_pid()"
        )


def test_a_connection_that_died_between_two_calls_is_no_error_of_a_look(
    url: str, store: Store
) -> None:
    store.save([start_of("one")])

    break_connections(url)

    row = store.instance("one")
    assert row is not None
    assert row.input == {"of": "one"}


@pytest.mark.parametrize("moment", ["before", "after"])
def test_a_commit_whose_answer_is_lost_is_done_once(url: str, moment: str) -> None:
    # The session is gone when its commit is asked for, or just after that was done: the engine
    # is not told either way.
    broken: list[str] = []

    def hook(point: str) -> None:
        if point == moment and not broken:
            broken.append(point)
            break_connections(url)

    store = open_store(url, on_commit=hook)

    assert store.save([start_of("one"), start_of("two")]) == [None, None]

    assert broken == [moment]
    assert [row.id for row in store.instances()] == ["two", "one"]
    assert len(store.history("one")) == 1
    assert store.save([start_of("three")]) == [None]
    store.close()


def test_what_is_not_there_after_a_lost_commit_is_written_again(
    url: str, store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    lost: list[str] = []
    execute: Callable[..., Any] = psycopg.Connection.execute

    def lose(raw: psycopg.Connection[Any], query: Any, *rest: Any, **more: Any) -> Any:
        if query == "COMMIT" and len(lost) < 2:
            lost.append(query)
            if len(lost) == 1:
                # It comes to the server, and its answer does not come back.
                execute(raw, query, *rest, **more)
            raise psycopg.OperationalError("the connection is lost")
        return execute(raw, query, *rest, **more)

    monkeypatch.setattr(psycopg.Connection, "execute", lose)

    assert store.save([start_of("one")]) == [None]
    assert store.save([start_of("two")]) == [None]

    assert len(lost) == 2
    assert [len(store.history(id)) for id in ("one", "two")] == [1, 1]


def test_a_server_that_is_away_for_a_while_is_waited_for() -> None:
    server = Server(*FAST).create().start()
    try:
        store = open_store(server.laid_out())
        store.save([start_of("one")])
        server.stop()
        back = threading.Timer(0.3, server.start)
        back.start()

        outcome = store.save([start_of("two")])

        back.join()
        assert outcome == [None]
        assert {row.id for row in store.instances()} == {"one", "two"}
        store.close()
    finally:
        server.remove()


def test_the_address_is_told_without_its_password() -> None:
    with pytest.raises(StoreError) as raised:
        open_store("postgresql://me:verysecret@/nowhere?host=/nowhere&connect_timeout=1")

    assert "/nowhere" in str(raised.value)
    assert "verysecret" not in str(raised.value)


def test_the_database_of_another_program_is_refused(postgres: Server) -> None:
    url = postgres.database()
    with psycopg.connect(url, autocommit=True) as raw:
        raw.execute("CREATE TABLE theirs (id int)")

    with pytest.raises(StoreError, match="of another program"):
        open_store(url)


def test_two_engines_lay_out_an_empty_database_once(postgres: Server) -> None:
    url = postgres.database()
    opened: list[Store] = []
    threads = [threading.Thread(target=lambda: opened.append(open_store(url))) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()

    assert len({store.seal_key() for store in opened}) == 1
    for store in opened:
        store.close()
    assert len(opened) == 4


def test_a_job_goes_to_one_of_many_engines(url: str) -> None:
    clock = ManualClock()
    engines = [Engine(open_store(url), clock=clock, secrets=lambda name: None) for _ in range(3)]
    digest = engines[0].deploy(workflow(WORK))
    for number in range(60):
        engines[0].start(digest, {"n": number})
    taken: list[str] = []

    def work(engine: Engine, name: str) -> None:
        while leases := engine.store.claim(("http",), 7, name, clock.now_ms(), 30_000):
            for lease in leases:
                taken.append(lease.idempotency_key)
                engine.complete(lease, {"by": name})

    threads = [
        threading.Thread(target=work, args=(engine, f"w{number}"))
        for number, engine in enumerate(engines)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()

    assert len(taken) == len(set(taken)) == 60
    assert len(engines[0].store.instances(status="completed")) == 60
    for engine in engines:
        engine.close()


def test_an_engine_is_woken_by_what_another_one_commits(url: str) -> None:
    first, second = open_store(url), open_store(url)
    woken = threading.Event()
    second.wakes(woken.set)
    assert woken.wait(10)
    woken.clear()

    first.save([start_of("one")])

    assert woken.wait(10)
    first.close()
    second.close()


def test_an_engine_does_not_wake_itself(url: str) -> None:
    store, other = open_store(url), open_store(url)
    own, others = threading.Event(), threading.Event()
    for one, event in ((store, own), (other, others)):
        one.wakes(event.set)
        assert event.wait(10)
        event.clear()

    store.save([start_of("one")])
    assert others.wait(10)

    assert not own.is_set()
    store.close()
    other.close()


def test_a_timer_is_fired_once_by_engines_that_look_at_once(url: str) -> None:
    runs = [Run(open_store(url)) for _ in range(2)]
    instances = [runs[0].start(WAIT) for _ in range(20)]
    for run in runs:
        run.clock.advance(5_000)

    threads = [threading.Thread(target=settle, args=(run.engine,)) for run in runs]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()

    for instance in instances:
        assert runs[0].row(instance).output == {"done": True}
        assert runs[1].engine.verify(instance) > 0
    for run in runs:
        run.engine.close()


def test_what_one_engine_is_at_another_leaves_to_it(postgres: Server) -> None:
    url = postgres.laid_out()
    one, other = open_store(url), open_store(url)
    try:
        with (
            one.sole("inbox") as first,
            other.sole("inbox") as second,
            other.sole("outbox") as beside,
        ):
            assert (first, second, beside) == (True, False, True)
        with other.sole("inbox") as afterwards:
            assert afterwards
    finally:
        one.close()
        other.close()


def test_a_step_does_not_hold_up_engines_for_a_table_in_use(
    url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(migrating, "PATIENCE_S", 1)
    open_store(url).close()
    with psycopg.connect(url) as other:
        other.execute("SELECT count(*) FROM instances")

        with pytest.raises(StoreError, match="lock timeout"):
            list(migrating.migrate(url, known=known(NOTE)))

    # Nothing is half done: the same command goes on.
    assert [one.step for one in migrating.migrate(url, known=known(NOTE))] == [NOTE]


def test_a_database_that_is_not_there_is_not_migrated(postgres: Server) -> None:
    with pytest.raises(StoreError, match='database "none" does not exist'):
        list(migrating.migrate(postgres.url("none")))


def test_an_empty_database_is_not_migrated(postgres: Server) -> None:
    with pytest.raises(StoreError, match="is empty; the first engine that opens it"):
        list(migrating.migrate(postgres.database()))
