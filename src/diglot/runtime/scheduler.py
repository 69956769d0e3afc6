"""The scheduler: due timers, ended leases, messages between instances, schedules.

All it does is to turn rows that are due into commands; doing a row twice changes nothing.
"""

from __future__ import annotations

import logging
import threading
from collections.abc import Generator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from diglot.compiler.graph import EventStrategy, EventTrigger, TimerTrigger

from . import commands as c
from .engine import Engine
from .errors import CallerError, StoreError, UnknownDefinition
from .faults import Fault, problem
from .schedules import gathering, next_due, pause_after, start_of, triggers
from .secrets import masked
from .semantics import Frame, Step, Surroundings
from .semantics.receive import has_come, matches, read_event
from .state import State
from .store.contract import InboxRow, OutboxRow, Schedule

if TYPE_CHECKING:
    from .plan import Condition, FilterPlan

_log = logging.getLogger(__name__)

#: How many due rows one look takes.
BATCH = 500
#: Pauses between tries to send to a sink that fails, doubled each time up to the longest.
FIRST_PAUSE_MS = 500
LONGEST_PAUSE_MS = 5 * 60 * 1000
#: After so many events in a row that could not be sent the rest is not tried in this tick.
PATIENCE = 3
#: Without a reason to look earlier the scheduler looks again after this time.
LONGEST_SLEEP_S = 5.0
#: What a database that fails is left alone for.
PAUSE_AFTER_FAULT_S = 1.0


def tick(engine: Engine, run: str | None = None) -> int:
    """Do everything that is due now; how much there was.

    With a `run` it is what this instance and those it called need; other runs of the database
    are left to whoever drives them, and so are schedules.
    """
    now_ms = engine.clock.now_ms()
    done = engine.store.expire(now_ms)
    done += _fire_timers(engine, now_ms, run)
    done += _relay_inbox(engine)
    done += _relay_outbox(engine, now_ms, run)
    if run is None:
        done += _start_scheduled(engine, now_ms)
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
                if tick(engine):
                    continue
                pause_s = sleep_s(engine)
            except Exception:
                _log.exception("a tick failed and is tried again")
                pause_s = PAUSE_AFTER_FAULT_S
            engine.clock.sleep(pause_s, engine.wake)


def sleep_s(engine: Engine, run: str | None = None) -> float:
    """How long nothing is due, or nothing of one run."""
    due_ms = engine.store.next_due(run)
    if due_ms is None:
        return LONGEST_SLEEP_S
    return min(max((due_ms - engine.clock.now_ms()) / 1000, 0.001), LONGEST_SLEEP_S)


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


# -- events


def _relay_inbox(engine: Engine) -> int:
    rows = engine.store.open_inbox(BATCH)
    for row in rows:
        _offer(engine, row)
        engine.store.close_inbox(row.id)
    return len(rows)


def _offer(engine: Engine, row: InboxRow) -> None:
    """Offer an event to everyone who listened before it came."""
    listeners = engine.store.listeners(row.id, str(row.envelope.get("type", "")))
    work: list[tuple[str, c.Command]] = [
        (instance, c.DeliverEvent(subscription, row.envelope, row.id))
        for instance, subscription in listeners
    ]
    for (instance, _), error in zip(work, engine.submit_many(work), strict=True):
        if isinstance(error, StoreError):
            raise error
        if error is not None and not isinstance(error, CallerError):
            # A fault of one listener must not keep the event from the others.
            _log.error("event %s could not be given to %s: %s", row.id, instance, error)
    for schedule in engine.store.event_schedules(row.id):
        with _alone(f"event {row.id} at a schedule of {schedule.digest}"):
            _gather(engine, schedule, row)


def _gather(engine: Engine, schedule: Schedule, row: InboxRow) -> None:
    """Offer an event to a definition that starts by events."""
    plan = engine.plan(schedule.digest)
    trigger = triggers(plan)[schedule.number]
    assert isinstance(trigger, EventTrigger)
    strategy = trigger.strategy
    step = Step(
        plan,
        State("schedule"),
        Surroundings(now_ms=engine.clock.now_ms(), secrets=engine.secrets),
    )
    stand = schedule.payload
    filters, until, until_filters = start_of(plan).parts[schedule.number]
    taken = _match(step, stand, "until", until_filters, row)
    if not taken and _match(step, stand, "taken", filters, row, strategy.mode == "any"):
        mode = trigger.read
        if mode == "data" and engine.settings.schedule_read == "envelope":
            mode = "envelope"
        stand["events"].append(read_event(row.envelope, mode))
    if _is_complete(step, strategy, until, stand):
        instance = f"{schedule.digest[:16]}-{schedule.number}-{row.id:012}"
        engine.start(schedule.digest, stand["events"], instance=instance)
        stand = gathering()
    schedule.payload, schedule.after = stand, row.id
    engine.store.save_schedule(schedule)


