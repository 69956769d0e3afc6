"""Findings that their author knows and means: said in the document, beside what they are about.

Only what leaves the document its meaning can be ignored. An ignore that names no code, or that has
nothing to ignore, is a finding itself, so that none outlives its reason.
"""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from ..diagnostics import Diagnostic
from ..source import Source, Span

__all__ = ["Suppressed", "suppress"]


class Suppressed(msgspec.Struct, frozen=True):
    """A finding that is ignored, why, and where that is said."""

    finding: Diagnostic
    reason: str
    span: Span


def suppress(
    found: Sequence[Diagnostic], source: Source, imported: Sequence[Source] = (), *, is_xml: bool
) -> tuple[list[Diagnostic], list[Suppressed]]:
    """The findings that are left, and those that are ignored.

    What is wrong with the ignores of `source` is among the first, unless the document is refused:
    nobody knows then what they would ignore.
    """
    if not any("ignore" in one.text and "diglot" in one.text for one in (*imported, source)):
        return list(found), []
    # Late, because nearly no document has any.
    from .matching import match

    return match(found, source, imported, is_xml=is_xml)
