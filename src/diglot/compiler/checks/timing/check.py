"""All that is said about time."""

from __future__ import annotations

from collections.abc import Mapping

from diglot.compiler.diagnostics import Report
from diglot.compiler.graph import Graph
from diglot.compiler.source import Source

from ..once import add_once
from ..ways import Ways
from .lengths import name_of
from .limits import check_limits, check_waits
from .moments import check_moment, timers_of
from .piling import check_piling
from .retries import check_retry
from .surroundings import Surroundings


def check_timing(graph: Graph, report: Report, sources: Mapping[str, Source]) -> None:
    """Report times that cannot be meant, as far as they are known without a clock."""
    surroundings = Surroundings(graph)
    armed = list(timers_of(graph, surroundings.owners))
    retrying = [handler for handler in graph.handlers if handler.retry is not None]
    if not armed and not retrying:
        return
    found = Report()
    for one in armed:
        check_moment(one, found, sources)
    ways = Ways(graph)
    for handler in retrying:
        scope = handler.scope or ""
        owner = surroundings.owners.get(scope)
        task = name_of(handler) if owner is None else name_of(owner)
        check_retry(handler, task, surroundings.bound_in(scope) if scope else None, found)
    check_limits(graph, ways, surroundings, found)
    check_piling(graph, ways, surroundings, found)
    check_waits(graph, ways, surroundings, found)
    add_once(found, report)