def _match(
    step: Step,
    stand: dict[str, Any],
    group: str,
    filters: list[FilterPlan],
    row: InboxRow,
    takes_all: bool = False,
) -> bool:
    if not filters and takes_all:
        stand[group].append(0)
        return True
    for index, filter in enumerate(filters):
        if index in stand[group] and not takes_all:
            continue
        frame = Frame(None, 0, None, step.now_ms)
        try:
            keys = matches(step, filter, row.envelope, frame, None, stand["keys"])
        except Fault:
            continue
        if keys is not None:
            stand["keys"] = keys
            stand[group].append(index)
            return True
    return False


def _is_complete(
    step: Step, strategy: EventStrategy, until: Condition | None, stand: dict[str, Any]
) -> bool:
    if strategy.until_events is not None:
        return has_come(strategy.until_events, stand["until"])
    if until is not None:
        frame = Frame(None, 0, None, step.now_ms)
        return bool(stand["events"]) and until(step, frame, stand["events"])
    return has_come(strategy, stand["taken"])


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
        with _alone(f"message {row.id} of instance {row.instance}"):
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
            _ask(engine, payload["parent"], command)
        case "child-cancelled":
            _ask(engine, payload["child"], c.CancelInstance("parent"))
        case _:
            envelope = masked(payload)
            try:
                for sink in engine.sinks:
                    sink(envelope)
            except Exception as error:
                _log.warning("an event is sent again later: %s: %s", type(error).__name__, error)
                return False
    return True


def _start_child(engine: Engine, parent: str, payload: dict[str, Any]) -> None:
    try:
        digest = engine.find(payload["namespace"], payload["process"], payload["version"])
    except UnknownDefinition as error:
        if payload["waits"]:
            failure = problem("configuration", str(error))
            command = c.EndChild(payload["visit"], payload["child"], "faulted", None, failure)
            _ask(engine, parent, command)
        return
    waits = payload["waits"]
    engine.start(
        digest,
        payload["input"],
        instance=payload["child"],
        parent=parent if waits else None,
        parent_visit=payload["visit"] if waits else None,
    )


def _ask(engine: Engine, instance: str, command: c.Command) -> None:
    """Ask an instance that may be over, or never have begun: then there is nothing to do."""
    try:
        engine.submit(instance, command)
    except CallerError as error:
        _log.debug("%s: %s", instance, error)


# -- schedules by the clock


def _start_scheduled(engine: Engine, now_ms: int) -> int:
    done = 0
    for schedule in engine.store.due_schedules(now_ms):
        with _alone(f"a schedule of {schedule.digest}"):
            _start_due(engine, schedule, now_ms)
            done += 1
    for schedule in engine.store.awaiting_schedules():
        with _alone(f"a schedule of {schedule.digest}"):
            done += _follow_up(engine, schedule)
    return done


def _start_due(engine: Engine, schedule: Schedule, now_ms: int) -> None:
    trigger = triggers(engine.plan(schedule.digest))[schedule.number]
    assert isinstance(trigger, TimerTrigger)
    assert schedule.due_ms is not None
    instance = f"{schedule.digest[:16]}-{schedule.number}-{schedule.due_ms}"
    engine.start(schedule.digest, {}, instance=instance)
    if trigger.form == "after":
        schedule.run = instance
        schedule.due_ms = None
    else:
        schedule.due_ms = next_due(trigger, schedule.due_ms, now_ms)
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


@contextmanager
def _alone(what: str) -> Generator[None, None, None]:
    """What is wrong with one of many is said, and keeps nobody from the others.

    A database that fails is wrong for all of them.
    """
    try:
        yield
    except StoreError:
        raise
    except Exception as error:
        _log.error("%s cannot go on: %s: %s", what, type(error).__name__, error)
