"""What the engine asks of a store, as facts; every store has to keep them."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from itertools import count
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings

from diglot.runtime import events as e
from diglot.runtime.errors import CallerError, Conflict, StaleAttempt, StoreError
from diglot.runtime.evolve import evolve, fold
from diglot.runtime.state import State
from diglot.runtime.store import DefinitionVersion, Done, Lease, Save, Schedule, Store, open_store
from support import json_values
from support.runs import Run

NOW = 1_750_000_000_000


@pytest.fixture(params=["sqlite-file", "sqlite-memory", "postgres"])
def store(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Store]:
    match request.param:
        case "sqlite-file":
            url = f"sqlite:///{tmp_path / 'runs.db'}"
        case "sqlite-memory":
            url = "sqlite://"
        case _:
            url = request.getfixturevalue("postgres").laid_out()
    store = open_store(url)
    yield store
    store.close()


# -- what commands change


def change(
    state: State,
    *events: e.Event,
    at_ms: int = NOW,
    job: int | None = None,
    attempt: int = 0,
    **more: Any,
) -> Save:
    """A save of what `events` make of `state`, which is carried along."""
    base, base_counter = state.sequence, state.counter
    state.touched.clear()
    state.assigned.clear()
    for event in events:
        evolve(state, event)
    done = Done([*events], e.encode([*events]), job, attempt)
    return Save(state, base, base_counter, at_ms, [done], **more)


def started(id: str, input: Any = None) -> tuple[State, Save]:
    """An instance with a token at its first node."""
    state = State(id)
    return state, change(
        state,
        e.InstanceStarted("digest", input, NOW),
        e.ScopeEntered(1, "/", None, None, "/#start", 2, input, {"context": {}}, NOW),
    )


def begun(store: Store, id: str, *events: e.Event) -> State:
    """An instance on disk, in whose first node something happened."""
    state, save = started(id)
    assert store.save([save]) == [None]
    entered = e.VisitEntered(3, "/do/0/a", 1, (2,), None, NOW)
    assert store.save([change(state, entered, *events)]) == [None]
    return state


def with_job(
    store: Store, id: str = "one", *, type: str = "http", at_ms: int = NOW, job: int = 4
) -> State:
    return begun(store, id, e.JobOpened(job, 3, "/do/0/a", type, {"n": 1}, at_ms))


def claimed(store: Store, *, now_ms: int = NOW, lease_ms: int = 1000) -> Lease:
    (lease,) = store.claim(("http",), 1, "worker", now_ms, lease_ms)
    return lease


def listening(store: Store, id: str = "one", type: str | None = "told") -> State:
    return begun(store, id, e.SubscriptionOpened(4, 3, 0, type=type))


def event(id: str = "1", type: str = "told", source: str = "/s", **more: Any) -> dict[str, Any]:
    return {"id": id, "source": source, "type": type, **more}


def received(store: Store, id: str = "1", type: str = "told") -> int:
    """The number of an event that has just come in."""
    assert store.receive(event(id, type), NOW)
    return store.open_inbox(10_000)[-1].id


# -- instances


def test_a_state_is_loaded_as_it_was_saved(store: Store) -> None:
    state = begun(
        store,
        "one",
        e.JobOpened(4, 3, "/do/0/a", "http", {"n": [1, {"a": None}]}, NOW),
        e.JobOpened(5, None, "/do/0/a", "shell", {}, NOW),
        e.TimerArmed(6, "handler", NOW + 5, visit=3, handler="h"),
        e.TimerArmed(7, "handler", NOW + 6, scope=1, handler="g"),
        e.SubscriptionOpened(8, 3, 0, True, "told"),
        e.SubscriptionOpened(9, 3, 1),
        e.EventTaken(3, 9, "/s", "1", {"n": 1}, {"key": "k"}, False, 7),
        e.IterationBegun(3, 1, ({"a": 1}, [2])),
        e.ScopeEntered(10, "/body", 1, 3, "/body#start", 11, 5, {"item": 5}, NOW),
        e.TokenPut(1, e.Route(12, "/do/1/b", "flow"), {"x": 1}),
    )

    loaded = store.load("one")

    assert loaded is not None
    assert loaded.snapshot() == state.snapshot()
    for index in ("at", "visits_in", "bodies", "handling", "open"):
        found, expected = getattr(loaded, index), getattr(state, index)
        assert {key: row for key, row in found.items() if row} == {
            key: row for key, row in expected.items() if row
        }


def test_what_is_no_longer_alive_is_gone_from_the_rows(store: Store) -> None:
    state = begun(
        store,
        "one",
        e.JobOpened(4, 3, "/do/0/a", "http", {}, NOW),
        e.TimerArmed(5, "handler", NOW, visit=3, handler="h"),
        e.SubscriptionOpened(6, 3, 0),
    )
    over = e.InstanceEnded("completed", NOW, {"out": 1})
    assert store.save([change(state, over)]) == [None]

    loaded = store.load("one")

    assert loaded is not None
    assert loaded.snapshot() == state.snapshot()
    assert store.due_timers(NOW, 10) == []
    assert store.claim(("http",), 10, "worker", NOW, 1000) == []
    assert store.listeners(10_000, "told") == []


def test_an_instance_nobody_started_is_not_there(store: Store) -> None:
    assert store.load("nobody") is None
    assert store.instance("nobody") is None
    assert store.history("nobody") == []


def test_history_is_kept_by_command_and_folds_to_the_state(store: Store) -> None:
    state = with_job(store)

    commits = store.history("one")

    assert [(first, len(events)) for first, _, events in commits] == [(1, 2), (3, 2)]
    events = [event for _, _, events in commits for event in events]
    assert fold("one", events).snapshot() == state.snapshot()


def test_the_latest_instances_come_first_and_can_be_chosen(store: Store) -> None:
    for number in range(4):
        state = State(f"i{number}")
        begins = e.InstanceStarted(f"d{number % 2}", None, NOW + number)
        ends = e.InstanceEnded("completed" if number < 3 else "faulted", NOW + number)
        assert store.save([change(state, begins, ends)]) == [None]

    assert [row.id for row in store.instances()] == ["i3", "i2", "i1", "i0"]
    assert [row.id for row in store.instances(limit=2)] == ["i3", "i2"]
    assert [row.id for row in store.instances(status="completed")] == ["i2", "i1", "i0"]
    assert [row.id for row in store.instances(definition="d1")] == ["i3", "i1"]


_numbers = count()


@settings(
    max_examples=40,
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture],
)
@given(data=json_values.values, named=json_values.objects)
def test_any_json_is_kept_as_it_is(store: Store, data: Any, named: dict[str, Any]) -> None:
    id = f"é-{next(_numbers)}"
    state = State(id)
    save = change(
        state,
        e.InstanceStarted("digest", data, NOW),
        e.ScopeEntered(1, "/", None, None, "/#start", 2, data, named, NOW),
        e.VisitEntered(3, "/do/0/ö", 1, (2,), data, NOW),
        e.JobOpened(4, 3, "/do/0/ö", "http", named, NOW),
    )
    assert store.save([save]) == [None]

    loaded = store.load(id)

    assert loaded is not None
    assert loaded.snapshot() == state.snapshot()
    row = store.instance(id)
    assert row is not None
    assert row.input == data
    assert fold(id, store.history(id)[0][2]).snapshot() == state.snapshot()


# -- who comes second


def test_a_save_decided_on_an_older_state_is_a_conflict_and_writes_nothing(store: Store) -> None:
    first = begun(store, "one")
    second = store.load("one")
    assert second is not None
    assert store.save([change(first, e.InstanceSuspended(NOW))]) == [None]
    before = store.history("one")

    late = change(second, e.TimerArmed(9, "wait", NOW, visit=3), outbox=[("event", {"a": 1})])
    (refusal,) = store.save([late])

    assert isinstance(refusal, Conflict)
    assert store.history("one") == before
    assert store.due_timers(NOW, 10) == []
    assert store.due_outbox(NOW, 10) == []


def test_a_start_of_an_id_that_is_taken_is_a_conflict(store: Store) -> None:
    assert store.save([started("one", {"first": True})[1]]) == [None]
    (refusal,) = store.save([started("one", {"first": False})[1]])
    row = store.instance("one")

    assert isinstance(refusal, Conflict)
    assert row is not None
    assert row.input == {"first": True}


def test_two_saves_of_one_instance_in_one_batch_follow_each_other(store: Store) -> None:
    ahead, first = started("one")
    behind, second = started("one")
    outcomes = store.save([first, second])

    assert [type(outcome) for outcome in outcomes] == [type(None), Conflict]
    assert ahead.snapshot() == behind.snapshot()


def test_one_save_that_is_refused_leaves_its_neighbours_alone(store: Store) -> None:
    conflicting = started("a")[1]
    assert store.save([started("a")[1]]) == [None]
    stale = change(with_job(store, "b"), e.JobClosed(4, "completed", 1), job=4, attempt=1)

    outcomes = store.save([started("c")[1], conflicting, stale, started("d")[1]])

    kinds = [type(outcome) for outcome in outcomes]
    assert kinds == [type(None), Conflict, StaleAttempt, type(None)]
    assert {row.id for row in store.instances()} == {"a", "b", "c", "d"}


def test_one_save_the_database_cannot_write_leaves_its_neighbours_alone(store: Store) -> None:
    broken = begun(store, "broken")
    # Its events stand where others stand already.
    impossible = change(broken, e.InstanceSuspended(NOW))
    impossible.base = 2
    impossible.state.sequence = 3
    assert store.save([started("before")[1]]) == [None]

    outcomes = store.save([started("x")[1], impossible, started("y")[1]])

    assert outcomes[0] is None
    assert isinstance(outcomes[1], Conflict | StoreError)
    assert outcomes[2] is None
    assert len(store.history("broken")) == 2


@pytest.mark.parametrize("due_ms", [2**63, -(2**70)])
def test_a_number_no_column_holds_is_an_error_of_its_own_save(store: Store, due_ms: int) -> None:
    broken = begun(store, "broken")
    impossible = change(broken, e.TimerArmed(9, "wait", due_ms, visit=3))

    outcomes = store.save([started("x")[1], impossible, started("y")[1]])

    assert [type(outcome) for outcome in outcomes] == [type(None), StoreError, type(None)]
    assert len(store.history("broken")) == 2


# -- jobs


def test_a_result_needs_the_current_attempt(store: Store) -> None:
    with_job(store)
    first = claimed(store)
    assert [one.instance for one in store.expire(NOW + 1000)] == ["one"]
    second = claimed(store, now_ms=NOW + 1000)
    state = store.load("one")
    assert state is not None
    closed = e.JobClosed(4, "completed", second.attempt)

    for attempt in (first.attempt, second.attempt + 1, 0):
        copy = store.load("one")
        assert copy is not None
        (refusal,) = store.save([change(copy, closed, job=4, attempt=attempt)])
        assert isinstance(refusal, StaleAttempt)
    assert store.save([change(state, closed, job=4, attempt=second.attempt)]) == [None]

    outcomes = [one["outcome"] for one in store.attempts("one", 4)]
    assert outcomes == ["expired", "completed"]


def test_jobs_are_given_out_by_type_and_limit_and_the_oldest_first(store: Store) -> None:
    for id, at_ms in (("late", NOW + 2), ("early", NOW), ("later", NOW + 3)):
        with_job(store, id, at_ms=at_ms)
    with_job(store, "other", type="shell")

    leases = store.claim(("http",), 2, "worker", NOW + 10, 1000)

    assert [lease.instance for lease in leases] == ["early", "late"]
    assert [lease.attempt for lease in leases] == [1, 1]
    assert leases[0].arguments == {"n": 1}
    rest = store.claim(("http", "shell"), 10, "worker", NOW + 10, 1000)
    assert {lease.instance for lease in rest} == {"other", "later"}
    assert store.claim((), 10, "worker", NOW + 10, 1000) == []


def test_a_leased_job_is_given_to_nobody_else_until_its_lease_ends(store: Store) -> None:
    with_job(store)
    lease = claimed(store)

    assert store.claim(("http",), 1, "other", NOW, 1000) == []
    assert [(one.instance, one.job, one.attempt) for one in store.leases()] == [("one", 4, 1)]
    assert store.expire(NOW + 999) == []
    assert [one.instance for one in store.expire(NOW + 1000)] == ["one"]
    assert store.expire(NOW + 1000) == []
    assert claimed(store, now_ms=NOW + 1000).attempt == lease.attempt + 1


def test_a_lease_is_lengthened_and_given_back_by_its_holder_alone(store: Store) -> None:
    with_job(store)
    old = claimed(store)
    assert store.extend(old, NOW + 5000, {"done": 1})
    assert store.expire(NOW + 1000) == []
    assert store.give_back(old, NOW, NOW + 50, "released")

    assert not store.give_back(old, NOW, NOW, "released")
    assert not store.extend(old, NOW + 9000)
    assert store.claim(("http",), 1, "worker", NOW + 49, 1000) == []
    new = claimed(store, now_ms=NOW + 50)
    assert not store.extend(old, NOW + 9000)
    assert store.extend(new, NOW + 9000)
    (first, second) = store.attempts("one", 4)
    assert (first["outcome"], first["progress"]) == ("released", {"done": 1})
    assert (second["outcome"], second["ended_ms"]) == (None, None)


# -- events in


def test_an_event_is_taken_in_once_for_its_source_and_id(store: Store) -> None:
    assert store.receive(event("1", data={"n": 1}), NOW)
    assert not store.receive(event("1", data={"n": 2}), NOW)
    assert store.receive(event("1", source="/other"), NOW)
    assert store.receive(event("2"), NOW)

    opened = store.open_inbox(10)

    assert [(row.envelope["source"], row.envelope["id"]) for row in opened] == [
        ("/s", "1"),
        ("/other", "1"),
        ("/s", "2"),
    ]
    assert opened[0].envelope["data"] == {"n": 1}
    assert [row.id for row in store.open_inbox(2)] == [row.id for row in opened[:2]]


def test_an_event_that_was_offered_to_all_is_closed_and_stays_known(store: Store) -> None:
    number = received(store)
    store.close_inbox(number)

    assert store.open_inbox(10) == []
    assert not store.receive(event(), NOW)


def test_only_who_listened_before_an_event_came_may_take_it(store: Store) -> None:
    listening(store, "early")
    first = received(store, "1")
    listening(store, "late")
    second = received(store, "2")

    assert store.listeners(first, "told") == [("early", 4)]
    assert store.listeners(second, "told") == [("early", 4), ("late", 4)]


def test_listeners_of_another_type_are_left_out_and_those_of_any_are_not(store: Store) -> None:
    listening(store, "any", None)
    listening(store, "other", "other")
    number = received(store)

    assert store.listeners(number, "told") == [("any", 4)]


def test_an_event_a_command_emits_is_for_those_who_listened_before_it(store: Store) -> None:
    state = begun(store, "one")
    save = change(
        state,
        e.SubscriptionOpened(4, 3, 0, type="told"),
        e.EventEmitted(3, event("1")),
        e.SubscriptionOpened(5, 3, 1, type="told"),
        inbox=[event("1")],
        behind={5: 1},
    )
    assert store.save([save]) == [None]

    (row,) = store.open_inbox(10)
    later = received(store, "2")

    assert store.listeners(row.id, "told") == [("one", 4)]
    assert store.listeners(later, "told") == [("one", 4), ("one", 5)]


def test_an_event_that_is_emitted_again_takes_no_later_one_from_a_listener(store: Store) -> None:
    received(store, "same")
    state = begun(store, "one")
    save = change(
        state,
        e.EventEmitted(3, event("same")),
        e.EventEmitted(3, event("same")),
        e.SubscriptionOpened(4, 3, 0, type="told"),
        inbox=[event("same"), event("same")],
        behind={4: 2},
    )
    assert store.save([save]) == [None]

    number = received(store, "next")

    assert store.listeners(number, "told") == [("one", 4)]


# -- messages out


def test_messages_are_sent_in_order_and_again_when_it_was_said(store: Store) -> None:
    state = begun(store, "one")
    save = change(state, e.InstanceSuspended(NOW), outbox=[("event", {"n": n}) for n in range(3)])
    assert store.save([save]) == [None]

    first, second, third = store.due_outbox(NOW, 10)
    store.send_again(first.id, NOW + 100)
    store.sent([second.id])

    assert [row.payload["n"] for row in (first, second, third)] == [0, 1, 2]
    assert [row.id for row in store.due_outbox(NOW, 10)] == [third.id]
    again = store.due_outbox(NOW + 100, 10)
    assert [(row.id, row.tries) for row in again] == [(first.id, 1), (third.id, 0)]
    assert len(store.due_outbox(NOW + 100, 1)) == 1
    assert store.due_outbox(NOW - 1, 10) == []


# -- the clock


def test_timers_come_due_in_order_of_their_moment(store: Store) -> None:
    begun(
        store,
        "one",
        e.TimerArmed(4, "wait", NOW + 20, visit=3),
        e.TimerArmed(5, "wait", NOW + 10, visit=3),
        e.TimerArmed(6, "wait", NOW + 30, visit=3),
    )

    assert store.due_timers(NOW + 9, 10) == []
    assert store.due_timers(NOW + 20, 10) == [("one", 5), ("one", 4)]
    assert store.due_timers(NOW + 30, 1) == [("one", 5)]


def test_the_next_moment_is_the_earliest_of_all(store: Store) -> None:
    assert store.next_due() is None

    state = begun(store, "one", e.TimerArmed(4, "wait", NOW + 500, visit=3))
    assert store.next_due() == NOW + 500

    with_job(store, "two")
    claimed(store, lease_ms=400)
    assert store.next_due() == NOW + 400

    save = change(state, e.InstanceSuspended(NOW), at_ms=NOW + 300, outbox=[("event", {})])
    assert store.save([save]) == [None]
    assert store.next_due() == NOW + 300

    store.publish(version("d1"), [Schedule("d1", 0, "every", NOW + 200)])
    assert store.next_due() == NOW + 200


# -- definitions and schedules


def version(digest: str, number: str = "1.0.0", name: str = "name") -> DefinitionVersion:
    return DefinitionVersion(
        digest=digest,
        namespace="test",
        name=name,
        version=number,
        graph=b"{}",
        source="dsl: é",
        resources={"https://example.com/": {"type": "object"}},
        diagnostics=[{"code": "DG0001"}],
        published_ms=NOW,
    )


def test_a_version_is_kept_as_it_was_published(store: Store) -> None:
    assert store.publish(version("d1"), [])
    assert store.definition("d1") == version("d1")
    assert store.definition("d2") is None


def test_the_same_version_again_changes_nothing_and_another_one_is_refused(store: Store) -> None:
    assert store.publish(version("d1"), [])
    assert not store.publish(version("d1"), [])
    with pytest.raises(CallerError, match="new version"):
        store.publish(version("d2"), [])

    assert store.publish(version("d2", "2.0.0"), [])
    assert sorted(store.versions("test", "name")) == [("1.0.0", "d1"), ("2.0.0", "d2")]
    assert store.versions("test", "other") == []


def test_the_key_of_seals_is_made_once(store: Store) -> None:
    assert store.seal_key() == store.seal_key()
    assert len(store.seal_key()) == 32


# -- SQLite alone


def test_two_databases_have_two_keys(tmp_path: Path) -> None:
    stores = [open_store(f"sqlite:///{tmp_path / name}") for name in ("a.db", "b.db")]
    assert stores[0].seal_key() != stores[1].seal_key()
    for store in stores:
        store.close()


def test_a_database_of_another_layout_is_refused_by_name(tmp_path: Path) -> None:
    path = tmp_path / "runs.db"
    open_store(f"sqlite:///{path}").close()
    with sqlite3.connect(path) as connection:
        connection.execute("UPDATE meta SET value='999' WHERE key IN ('layout', 'engines')")
    connection.close()

    with pytest.raises(
        StoreError, match=r"runs\.db has layout 999 of diglot .*, this version needs"
    ):
        open_store(f"sqlite:///{path}")


def test_a_file_that_is_no_database_is_refused_by_name(tmp_path: Path) -> None:
    path = tmp_path / "runs.db"
    path.write_bytes(b"this is a text and no database, however long it may go on" * 100)
    with pytest.raises(StoreError, match=r"runs\.db"):
        open_store(f"sqlite:///{path}")


def test_an_address_of_no_store_is_refused() -> None:
    with pytest.raises(CallerError, match="sqlite:///FILE"):
        open_store("mysql://localhost/x")


def pragma(store: Store, text: str) -> None:
    """Set something for a store's own connection."""
    store._connection.execute(f"PRAGMA {text}")  # type: ignore[attr-defined]  # pyright: ignore


