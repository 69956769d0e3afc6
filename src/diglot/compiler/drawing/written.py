"""From the text of a file that was written here to its elements, ids as they stand in it."""

from __future__ import annotations

from xml.etree import ElementTree

from ..bpmn.document import BPMN
from ..bpmn.writing.tag import Tag

_MODEL = f"{{{BPMN}}}"


def tree_of(text: str) -> Tag:
    """The elements of a file that the exporter wrote; what others wrote comes in by the reader."""
    top = ElementTree.fromstring(text)
    made: list[Tag] = []
    todo: list[tuple[ElementTree.Element, list[Tag]]] = [(top, made)]
    while todo:
        element, into = todo.pop()
        name = element.tag.removeprefix(_MODEL)
        tag = Tag(name, dict(element.attrib), [], element.text or "")
        into.append(tag)
        todo.extend((child, tag.children) for child in reversed(element))
    return made[0]
