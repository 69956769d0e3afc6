"""What an exported file had to set aside stands in Diglot's namespace; reading puts it back.

The schemas of BPMN, and the readers that follow them, take less than files of the field have. What
they do not take is written so that they do, without being lost or changing its meaning:

- an attribute `x` that is unknown, refers to nothing or has no value of its type is `diglot:x`;
- an id that had to be another one has its author's in `diglot:id`, empty where there was none;
- elements and texts without a place are in `diglot:aside`, in the `extensionElements` of theirs;
  what is not of the element that it stands in says whose it is: `of` the whole file, or of a shape;
- an element that the schemas ask for and the file did not have is marked `diglot:added`, with the
  name that it was given if it has one.

What somebody wrote since into a file goes before what was set aside in it.
"""

from __future__ import annotations

import re
from collections import Counter
from typing import Final
from unicodedata import combining, normalize

from diglot.specs.bpmn import metamodel

from .document import BPMN, STANDARD, Element

DIGLOT: Final = "https://diglot.dev/bpmn/1"
#: Attributes and the element of what was set aside.
ID: Final = f"{{{DIGLOT}}}id"
ADDED: Final = f"{{{DIGLOT}}}added"
ASIDE: Final = "aside"
#: What a data association leads to that does not say where; bpmn.io calls it so too.
PLACEHOLDER: Final = "__targetRef_placeholder"

_OWN: Final = f"{{{DIGLOT}}}"
#: What stands in an id for everything that readers do not take there.
_NOT_IN_ID: Final = re.compile(r"[^A-Za-z0-9_.-]")
_NUMBERED: Final = re.compile(r"_[0-9]{1,9}")
#: Attributes and elements of the standard that refer to elements.
_REFERENCES: Final = ("bpmnElement", "sourceElement", "targetElement", "choreographyActivityShape")


def plain_id(id: str, name: str) -> str:
    """An id that every reader takes, made of one that they do not; of a name where there is none.

    Readers of the field want ASCII, though XML does not.
    """
    letters = "".join(one for one in normalize("NFKD", id.strip()) if not combining(one))
    plain = _NOT_IN_ID.sub("_", letters)
    if not plain:
        return name
    return plain if plain[0].isalpha() or plain[0] == "_" else f"_{plain}"


def put_back(root: Element) -> None:
    """Make the tree of an exported file the one that it was written from."""
    ids: dict[str, str] = {}
    added: set[str] = set()
    drawn: list[Element] = []
    todo = [root]
    while todo:
        element = todo.pop()
        if element.namespace == BPMN:
            todo.extend(_put_back_children(element, root, drawn))
            element.children = [one for one in element.children if not _is_added(one, added)]
        if element.foreign and element.namespace in STANDARD:
            _put_back_attributes(element, ids)
        todo.extend(reversed(element.children))
    if drawn:
        _put_back_into_drawings(root, drawn)
    if ids or added:
        _follow(root, ids, added)


def _put_back_children(element: Element, root: Element, drawn: list[Element]) -> list[Element]:
    """Move what was set aside to its owner; what moved to the root, which has been looked at.

    `drawn` gets what belongs to a shape or an edge, which stays here for now.
    """
    moved: list[Element] = []
    for holder in list(element.each("extensionElements")):
        kept = [one for one in holder.children if not _is_aside(one)]
        if len(kept) == len(holder.children):
            continue
        for aside in filter(_is_aside, holder.children):
            owner, of = element, aside.get("of")
            if of == root.name:
                owner = root
            elif of:
                kept.append(aside)
                drawn.append(aside)
                continue
            owner.text += aside.text.strip()
            for child in aside.children:
                _rename(child)
                child.parent = owner
                owner.children.append(child)
                if owner is not element:
                    moved.append(child)
        _hold(holder, kept)
    return moved


def _hold(holder: Element, kept: list[Element]) -> None:
    """Leave these in `extensionElements`, or nothing of it."""
    holder.children = kept
    around = holder.parent
    if not kept and not holder.attributes and not holder.foreign and around is not None:
        around.children = [one for one in around.children if one is not holder]


