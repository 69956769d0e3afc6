"""What comes of an author's expression: jq that means the same, or the part that has no jq."""

from __future__ import annotations

from bisect import bisect_right
from dataclasses import dataclass
from typing import Any, Final, Literal

#: `text` is a string that is no expression at all.
Language = Literal["feel", "juel", "xpath", "bare", "jq", "text"]

#: The most characters of an expression, its nested brackets, and levels of its tree.
MAX_TEXT: Final = 16_384
MAX_NESTING: Final = 30
MAX_DEPTH: Final = 120


@dataclass(frozen=True, slots=True)
class Translation:
    """An expression as a jq program.

    `.` of the program is one object of all variables in sight; a variable that does not exist is
    null. `map` has stretches `(jq start, jq end, source start, source end)`, in order of their
    starts and the wider one first. `names` are the top-level variables that are read. A program
    that reads no variable and not the time is a constant, and `value` is what it yields.
    """

    text: str
    language: Language
    map: tuple[tuple[int, int, int, int], ...]
    names: tuple[str, ...]
    is_constant: bool
    value: Any = None

    def source_offset(self, jq_offset: int) -> int:
        """Where in the author's text the part begins that a place of the program came from."""
        at = bisect_right(self.map, (jq_offset, 1 << 60, 0, 0))
        for start, end, source, _ in reversed(self.map[:at]):
            if start <= jq_offset < end:
                return source
        return self.map[0][2] if self.map else 0


@dataclass(frozen=True, slots=True)
class Refusal:
    """Why an expression cannot be carried, and which part of it: `[start, end)` of its text.

    `kind` is `syntax` (it is not the language), `language` (the language is not read here),
    `type` (it fails whatever the variables are), `size`, or `meaning` (it is the language, but
    this part has no counterpart in jq).
    """

    part: str
    start: int
    end: int
    reason: str
    hint: str = ""
    kind: Literal["syntax", "language", "type", "size", "meaning"] = "meaning"


@dataclass(frozen=True, slots=True)
class Spoken:
    """The language of an expression and its body, which starts at `offset` of the author's text."""

    language: Language
    text: str
    offset: int


class Refused(Exception):
    """A refusal on its way out of a translation."""

    def __init__(
        self,
        start: int,
        end: int,
        reason: str,
        hint: str = "",
        kind: Literal["syntax", "language", "type", "size", "meaning"] = "meaning",
    ) -> None:
        super().__init__(reason)
        self.start = start
        self.end = end
        self.reason = reason
        self.hint = hint
        self.kind: Literal["syntax", "language", "type", "size", "meaning"] = kind

    def refusal(self, text: str) -> Refusal:
        """As a value, with the part cut out of the whole text."""
        return Refusal(
            text[self.start : self.end], self.start, self.end, self.reason, self.hint, self.kind
        )
