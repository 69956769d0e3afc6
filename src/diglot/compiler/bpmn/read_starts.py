"""Where instances begin: start events, and receive tasks and gateways that instantiate.

Source: BPMN 2.0.2 10.5.2, 10.6.6, 13.2, 13.5.1.
"""

from __future__ import annotations

from typing import Final

from ..graph import DataRules, EventStrategy, EventTrigger, Pass, Start, Trigger
from .document import Element
from .read_data import caught_rules
from .read_flows import leave, ways
from .read_loops import lay_activity
from .read_triggers import message_filter, start_triggers
from .reading import ROOT, Place, Reading, moved, reads, rules

_TYPED = ("message", "timer", "conditional", "signal", "multiple", "parallel-multiple")
#: Where the flows of an event leave from that may have happened before its instance began.
_BEHIND: Final = "happened"
_IN_EVENT_SUB_PROCESS = (*_TYPED, "escalation", "error", "compensation")


@reads(
    "start-event",
    *(f"start-event-{trigger}" for trigger in _IN_EVENT_SUB_PROCESS),
    *(f"event-sub-process-{trigger}" for trigger in _IN_EVENT_SUB_PROCESS),
)
def read_start(at: Place, reading: Reading) -> None:
    """A token begins here; only the starts of a whole process are triggered themselves."""
    triggers: tuple[Trigger, ...] = ()
    data: DataRules | None = None
    if at.scope == ROOT:
        triggers = start_triggers(reading, at.element)
        data = start_data(reading, at.element) if triggers else None
    reading.into.add(Start(**reading.common(at), data=data, triggers=triggers))
    leave(reading, at)


def start_data(reading: Reading, event: Element) -> DataRules | None:
    """Which variables what started an instance goes to."""
    names = {definition.name for definition in reading.definitions_of(event)}
    if not names & {"messageEventDefinition", "signalEventDefinition"}:
        return None
    variable = next(
        (
            reading.profile.message(definition).variable
            for definition in reading.definitions_of(event)
            if definition.name == "messageEventDefinition"
        ),
        "",
    )
    return caught_rules(reading, event, reading.profile.event(event).outputs, variable)


def starts_instances(reading: Reading, node: Element) -> bool:
    """Whether a receive task or an event-based gateway starts instances."""
    return (
        node.name in ("receiveTask", "eventBasedGateway")
        and node.flag("instantiate")
        and not reading.index.incoming(node)
    )


def start_ids(reading: Reading, node: Element) -> list[str]:
    """The ids of the starts that an instantiating element is made of."""
    name = reading.index.id_of(node)
    if node.name == "receiveTask":
        return [name]
    targets = [reading.index.target_of(flow) for flow in reading.index.outgoing(node)]
    return [f"{name}#{reading.index.id_of(one)}" for one in targets if one is not None]


def add_instantiating(at: Place, reading: Reading) -> bool:
    """Lay out what starts instances, or waits behind such a gateway; False where `at` does not."""
    element = at.element
    if starts_instances(reading, element):
        if element.name == "receiveTask":
            _add_receive_start(at, reading)
        else:
            _add_gateway_start(at, reading)
        return True
    if element.name in ("intermediateCatchEvent", "receiveTask"):
        gateways = [
            source
            for flow in reading.index.incoming(element)
            if (source := reading.index.source_of(flow)) is not None
            and starts_instances(reading, source)
        ]
        if gateways:
            _add_first(at, reading, is_awaited=any(is_parallel(one) for one in gateways))
            return True
    return False


def is_parallel(gateway: Element) -> bool:
    """Whether all events behind an instantiating gateway belong to one instance."""
    return gateway.get("eventGatewayType").strip().lower() == "parallel"


def _add_first(at: Place, reading: Reading, *, is_awaited: bool) -> None:
    """What stands behind a gateway that instantiates.

    It has happened already when its instance begins. Behind a parallel one that is so for the first
    of them alone, which goes on where the others do once they have happened.
    """
    if not is_awaited:
        reading.into.add(Pass(**reading.common(at)))
        leave(reading, at)
        return
    behind = _behind(at.id)
    waiting = moved(at, leads_to=behind)
    rule = rules()[at.construct]
    if at.element.name == "receiveTask":
        lay_activity(reading, waiting, rule)
    else:
        rule(waiting, reading)
    reading.into.add(Pass(**reading.beside(at, _BEHIND)))
    leave(reading, at, behind)


def _behind(event: str) -> str:
    return f"{event}#{_BEHIND}"


def _add_receive_start(at: Place, reading: Reading) -> None:
    """A message starts an instance at a receive task."""
    found = message_filter(reading, at.element, at.element, is_start=True)
    trigger = EventTrigger(strategy=EventStrategy(mode="one", filters=(found,)))
    variable = reading.profile.message(at.element).variable
    outputs = reading.profile.task(at.element).outputs
    rules = caught_rules(reading, at.element, outputs, variable)
    reading.into.add(Start(**reading.common(at), data=rules, triggers=(trigger,)))
    leave(reading, at)


def _add_gateway_start(at: Place, reading: Reading) -> None:
    """Each event behind the gateway starts an instance; in parallel the others are awaited."""
    events = [
        target
        for flow in ways(reading, at.element)
        if (target := reading.index.target_of(flow)) is not None
    ]
    for event in events:
        _add_event_start(reading, at, event)
        start = at.inside(reading.index.id_of(event))
        if not is_parallel(at.element):
            reading.into.add_flow(start, reading.index.id_of(event))
            continue
        reading.into.add_flow(start, _behind(reading.index.id_of(event)))
        for other in events:
            if other is not event:
                reading.into.add_flow(start, reading.index.id_of(other))


def _add_event_start(reading: Reading, at: Place, event: Element) -> None:
    if event.name == "receiveTask":
        found = message_filter(reading, event, event, is_start=True)
        triggers: tuple[Trigger, ...] = (
            EventTrigger(strategy=EventStrategy(mode="one", filters=(found,))),
        )
        data: DataRules | None = caught_rules(reading, event, ())
    else:
        triggers = start_triggers(reading, event)
        data = start_data(reading, event)
    suffix = reading.index.id_of(event)
    reading.into.add(Start(**reading.beside(at, suffix), data=data, triggers=triggers))
