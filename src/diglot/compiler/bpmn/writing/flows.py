"""Every node lists the sequence flows that lead to it and leave it.

Readers of the field lay out and check by these lists; ours sorts by the second one only.
Source: BPMN 2.0.2, 8.3.13.
"""

from __future__ import annotations

from diglot.specs.bpmn import metamodel

from .kinds import Typed
from .mending import Mending
from .naming import by_id, named
from .tag import Tag


def list_flows(mending: Mending) -> None:
    """Complete the `incoming` and `outgoing` of all nodes, in the order that they have."""
    elements = mending.walk()
    found = by_id(elements)
    incoming: dict[int, list[str]] = {}
    outgoing: dict[int, list[str]] = {}
    for at in elements:
        if at.kind != "sequenceFlow":
            continue
        for name, ways in (("targetRef", incoming), ("sourceRef", outgoing)):
            for node in named(found, at.tag.attributes.get(name, "").strip())[:1]:
                ways.setdefault(id(node.tag), []).append(at.tag.id)
    for at in elements:
        if at.kind and metamodel.is_a(at.kind, "flowNode"):
            _list(at, "incoming", incoming.get(id(at.tag), []))
            _list(at, "outgoing", outgoing.get(id(at.tag), []))


def _list(at: Typed, name: str, flows: list[str]) -> None:
    listed = [child.text.strip().rpartition(":")[2] for child in at.tag.each(name)]
    # Of a flow that is listed twice the last place holds.
    ranks = {flow: rank for rank, flow in enumerate(listed)}
    right = sorted(flows, key=lambda flow: ranks.get(flow, len(ranks) + len(listed)))
    if right != listed:
        at.tag.children = [child for child in at.tag.children if child.name != name]
        at.tag.children.extend(Tag(name, {}, [], flow) for flow in right)