WAITING = "do: [{w: {wait: {seconds: 5}}}, {b: {set: {done: true}}}]"


def test_a_full_disk_is_an_error_of_the_call_and_what_was_acknowledged_stays(
    tmp_path: Path,
) -> None:
    run = Run(f"sqlite:///{tmp_path / 'runs.db'}")
    small = run.start(WAITING, {"n": 1})
    digest = run.row(small).definition
    pragma(run.engine.store, "max_page_count=1")

    with pytest.raises(StoreError, match="full"):
        run.engine.start(digest, {"text": "x" * 1_000_000}, instance="large")
    assert run.engine.verify(small) > 0
    assert run.engine.store.instance("large") is None

    pragma(run.engine.store, "max_page_count=1000000")
    run.engine.start(digest, {"text": "x" * 1_000_000}, instance="large")
    run.advance(5000)
    assert {run.row(id).output["done"] for id in (small, "large")} == {True}
    run.engine.close()


def test_a_locked_file_is_an_error_of_the_call_and_the_call_can_be_repeated(
    tmp_path: Path,
) -> None:
    path = tmp_path / "runs.db"
    run = Run(f"sqlite:///{path}")
    instance = run.start(WAITING)
    pragma(run.engine.store, "busy_timeout=0")
    other = sqlite3.connect(path, isolation_level=None)
    other.execute("BEGIN IMMEDIATE")

    for call in (
        lambda: run.engine.suspend(instance),
        lambda: run.engine.publish_event(event()),
        lambda: run.engine.store.close_inbox(1),
    ):
        with pytest.raises(StoreError, match="locked"):
            call()
    other.execute("ROLLBACK")
    other.close()

    run.engine.suspend(instance)
    assert run.row(instance).status == "suspended"
    assert run.engine.verify(instance) == run.row(instance).sequence
    run.engine.close()


def test_a_state_is_read_at_one_moment_though_another_process_writes(tmp_path: Path) -> None:
    url = f"sqlite:///{tmp_path / 'runs.db'}"
    reader, writer = Run(url), Run(url)
    instance = reader.start(WAITING)
    writer.clock.advance(5000)
    begun_reading: list[str] = []

    def meddle(statement: str) -> None:
        if "FROM node_visits" in statement and not begun_reading:
            begun_reading.append(statement)
            writer.advance(0)

    reading: Any = reader.engine.store
    reading._connection.set_trace_callback(meddle)
    found = reader.engine.verify(instance)
    reading._connection.set_trace_callback(None)

    assert begun_reading
    assert writer.row(instance).status == "completed"
    assert found < reader.engine.verify(instance)
    reader.engine.close()
    writer.engine.close()
