"""References: each names an element of the right kind.

Which kinds those are is in the metamodel. Only what a reference names is looked at here; one that
names nothing is a matter of the file's shape. The ends of flows have rules of their own.

Source: the class diagrams of BPMN 2.0.2 8 to 11.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import cache
from typing import Final, NamedTuple

from diglot.specs.bpmn import metamodel

from ... import codes
from ...diagnostics import Severity
from ..document import BPMN, Element
from .facts import Facts
from .kinds import DATA
from .rule import Finding, Findings, called, found

#: What `flows` and `collaboration` say more about.
_ELSEWHERE: Final = frozenset(
    (owner, end) for owner in ("sequenceFlow", "messageFlow") for end in ("sourceRef", "targetRef")
)
#: What is named in practice where the standard wants the set around it.
_AS_WELL: Final = {
    "inputDataRef": frozenset({"dataInput"}),
    "outputDataRef": frozenset({"dataOutput"}),
}
#: What decides how a model runs. Other references describe it: a wrong one does no harm.
_DECISIVE: Final = frozenset({
    "activityRef", "attachedToRef", "calledElement", "correlationKeyRef", "correlationPropertyRef",
    "dataObjectRef", "dataStoreRef", "default", "errorRef", "escalationRef", "eventDefinitionRef",
    "inMessageRef", "loopDataInputRef", "loopDataOutputRef", "messageRef", "noneBehaviorEventRef",
    "oneBehaviorEventRef", "outMessageRef", "processRef", "signalRef",
})  # fmt: skip


class _Reference(NamedTuple):
    """One reference of an element: the names of what it may name, and what they are together."""

    targets: frozenset[str]
    kind: str
    severity: Severity | None

    def fits(self, target: Element) -> bool:
        """Whether the reference may name this."""
        return target.namespace == BPMN and target.name in self.targets

    def fits_all(self, kinds: Iterable[tuple[str, str]]) -> bool:
        """Whether the reference may name everything of these namespaces and names."""
        return all(namespace == BPMN and name in self.targets for namespace, name in kinds)


@cache
def _references(name: str) -> Mapping[str, _Reference]:
    """The references of an element, be they attributes or children."""
    slots = {one.name: one.to for one in metamodel.attributes(name).values()}
    slots |= {one.name: one.to for one in metamodel.children(name) if one.value is not None}
    return {
        slot: _reference(slot, to)
        for slot, to in slots.items()
        if to and to != ("baseElement",) and (name, slot) not in _ELSEWHERE
    }


def _reference(name: str, to: tuple[str, ...]) -> _Reference:
    kinds = {one for one in metamodel.elements() if any(metamodel.is_a(one, kind) for kind in to)}
    return _Reference(
        frozenset(kinds) | _AS_WELL.get(name, frozenset()),
        "data" if DATA.issuperset(to) and len(to) > 1 else " or ".join(f"`{kind}`" for kind in to),
        None if name in _DECISIVE else Severity.WARNING,
    )


def references_name_the_right_kind(facts: Facts) -> Findings:
    """Whatever a reference names is of a kind that it refers to."""
    for name, elements in facts.named.items():
        references = _references(name)
        are_attributes = not facts.attributes.isdisjoint(references)
        # What all children of a name refer to is mostly of one kind, such as the flows of nodes.
        doubtful = {
            slot: reference
            for slot, reference in references.items()
            if slot in facts.named and not reference.fits_all(facts.kinds_named(slot))
        }
        if not are_attributes and not doubtful:
            continue
        for element in elements:
            for attribute, value in element.attributes.items() if are_attributes else ():
                reference = references.get(attribute)
                if reference is not None:
                    target = facts.find(value, element)
                    if target is not None and not reference.fits(target):
                        yield _wrong(element, attribute, element, target, reference)
            for child in element.children if doubtful else ():
                reference = doubtful.get(child.name)
                if reference is not None and child.namespace == BPMN:
                    target = facts.find(child.text, child)
                    if target is not None and not reference.fits(target):
                        yield _wrong(element, child.name, child, target, reference)


def _wrong(
    owner: Element, name: str, at: Element, target: Element, reference: _Reference
) -> Finding:
    return found(
        codes.REFERENCE_TYPE,
        at,
        reference.severity,
        reference=name,
        owner=called(owner),
        target=called(target),
        kind=target.name,
        expected=reference.kind,
    )
