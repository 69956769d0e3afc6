"""Ignores in the comments of a YAML document.

A comment speaks of its own line; one that has the line to itself, of the next line that has more.
What stands in a text of several lines, where no comment can be, is also ignored where it begins.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any, Final

import yaml

from ..diagnostics import Diagnostic
from ..serverless_workflow.yaml import PARSER
from ..source import Source
from .ignore import LIMIT, Ignore, Ignores, Place, read_comment

_COMMENT: Final = re.compile(r"#(?=[ \t]*diglot:[ \t]*ignore)([^\n\r]*)")


@dataclass(frozen=True, slots=True)
class _Text:
    """Where a scalar stands; `#` in it is no comment, except in the line that opens a block."""

    start: int
    end: int
    is_block: bool


def ignores_in_yaml(source: Source) -> Ignores:
    """The ignores of a document that has been read as YAML or JSON."""
    if _COMMENT.search(source.text) is None:
        return Ignores((), _nowhere)
    texts = list(_texts(source.text))
    starts = [one.start for one in texts]

    def text_around(offset: int) -> _Text | None:
        at = bisect_right(starts, offset) - 1
        return texts[at] if at >= 0 and offset < texts[at].end else None

    def places_of(found: Diagnostic) -> Iterable[Place]:
        if found.span is None:
            return ()
        around = text_around(source.offset(found.span.start))
        begin = source.position(around.start).line if around else found.span.start.line
        return {found.span.start.line, begin}

    def is_text(offset: int) -> bool:
        around = text_around(offset)
        if around is None or not around.is_block:
            return around is not None
        return source.position(offset).line > source.position(around.start).line

    first = starts[0] if starts else len(source.text)
    found: list[Ignore] = []
    for match in _COMMENT.finditer(source.text):
        if len(found) == LIMIT or is_text(match.start()):
            continue
        comment = read_comment(source, *match.span(1))
        if comment is None:
            continue
        if not comment.is_of_file:
            found.append(comment.about(_line_of(source, match.start())))
        elif match.start() < first:
            found.append(comment.about(None))
        else:
            found.append(comment.about(None, "it speaks of the file and does not stand at its top"))
    return Ignores(tuple(found), places_of)


def start_of_place(found: Diagnostic, source: Source) -> int | None:
    """Where the line begins in which an ignore of a finding can stand, or before which."""
    if found.span is None or source.text.lstrip(" \t\r\n\ufeff").startswith(("{", "[")):
        # Text in JSON has no comments, also where it is read as YAML.
        return None
    offset = source.offset(found.span.start)
    around = (one.start for one in _texts(source.text) if one.start <= offset < one.end)
    place = source.position(next(around, offset))
    return source.offset(place) - (place.column - 1)


def _nowhere(_: Diagnostic) -> Iterable[Place]:
    return ()


def _line_of(source: Source, offset: int) -> Place:
    """The line that a comment speaks of."""
    line = source.position(offset).line
    while line < len(source.lines) and source.lines[line - 1].lstrip().startswith("#"):
        line += 1
    return line


def _texts(text: str) -> Iterator[_Text]:
    """The scalars of the first document."""
    parser: Any = PARSER(text)
    try:
        while True:
            event: Any = parser.get_event()
            if isinstance(event, yaml.ScalarEvent):
                yield _text(event)
            elif isinstance(event, (yaml.DocumentEndEvent, yaml.StreamEndEvent)):
                return
    except (yaml.YAMLError, ValueError, OverflowError):
        # The reader has told what is wrong; what stands before it is read as far as that.
        return
    finally:
        parser.dispose()


def _text(event: Any) -> _Text:
    return _Text(event.start_mark.index, event.end_mark.index, event.style in ("|", ">"))
