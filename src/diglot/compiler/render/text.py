"""Findings as text: one line to jump to, the author's line with a caret, and a hint."""

from __future__ import annotations

import unicodedata
from collections import Counter
from collections.abc import Iterable, Mapping

from diglot.compiler.diagnostics import Diagnostic, Severity
from diglot.compiler.plain import plain
from diglot.compiler.source import Source, Span

_WIDEST_LINE = 120
_COLOURS = {Severity.ERROR: "31", Severity.WARNING: "33", Severity.INFO: "36"}
_NOUNS = {Severity.ERROR: "error", Severity.WARNING: "warning", Severity.INFO: "note"}


def render_text(
    diagnostics: Iterable[Diagnostic], sources: Mapping[str, Source], *, colour: bool = False
) -> str:
    """Each finding as `file:line:column: code [severity] message` and its place, then a summary.

    Control characters of a document are shown as `�`, so that it cannot steer the terminal.
    """
    paint = _Paint(colour)
    found = list(diagnostics)
    blocks = [_block(each, sources, paint) for each in found]
    return "\n\n".join([*blocks, _summary(found)]) + "\n"


class _Paint:
    """Wraps text into ANSI colours, or leaves it alone."""

    def __init__(self, is_on: bool) -> None:
        self._is_on = is_on

    def __call__(self, text: str, style: str) -> str:
        return f"\x1b[{style}m{text}\x1b[0m" if self._is_on else text


def _block(found: Diagnostic, sources: Mapping[str, Source], paint: _Paint) -> str:
    style = _COLOURS[found.severity]
    severity = paint(f"[{found.severity.value}]", style)
    line = f"{paint(found.code, '1')} {severity} {plain(found.message)}"
    gutter = ""
    lines = [line]
    if found.span is not None:
        lines = [f"{plain(str(found.span))}: {line}"]
        source = sources.get(found.span.file)
        if source is not None:
            excerpt, gutter = _excerpt(source, found.span, paint, style)
            lines += excerpt
    if found.hint:
        lines.append(f"{gutter} {paint('= hint:', '1')} {plain(found.hint)}")
    return "\n".join(lines)


def _excerpt(source: Source, span: Span, paint: _Paint, style: str) -> tuple[list[str], str]:
    """The first line of a span with a caret below it, and the gutter's blank width."""
    number = str(span.start.line)
    gutter = " " * (len(number) + 1)
    line = source.lines[span.start.line - 1] if span.start.line <= len(source.lines) else ""
    first = min(span.start.column - 1, len(line))
    last = span.end.column - 1 if span.end.line == span.start.line else len(line)
    last = min(max(first, last), len(line))
    before, marked, after = _window(line, first, last)
    pad = "".join("\t" if char == "\t" else " " * _width(char) for char in before)
    carets = paint("^" * max(1, sum(_width(char) for char in marked)), style)
    until = f" ... to line {span.end.line}" if span.end.line > span.start.line else ""
    bar = paint("|", "34")
    shown = f"{before}{marked}{after}"
    return [
        f"{gutter} {bar}",
        f" {paint(number, '34')} {bar} {shown}".rstrip(),
        f"{gutter} {bar} {pad}{carets}{until}",
    ], gutter


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


def _summary(found: list[Diagnostic]) -> str:
    counts = Counter(each.severity for each in found)
    parts = [
        f"{counts[severity]} {noun}{'s' if counts[severity] > 1 else ''}"
        for severity, noun in _NOUNS.items()
        if counts[severity]
    ]
    return f"Found {', '.join(parts)}." if parts else "Found nothing to report."
