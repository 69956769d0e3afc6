"""Choreographies and conversations.

Source: BPMN 2.0.2 9.2, 9.5, 11.3.
"""

from __future__ import annotations

from typing import Final

from ... import codes
from ..document import Element
from .facts import Facts
from .rule import Findings, called, found, rule

#: What a global conversation leaves to the collaboration that calls it.
_NOT_GLOBAL: Final = (
    "conversationNode", "conversation", "subConversation", "callConversation",
    "participantAssociation", "messageFlowAssociation", "conversationAssociation", "association",
    "group", "textAnnotation",
)  # fmt: skip


@rule("choreography", "globalChoreographyTask", "globalConversation")
def only_a_collaboration_follows_a_choreography(element: Element, facts: Facts) -> Findings:
    """A choreography and a global conversation refer to no choreography."""
    if element.child("choreographyRef") is not None:
        yield found(
            codes.CHOREOGRAPHY_REFERENCE, element, kind=element.name, element=called(element)
        )


@rule("collaboration")
def a_collaboration_is_as_closed_as_its_choreography(
    collaboration: Element, facts: Facts
) -> Findings:
    """A collaboration and the choreography it follows agree on `isClosed`."""
    for child in collaboration.each("choreographyRef"):
        choreography = facts.find(child.text, child)
        if choreography is None or choreography.name != "choreography":
            continue
        if choreography.flag("isClosed") != collaboration.flag("isClosed"):
            yield found(
                codes.CLOSED_DISAGREES,
                collaboration,
                collaboration=called(collaboration),
                choreography=called(choreography),
            )


@rule("globalConversation")
def a_global_conversation_is_its_messages(conversation: Element, facts: Facts) -> Findings:
    """A global conversation holds no conversations, associations and artifacts."""
    for name in dict.fromkeys(child.name for child in conversation.each(*_NOT_GLOBAL)):
        yield found(
            codes.GLOBAL_CONVERSATION_CONTENT,
            conversation,
            conversation=called(conversation),
            kind=name,
        )
