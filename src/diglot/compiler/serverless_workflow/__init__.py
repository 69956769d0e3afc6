"""The reader of Serverless (Open) Workflow, DSL 1.0: text, shape, graph."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ..diagnostics import Report
    from ..graph import Graph
    from ..source import Source


def read(source: Source, report: Report) -> Graph | None:
    """The graph of a document; None when the text or its shape is so wrong that there is none.

    There may be a graph although the report has errors: then it is for further checks only, as
    parts of it stand in for what was refused.
    """
    # Late: the models of the DSL take a while to load, and a text may be no workflow at all.
    from .reader import read_workflow
    from .shape import check_shape
    from .yaml import load_document

    document = load_document(source, report)
    if document is None:
        return None
    model = check_shape(document, report)
    if model is None:
        return None
    return read_workflow(document, model, report, source)
