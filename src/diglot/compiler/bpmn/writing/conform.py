"""What the schemas do not take is set aside: unknown names, values of no meaning, too many of them.

Source: BPMN 2.0.2, 15.3; XML Schema 1.0, part 2.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from diglot.specs.bpmn import metamodel
from diglot.specs.bpmn.metamodel import Attribute, Child

from ..document import STANDARD, XSI
from ..values import corrected
from .kinds import TYPE, Typed, kind_in, known_name, narrowed, vocabulary_of, walk, written_type
from .mending import Leaving, Mending
from .serial import split
from .tag import Tag

#: Of an expression that has these only a formal one is meant.
_FORMAL: Final = frozenset({"language", "evaluatesToTypeRef"})
_NCNAME: Final = r"[^\W\d][\w.\-\u00b7]*"
_QNAME: Final = re.compile(rf"(?:({_NCNAME}):)?{_NCNAME}")
_BAD_IN_URI: Final = re.compile(r"[\[\]]|%(?![0-9A-Fa-f]{2})|#.*#", re.DOTALL)
_FIRST_OF_URI: Final = re.compile(r"[^:/?#]*:")
_SCHEME: Final = re.compile(r"[A-Za-z][A-Za-z0-9+.\-]*:")
_PORT: Final = re.compile(r"(?:[^:/?#]+:)?//[^/?#]*:[^/?#:]*[^0-9/?#:]")
_INT: Final = 2**31
#: What the standard has and bpmn-moddle, which most editors read with, warns of: owner and child.
_UNREAD: Final = (
    ("definitions", "extension"),
    ("baseElement", "participantAssociation"),
    ("participant", "endPointRef"),
    ("conversationNode", "messageFlowRef"),
    ("globalScriptTask", "script"),
)


def conform(mending: Mending) -> None:
    """Leave in every element what its schema takes."""
    for at in walk(mending.root):
        if at.kind:
            at = _attributes(mending, at)
            _text(mending, at)
            _children(mending, at)
        else:
            _value(mending, at)


def is_qname(value: str, declared: dict[str, str]) -> bool:
    """Whether a value is a qualified name whose prefix stands for something."""
    found = _QNAME.fullmatch(value.strip())
    return found is not None and (not found[1] or bool(declared.get(found[1])))


def is_uri(value: str) -> bool:
    """Whether a value passes for an `xsd:anyURI`, which takes nearly everything."""
    value = value.strip()
    if _BAD_IN_URI.search(value) or _PORT.match(value):
        return False
    return not _FIRST_OF_URI.match(value) or _SCHEME.match(value) is not None


def _attributes(mending: Mending, at: Typed) -> Typed:
    tag, kind = at.tag, at.kind
    if kind == "expression" and _FORMAL & tag.attributes.keys():
        kind = "formalExpression"
        tag.attributes.setdefault(TYPE, written_type(kind, mending.prefixes))
    at = at._replace(kind=kind)
    known = metamodel.attributes(kind)
    is_open = metamodel.takes_foreign_attributes(kind)
    for name in list(tag.attributes):
        namespace, local = split(name)
        if name == TYPE:
            _type(mending, at)
        elif name == "xmlns" or name.startswith("xmlns:") or namespace == XSI:
            continue
        elif name.startswith("{"):
            if not namespace:
                tag.attributes.setdefault(local, tag.attributes.pop(name))
            elif not is_open:
                mending.set_attribute_aside(at, name, "no other vocabulary may stand there")
        elif name not in known:
            mending.set_attribute_aside(at, name, "the standard has no such attribute")
        else:
            _value_of(mending, at, known[name])
    return at


def _type(mending: Mending, at: Typed) -> None:
    """Let `xsi:type` say what is meant, or nothing."""
    tag = at.tag
    prefix = tag.attributes[TYPE].strip().rpartition(":")[0]
    found = narrowed(tag, at.kind)
    if not found:
        mending.set_attribute_aside(at, TYPE, "it is no type of such an element")
    elif metamodel.qualified(mending.declared.get(prefix, ""), "") != vocabulary_of(found) or (
        prefix not in mending.declared
    ):
        tag.attributes[TYPE] = written_type(found, mending.prefixes)


def _value_of(mending: Mending, at: Typed, attribute: Attribute) -> None:
    attributes, name = at.tag.attributes, attribute.name
    value = attributes[name]
    match attribute.type:
        case "boolean" | "enum" | "integer" | "double" | "int":
            right = corrected(attribute, value)
            if attribute.type == "int" and right and not -_INT <= int(right) < _INT:
                right = None
            if right:
                attributes[name] = right
                return
            reason = f"`{value[:60]}` is none of its values"
        case "anyURI":
            # What an implementation or a method may be has words of its own besides.
            if is_uri(value) or (value.startswith("##") and (attribute.default or "")[:2] == "##"):
                return
            reason = f"`{value[:60]}` is no URI"
        case "QName" | "IDREF" if not attribute.to:
            if is_qname(value, mending.declared):
                return
            reason = f"`{value[:60]}` is no qualified name"
        case "ID" if not value:
            # Nobody can have meant it; set aside it would say that there was none.
            del attributes[name]
            mending.tell_left_out(at.tag, name, "it is empty")
            return
        case _:
            return
    mending.set_attribute_aside(at, name, reason)


def _text(mending: Mending, at: Typed) -> None:
    if at.tag.text and not at.tag.text.isspace() and not metamodel.has_text(at.kind):
        mending.set_text_aside(at)


def _value(mending: Mending, at: Typed) -> None:
    """An element that holds a simple value holds nothing else."""
    for name in list(at.tag.attributes):
        mending.set_attribute_aside(at, name, "it holds a value only")
    mending.set_children_aside(
        at, [Leaving(child, "it holds a value only") for child in at.tag.children]
    )


def _children(mending: Mending, at: Typed) -> None:
    tag, kind = at.tag, at.kind
    _merge_extensions(tag)
    mending.set_children_aside(at, list(_leaving(tag, kind)))


def _leaving(tag: Tag, kind: str) -> Iterator[Leaving]:
    """The children that may not stand in an element, or that nobody would read there."""
    needs_resource = metamodel.is_a(kind, "resourceRole") and tag.child("resourceRef") is None
    places = metamodel.places(kind)
    open_to = metamodel.open_to(kind)
    counts: dict[int, int] = {}
    there = [place[1] for one in tag.children if (place := places.get(known_name(one)))]
    alternative = min((slot.alternative for slot in there if slot.alternative), default=0)
    behind: set[str] = set()
    for child in tag.children:
        namespace, _ = split(child.name)
        place = places.get(known_name(child))
        if place is None:
            is_welcome = open_to == "other" and namespace and namespace not in STANDARD
            if open_to != "any" and not is_welcome:
                yield Leaving(child, _misplaced(child))
            continue
        index, slot = place
        if needs_resource and child.name == "resourceParameterBinding":
            yield Leaving(child, "it needs a `resourceRef`")
        elif reason := _unread(kind, child, slot, behind):
            yield Leaving(child, reason)
        elif slot.alternative and slot.alternative != alternative:
            yield Leaving(child, "another one excludes it")
        else:
            counts[index] = counts.get(index, 0) + 1
            if slot.maximum is not None and counts[index] > slot.maximum:
                yield Leaving(child, "there may be no more of them")


def _unread(kind: str, child: Tag, slot: Child, behind: set[str]) -> str:
    """Why the readers of the field do not take an element that may stand there; mostly empty.

    `behind` are the names of those that have been set aside: what follows goes with them, because
    several of a name are read in their order.
    """
    name = child.name
    if name in behind:
        return "it follows one of its name that is set aside"
    if child.children and metamodel.open_to(kind_in(child, slot)) == "any":
        behind.add(name)
        return "no reader takes elements in its text"
    if any(name == one and metamodel.is_a(kind, owner) for owner, one in _UNREAD):
        return "no editor of the field reads it"
    return ""


def _misplaced(child: Tag) -> str:
    if split(child.name)[0] not in STANDARD:
        return "other vocabularies have their place there"
    if known_name(child) in metamodel.names():
        return "it has no place there"
    return "the standard has no such element"


def _merge_extensions(tag: Tag) -> None:
    """One `extensionElements` with what all of them had."""
    holders = list(tag.each("extensionElements"))
    if len(holders) > 1:
        for holder in holders[1:]:
            holders[0].children.extend(holder.children)
        others = {id(one) for one in holders[1:]}
        tag.children = [one for one in tag.children if id(one) not in others]
