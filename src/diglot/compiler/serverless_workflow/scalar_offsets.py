"""From a character of a scalar's value back to the character of the file it was read from.

An expression's error names an offset in the string that the parser returned. Between that string
and the file stand quotes, escapes, folded lines and the indentation of block scalars.
Source: YAML 1.2.2, 7.3 (flow scalars) and 8.1 (block scalars).
"""

from __future__ import annotations

import re

_PROPERTIES = re.compile(r"(?:[&!]\S*(?:[ \t\r\n]|#[^\r\n]*)+)*")
_BREAK = re.compile(r"\r\n|\r|\n")
_BLANK = re.compile(r"[ \t]*(?:(?:\r\n|\r|\n)[ \t]*)*")
_SURROGATE_PAIR = re.compile(r"\\u[dD][89abAB][0-9a-fA-F]{2}\\u[dD][c-fC-F][0-9a-fA-F]{2}")
_ESCAPE_LENGTHS = {"x": 4, "u": 6, "U": 10}


def offset_in_scalar(
    text: str, start: int, end: int, style: str, value: object, offset: int
) -> int:
    """Where the character at `offset` of `value` stands in `text`.

    The scalar's notation, node properties included, is `text[start:end]`; an offset past the
    value gives the place behind its last character.
    """
    start = _end(_PROPERTIES, text, start, end)
    if style == "|":
        places = _literal(text, _line_end(text, start)[1], str(value))
    elif style == ">":
        places = _folded(text, _line_end(text, start)[1], end, str(value))
    elif style:
        end = max(start + 1, end - 1)
        places = _flow(text, start + 1, end, style)
    else:
        places = _flow(text, start, end, style)
    if 0 <= offset < len(places):
        return places[offset]
    return end if offset > 0 else start


def _flow(text: str, at: int, end: int, style: str) -> list[int]:
    """The place of each character of a plain or quoted scalar."""
    places: list[int] = []
    while at < end:
        if text[at] in " \t\r\n":
            blank_end = _end(_BLANK, text, at, end)
            breaks = _breaks(text, at, blank_end)
            # One line end folds to a space, each further one is kept; blanks around them are not.
            places.extend((breaks[1:] or breaks) if breaks else range(at, blank_end))
            at = blank_end
        elif style == '"' and text[at] == "\\":
            at = _escape(text, at, end, places)
        else:
            places.append(at)
            at += 2 if style == "'" and text[at] == "'" else 1
    return places


def _escape(text: str, at: int, end: int, places: list[int]) -> int:
    """Record what the escape at `at` stands for; the place behind it."""
    if text[at + 1 : at + 2] in ("\r", "\n"):
        # An escaped line end stands for nothing; each empty line behind it for one line end.
        blank_end = _end(_BLANK, text, at + 1, end)
        places.extend(_breaks(text, at + 1, blank_end)[1:])
        return blank_end
    places.append(at)
    if _SURROGATE_PAIR.match(text, at, end):
        return at + 12
    return at + _ESCAPE_LENGTHS.get(text[at + 1 : at + 2], 2)


def _literal(text: str, at: int, value: str) -> list[int]:
    """The place of each character of a literal block whose first line starts at `at`.

    The indentation is not computed from the header: each line of the file ends with what the
    value has for it, so the value itself says how much was taken off.
    """
    places: list[int] = []
    for line in value.split("\n"):
        line_end, next_line = _line_end(text, at)
        places.extend(range(line_end - len(line), line_end + 1))
        at = next_line
    return places[: len(value)]


def _folded(text: str, at: int, end: int, value: str) -> list[int]:
    """The place of each character of a folded block whose first line starts at `at`."""
    places: list[int] = []
    pending: list[int] = []
    indentation: int | None = None
    while at < end and len(places) < len(value):
        line_end, next_line = _line_end(text, at)
        line = text[at:line_end]
        if indentation is None and line.strip(" "):
            first = next((piece for piece in value.split("\n") if piece.strip(" ")), "")
            indentation = _leading_spaces(line) - _leading_spaces(first)
        content = "" if indentation is None else line[indentation:]
        reach = len(places) + len(pending) + 1 + len(content)
        found = value.find(content, len(places), reach) if content else -1
        if found >= 0:
            # Between two lines stand one space, or as many line ends as are kept.
            kept = found - len(places)
            places.extend([at] * (kept - len(pending)))
            places.extend(pending[max(0, len(pending) - kept) :])
            places.extend(range(line_end - len(content), line_end))
            pending = []
        pending.append(line_end)
        at = next_line
    places.extend(pending)
    return places[: len(value)]


def _leading_spaces(line: str) -> int:
    return len(line) - len(line.lstrip(" "))


def _line_end(text: str, at: int) -> tuple[int, int]:
    """Where the line around `at` ends, and where the next one starts."""
    found = _BREAK.search(text, at)
    return found.span() if found else (len(text), len(text))


def _breaks(text: str, start: int, end: int) -> list[int]:
    return [found.start() for found in _BREAK.finditer(text, start, end)]


def _end(pattern: re.Pattern[str], text: str, at: int, end: int) -> int:
    found = pattern.match(text, at, end)
    return found.end() if found else at
