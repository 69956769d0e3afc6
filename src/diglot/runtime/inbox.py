"""The inbox: who gets a CloudEvent, and what is kept until somebody wants it.

An event goes to all who listen. A signal goes to all who catch it, wherever they are; in the
instance that threw it that has happened already. A message goes to one: those who wait for it in
running instances come first, the oldest wait first, then the definitions that start by it, the
oldest first. One that nobody takes is kept for a time for those who begin to wait for it. Starts
get a message when it comes, or not at all. What somebody outside sent without saying which it is,
is all three.

Who takes a message writes his name on it in the transaction in which he moves on, so after any
crash it is known to be taken.

Source: BPMN 2.0.2 8.4.2, 10.5.1, 13.2; DSL reference, Listen, Schedule.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from diglot.compiler.graph import EventTrigger, Receive

from . import commands as c
from .errors import CallerError, MessageGone, StoreError
from .one_by_one import alone, ask
from .schedules import gathering
from .semantics.correlation import match_filter
from .semantics.frame import Frame
from .semantics.receive import has_come, read_event
from .store.contract import InboxRow, Receiver, Schedule

if TYPE_CHECKING:
    from .engine import Engine
    from .parts import FilterPlan
    from .plan import Plan
    from .semantics import Step
    from .starts import StrategyPlan

#: How many rows one look takes, and how many kept messages are read at a time.
BATCH = 500
PAGE = 50


def relay(engine: Engine) -> int:
    """Offer what has come in, and what is kept to those for whom it is news; how much there was."""
    # What became kept after this look was open before, and so has been offered to them below.
    renewed = engine.store.renewed_receivers(BATCH)
    rows = engine.store.open_inbox(BATCH)
    for row in rows:
        _offer(engine, row)
    if len(rows) == BATCH:
        return len(rows)
    for receiver in renewed:
        with alone(f"kept messages for instance {receiver.instance}"):
            _offer_kept(engine, receiver)
    if renewed:
        engine.store.settle_receivers(renewed)
    return len(rows) + len(renewed)


def _offer(engine: Engine, row: InboxRow) -> None:
    kind = row.envelope.get("diglotkind")
    _tell_all(engine, row, kind)
    is_taken = row.taken_by is not None
    if kind != "signal" and not is_taken:
        is_taken = _give_to_one(engine, row)
    for schedule in engine.store.event_schedules(row.id):
        with alone(f"event {row.id} at a schedule of {schedule.digest}"):
            is_taken |= _gather(engine, schedule, row, kind, is_taken)
    if is_taken or kind == "signal" or not _keep(engine, row, kind):
        engine.store.close_inbox(row.id)


# -- to all


def _tell_all(engine: Engine, row: InboxRow, kind: Any) -> None:
    """Offer an event to everyone who listened before it came, and a signal to who catches it."""
    envelope = row.envelope
    listeners = engine.store.listeners(
        row.id,
        str(envelope.get("type", "")),
        signals=kind != "message",
        but=str(envelope["diglotinstance"]) if "diglotinstance" in envelope else None,
    )
    stalled = engine.store.stalls() if listeners else {}
    work: list[tuple[str, c.Command]] = []
    for instance, subscription in listeners:
        if instance in stalled:
            engine.store.put_off(instance, subscription, row.id, envelope)
        else:
            work.append((instance, c.DeliverEvent(subscription, envelope, row.id)))
    for (instance, command), error in zip(work, engine.submit_many(work), strict=True):
        if isinstance(error, StoreError):
            raise error
        if error is not None and not isinstance(error, CallerError):
            # A fault of one listener must not keep the event from the others; it stalls.
            assert isinstance(command, c.DeliverEvent)
            engine.store.put_off(instance, command.subscription, row.id, envelope)


# -- to one


def _give_to_one(engine: Engine, row: InboxRow) -> bool:
    """Offer a message to those who wait for it, one by one; true once it is taken."""
    for receiver in engine.store.receivers(str(row.envelope.get("type", ""))):
        with alone(f"message {row.id} at instance {receiver.instance}"):
            if receiver.news:
                # What has been kept for it is older.
                _offer_kept(engine, receiver)
            _offer_message(engine, receiver, row)
        if engine.store.taker(row.id) is not None:
            return True
    return False


def _offer_message(engine: Engine, receiver: Receiver, row: InboxRow) -> None:
    command = c.DeliverEvent(receiver.subscription, row.envelope, row.id, takes=True)
    ask(engine, receiver.instance, command)


def _offer_kept(engine: Engine, receiver: Receiver) -> None:
    """Offer kept messages to one who may not have seen them, the oldest first."""
    after, now_ms = 0, engine.clock.now_ms()
    while rows := engine.store.kept(receiver, after, now_ms, PAGE):
        for row in rows:
            _offer_message(engine, receiver, row)
        after = rows[-1].id


def _keep(engine: Engine, row: InboxRow, kind: Any) -> bool:
    """Keep a message nobody took; what may be none, only if somebody could wait for it as one."""
    until_ms = row.received_ms + int(engine.settings.message_ttl_s * 1000)
    if until_ms <= engine.clock.now_ms():
        return False
    if kind != "message" and not engine.store.receives(str(row.envelope.get("type", ""))):
        return False
    return engine.store.keep(row.id, until_ms)


# -- to those who start by it


def _gather(engine: Engine, schedule: Schedule, row: InboxRow, kind: Any, is_taken: bool) -> bool:
    """Offer an event to a definition that starts by events; true if it took it as a message.

    Where it had taken it before a crash, it does so again, and the instance is there already.
    """
    plan = engine.plan(schedule.digest)
    way = plan.ways[schedule.number]
    assert isinstance(way.trigger, EventTrigger)
    assert way.strategy is not None
    name = f"{schedule.digest[:16]}-{schedule.number}-{row.id:012}"
    kinds = {"event"} if kind == "message" else {"event", "signal"}
    if kind != "signal" and (not is_taken or row.taken_by == name):
        kinds.add("message")
    step, stand = engine.bare_step(plan), schedule.payload
    filters, _, until_filters = way.strategy
    matched = _match(step, stand, "until", until_filters, row, kinds)
    if matched is None:
        takes_all = way.trigger.strategy.mode == "any"
        matched = _match(step, stand, "taken", filters, row, kinds, takes_all)
        if matched is not None:
            mode = way.trigger.read
            if mode == "data" and engine.settings.schedule_read == "envelope":
                mode = "envelope"
            stand["events"].append(read_event(row.envelope, mode))
    takes = matched == "message"
    if _is_complete(step, way.trigger, way.strategy, stand):
        if not _is_new(engine, plan, stand, name):
            # It belongs to an instance there is: that takes it, now or when it waits for it.
            schedule.payload, schedule.after = gathering(), row.id
            engine.store.save_schedule(schedule)
            return False
        try:
            engine.start(
                schedule.digest,
                _came(filters, stand),
                instance=name,
                start=way.node,
                keys=stand.get("shared"),
                message=row.id if takes else 0,
            )
        except MessageGone:
            return False
        schedule.payload, schedule.after = gathering(), row.id
        engine.store.save_schedule(schedule)
        return takes
    schedule.payload, schedule.after = stand, row.id
    return engine.store.save_schedule(schedule, takes=(row.id, name) if takes else None) and takes


def _came(filters: list[FilterPlan], stand: dict[str, Any]) -> list[Any]:
    """What the events say: of events as they came, of messages and signals as they are wanted."""
    events: list[Any] = stand["events"]
    if any(filter.filter.kind == "event" for filter in filters):
        return events
    places = zip(stand["taken"], events, strict=True)
    return [event for _, event in sorted(places, key=lambda place: place[0])]


def _is_new(engine: Engine, plan: Plan, stand: dict[str, Any], name: str) -> bool:
    """Whether the instance may begin: no other one has the conversation its keys stand for.

    Source: BPMN 2.0.2 13.2.
    """
    shared = stand.get("shared", {})
    keys = {key: value for key, value in shared.items() if key in plan.conversing}
    if not keys:
        return True
    return engine.store.converse(plan.digest, json.dumps(keys, sort_keys=True), name) == name


def _match(
    step: Step,
    stand: dict[str, Any],
    group: str,
    filters: list[FilterPlan],
    row: InboxRow,
    kinds: set[str],
    takes_all: bool = False,
) -> str | None:
    """The kind of the filter that took the event, if one did; what it read is noted."""
    if not filters and takes_all:
        stand[group].append(0)
        return "event"
    for index, filter in enumerate(filters):
        kind = filter.filter.kind
        if kind not in kinds or (index in stand[group] and not takes_all):
            continue
        frame, shared = Frame(None, 0, None, step.now_ms), stand.get("shared", {})
        keys = match_filter(step, filter, row.envelope, frame, None, stand["keys"], shared)
        if keys is not None:
            stand["keys"], stand["shared"] = keys.own, shared | keys.learned
            stand[group].append(index)
            return kind
    return None


def _is_complete(
    step: Step, trigger: EventTrigger, plan: StrategyPlan, stand: dict[str, Any]
) -> bool:
    strategy, until = trigger.strategy, plan[1]
    if strategy.until_events is not None:
        return has_come(strategy.until_events, stand["until"])
    if until is not None:
        frame = Frame(None, 0, None, step.now_ms)
        return bool(stand["events"]) and until(step, frame, stand["events"])
    return has_come(strategy, stand["taken"])


def message_types(plan: Plan) -> frozenset[str | None]:
    """The types of messages that instances of a definition wait for; nothing stands for any."""
    filters: list[FilterPlan] = []
    for node in plan.nodes.values():
        if isinstance(node.node, Receive):
            filters += [*node.parts[0], *node.parts[2]]
    for handler in plan.handlers.values():
        filters += [found.filter for found in handler.occasions if found.filter is not None]
    return frozenset(filter.type for filter in filters if filter.filter.kind == "message")
