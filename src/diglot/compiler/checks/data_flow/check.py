"""The check of data flow: uses of variables are collected, followed and judged."""

from __future__ import annotations

from collections.abc import Mapping

from diglot.compiler.diagnostics import Report
from diglot.compiler.graph import Graph, ScopeNode
from diglot.compiler.source import Source

from .collecting import uses_of


def check_data_flow(graph: Graph, report: Report, sources: Mapping[str, Source]) -> None:
    """Report what is read and was never written, written and never read, or used by two at once."""
    uses = uses_of(graph)
    has_runs = any(isinstance(node, ScopeNode) and node.multi is not None for node in graph.nodes)
    if not uses.found and not has_runs:
        return
    # Late: many documents name no variable at all.
    from .facts import Facts
    from .flow import TooMuch
    from .missing import check_missing
    from .races import check_completions, check_races
    from .replaced import check_replaced
    from .unread import check_unread

    facts = Facts(graph, uses, report, sources)
    check_completions(facts)
    try:
        check_races(facts)
        dropped = check_replaced(facts)
        check_unread(facts, dropped | check_missing(facts, dropped))
    except TooMuch:
        # So entangled that nothing true can be said of it in reasonable time.
        return
