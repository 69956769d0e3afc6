"""What a reference names: an element of this file, or one of another file by its prefix.

Source: BPMN 2.0.2, 15.3.2.
"""

from __future__ import annotations

from functools import cache
from typing import Final

from diglot.specs.bpmn import metamodel

from .document import BPMN, Document, Element

#: What is called may be deployed apart from its caller, without an import.
_ELSEWHERE: Final = frozenset({"calledElement", "calledChoreographyRef", "calledCollaborationRef"})
#: What flows and events name. Where two of these share an id, nobody knows which one is meant; data
#: elements, item definitions and diagrams share ids in the exports of several tools.
_NAMED: Final = (
    "flowNode",
    "sequenceFlow",
    "participant",
    "process",
    "message",
    "signal",
    "error",
    "escalation",
)


def check_reference(document: Document, element: Element, name: str, reference: str) -> bool:
    """Whether a reference names something, as far as this file can tell.

    `name` is the attribute it stands in, empty for the text of the element.
    """
    if document.find(reference) is not None or (name or element.name) in _ELSEWHERE:
        return True
    reference = reference.strip()
    prefix, colon, _ = reference.partition(":")
    if not colon:
        return False
    namespace = element.namespaces.get(prefix)
    if namespace in document.imported:
        return False
    # The vocabulary's own prefix in front of an id is a habit of some tools, not another file.
    return namespace not in (None, "", BPMN, document.root.get("targetNamespace").strip())


@cache
def referable(owner: str, slot: str) -> frozenset[str]:
    """The names of the elements that a reference of an element, an attribute or child, may name."""
    slots = {one.name: one.to for one in metamodel.attributes(owner).values()}
    slots |= {one.name: one.to for one in metamodel.children(owner) if one.value is not None}
    kinds = slots.get(slot, ())
    return frozenset(
        one for one in metamodel.elements() if any(metamodel.is_a(one, kind) for kind in kinds)
    )


def is_ambiguous(one: Element, other: Element) -> bool:
    """Whether a reference to the id that two elements share could mean either of them."""
    return all(
        found.namespace == BPMN and any(metamodel.is_a(found.name, kind) for kind in _NAMED)
        for found in (one, other)
    )
