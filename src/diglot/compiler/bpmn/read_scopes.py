"""Sub-processes of every kind, and what they hold.

Source: BPMN 2.0.2 10.3.5, 13.3.4, 13.3.5, 13.5.4.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from ..graph import Loop, MultiInstance, ScopeNode, Variable
from .document import Element
from .layout import Form, lay_scope
from .read_ad_hoc import ad_hoc_of, collection_of, with_collection
from .read_data import activity_rules
from .read_flows import leave
from .read_handlers import add_event_handler
from .read_loops import loop_of, multi_of, repeats
from .reading import Place, Reading, reads

_FORMS: Final[Mapping[str, Form]] = {
    "subProcess": "sub-process",
    "transaction": "transaction",
    "adHocSubProcess": "ad-hoc",
}


@reads("sub-process", "transaction", "ad-hoc-sub-process")
def read_sub_process(at: Place, reading: Reading) -> None:
    """A scope that the token enters and leaves; it may be repeated as a whole."""
    element = at.element
    vendor = reading.profile.task(element)
    rules = activity_rules(
        reading, element, inputs=vendor.inputs, outputs=vendor.outputs, gives=None
    )
    is_ad_hoc = element.name == "adHocSubProcess"
    if is_ad_hoc:
        rules = with_collection(reading, element, rules)
    multi: MultiInstance | None = None
    loop: Loop | None = None
    locals: tuple[Variable, ...] = ()
    standard, multiple = repeats(element)
    if not at.leads_to:
        if multiple is not None:
            multi, locals = multi_of(reading, at, multiple)
        elif standard is not None:
            loop = loop_of(reading, at, standard)
    body = at.inside("body")
    reading.into.add(
        ScopeNode(
            **reading.common(at),
            data=rules,
            body=body,
            multi=multi,
            loop=loop,
            ad_hoc=ad_hoc_of(reading, element) if is_ad_hoc else None,
        )
    )
    leave(reading, at)
    lay_scope(
        reading,
        element,
        id=body,
        form=_FORMS[element.name],
        parent=at.scope,
        variables=(*locals, *(collection_of(reading, element) if is_ad_hoc else ())),
        binds_input=rules is not None and rules.read is not None,
    )


@reads("event-sub-process")
def read_event_sub_process(at: Place, reading: Reading) -> None:
    """A scope that begins when its start event is triggered while the scope around it is active.

    The standard asks for one start event. Where there are several, each begins what it leads to,
    as long as they have nothing in common.
    """
    element = at.element
    starts = [node for node in reading.index.nodes_of(element) if node.name == "startEvent"]
    if not starts:
        return
    parts: list[tuple[Element, list[Element] | None]] = [(starts[0], None)]
    if len(starts) > 1:
        parts = _apart(reading, at, starts)
    for index, (start, nodes) in enumerate(parts, 1):
        scope = at.inside("body") if index == 1 else at.inside(f"body{index}")
        lay_scope(
            reading,
            element,
            id=scope,
            form="event-sub-process",
            parent=at.scope,
            nodes=nodes,
        )
        add_event_handler(reading, start, at.scope, scope)


def _apart(
    reading: Reading, at: Place, starts: list[Element]
) -> list[tuple[Element, list[Element] | None]]:
    """What each start event leads to; one that leads to what another does is left out."""
    parts: list[tuple[Element, list[Element] | None]] = []
    taken: set[int] = set()
    for start in starts:
        reached = _reached(reading, start)
        if taken & reached:
            continue
        taken |= reached
        nodes = [node for node in reading.index.nodes_of(at.element) if id(node) in reached]
        parts.append((start, nodes))
    # What no start leads to gets its token with the first of them.
    first_start, first = parts[0]
    assert first is not None
    others = {id(start) for start in starts}
    rest = [
        node
        for node in reading.index.nodes_of(at.element)
        if id(node) not in taken and id(node) not in others
    ]
    parts[0] = (first_start, sorted([*first, *rest], key=lambda node: node.start))
    return parts


def _reached(reading: Reading, start: Element) -> set[int]:
    """The nodes that a token from here can come to, by identity, with what guards them."""
    reached: set[int] = set()
    todo = [start]
    while todo:
        node = todo.pop()
        if id(node) in reached:
            continue
        reached.add(id(node))
        todo.extend(
            target
            for flow in reading.index.outgoing(node)
            if (target := reading.index.target_of(flow)) is not None
        )
        for boundary in reading.index.boundaries_of(node):
            todo.append(boundary)
            undoing = reading.index.compensation_of(boundary)
            if undoing is not None:
                todo.append(undoing)
    return reached
