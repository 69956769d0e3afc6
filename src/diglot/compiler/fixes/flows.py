"""Sequence flows that make no difference go, with all that is said of them."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

from .. import codes
from ..bpmn.places import attribute_values, tag_end
from ..diagnostics import Diagnostic, Edit, Fix
from .fix import Place, fixes

_FLOW: Final = re.compile(r"<((?:[\w.-]+:)?sequenceFlow)(?=[\s/>])")
_LISTED: Final = re.compile(r"<((?:[\w.-]+:)?(?:incoming|outgoing))\s*>\s*([^<>]*?)\s*</\1\s*>")
#: A word of an attribute or of the text of an element.
_WORD: Final = re.compile(r"(?<=[\"'>\s])[^\"'<>\s]+(?=[\"'<\s])")
_DRAWN: Final = re.compile(r"<((?:[\w.-]+:)?BPMNEdge)(?=[\s/>])")
#: More flows between two nodes were not drawn by a slip of the hand.
_MOST: Final = 10

#: From offset to offset.
_Stretch = tuple[int, int]


@dataclass(frozen=True, slots=True)
class _Flow:
    """A sequence flow as it is written; `says` is what makes it another flow than others."""

    id: str
    place: _Stretch
    says: tuple[str, str, str]


@fixes(codes.FLOW_TWICE)
def once(found: Diagnostic, place: Place) -> Fix | None:
    """One of several flows from a node to another; the first stays."""
    text = place.source.text
    alike: dict[tuple[str, str, str], list[_Flow]] = {}
    for flow in _flows(text).get(found.pointer, ()):
        alike.setdefault(flow.says, []).append(flow)
    spare = [flow for flows in alike.values() for flow in flows[1:]]
    if not spare or len(spare) > _MOST:
        return None
    edits: list[Edit] = []
    for flow in spare:
        places = [flow.place, *_mentions(text).get(flow.id, ())]
        # Whatever else names the flow means it.
        if len(places) != _counts(text)[flow.id]:
            return None
        edits += [place.edit("", *_with_line(text, *one)) for one in places]
    names = ", ".join(f"`{flow.id}`" for flow in spare)
    return Fix(f"Remove {names}, which says what another flow says.", tuple(edits))


@lru_cache(maxsize=1)
def _flows(text: str) -> Mapping[str, Sequence[_Flow]]:
    """The sequence flows of a file by their sources; kept, since several findings ask for them."""
    found: dict[str, list[_Flow]] = {}
    for tag in _FLOW.finditer(text):
        said = _attributes(text, tag.start())
        place = tag.start(), _end(text, tag)
        body = "".join(text[tag_end(text, tag.start()) : place[1]].split())
        says = said.get("targetRef", ""), said.get("name", ""), body
        found.setdefault(said.get("sourceRef", ""), []).append(
            _Flow(said.get("id", ""), place, says)
        )
    return found


@lru_cache(maxsize=1)
def _mentions(text: str) -> Mapping[str, Sequence[_Stretch]]:
    """The entries of flows at the nodes that they join, and what draws them, by their ids."""
    found: dict[str, list[_Stretch]] = {}
    for entry in _LISTED.finditer(text):
        found.setdefault(entry[2], []).append(entry.span())
    for tag in _DRAWN.finditer(text):
        drawn = _attributes(text, tag.start()).get("bpmnElement", "")
        found.setdefault(drawn, []).append((tag.start(), _end(text, tag)))
    return found


@lru_cache(maxsize=1)
def _counts(text: str) -> Counter[str]:
    """How often the ids of sequence flows stand in a file, wherever that is."""
    ids = {flow.id for flows in _flows(text).values() for flow in flows}
    return Counter(word for word in _WORD.findall(text) if word in ids)


def _end(text: str, tag: re.Match[str]) -> int:
    """Where an element ends that has none of its own kind in it."""
    opened = tag_end(text, tag.start())
    if text.startswith("/>", opened - 2):
        return opened
    closing = re.compile(rf"</{re.escape(tag[1])}\s*>").search(text, opened)
    return opened if closing is None else closing.end()


def _attributes(text: str, start: int) -> dict[str, str]:
    return {name: text[first:last] for name, (first, last) in attribute_values(text, start)}


def _with_line(text: str, start: int, end: int) -> tuple[int, int]:
    """An element with its line, where it has the line to itself."""
    first = text.rfind("\n", 0, start) + 1
    behind = re.compile(r"[ \t]*\r?\n").match(text, end)
    if behind is None or text[first:start].strip():
        return start, end
    return first, behind.end()
