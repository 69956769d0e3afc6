"""Link events: pairs of places on one level of a process.

Source: BPMN 2.0.2 10.5.4, 10.5.5.
"""

from __future__ import annotations

from ... import codes
from ..document import Element
from .facts import Facts
from .rule import Findings, called, found, rule


@rule("intermediateThrowEvent", "intermediateCatchEvent")
def a_link_stands_for_the_flow(event: Element, facts: Facts) -> Findings:
    """A flow leads to a throwing link or leaves a catching one."""
    if "link" not in facts.triggers(event):
        return
    throws = event.name == "intermediateThrowEvent"
    if facts.outgoing(event) if throws else facts.incoming(event):
        side = "outgoing" if throws else "incoming"
        yield found(codes.LINK_WITH_FLOW, event, event=called(event), side=side)


@rule("linkEventDefinition")
def a_link_names_its_other_end(link: Element, facts: Facts) -> Findings:
    """A throwing link names one target, a catching one its sources."""
    event = link.parent
    if event is None:
        return
    targets, sources = len(list(link.each("target"))), len(list(link.each("source")))
    if event.name == "intermediateThrowEvent" and targets != 1:
        end, count = "target", targets
    elif event.name == "intermediateCatchEvent" and not sources:
        end, count = "source", sources
    else:
        return
    yield found(codes.LINK_END_MISSING, link, event=called(event), end=end, count=count)


@rule("linkEventDefinition")
def a_link_is_answered_on_its_level(link: Element, facts: Facts) -> Findings:
    """The target of a link names it as a source and stands on the same level."""
    for child in link.each("target"):
        target = facts.find(child.text, child)
        if target is None or target.name != "linkEventDefinition":
            continue
        if link not in facts.named_in(target, "source"):
            yield found(codes.LINK_NOT_ANSWERED, link, link=called(link), target=called(target))
        if _level(target) is not _level(link):
            yield found(codes.LINK_LEAVES_SCOPE, link, link=called(link), target=called(target))


def _level(link: Element) -> Element | None:
    event = link.parent
    return None if event is None else event.parent
