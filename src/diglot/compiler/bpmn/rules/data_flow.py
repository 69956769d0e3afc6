"""How data moves: associations, and the data of events.

Source: BPMN 2.0.2 10.4.1, 10.5.1.
"""

from __future__ import annotations

from typing import Final

from ... import codes
from ..document import Element
from .facts import Facts
from .kinds import DATA, EVENTS, THROW_EVENTS
from .rule import Findings, called, found, rule

#: By event definition: the attribute that names what is carried, and the attribute of its item.
_CARRIED: Final = {
    "messageEventDefinition": ("messageRef", "itemRef", "message"),
    "errorEventDefinition": ("errorRef", "structureRef", "error"),
    "escalationEventDefinition": ("escalationRef", "structureRef", "escalation"),
    "signalEventDefinition": ("signalRef", "structureRef", "signal"),
}


@rule("dataInputAssociation", "dataOutputAssociation")
def data_is_copied_to_its_own_kind(association: Element, facts: Facts) -> Findings:
    """Without a transformation one source is copied to a target of its kind."""
    if association.child("transformation") is not None:
        return
    sources = list(association.each("sourceRef"))
    owner = association if association.parent is None else association.parent
    if not sources and not facts.is_strict:
        return
    if len(sources) != 1:
        yield found(
            codes.DATA_ASSOCIATION_SOURCES,
            association,
            owner=called(owner),
            count=len(sources) or "no",
        )
        return
    target_reference = association.child("targetRef")
    if target_reference is None:
        return
    source = facts.find(sources[0].text, sources[0])
    target = facts.find(target_reference.text, target_reference)
    if source is None or target is None or source.name not in DATA or target.name not in DATA:
        return
    kinds = facts.data_item_of(source), facts.data_item_of(target)
    if all(kinds) and kinds[0] != kinds[1]:
        yield found(
            codes.DATA_ASSOCIATION_ITEM,
            association,
            source=called(source),
            target=called(target),
        )


@rule("dataInputAssociation", "dataOutputAssociation")
def process_data_goes_one_way(association: Element, facts: Facts) -> Findings:
    """Inside a process its inputs are read and its outputs are written."""
    for end, kind, problem in (
        ("targetRef", "dataInput", "writes to"),
        ("sourceRef", "dataOutput", "reads from"),
    ):
        for child in association.each(end):
            data = facts.find(child.text, child)
            if data is not None and data.name == kind and _is_of_process(data):
                yield found(
                    codes.PROCESS_DATA_REVERSED,
                    association,
                    problem=problem,
                    data=called(data),
                    kind=kind,
                )


def _is_of_process(data: Element) -> bool:
    holder = data.parent
    if holder is None or holder.name != "ioSpecification":
        return False
    return holder.parent is not None and holder.parent.name == "process"


@rule(*EVENTS, about=("dataInput", "dataOutput"))
def an_event_has_data_for_each_definition(event: Element, facts: Facts) -> Findings:
    """An event with data has as many of them as event definitions, each of its kind."""
    kind = "dataInput" if event.name in THROW_EVENTS else "dataOutput"
    data = list(event.each(kind))
    if not data:
        return
    definitions = facts.definitions_of(event)
    if len(data) != len(definitions):
        yield found(
            codes.EVENT_DATA_COUNT,
            event,
            event=called(event),
            data=len(data),
            kind=f"{kind}(s)",
            definitions=len(definitions) or "no",
        )
        return
    for one, definition in zip(data, definitions, strict=True):
        if definition.name not in _CARRIED:
            continue
        reference, item, word = _CARRIED[definition.name]
        carried = facts.item_of(facts.attribute(definition, reference), item)
        if carried != facts.item_of(one) or not carried:
            at = definition if definition.parent is event else event
            yield found(
                codes.EVENT_DATA_ITEM, at, data=called(one), event=called(event), trigger=word
            )
