"""Files by other tools, read: each becomes graphs that hold, or is refused with exact findings."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field

from diglot.compiler import Compiled, codes, compile_source
from diglot.compiler.diagnostics import Diagnostic, Severity
from diglot.compiler.graph import digest, from_json, to_json
from diglot.runtime.plan import Plan

from .outcome import Reporter


@dataclass(slots=True)
class Tally:
    """How the files of a suite were taken: how many, and how often each warning was given."""

    read: int = 0
    refused: int = 0
    warnings: Counter[str] = field(default_factory=Counter[str])

    @property
    def line(self) -> str:
        """`12 read, 3 refused; warnings: DG1203 x 7, DG1505 x 2`."""
        told = ", ".join(f"{code} x {count}" for code, count in self.warnings.most_common())
        return f"{self.read} read, {self.refused} refused; warnings: {told or 'none'}"


def problem_of_import(data: bytes, name: str, tally: Tally, report: Reporter) -> str | None:
    """Read a file and say what is wrong with that; a refusal is reported with its first error."""
    return taken(compile_source(data, name), name, tally, report)


def taken(compiled: Compiled, name: str, tally: Tally, report: Reporter) -> str | None:
    """Count a file that was read, and say what is wrong with what came of it."""
    errors = [found for found in compiled.diagnostics if found.severity is Severity.ERROR]
    tally.warnings.update(
        found.code for found in compiled.diagnostics if found.severity is Severity.WARNING
    )
    if errors:
        tally.refused += 1
        others = f" (and {len(errors) - 1} more)" if len(errors) > 1 else ""
        report(f"refused: {name}: {told(errors[0])}{others}")
    else:
        tally.read += 1
    return next(_problems(compiled, is_refused=bool(errors)), None)


def told(found: Diagnostic) -> str:
    """`12:5 DG1203 what is wrong`."""
    place = "nowhere"
    if found.span is not None:
        place = f"{found.span.start.line}:{found.span.start.column}"
    return f"{place} {found.code} {found.message}"


def _problems(compiled: Compiled, *, is_refused: bool) -> Iterator[str]:
    lines = compiled.source.lines
    for found in compiled.diagnostics:
        if found.code not in codes.ALL:
            yield f"nobody knows the code {found.code}"
        if not found.hint or not _is_inside(found, lines):
            yield f"{told(found)}: it has no place in the file, or no cure"
    if not compiled.graphs and not compiled.diagnostics:
        yield "nothing came of it, and nothing says why"
    for graph in compiled.graphs:
        again = from_json(to_json(graph))
        if digest(again) != digest(graph) or to_json(again) != to_json(graph):
            yield f"the graph of {graph.name} is another one once it was written and read"
        if not is_refused:
            Plan(graph, digest(graph), {})


def _is_inside(found: Diagnostic, lines: list[str]) -> bool:
    if found.span is None:
        return False
    start, end = found.span.start, found.span.end
    return all(
        1 <= place.line <= len(lines) and 1 <= place.column <= len(lines[place.line - 1]) + 1
        for place in (start, end)
    )
