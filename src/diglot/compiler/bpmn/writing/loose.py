"""References that lead nowhere, and references in the one form that every reader follows.

A reference is the bare id. Readers of the field follow none to another file, and warn of it; what
would be nothing without its reference is set aside with it.
Source: BPMN 2.0.2, 15.3.2.
"""

from __future__ import annotations

import re
from typing import Final

from .kinds import Typed
from .mending import Departure, Mending
from .naming import Reference, by_id, named, references

#: What is called may be deployed apart from its caller; no reader looks for it in the file.
_ELSEWHERE: Final = "calledElement"
#: What is nothing without the elements that refer in it.
_TIES: Final = frozenset({"relationship", "participantAssociation"})
_NAME: Final = re.compile(r"(?:[^\W\d][\w.\-\u00b7]*:)?[^\W\d][\w.\-\u00b7]*")
_NOTHING: Final = "it refers to nothing"
_OTHER_FILE: Final = "it refers to another file"


def untie(mending: Mending) -> bool:
    """Set aside what refers to nothing; whether an element was."""
    return _Untying(mending).run()


class _Untying:
    """All references of one tree, looked at again where what they name is gone."""

    def __init__(self, mending: Mending) -> None:
        self._mending = mending
        elements = mending.walk()
        self._departure = Departure(mending, elements)
        self._found = by_id(elements)
        self._own = mending.root.attributes.get("targetNamespace", "").strip()
        self._imported = {
            one.attributes.get("namespace", "").strip() for one in mending.root.each("import")
        } - {"", self._own}
        self._todo = list(references(elements))
        self._todo.reverse()
        self._to: dict[str, list[Reference]] = {}

    def run(self) -> bool:
        while self._todo:
            reference = self._todo.pop()
            if id(reference.at.tag) not in self._departure.gone:
                self._look_at(reference)
        self._departure.settle()
        return bool(self._departure.gone)

    def _look_at(self, reference: Reference) -> None:
        at, value = reference.at, reference.value
        is_elsewhere = self._mending.declared.get(value.rpartition(":")[0]) in self._imported
        if not is_elsewhere and (those := named(self._found, value)):
            target = those[0].tag.id
            reference.set(target)
            self._to.setdefault(target, []).append(reference)
            return
        if reference.name == _ELSEWHERE and _NAME.fullmatch(value):
            return
        if ":" in at.kind:
            # Diagrams are looked at by themselves.
            return
        reason = _OTHER_FILE if is_elsewhere else _NOTHING
        if reference.name and not reference.is_required:
            self._mending.set_attribute_aside(at, reference.name, reason)
        else:
            self._set_aside(at, reason)

    def _set_aside(self, at: Typed, reason: str) -> None:
        around = self._departure.owner(at)
        if not at.kind and around is not None and around.tag.name in _TIES:
            at = around
        if not self._departure.add(at, reason):
            return
        for tag in at.tag.walk():
            if tag.id in self._found:
                left = [one for one in self._found[tag.id] if one.tag is not tag]
                self._found[tag.id] = left
                self._todo.extend(self._to.pop(tag.id, ()))
