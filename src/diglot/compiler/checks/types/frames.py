"""What an expression sees at one place: its input, and every `$name` the machine binds.

Source: DSL, Runtime Expression Arguments; BPMN 2.0.2 10.4.1.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Final

from diglot.compiler.graph import Choice, Expression, Node

from .joining import lay_over, union
from .model import (
    ANY_NUMBER,
    ANY_OBJECT,
    ANY_TEXT,
    ANYTHING,
    NOTHING,
    NULL_ONLY,
    Member,
    Object,
    Type,
    object_of,
    record,
)
from .variables import Variables, bound_as

MOMENT: Final = record(iso8601=ANY_TEXT, epoch=record(seconds=ANY_NUMBER, milliseconds=ANY_NUMBER))
#: What a caught error has; more than that may have come with it from outside.
ERROR: Final = object_of(
    {
        name: Member(ANYTHING if name == "detail" else type)
        for name, type in (
            ("type", ANY_TEXT), ("status", ANYTHING), ("title", ANYTHING),
            ("detail", ANYTHING), ("instance", ANYTHING),
        )
    }
)  # fmt: skip


@dataclass(slots=True)
class Frame:
    """One place of the graph; `read` and the outputs are None where there are none yet."""

    node: Node | None
    scope: str
    raw: Type
    input: Type
    output: Type | None = None
    read: Type | None = None
    raw_output: Type | None = None
    #: Names bound here only, such as an error or an item.
    extra: dict[str, Type] = field(default_factory=dict[str, Type])


class Surroundings:
    """The variables of a graph, and the input that an instance was started with."""

    def __init__(self, variables: Variables, started_with: Type) -> None:
        self.variables = variables
        self.started_with = started_with

    def dot(self, expression: Expression, frame: Frame, data: Type) -> Type:
        """What `.` is for an expression: the data, or all variables in sight as one object."""
        if expression.of == "data":
            return data
        found = self.variables.in_sight(frame.scope)
        for nearer in (frame.read, frame.raw_output):
            if nearer is not None and nearer.object is not None:
                found = union(found, lay_over(found.object or Object({}), nearer.object))
        if frame.extra:
            found = lay_over(found.object or Object({}), bound_as(frame.extra))
        return found

    def variable(self, name: str, frame: Frame) -> Type:
        """What `$name` is; anything where that is not known."""
        if name in frame.extra:
            return frame.extra[name]
        held = self.variables.get(frame.scope, name)
        if held != NOTHING:
            return held
        match name:
            case "input":
                return frame.input
            case "output":
                return ANYTHING if frame.output is None else frame.output
            case "task":
                return self._task(frame)
            case "workflow":
                return record(
                    id=ANY_TEXT, definition=ANYTHING, input=self.started_with, startedAt=MOMENT
                )
            case "__now":
                return ANY_NUMBER
            case _:
                return ANYTHING

    def _task(self, frame: Frame) -> Type:
        node = frame.node
        if node is None or node.subject:
            return union(NULL_ONLY, ANY_OBJECT)
        known = {
            "name": ANY_TEXT, "reference": ANY_TEXT, "definition": ANYTHING, "input": frame.raw,
            "output": ANYTHING, "startedAt": MOMENT,
        }  # fmt: skip
        members = {name: Member(type, True) for name, type in known.items()}
        # A switch shows its definition there, too.
        return object_of(members, ANYTHING if isinstance(node, Choice) else NOTHING)
