"""A use of a variable: where it stands, and what it does to the variables at its point."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal, NamedTuple

from diglot.compiler.graph import Handler, Node, Value

from .jq import Care
from .variables import Variables

#: A point of a run: a node, or one with a body as it begins; a handler; a scope as it is entered or
#: left.
Spot = tuple[Literal["node", "begin", "handler", "enter", "leave"], str]
#: An `update` writes what it makes of the value it finds at the same moment, `own` is that reading
#: of it; `awaited` is a reading that waits until the value is what it should be; `perhaps` is one
#: of a name that the result of the activity may have, too.
Kind = Literal["read", "own", "awaited", "perhaps", "write", "update"]


class Use(NamedTuple):
    """One variable at one place of the document."""

    spot: Spot
    bit: int
    name: str
    kind: Kind
    care: Care
    is_private: bool
    owner: Node | Handler | None
    value: Value | None = None
    start: int = 0
    end: int = 0


@dataclass(slots=True)
class Deeds:
    """What happens to the variables at one point, as sets: first it reads, then it writes.

    What is read `surely` has to be there. `may` be written is what somebody else decides; what is
    dropped has no value afterwards, unless it is written.
    """

    reads: int = 0
    surely: int = 0
    writes: int = 0
    may: int = 0
    drops: int = 0


@dataclass(slots=True)
class Uses:
    """The uses of a graph, and what they come to at each point."""

    variables: Variables
    found: list[Use] = field(default_factory=list[Use])
    deeds: dict[Spot, Deeds] = field(default_factory=dict[Spot, Deeds])
    #: Variables that compensation uses, at a time that no flow tells.
    untimed: int = 0

    def at(self, spot: Spot) -> Deeds:
        """What happens at a point, to be added to."""
        found = self.deeds.get(spot)
        if found is None:
            found = self.deeds[spot] = Deeds()
        return found