def _put_back_into_drawings(root: Element, asides: list[Element]) -> None:
    """Give shapes and edges what was set aside of them; that of others stays where it is."""
    diagrams = (one for one in root.children if one.name == "BPMNDiagram")
    shapes = {one.id: one for diagram in diagrams for one in diagram.walk() if one.id}
    holders: dict[int, Element] = {}
    gone: set[int] = set()
    for aside in asides:
        shape, holder = shapes.get(aside.get("of")), aside.parent
        if shape is not None and holder is not None:
            for child in aside.children:
                child.parent = shape
            # An extension comes before where something is drawn.
            shape.children = [*aside.children, *shape.children]
            holders[id(holder)] = holder
            gone.add(id(aside))
    for holder in holders.values():
        _hold(holder, [one for one in holder.children if id(one) not in gone])


def _is_aside(element: Element) -> bool:
    return element.name == ASIDE and element.namespace == DIGLOT


def _rename(root: Element) -> None:
    """Give elements that were set aside the names that they had."""
    for element in root.walk():
        if element.namespace == DIGLOT:
            if element.name.startswith("_"):
                element.name = element.name[1:]
            else:
                element.namespace = BPMN


def set_aside_name(name: str) -> str:
    """The name that an element has where it is set aside, in the form `{namespace}name`."""
    if name.startswith(_OWN):
        return f"{_OWN}_{name.removeprefix(_OWN)}"
    return name if name.startswith("{") else f"{_OWN}{name}"


def _is_added(element: Element, added: set[str]) -> bool:
    """Whether readers alone wanted it, and nobody has made anything of it since."""
    mark = element.foreign.get(ADDED, "")
    if not mark or element.get("name") not in (("", PLACEHOLDER) if mark == "true" else (mark,)):
        return False
    if element.id:
        added.add(element.id)
    return True


def _put_back_attributes(element: Element, ids: dict[str, str]) -> None:
    for name in [name for name in element.foreign if name.startswith(_OWN)]:
        value = element.foreign.pop(name)
        local = name.removeprefix(_OWN)
        if name == ID:
            made = plain_id(value, element.name)
            rest = element.id.removeprefix(made)
            # Another id has been given since: that one is meant.
            if element.id.startswith(made) and (not rest or _NUMBERED.fullmatch(rest)):
                ids[element.id] = value
                if value:
                    element.attributes["id"] = value
                else:
                    del element.attributes["id"]
        elif name != ADDED:
            element.attributes.setdefault(local, value)


def _follow(root: Element, ids: dict[str, str], added: set[str]) -> None:
    """Let references name what has its own id again, and none what is gone."""
    attributes, elements = _reference_names()
    own = Counter(one.id for one in root.walk() if one.namespace == BPMN)
    # Of several elements with one id a drawing goes on naming the one that it drew here.
    drawn = {id: found for id, found in ids.items() if own[found] < 2}
    everything = ids
    for element in root.walk():
        if element.namespace not in STANDARD:
            continue
        ids = everything if element.namespace == BPMN else drawn
        for name in attributes & element.attributes.keys():
            prefix, colon, local = element.attributes[name].strip().rpartition(":")
            if local in added:
                # What is drawn of it has a place, for when it is added again.
                if name != "bpmnElement":
                    del element.attributes[name]
            elif ids.get(local):
                # What draws something without an id goes on naming it by the one that it had here.
                element.attributes[name] = f"{prefix}{colon}{ids[local]}"
        kept: list[Element] = []
        for child in element.children:
            if child.namespace == BPMN and child.name in elements and not child.children:
                prefix, colon, local = child.text.strip().rpartition(":")
                if local in added or ids.get(local) == "":
                    continue
                if local in ids:
                    child.text = f"{prefix}{colon}{ids[local]}"
            kept.append(child)
        element.children = kept


def _reference_names() -> tuple[frozenset[str], frozenset[str]]:
    """The attributes and the elements that refer, whatever they stand at."""
    attributes: set[str] = set(_REFERENCES)
    elements: set[str] = set()
    for kind in metamodel.elements().values():
        attributes.update(one.name for one in kind.attributes if one.to)
        elements.update(child.name for child in kind.children if child.to)
    return frozenset(attributes), frozenset(elements)
