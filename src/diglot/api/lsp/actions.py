"""What an editor offers to do about a finding: a fix, or an ignore."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from lsprotocol.types import (
    CodeAction,
    CodeActionKind,
    Range,
    TextEdit,
    WorkspaceEdit,
)
from lsprotocol.types import Diagnostic as Shown

from diglot.api.fixing import does_cure, fix_all
from diglot.compiler.diagnostics import Diagnostic, Edit
from diglot.compiler.fixes import applied
from diglot.compiler.suppression.writing import ignore_of

from .analysis import Analysis
from .findings import range_of

FIX_ALL = f"{CodeActionKind.SourceFixAll.value}.diglot"


def actions_at(
    analysis: Analysis, place: Range, shown: Iterable[Shown], only: Iterable[str] | None
) -> list[CodeAction]:
    """What can be done about the findings in a range, of the kinds that are asked for.

    Every action has been tried: it cures its finding, or ignores it, and nothing else comes of it.
    """
    wanted = list(only or ())
    actions: list[CodeAction] = []
    if not wanted or any(_is_kind(CodeActionKind.QuickFix.value, kind) for kind in wanted):
        by_code = {(one.code, _key(one.range)): one for one in shown}
        for found in analysis.compiled.diagnostics:
            where = range_of(found, analysis)
            if found.span is not None and where.start <= place.end and place.start <= where.end:
                about = by_code.get((found.code, _key(where)))
                actions += _fixes(found, analysis, about)
                actions += _ignores(found, analysis, about)
    if any(_is_kind(FIX_ALL, kind) for kind in wanted):
        actions += _everything(analysis)
    return actions


def _fixes(found: Diagnostic, analysis: Analysis, about: Shown | None) -> Iterator[CodeAction]:
    for fix in found.fixes:
        if does_cure(analysis.compiled, found, fix, analysis.compile):
            yield CodeAction(
                title=fix.title,
                kind=CodeActionKind.QuickFix,
                diagnostics=None if about is None else [about],
                is_preferred=True,
                edit=_change(fix.edits, analysis),
            )


def _ignores(found: Diagnostic, analysis: Analysis, about: Shown | None) -> Iterator[CodeAction]:
    source = analysis.compiled.source
    edit = ignore_of(found, source, is_xml=analysis.is_xml)
    text = None if edit is None else applied(source, [edit])
    if edit is None or text is None:
        return
    ignored = [one.finding.code for one in analysis.compile(text).suppressed]
    before = [one.finding.code for one in analysis.compiled.suppressed]
    if ignored.count(found.code) > before.count(found.code):
        yield CodeAction(
            title=f"Ignore {found.code} here.",
            kind=CodeActionKind.QuickFix,
            diagnostics=None if about is None else [about],
            edit=_change([edit], analysis),
        )


def _everything(analysis: Analysis) -> Iterator[CodeAction]:
    fixed = fix_all(analysis.compiled.source.text, analysis.compile)
    if fixed.fixes:
        source = analysis.compiled.source
        whole = Edit(source.span(0, len(source.text)), fixed.compiled.source.text)
        yield CodeAction(
            title="Fix all that Diglot can fix.",
            kind=FIX_ALL,
            edit=_change([whole], analysis),
        )


def _change(edits: Iterable[Edit], analysis: Analysis) -> WorkspaceEdit:
    changes = [TextEdit(analysis.places.range(one.span), one.text) for one in edits]
    return WorkspaceEdit(changes={analysis.uri: changes})


def _key(place: Range) -> tuple[int, int]:
    return place.start.line, place.start.character


def _is_kind(kind: str, wanted: str) -> bool:
    """Whether a kind is the one that is wanted, or is below it."""
    return kind == wanted or kind.startswith(f"{wanted}.")
