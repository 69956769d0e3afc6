"""A process while it is composed: shapes and lines, before they are elements.

A shape without a name stands for something that is not drawn. Where it has one way in or one way
out it is absorbed by the shape before or behind it, which then shows its parts too; otherwise it
becomes a gateway.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal

from ...graph import Expression
from ..rules.kinds import ACTIVITIES, EVENTS, GATEWAYS
from .parts import Value
from .tag import Tag

#: Why something is drawn that is no part of the graph.
Drawn = Literal[
    "", "start", "end", "merge", "split", "question", "skip", "inside", "handler",
    "way",
]  # fmt: skip


@dataclass(eq=False, slots=True)
class Stamp:
    """A part at the element that shows it; `is_named` says that the element has its name."""

    value: Value
    is_named: bool = False
    #: Whether an element that absorbs this part is named after it.
    keeps_name: bool = False
    #: The element of the question that its guard is.
    question: Shape | None = None


@dataclass(eq=False, slots=True)
class Shape:
    """A flow node to be, or what takes its place.

    `absorbs` says where a shape without a name goes: into what follows it, or what precedes it;
    `around` into an activity before or behind it.
    Flows to it lead to the node `entry`, flows from it leave the node `exit`; without them it is
    the first node that it shows.
    """

    name: str
    sheet: Sheet
    #: What its id should be like.
    wish: str = ""
    label: str = ""
    documentation: str = ""
    attributes: dict[str, str] = field(default_factory=dict[str, str])
    #: What stands in it behind its flows: event definitions, the text of a script, a condition.
    inside: list[Tag] = field(default_factory=list[Tag])
    loop: Tag | None = None
    stamps: list[Stamp] = field(default_factory=list[Stamp])
    drawn: Drawn = ""
    entry: str = ""
    exit: str = ""
    absorbs: Literal["", "forward", "backward", "around"] = ""
    #: What it is drawn as where nothing can absorb it; it has no name as long as that is open.
    otherwise: str = ""
    ins: list[Line] = field(default_factory=list["Line"])
    outs: list[Line] = field(default_factory=list["Line"])
    #: What a boundary event is attached to, and the boundary events at an activity.
    host: Shape | None = None
    boundaries: list[Shape] = field(default_factory=list["Shape"])
    #: The way that is taken when no condition holds.
    default: Line | None = None
    content: Sheet | None = None
    notes: list[str] = field(default_factory=list[str])
    id: str = ""

    @property
    def is_activity(self) -> bool:
        """Whether events can be attached to it."""
        return self.name in ACTIVITIES

    @property
    def is_event(self) -> bool:
        """Whether it is an event."""
        return self.name in EVENTS

    @property
    def is_gateway(self) -> bool:
        """Whether it is a gateway."""
        return self.name in GATEWAYS

    @property
    def is_apart(self) -> bool:
        """Whether no flow leads to it or from it: an event sub-process, or what undoes another."""
        return (
            "triggeredByEvent" in self.attributes
            or "isForCompensation" in self.attributes
            or (
                self.name == "boundaryEvent"
                and any(tag.name == "compensateEventDefinition" for tag in self.inside)
            )
        )


@dataclass(eq=False, slots=True)
class Line:
    """A sequence flow to be."""

    source: Shape
    target: Shape
    stamps: list[Stamp] = field(default_factory=list[Stamp])
    label: str = ""
    documentation: str = ""
    condition: Expression | None = None
    drawn: Drawn = ""
    wish: str = ""
    id: str = ""


@dataclass(eq=False, slots=True)
class Sheet:
    """What is drawn in one container: the process, or a sub-process."""

    owner: Shape | None
    depth: int
    is_ad_hoc: bool = False
    shapes: list[Shape] = field(default_factory=list[Shape])
    #: Pairs of a compensation event and the activity that it runs.
    associations: list[tuple[Shape, Shape]] = field(default_factory=list[tuple[Shape, Shape]])
    #: The graph's scopes that are drawn here.
    scopes: list[str] = field(default_factory=list[str])

    def add(self, shape: Shape) -> Shape:
        """Put a shape behind the shapes there are."""
        self.shapes.append(shape)
        return shape


def join(source: Shape, target: Shape, drawn: Drawn = "") -> Line:
    """A line between two shapes of one sheet."""
    line = Line(source, target, drawn=drawn)
    source.outs.append(line)
    target.ins.append(line)
    return line


def cut(line: Line) -> None:
    """Take a line away."""
    line.source.outs.remove(line)
    line.target.ins.remove(line)


def turn(line: Line, *, source: Shape | None = None, target: Shape | None = None) -> None:
    """Let a line begin or end elsewhere."""
    if source is not None:
        line.source.outs.remove(line)
        line.source = source
        source.outs.append(line)
    if target is not None:
        line.target.ins.remove(line)
        line.target = target
        target.ins.append(line)
