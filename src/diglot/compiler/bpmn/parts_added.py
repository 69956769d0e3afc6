"""Elements that were added to a drawing: read by the ordinary rules, into the scope around them."""

from __future__ import annotations

from dataclasses import dataclass, field

import msgspec

from .. import codes
from ..graph import Flow, Graph, Handler, Node, Scope, Start
from .document import Element
from .laying import Laying
from .layout import lay_node
from .parts_drawn import Drawing
from .parts_placed import Places
from .read_data import learn
from .reading import Reading


@dataclass(slots=True)
class Added:
    """What was added to a graph; `at` has the elements of flows."""

    nodes: list[Node] = field(default_factory=list[Node])
    flows: list[Flow] = field(default_factory=list[Flow])
    scopes: list[Scope] = field(default_factory=list[Scope])
    handlers: list[Handler] = field(default_factory=list[Handler])
    at: dict[str, Element] = field(default_factory=dict[str, Element])


def add_new(reading: Reading, drawing: Drawing, places: Places) -> Added:
    """Read every new element that stands in no new one."""
    added = Added()
    new = [one for one in drawing.nodes if _is_outermost(drawing, one)]
    if not new:
        return added
    reading.into = Laying(reading.report)
    learn(reading, reading.process)
    for element in new:
        container = element.parent
        if container is not None and not places.content(container):
            reading.find(codes.ADDED_WITHOUT_SCOPE, element, node=reading.index.id_of(element))
        elif not reading.index.undoes(element):
            lay_node(reading, element, places.scope_of(element))
    graph = reading.into.freeze(_NOTHING)
    known = {reading.index.id_of(one): one for one in drawing.nodes if not drawing.is_new(one)}
    added.nodes = [node for node in graph.nodes if _owner(node.id) not in known]
    bodies = {f"{name}#body" for name in known}
    added.scopes = [
        _begun(drawing, scope, known) for scope in graph.scopes if scope.id not in bodies
    ]
    is_new = {node.id for node in added.nodes}
    flows = {flow.id: flow for flow in drawing.flows if flow.id}
    for flow in graph.flows:
        if flow.source not in is_new and flow.target not in is_new:
            continue
        led, drawn = _led(drawing, places, flow, known), flows.get(flow.id)
        if drawn is not None:
            if not drawing.is_new(drawn):
                # It was there before, and only joins something else now.
                continue
            added.at[flow.id] = drawn
            goal = drawing.goal(drawn)
            if goal is not None and flow.target in known:
                led = msgspec.structs.replace(led, target=drawing.entry(goal))
            if not led.target and goal is not None and drawing.drawn(goal) != "end":
                reading.find(codes.DRAWN_FLOW_CHANGED, drawn, flow=flow.id)
        added.flows.append(led)
    added.handlers = [
        _attached(places, handler, known)
        for handler in graph.handlers
        if _owner(handler.id) not in known
    ]
    _begin_anew(drawing, added)
    return added


_NOTHING = Graph(namespace="", name="", version="")


def _is_outermost(drawing: Drawing, element: Element) -> bool:
    """Whether an element was added, and to what was there before."""
    if not drawing.is_new(element):
        return False
    return not any(
        drawing.index.has_nodes(outer) and outer is not drawing.process and drawing.is_new(outer)
        for outer in element.ancestors()
    )


def _owner(id_: str) -> str:
    """The id of the element that something was laid out for."""
    return id_.partition("#")[0]


def _led(drawing: Drawing, places: Places, flow: Flow, known: dict[str, Element]) -> Flow:
    """A flow whose ends may be elements that show other nodes."""
    changes: dict[str, str] = {}
    source, target = known.get(flow.source), known.get(flow.target)
    if target is not None:
        changes["target"] = drawing.entry(target)
    if source is not None:
        is_caught = flow.role == "handler"
        changes["source"] = places.guarded(source) if is_caught else drawing.exit(source)
    return msgspec.structs.replace(flow, **changes) if changes else flow


def _attached(places: Places, handler: Handler, known: dict[str, Element]) -> Handler:
    """A handler whose activity may be an element that shows another node."""
    host = known.get(handler.node or "")
    return handler if host is None else msgspec.structs.replace(handler, node=places.guarded(host))


def _begun(drawing: Drawing, scope: Scope, known: dict[str, Element]) -> Scope:
    """A scope that may begin at an element that shows another node."""
    start = known.get(scope.start)
    return scope if start is None else msgspec.structs.replace(scope, start=drawing.entry(start))


def _begin_anew(drawing: Drawing, added: Added) -> None:
    """Let a scope whose start is gone begin at a new one."""
    for node in added.nodes:
        scope = drawing.parts.scopes.get(node.scope)
        if scope is None or not isinstance(node, Start):
            continue
        if scope.value.start not in drawing.parts.nodes:
            scope.value = msgspec.structs.replace(scope.value, start=node.id)
