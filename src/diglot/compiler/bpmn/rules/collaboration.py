"""Collaborations: message flows between pools, participants, public processes.

Source: BPMN 2.0.2 7.6.2, 9.3, 9.4, 10.1.
"""

from __future__ import annotations

from typing import Final

from ... import codes
from ..document import Element
from .facts import Facts
from .kinds import ACTIVITIES, CATCH_EVENTS, CHOREOGRAPHY_ACTIVITIES, THROW_EVENTS
from .rule import Findings, called, found, rule
from .tasks import whole_number

_PARTNERS: Final = ACTIVITIES | CHOREOGRAPHY_ACTIVITIES | {
    "participant", "conversation", "subConversation", "callConversation",
}  # fmt: skip
#: Events whose own fault it is that they send and do not receive, or the other way round.
_INTERMEDIATE: Final = (CATCH_EVENTS | THROW_EVENTS) - {"startEvent", "endEvent"}
#: By the end of a flow: the events that can be there, and what the others do not.
_ENDS: Final = (
    ("sourceRef", THROW_EVENTS, "sends nothing"),
    ("targetRef", CATCH_EVENTS, "receives nothing"),
)


@rule("messageFlow")
def messages_go_from_senders_to_receivers(flow: Element, facts: Facts) -> Findings:
    """A message flow leads from something that sends to something that receives."""
    for end, fitting, problem in _ENDS:
        target = facts.attribute(flow, end)
        if target is None or target.name in _PARTNERS or target.name in fitting:
            continue
        yield found(
            codes.MESSAGE_FLOW_END,
            target if target.name in _INTERMEDIATE else flow,
            end=end,
            flow=called(flow),
            target=called(target),
            kind=target.name,
            problem=problem,
        )


@rule("messageFlow")
def messages_go_from_pool_to_pool(flow: Element, facts: Facts) -> Findings:
    """The ends of a message flow are in different pools."""
    source, target = (facts.attribute(flow, end) for end in ("sourceRef", "targetRef"))
    if source is None or target is None:
        return
    if source is target or facts.pool_of(source) & facts.pool_of(target):
        yield found(codes.MESSAGE_FLOW_IN_POOL, flow, flow=called(flow))


@rule("messageFlow")
def a_message_is_met_by_a_message_event(flow: Element, facts: Facts) -> Findings:
    """A start or end event with a message flow is a message event."""
    for end, name, direction in (
        ("sourceRef", "endEvent", "comes from"),
        ("targetRef", "startEvent", "leads to"),
    ):
        event = facts.attribute(flow, end)
        if event is not None and event.name == name and "message" not in facts.triggers(event):
            yield found(
                codes.MESSAGE_FLOW_WITHOUT_MESSAGE_EVENT,
                event,
                flow=called(flow),
                direction=direction,
                event=called(event),
            )


@rule("participantMultiplicity")
def a_participant_takes_part_sensibly_often(count: Element, facts: Facts) -> Findings:
    """The maximum is one or more and not below the minimum, which is not negative."""
    minimum = whole_number(count.get("minimum", "0"))
    maximum = whole_number(count.get("maximum", "1"))
    if minimum is None or maximum is None:
        return
    if minimum < 0 or maximum < 1 or maximum < minimum:
        participant = count if count.parent is None else count.parent
        yield found(
            codes.PARTICIPANT_COUNT,
            count,
            participant=called(participant),
            minimum=minimum,
            maximum=maximum,
        )


@rule("process")
def a_public_process_is_not_run(process: Element, facts: Facts) -> Findings:
    """A process that shows only what others see of it is not executable."""
    if process.get("processType") == "Public" and process.flag("isExecutable"):
        yield found(codes.PUBLIC_PROCESS_EXECUTABLE, process, process=called(process))
