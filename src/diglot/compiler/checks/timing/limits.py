"""Time limits that leave no time, and waits that have none while others do.

Source: BPMN 2.0.2 10.5.4, 10.5.6; DSL reference, Timeout; our decisions A36, A59.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from diglot.compiler import codes
from diglot.compiler.diagnostics import Related, Report
from diglot.compiler.graph import (
    Graph,
    Handler,
    Node,
    Race,
    Receive,
    Task,
    TimerTrigger,
    Wait,
)

from ..ways import Ways
from .least import Least
from .lengths import known_duration, limit_of, most_ms, name_of, spoken, spoken_ms
from .surroundings import Surroundings

#: Jobs of people.
_BY_PEOPLE: Final = frozenset({"user-task", "manual-task"})
#: How many other places a finding lists.
_LISTED: Final = 20


def check_limits(graph: Graph, ways: Ways, surroundings: Surroundings, report: Report) -> None:
    """Report limits that are shorter than what they limit takes at least."""
    limited = [handler for handler in graph.handlers if _has_limit(handler)]
    takes_time = any(isinstance(node, Wait) and node.timer is not None for node in graph.nodes)
    if not limited or not takes_time:
        return
    least = Least(graph, ways)
    for handler in limited:
        trigger = handler.trigger
        stops = handler.is_interrupting or handler.raises is not None
        limit = limit_of(trigger) if stops and isinstance(trigger, TimerTrigger) else None
        node = ways.nodes.get(handler.node or "")
        if limit is not None and node is not None:
            takes = least.of(node)
        else:
            takes = least.bodies.get(handler.scope or "", 0)
            node = surroundings.owners.get(handler.scope or "")
        if limit is None:
            attempt = None if handler.retry is None else handler.retry.attempt_limit
            limit = known_duration(attempt)
        if limit is not None and takes > most_ms(limit) > 0:
            name = graph.title or graph.name if node is None else name_of(node)
            report.add(
                codes.LIMIT_TOO_SHORT,
                handler.span,
                handler.pointer,
                node=name,
                least=spoken_ms(takes),
                limit=spoken(limit),
            )


def _has_limit(handler: Handler) -> bool:
    has_attempts = handler.retry is not None and handler.retry.attempt_limit is not None
    return has_attempts or isinstance(handler.trigger, TimerTrigger)


def check_waits(graph: Graph, ways: Ways, surroundings: Surroundings, report: Report) -> None:
    """Note the waits that have no limit, where others of the same sort have one.

    A process none of whose waits is limited is meant that way: only what was forgotten is noted,
    once in a graph.
    """
    limited: set[str] = set()
    unlimited: list[tuple[str, Node]] = []
    racing = _racing(graph, ways)
    for node in graph.nodes:
        sort = _sort_of(node)
        if sort is None or node.id in ways.undoing:
            continue
        if surroundings.timers_on(node.id) or racing.get(node.id, False):
            limited.add(sort)
        elif not surroundings.is_watched(node.scope):
            unlimited.append((sort, node))
    forgotten = [node for sort, node in unlimited if sort in limited]
    if forgotten:
        first, *others = forgotten
        report.add(
            codes.WAIT_WITHOUT_LIMIT,
            first.span,
            first.pointer,
            related=[
                Related(message="so may this", span=node.span, pointer=node.pointer)
                for node in others[:_LISTED]
            ],
            node=name_of(first),
            more=f" and {len(others)} more" if others else "",
        )


def _sort_of(node: Node) -> str | None:
    """Whom a node waits for: people, or whoever sends something."""
    match node:
        case Receive():
            return "senders"
        case Task(waits=True, action=action) if action.type in _BY_PEOPLE:
            return "people"
        case _:
            return None


def _racing(graph: Graph, ways: Ways) -> Mapping[str, bool]:
    """The nodes that take part in a race, and whether the clock does, too."""
    found: dict[str, bool] = {}
    for race in graph.nodes:
        if isinstance(race, Race):
            targets = [ways.nodes[flow.target] for flow in ways.leaving(race.id)]
            timed = any(isinstance(node, Wait) and node.timer is not None for node in targets)
            found.update(dict.fromkeys((node.id for node in targets), timed))
    return found
