"""How much room a text takes up: the widths of a common sans serif, and lines that are broken.

What is measured here is drawn with whatever font the reader has. The widths are those of Helvetica,
which Arial, Liberation Sans and most system fonts share or stay below.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from typing import Final
from unicodedata import category, combining, decomposition, east_asian_width

from .sketch import Size

#: From one line's foot to the next, in sizes of the font.
LINE_HEIGHT: Final = 1.2

#: What stands where a text was cut.
ELLIPSIS: Final = "\u2026"

#: A label beside a shape has at most so many lines; more would be a paragraph.
LABEL_LINES: Final = 6

#: Lines of more pieces are left as they fall.
_MANY: Final = 40

#: Part of a line that is not broken, and whether a space goes before it.
Piece = tuple[str, bool]

#: Widths of Helvetica in thousandths of the font's size, and the characters that have them.
_WIDTHS: Final = {
    191: "'",
    222: "ijl\u2018\u2019",
    260: "|",
    278: " !,./:;I[\\]ft\u00a0\u0131",
    333: "()-`r\u201c\u201d\u00b7",
    334: "{}",
    355: '"',
    389: "*",
    400: "\u00b0\u2022",
    469: "^",
    500: "Jcksvxyz",
    556: "#$0123456789?L_abdeghnopqu\u2013\u00df\u00a3\u00a7\u20ac",
    584: "+<=>~\u00d7\u2212\u2260\u2264\u2265",
    611: "FTZ\u00f8",
    667: "&ABEKPSVXY",
    722: "CDHNRUw",
    778: "GOQ\u00d8",
    833: "Mm",
    889: "%\u00e6",
    944: "W\u0153",
    1000: "\u2014\u2026\u00c6\u0152\u2190\u2191\u2192\u2193",
    1015: "@",
}
_KNOWN: Final = {each: width for width, them in _WIDTHS.items() for each in them}

#: Where a word that fits no line is broken first: before a capital, after a joint.
_HUMPS: Final = re.compile(
    r"(?<=[a-z\d])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])|(?<=[_./:,;=?&|\\])(?=\w)"
)
#: Where any word may be broken: after a hyphen between letters.
_HYPHENS: Final = re.compile(r"(?<=\w[-\u2010\u2013])(?=\w)")
#: A character with the marks that belong to it.
_JOINERS: Final = frozenset("\u200d\ufe0e\ufe0f")


def text_width(text: str, *, size: float = 12.0) -> float:
    """How wide one line of text is, in pixels."""
    return sum(map(_advance, text)) * size / 1000


def wrap(
    text: str, width: float, *, size: float = 12.0, most: int | None = None
) -> tuple[str, ...]:
    """The lines of a text that is `width` pixels wide at most.

    Lines are broken at spaces, after hyphens and between ideographs; a word that fits no line at
    its humps, and in the end anywhere. Newlines are kept, other white space is one space. Of more
    lines than `most` the last one ends with an ellipsis.
    """
    room = width * 1000 / size
    lines: list[str] = []
    for line in _broken(text.strip(), room):
        if most is not None and len(lines) == most:
            return (*lines[:-1], _cut(lines[-1], room)) if lines else ()
        lines.append(line)
    return tuple(lines)


def even(
    text: str, width: float, *, size: float = 12.0, most: int | None = None
) -> tuple[str, ...]:
    """The lines of `wrap`, about as long as each other: no short word is left alone at the end."""
    lines = wrap(text, width, size=size, most=most)
    if not 1 < len(lines) <= LABEL_LINES or lines[-1].endswith(ELLIPSIS):
        return lines
    room = width * 1000 / size
    found: list[str] = []
    for paragraph in _paragraphs(text.strip()):
        pieces = tuple(_pieces(paragraph, room))
        count = len(tuple(_filled(pieces, room)))
        # Of one line there is nothing to choose; of many pieces too much.
        is_free = count > 1 and len(pieces) <= _MANY
        found += _balanced(pieces, count, room) if is_free else _filled(pieces, room)
    return tuple(found)


def label_size(text: str, *, width: float = 90.0, size: float = 11.0) -> Size:
    """The room of a label that stands outside its shape; nothing for no text."""
    lines = wrap(text, width, size=size, most=LABEL_LINES)
    widest = max((text_width(line, size=size) for line in lines), default=0.0)
    return Size(math.ceil(widest), math.ceil(len(lines) * size * LINE_HEIGHT))


@lru_cache(maxsize=4096)
def _advance(character: str) -> int:
    """The width of one character, in thousandths of the font's size."""
    if (known := _KNOWN.get(character)) is not None:
        return known
    kind = category(character)
    if kind in ("Mn", "Me", "Cf", "Cc", "Zl", "Zp", "Cs"):
        return 0
    if east_asian_width(character) in "WF":
        return 1000
    # An accented letter is as wide as the letter.
    base = decomposition(character).split()
    if base and not base[0].startswith("<"):
        return _advance(chr(int(base[0], 16)))
    return {"Lu": 722, "Ll": 570, "Lo": 600, "So": 1000, "Zs": 278}.get(kind, 600)


