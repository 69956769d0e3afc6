"""Ignores in a BPMN file: comments, and `diglot:ignore` in the extensions of an element.

An ignore speaks of one flow element, artifact, participant or definition, with all that is said in
it; of a process or a sub-process it speaks without the flow elements inside. A comment before such
an element speaks of it, any other comment of what it stands in. Source: docs/bpmn-extension.md.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterable
from typing import Final
from xml.parsers import expat

from diglot.specs.bpmn import metamodel

from ..bpmn.aside import DIGLOT
from ..bpmn.places import attribute_values
from ..diagnostics import Diagnostic
from ..source import Source
from .ignore import LIMIT, Comment, Ignore, Ignores, Place, codes_in, read_comment, tidy

_MARK: Final = re.compile(r"diglot:\s*ignore|[<:]ignore\b")
#: What may stand at the top of a file and in any element, and is nothing by itself.
_ASIDE: Final = frozenset({"extensionElements", "documentation"})
_WHOLE: Final = frozenset({"definitions", "collaboration", "choreography", "globalConversation"})


class _Refused(Exception):
    """The reader refuses this document, too."""


def ignores_in_bpmn(source: Source) -> Ignores:
    """The ignores of a file that has been read as BPMN."""
    if _MARK.search(source.text) is None:
        return Ignores((), lambda _: ())
    reading = _Reading(source)
    reading.read()
    return Ignores(tuple(reading.found), reading.places_of)


def start_of_place(found: Diagnostic, source: Source) -> int | None:
    """Where the element begins of which a finding is."""
    reading = _Reading(source)
    reading.read()
    return next((reading.start_of(place) for place in reading.places_of(found)), None)


class _Open:
    """An element that is open: its name, the place it belongs to, and where it begins."""

    __slots__ = ("name", "place", "start", "text")

    def __init__(self, name: str, place: Place, start: int) -> None:
        self.name = name
        self.place = place
        self.start = start
        self.text: list[str] = []


class _Reading:
    """One pass through a file for what the reader of BPMN leaves out: its comments."""

    def __init__(self, source: Source) -> None:
        self.found: list[Ignore] = []
        self._source = source
        self._text = source.text.encode("utf-8", "replace")
        self._byte = 0
        self._offset = 0
        self._starts: list[int] = []
        self._places: list[Place] = []
        self._open: list[_Open] = []
        #: Comments of which the next tag tells what they speak of.
        self._waiting: list[Comment] = []
        self._prefixes: set[str] = set()
        self._parser = expat.ParserCreate("utf-8")
        self._parser.buffer_text = True
        self._parser.StartDoctypeDeclHandler = self._doctype
        self._parser.StartElementHandler = self._start
        self._parser.EndElementHandler = self._end
        self._parser.CharacterDataHandler = self._characters
        self._parser.CommentHandler = self._comment

    def read(self) -> None:
        """Go through the file, as far as it is well-formed."""
        try:
            self._parser.Parse(self._text, True)
        except (expat.ExpatError, _Refused):
            pass
        finally:
            # The parser and its handlers refer to each other.
            self._parser.StartElementHandler = self._parser.EndElementHandler = None
            self._parser.CharacterDataHandler = self._parser.CommentHandler = None
            self._parser.StartDoctypeDeclHandler = None

    def places_of(self, found: Diagnostic) -> Iterable[Place]:
        """The element that a finding is of."""
        if found.span is None:
            return ()
        at = bisect_right(self._starts, self._source.offset(found.span.start)) - 1
        return () if at < 0 else (self._places[at],)

    def start_of(self, place: Place) -> int:
        """Where an element begins."""
        return self._starts[place]

    def _doctype(self, *_: object) -> None:
        raise _Refused

    def _start(self, name: str, attributes: dict[str, str]) -> None:
        local = name.rpartition(":")[2]
        number, start = len(self._starts), self._here()
        parent = self._open[-1] if self._open else None
        is_place = parent is None or _is_place(local, parent.name)
        place = number if parent is None or is_place else parent.place
        self._starts.append(start)
        self._places.append(place)
        self._open.append(_Open(local, place, start))
        self._settle(place if is_place or parent is None else parent.place)
        for key, uri in attributes.items():
            if uri == DIGLOT and key.partition(":")[0] == "xmlns":
                self._prefixes.add(key.partition(":")[2])

    def _end(self, name: str) -> None:
        closed = self._open.pop()
        self._settle(closed.place)
        prefix, colon, local = name.rpartition(":")
        holder = self._open[-1].name if self._open else ""
        is_ours = prefix in self._prefixes if colon else "" in self._prefixes
        if local == "ignore" and is_ours and holder == "extensionElements":
            self._take_element(closed)

    def _characters(self, text: str) -> None:
        if self._open[-1].name == "ignore":
            self._open[-1].text.append(text)

    def _comment(self, text: str) -> None:
        start = self._here() + len("<!--")
        comment = read_comment(self._source, start, start + len(text))
        if comment is None:
            return
        if not comment.is_of_file:
            self._waiting.append(comment)
        elif len(self._starts) <= 1:
            self._add(comment.about(None))
        else:
            self._add(comment.about(None, "it speaks of the file and does not stand at its top"))

    def _take_element(self, closed: _Open) -> None:
        places = dict(attribute_values(self._source.text, closed.start))
        start, end = places.get("code", (closed.start, closed.start))
        codes = tuple(codes_in(self._source, start, self._source.text[start:end]))
        span = self._source.span(closed.start, end if end > start else closed.start + 1)
        self._add(Ignore(codes, tidy("".join(closed.text)), span, closed.place))

    def _settle(self, place: Place) -> None:
        for comment in self._waiting:
            self._add(comment.about(place))
        self._waiting.clear()

    def _add(self, ignore: Ignore) -> None:
        if len(self.found) < LIMIT:
            self.found.append(ignore)

    def _here(self) -> int:
        """The offset of what the parser is at; it counts in bytes."""
        byte = self._parser.CurrentByteIndex
        self._offset += len(self._text[self._byte : byte].decode("utf-8", "replace"))
        self._byte = byte
        return self._offset


def _is_place(name: str, parent: str) -> bool:
    """Whether findings of an element are its own and not those of what it stands in."""
    if parent in _WHOLE:
        return name not in _ASIDE
    return metamodel.is_a(name, "flowElement") or metamodel.is_a(name, "artifact")
