"""The scheduler: due timers, ended leases, messages between instances, schedules.

All it does is to turn rows that are due into commands; doing a row twice changes nothing.
"""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable
from typing import Any

from diglot.compiler.graph import ConditionTrigger, TimerTrigger
from diglot.compiler.graph.resolution import resolve

from . import commands as c
from . import inbox, stalling
from .engine import Engine
from .errors import CallerError, UnknownDefinition
from .faults import problem
from .one_by_one import alone, ask
from .schedules import CONDITION_PAUSE_MS, advance, has_come, pause_after, triggers
from .secrets import masked
from .store.contract import OutboxRow, Schedule

_log = logging.getLogger(__name__)

#: How many due rows one look takes.
BATCH = inbox.BATCH
#: Pauses between tries to send to a sink that fails, doubled each time up to the longest.
FIRST_PAUSE_MS = 500
LONGEST_PAUSE_MS = 5 * 60 * 1000
#: After so many events in a row that could not be sent the rest is not tried in this tick.
PATIENCE = 3
#: Without a reason to look earlier the scheduler looks again after this time.
LONGEST_SLEEP_S = 5.0
#: How deep processes call each other. One that calls itself without an end is stopped there.
DEEPEST_CALL = 200
#: What a database that fails is left alone for.
PAUSE_AFTER_FAULT_S = 1.0
#: What is due and cannot be done is left alone for.
PAUSE_WHEN_OVERDUE_S = 0.25


def tick(engine: Engine, run: str | None = None) -> int:
    """Do everything that is due now; how much there was.

    With a `run` it is what this instance and those it called need; other runs of the database
    are left to whoever drives them, and so are schedules. What another engine is just doing is
    left to it.
    """
    now_ms = engine.clock.now_ms()
    done = 0
    parts: list[tuple[str, Callable[[], int]]] = [
        ("attempts", lambda: _end_attempts(engine, now_ms)),
        ("timers", lambda: _fire_timers(engine, now_ms, run)),
        ("kept", lambda: engine.store.expire_kept(now_ms)),
        ("inbox", lambda: stalling.look_again(engine) + inbox.relay(engine)),
        ("outbox", lambda: _relay_outbox(engine, now_ms, run)),
    ]
    if run is None:
        parts.append(("schedules", lambda: _start_scheduled(engine, now_ms)))
    for name, do in parts:
        with engine.store.sole(name) as is_ours:
            if is_ours:
                done += do()
    return done


def settle(engine: Engine) -> int:
    """Do what is due until nothing is; how much there was."""
    total = 0
    while done := tick(engine):
        total += done
    return total


class Scheduler:
    """A thread that ticks when something is due."""

    def __init__(self, engine: Engine) -> None:
        self._engine = engine
        self._stopped = threading.Event()
        self._thread = threading.Thread(target=self._run, name="scheduler", daemon=True)

    def start(self) -> None:
        """Begin."""
        self._engine.store.wakes(self._engine.wake.set)
        self._thread.start()

    def stop(self) -> None:
        """End after the tick that is running."""
        self._stopped.set()
        self._engine.wake.set()
        self._thread.join()

    def _run(self) -> None:
        engine = self._engine
        while not self._stopped.is_set():
            engine.wake.clear()
            try:
                began_ms = engine.clock.now_ms()
                if tick(engine):
                    continue
                pause_s = sleep_s(engine, since_ms=began_ms)
            except Exception:
                _log.exception("a tick failed and is tried again")
                pause_s = PAUSE_AFTER_FAULT_S
            engine.clock.sleep(pause_s, engine.wake)


def sleep_s(engine: Engine, run: str | None = None, *, since_ms: int | None = None) -> float:
    """How long nothing is due, or nothing of one run.

    What was due `since_ms`, when a tick began, and still is, cannot be done now or is being done
    by another engine: it is left alone for a moment.
    """
    due_ms = engine.store.next_due(run)
    if due_ms is None:
        return LONGEST_SLEEP_S
    if since_ms is not None and due_ms <= since_ms:
        return PAUSE_WHEN_OVERDUE_S
    return min(max((due_ms - engine.clock.now_ms()) / 1000, 0.001), LONGEST_SLEEP_S)


def _end_attempts(engine: Engine, now_ms: int) -> int:
    """End leases whose time is over, and jobs that cannot be done."""
    ended = engine.store.expire(now_ms)
    most = engine.settings.most_attempts
    unstarted = engine.store.unstarted(now_ms, BATCH)
    failures: list[tuple[str, c.FailJob]] = [
        (one.instance, c.FailJob(one.job, problem("runtime", f"{most} attempts gave no result")))
        for one in ended
        if one.attempt >= most and not one.is_unknown
    ] + [
        (instance, c.FailJob(job, problem("timeout", "no worker took it in time")))
        for instance, job in unstarted
    ]
    for (instance, command), error in zip(failures, engine.submit_many([*failures]), strict=True):
        if error is not None:
            _log.error("job %s of instance %s stays open: %s", command.job, instance, error)
    return len(ended) + len(unstarted)


def _fire_timers(engine: Engine, now_ms: int, run: str | None) -> int:
    limit = BATCH
    while True:
        due = engine.store.due_timers(now_ms, limit, run)
        fired = _fire(engine, due)
        if fired or len(due) < limit:
            return fired
        # All of them stay due: behind them may be some that do not.
        limit *= 2


