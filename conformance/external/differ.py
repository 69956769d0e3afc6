"""How two BPMN files differ for a reader that knows the standard and nothing of Diglot.

Files are read by another reader than ours. What stands for the same in other letters is no
difference: prefixes, space between elements, the order in which the schema wants children of
different names, one `extensionElements` for several, flows that nodes list again (`incoming`,
`outgoing`), and who wrote the file.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Container, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final, Literal, NamedTuple, get_args

from lxml import etree

from diglot.compiler import codes
from diglot.compiler.bpmn.values import corrected
from diglot.compiler.diagnostics import Report
from diglot.specs.bpmn import metamodel
from diglot.specs.bpmn.metamodel import Attribute

from .models import BPMN, Node, parsed

DIGLOT = "https://diglot.dev/bpmn/1"
_DRAWN = (
    "http://www.omg.org/spec/BPMN/20100524/DI",
    "http://www.omg.org/spec/DD/20100524/DI",
    "http://www.omg.org/spec/DD/20100524/DC",
)
_TYPE = "{http://www.w3.org/2001/XMLSchema-instance}type"
_ID = f"{{{DIGLOT}}}id"
_LISTS = (f"{{{BPMN}}}incoming", f"{{{BPMN}}}outgoing")
_EXTENSIONS = f"{{{BPMN}}}extensionElements"
_EXPORTER = ("exporter", "exporterVersion")
#: Stands for the kind of an element that names another one.
_REFERENCE: Final = "->"
_BOOLEANS: Mapping[str, str] = {"1": "true", "0": "false"}
_NONE: Mapping[str, Attribute] = {}

#: `moved` is in another place of the tree or of the drawing; `drawn` has a shape that it had not.
How = Literal["added", "removed", "changed", "moved", "drawn"]


class Difference(NamedTuple):
    """One difference: of the element with this id, or in the one with the id `within`."""

    how: How
    id: str
    within: str
    what: str

    def __str__(self) -> str:
        return f"{self.id or self.within or 'the file'} {self.how}: {self.what}"


def differences(before: bytes | str, after: bytes | str) -> list[Difference]:
    """What one file says that the other does not say, in order of the first one."""
    one = _Tree(before)
    return list(_compared(one, _Tree(after, one.ids)))


def untold(found: Sequence[Difference], report: Report) -> list[Difference]:
    """The differences in elements that no finding of an export names; what is drawn needs none."""
    told = {one.pointer for one in report}
    # What is found after an id was written otherwise names the element by the new one.
    renamed = {
        str(one.parameters["written"]): str(one.parameters["id"])
        for one in report
        if one.code == codes.ID_WRITTEN_OTHERWISE.id
    }
    told.update(renamed[one] for one in list(told) if one in renamed)
    return [
        one for one in found if one.how != "drawn" and one.id not in told and one.within not in told
    ]


def counted(found: Sequence[Difference]) -> str:
    """`0 added, 0 removed, 0 changed, 0 moved, 2 drawn`."""
    tally = Counter(one.how for one in found)
    return ", ".join(f"{tally[how]} {how}" for how in get_args(How))


@dataclass(slots=True)
class _Part:
    """An element: the key of what it stands in, the nearest id, and what it says."""

    name: str
    id: str
    within: str
    parent: str
    attributes: dict[str, str]
    text: str
    is_drawing: bool
    #: The keys of the children of each name, in order.
    children: dict[str, list[str]] = field(default_factory=dict[str, list[str]])


class _Tree:
    """A file by keys that hold in both files: the ids of elements, else their places."""

    def __init__(self, data: bytes | str, known: Container[str] | None = None) -> None:
        root = parsed(data.encode("utf-16") if isinstance(data, str) else data)
        self.ids = {one.get("id", "").strip() for one in root.iter("{*}*")}
        #: The ids of the other file, where this one may have given some.
        self._known = known
        #: What the ids stand for that had to be written otherwise.
        self._ids = {
            one.get("id", ""): one.get(_ID) for one in root.iter("{*}*") if one.get(_ID) is not None
        }
        self.parts: dict[str, _Part] = {}
        self._seen: Counter[str] = Counter()
        self._enter(root)

    def _enter(self, root: Node) -> None:
        todo: list[tuple[Node, str, str, str]] = [(root, "", "", "definitions")]
        while todo:
            element, parent, within, kind = todo.pop()
            name = str(element.tag)
            is_drawing = _namespace(element) in _DRAWN
            id = self._id(element.get("id", "").strip())
            if self._is_given(id, name):
                id = ""
            key = self._key(element, "" if is_drawing else id, parent)
            # A drawing without an id is known by what it draws, a pool by its process.
            told = id or self._reference(
                element.get("bpmnElement") or element.get("processRef", "")
            )
            if key not in self.parts:
                attributes = dict(self._attributes(element, kind, has_id=bool(id)))
                text = self._text(element, kind)
                self.parts[key] = _Part(name, told, within, parent, attributes, text, is_drawing)
                if parent:
                    self.parts[parent].children.setdefault(name, []).append(key)
            for child in reversed([*element.iterchildren("*")]):
                if not _says_nothing(child):
                    todo.append((child, key, told or within, _kind(child, kind)))

    def _key(self, element: Node, id: str, parent: str) -> str:
        if id:
            key = f"#{id}"
        else:
            drawn = self._reference(element.get("bpmnElement", ""))
            key = f"{parent}/{element.tag}({drawn})"
        if element.tag == _EXTENSIONS:
            return key
        self._seen[key] += 1
        return key if self._seen[key] == 1 else f"{key}~{self._seen[key]}"

    def _is_given(self, id: str, name: str) -> bool:
        """Whether an id is one that an element without any had to have."""
        is_new = self._known is not None and id not in self._known
        return is_new and re.fullmatch(rf"{_local(name)}_[0-9]+", id) is not None

    def _id(self, id: str) -> str:
        return self._ids.get(id, id) or ""

    def _attributes(self, element: Node, kind: str, *, has_id: bool) -> Iterator[tuple[str, str]]:
        known = metamodel.attributes(kind) if metamodel.element_type(kind) else _NONE
        for written, value in element.attrib.items():
            name, attribute = str(written), known.get(str(written))
            if name.startswith(f"{{{DIGLOT}}}") or name in _EXPORTER:
                continue
            if name == "id":
                if has_id:
                    yield name, self._id(value.strip())
            elif name == _TYPE:
                yield name, value.strip().rpartition(":")[2]
            elif attribute is None:
                yield name, value
            elif attribute.to or attribute.type == "QName":
                yield name, self._reference(value)
            else:
                right = corrected(attribute, value)
                yield name, value if right is None else _BOOLEANS.get(right, right)

    def _text(self, element: Node, kind: str) -> str:
        text = "".join(element.xpath("text()"))
        if text.isspace():
            return ""
        return self._reference(text) if kind == _REFERENCE else text

    def _reference(self, value: str) -> str:
        """What stands behind the prefix, which another reader may not need."""
        return self._id(value.strip().rpartition(":")[2])


def _kind(element: Node, owner: str) -> str:
    """The kind of an element in one of that kind; empty where the standard knows none."""
    name = metamodel.qualified(_namespace(element), _local(element.tag))
    place = metamodel.places(owner).get(name) if metamodel.element_type(owner) else None
    if place is None:
        return ""
    slot = place[1]
    if slot.value is not None:
        return _REFERENCE if slot.to or slot.value == "QName" else ""
    return name if slot.type == slot.name else slot.type


def _says_nothing(element: Node) -> bool:
    """Whether it is Diglot's, or a list of what is said elsewhere."""
    if element.tag == _EXTENSIONS:
        children = [*element.iterchildren("*")]
        return bool(children) and all(map(_says_nothing, children))
    return element.tag in _LISTS or _namespace(element) == DIGLOT


