"""What a handler's trigger consists of: the single things that can come, and which must.

Source: BPMN 2.0.2 10.5.5 (Multiple, Parallel Multiple).
"""

from __future__ import annotations

from collections.abc import Collection
from typing import NamedTuple

from diglot.compiler import graph as g

from .errors import UnrunnableGraph


class Heard(NamedTuple):
    """An event that one filter takes."""

    filter: g.EventFilter
    read: g.ReadMode


#: One thing that can come.
Occasion = (
    Heard
    | g.TimerTrigger
    | g.ErrorTrigger
    | g.EscalationTrigger
    | g.ConditionTrigger
    | g.CompensationTrigger
    | g.CancelTrigger
)


class Several(NamedTuple):
    """Which of several have to come: one or all of them; a number is an occasion's own."""

    parts: tuple[Wanted, ...]
    needs_all: bool


Wanted = int | Several


def occasions(trigger: g.Trigger) -> tuple[tuple[Occasion, ...], Several | None]:
    """The occasions of a trigger in order, and which of them must come: nothing means any one.

    Raises:
        UnrunnableGraph: one is among them that cannot wait for others, or an event without an end.
    """
    found: list[Occasion] = []
    wanted = _lay_out(trigger, found)
    if not _has_all(wanted):
        return tuple(found), None
    for occasion in found:
        if isinstance(occasion, g.ErrorTrigger | g.CompensationTrigger | g.CancelTrigger):
            name = type(occasion).__name__
            raise UnrunnableGraph(f"a {name} cannot be one of several that all have to come")
    assert isinstance(wanted, Several)
    return tuple(found), wanted


def _lay_out(trigger: g.Trigger, found: list[Occasion]) -> Wanted:
    if isinstance(trigger, g.SeveralTrigger):
        parts = tuple(_lay_out(part, found) for part in trigger.triggers)
        return Several(parts, trigger.needs_all)
    if isinstance(trigger, g.EventTrigger):
        strategy = trigger.strategy
        if strategy.until is not None or strategy.until_events is not None:
            raise UnrunnableGraph("a handler takes no events until something else comes")
        first = len(found)
        found.extend(
            Heard(filter, trigger.read) for filter in strategy.filters or (g.EventFilter(),)
        )
        return Several(tuple(range(first, len(found))), strategy.mode == "all")
    found.append(trigger)
    return len(found) - 1


def _has_all(wanted: Wanted) -> bool:
    if isinstance(wanted, int):
        return False
    return (wanted.needs_all and len(wanted.parts) > 1) or any(map(_has_all, wanted.parts))


def have_come(wanted: Wanted, come: Collection[int]) -> bool:
    """Whether the occasions that have come are those that are wanted."""
    if isinstance(wanted, int):
        return wanted in come
    each = (have_come(part, come) for part in wanted.parts)
    return all(each) if wanted.needs_all else any(each)