def _width(text: str) -> int:
    return sum(map(_advance, text))


def _broken(text: str, room: float) -> Iterator[str]:
    """The lines, one after the other; a long text is not looked at further than it is asked for."""
    if text:
        for paragraph in _paragraphs(text):
            yield from _filled(_pieces(paragraph, room), room)


def _paragraphs(text: str) -> list[str]:
    # Only what ends a line for a reader does; the separators of data are spaces.
    return re.split(r"\r\n|[\r\n\u2028\u2029]", text)


def _filled(pieces: Iterable[Piece], room: float) -> Iterator[str]:
    """The lines of a paragraph, each as full as it can be; an empty one has an empty line."""
    line, taken = "", 0
    for piece, is_first in pieces:
        wide, gap = _width(piece), " " if line and is_first else ""
        if not line or taken + _width(gap) + wide <= room:
            line, taken = line + gap + piece, taken + _width(gap) + wide
        else:
            yield line
            line, taken = piece, wide
    yield line


def _balanced(pieces: Sequence[Piece], count: int, room: float) -> list[str]:
    """So many lines, with the least sum of the squares of their widths.

    A number stays with the word before it, if that costs little.
    """
    #: For the pieces from each on: the cost of so many lines, and where the second one begins.
    best: dict[tuple[int, int], tuple[float, int]] = {(len(pieces), 0): (0.0, 0)}
    for left in range(1, count + 1):
        for start in range(len(pieces)):
            taken = 0
            for end in range(start + 1, len(pieces) + 1):
                piece, is_first = pieces[end - 1]
                taken += _width(piece) + (_advance(" ") if is_first and end > start + 1 else 0)
                if taken > room and end > start + 1:
                    break
                rest = best.get((end, left - 1))
                if rest is None:
                    continue
                begins_badly = end < len(pieces) and pieces[end][0][0].isdigit()
                cost = taken * taken + rest[0] + (room * room / 16 if begins_badly else 0.0)
                # Of two that are as good the one with more in front is taken.
                if (start, left) not in best or cost <= best[start, left][0]:
                    best[start, left] = (cost, end)
    lines: list[str] = []
    start = 0
    for left in range(count, 0, -1):
        end = best[start, left][1]
        words = (f" {piece}" if is_first else piece for piece, is_first in pieces[start:end])
        lines.append("".join(words).strip())
        start = end
    return lines


def _pieces(paragraph: str, room: float) -> Iterator[Piece]:
    """What is not broken again, and whether a space goes before it."""
    for word in re.finditer(r"\S+", paragraph):
        is_first = True
        for part in _HYPHENS.split(word.group()):
            humps = [part] if _fits(part, room) and not _has_ideographs(part) else _split(part)
            for hump in humps:
                pieces = [hump] if _fits(hump, room) else _clusters(hump, room)
                for piece in pieces:
                    yield piece, is_first
                    is_first = False


def _fits(piece: str, room: float) -> bool:
    # Nothing that is seen is that narrow: a piece of any length is not measured.
    return len(piece) <= max(room / 10, 40) and _width(piece) <= room


def _has_ideographs(part: str) -> bool:
    return not part.isascii() and any(_is_ideograph(each) for each in part)


def _is_ideograph(character: str) -> bool:
    return east_asian_width(character) in "WF" and category(character) in ("Lo", "So")


def _split(part: str) -> Iterator[str]:
    """A word at its humps, and around its ideographs."""
    for hump in _HUMPS.split(part):
        if not _has_ideographs(hump):
            yield hump
            continue
        piece = ""
        for each in hump:
            if piece and (_is_ideograph(each) or _is_ideograph(piece[-1])) and not _clings(each):
                yield piece
                piece = ""
            piece += each
        yield piece


def _clings(character: str) -> bool:
    """Whether it may not begin a line: a mark, or what closes or ends a sentence."""
    return (
        combining(character) > 0
        or character in _JOINERS
        or category(character) in ("Mn", "Mc", "Me", "Po", "Pe", "Pf", "Lm")
    )


def _clusters(piece: str, room: float) -> Iterator[str]:
    """Parts of a piece that fit a line, or are a single character with its marks."""
    part, taken = "", 0
    for each in piece:
        wide = _advance(each)
        if part and taken + wide > room and wide:
            yield part
            part, taken = "", 0
        part, taken = part + each, taken + wide
    yield part


def _cut(line: str, room: float) -> str:
    """A line with an ellipsis at its end, as much of it as there is room for."""
    kept, end = line, _advance(ELLIPSIS)
    while kept and _width(kept) + end > room:
        kept = kept[:-1]
    return kept.rstrip(" ,;:.-") + ELLIPSIS
