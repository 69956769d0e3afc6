"""A place of a document as text: its line with marks below it."""

from __future__ import annotations

import unicodedata
from typing import Final

from diglot.compiler.plain import plain
from diglot.compiler.source import Source, Span

_WIDEST_LINE: Final = 120


class Paint:
    """Wraps text into ANSI colours, or leaves it alone."""

    def __init__(self, is_on: bool) -> None:
        self._is_on = is_on

    def __call__(self, text: str, style: str) -> str:
        """The text in a style, which is a number of ANSI."""
        return f"\x1b[{style}m{text}\x1b[0m" if self._is_on else text


def excerpt(
    source: Source, span: Span, paint: Paint, style: str, *, width: int, mark: str = "^"
) -> list[str]:
    """The first line of a span with marks below it, line numbers in a gutter of this width."""
    number = str(span.start.line).rjust(width)
    gutter = " " * (width + 1)
    line = source.lines[span.start.line - 1] if span.start.line <= len(source.lines) else ""
    first = min(span.start.column - 1, len(line))
    last = span.end.column - 1 if span.end.line == span.start.line else len(line)
    last = min(max(first, last), len(line))
    before, marked, after = _window(line, first, last)
    pad = "".join("\t" if char == "\t" else " " * _width(char) for char in before)
    marks = paint(mark * max(1, sum(_width(char) for char in marked)), style)
    until = f" ... to line {span.end.line}" if span.end.line > span.start.line else ""
    bar = paint("|", "34")
    shown = f"{before}{marked}{after}"
    return [
        f"{gutter} {bar}",
        f" {paint(number, '34')} {bar} {shown}".rstrip(),
        f"{gutter} {bar} {pad}{marks}{until}",
    ]


def _window(line: str, first: int, last: int) -> tuple[str, str, str]:
    """The line before, in and behind the span, cut so that a long line stays readable."""
    start = 0
    if first > _WIDEST_LINE * 3 // 4:
        start = first - _WIDEST_LINE // 2
    end = start + _WIDEST_LINE
    before = ("…" if start else "") + line[start:first]
    marked = line[first : min(last, end)]
    after = line[last:end] if last < end else ""
    return plain(before), plain(marked), plain(after) + ("…" if len(line) > end else "")


def _width(char: str) -> int:
    """How many columns a terminal gives a character."""
    if unicodedata.combining(char):
        return 0
    return 2 if unicodedata.east_asian_width(char) in "WF" else 1
