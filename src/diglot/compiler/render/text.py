"""Findings as text: one line to jump to, the author's line with a caret, how it comes, a hint."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Final

from diglot.compiler.diagnostics import Diagnostic, Severity, TraceStep
from diglot.compiler.plain import plain
from diglot.compiler.source import Source, Span
from diglot.compiler.suppression import Suppressed

from .excerpt import Paint, excerpt

_COLOURS: Final = {Severity.ERROR: "31", Severity.WARNING: "33", Severity.INFO: "36"}
_NOUNS: Final = {Severity.ERROR: "error", Severity.WARNING: "warning", Severity.INFO: "note"}
#: So many steps of a run are told; the first and the last of a longer one.
_MOST_STEPS: Final = 30


def render_text(
    diagnostics: Iterable[Diagnostic],
    sources: Mapping[str, Source],
    *,
    colour: bool = False,
    suppressed: Sequence[Suppressed] = (),
    shows_suppressed: bool = False,
) -> str:
    """Each finding as `file:line:column: code [severity] message` and its place, then a summary.

    Control characters of a document are shown as `�`, so that it cannot steer the terminal.
    """
    paint = Paint(colour)
    found = list(diagnostics)
    blocks = [_block(each, sources, paint) for each in found]
    if shows_suppressed:
        blocks.extend(_suppressed(each, paint) for each in suppressed)
    return "\n\n".join([*blocks, _summary(found, len(suppressed))]) + "\n"


def _block(found: Diagnostic, sources: Mapping[str, Source], paint: Paint) -> str:
    style = _COLOURS[found.severity]
    line = _heading(found, paint(f"[{found.severity.value}]", style), paint)
    places = [(found.span, "", "^", style), *((one.span, one.message, "-", "34") for one in
              found.related)]  # fmt: skip
    shown = [span.start.line for span, *_ in places if span is not None and span.file in sources]
    width = len(str(max(shown))) if shown else -1
    gutter = " " * (width + 1)
    lines = [line]
    for number, (span, message, mark, colour) in enumerate(places):
        if number:
            at = f"{span}: " if span is not None else ""
            lines.append(f"{gutter} {paint('= see:', '1')} {plain(at + message)}")
        source = sources.get(span.file) if span is not None else None
        if span is not None and source is not None:
            lines += excerpt(source, span, paint, colour, width=width, mark=mark)
    lines += _trace(found.trace, gutter, paint)
    if found.hint:
        lines.append(f"{gutter} {paint('= hint:', '1')} {plain(found.hint)}")
    lines += [
        f"{gutter} {paint('= fix:', '1')} {plain(fix.title)} (diglot check --fix)"
        for fix in found.fixes
    ]
    return "\n".join(lines)


def _heading(found: Diagnostic, weight: str, paint: Paint) -> str:
    line = f"{paint(found.code, '1')} {weight} {plain(found.message)}"
    return line if found.span is None else f"{plain(str(found.span))}: {line}"


def _trace(steps: Sequence[TraceStep], gutter: str, paint: Paint) -> Iterator[str]:
    """The steps of a run that matter, numbered, each with its line."""
    told = [step for step in steps if step.matters]
    if not told:
        return
    yield f"{gutter} {paint('= how it comes to this:', '1')}"
    lanes = sorted({step.lane for step in told})
    width = len(str(len(told)))
    for number, step in enumerate(told, 1):
        if len(told) > _MOST_STEPS and number == _MOST_STEPS // 2 + 1:
            yield f"{gutter}   {' ' * width}  ... {len(told) - _MOST_STEPS} more steps"
        if _MOST_STEPS // 2 < number <= len(told) - _MOST_STEPS // 2 and len(told) > _MOST_STEPS:
            continue
        token = f"[token {lanes.index(step.lane) + 1}] " if len(lanes) > 1 else ""
        at = f" ({_line(step.span)})" if step.span is not None else ""
        yield f"{gutter}   {str(number).rjust(width)}. {token}{plain(step.message)}{plain(at)}"


def _line(span: Span) -> str:
    return f"{span.file}:{span.start.line}"


def _suppressed(one: Suppressed, paint: Paint) -> str:
    heading = _heading(one.finding, paint("[ignored]", "34"), paint)
    reason = f"{one.reason} " if one.reason else ""
    return f"{heading}\n {paint('= reason:', '1')} {plain(reason)}({plain(_line(one.span))})"


def _summary(found: Sequence[Diagnostic], suppressed: int) -> str:
    counts = Counter(each.severity for each in found)
    parts = [
        f"{counts[severity]} {noun}{'s' if counts[severity] > 1 else ''}"
        for severity, noun in _NOUNS.items()
        if counts[severity]
    ]
    said = f"Found {', '.join(parts)}" if parts else "Found nothing to report"
    return f"{said} ({suppressed} ignored)." if suppressed else f"{said}."
