"""Gateways that decide: which of their flows is the default now."""

from __future__ import annotations

import msgspec

from diglot.specs.bpmn import metamodel

from ..graph import Choice, Inclusive, Node
from .document import Element
from .parts_drawn import Drawing
from .parts_found import Found
from .parts_joined import ALWAYS


def apply_defaults(drawing: Drawing) -> None:
    """Let the default of each gateway be the flow that its element names."""
    for element in drawing.nodes:
        if "default" not in metamodel.attributes(element.name):
            # A choice of one way is drawn as what names no default.
            continue
        # The ways of a question that is drawn for a guard are no choice of the node.
        is_asked = drawing.drawn(element) == "question"
        node = None if is_asked else drawing.parts.nodes.get(drawing.exit(element))
        if node is not None and isinstance(node.value, Choice | Inclusive):
            _set_default(drawing, element, node, node.value)


def _set_default(
    drawing: Drawing, element: Element, part: Found[Node], node: Choice | Inclusive
) -> None:
    leaving = {flow.id: flow for flow in drawing.index.outgoing(element)}
    named = leaving.get(element.get("default").strip().rpartition(":")[2])
    default: str | None = None
    if named is not None:
        parts = drawing.shown.get(id(named), [])
        own = [one.value.id for one in parts if one.value.source == node.id]
        default = node.default if node.default in own else own[0] if own else named.id
    known = node.default
    drawn = {one.value.id for flow in leaving.values() for one in drawing.shown.get(id(flow), [])}
    if default == known or (default is None and known not in drawn):
        return
    branches = [one for one in node.branches if one != default]
    if known is not None and known in drawn:
        branches.append(known)
        flow = drawing.parts.flows[known]
        if flow.value.condition is None and isinstance(node, Choice):
            flow.value = msgspec.structs.replace(flow.value, condition=ALWAYS)
    part.value = msgspec.structs.replace(node, branches=tuple(branches), default=default)
