"""What begins and ends where the drawing no longer says so, as it does in any BPMN file.

A scope begins at what nothing leads to, and a token ends at what nothing follows.
Source: BPMN 2.0.2 13.2.
"""

from __future__ import annotations

import msgspec

from .. import codes
from ..graph import End, Start
from .document import Element
from .parts_added import Added
from .parts_drawn import Drawing
from .parts_grown import Growth
from .parts_placed import Places
from .reading import Reading


def complete(reading: Reading, drawing: Drawing, places: Places, added: Added) -> None:
    """Give scopes a start, and what nothing follows an end."""
    graph = Growth(drawing, added)
    for part in list(drawing.parts.scopes.values()):
        if graph.has_start(part.value):
            continue
        firsts = graph.firsts(part.value.id)
        nodes = [one for one in graph.inside(part.value.id) if not isinstance(one, End)]
        if nodes and not firsts:
            reading.find(codes.NOTHING_BEGINS, part.at, scope=reading.index.id_of(part.at))
        name = graph.free(f"{part.value.id}#start")
        span = part.at.span
        added.nodes.append(
            Start(id=name, scope=part.value.id, pointer=part.value.pointer, span=span)
        )
        part.value = msgspec.structs.replace(part.value, start=name)
        targets = [one.id for one in firsts] or ([] if nodes else [graph.end_of(part.value)])
        for target in targets:
            graph.lead(name, target)
    for element in drawing.nodes:
        if _is_left_open(drawing, element):
            _end_row(drawing, places, graph, element)
    for node in list(added.nodes):
        graph.end(node.id)
    for handler in drawing.parts.handlers.values():
        if handler.at.name == "boundaryEvent" and not drawing.index.outgoing(handler.at):
            handler.value = graph.end_handler(handler.value)


def _end_row(drawing: Drawing, places: Places, graph: Growth, element: Element) -> None:
    """End a token behind an element, and with it the rows of steps that the element is in."""
    node, around = drawing.exit(element), places.around(element)
    while node:
        graph.end(node)
        scope = graph.scope_of(node)
        node = "" if scope == around else drawing.owner(scope)


def _is_left_open(drawing: Drawing, element: Element) -> bool:
    """Whether what leaves an element is gone, or leads to nothing but what is only drawn."""
    if drawing.is_new(element) or element.name == "endEvent":
        return False
    for flow in drawing.index.outgoing(element):
        goal = drawing.goal(flow)
        why = "" if goal is None else drawing.drawn(goal)
        if goal is None or not (drawing.is_passed(goal) or (why and drawing.is_new(flow))):
            return False
    return True
