"""Where the parts of an element stand in its text, found again only when somebody asks.

The text has been read as well-formed XML before, so that these scans need not doubt it. What a
reference such as `&lt;` stands for is one character, and a line end of two characters is one.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

_TAG = re.compile(r"""<(?:[^"'>]++|"[^"]*+"|'[^']*+')*+>""")
_ATTRIBUTE = re.compile(r"""[\s]([^\s=/>"']++)\s*+=\s*+(?:"([^"]*+)"|'([^']*+)')""")
_SKIPPED = re.compile(r"<!--.*?-->|<\?.*?\?>", re.DOTALL)
_CDATA = re.compile(r"<!\[CDATA\[(.*?)\]\]>", re.DOTALL)
_PLAIN = re.compile(r"[^<]++")
_CHARACTER = re.compile(r"&[^;<]{1,32};|\r\n|.", re.DOTALL)
_VERBATIM = re.compile(r"\r\n|.", re.DOTALL)

#: A stretch of text by its two offsets.
Place = tuple[int, int]


def tag_end(text: str, start: int) -> int:
    """The offset behind the start tag that begins at `start`."""
    found = _TAG.match(text, start)
    return found.end() if found else start


def attribute_values(text: str, start: int) -> Iterator[tuple[str, Place]]:
    """The attributes of the start tag at `start` as written, with the places of their values."""
    end = tag_end(text, start)
    for found in _ATTRIBUTE.finditer(text, start, end):
        yield found[1], found.span(2 if found[2] is not None else 3)


def text_pieces(text: str, start: int) -> Iterator[Place]:
    """The stretches of character data between the start tag at `start` and the next tag."""
    at = tag_end(text, start)
    if text.startswith("/>", at - 2):
        return
    while True:
        if skipped := _SKIPPED.match(text, at):
            at = skipped.end()
        elif verbatim := _CDATA.match(text, at):
            yield verbatim.span(1)
            at = verbatim.end()
        elif plain := _PLAIN.match(text, at):
            yield plain.span()
            at = plain.end()
        else:
            return


def piece(text: str, pieces: Sequence[Place], start: int, end: int | None) -> Place:
    """The offsets of the characters from `start` to `end` of what the pieces say together.

    Clamped to the pieces; without `end` to the end of the last one.
    """
    first = _offset(text, pieces, start, at_end=False)
    last = pieces[-1][1] if end is None else _offset(text, pieces, end, at_end=True)
    return first, max(first, last)


def _offset(text: str, pieces: Sequence[Place], index: int, *, at_end: bool) -> int:
    """The offset of a character of the pieces; at their seams the one before when `at_end`."""
    left = index
    for begin, stop in pieces:
        if at_end and left == 0:
            return begin
        is_verbatim = text.startswith("<![CDATA[", begin - 9)
        for found in (_VERBATIM if is_verbatim else _CHARACTER).finditer(text, begin, stop):
            if left == 0:
                return found.start()
            left -= 1
        if at_end and left == 0:
            return stop
    return pieces[-1][1]
