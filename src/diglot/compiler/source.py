"""Where something stands in a file: the author's text, positions and spans."""

from __future__ import annotations

from bisect import bisect_right
from functools import cached_property

import msgspec


class Position(msgspec.Struct, frozen=True, order=True):
    """A place in a text; `line` and `column` count from 1, in characters."""

    line: int
    column: int


class Span(msgspec.Struct, frozen=True, omit_defaults=True):
    """A stretch of a file; `end` is the place just behind its last character."""

    file: str
    start: Position
    end: Position

    def __str__(self) -> str:
        return f"{self.file}:{self.start.line}:{self.start.column}"


class Source:
    """The text of one document with its name; offsets and positions convert both ways."""

    def __init__(self, text: str, name: str = "<input>") -> None:
        self.text = text
        self.name = name

    @cached_property
    def lines(self) -> list[str]:
        """The text's lines without their line ends."""
        return self.text.splitlines() or [""]

    @cached_property
    def _starts(self) -> list[int]:
        starts = [0]
        for line in self.text.splitlines(keepends=True):
            starts.append(starts[-1] + len(line))
        return starts

    def position(self, offset: int) -> Position:
        """The position of the character at `offset`; one past the end is legal."""
        starts = self._starts
        offset = max(0, min(offset, len(self.text)))
        # One past the end is in the last line, be it that the text ends with a line end.
        line = min(bisect_right(starts, offset), max(len(starts) - 1, 1))
        return Position(line, offset - starts[line - 1] + 1)

    def offset(self, position: Position) -> int:
        """The inverse of `position`, clamped to the text."""
        line = max(0, min(position.line - 1, len(self._starts) - 1))
        return min(self._starts[line] + position.column - 1, len(self.text))

    def span(self, start: int, end: int) -> Span:
        """The span between two offsets."""
        starts = self._starts
        if 0 <= start <= end < starts[-1]:
            line = bisect_right(starts, start)
            # Most stretches are in one line, whose number is sought once then.
            if end < starts[line]:
                column = start - starts[line - 1] + 1
                first, last = Position(line, column), Position(line, column + end - start)
                return Span(self.name, first, last)
        return Span(self.name, self.position(start), self.position(end))
