"""Ids: everything that is referred to or drawn has one, of its own, that every reader takes.

An id that has to change takes its references with it: of several elements that have it, a reference
means one of a kind that it may mean, and of these the one that stands nearest.
Source: XML Schema 1.0, part 2, 3.3.8; BPMN 2.0.2, 8.3.1.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import count
from typing import Final, NamedTuple

from diglot.specs.bpmn import metamodel

from ... import codes
from ..aside import ID, plain_id
from .kinds import Typed
from .mending import Mending
from .serial import split
from .tag import Tag

#: What readers of the field take for an id.
_PLAIN: Final = re.compile(r"[A-Za-z_][A-Za-z0-9_.-]*")
#: What a diagram draws, a flow leads to or another file may call.
_REFERRED: Final = (
    "flowElement", "artifact", "participant", "lane", "messageFlow", "collaboration", "process",
    "conversationNode", "conversationLink",
)  # fmt: skip
_ASSOCIATIONS: Final = {"dataInputAssociation": "sourceRef", "dataOutputAssociation": "targetRef"}
#: Data that is drawn.
_DATA: Final = frozenset({"dataObjectReference", "dataStoreReference"})


class Reference(NamedTuple):
    """A reference: an attribute, or the text of an element where `name` is empty.

    `to` are the kinds that it may mean, `is_required` whether its element is nothing without it.
    """

    at: Typed
    name: str
    to: tuple[str, ...]
    is_required: bool

    @property
    def value(self) -> str:
        """What it says, without space around."""
        tag = self.at.tag
        return (tag.attributes.get(self.name, "") if self.name else tag.text).strip()

    def set(self, value: str) -> None:
        """Let it say something else."""
        if self.name:
            self.at.tag.attributes[self.name] = value
        else:
            self.at.tag.text = value


def references(elements: list[Typed]) -> Iterator[Reference]:
    """Every reference of these elements that is there, empty or not."""
    for at in elements:
        if not at.kind:
            to = () if at.slot is None else at.slot.to
            if not to and at.parent is not None and at.parent.name == "relationship":
                to = ("baseElement",)
            if to:
                yield Reference(at, "", to, is_required=False)
            continue
        known = metamodel.attributes(at.kind)
        for name in list(at.tag.attributes):
            attribute = known.get(name)
            if attribute is not None and attribute.to:
                yield Reference(at, name, attribute.to, attribute.required)


def by_id(elements: list[Typed]) -> dict[str, list[Typed]]:
    """The elements of each id, those of the model before those of diagrams."""
    found: dict[str, list[Typed]] = {}
    for at in sorted(elements, key=lambda one: ":" in one.kind):
        if at.kind and at.tag.id and "id" in metamodel.attributes(at.kind):
            found.setdefault(at.tag.id, []).append(at)
    return found


def named(found: dict[str, list[Typed]], reference: str) -> list[Typed]:
    """What a reference may mean: its whole text is an id, or what stands behind its prefix."""
    return found.get(reference) or found.get(reference.rpartition(":")[2]) or []


def name_elements(mending: Mending) -> None:
    """Give ids where they are missing, and others where readers do not take them."""
    elements = mending.walk()
    found = by_id(elements)
    changed = {id for id, those in found.items() if len(those) > 1 or not _PLAIN.fullmatch(id)}
    taken = {id for id in found if _PLAIN.fullmatch(id)}
    if changed:
        renamed = _rename(mending, found, changed, taken)
        _follow(elements, found, renamed)
    numbers: dict[str, int] = {}
    for at in elements:
        if at.kind and not at.tag.id and _needs_id(at, found):
            _give_id(at, taken, numbers)


def _needs_id(at: Typed, found: dict[str, list[Typed]]) -> bool:
    if any(metamodel.is_a(at.kind, one) for one in _REFERRED):
        return True
    # The data that an activity takes from elsewhere than what is drawn is not drawn either.
    end = at.tag.child(_ASSOCIATIONS.get(at.kind, ""))
    return end is not None and any(one.kind in _DATA for one in named(found, end.text.strip()))


def _rename(
    mending: Mending, found: dict[str, list[Typed]], changed: set[str], taken: set[str]
) -> dict[int, str]:
    """New ids by the identity of their elements."""
    renamed: dict[int, str] = {}
    numbers: dict[str, int] = {}
    for id in found:
        if id not in changed:
            continue
        # The first one keeps an id that can be kept.
        for at in found[id][1 if id in taken else 0 :]:
            new = plain_id(id, split(at.tag.name)[1])
            if new in taken:
                new = _free(new, taken, numbers)
            taken.add(new)
            renamed[_key(at.tag)] = new
            at.tag.attributes["id"] = new
            if metamodel.takes_foreign_attributes(at.kind) and ":" not in at.kind:
                at.tag.attributes[ID] = id
            mending.tell(codes.ID_WRITTEN_OTHERWISE, at.tag, id=id, written=new)
    return renamed


def _give_id(at: Typed, taken: set[str], numbers: dict[str, int]) -> None:
    new = _free(split(at.tag.name)[1], taken, numbers)
    rest = {name: value for name, value in at.tag.attributes.items() if name != "id"}
    at.tag.attributes = {"id": new, **rest, ID: ""}


def _free(id: str, taken: set[str], numbers: dict[str, int]) -> str:
    """An id with a number behind it; `numbers` are those that were given before."""
    new = next(n for i in count(numbers.get(id, 0) + 1) if (n := f"{id}_{i}") not in taken)
    numbers[id] = int(new.rpartition("_")[2])
    taken.add(new)
    return new


def _follow(elements: list[Typed], found: dict[str, list[Typed]], renamed: dict[int, str]) -> None:
    """Let references to what has a new id say that one."""
    parents = {_key(at.tag): at.parent for at in elements}
    for reference in references(elements):
        those = named(found, reference.value)
        if not any(_key(one.tag) in renamed for one in those):
            continue
        meant = _nearest(reference, those, parents)
        reference.set(renamed.get(_key(meant.tag), meant.tag.id))


def _nearest(reference: Reference, those: list[Typed], parents: dict[int, Tag | None]) -> Typed:
    fitting = [one for one in those if any(metamodel.is_a(one.kind, kind) for kind in reference.to)]
    candidates = fitting or those
    if len(candidates) == 1:
        return candidates[0]
    around = {_key(tag): n for n, tag in enumerate(_line(reference.at.tag, parents))}

    def distance(one: Typed) -> int:
        return next(
            (around[_key(tag)] for tag in _line(one.tag, parents) if _key(tag) in around),
            len(around),
        )

    return min(candidates, key=distance)


def _line(tag: Tag, parents: dict[int, Tag | None]) -> Iterator[Tag]:
    """An element and what is around it, from the inside outwards."""
    found: Tag | None = tag
    while found is not None:
        yield found
        found = parents.get(_key(found))


def _key(tag: Tag) -> int:
    return id(tag)
