"""A process that was written from a graph, read by the graph's parts at its elements.

What an element says goes before what its parts say: its name, its documentation, the condition
and the ends of a flow. What is gone is gone with all that hangs on it, and what was added is read
as BPMN.

Source: docs/bpmn-extension.md; our decision ADR 18.
"""

from __future__ import annotations

import msgspec

from .. import codes
from ..diagnostics import Report
from ..graph import End, Flow, Graph, Origin, Scope, Start
from ..graph.builder import NODE_LIMIT
from .document import Element
from .parts_added import add_new
from .parts_attached import apply_hosts
from .parts_chosen import apply_defaults
from .parts_drawn import Drawing
from .parts_edited import apply_names, apply_questions
from .parts_ended import complete
from .parts_found import find_parts, heading_of, read_heading, tell_parts
from .parts_joined import apply_flows
from .parts_left import drop_lost
from .parts_looked import tell_changes
from .parts_placed import place_nodes
from .reading import Reading

__all__ = ["heading_of", "read_parts", "tell_parts"]


def read_parts(
    reading: Reading, heading: Element, kept: tuple[object, object], origin: Origin
) -> Graph:
    """The graph of a process in parts; one that does nothing where a part of it is damaged.

    That is an error in the report, and the only one: what hangs on the part would be others.
    """
    found = Report()
    graph = read_heading(heading, found)
    process = reading.process
    parts = find_parts(process, "" if graph is None else graph.root, found)
    reading.report.diagnostics.extend(found)
    if graph is None or found.has_errors or _are_too_many(reading, len(parts.nodes)):
        return _stand_in(reading, graph, kept, origin)
    drawing = Drawing(process, reading.index, parts, graph.root)
    graph = apply_names(drawing, heading, graph)
    tell_changes(reading, drawing)
    places = place_nodes(drawing)
    apply_hosts(reading, drawing, places)
    added = add_new(reading, drawing, places)
    apply_questions(reading, drawing)
    apply_flows(reading, drawing, places, added)
    apply_defaults(drawing)
    drop_lost(reading, drawing, added)
    complete(reading, drawing, places, added)
    nodes = (*(one.value for one in parts.nodes.values()), *added.nodes)
    if _are_too_many(reading, len(nodes)):
        return _stand_in(reading, graph, kept, origin)
    return msgspec.structs.replace(
        graph,
        scopes=(*(one.value for one in parts.scopes.values()), *added.scopes),
        nodes=nodes,
        flows=(*(one.value for one in parts.flows.values()), *added.flows),
        handlers=(*(one.value for one in parts.handlers.values()), *added.handlers),
        foreign=kept[0],
        presentation=kept[1],
        origin=origin,
    )


def _are_too_many(reading: Reading, nodes: int) -> bool:
    """Whether there are more nodes than a graph may have, which is reported."""
    process = reading.process
    if nodes > NODE_LIMIT:
        reading.report.add(codes.PARTS_TOO_MANY, process.span, process.id, limit=NODE_LIMIT)
    return nodes > NODE_LIMIT


def _stand_in(
    reading: Reading, graph: Graph | None, kept: tuple[object, object], origin: Origin
) -> Graph:
    """A graph that does nothing, in place of one that cannot be read."""
    name = reading.process.id or "process"
    graph = graph or Graph(namespace="bpmn", name=name, version="1.0.0")
    root, place = graph.root, reading.process.span
    return msgspec.structs.replace(
        graph,
        scopes=(Scope(id=root, form="process", start=f"{root}#start", span=place),),
        nodes=(
            Start(id=f"{root}#start", scope=root, span=place),
            End(id=f"{root}#end", scope=root, span=place),
        ),
        flows=(Flow(id=f"{root}#start->{root}#end", source=f"{root}#start", target=f"{root}#end"),),
        handlers=(),
        data=None,
        foreign=kept[0],
        presentation=kept[1],
        origin=origin,
    )
