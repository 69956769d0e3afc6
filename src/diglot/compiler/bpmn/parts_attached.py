"""Events at the border of another activity than the one that they were attached to."""

from __future__ import annotations

import msgspec

from .. import codes
from ..graph import Handler
from .document import Element
from .parts_drawn import Drawing
from .parts_found import Found
from .parts_placed import Places, body_of
from .reading import Reading


def apply_hosts(reading: Reading, drawing: Drawing, places: Places) -> None:
    """Let the handler of a boundary event guard what its element is attached to."""
    for part in drawing.parts.handlers.values():
        host = drawing.host(part.at)
        if host is not None and not _is_shown_by(host, part.value, drawing):
            _attach(reading, drawing, part, host, places.guarded(host))


def _is_shown_by(host: Element, handler: Handler, drawing: Drawing) -> bool:
    """Whether an element shows what a handler guards."""
    parts = drawing.parts
    nodes, scopes = parts.nodes_at.get(id(host), ()), parts.scopes_at.get(id(host), ())
    return (
        handler.node in nodes
        or handler.scope in scopes
        or any(body_of(parts.nodes[one].value) == handler.scope for one in nodes if handler.scope)
    )


def _attach(
    reading: Reading, drawing: Drawing, part: Found[Handler], host: Element, node: str
) -> None:
    handler, parts = part.value, drawing.parts
    if handler.scope is not None:
        guarded = parts.nodes.get(node)
        body = None if guarded is None else body_of(guarded.value)
        if body is None:
            reading.find(
                codes.EVENT_ATTACHED_ELSEWHERE, part.at,
                event=reading.index.id_of(part.at), host=reading.index.id_of(host),
            )  # fmt: skip
            return
        part.value = msgspec.structs.replace(handler, scope=body)
        if handler.run in parts.scopes:
            run = parts.scopes[handler.run]
            run.value = msgspec.structs.replace(run.value, parent=body)
    elif node:
        part.value = msgspec.structs.replace(handler, node=node)
    for flow in (handler.flow, handler.leave_by):
        if flow in parts.flows and node:
            parts.flows[flow].value = msgspec.structs.replace(parts.flows[flow].value, source=node)
