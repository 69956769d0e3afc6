"""What the schemas ask for and a file has not is added, or the part is set aside.

An added element is marked, so that nobody takes it for what the author wrote.
"""

from __future__ import annotations

from itertools import count, pairwise
from typing import Final

from diglot.specs.bpmn import metamodel
from diglot.specs.bpmn.metamodel import Child

from ..aside import ADDED, PLACEHOLDER
from .kinds import TYPE, Typed, known_name, written_type
from .mending import Departure, Mending
from .serial import split
from .tag import Tag

TARGET_NAMESPACE: Final = "https://diglot.dev/bpmn"
_LEVELS: Final = 4
_SETS: Final = {
    "inputSet": ("dataInput", "dataInputRefs"),
    "outputSet": ("dataOutput", "dataOutputRefs"),
}


def complete(mending: Mending) -> bool:
    """Add what is missing, also in what is added; whether an element was set aside instead."""
    root = mending.root
    if "targetNamespace" not in root.attributes:
        root.attributes["targetNamespace"] = TARGET_NAMESPACE
        mending.tell_added(root, "targetNamespace")
    is_changed = False
    # What is added may lack something itself, two levels deep at most.
    for _ in range(_LEVELS):
        completion = _Completion(mending)
        if not completion.run():
            break
        is_changed |= completion.has_set_aside
    return is_changed


class _Completion:
    """One walk through the tree."""

    def __init__(self, mending: Mending) -> None:
        self._mending = mending
        self._elements = mending.walk()
        self._departure = Departure(mending, self._elements)
        self._ids = {at.tag.id for at in self._elements}

    @property
    def has_set_aside(self) -> bool:
        """Whether an element was set aside."""
        return bool(self._departure.gone)

    def run(self) -> bool:
        """Whether something was set aside or added that may lack something itself."""
        is_changed = False
        for at in self._elements:
            if not at.kind or ":" in at.kind or id(at.tag) in self._departure.gone:
                continue
            is_changed |= self._attributes(at) or self._children(at)
        self._departure.settle()
        return is_changed

    def _attributes(self, at: Typed) -> bool:
        for attribute in metamodel.attributes(at.kind).values():
            if not attribute.required or attribute.name in at.tag.attributes:
                continue
            if not attribute.to:
                at.tag.attributes[attribute.name] = ""
                self._mending.tell_added(at.tag, attribute.name)
            elif attribute.name == "initiatingParticipantRef" and at.tag.child("participantRef"):
                first = at.tag.child("participantRef")
                assert first is not None
                at.tag.attributes[attribute.name] = first.text.strip()
                self._mending.tell_added(at.tag, attribute.name)
            else:
                return self._departure.add(at, f"it has no `{attribute.name}`")
        return False

    def _children(self, at: Typed) -> bool:
        for slot in metamodel.children(at.kind):
            members = metamodel.members(slot.name) if slot.type == slot.name else (slot.name,)
            there = sum(1 for child in at.tag.children if known_name(child) in members)
            if there < slot.minimum:
                return self._add(at, slot, there)
        return False

    def _add(self, at: Typed, slot: Child, there: int) -> bool:
        tag = at.tag
        if slot.name in _SETS:
            data, refs = _SETS[slot.name]
            made = self._mending.add(tag, slot.name)
            for one in tag.each(data):
                made.add(refs, text=self._id(one))
        elif slot.name == "inMessageRef":
            message = self._root("message", f"{tag.id or 'operation'}_in")
            self._refer(tag, slot.name, message)
        elif slot.name == "operation":
            self._mending.add(tag, slot.name, {"id": self._free("operation"), "name": ""})
        elif slot.name == "targetRef" and at.parent is not None:
            self._refer(tag, slot.name, self._placeholder(at.parent))
        elif slot.name == "participantRef" and there:
            self._refer(tag, slot.name, next(tag.each(slot.name)).text)
        elif slot.value is None and metamodel.is_a(slot.type, "expression"):
            made = self._mending.add(tag, slot.name)
            if slot.type == "expression" and slot.name == "condition":
                made.attributes[TYPE] = written_type("formalExpression", self._mending.prefixes)
        else:
            return self._departure.add(at, f"it has no `{metamodel.written(slot.name)}`")
        return True

    def _refer(self, tag: Tag, name: str, to: str) -> None:
        """A reference, which goes with what it refers to where the file is read again."""
        tag.add(name, text=to)
        self._mending.tell_added(tag, name)

    def _id(self, tag: Tag) -> str:
        if not tag.id:
            tag.attributes["id"] = self._free(split(tag.name)[1])
        return tag.id

    def _free(self, id: str) -> str:
        new = next(one for n in count(1) if (one := f"{id}_{n}") not in self._ids)
        self._ids.add(new)
        return new

    def _root(self, name: str, id: str) -> str:
        """The id of a new element of the file itself."""
        new = self._free(id)
        self._mending.add(self._mending.root, name, {"id": new})
        return new

    def _placeholder(self, activity: Tag) -> str:
        """The property that a data association of an activity leads to when nobody said where."""
        for one in activity.each("property"):
            if one.attributes.get("name") == PLACEHOLDER and ADDED in one.attributes:
                return one.id
        id = self._free("placeholder")
        made = self._mending.add(activity, "property", {"id": id, "name": PLACEHOLDER})
        return made.id


def put_in_order(mending: Mending) -> None:
    """Children in the order of the schemas, those of one place as they stood."""
    for at in mending.walk():
        if not at.kind or not metamodel.children(at.kind):
            continue
        places = metamodel.places(at.kind)
        last = len(metamodel.children(at.kind))
        ranks = [places[name][0] if (name := known_name(child)) in places else last
                 for child in at.tag.children]  # fmt: skip
        if any(one > other for one, other in pairwise(ranks)):
            order = sorted(range(len(ranks)), key=lambda index: ranks[index])
            at.tag.children = [at.tag.children[index] for index in order]
