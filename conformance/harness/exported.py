"""What comes back of a definition that was written as BPMN and read again: the same definition."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import msgspec

from diglot.compiler import Compiled, codes, compile_source
from diglot.compiler.bpmn.writing.view import View
from diglot.compiler.bpmn.writing.write import write_bpmn
from diglot.compiler.diagnostics import Diagnostic, Report, Severity
from diglot.compiler.graph import Graph, digest
from diglot.compiler.imports import Resolve

VIEWS: Final[tuple[View, ...]] = ("business", "technical")


class NotCarried(Exception):
    """A definition was not written, or is another one when it is read again."""


@dataclass(frozen=True, slots=True)
class Way:
    """One way to write a definition."""

    view: View
    #: Whether what was kept of a BPMN file is left out, so that everything is drawn anew.
    is_anew: bool = False

    def __str__(self) -> str:
        return f"{self.view}, anew" if self.is_anew else self.view


@dataclass(frozen=True, slots=True)
class Exported:
    """A file that was written, and what was read out of it."""

    text: str
    compiled: Compiled


def ways_of(graphs: Sequence[Graph]) -> list[Way]:
    """The ways in which a document can be written: what was BPMN also as if it had not been.

    What was kept of BPMN is written alike in every view.
    """
    if any(graph.foreign is not None for graph in graphs):
        return [Way("business"), *(Way(view, is_anew=True) for view in VIEWS)]
    return [Way(view) for view in VIEWS]


def export(
    source: Compiled, way: Way, *, is_strict: bool = False, resolve: Resolve | None = None
) -> Exported:
    """The file of a document, read again.

    Raises:
        NotCarried: it is not the same document.
    """
    graphs, name = source.graphs, source.source.name
    if way.is_anew:
        graphs = tuple(_bare(graph) for graph in graphs)
    try:
        text = written(graphs, way.view, resolve)
        again = read_again(text, graphs, name, is_strict=is_strict, resolve=resolve)
    except NotCarried as error:
        raise NotCarried(f"{way}: {error}") from None
    return Exported(text, again)


def written(graphs: Sequence[Graph], view: View, resolve: Resolve | None = None) -> str:
    """The text of graphs.

    Raises:
        NotCarried: there is none, or it is not what was kept although something was.
    """
    report = Report()
    text = write_bpmn(graphs, report, view=view, resolve=resolve)
    if text is None:
        raise NotCarried(f"it is not written: {_errors(report.diagnostics)}")
    if any(found.code == codes.GRAPH_CHANGED.id for found in report):
        raise NotCarried("what was kept is read as another graph")
    return text


def read_again(
    text: str,
    graphs: Sequence[Graph],
    name: str,
    *,
    is_strict: bool = False,
    resolve: Resolve | None = None,
) -> Compiled:
    """What a text is read as, which are these graphs.

    Raises:
        NotCarried: they are not.
    """
    again = compile_source(text, name, dialect="bpmn", is_strict=is_strict, resolve=resolve)
    if again.is_refused:
        raise NotCarried(f"what was written has errors: {_errors(again.diagnostics)}")
    before, after = [digest(graph) for graph in graphs], [digest(graph) for graph in again.graphs]
    if before != after:
        raise NotCarried(f"the digests are {after}, not {before}")
    return again


def _bare(graph: Graph) -> Graph:
    return msgspec.structs.replace(graph, foreign=None, presentation=None)


def _errors(found: Sequence[Diagnostic]) -> str:
    errors = [one for one in found if one.severity is Severity.ERROR]
    return "; ".join(f"{one.span} {one.code} {one.message}" for one in errors[:3]) or "unsaid"
