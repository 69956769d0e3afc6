"""Gateways: where tokens part and meet.

Source: BPMN 2.0.2 10.6, 13.4.
"""

from __future__ import annotations

from ...graph import Choice, Expression, Fork, Inclusive, Join, Race
from . import words
from .canvas import Shape, Sheet
from .composition import Composition, writes
from .formal import expression


@writes(Choice)
def write_choice(node: Choice, sheet: Sheet, into: Composition) -> Shape:
    """One way of several is taken; where there is one only, nothing is decided."""
    if len(into.lookup.leaving(node.id)) == 1 and not node.branches:
        return into.node(sheet, "intermediateThrowEvent", node, label=words.spoken(node.name))
    return into.node(sheet, "exclusiveGateway", node, label=into.decision(node).question)


@writes(Fork)
def write_fork(node: Fork, sheet: Sheet, into: Composition) -> Shape:
    """All ways are taken; a fork of one way, which only a reader makes, is not drawn."""
    shape = into.node(sheet, "parallelGateway", node)
    if not node.construct and len(into.lookup.leaving(node.id)) < 2:
        shape.name, shape.absorbs = "", "forward"
    return shape


@writes(Join)
def write_join(node: Join, sheet: Sheet, into: Composition) -> Shape:
    """All ways, or so many of them, are waited for."""
    if node.need is not None:
        shape = into.node(sheet, "complexGateway", node)
        enough = Expression(text=f".activationCount >= {node.need}")
        shape.inside.append(expression("activationCondition", enough))
        return shape
    shape = into.node(sheet, "parallelGateway", node)
    if not node.construct and len(list(into.lookup.leading(node.id))) < 2:
        shape.name, shape.absorbs = "", "backward"
    return shape


@writes(Inclusive)
def write_inclusive(node: Inclusive, sheet: Sheet, into: Composition) -> Shape:
    """All ways are taken whose conditions hold."""
    if node.activation is None:
        label = into.decision(node).question
        shape = into.node(sheet, "inclusiveGateway", node, label=label)
        if not node.construct:
            # The conditions stand at the flows of the activity before it, as their author drew it.
            shape.name, shape.otherwise, shape.absorbs = "", shape.name, "backward"
        return shape
    shape = into.node(sheet, "complexGateway", node)
    shape.inside.append(expression("activationCondition", node.activation))
    return shape


@writes(Race)
def write_race(node: Race, sheet: Sheet, into: Composition) -> Shape:
    """The first event to come decides."""
    return into.node(sheet, "eventBasedGateway", node)
