"""Cures that need no decision of the author: edits of the text that cure a finding and no more.

A fix is made from a finding and the text around it. Whoever applies one compiles again and keeps
it only where the finding is gone and nothing is new; see `applied`.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from typing import Final

import msgspec

from ..diagnostics import Diagnostic, Edit
from ..source import Source
from . import bpmn, expressions, flows, ignores, names, values
from .fix import FIXES, Place

__all__ = ["applied", "with_fixes"]

#: So many findings of a code get fixes; once those are put in, others do.
_MOST_OF_A_CODE: Final = 100

# What a module is there for is to register.
_MODULES = (bpmn, expressions, flows, ignores, names, values)


def with_fixes(found: Iterable[Diagnostic], sources: Mapping[str, Source]) -> Iterator[Diagnostic]:
    """The findings with what cures them; those that have fixes keep them."""
    count: Counter[str] = Counter()
    for one in found:
        source = None if one.span is None or one.fixes else sources.get(one.span.file)
        if source is None or one.span is None or count[one.code] == _MOST_OF_A_CODE:
            yield one
            continue
        place = Place(source, source.offset(one.span.start), source.offset(one.span.end))
        makers = (*FIXES.get(one.code, ()), names.meant)
        made = (make(one, place) for make in makers)
        fix = next((fix for fix in made if fix is not None), None)
        if fix is None:
            yield one
        else:
            count[one.code] += 1
            yield msgspec.structs.replace(one, fixes=(fix,))


def applied(source: Source, edits: Iterable[Edit]) -> str | None:
    """The text after edits of it; None where two of them overlap or one is of another file."""
    text, last = source.text, len(source.text)
    places = sorted(
        ((source.offset(one.span.start), source.offset(one.span.end), one) for one in edits),
        key=lambda place: place[:2],
        reverse=True,
    )
    for start, end, one in places:
        if one.span.file != source.name or end > last:
            return None
        text = text[:start] + one.text + text[end:]
        # Nothing may be inserted twice at one place: nobody knows in which order.
        last = start if end > start else start - 1
    return text
