"""An ignore as it is written beside a finding."""

from __future__ import annotations

from typing import Final

from .. import codes
from ..diagnostics import Diagnostic, Edit
from ..source import Source

#: What is wrong with an ignore is not ignored by another one.
_OF_IGNORES: Final = (codes.UNKNOWN_SUPPRESSION.id, codes.UNUSED_SUPPRESSION.id)

#: What an author puts the reason in the place of.
REASON: Final = "why this is meant"


def ignore_of(found: Diagnostic, source: Source, *, is_xml: bool) -> Edit | None:
    """The comment that ignores a finding, in a line of its own before what it is about.

    None where a finding cannot be ignored, or there is no place for a comment.
    """
    if found.is_firm or found.span is None or found.span.file != source.name:
        return None
    if found.code in _OF_IGNORES:
        return None
    at = _anchor(found, source, is_xml=is_xml)
    if at is None:
        return None
    start = source.text.rfind("\n", 0, at) + 1
    before = source.text[start:at]
    line_end = "\r\n" if "\r\n" in source.text else "\n"
    text = f"diglot: ignore[{found.code}] {REASON}"
    if not is_xml:
        line = source.text[start:].split("\n", 1)[0]
        indent = line[: len(line) - len(line.lstrip())]
        return Edit(source.span(start, start), f"{indent}# {text}{line_end}")
    if before.strip():
        return Edit(source.span(at, at), f"<!-- {text} -->")
    return Edit(source.span(at, at), f"<!-- {text} -->{line_end}{before}")


def _anchor(found: Diagnostic, source: Source, *, is_xml: bool) -> int | None:
    """The offset of what an ignore of the finding has to stand before."""
    if is_xml:
        from .in_bpmn import start_of_place

        return start_of_place(found, source)
    from .in_yaml import start_of_place

    return start_of_place(found, source)
