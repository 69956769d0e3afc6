"""From graphs to the text of one BPMN file, which is read again before it is called done.

What was read from BPMN is written from what was kept of it; everything else is composed.
"""

from __future__ import annotations

from collections.abc import Sequence

from ... import codes
from ...diagnostics import Code, Report
from ...graph import Graph, digest
from ...imports import Resolve
from .diagram import add_diagram
from .kept import kept_tree
from .mend import mend
from .serial import to_xml, without_illegal
from .tag import Tag
from .view import View


def write_bpmn(
    graphs: Sequence[Graph],
    report: Report,
    *,
    view: View = "business",
    resolve: Resolve | None = None,
    is_read_again: bool = True,
) -> str | None:
    """The graphs of one file as BPMN 2.0 with a diagram; None where that cannot be done.

    What is altered on the way is in the report; an error there means that there is no text.
    `resolve` gives what the file imports, as when it was read. Without `is_read_again` nobody makes
    sure of the text: it is only to be looked at, and what it imports may be gone.
    """
    if not graphs:
        report.add(codes.NOTHING_TO_EXPORT, None)
        return None
    kept = kept_tree(graphs)
    if kept is not None:
        found = Report()
        text = _finish(kept, found)
        fault = _fault(text, graphs, resolve) if is_read_again else None
        if fault is None:
            report.diagnostics.extend(found)
            return text
        if fault is codes.EXPORT_TOO_LARGE:
            report.add(fault, None, size=len(text))
            return None
        report.add(codes.GRAPH_CHANGED, None)
    text = _finish(_composed(graphs, view, report), report)
    fault = _fault(text, graphs, resolve) if is_read_again else None
    if fault is not None:
        report.add(fault, None, size=len(text))
        return None
    return text


def _finish(root: Tag, report: Report) -> str:
    without_illegal(root, report)
    mend(root, report)
    add_diagram(root, report)
    return to_xml(root)


def _composed(graphs: Sequence[Graph], view: View, report: Report) -> Tag:
    from .compose import compose_all

    return compose_all(graphs, view, report)


def _fault(text: str, graphs: Sequence[Graph], resolve: Resolve | None) -> Code | None:
    """Why a text is not read as these graphs, among others; None where it is."""
    from .. import read_bpmn

    origin, found = graphs[0].origin, Report()
    again = read_bpmn(text, origin.file if origin else "", found, resolve=resolve)
    if {digest(graph) for graph in graphs} <= {digest(graph) for graph in again.graphs}:
        return None
    limits = (codes.DOCUMENT_TOO_LARGE.id, codes.TOO_MANY_ELEMENTS.id)
    is_too_large = any(one.code in limits for one in found)
    return codes.EXPORT_TOO_LARGE if is_too_large else codes.EXPORT_DIFFERS
