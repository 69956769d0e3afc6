"""What makes a fix: a function of a finding and its place, registered for codes."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from ..diagnostics import Code, Diagnostic, Edit, Fix
from ..source import Source


@dataclass(frozen=True, slots=True)
class Place:
    """Where a finding is: from offset to offset of a document's text."""

    source: Source
    start: int
    end: int

    @property
    def text(self) -> str:
        """What stands there."""
        return self.source.text[self.start : self.end]

    @property
    def line(self) -> tuple[int, int]:
        """From where to where the line goes in which it begins, without its line end."""
        start = self.source.offset(self.source.position(self.start)) - (
            self.source.position(self.start).column - 1
        )
        return start, start + len(self.source.lines[self.source.position(self.start).line - 1])

    def edit(self, text: str, start: int | None = None, end: int | None = None) -> Edit:
        """Puts a text in the place of it, or of what stands between two offsets."""
        first = self.start if start is None else start
        last = self.end if end is None else end
        return Edit(self.source.span(first, last), text)

    def replace(self, text: str) -> Fix:
        """Puts a text in the place of it."""
        return Fix(f"Write `{shown(text)}` for `{shown(self.text)}`.", (self.edit(text),))


Make = Callable[[Diagnostic, Place], Fix | None]

#: What makes fixes, by the ids of codes.
FIXES: Final[dict[str, list[Make]]] = {}


def fixes(*codes: Code) -> Callable[[Make], Make]:
    """Register a function for findings of these codes."""

    def register(make: Make) -> Make:
        for code in codes:
            FIXES.setdefault(code.id, []).append(make)
        return make

    return register


def shown(text: str) -> str:
    """A text within a title."""
    line = " ".join(text.split())
    return line if len(line) <= 60 else f"{line[:59]}…"
