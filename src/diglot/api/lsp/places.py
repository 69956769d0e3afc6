"""Places as editors count them: lines from 0, and columns in units of an encoding.

A line ends where a line feed, a carriage return or both stand; what else ends one for us does not
for an editor. Source: Language Server Protocol 3.17, Position.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from typing import Final

from lsprotocol.types import Position, Range

from diglot.compiler.source import Source, Span

_LINE_END: Final = re.compile(r"\r\n|\r|\n")


class Places:
    """The places of one text, in one encoding: `utf-8`, `utf-16` or `utf-32`."""

    def __init__(self, source: Source, encoding: str = "utf-16") -> None:
        self.source = source
        self.encoding = encoding
        ends = [found.span() for found in _LINE_END.finditer(source.text)]
        self._starts = [0, *(end for _, end in ends)]
        self._ends = [*(start for start, _ in ends), len(source.text)]

    def range(self, span: Span) -> Range:
        """Where a span is."""
        start, end = self.source.offset(span.start), self.source.offset(span.end)
        return Range(self.position(start), self.position(end))

    def position(self, offset: int) -> Position:
        """Where a character is."""
        line = bisect_right(self._starts, offset) - 1
        start = self._starts[line]
        return Position(line, self._units(self.source.text[start : min(offset, self._ends[line])]))

    def offset(self, position: Position) -> int:
        """The character at a place, which may be behind the last one of its line."""
        if position.line >= len(self._starts):
            return len(self.source.text)
        start, end = self._starts[position.line], self._ends[position.line]
        units = 0
        for at in range(start, end):
            if units >= position.character:
                return at
            units += self._units(self.source.text[at])
        return end

    def _units(self, text: str) -> int:
        if text.isascii() or self.encoding == "utf-32":
            return len(text)
        if self.encoding == "utf-8":
            return len(text.encode("utf-8", "surrogatepass"))
        return len(text.encode("utf-16-le", "surrogatepass")) // 2
