r"""From a character of an expression back to the character of the file that it was read from.

Between an expression's text and its file stand what a notation adds: the indentation of a block,
folded lines, the escapes of a quoted string. The two texts are laid side by side, in each notation
in turn, until one accounts for every character.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping

from diglot.compiler.graph import Expression
from diglot.compiler.source import Position, Source, Span

_BLANK = " \t\r\n"
_ESCAPE = re.compile(
    r"\\(?:u[dD][89abAB][0-9a-fA-F]{2}\\u[dD][c-fC-F][0-9a-fA-F]{2}"
    r"|x[0-9a-fA-F]{2}|u[0-9a-fA-F]{4}|U[0-9a-fA-F]{8}|.)",
    re.DOTALL,
)
_ESCAPED = {"n": "\n", "t": "\t", "r": "\r", "b": "\b", "f": "\f", "0": "\0", "e": "\x1b"}


def span_inside(
    expression: Expression, start: int, end: int, sources: Mapping[str, Source]
) -> Span | None:
    """The place in the file of the characters `[start, end)` of an expression.

    Where the file's text is not at hand the place is counted in the expression's own lines; where
    it says something else than the expression, the place is that of the whole expression.
    """
    whole = expression.span
    if whole is None:
        return None
    text, shift = expression.text, 0
    if expression.source is not None and expression.source_language == "jq":
        # The author's words stand somewhere inside what a reader made of them.
        shift = max(0, text.find(expression.source))
        text = expression.source
    start, end = start - shift, end - shift
    start = max(0, min(start, len(text)))
    end = max(start, min(end, len(text)))
    source = sources.get(whole.file)
    if source is None:
        return Span(
            whole.file, _counted(whole.start, text[:start]), _counted(whole.start, text[:end])
        )
    from_, to = source.offset(whole.start), source.offset(whole.end)
    for unit in (_plain, _single_quoted, _double_quoted):
        places = _side_by_side(text, source.text, from_, to, unit)
        if places is not None:
            last = places[end - 1] + 1 if end > start else places[start]
            return source.span(places[start], max(last, places[start]))
    return whole


def _counted(start: Position, before: str) -> Position:
    lines = before.split("\n")
    if len(lines) == 1:
        return Position(start.line, start.column + len(before))
    return Position(start.line + len(lines) - 1, len(lines[-1]) + 1)


#: The character that a notation writes at a place of a file, and how many characters it takes.
_Unit = Callable[[str, int], tuple[str, int]]


def _plain(file: str, at: int) -> tuple[str, int]:
    return file[at], 1


def _single_quoted(file: str, at: int) -> tuple[str, int]:
    return file[at], 2 if file.startswith("''", at) else 1


def _double_quoted(file: str, at: int) -> tuple[str, int]:
    found = _ESCAPE.match(file, at)
    if found is None:
        return file[at], 1
    escape = found.group()
    if escape[1] in "xuU" and len(escape) > 2:
        code = int(escape[2:6] if len(escape) == 12 else escape[2:], 16)
        if len(escape) == 12:
            code = 0x10000 + ((code - 0xD800) << 10) + int(escape[8:], 16) - 0xDC00
        return chr(min(code, 0x10FFFF)), len(escape)
    return ("" if escape[1] in "\r\n" else _ESCAPED.get(escape[1], escape[1])), len(escape)


def _side_by_side(text: str, file: str, at: int, end: int, unit: _Unit) -> list[int] | None:
    """The place in the file of each character of the text and of its end; None if they differ."""
    places: list[int] = []
    while len(places) < len(text):
        if at >= end:
            return None
        wanted = text[len(places)]
        if file[at] in _BLANK:
            blanks = _run(file, at, end)
            kept = _run(text, len(places), min(len(text), len(places) + blanks))
            # What a fold or an indentation takes away stands behind the first blank.
            away = blanks - kept
            places.extend(at + number + (away if number else 0) for number in range(kept))
            at += blanks
            continue
        character, length = unit(file, at)
        if character == wanted:
            places.append(at)
        elif character:
            return None
        at += length
    places.append(at)
    return places if at == end else None


def _run(text: str, at: int, end: int) -> int:
    """The number of blanks from `at` on."""
    length = 0
    while at + length < end and text[at + length] in _BLANK:
        length += 1
    return length
