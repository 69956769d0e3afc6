"""What `diglot run` says of starts that it does not follow as they are meant.

It begins one instance by hand, and of the other definitions it knows those alone begin that a
message, a signal or an event starts.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from diglot.compiler.graph import ConditionTrigger, EventTrigger, TimerTrigger

from .by_hand import named

if TYPE_CHECKING:
    from collections.abc import Iterable

    from diglot.compiler.graph import Graph
    from diglot.runtime.parts import FilterPlan
    from diglot.runtime.plan import Plan
    from diglot.runtime.starts import Way


def begun_by_hand(plan: Plan, start: str | None) -> str:
    """What is different where an instance begins now: nothing at a start without a trigger."""
    place = start or plan.scopes[plan.graph.root].start
    ways = [way for way in plan.ways if way.node == place]
    if not ways:
        return ""
    by_events = any(isinstance(way.trigger, EventTrigger) for way in ways)
    if plan.graph.namespace != "bpmn":
        given = ", with --input as the events that would have started it" if by_events else ""
        return f"the schedule is not followed; the workflow runs once, now{given}"
    awaited = " or ".join(dict.fromkeys(map(_said, ways)))
    given = ", with --input as what that would bring" if by_events else ""
    return f"{_named(plan, place)} does not wait for {awaited} and begins now{given}"


def not_armed(plans: Iterable[Plan]) -> str:
    """The starts of other definitions that nothing comes for in this run."""
    found = [
        f"{_named(plan, way.node)} of {plan.graph.name}, which {_said(way)} starts"
        for plan in plans
        for way in plan.ways
        if not isinstance(way.trigger, EventTrigger)
    ]
    return f"not armed here: {'; '.join(dict.fromkeys(found))}" if found else ""


def not_meant(graph: Graph) -> str:
    """What is said of a definition whose file says that it is not to be run."""
    if _is_executable(graph):
        return ""
    return f'{graph.name} says isExecutable="false", and is run all the same'


def is_armed(graph: Graph, started: Graph) -> bool:
    """Whether events start a definition beside the one that was started.

    A process that its file says is not to be run begins beside its like alone.
    """
    return graph is not started and (_is_executable(graph) or not _is_executable(started))


def _is_executable(graph: Graph) -> bool:
    return graph.metadata.get("executable", True) is not False


def _named(plan: Plan, start: str) -> str:
    node = plan.nodes[start].node
    return named(node.pointer or node.id, node.name)


def _said(way: Way) -> str:
    match way.trigger:
        case TimerTrigger():
            return "a timer"
        case ConditionTrigger():
            return "a condition"
        case _:
            filters = [] if way.strategy is None else way.strategy[0]
            all_of = isinstance(way.trigger, EventTrigger) and way.trigger.strategy.mode == "all"
            return (" and " if all_of else " or ").join(map(_heard, filters)) or "an event"


def _heard(filter: FilterPlan) -> str:
    kind = filter.filter.kind
    if filter.type is None:
        return f"{'an' if kind == 'event' else 'a'} {kind}"
    return f"the {kind} {filter.type}"
