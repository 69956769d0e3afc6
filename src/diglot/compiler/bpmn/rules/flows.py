"""Sequence flows: their ends, their conditions, and the nodes they connect.

Source: BPMN 2.0.2 7.6.1, 8.4.13, 10.3, 10.5.4, 10.6.1.
"""

from __future__ import annotations

from typing import Final

from ... import codes
from ..document import BPMN, Element
from .facts import Facts
from .kinds import ACTIVITIES, EVENTS, FLOW_NODES, GATEWAYS
from .rule import Findings, called, found, rule

#: Where a node lists a flow, with the end of the flow that the node is.
_END_OF_SIDE: Final = {"outgoing": "sourceRef", "incoming": "targetRef"}
#: What the rules of start, end and boundary events speak about themselves.
_BEGINS: Final = frozenset({"startEvent", "boundaryEvent"})


@rule("sequenceFlow")
def ends_are_nodes(flow: Element, facts: Facts) -> Findings:
    """A flow leads from a flow node to a flow node."""
    source, target = facts.ends(flow)
    for end, node in (("sourceRef", source), ("targetRef", target)):
        if node is not None and node.name not in FLOW_NODES:
            yield found(
                codes.SEQUENCE_FLOW_END,
                flow,
                end=end,
                flow=called(flow),
                target=called(node),
                kind=node.name,
            )


@rule("sequenceFlow")
def ends_are_in_one_scope(flow: Element, facts: Facts) -> Findings:
    """A flow does not cross the border of a pool or a sub-process."""
    source, target = facts.ends(flow)
    if source is None or target is None or source.parent is target.parent:
        return
    if source.name in FLOW_NODES and target.name in FLOW_NODES:
        inside = facts.process_of(source) is facts.process_of(target)
        yield found(
            codes.SEQUENCE_FLOW_LEAVES_SCOPE,
            flow,
            flow=called(flow),
            source=called(source),
            target=called(target),
            border="a sub-process" if inside else "a pool",
        )


@rule("sequenceFlow")
def nodes_list_the_flow(flow: Element, facts: Facts) -> Findings:
    """The nodes at both ends list the flow."""
    # Nearly all are listed, and each by its own nodes only.
    if facts.is_listed(flow):
        return
    source, target = facts.ends(flow)
    id = flow.id
    silent = [
        f"`{called(node)}` as {side}"
        for node, side in ((source, "outgoing"), (target, "incoming"))
        if node is not None and node.name in FLOW_NODES and not facts.lists(node, side, id)
    ]
    if silent:
        yield found(
            codes.SEQUENCE_FLOW_NOT_LISTED, flow, flow=called(flow), nodes=" and ".join(silent)
        )


@rule(*FLOW_NODES)
def listed_flows_have_this_end(node: Element, facts: Facts) -> Findings:
    """A flow that a node lists has the node at this end."""
    for child in node.children:
        end = _END_OF_SIDE.get(child.name)
        if end is None or facts.is_end(node, child.name, child.text) or child.namespace != BPMN:
            continue
        flow = facts.find(child.text, child)
        if flow is None or flow.name != "sequenceFlow":
            continue
        source, target = facts.ends(flow)
        if (source if end == "sourceRef" else target) is not node and flow.get(end):
            yield found(
                codes.SEQUENCE_FLOW_LISTED_ELSEWHERE,
                child,
                node=called(node),
                flow=called(flow),
                side=child.name,
                end=end,
                actual=flow.get(end),
            )


@rule("sequenceFlow", about=("conditionExpression",))
def a_condition_has_an_alternative(flow: Element, facts: Facts) -> Findings:
    """A conditional flow that leaves no gateway stands beside another flow."""
    if flow.child("conditionExpression") is None:
        return
    source, _ = facts.ends(flow)
    if source is None or source.name not in ACTIVITIES | EVENTS:
        return
    if len(facts.outgoing(source)) < 2 or source.name in EVENTS:
        yield found(codes.CONDITION_ON_ONLY_FLOW, flow, flow=called(flow), node=called(source))


@rule(*ACTIVITIES, *GATEWAYS, about=("default",))
def the_default_leaves_here(node: Element, facts: Facts) -> Findings:
    """The default flow of a node leaves this node."""
    flow = facts.attribute(node, "default")
    if flow is None or flow.name != "sequenceFlow":
        return
    if facts.attribute(flow, "sourceRef") is not node:
        yield found(codes.DEFAULT_FLOW_LEAVES_ELSEWHERE, node, flow=called(flow), node=called(node))


@rule(*ACTIVITIES, *GATEWAYS, about=("default",))
def the_default_has_no_condition(node: Element, facts: Facts) -> Findings:
    """The default flow of a node is taken whatever its own condition says."""
    flow = facts.attribute(node, "default")
    if flow is None or flow.name != "sequenceFlow" or flow.child("conditionExpression") is None:
        return
    if facts.attribute(flow, "sourceRef") is node:
        yield found(codes.DEFAULT_WITH_CONDITION, flow, flow=called(flow), node=called(node))


@rule("sequenceFlow", about=("isImmediate",))
def a_flow_is_immediate(flow: Element, facts: Facts) -> Findings:
    """Nothing may happen on the way in a process that is run."""
    if not flow.flag("isImmediate", True) and facts.is_executable(flow):
        yield found(codes.SEQUENCE_FLOW_NOT_IMMEDIATE, flow, flow=called(flow))


def _is_handler(node: Element, facts: Facts) -> bool:
    """Whether a node compensates, marked as such or only associated."""
    return node.name in ACTIVITIES and (node.flag("isForCompensation") or node in facts.handlers)


def _stands_alone(node: Element, facts: Facts) -> bool:
    """Whether a node is begun by something else than a flow."""
    if _is_handler(node, facts) or node.flag("triggeredByEvent") or node.flag("instantiate"):
        return True
    return node.parent is None or node.parent.name == "adHocSubProcess"


@rule(*(FLOW_NODES - _BEGINS - {"endEvent"}))
def something_leads_to_a_node(node: Element, facts: Facts) -> Findings:
    """Beside a start event each node is led to, and an intermediate event always."""
    if facts.incoming(node) or _stands_alone(node, facts) or node.parent is None:
        return
    if node.name == "intermediateCatchEvent" and "link" in facts.triggers(node):
        return
    if node.name in EVENTS or facts.holds(node.parent, "startEvent"):
        yield found(codes.NODE_WITHOUT_INCOMING, node, node=called(node))


@rule(*(FLOW_NODES - _BEGINS - {"endEvent"}))
def something_leaves_a_node(node: Element, facts: Facts) -> Findings:
    """Beside an end event each node leads on, and an intermediate event always."""
    if facts.outgoing(node) or node.parent is None or node.flag("triggeredByEvent"):
        return
    if node.parent.name == "adHocSubProcess":
        return
    if _is_handler(node, facts):
        return
    if node.name == "intermediateThrowEvent" and "link" in facts.triggers(node):
        return
    if node.name in EVENTS or facts.holds(node.parent, "endEvent"):
        yield found(codes.NODE_WITHOUT_OUTGOING, node, node=called(node))
