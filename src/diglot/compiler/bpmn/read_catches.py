"""Events that wait in the flow, and the receive task: one, the first of several, or all of them.

Source: BPMN 2.0.2 10.5.4, 13.4.4, 13.5.2.
"""

from __future__ import annotations

from .. import codes
from ..graph import (
    DataRules,
    EventStrategy,
    Expression,
    Fork,
    Join,
    Pass,
    Race,
    Receive,
    Wait,
)
from .document import Element
from .read_data import activity_rules, caught_rules
from .read_flows import lay, leave
from .read_triggers import awaited_by_id, condition_of, filter_of, message_filter, timer_of
from .reading import Common, Place, Reading, reads


@reads(
    "intermediate-catch-event-message",
    "intermediate-catch-event-signal",
    "intermediate-catch-event-timer",
    "intermediate-catch-event-conditional",
)
def read_catch(at: Place, reading: Reading) -> None:
    """A token waits for one thing."""
    add_catch(reading, at, reading.common(at), reading.definitions_of(at.element)[0])
    leave(reading, at, map_caught(reading, at))


@reads("intermediate-catch-event")
def read_none(at: Place, reading: Reading) -> None:
    """An event that waits for nothing lets every token pass."""
    reading.into.add(Pass(**reading.common(at)))
    leave(reading, at)


@reads("intermediate-catch-event-link")
def read_link(at: Place, reading: Reading) -> None:
    """Where links of this name go on."""
    reading.into.add(Pass(**reading.common(at)))
    leave(reading, at)


@reads("intermediate-catch-event-multiple")
def read_multiple(at: Place, reading: Reading) -> None:
    """The first of several; behind an event-based gateway they all take part in its race."""
    if is_raced(reading, at.element):
        # The gateway leads to each of them; here they meet again.
        for index, definition in enumerate(reading.definitions_of(at.element), 1):
            add_catch(reading, at, reading.beside(at, str(index)), definition)
            reading.into.add_flow(at.inside(str(index)), at.id)
        reading.into.add(Pass(**reading.common(at)))
        leave(reading, at)
        return
    reading.into.add(Race(**reading.common(at)))
    _add_parts(reading, at, "after")
    reading.into.add(Pass(**reading.beside(at, "after")))
    leave(reading, at, at.inside("after"))


@reads("intermediate-catch-event-parallel-multiple")
def read_parallel_multiple(at: Place, reading: Reading) -> None:
    """All of several, in any order."""
    reading.into.add(Fork(**reading.common(at)))
    _add_parts(reading, at, "all")
    reading.into.add(Join(**reading.beside(at, "all")))
    leave(reading, at, at.inside("all"))


def _add_parts(reading: Reading, at: Place, meeting: str) -> None:
    """The single waits between what begins them and where they meet."""
    for index, definition in enumerate(reading.definitions_of(at.element), 1):
        part = at.inside(str(index))
        reading.into.add_flow(at.id, part)
        add_catch(reading, at, reading.beside(at, str(index)), definition)
        reading.into.add_flow(part, at.inside(meeting))


@reads("receive-task")
def read_receive(at: Place, reading: Reading) -> None:
    """A task that waits for a message."""
    found = message_filter(reading, at.element, at.element)
    vendor = reading.profile.message(at.element)
    outputs = reading.profile.task(at.element).outputs
    rules = caught_rules(reading, at.element, outputs, vendor.variable)
    reading.into.add(
        Receive(
            **reading.common(at), data=rules, strategy=EventStrategy(mode="one", filters=(found,))
        )
    )
    leave(reading, at)


def add_catch(reading: Reading, at: Place, common: Common, definition: Element) -> None:
    """One wait of an event as a node; what does not say what it waits for waits for its id."""
    event = at.element
    if definition.name == "timerEventDefinition":
        timer = timer_of(reading, event, definition)
        if timer is not None:
            reading.into.add(Wait(**common, timer=timer))
            return
    elif definition.name == "conditionalEventDefinition":
        condition = condition_of(reading, event, definition)
        if condition is not None:
            reading.into.add(Wait(**common, condition=condition))
            return
    taken = filter_of(reading, event, definition)
    if taken is None:
        taken = awaited_by_id(reading, event)
    reading.into.add(
        Receive(
            **common,
            data=_caught(reading, event, definition),
            strategy=EventStrategy(mode="one", filters=(taken,)),
        )
    )


def _caught(reading: Reading, event: Element, definition: Element) -> DataRules:
    if reading.profile.event(event).outputs:
        # Its mappings see all variables in the node behind it, and what came as the token's data.
        return DataRules(write=_FIRST)
    variable = reading.profile.message(definition).variable
    return caught_rules(reading, event, (), variable, definition)


_FIRST = Expression(text=".[0]")


def map_caught(reading: Reading, at: Place) -> str:
    """The node that the flows of a catch leave from: a vendor's mappings have one of their own."""
    outputs = reading.profile.event(at.element).outputs
    last = reading.definitions_of(at.element)[0].name
    if not outputs or last not in ("messageEventDefinition", "signalEventDefinition"):
        return at.id
    rules = activity_rules(reading, at.element, outputs=outputs)
    rules = rules if rules is None else _reading_data(rules)
    reading.into.add_flow(at.id, at.inside("map"))
    reading.into.add(Pass(**reading.beside(at, "map"), data=rules))
    return at.inside("map")


def _reading_data(rules: DataRules) -> DataRules:
    return DataRules(read=Expression(text="."), export=rules.export, export_mode=rules.export_mode)


def catch_into(reading: Reading, gateway: Place, flow: Element, target: Element) -> None:
    """Lay the flow from an event-based gateway to what waits behind it."""
    construct = reading.construct(target)
    if construct == "intermediate-catch-event-parallel-multiple":
        reading.find(
            codes.RACE_OF_PARALLEL, target, event=reading.index.id_of(target),
            gateway=gateway.pointer,
        )  # fmt: skip
    if construct != "intermediate-catch-event-multiple":
        lay(reading, flow, gateway.id)
        return
    event = reading.index.id_of(target)
    for index, _ in enumerate(reading.definitions_of(target), 1):
        reading.into.add_flow(gateway.id, f"{event}#{index}")


def is_raced(reading: Reading, event: Element) -> bool:
    """Whether an event stands behind an event-based gateway."""
    return any(
        (source := reading.index.source_of(flow)) is not None
        and source.name == "eventBasedGateway"
        and not source.flag("instantiate")
        for flow in reading.index.incoming(event)
    )
