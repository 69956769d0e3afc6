"""Flows that were drawn for what parts at their ends do, and lead elsewhere now.

A flow from an event shows what its handler does, one from a drawn start where a scope begins, one
behind the steps of a handler how it goes on.
"""

from __future__ import annotations

import msgspec

from ..graph import End, Handler
from .document import Element
from .parts_drawn import Drawing
from .parts_found import Found
from .parts_placed import Places


def begin_at(drawing: Drawing, places: Places, origin: Element, goal: Element) -> bool:
    """Let a scope begin at what its start, or the event that runs it, leads to now."""
    scope = _begun(drawing, places, origin)
    part, first = drawing.parts.scopes.get(scope), drawing.entry(goal)
    if part is None or not first or places.scope_shown(goal) != scope:
        return False
    part.value = msgspec.structs.replace(part.value, start=first)
    return True


def _begun(drawing: Drawing, places: Places, origin: Element) -> str:
    """The scope that begins behind an element."""
    if drawing.drawn(origin) == "start" and origin.parent is not None:
        return places.content(origin.parent)
    for name in drawing.parts.handlers_at.get(id(origin), ()):
        return drawing.parts.handlers[name].value.run or ""
    return ""


def go_on_inside(drawing: Drawing, places: Places, origin: Element, goal: Element) -> bool:
    """Let a step be followed by another one, and not by the end of their scope."""
    parts = drawing.parts
    last = parts.nodes.get(drawing.exit(origin))
    first = drawing.entry(goal)
    if last is None or not isinstance(last.value, End) or not first:
        return False
    if places.scope_shown(goal) != last.value.scope:
        return False
    for flow in parts.flows.values():
        if flow.at is origin and flow.value.target == last.value.id:
            flow.value = msgspec.structs.replace(flow.value, target=first)
    return True


def handler_before(drawing: Drawing, origin: Element) -> Found[Handler] | None:
    """The handler whose scope an element shows, or shows the end of."""
    parts = drawing.parts
    shown = set(parts.scopes_at.get(id(origin), ()))
    last = parts.nodes.get(drawing.exit(origin))
    if last is not None and isinstance(last.value, End):
        shown.add(last.value.scope)
    for part in parts.handlers.values():
        if part.value.run in shown and part.value.scope is not None:
            return part
    return None
