"""Sequence flows: how tokens leave an element.

Source: BPMN 2.0.2 8.3.13, 10.3 (conditional and default flows of activities), 13.3.1.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from ..graph import Expression, Flow, Inclusive
from .document import Element
from .reading import Place, Reading, documentation_of, name_of, written_in
from .rules.kinds import ACTIVITIES


def leave(reading: Reading, at: Place, source: str = "") -> None:
    """Lay the flows of an activity or event, which leave from the node `source`.

    Where some are conditional, an inclusive split behind the node takes those that are true.
    """
    source = source or at.id
    if at.leads_to:
        reading.into.add_flow(source, at.leads_to)
        return
    flows = ways(reading, at.element)
    conditions = [condition_of(reading, flow) for flow in flows]
    default = at.element.get("default").strip()
    has_choice = any(condition is not None for condition in conditions) or (
        len(flows) > 1 and any(flow.id == default for flow in flows)
    )
    quantity = _quantity(at.element)
    if not has_choice:
        for flow in flows:
            lay(reading, flow, source, quantity=quantity)
        return
    split = at.inside("out")
    reading.into.add_flow(source, split)
    add_split(reading, at, split, flows, quantity=quantity)


def add_split(
    reading: Reading,
    at: Place,
    split: str,
    flows: Sequence[Element],
    *,
    quantity: int = 1,
    activation: Expression | None = None,
    is_own: bool = False,
) -> None:
    """An inclusive split; `is_own` where it is the author's gateway."""
    default = default_of(at.element, flows)
    branches: list[str] = []
    default_id: str | None = None
    for flow in flows:
        is_default = flow is default
        condition = None if is_default else condition_of(reading, flow)
        found = lay(reading, flow, split, condition=condition, quantity=quantity)
        if is_default:
            default_id = found
        else:
            branches.append(found)
    common = reading.common(at) if is_own else reading.beside(at, split.removeprefix(f"{at.id}#"))
    reading.into.add(
        Inclusive(**common, branches=tuple(branches), default=default_id, activation=activation)
    )


def lay(
    reading: Reading,
    flow: Element,
    source: str,
    *,
    condition: Expression | None = None,
    quantity: int = 1,
) -> str:
    """Lay one flow from a node; its id."""
    target = reading.index.target_of(flow)
    assert target is not None
    to = reading.index.id_of(target)
    return reading.into.lay(
        Flow(
            id=flow.id or f"{source}->{to}",
            source=source,
            target=to,
            condition=condition,
            name=name_of(flow),
            documentation=documentation_of(flow),
            quantity=quantity,
        )
    )


def ways(reading: Reading, element: Element) -> list[Element]:
    """The flows that leave an element for another of the same container; others carry nothing."""
    found: list[Element] = []
    for flow in reading.index.outgoing(element):
        target = reading.index.target_of(flow)
        if target is None or target.parent is not element.parent:
            continue
        is_led_to = target.name not in ("startEvent", "boundaryEvent")
        if is_led_to and not target.flag("triggeredByEvent"):
            found.append(flow)
    return found


def condition_of(reading: Reading, flow: Element) -> Expression | None:
    """The condition of a flow; None where it has none."""
    key = id(flow)
    if key not in reading.conditions:
        element = flow.child("conditionExpression")
        written = None if element is None else written_in(element)
        reading.conditions[key] = (
            None if written is None or not written.text else reading.condition(written)
        )
    return reading.conditions[key]


def default_of(element: Element, flows: Iterable[Element]) -> Element | None:
    """The default flow among those that leave an element."""
    reference = element.get("default").strip()
    if not reference:
        return None
    local = reference.rpartition(":")[2]
    for flow in flows:
        if flow.id in (reference, local):
            return flow
    return None


def _quantity(element: Element) -> int:
    if element.name not in ACTIVITIES:
        return 1
    return quantity_of(element, "completionQuantity")


def quantity_of(element: Element, attribute: str) -> int:
    """A number of tokens; what is no positive number is one, as the rules have told."""
    written = element.attributes.get(attribute)
    if written is None:
        return 1
    text = written.strip()
    return int(text) if text.isascii() and text.isdigit() and 0 < int(text) < 10_000 else 1
