"""What is raised and never caught, and what is caught and never raised.

Source: BPMN 2.0.2 10.5.1, 10.5.6; DSL reference, Catch, Raise.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from diglot.compiler import codes
from diglot.compiler.diagnostics import Related, Report
from diglot.compiler.graph import Constant, ErrorTrigger, Graph, Handler, Pass, Raise
from diglot.compiler.source import Source

from ..once import add_once
from .journey import Journeys, Stop
from .sources import known_error
from .takers import Place, Raised, Taker

#: Scopes at whose border an author can put a catch.
_WITH_BORDER: Final = frozenset({"sub-process", "transaction", "ad-hoc"})


def check_faults(graph: Graph, report: Report, sources: Mapping[str, Source]) -> None:
    """Report what is raised in vain and what is caught in vain.

    What is raised in a process itself and not in a part of it is how the process ends, and is for
    whoever calls it. Where a graph is so large that not all can be followed, nothing is reported.
    """
    if not graph.handlers and not any(isinstance(node, Raise) for node in graph.nodes):
        return
    found = Report()
    check = _Check(graph, found, already=report)
    if not check.journeys.is_complete:
        return
    for node in graph.nodes:
        if isinstance(node, Raise) and not node.again:
            check.raised(node)
    for place, takers in check.journeys.takers.items():
        check.caught(place, takers)
    add_once(found, report)


class _Check:
    def __init__(self, graph: Graph, report: Report, *, already: Report) -> None:
        self._report = report
        self.journeys = Journeys(graph)
        self._root = graph.root
        self._process = graph.title or graph.name
        self._nodes = {node.id: node for node in graph.nodes}
        self._scopes = {scope.id: scope for scope in graph.scopes}
        #: Catches that the reader has found to be wrong in themselves.
        self._told = {
            found.pointer.rpartition("/errors/")[0]
            for found in already
            if found.code == codes.CATCH_NEVER_MATCHES.id
        }

    def raised(self, node: Raise) -> None:
        """An error or an escalation that an author raises."""
        if node.escalation is not None:
            raised = Raised("escalation", "known", node.escalation)
        elif node.error is not None:
            raised = known_error(node.error)
        else:
            return
        if raised.form != "known":
            return
        place = Place("node", node.id)
        if self.journeys.fate(place, raised).may_be_taken:
            return
        stops = list(self.journeys.stops(place))
        if self._told and any(
            self._is_told(taker.handler)
            for stop in stops
            for taker in self.journeys.takers.get(stop.place, ())
        ):
            return
        if stops[-1].place == Place("scope", self._root) and self._crosses(stops[1:], raised):
            name = node.name or node.pointer or node.id
            passed = self._passed(stops, raised)
            is_error = raised.family == "error"
            about: dict[str, Any] = {"error" if is_error else "escalation": raised.type}
            self._report.add(
                codes.UNCAUGHT_ERROR if is_error else codes.UNCAUGHT_ESCALATION,
                node.span,
                node.pointer,
                related=passed,
                node=name,
                **about,
            )

    def _crosses(self, stops: list[Stop], raised: Raised) -> bool:
        """Whether it leaves a part of the process where its author could have caught it."""
        for place, is_from_handler in stops:
            if not is_from_handler and self._of_family(place, raised.family):
                return True
            scope = self._scopes.get(place.id) if place.kind == "scope" else None
            if scope is not None and scope.form in _WITH_BORDER:
                return True
        return False

    def _passed(self, stops: list[Stop], raised: Raised) -> list[Related]:
        """The catches it comes by, each of which takes something else."""
        return [
            Related(
                message=f"{_words(taker)} is caught here",
                span=taker.handler.span,
                pointer=taker.handler.pointer,
            )
            for place, is_from_handler in stops
            if not is_from_handler
            for taker in self._of_family(place, raised.family)
        ]

    def _of_family(self, place: Place, family: str) -> list[Taker]:
        return [one for one in self.journeys.takers.get(place, ()) if one.family == family]

    def caught(self, place: Place, takers: list[Taker]) -> None:
        """What is caught at one place."""
        for taker in takers:
            handler = taker.handler
            is_unused = taker not in self.journeys.used and taker not in self.journeys.shadowed
            if not is_unused or self._is_told(handler) or _is_made(place, handler):
                continue
            guarded = self._name_of(place)
            if (place, taker.family) in self.journeys.raising:
                what = _words(taker).removeprefix("the ").removeprefix("every ")
                self._report.add(
                    codes.DEAD_CATCH, handler.span, handler.pointer, what=what, guarded=guarded
                )
            elif not self._is_unfinished(place):
                self._report.add(
                    codes.CATCH_OF_NOTHING,
                    handler.span,
                    handler.pointer,
                    guarded=guarded,
                    family=taker.family,
                )

    def _is_unfinished(self, place: Place) -> bool:
        """Whether it is a call that does not say yet what is called."""
        node = self._nodes.get(place.id) if place.kind == "node" else None
        return node is not None and node.construct == "call-activity" and isinstance(node, Pass)

    def _is_told(self, handler: Handler) -> bool:
        return handler.pointer in self._told

    def _name_of(self, place: Place) -> str:
        """What a catch guards, in its author's words."""
        id = place.id
        if place.kind == "scope":
            if id == self._root:
                return self._process
            id = self.journeys.owners.get(id, id)
        node = self._nodes.get(id)
        return id if node is None else node.name or node.pointer or id


def _is_made(place: Place, handler: Handler) -> bool:
    """Whether a reader made the catch, as for the branches of a race."""
    return place.kind == "node" and not handler.name and handler.pointer != place.id


def _words(taker: Taker) -> str:
    """What a catch is about, in words."""
    if not taker.names:
        return f"every {taker.family}"
    if not isinstance(taker.trigger, ErrorTrigger):
        return f"the escalation `{taker.trigger.code}`"
    match = dict(taker.trigger.match)
    member = "type" if "type" in match else next(iter(match))
    value = match[member]
    text = value.document if isinstance(value, Constant) else "..."
    return f"the error `{text}`" if member == "type" else f"the error of {member} `{text}`"
