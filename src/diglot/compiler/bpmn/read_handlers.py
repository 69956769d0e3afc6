"""Handlers: boundary events, event sub-processes, compensation.

Source: BPMN 2.0.2 10.3.6, 10.5.4, 10.7, 13.5.3 to 13.5.5.
"""

from __future__ import annotations

from collections.abc import Callable

from .. import codes
from ..graph import (
    CancelTrigger,
    CompensationTrigger,
    DataRules,
    Handler,
    Pass,
    Trigger,
)
from .document import Element
from .read_data import caught_rules
from .read_flows import leave
from .read_triggers import handler_data, handler_trigger
from .reading import Place, Reading, name_of, reads

#: Lays out an element in a scope.
LayNode = Callable[[Reading, Element, str], None]
#: Kinds of triggers that always interrupt.
_CRITICAL = frozenset({"errorEventDefinition", "cancelEventDefinition"})


@reads(
    "boundary-event",
    "boundary-event-message",
    "boundary-event-timer",
    "boundary-event-escalation",
    "boundary-event-error",
    "boundary-event-cancel",
    "boundary-event-conditional",
    "boundary-event-signal",
    "boundary-event-multiple",
    "boundary-event-parallel-multiple",
    "boundary-event-compensation",
)
def read_boundary(at: Place, reading: Reading) -> None:
    """What guards an activity; a token that is caught goes through the event itself."""
    event = at.element
    host = reading.index.node(event.get("attachedToRef"))
    is_beside = host is not None and host.parent is event.parent
    if host is None or not is_beside or host.flag("triggeredByEvent"):
        if host is not None and not is_beside:
            reading.find(codes.BOUNDARY_ELSEWHERE, event, event=at.pointer)
        return
    if at.construct == "boundary-event-compensation":
        # Laid out with the activity that it compensates.
        return
    guarded = reading.index.id_of(host)
    trigger = handler_trigger(reading, event)
    flow = reading.into.add_flow(guarded, at.id, role="handler")
    reading.into.add(Pass(**reading.common(at)))
    leave(reading, at)
    reading.into.add_handler(
        Handler(
            id=at.id,
            node=guarded,
            trigger=trigger,
            is_interrupting=_interrupts(reading, event, "cancelActivity"),
            flow=flow,
            data=_data(reading, event, trigger),
            pointer=at.pointer,
            name=name_of(event) or at.pointer,
            construct=at.construct,
            span=event.span,
        )
    )


def _interrupts(reading: Reading, event: Element, attribute: str) -> bool:
    if any(definition.name in _CRITICAL for definition in reading.definitions_of(event)):
        return True
    return event.flag(attribute, default=True)


def _data(reading: Reading, event: Element, trigger: Trigger) -> DataRules | None:
    if isinstance(trigger, CompensationTrigger | CancelTrigger):
        return None
    facts = reading.profile.event(event)
    variable = next(
        (
            reading.profile.message(definition).variable
            for definition in reading.definitions_of(event)
            if definition.name == "messageEventDefinition"
        ),
        "",
    )
    return handler_data(reading, event, caught_rules(reading, event, facts.outputs, variable))


def add_compensation(
    reading: Reading, activity: Element, node: str, scope: str, lay: LayNode
) -> None:
    """The compensation boundary events of an activity, with the activities that undo it.

    They stand beside the node that they undo, `node` in `scope`.
    """
    for event in reading.index.boundaries_of(activity):
        at = reading.place(event, scope)
        if at.construct != "boundary-event-compensation":
            continue
        undoing = reading.index.compensation_of(event)
        if undoing is None:
            continue
        target = reading.index.id_of(undoing)
        if undoing.parent is not activity.parent:
            reading.find(codes.COMPENSATION_ELSEWHERE, event, event=at.pointer, activity=target)
            continue
        if reading.placed.setdefault(target, scope) != scope:
            reading.find(codes.COMPENSATION_SHARED, event, event=at.pointer, activity=target)
            continue
        if not reading.into.has_node(target):
            lay(reading, undoing, scope)
        reading.into.add_handler(
            Handler(
                id=at.id,
                node=node,
                trigger=CompensationTrigger(),
                activity=target,
                pointer=at.pointer,
                name=name_of(event) or at.pointer,
                construct=at.construct,
                span=event.span,
            )
        )


def add_event_handler(reading: Reading, start: Element, enclosing: str, scope: str) -> None:
    """The handler of a scope that runs an event sub-process by its start event."""
    trigger = handler_trigger(reading, start)
    at = reading.place(start, scope)
    reading.into.add_handler(
        Handler(
            id=at.id,
            scope=enclosing,
            trigger=trigger,
            is_interrupting=_interrupts(reading, start, "isInterrupting"),
            run=scope,
            data=_data(reading, start, trigger),
            pointer=at.pointer,
            name=name_of(start) or at.pointer,
            construct=at.construct,
            span=start.span,
        )
    )
