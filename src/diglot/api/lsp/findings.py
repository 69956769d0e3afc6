"""Findings in the form of the protocol."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from lsprotocol.types import (
    CodeDescription,
    Diagnostic,
    DiagnosticRelatedInformation,
    DiagnosticSeverity,
    DiagnosticTag,
    Location,
    Range,
)
from pygls.uris import from_fs_path

from diglot.compiler import codes
from diglot.compiler.diagnostics import Diagnostic as Finding
from diglot.compiler.diagnostics import Severity
from diglot.compiler.source import Source, Span

from .analysis import Analysis
from .places import Places

#: Where the page of a code is.
PAGES: Final = "https://diglot.dev/codes/"
SOURCE: Final = "diglot"

_SEVERITIES: Final = {
    Severity.ERROR: DiagnosticSeverity.Error,
    Severity.WARNING: DiagnosticSeverity.Warning,
    Severity.INFO: DiagnosticSeverity.Information,
}
#: What can go without a loss; editors show it faintly.
_UNNECESSARY: Final = frozenset(
    {codes.UNUSED_DECLARATION.id, codes.UNREACHABLE_TASK.id, codes.UNUSED_SUPPRESSION.id}
)


def shown_findings(analysis: Analysis) -> list[Diagnostic]:
    """What an editor shows of a document."""
    if analysis.is_foreign:
        return []
    return [_shown(found, analysis) for found in analysis.compiled.diagnostics]


def range_of(found: Finding, analysis: Analysis) -> Range:
    """Where a finding is in the document; what is of an imported file, at its beginning."""
    top = analysis.places.position(0)
    if found.span is None or found.span.file != analysis.compiled.source.name:
        return Range(top, top)
    return analysis.places.range(found.span)


def _shown(found: Finding, analysis: Analysis) -> Diagnostic:
    message = found.message
    if found.span is not None and found.span.file != analysis.compiled.source.name:
        message = f"{found.span}: {message}"
    return Diagnostic(
        range=range_of(found, analysis),
        severity=_SEVERITIES[found.severity],
        code=found.code,
        code_description=CodeDescription(href=PAGES + found.code),
        source=SOURCE,
        message=f"{message}\n{found.hint}" if found.hint else message,
        tags=[DiagnosticTag.Unnecessary] if found.code in _UNNECESSARY else None,
        related_information=list(_related(found, analysis)) or None,
    )


def _related(found: Finding, analysis: Analysis) -> Iterator[DiagnosticRelatedInformation]:
    """The other places of a finding, and the steps of its run that matter."""
    for one in found.related:
        if one.span is not None:
            yield DiagnosticRelatedInformation(_location(one.span, analysis), one.message)
    steps = [step for step in found.trace if step.matters]
    for number, step in enumerate(steps, 1):
        if step.span is not None:
            message = f"{number}. {step.message}"
            yield DiagnosticRelatedInformation(_location(step.span, analysis), message)


def _location(span: Span, analysis: Analysis) -> Location:
    if span.file == analysis.compiled.source.name:
        return Location(analysis.uri, analysis.places.range(span))
    imported = {one.name: one for one in analysis.compiled.imported}
    source = imported.get(span.file, Source("", span.file))
    uri = from_fs_path(span.file) or span.file
    return Location(uri, Places(source, analysis.places.encoding).range(span))
