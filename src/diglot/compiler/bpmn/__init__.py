"""BPMN 2.0 files: read without loss, checked, and made into graphs, one a process."""

from __future__ import annotations

from ..diagnostics import Report
from ..graph import Graph
from ..source import Source


def read_bpmn(
    text: str | bytes, name: str, report: Report, *, is_strict: bool = False
) -> tuple[tuple[Graph, ...], Source]:
    """The graphs of a file's processes, the executable ones first, and its text.

    `is_strict`: whatever breaks a rule of the standard is an error, also where every reader knows
    what is meant.
    """
    from .profiles import profile_of
    from .reader import read
    from .rules import check_rules
    from .shape import check_shape
    from .xml import read_xml

    document = read_xml(text, name, report)
    if document is None:
        shown = text if isinstance(text, str) else text.decode("utf-8", "replace")
        return (), Source(shown, name)
    check_shape(document, report, strict=is_strict)
    check_rules(document, report, strict=is_strict)
    if report.has_errors:
        # What does not hang together is not laid out: its faults would be told again, as others.
        return (), document.source
    return read(document, report, profile=profile_of(document)), document.source
