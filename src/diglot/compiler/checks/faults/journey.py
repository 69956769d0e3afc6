"""The way of an error or an escalation outwards, walked beforehand as the machine walks it.

From a node it is offered to what guards the node, then to the handlers of the scope around it, then
to what guards the node that entered the scope, and so on. What comes out of a handler goes past the
scope that it handles for.

Source: BPMN 2.0.2 10.5.1, 10.5.6, 13.5.4; DSL, Fault Tolerance.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Final, NamedTuple

from diglot.compiler.graph import Graph

from .sources import owners_of, sources_of
from .takers import Answer, Place, Raised, Taker, shadowed, takers_of

#: More steps than any document of an author asks for; with more nothing is said.
_LIMIT: Final = 50_000


class Stop(NamedTuple):
    """A place on the way outwards; one that is entered from a handler is passed by."""

    place: Place
    is_from_handler: bool = False


class Fate(NamedTuple):
    """What becomes of something raised: whether it may be taken, and whether it may get out."""

    may_be_taken: bool
    may_get_out: bool


@dataclass(eq=False)
class Journeys:
    """All journeys of a graph at once."""

    graph: Graph
    #: Places inside of which something of a family may be raised, be it caught in there.
    raising: set[tuple[Place, str]] = field(default_factory=set[tuple[Place, str]])
    #: Takers that may take something.
    used: set[Taker] = field(default_factory=set[Taker])
    #: Whether all of them were walked to their ends.
    is_complete: bool = True
    _fates: dict[tuple[Stop, Raised], Fate] = field(default_factory=dict[tuple[Stop, Raised], Fate])
    _steps: int = 0

    def __post_init__(self) -> None:
        graph = self.graph
        self.takers = takers_of(graph)
        #: Takers that others of the same place leave nothing to.
        self.shadowed = {
            taker: first
            for takers in self.takers.values()
            if len(takers) > 1
            for taker, first in shadowed(takers).items()
        }
        self.owners = owners_of(graph)
        self._scope_of = {node.id: node.scope for node in graph.nodes}
        self._run_for = {
            handler.run: handler.scope for handler in graph.handlers if handler.run is not None
        }
        #: What fails while something is undone fails where that was asked for.
        self._undoing = {handler.activity for handler in graph.handlers if handler.activity}
        if not self.takers:
            return
        done: set[tuple[Place, Raised]] = set()
        for source, raised in sources_of(graph):
            place = self._first_place(source)
            if (place, raised) in done:
                continue
            done.add((place, raised))
            self._note(place, raised)
            self.fate(place, raised)
            if not self.is_complete:
                break

    def _first_place(self, place: Place) -> Place:
        """Most nodes have nobody who takes anything: what they raise comes from their scope."""
        scope = self._scope_of.get(place.id) if place.kind == "node" else None
        if scope is None or place in self.takers or place.id in self._undoing:
            return place
        return Place("scope", scope)

    def fate(self, place: Place, raised: Raised) -> Fate:
        """What becomes of what is raised at a place."""
        path: list[tuple[Stop, bool]] = []
        stop: Stop | None = Stop(place)
        seen: set[Stop] = set()
        fate = Fate(False, True)
        while stop is not None and stop not in seen:
            known = self._fates.get((stop, raised))
            if known is not None:
                fate = known
                break
            seen.add(stop)
            self._steps += 1
            if self._steps > _LIMIT:
                self.is_complete = False
                break
            answer = Answer.NO if stop.is_from_handler else self._offer(stop.place, raised)
            if answer is Answer.SURE:
                fate = self._fates[stop, raised] = Fate(True, False)
                break
            path.append((stop, answer is Answer.MAYBE))
            stop = self.outwards(stop)
        for one, is_taken in reversed(path):
            fate = self._fates[one, raised] = Fate(fate.may_be_taken or is_taken, fate.may_get_out)
        return fate

    def stops(self, place: Place) -> Iterator[Stop]:
        """The places on the way outwards, the innermost first."""
        stop: Stop | None = Stop(place)
        seen: set[Stop] = set()
        while stop is not None and stop not in seen:
            seen.add(stop)
            yield stop
            stop = self.outwards(stop)

    def outwards(self, stop: Stop) -> Stop | None:
        """Where it goes on from a place that does not take it."""
        kind, id = stop.place
        if kind == "node":
            scope = self._scope_of.get(id)
            return None if scope is None or id in self._undoing else Stop(Place("scope", scope))
        if id in self.owners:
            return Stop(Place("node", self.owners[id]))
        parent = self._run_for.get(id)
        return None if parent is None else Stop(Place("scope", parent), is_from_handler=True)

    def _note(self, place: Place, raised: Raised) -> None:
        for one, is_from_handler in self.stops(place):
            if is_from_handler:
                continue
            if (one, raised.family) in self.raising:
                return
            self.raising.add((one, raised.family))

    def _offer(self, place: Place, raised: Raised) -> Answer:
        """Ask the takers of a place one after the other, and note what may take it."""
        best = Answer.NO
        for taker in self.takers.get(place, ()):
            answer = taker.answer(raised)
            if answer is Answer.NO or taker in self.shadowed:
                continue
            self.used.add(taker)
            best = Answer.MAYBE
            if answer is Answer.SURE:
                return Answer.MAYBE if taker.gives_up else Answer.SURE
        return best
