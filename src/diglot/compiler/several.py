"""Documents that come together: what is found in one because of what the others define."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace

from .checks.calls import check_called
from .checks.definitions import OF_OTHERS, Beyond, Definitions, calls_of, told_apart
from .checks.recursion import check_recursion
from .checks.types import check_handed
from .diagnostics import Report
from .pipeline import Compiled, finished


def with_others(compiled: Compiled, beyond: Beyond, *, is_complete: bool = False) -> Compiled:
    """A document as it is beside other definitions: calls, circles of calls, and what is handed on.

    The document and its settings say of those findings what they say of all. Where it
    `is_complete` there is nothing else that could be called, also not what the document imports.
    """
    if not any(True for graph in compiled.graphs for _ in calls_of(graph)):
        return compiled
    if not is_complete:
        beyond = Definitions(told_apart(compiled.found.imported), beyond)
    report = Report(one for one in compiled.found.diagnostics if one.code not in OF_OTHERS)
    check_called(compiled.graphs, report, beyond, is_complete=is_complete)
    check_recursion(compiled.graphs, report, beyond)
    check_handed(compiled.graphs, report, beyond)
    found = replace(compiled.found, diagnostics=tuple(report))
    return finished(compiled.graphs, compiled.source, compiled.imported, found)


def beside_each_other(documents: Sequence[Compiled]) -> list[Compiled]:
    """Documents as they are beside each other; something else may be published elsewhere."""
    every = definitions_of(documents)
    return [with_others(one, every) for one in documents]


def with_pools(compiled: Compiled) -> Compiled:
    """A document whose processes have been played together, each once, with their messages."""
    # Late, because nobody else needs it.
    from .checks.soundness.pools import check_pools

    if len(compiled.graphs) < 2:
        return compiled
    report = Report(compiled.found.diagnostics)
    check_pools(compiled.graphs, report)
    found = replace(compiled.found, diagnostics=tuple(report))
    return finished(compiled.graphs, compiled.source, compiled.imported, found)


def definitions_of(documents: Iterable[Compiled], beyond: Beyond | None = None) -> Definitions:
    """What documents define, before what is `beyond`.

    Nobody knows what is meant by a call of something that two of them define, unless its own
    document does.
    """
    graphs = (graph for one in documents if not one.is_refused for graph in one.graphs)
    return Definitions(told_apart(graphs), beyond)
