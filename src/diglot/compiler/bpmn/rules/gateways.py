"""Gateways: their direction, and what an event-based gateway waits for.

Source: BPMN 2.0.2 10.6.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from ... import codes
from ..document import Element
from .facts import Facts
from .kinds import GATEWAYS
from .rule import Findings, called, found, rule

#: What an intermediate event behind an event-based gateway may wait for.
_WAITS: Final = frozenset({"message", "signal", "timer", "conditional"})


@rule(*GATEWAYS, about=("gatewayDirection",))
def the_direction_is_that_of_the_flows(gateway: Element, facts: Facts) -> Findings:
    """The direction a gateway says it has is that of its flows."""
    direction = gateway.get("gatewayDirection")
    incoming, outgoing = len(facts.incoming(gateway)), len(facts.outgoing(gateway))
    fits = {
        "Converging": outgoing < 2,
        "Diverging": incoming < 2,
        "Mixed": incoming > 1 and outgoing > 1,
    }
    if not fits.get(direction, True):
        yield found(
            codes.GATEWAY_DIRECTION_DISAGREES,
            gateway,
            gateway=called(gateway),
            direction=direction.lower(),
            incoming=incoming,
            outgoing=outgoing,
        )


@rule(*(GATEWAYS - {"eventBasedGateway"}))
def a_gateway_splits_or_merges(gateway: Element, facts: Facts) -> Findings:
    """A gateway has several incoming or several outgoing flows."""
    incoming, outgoing = len(facts.incoming(gateway)), len(facts.outgoing(gateway))
    if incoming < 2 and outgoing < 2:
        yield found(
            codes.GATEWAY_DECIDES_NOTHING,
            gateway,
            gateway=called(gateway),
            incoming=incoming,
            outgoing=outgoing,
        )


@rule("eventBasedGateway")
def a_race_has_two_events(gateway: Element, facts: Facts) -> Findings:
    """At least two events are waited for."""
    count = len(facts.outgoing(gateway))
    if count < 2:
        yield found(codes.RACE_WITHOUT_CHOICE, gateway, gateway=called(gateway), count=count)


@rule("eventBasedGateway")
def a_race_waits_for_events(gateway: Element, facts: Facts) -> Findings:
    """Each flow leads to something that waits, without a condition."""
    for flow in facts.outgoing(gateway):
        if flow.child("conditionExpression") is not None:
            yield found(codes.RACE_WITH_CONDITION, flow, flow=called(flow), gateway=called(gateway))
        target = facts.attribute(flow, "targetRef")
        if target is not None and not _waits(target, facts):
            yield found(
                codes.RACE_TARGET,
                flow,
                flow=called(flow),
                gateway=called(gateway),
                target=called(target),
                kind=target.name,
            )


def _waits(node: Element, facts: Facts) -> bool:
    if node.name == "receiveTask":
        return True
    triggers = facts.triggers(node)
    return node.name == "intermediateCatchEvent" and bool(triggers) and _WAITS.issuperset(triggers)


def _targets(gateway: Element, facts: Facts) -> Iterator[Element]:
    for flow in facts.outgoing(gateway):
        target = facts.attribute(flow, "targetRef")
        if target is not None:
            yield target


@rule("eventBasedGateway")
def a_race_receives_in_one_way(gateway: Element, facts: Facts) -> Findings:
    """Messages are waited for by events or by receive tasks, not by both."""
    targets = list(_targets(gateway, facts))
    tasks = any(target.name == "receiveTask" for target in targets)
    events = any(
        target.name == "intermediateCatchEvent" and "message" in facts.triggers(target)
        for target in targets
    )
    if tasks and events:
        yield found(codes.RACE_MIXES_RECEIVERS, gateway, gateway=called(gateway))


@rule("eventBasedGateway")
def what_a_race_waits_for_is_its_own(gateway: Element, facts: Facts) -> Findings:
    """No other flow leads to what is waited for."""
    for target in _targets(gateway, facts):
        if len(facts.incoming(target)) > 1:
            yield found(codes.RACE_TARGET_SHARED, target, target=called(target))


@rule("boundaryEvent")
def no_event_is_attached_in_a_race(event: Element, facts: Facts) -> Findings:
    """A receive task that an event-based gateway waits for has no boundary event."""
    task = facts.attribute(event, "attachedToRef")
    if task is not None and task.name == "receiveTask" and task in facts.raced:
        yield found(codes.RACE_TASK_WITH_BOUNDARY, task, task=called(task), event=called(event))


@rule("eventBasedGateway")
def a_race_that_starts_has_no_incoming(gateway: Element, facts: Facts) -> Findings:
    """A gateway that begins an instance is not led to."""
    if gateway.flag("instantiate") and facts.incoming(gateway):
        yield found(codes.RACE_STARTS_WITH_INCOMING, gateway, gateway=called(gateway))
