"""Scopes and what stands in them: where tokens begin, and each element by its rule.

Source: BPMN 2.0.2 10.3.5, 13.2, 13.3.4.
"""

from __future__ import annotations

from typing import Literal, NamedTuple

from .. import codes
from ..graph import Pass, Scope, Start, Variable
from .document import Element
from .index import is_link
from .read_ad_hoc import lay_first
from .read_data import declared
from .read_handlers import add_compensation
from .read_loops import lay_activity
from .read_scripts import lay_event, tell_out_of_place
from .read_starts import add_instantiating, start_ids, starts_instances
from .reading import ROOT, Reading, rules
from .rules.kinds import ACTIVITIES, EVENTS

Form = Literal["process", "sub-process", "event-sub-process", "transaction", "ad-hoc"]


class _Beginning(NamedTuple):
    """Where the tokens of a scope begin: at start events, and at what nothing leads to."""

    plain: list[str]
    typed: list[str]
    loose: list[str]


def lay_scope(
    reading: Reading,
    container: Element,
    *,
    id: str,
    form: Form,
    parent: str | None,
    nodes: list[Element] | None = None,
    variables: tuple[Variable, ...] = (),
    binds_input: bool = False,
) -> None:
    """A scope with everything in it; `nodes` where it is not all that the container holds."""
    nodes = reading.index.nodes_of(container) if nodes is None else nodes
    beginning = _beginning(reading, nodes, form)
    first = f"{id}#start"
    start = _first(beginning, first, form)
    reading.into.add_scope(
        Scope(
            id=id,
            parent=parent,
            form=form,
            start=start,
            variables=(*declared(reading, container), *variables),
            binds_input=binds_input,
            pointer=reading.index.id_of(container),
            span=container.span,
        )
    )
    if start == first:
        _lay_beginning(reading, container, beginning, first, id, form)
    for typed in beginning.typed:
        # Whatever begins an instance, what nothing leads to gets a token.
        for loose in beginning.loose:
            reading.into.add_flow(typed, loose)
    for flow in container.each("sequenceFlow"):
        # Scripts are extensions, and few flows have any.
        if flow.children:
            tell_out_of_place(reading, flow)
    undoing: list[Element] = []
    for node in nodes:
        if reading.index.undoes(node):
            undoing.append(node)
        else:
            lay_node(reading, node, id)
    for node in undoing:
        if not reading.into.has_node(reading.index.id_of(node)):
            lay_node(reading, node, id)


def lay_node(reading: Reading, element: Element, scope: str) -> None:
    """One element by its rule."""
    at = reading.place(element, scope)
    if scope == ROOT and add_instantiating(at, reading):
        tell_out_of_place(reading, element)
        return
    rule = rules().get(at.construct)
    if rule is None:
        reading.into.add(Pass(**reading.common(at)))
    elif element.name in ACTIVITIES and at.construct != "event-sub-process":
        lay_activity(reading, at, rule)
        place = reading.undone.pop(at.id, None) or (at.id, scope)
        add_compensation(reading, element, *place, lay_node)
    elif element.name in EVENTS:
        lay_event(reading, at, rule)
    else:
        tell_out_of_place(reading, element)
        rule(at, reading)


def _beginning(reading: Reading, nodes: list[Element], form: Form) -> _Beginning:
    found = _Beginning([], [], [])
    for node in nodes:
        name = reading.index.id_of(node)
        if node.name == "startEvent":
            has_trigger = form == "event-sub-process" or (
                form == "process" and bool(reading.definitions_of(node))
            )
            (found.typed if has_trigger else found.plain).append(name)
        elif _is_led_to(reading, node):
            continue
        elif form == "process" and starts_instances(reading, node):
            found.typed.extend(start_ids(reading, node))
        else:
            found.loose.append(name)
    return found


def _is_led_to(reading: Reading, node: Element) -> bool:
    """Whether a node gets its tokens from a flow, a link, a handler, or by compensation."""
    return (
        node.name == "boundaryEvent"
        or bool(reading.index.incoming(node))
        or node.flag("triggeredByEvent")
        or reading.index.undoes(node)
        or (node.name == "intermediateCatchEvent" and is_link(node))
    )


def _first(beginning: _Beginning, implicit: str, form: Form) -> str:
    """The node that the first token of a scope is put on."""
    plain, typed, loose = beginning
    if form == "ad-hoc":
        return implicit
    if plain:
        # A process is begun at one of its start events; an embedded one at all of them.
        is_one = len(plain) == 1 or form == "process"
        return plain[0] if is_one and not loose else implicit
    return typed[0] if typed else implicit


def _lay_beginning(
    reading: Reading,
    container: Element,
    beginning: _Beginning,
    first: str,
    scope: str,
    form: Form,
) -> None:
    pointer = reading.index.id_of(container)
    reading.into.add(Start(id=first, scope=scope, pointer=pointer, span=container.span))
    plain = beginning.plain[:1] if form == "process" else beginning.plain
    if form == "ad-hoc":
        lay_first(reading, container, first, scope, [*plain, *beginning.loose])
    else:
        for target in (*plain, *beginning.loose):
            reading.into.add_flow(first, target)
    if not (plain or beginning.loose) and reading.index.nodes_of(container):
        reading.find(codes.NOTHING_BEGINS, container, scope=pointer)
