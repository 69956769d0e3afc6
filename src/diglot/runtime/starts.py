"""What starts instances of a definition: the triggers of its root scope, one by one.

Source: BPMN 2.0.2 10.5.2, Table 10.84; 13.2; DSL reference, Schedule.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, NamedTuple

from diglot.compiler.graph import (
    ConditionTrigger,
    EventTrigger,
    SeveralTrigger,
    Start,
    TimerTrigger,
    Trigger,
)

from .errors import CallerError, UnrunnableGraph

if TYPE_CHECKING:
    from .parts import Condition, FilterPlan
    from .plan import Plan

    #: The filters of a strategy, the condition that ends it, and the filters that do.
    StrategyPlan = tuple[list[FilterPlan], Condition | None, list[FilterPlan]]


class Way(NamedTuple):
    """One way to start: a trigger of the `Start` with the id `node`, and its strategy, if any."""

    node: str
    trigger: Trigger
    strategy: StrategyPlan | None


def single_triggers(node: Start) -> Iterator[Trigger]:
    """The triggers of a start, each of which starts an instance by itself.

    Raises:
        UnrunnableGraph: one is among them that nothing outside of an instance can trigger, or that
            waits for others.
    """
    for trigger in node.triggers:
        yield from _single(node.id, trigger)


def _single(node: str, trigger: Trigger) -> Iterator[Trigger]:
    match trigger:
        case SeveralTrigger(triggers=parts, needs_all=needs_all):
            if needs_all and len(parts) > 1:
                raise UnrunnableGraph(
                    f"{node} cannot wait for several triggers before there is an instance; "
                    "events that all have to come are one trigger"
                )
            for part in parts:
                yield from _single(node, part)
        case TimerTrigger() | EventTrigger() | ConditionTrigger():
            yield trigger
        case _:
            raise UnrunnableGraph(f"a {type(trigger).__name__} starts no instance ({node})")


def ways_of(plan: Plan) -> list[Way]:
    """The ways to start, numbered over all starts of the root scope in order of the document."""
    return [
        Way(node.id, trigger, strategy)
        for node in plan.graph.nodes
        if isinstance(node, Start) and node.scope == plan.graph.root
        for trigger, strategy in plan.nodes[node.id].parts
    ]


def shared_by_starts(ways: list[Way]) -> frozenset[str]:
    """The correlation keys that several ways to start have in common.

    What one of them begins is what the others' messages of the same key belong to.

    Source: BPMN 2.0.2 13.2.
    """
    seen: dict[str, set[str]] = {}
    for way in ways:
        for filter in [] if way.strategy is None else way.strategy[0]:
            for key in filter.filter.correlations:
                if key.is_shared:
                    seen.setdefault(key.name, set()).add(way.node)
    return frozenset(name for name, nodes in seen.items() if len(nodes) > 1)


def check_start(plan: Plan, start: str) -> None:
    """Check that a node can get the first token.

    Raises:
        CallerError: it is no start of the root scope.
    """
    root = plan.graph.root
    known = [node.id for node in plan.graph.nodes if isinstance(node, Start) and node.scope == root]
    if start not in known:
        raise CallerError(
            f"{plan.graph.name} has no start {start!r}; it has {', '.join(map(repr, known))}"
        )
