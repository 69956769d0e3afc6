"""Who may take an error or an escalation at each place of a graph, and whether it surely does.

A place is a node or a scope. Within one, those that name what they take are asked before those that
take everything, as the machine asks them.

Source: BPMN 2.0.2 10.5.1, 10.5.6; DSL reference, Catch.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from enum import Enum
from itertools import combinations
from typing import Any, Final, Literal, NamedTuple

from diglot.compiler.graph import (
    Constant,
    ErrorTrigger,
    EscalationTrigger,
    Graph,
    Handler,
    SeveralTrigger,
    Trigger,
)
from diglot.compiler.graph.errors import STANDARD_ERRORS, canonical_error_type, error_type

Family = Literal["error", "escalation"]

#: An error has no more members to filter by.
_MOST_MEMBERS: Final = 5
_STANDARD_TYPES: Final = frozenset(map(error_type, STANDARD_ERRORS))


class Raised(NamedTuple):
    """What is raised, as far as it is known: a `type` or code, or one of many.

    The machine's own errors are of standard types; of `any` nothing is known.
    """

    family: Family
    form: Literal["known", "machine", "any"]
    type: str = ""
    status: Any = None


ANY_ERROR: Final = Raised("error", "any")
MACHINE_ERROR: Final = Raised("error", "machine")
ANY_ESCALATION: Final = Raised("escalation", "any")


class Place(NamedTuple):
    """A node or a scope, by its id."""

    kind: Literal["node", "scope"]
    id: str


class Answer(Enum):
    """Whether something that is raised is taken."""

    NO = 0
    MAYBE = 1
    SURE = 2


@dataclass(frozen=True, slots=True, eq=False)
class Taker:
    """One thing that a handler takes."""

    handler: Handler
    trigger: ErrorTrigger | EscalationTrigger

    @property
    def family(self) -> Family:
        """What it is about."""
        return "error" if isinstance(self.trigger, ErrorTrigger) else "escalation"

    @property
    def names(self) -> bool:
        """Whether it names what it takes."""
        if isinstance(self.trigger, ErrorTrigger):
            return bool(self.trigger.match)
        return self.trigger.code is not None

    @property
    def is_conditional(self) -> bool:
        """Whether an expression decides what else it takes."""
        trigger = self.trigger
        return isinstance(trigger, ErrorTrigger) and (
            trigger.when is not None or trigger.except_when is not None
        )

    @property
    def gives_up(self) -> bool:
        """Whether an error goes on outwards once it may not be retried.

        Source: our decision A2.
        """
        handler = self.handler
        return handler.retry is not None and handler.run is None and handler.leave_by is None

    def answer(self, raised: Raised) -> Answer:
        """Whether it takes what is raised."""
        if self.family != raised.family:
            return Answer.NO
        trigger = self.trigger
        if isinstance(trigger, EscalationTrigger):
            if trigger.code is None:
                return Answer.SURE
            if raised.form == "any":
                return Answer.MAYBE
            return Answer.SURE if trigger.code == raised.type else Answer.NO
        best = Answer.MAYBE if self.is_conditional else Answer.SURE
        for member, value in trigger.match:
            answer = _compare(member, value, raised)
            if answer is Answer.NO:
                return Answer.NO
            best = Answer.MAYBE if answer is Answer.MAYBE else best
        return best


def _compare(member: str, value: object, raised: Raised) -> Answer:
    """Whether one member of an error equals what a filter wants."""
    if raised.form == "any" or not isinstance(value, Constant):
        return Answer.MAYBE
    wanted = value.document
    if member == "type":
        wanted = canonical_error_type(wanted) if isinstance(wanted, str) else wanted
        if raised.form == "machine":
            return Answer.MAYBE if wanted in _STANDARD_TYPES else Answer.NO
        return Answer.SURE if wanted == raised.type else Answer.NO
    if member == "status" and raised.form == "known" and raised.status is not None:
        return Answer.SURE if wanted == raised.status else Answer.NO
    return Answer.MAYBE


def takers_of(graph: Graph) -> dict[Place, list[Taker]]:
    """The takers of every place that has any, in the order in which they are asked."""
    found: dict[Place, list[Taker]] = {}
    for handler in graph.handlers:
        for place in _guarded(handler):
            for trigger in _parts(handler.trigger):
                if isinstance(trigger, ErrorTrigger | EscalationTrigger):
                    found.setdefault(place, []).append(Taker(handler, trigger))
    for takers in found.values():
        takers.sort(key=lambda taker: not taker.names)
    return found


def shadowed(takers: list[Taker]) -> dict[Taker, Taker]:
    """The takers of one place that nothing comes to, each with the one that takes it all first."""
    found: dict[Taker, Taker] = {}
    first: dict[tuple[Family, frozenset[str]], Taker] = {}
    for taker in takers:
        wanted = _wanted(taker)
        # A filter takes all that one with more members does, and no error has more than a few.
        for count in range(len(wanted) + 1):
            for some in combinations(wanted, count):
                before = first.get((taker.family, frozenset(some)))
                if before is not None:
                    found.setdefault(taker, before)
        if taker not in found and not taker.is_conditional:
            first[taker.family, frozenset(wanted)] = taker
    return found


def _wanted(taker: Taker) -> list[str]:
    if isinstance(taker.trigger, ErrorTrigger):
        return [f"{name}={value!r}" for name, value in taker.trigger.match[:_MOST_MEMBERS]]
    return [] if taker.trigger.code is None else [taker.trigger.code]


def _guarded(handler: Handler) -> Iterator[Place]:
    if handler.node is not None:
        yield Place("node", handler.node)
    elif handler.scope is not None:
        yield Place("scope", handler.scope)


def _parts(trigger: Trigger) -> Iterator[Trigger]:
    """The single things that can trigger a handler."""
    rest = [trigger]
    while rest:
        one = rest.pop()
        if isinstance(one, SeveralTrigger):
            rest.extend(reversed(one.triggers))
        else:
            yield one
