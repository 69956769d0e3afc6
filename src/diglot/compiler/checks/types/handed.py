"""What calls hand to other definitions, held against the schema of their input.

Source: DSL, Data Flow; DSL reference, Workflow Process; our decision A30.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from diglot.compiler import codes
from diglot.compiler.diagnostics import Report
from diglot.compiler.graph import Call, Graph, Schema

from ..definitions import Beyond, Definitions, calls_of
from ..listeners import called
from .check import is_too_deep
from .flowing import Flowing
from .joining import meet
from .model import NOTHING, Type
from .unlike import unlike


class _Handed(NamedTuple):
    """The input of a call, and what the called definition takes."""

    call: Call
    graph: Graph
    given: Type
    wanted: Type

    @property
    def is_unfit(self) -> bool:
        """Whether no value of what is given is taken, where there is one at all."""
        found = meet(self.given, self.wanted)
        return found == NOTHING and NOTHING not in (self.given, self.wanted)


def check_handed(graphs: Sequence[Graph], report: Report, beyond: Beyond | None = None) -> None:
    """Report calls whose input never fits the schema of the definition that they start.

    That is the version that an engine would take, of the same document or `beyond`.
    """
    known = Definitions(graphs, beyond)
    for graph in graphs:
        by_place: dict[str, list[_Handed]] = {}
        for one in _handed(graph, known):
            by_place.setdefault(one.call.pointer or one.call.id, []).append(one)
        for places in by_place.values():
            # A call that is laid out several times is wrong only if it is so each time.
            if all(one.is_unfit for one in places):
                _tell(places[0], report)


def _handed(graph: Graph, known: Definitions) -> Iterator[_Handed]:
    """The calls of a graph that are reached, as far as what they start has a schema."""
    wanted: list[tuple[Call, Graph, Schema]] = []
    for call in calls_of(graph):
        found = known.called_by(call)
        if found is not None and found.data is not None and found.data.input_schema is not None:
            wanted.append((call, found, found.data.input_schema))
    if not wanted or is_too_deep(graph):
        return
    flowing = Flowing(graph)
    flowing.run()
    for call, found, schema in wanted:
        given = flowing.handed.get(call.id)
        if given is not None:
            yield _Handed(call, found, given, flowing.type_of(schema))


def _tell(one: _Handed, report: Report) -> None:
    report.add(
        codes.INPUT_NEVER_TAKEN,
        one.call.span,
        one.call.pointer,
        call=called(one.call),
        process=one.graph.name,
        reason=unlike(one.given, one.wanted),
    )
