"""Events that bring something about: in the flow and at its end.

Source: BPMN 2.0.2 10.5.3, 10.5.4, 13.5.
"""

from __future__ import annotations

from typing import Final

from .. import codes
from ..graph import (
    Compensate,
    Constant,
    Emit,
    End,
    ErrorTemplate,
    Pass,
    Raise,
    Record,
    Task,
    Value,
)
from .document import Element
from .messages import spoken
from .read_correlation import keys_of, vendor_key
from .read_data import payload_of
from .read_flows import leave
from .read_jobs import action_of, vendor_rules
from .read_triggers import error_code, escalation_code, signal_name
from .reading import Common, Place, Reading, name_of, reads

#: What an error that names none is called.
UNNAMED: Final = "error"
_STATUS: Final = 500


@reads("intermediate-throw-event")
def read_none(at: Place, reading: Reading) -> None:
    """Nothing is brought about, but a message flow may say that something is sent."""
    if reading.messages.sends_to_node(at.element):
        add_message(reading, at, reading.common(at), at.element)
    else:
        reading.into.add(Pass(**reading.common(at)))
    leave(reading, at)


@reads("intermediate-throw-event-link")
def read_link(at: Place, reading: Reading) -> None:
    """The token goes on at the catching link of the same name."""
    reading.into.add(Pass(**reading.common(at)))
    catch = reading.index.link_catch(at.element)
    if catch is None:
        reading.find(codes.LINK_WITHOUT_CATCH, at.element, link=name_of(at.element) or at.pointer)
    else:
        reading.into.add_flow(at.id, reading.index.id_of(catch))
    leave(reading, at)


@reads(
    "intermediate-throw-event-message",
    "intermediate-throw-event-signal",
    "intermediate-throw-event-escalation",
    "intermediate-throw-event-compensation",
    "end-event-message",
    "end-event-signal",
    "end-event-escalation",
    "end-event-error",
    "end-event-cancel",
    "end-event-compensation",
)
def read_throw(at: Place, reading: Reading) -> None:
    """One thing is brought about."""
    add_throw(reading, at, reading.common(at), reading.definitions_of(at.element)[0])
    leave(reading, at)


@reads("intermediate-throw-event-multiple", "end-event-multiple")
def read_multiple(at: Place, reading: Reading) -> None:
    """Several things are brought about, one after the other as they are written."""
    reading.into.add(Pass(**reading.common(at)))
    last = at.id
    definitions = reading.definitions_of(at.element)
    # What ends everything comes when the rest is done.
    definitions = sorted(definitions, key=lambda one: one.name == "terminateEventDefinition")
    for index, definition in enumerate(definitions, 1):
        part = at.inside(str(index))
        reading.into.add_flow(last, part)
        add_throw(reading, at, reading.beside(at, str(index)), definition)
        last = part
    leave(reading, at, last)


@reads("end-event")
def read_end(at: Place, reading: Reading) -> None:
    """A token ends; a message flow may say that something is sent."""
    if reading.messages.sends_to_node(at.element):
        add_message(reading, at, reading.common(at), at.element)
    else:
        reading.into.add(End(**reading.common(at)))
    leave(reading, at)


@reads("end-event-terminate")
def read_terminate(at: Place, reading: Reading) -> None:
    """Everything in the scope ends."""
    add_throw(reading, at, reading.common(at), reading.definitions_of(at.element)[0])


def add_throw(reading: Reading, at: Place, common: Common, definition: Element) -> None:
    """What one event definition brings about, as a node."""
    match definition.name:
        case "messageEventDefinition":
            add_message(reading, at, common, definition)
        case "signalEventDefinition":
            _add_signal(reading, at, common, definition)
        case "errorEventDefinition":
            reading.into.add(Raise(**common, error=_template(reading, definition)))
        case "escalationEventDefinition":
            code = escalation_code(reading, definition) or "escalation"
            mappings = reading.profile.event(definition).payload
            payload = payload_of(reading, at.element, mappings, definition)
            reading.into.add(Raise(**common, escalation=code, payload=payload))
        case "compensateEventDefinition":
            _add_compensation(reading, common, definition)
        case "cancelEventDefinition":
            reading.into.add(Compensate(**common, cancels=True))
        case "terminateEventDefinition":
            ends_all = reading.profile.event(at.element).ends_instance or (
                reading.profile.event(definition).ends_instance
            )
            reading.into.add(End(**common, effect="instance" if ends_all else "terminate"))
        case _:
            reading.into.add(Pass(**common))


def add_message(reading: Reading, at: Place, common: Common, thing: Element) -> None:
    """Send the message that an event definition or a task names.

    Where a vendor gives a job type, a worker sends it.
    """
    for holder in (thing, at.element):
        if reading.profile.task(holder).job_type:
            rules = vendor_rules(reading, at.element, reading.profile.task(holder))
            action = action_of(reading, at, reading.profile.task(holder), "send-task")
            reading.into.add(Task(**common, data=rules, action=action))
            return
    name, message = reading.messages.flowing(at.element, thing, sends=True)
    if not name:
        name = at.pointer
        reading.find(codes.MESSAGE_WITHOUT_NAME, at.element, name=name)
    reading.spoken[name] = None
    members: list[tuple[str, Value]] = [("type", Constant(name))]
    mappings = reading.profile.message(thing).payload or reading.profile.event(at.element).inputs
    if message is not None and not mappings:
        mappings = reading.profile.message(message).payload
    payload = payload_of(reading, at.element, mappings, thing)
    if payload is not None:
        members.append(("data", payload))
    key = vendor_key(reading, message, thing, at.element)
    value = None if key is None else reading.value(key)
    if value is not None:
        members.append(("correlationkey", value))
    reading.into.add(
        Emit(**common, event=Record(tuple(members)), kind="message", keys=keys_of(reading, message))
    )


def _add_signal(reading: Reading, at: Place, common: Common, definition: Element) -> None:
    facts = reading.profile.event(definition)
    mappings = facts.payload or reading.profile.event(at.element).inputs
    members: list[tuple[str, Value]] = [("type", Constant(signal_name(reading, definition)))]
    payload = payload_of(reading, at.element, mappings, definition)
    if payload is not None:
        members.append(("data", payload))
    holders = (reading.reference(definition, "signalRef"), definition, at.element)
    is_local = any(one is not None and reading.profile.event(one).is_local for one in holders)
    reading.into.add(Emit(**common, event=Record(tuple(members)), kind="signal", is_local=is_local))


def _template(reading: Reading, definition: Element) -> ErrorTemplate:
    found = reading.reference(definition, "errorRef")
    title = "" if found is None else spoken(found)
    return ErrorTemplate(
        type=Constant(error_code(reading, definition) or UNNAMED),
        status=Constant(_STATUS),
        title=Constant(title) if title else None,
    )


def _add_compensation(reading: Reading, common: Common, definition: Element) -> None:
    activity: str | None = None
    reference = definition.get("activityRef").strip()
    if reference:
        found = reading.index.node(reference)
        if found is not None and not found.flag("triggeredByEvent"):
            activity = reading.index.id_of(found)
    waits = definition.flag("waitForCompletion", default=True)
    reading.into.add(Compensate(**common, activity=activity, waits=waits))
