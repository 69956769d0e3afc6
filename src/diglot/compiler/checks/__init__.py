"""The checks of a graph, in the order in which they run.

Each check is a function of the graph, the report it adds to and the sources by file name. None
needs another to have passed: a graph with broken references goes through all of them.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from diglot.compiler.diagnostics import Report
from diglot.compiler.graph import Graph
from diglot.compiler.source import Source

from .addresses import check_addresses
from .calls import check_calls
from .commands import check_commands
from .compensation import check_compensation
from .correlation import check_correlation
from .credentials import check_credentials
from .data_flow import check_data_flow
from .drawing_of_flow import check_drawing_of_flow
from .events import check_events
from .expressions import check_expressions
from .faults import check_faults
from .gateways import check_gateways
from .loops import check_loops
from .races import check_races
from .references import check_references
from .security import check_security
from .sites import sites_kept
from .soundness.check import check_soundness
from .structure import check_structure
from .timing import check_timing
from .together import check_together
from .types import check_types
from .ways import ways_kept

__all__ = ["CHECKS", "Check", "run_checks", "run_checks_together"]

Check = Callable[[Graph, Report, Mapping[str, Source]], None]

CHECKS: tuple[Check, ...] = (
    check_references,
    check_structure,
    check_loops,
    check_drawing_of_flow,
    check_gateways,
    check_races,
    check_expressions,
    check_security,
    check_types,
    check_faults,
    check_compensation,
    check_timing,
    check_calls,
    check_events,
    check_correlation,
    check_credentials,
    check_addresses,
    check_commands,
    check_data_flow,
    check_soundness,
)


def run_checks(graph: Graph, report: Report, sources: Mapping[str, Source]) -> None:
    """Run every check; `sources` has the text of the files that spans name, as far as known."""
    with ways_kept(graph), sites_kept(graph):
        for check in CHECKS:
            check(graph, report, sources)


def run_checks_together(
    graphs: Sequence[Graph],
    report: Report,
    sources: Mapping[str, Source],
    imported: Sequence[Graph] = (),
) -> None:
    """Run what can be said only of all graphs of a document; each of them has been checked.

    What it calls may be `imported`.
    """
    check_together(graphs, report, sources, imported)
