"""Handlers, compiled: what can trigger each, and which guard one node or scope."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from diglot.compiler import graph as g

from .evaluate import Compiled, compile_value, compile_watch
from .occasions import Heard, Occasion, occasions
from .parts import ErrorPlan, FilterPlan, RetryPlan, RulesPlan, condition
from .timing import Due, compile_timer

if TYPE_CHECKING:
    from .parts import Condition
    from .semantics.frame import Frame
    from .semantics.step import Step

    TimerDue = Callable[[Step, Frame, Any], Due | None]


class OccasionPlan:
    """One thing that can trigger a handler, compiled for what it is.

    `index` is its number among the handler's.
    """

    __slots__ = (
        "code", "condition", "due", "except_when", "filter", "handler", "index", "key", "match",
        "occasion", "read", "variable", "when",
    )  # fmt: skip

    def __init__(self, handler: HandlerPlan, index: int, occasion: Occasion) -> None:
        self.handler = handler
        self.index = index
        self.occasion = occasion
        #: Under which the state knows what it last was.
        self.key = handler.id if index == 0 else f"{handler.id}#{index}"
        self.due: TimerDue | None = None
        self.filter: FilterPlan | None = None
        self.read: g.ReadMode = "data"
        self.condition: Condition | None = None
        self.match: list[tuple[str, Compiled]] = []
        self.when = self.except_when = None
        self.code: str | None = None
        self.variable = ""
        match occasion:
            case g.TimerTrigger():
                self.due = compile_timer(occasion)
            case Heard():
                self.filter, self.read = FilterPlan(occasion.filter), occasion.read
            case g.ConditionTrigger():
                self.condition = compile_watch(occasion.condition)
            case g.ErrorTrigger():
                self.match = [(name, compile_value(value)) for name, value in occasion.match]
                self.when = condition(occasion.when)
                self.except_when = condition(occasion.except_when)
                self.variable = occasion.variable
            case g.EscalationTrigger():
                self.code, self.variable = occasion.code, occasion.variable
            case _:
                pass

    @property
    def is_armed(self) -> bool:
        """Whether it has to be waited for; what is raised inside comes by itself."""
        return not (self.due is None and self.filter is None and self.condition is None)


class HandlerPlan:
    """A handler with what can trigger it; where `wanted` is nothing, any one of these does."""

    __slots__ = ("handler", "id", "occasions", "raises", "retry", "rules", "trigger", "wanted")

    def __init__(self, handler: g.Handler, resources: dict[str, Any]) -> None:
        self.handler = handler
        self.id = handler.id
        self.trigger = handler.trigger
        self.retry = None if handler.retry is None else RetryPlan(handler.retry)
        self.raises = None if handler.raises is None else ErrorPlan(handler.raises)
        self.rules = None if handler.data is None else RulesPlan(handler.data, resources)
        found, self.wanted = occasions(handler.trigger)
        self.occasions = tuple(
            OccasionPlan(self, index, occasion) for index, occasion in enumerate(found)
        )


class Guards:
    """The handlers of one node or scope, by how they are triggered."""

    __slots__ = ("armed", "errors", "escalations")

    def __init__(self) -> None:
        #: By the clock, by events and by conditions: armed as long as what they guard is active.
        self.armed: list[HandlerPlan] = []
        self.errors: list[OccasionPlan] = []
        self.escalations: list[OccasionPlan] = []

    def add(self, handler: HandlerPlan) -> None:
        """Sort a handler in.

        Within one level one that names what it takes goes before one that takes everything.
        """
        if any(occasion.is_armed for occasion in handler.occasions):
            self.armed.append(handler)
        for occasion in handler.occasions:
            match occasion.occasion:
                case g.ErrorTrigger():
                    self.errors.append(occasion)
                case g.EscalationTrigger():
                    self.escalations.append(occasion)
                case _:
                    pass
        self.errors.sort(key=lambda occasion: not occasion.match)
        self.escalations.sort(key=lambda occasion: occasion.code is None)
