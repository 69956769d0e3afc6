"""What the steps of mending share: the tree, the findings, and how something is set aside.

See `bpmn.aside` for how reading puts it back.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, Final, NamedTuple

from diglot.specs.bpmn import metamodel

from ... import codes
from ...diagnostics import Code
from ..aside import ADDED, ASIDE, DIGLOT, set_aside_name
from ..document import BPMN
from .alterations import Alterations
from .kinds import Typed, takes_extensions, walk
from .serial import declarations, prefixes_of, split
from .tag import Tag

_ASIDE: Final = f"{{{DIGLOT}}}{ASIDE}"
#: Elements of a file that hold what the file itself has no place for.
_HOLDERS: Final = ("process", "collaboration")


class Leaving(NamedTuple):
    """An element that is to be set aside, and why."""

    tag: Tag
    reason: str


@dataclass(slots=True)
class Mending:
    """One tree while it is mended."""

    root: Tag
    alterations: Alterations
    #: What the prefixes of values stand for, and the prefixes that namespaces are written with.
    declared: dict[str, str] = field(init=False)
    prefixes: dict[str, str] = field(init=False)
    #: What each element stood in when mending began, by identity.
    _around: dict[int, Tag] = field(init=False)

    def __post_init__(self) -> None:
        self.declared = declarations(self.root)
        self.prefixes = prefixes_of(self.root)
        self.declared.setdefault(self.prefixes[BPMN], BPMN)
        self._around = {id(child): tag for tag in self.root.walk() for child in tag.children}

    def walk(self) -> list[Typed]:
        """Every element in its place."""
        return list(walk(self.root))

    def tell(self, code: Code, at: Tag, **parameters: Any) -> None:
        """Record a finding at the nearest element that has an id, or draws one that has."""
        near: Tag | None = at
        while near is not None and not (near.id or near.attributes.get("bpmnElement")):
            near = self._around.get(id(near))
        pointer = (
            ""
            if near is None
            else near.id or near.attributes["bpmnElement"].rpartition(":")[2].strip()
        )
        self.alterations.tell(code, pointer, **parameters)

    def set_attribute_aside(self, at: Typed, name: str, reason: str) -> None:
        """Write an attribute in our namespace, where such may stand."""
        tag, kind = at.tag, at.kind
        value = tag.attributes.pop(name)
        owner = split(tag.name)[1]
        if not name.startswith("{") and metamodel.takes_foreign_attributes(kind):
            tag.attributes[f"{{{DIGLOT}}}{name}"] = value
            self.tell(codes.ATTRIBUTE_SET_ASIDE, tag, attribute=name, owner=owner, reason=reason)
        else:
            self.tell_left_out(tag, split(name)[1], reason)

    def set_children_aside(
        self, owner: Typed, leaving: Sequence[Leaving], *, at: Typed | None = None
    ) -> None:
        """Write children into the `extensionElements` of their owner, where it may have such.

        `at` is what has room for them where the owner, which has an id then, has none.
        """
        if not leaving:
            return
        gone = {id(one.tag) for one in leaving}
        owner.tag.children = [one for one in owner.tag.children if id(one) not in gone]
        aside = self._aside(at or owner, of="" if at is None else owner.tag.id)
        holder = (at or owner).tag
        name = split(holder.name)[1]
        for child, reason in leaving:
            part = split(child.name)[1]
            if aside is None:
                self.tell_left_out(holder, part, reason)
                continue
            for one in child.walk():
                one.name = set_aside_name(one.name)
            aside.children.append(child)
            self.tell(codes.ELEMENT_SET_ASIDE, holder, element=part, owner=name, reason=reason)

    def set_text_aside(self, owner: Typed) -> None:
        """Write character data that has no meaning where it stands into `extensionElements`."""
        text, owner.tag.text = owner.tag.text.strip(), ""
        name, reason = split(owner.tag.name)[1], "text has no meaning there"
        aside = self._aside(owner)
        if aside is None:
            self.tell_left_out(owner.tag, "text", reason)
            return
        aside.text += text
        self.tell(codes.ELEMENT_SET_ASIDE, owner.tag, element="text", owner=name, reason=reason)

    def _aside(self, owner: Typed, of: str = "") -> Tag | None:
        """The place for what is set aside; that of the whole file is in its first element."""
        at = owner.tag
        if owner.kind == "definitions":
            first = next((one for one in at.children if one.name in _HOLDERS), None)
            if first is None:
                return None
            at, of = first, "definitions"
        elif not takes_extensions(owner.kind):
            return None
        whose = {"of": of} if of else {}
        holder = at.child("extensionElements")
        if holder is None:
            holder = Tag("extensionElements")
            behind = sum(1 for _ in at.each("documentation"))
            at.children.insert(behind, holder)
        for one in holder.each(_ASIDE):
            if one.attributes == whose:
                return one
        return holder.add(_ASIDE, whose)

    def add(self, owner: Tag, name: str, attributes: dict[str, str] | None = None) -> Tag:
        """A child that the schemas alone ask for; a reader of ours leaves it out again."""
        self.tell_added(owner, name)
        return owner.add(name, {**(attributes or {}), ADDED: "true"})

    def tell_left_out(self, owner: Tag, part: str, reason: str) -> None:
        """Record that a part of an element is not written at all."""
        name = split(owner.name)[1]
        self.tell(codes.PART_LEFT_OUT, owner, part=part, owner=name, reason=reason)

    def tell_added(self, owner: Tag, name: str) -> None:
        """Record that an element or attribute was added."""
        self.tell(codes.PART_ADDED, owner, element=name, owner=split(owner.name)[1])


class Departure:
    """What is found to be set aside in one look at a tree, which is changed when all is found."""

    def __init__(self, mending: Mending, elements: Sequence[Typed]) -> None:
        self._mending = mending
        self._elements = {id(at.tag): at for at in elements}
        self._leaving: dict[int, list[Leaving]] = {}
        #: The identities of what leaves, and of all that is in it.
        self.gone: set[int] = set()

    def add(self, at: Typed, reason: str) -> bool:
        """Let an element leave; whether it may, which the root may not."""
        if at.parent is None:
            return False
        self.gone.update(id(tag) for tag in at.tag.walk())
        self._leaving.setdefault(id(at.parent), []).append(Leaving(at.tag, reason))
        return True

    def owner(self, at: Typed) -> Typed | None:
        """What an element stands in."""
        return None if at.parent is None else self._elements[id(at.parent)]

    def settle(self) -> None:
        """Set it all aside; what stands in something else that leaves comes before it."""
        for key in reversed(self._elements):
            self._mending.set_children_aside(self._elements[key], self._leaving.get(key, ()))