def _fire(engine: Engine, due: list[tuple[str, int]]) -> int:
    outcomes = engine.submit_many([(instance, c.FireTimer(timer)) for instance, timer in due])
    for (instance, timer), error in zip(due, outcomes, strict=True):
        if error is not None:
            _log.error("timer %s of instance %s stays due: %s", timer, instance, error)
    return outcomes.count(None)


# -- messages between instances, and to the outside


def _relay_outbox(engine: Engine, now_ms: int, run: str | None) -> int:
    rows = engine.store.due_outbox(now_ms, BATCH, run)
    sent: list[int] = []
    failures = 0
    for row in rows:
        arrived = False
        if row.kind == "event" and failures >= PATIENCE:
            # A sink that hangs must not be waited for once an event.
            engine.store.send_again(row.id, now_ms + _pause_ms(row))
            continue
        with alone(f"message {row.id} of instance {row.instance}"):
            arrived = _send(engine, row)
        if arrived:
            sent.append(row.id)
            if row.kind == "event":
                failures = 0
        else:
            engine.store.send_again(row.id, now_ms + _pause_ms(row))
            failures += row.kind == "event"
    if sent:
        engine.store.sent(sent)
    return len(rows)


def _pause_ms(row: OutboxRow) -> int:
    return min(FIRST_PAUSE_MS << min(row.tries, 20), LONGEST_PAUSE_MS)


def _send(engine: Engine, row: OutboxRow) -> bool:
    payload = row.payload
    match row.kind:
        case "child":
            _start_child(engine, row.instance, payload)
        case "child-ended":
            command = c.EndChild(
                payload["visit"],
                payload["child"],
                payload["status"],
                payload["output"],
                payload["error"],
            )
            ask(engine, payload["parent"], command)
        case "child-escalated":
            escalation = c.EscalateChild(
                payload["visit"],
                payload["child"],
                payload["number"],
                payload["code"],
                payload["payload"],
            )
            ask(engine, payload["parent"], escalation)
        case "child-cancelled":
            ask(engine, payload["child"], c.CancelInstance("parent"))
        case _:
            envelope = masked(payload)
            try:
                for sink in engine.sinks:
                    sink(envelope)
            except Exception as error:
                _log.warning("an event is sent again later: %s: %s", type(error).__name__, error)
                return False
    return True


def _find_called(engine: Engine, namespace: str, process: str, version: str) -> str:
    """The digest of the definition that a call names."""

    def versions(namespace: str, name: str) -> dict[str, str]:
        return dict(engine.store.versions(namespace, name))

    found = resolve(namespace, process, version, versions)
    if found is None:
        raise UnknownDefinition(f"{namespace}/{process} {version} is not published")
    return versions(found.namespace, found.name)[found.version]


def _start_child(engine: Engine, parent: str, payload: dict[str, Any]) -> None:
    try:
        # The id of a child is that of its parent, a dot and the visit.
        if payload["child"].count(".") > DEEPEST_CALL:
            raise CallerError(f"calls are nested deeper than {DEEPEST_CALL} levels")
        digest = _find_called(engine, payload["namespace"], payload["process"], payload["version"])
    except CallerError as error:
        if payload["waits"]:
            failure = problem("configuration", str(error))
            command = c.EndChild(payload["visit"], payload["child"], "faulted", None, failure)
            ask(engine, parent, command)
        return
    waits = payload["waits"]
    engine.start(
        digest,
        payload["input"],
        instance=payload["child"],
        parent=parent if waits else None,
        parent_visit=payload["visit"] if waits else None,
        tenant=payload["tenant"],
    )


# -- schedules by the clock


def _start_scheduled(engine: Engine, now_ms: int) -> int:
    done = 0
    for schedule in engine.store.due_schedules(now_ms):
        with alone(f"a schedule of {schedule.digest}"):
            _start_due(engine, schedule, now_ms)
            done += 1
    for schedule in engine.store.awaiting_schedules():
        with alone(f"a schedule of {schedule.digest}"):
            done += _follow_up(engine, schedule)
    return done


def _start_due(engine: Engine, schedule: Schedule, now_ms: int) -> None:
    plan = engine.plan(schedule.digest)
    way = plan.ways[schedule.number]
    assert schedule.due_ms is not None
    instance = f"{schedule.digest[:16]}-{schedule.number}-{schedule.due_ms}"
    is_started = True
    if isinstance(way.trigger, ConditionTrigger):
        is_started = has_come(schedule, way.trigger, engine.bare_step(plan))
        schedule.due_ms = now_ms + CONDITION_PAUSE_MS
    if is_started:
        engine.start(schedule.digest, {}, instance=instance, start=way.node)
    if isinstance(way.trigger, TimerTrigger):
        if way.trigger.form == "after":
            schedule.run = instance
            schedule.due_ms = None
        else:
            advance(schedule, way.trigger, now_ms)
    engine.store.save_schedule(schedule)


def _follow_up(engine: Engine, schedule: Schedule) -> int:
    """After the end of the run it awaits, a schedule begins its pause; 1 if that has come."""
    assert schedule.run is not None
    run = engine.store.instance(schedule.run)
    if run is None or run.ended_ms is None:
        return 0
    trigger = triggers(engine.plan(schedule.digest))[schedule.number]
    assert isinstance(trigger, TimerTrigger)
    schedule.due_ms = pause_after(trigger, run.ended_ms)
    schedule.run = None
    engine.store.save_schedule(schedule)
    return 1