def _namespace(element: Node) -> str:
    return str(etree.QName(element).namespace or "")


def _local(name: str) -> str:
    return name.rpartition("}")[2]


def _compared(before: _Tree, after: _Tree) -> Iterator[Difference]:
    for key, part in before.parts.items():
        other = after.parts.get(key)
        if other is not None and other.name == part.name:
            yield from _of_one(part, other)
        elif part.parent in after.parts or not part.parent:
            yield _difference("removed", part)
    for key, part in after.parts.items():
        if key not in before.parts and part.parent in before.parts:
            yield _difference("drawn" if part.is_drawing else "added", part)


def _of_one(part: _Part, other: _Part) -> Iterator[Difference]:
    """How one element differs in two files."""
    how: How = "moved" if _local(part.name) in ("Bounds", "waypoint") else "changed"
    for name in [*part.attributes, *(other.attributes.keys() - part.attributes.keys())]:
        was, is_now = part.attributes.get(name), other.attributes.get(name)
        if was != is_now:
            yield _difference(how, part, f"@{_local(name)} was {was!r}, is {is_now!r}")
    if part.text != other.text:
        yield _difference("changed", part, f"its text was {part.text[:40]!r}")
    if part.parent != other.parent:
        yield _difference("moved", part, f"from {part.parent} to {other.parent}")
    for name, keys in part.children.items():
        others = other.children.get(name, [])
        in_both = set(keys).intersection(others)
        if [one for one in keys if one in in_both] != [one for one in others if one in in_both]:
            yield _difference("moved", part, f"with its {_local(name)} in another order")


def _difference(how: How, part: _Part, what: str = "") -> Difference:
    return Difference(how, part.id, part.within, f"{_local(part.name)} {what}".strip())
