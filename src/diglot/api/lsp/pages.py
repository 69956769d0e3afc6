"""What is shown where the mouse rests: the page of a code."""

from __future__ import annotations

import re
from typing import Final

from lsprotocol.types import Hover, MarkupContent, MarkupKind, Position

from diglot.compiler import codes
from diglot.compiler.diagnostics import Diagnostic
from diglot.compiler.render import explain

from .analysis import Analysis
from .findings import range_of

_CODE: Final = re.compile(r"DG[0-9]{4}", re.IGNORECASE)


def hover_at(analysis: Analysis, position: Position) -> Hover | None:
    """The page of the code that stands at a place, or of what was found there."""
    named = _named_at(analysis, position)
    if named is not None:
        return named
    found = [one for one in analysis.compiled.diagnostics if _is_at(one, analysis, position)]
    if not found or analysis.is_foreign:
        return None
    pages = [explain(codes.by_id(id)) for id in dict.fromkeys(one.code for one in found)]
    whole = range_of(found[0], analysis)
    return Hover(MarkupContent(MarkupKind.Markdown, "\n---\n\n".join(pages)), whole)


def _named_at(analysis: Analysis, position: Position) -> Hover | None:
    source, places = analysis.places.source, analysis.places
    at = places.offset(position)
    for named in _CODE.finditer(source.text, max(at - 6, 0), at + 6):
        code = codes.ALL.get(named.group().upper())
        if code is not None and named.start() <= at <= named.end():
            content = MarkupContent(MarkupKind.Markdown, explain(code))
            return Hover(content, places.range(source.span(*named.span())))
    return None


def _is_at(found: Diagnostic, analysis: Analysis, position: Position) -> bool:
    place = range_of(found, analysis)
    return found.span is not None and place.start <= position <= place.end
