"""The checks of a graph, in the order in which they run.

Each check is a function of the graph, the report it adds to and the sources by file name. None
needs another to have passed: a graph with broken references goes through all of them.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from diglot.compiler.diagnostics import Report
from diglot.compiler.graph import Graph
from diglot.compiler.source import Source

from .expressions import check_expressions
from .loops import check_loops
from .references import check_references
from .security import check_security
from .structure import check_structure

__all__ = ["CHECKS", "Check", "run_checks"]

Check = Callable[[Graph, Report, Mapping[str, Source]], None]

CHECKS: tuple[Check, ...] = (
    check_references,
    check_structure,
    check_loops,
    check_expressions,
    check_security,
)


def run_checks(graph: Graph, report: Report, sources: Mapping[str, Source]) -> None:
    """Run every check; `sources` has the text of the files that spans name, as far as known."""
    for check in CHECKS:
        check(graph, report, sources)
