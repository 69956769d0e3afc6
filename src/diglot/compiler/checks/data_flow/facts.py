"""What the findings of one graph are drawn from, each part worked out when it is asked for."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property
from typing import Any, NamedTuple

from diglot.compiler.checks.ways import Ways
from diglot.compiler.diagnostics import Code, Related, Report
from diglot.compiler.graph import Expression, Graph
from diglot.compiler.hints import Hints
from diglot.compiler.source import Source, Span

from .beside import Beside, beside
from .flow import backward, certain, forward
from .lanes import Lanes, has_lanes
from .points import Points
from .telling import Telling
from .uses import Use, Uses
from .variables import Variables


class Facts:
    """One graph and what is known of its variables."""

    def __init__(
        self, graph: Graph, uses: Uses, report: Report, sources: Mapping[str, Source]
    ) -> None:
        self.graph = graph
        self.uses = uses
        self.variables: Variables = uses.variables
        self.report = report
        self.ways = Ways(graph)
        self.hints = Hints()
        self.telling = Telling(graph, uses.variables, sources)

    @cached_property
    def points(self) -> Points:
        """The net of points."""
        return Points(self.graph, self.ways, self.uses)

    @cached_property
    def reached(self) -> frozenset[int]:
        """The points that a run can come to."""
        return frozenset(self.points.order)

    @cached_property
    def beside(self) -> Beside:
        """What branches do to each other's variables."""
        if not has_lanes(self.graph, self.ways):
            return Beside()
        return beside(self.graph, self.uses, Lanes(self.graph, self.ways))

    @cached_property
    def uncertain(self) -> int:
        """Variables that may change at any time, so that no order of reading and writing holds."""
        return self.beside.contended | self.uses.untimed

    # -- what is known at each point

    @cached_property
    def _entered(self) -> list[int]:
        """What has a value as soon as a scope is entered, by point."""
        given = [0] * len(self.points.after)
        for scope, names in self.variables.declared.items():
            own = self.variables.own(scope)
            if own and any(names.values()):
                bits = 0
                for place, key in self.variables.places_of(own):
                    if key is None and names.get(place.name):
                        bits |= self.variables.bit(place)
                given[self.points.at["enter", scope]] = bits
        return given

    @cached_property
    def drops(self) -> list[int]:
        """What has no value any more, by point."""
        return [deeds.drops for deeds in self.points.deeds]

    @cached_property
    def made(self) -> list[int]:
        """What is given a value by name, by point."""
        entered = self._entered
        return [deeds.writes | entered[point] for point, deeds in enumerate(self.points.deeds)]

    @cached_property
    def gained(self) -> list[int]:
        """What may be given a value by whomever, by point."""
        made = self.made
        return [made[point] | deeds.may for point, deeds in enumerate(self.points.deeds)]

    @cached_property
    def set_before(self) -> list[int]:
        """What may have a value before each point."""
        return forward(self.points, self.gained, self.drops)

    @cached_property
    def made_before(self) -> list[int]:
        """What may have been given a value by name before each point."""
        return forward(self.points, self.made, self.drops)

    @cached_property
    def read_after(self) -> list[int]:
        """What may be read after each point before it is written."""
        deeds = self.points.deeds
        losses = [one.writes | one.drops for one in deeds]
        return backward(self.points, [one.reads for one in deeds], losses)

    @cached_property
    def written_after(self) -> list[int]:
        """What may be written after each point before it is read."""
        deeds = self.points.deeds
        gains = [one.writes & ~one.reads for one in deeds]
        losses = [one.writes | one.reads | one.drops for one in deeds]
        return backward(self.points, gains, losses)

    @cached_property
    def needed(self) -> list[int]:
        """What is needed at or after each point for certain, before anybody may write it."""
        deeds = self.points.deeds
        entered = self._entered
        losses = [one.writes | one.may | entered[point] for point, one in enumerate(deeds)]
        return certain(self.points, [one.surely for one in deeds], losses)

    def point_of(self, use: Use) -> int | None:
        """The point at which a use happens; None where no run comes to it."""
        point = self.points.at.get(use.spot)
        return point if point in self.reached else None

    def value_after(self, point: int) -> int:
        """What may have a value behind a point."""
        return (self.set_before[point] & ~self.drops[point]) | self.gained[point]

    # -- telling

    def tell(
        self,
        code: Code,
        use: Use,
        *,
        hint: str = "",
        related: tuple[Related, ...] = (),
        **parameters: Any,
    ) -> None:
        """Report a finding at a use."""
        telling = self.telling
        self.report.add(
            code, telling.span(use), telling.pointer(use), hint=hint, related=related, **parameters
        )


class PlaceOfUse(NamedTuple):
    """One place of the document, however often it is laid out."""

    pointer: str
    variable: str
    span: Span | None
    start: int


def place_of(facts: Facts, use: Use) -> PlaceOfUse:
    """The place of a use; two that stand at one place are the same to an author."""
    span = use.value.span if isinstance(use.value, Expression) else None
    telling = facts.telling
    return PlaceOfUse(telling.pointer(use), telling.variable(use.bit), span, use.start)
