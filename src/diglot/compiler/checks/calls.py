"""Calls of other definitions: whether there is, or can ever be, what is called.

Source: DSL reference, Workflow Process; BPMN 2.0.2 13.3.4; our decisions A30, A90, A118.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Final

from diglot.compiler import codes
from diglot.compiler.diagnostics import Report, Severity
from diglot.compiler.graph import Call, Graph
from diglot.compiler.graph.resolution import LATEST
from diglot.compiler.hints import Hints
from diglot.compiler.source import Source

from .definitions import Beyond, Definitions, calls_of
from .listeners import called, looks_computed

_SEMANTIC: Final = re.compile(
    r"(?:0|[1-9]\d*)\.(?:0|[1-9]\d*)\.(?:0|[1-9]\d*)(?:-[0-9A-Za-z.-]+)?(?:\+[0-9A-Za-z.-]+)?"
)


def check_calls(graph: Graph, report: Report, sources: Mapping[str, Source]) -> None:
    """Report calls of a version that no definition can ever have."""
    is_idle = graph.metadata.get("executable", True) is False
    for node in _calls(graph):
        if not _is_possible(node.version):
            report.add(
                codes.VERSION_NEVER_PUBLISHED,
                node.span,
                node.pointer,
                severity=Severity.WARNING if is_idle else None,
                caller=called(node),
                version=node.version[:80],
            )


def check_called(
    graphs: Sequence[Graph],
    report: Report,
    beyond: Beyond | None = None,
    *,
    is_complete: bool = False,
) -> None:
    """Report calls of what is not among the definitions of a document, and those `beyond`.

    It may be published elsewhere: only what is there in another version is missing for sure. Where
    it `is_complete`, so is everything that nobody has.
    """
    hints = Hints()
    known = Definitions(graphs, beyond)
    for graph in graphs:
        for node in _calls(graph):
            if looks_computed(node.process) or not _is_possible(node.version):
                continue
            if known.called_by(node) is not None:
                continue
            versions = known.named_by(node)
            if versions:
                hint = f"There is {', '.join(sorted(versions)[:5])}."
            else:
                hint = hints.did_you_mean(node.process, known.names(node.namespace))
            is_missing = bool(versions) or is_complete
            if is_missing or node.version == LATEST:
                report.add(
                    codes.CALL_UNRESOLVED if is_missing else codes.CALL_BINDS_LATE,
                    node.span,
                    node.pointer,
                    hint=hint,
                    caller=called(node),
                    process=node.process,
                    version=node.version,
                )


def _calls(graph: Graph) -> Iterable[Call]:
    """The calls of a graph; one that is laid out at several places is looked at once."""
    return {node.pointer or node.id: node for node in calls_of(graph)}.values()


def _is_possible(version: str) -> bool:
    return version == LATEST or _SEMANTIC.fullmatch(version) is not None
