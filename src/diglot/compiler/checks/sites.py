"""The expressions of a graph at their places, found out once for all checks that look at them."""

from __future__ import annotations

from collections.abc import Generator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Final

from diglot.compiler.graph import Graph
from diglot.compiler.graph.sites import Site, walk_expressions


def sites_of(graph: Graph) -> Sequence[Site]:
    """Every expression of the graph, in the order of `walk_expressions`."""
    kept = _KEPT.get()
    if kept is None or kept[0] is not graph:
        return tuple(walk_expressions(graph))
    if not kept[1]:
        kept[1].append(tuple(walk_expressions(graph)))
    return kept[1][0]


#: The graph in question, and its expressions once somebody has asked for them.
_KEPT: Final[ContextVar[tuple[Graph, list[Sequence[Site]]] | None]] = ContextVar(
    "sites", default=None
)


@contextmanager
def sites_kept(graph: Graph) -> Generator[None, None, None]:
    """As long as this lasts, the expressions of a graph are found out once for all who ask."""
    before = _KEPT.set((graph, []))
    try:
        yield
    finally:
        _KEPT.reset(before)
