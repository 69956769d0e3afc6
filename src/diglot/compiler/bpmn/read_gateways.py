"""Gateways: where tokens part and meet.

Source: BPMN 2.0.2 10.6, 13.4.
"""

from __future__ import annotations

from typing import Final

from .. import codes
from ..graph import Choice, Expression, Fork, Join, Pass, Race
from .document import Element
from .read_catches import catch_into
from .read_flows import add_split, condition_of, default_of, lay, ways
from .reading import Place, Reading, reads, written_in

_TRUE: Final = Expression(text="true", yields="boolean")


def _tell_mixed(at: Place, reading: Reading) -> None:
    """Report a gateway that does two things at once, unless it says so."""
    gateway = at.element
    counts = len(reading.index.incoming(gateway)), len(reading.index.outgoing(gateway))
    if min(counts) > 1 and gateway.get("gatewayDirection").strip() != "Mixed":
        reading.find(
            codes.GATEWAY_MIXED, gateway, gateway=at.pointer, incoming=counts[0], outgoing=counts[1]
        )


@reads("exclusive-gateway")
def read_exclusive(at: Place, reading: Reading) -> None:
    """The first true flow is taken; every token passes for itself."""
    _tell_mixed(at, reading)
    flows = ways(reading, at.element)
    conditions = [condition_of(reading, flow) for flow in flows]
    if not flows or (len(flows) == 1 and conditions[0] is None):
        for flow in flows:
            lay(reading, flow, at.id)
        reading.into.add(Pass(**reading.common(at)))
        return
    default = default_of(at.element, flows)
    _tell_unconditional(reading, [flow for flow in flows if flow is not default])
    branches: list[str] = []
    default_id: str | None = None
    for flow, condition in zip(flows, conditions, strict=True):
        if flow is default:
            default_id = lay(reading, flow, at.id)
            continue
        branches.append(lay(reading, flow, at.id, condition=condition or _TRUE))
    reading.into.add(Choice(**reading.common(at), branches=tuple(branches), default=default_id))


def _tell_unconditional(reading: Reading, flows: list[Element]) -> None:
    """Report the first flow without a condition; pictures have often none at all."""
    for flow in flows if reading.is_executable else ():
        if not _has_condition(flow):
            reading.find(codes.FLOW_WITHOUT_CONDITION, flow, flow=flow.id)
            return


def _has_condition(flow: Element) -> bool:
    """Whether a condition is written, be it one that could not be carried."""
    found = flow.child("conditionExpression")
    return found is not None and bool(written_in(found).text)


@reads("parallel-gateway")
def read_parallel(at: Place, reading: Reading) -> None:
    """A token on every incoming flow is waited for; every outgoing one gets a token."""
    _tell_mixed(at, reading)
    flows = ways(reading, at.element)
    joins = len(reading.index.incoming(at.element)) > 1
    splits = len(flows) > 1
    source = at.id
    if joins:
        reading.into.add(Join(**reading.common(at)))
        if splits:
            source = at.inside("split")
            reading.into.add_flow(at.id, source)
            reading.into.add(Fork(**reading.beside(at, "split")))
    else:
        reading.into.add(Fork(**reading.common(at)))
    for flow in flows:
        lay(reading, flow, source)


@reads("inclusive-gateway")
def read_inclusive(at: Place, reading: Reading) -> None:
    """Every true flow is taken; what can still come is waited for."""
    _tell_mixed(at, reading)
    add_split(reading, at, at.id, ways(reading, at.element), is_own=True)


@reads("complex-gateway")
def read_complex(at: Place, reading: Reading) -> None:
    """An inclusive gateway that begins as soon as its activation condition holds."""
    element = at.element.child("activationCondition")
    activation = None
    if element is not None and written_in(element).text:
        activation = reading.condition(written_in(element))
    elif len(reading.index.incoming(at.element)) > 1:
        reading.find(codes.COMPLEX_WITHOUT_ACTIVATION, at.element, gateway=at.pointer)
    add_split(reading, at, at.id, ways(reading, at.element), activation=activation, is_own=True)


@reads("event-based-gateway")
def read_event_based(at: Place, reading: Reading) -> None:
    """The events behind it all wait; the first to come decides."""
    _tell_mixed(at, reading)
    reading.into.add(Race(**reading.common(at)))
    for flow in ways(reading, at.element):
        target = reading.index.target_of(flow)
        assert target is not None
        catch_into(reading, at, flow, target)
