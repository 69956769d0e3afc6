"""Texts of authors, made fit to stand in a picture."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence
from typing import Final, NamedTuple
from xml.sax.saxutils import escape

from ..layout import Bounds
from ..layout.measure import LINE_HEIGHT, even, text_width, wrap

#: So much of a name is ever looked at.
LONGEST: Final = 1_000

#: What XML cannot hold, what no reader sees, and what turns the direction of the text after it.
_HARMFUL: Final = re.compile(
    "[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x84\x86-\x9f\u200b\u200e\u200f\u202a-\u202e\u2060-\u206f"
    "\ufdd0-\ufdef\ufeff\ufff9-\uffff\ud800-\udfff\U000e0000-\U000e0fff]"
)
#: A letter has so many marks at most; more only soil their surroundings.
_MARKS: Final = 3

#: Texts in shapes shrink to the last of these before they are cut.
_SIZES: Final = (12.0, 11.0, 10.0)


def clean(text: str, most: int = LONGEST) -> str:
    """A text without what would do harm, of `most` characters at most; cut ones end with dots."""
    cut = text[: most * 2]
    if not cut.isascii() or not cut.isprintable():
        cut = _with_few_marks(_HARMFUL.sub("", cut))
    cut = cut.strip()
    return cut if len(cut) <= most else cut[: most - 1].rstrip() + "\u2026"


def one_line(text: str, most: int = LONGEST) -> str:
    """A clean text with single spaces for all white space."""
    return clean(" ".join(text[: most * 4].split()), most)


def xml(text: str) -> str:
    """A text as it stands in XML, in an attribute's double quotes as well."""
    return escape(text, {'"': "&quot;"})


def _with_few_marks(text: str) -> str:
    if text.isascii():
        return text
    kept: list[str] = []
    marks = 0
    for each in text:
        marks = marks + 1 if unicodedata.category(each) in ("Mn", "Me") else 0
        if marks <= _MARKS:
            kept.append(each)
    return "".join(kept)


class Fitted(NamedTuple):
    """A text as it goes into its room."""

    lines: tuple[str, ...]
    size: float

    @property
    def height(self) -> float:
        """From the top of the first line to the foot of the last."""
        return len(self.lines) * self.size * LINE_HEIGHT

    @property
    def width(self) -> float:
        """The width of the longest line."""
        return max((text_width(each, size=self.size) for each in self.lines), default=0.0)


def fit(text: str, width: float, height: float) -> Fitted:
    """A text in a room: large if that breaks no word, else smaller, in the end cut.

    One line is always written, however low the room.
    """
    return fit_into(text, (Bounds(0, 0, width, height),))[0]


def fit_into(
    text: str, rooms: Sequence[Bounds], taken: Sequence[Bounds] = ()
) -> tuple[Fitted, Bounds]:
    """A text in the middle of the best of some rooms, and that room.

    First of all no word is to be broken, then the text is to be large, then earlier rooms are
    better. No line may run into what is `taken`; only a text that has to be cut may, in the last.
    """
    text = clean(text)
    words = re.split(r"\s+|(?<=-)", text)
    best: tuple[tuple[bool, int, int], Fitted, Bounds] | None = None
    for smaller, size in enumerate(_SIZES):
        widest = max((text_width(word, size=size) for word in words), default=0.0)
        for later, room in enumerate(rooms):
            rank = (widest > room.width, smaller, later)
            if best is not None and best[0] < rank:
                continue
            most = _most(room, size)
            fitted = Fitted(even(text, room.width, size=size, most=most + 1), size)
            if len(fitted.lines) > most or _hits(fitted, room, taken):
                continue
            best = (rank, fitted, room)
    if best is not None:
        return best[1:]
    room, size = rooms[-1], _SIZES[-1]
    return Fitted(wrap(text, room.width, size=size, most=_most(room, size)), size), room


def _most(room: Bounds, size: float) -> int:
    """How many lines go into a room; a pixel more does no harm."""
    return max(1, int((room.height + 1) / (size * LINE_HEIGHT)))


def _hits(fitted: Fitted, room: Bounds, taken: Sequence[Bounds]) -> bool:
    step = fitted.size * LINE_HEIGHT
    top = room.y + (room.height - fitted.height) / 2
    middle = room.x + room.width / 2
    for box in taken:
        for n, line in enumerate(fitted.lines):
            wide = text_width(line, size=fitted.size)
            if (
                middle - wide / 2 < box.x + box.width
                and box.x < middle + wide / 2
                and top + n * step < box.y + box.height
                and box.y < top + (n + 1) * step
            ):
                return True
    return False
