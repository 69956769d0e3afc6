"""Handlers that begin again and again beside what they guard, and do not end as fast.

Source: BPMN 2.0.2 10.5.6, 13.5.3.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from diglot.compiler import codes
from diglot.compiler.diagnostics import Related, Report
from diglot.compiler.graph import (
    Call,
    Graph,
    Handler,
    Node,
    Receive,
    ScopeNode,
    Task,
    TimerTrigger,
    Wait,
)

from ..ways import Ways
from .lengths import (
    known_cycle,
    known_duration,
    known_text,
    least_ms,
    name_of,
)
from .surroundings import Surroundings

#: So many at the same time are meant.
_MEANT: Final = 100
#: Every shorter cycle of cron is about as long.
_DAY_MS: Final = 86_400_000


def check_piling(graph: Graph, ways: Ways, surroundings: Surroundings, report: Report) -> None:
    """Report timers that begin a handler without end while the last one may still be waiting."""
    inside: dict[str, list[str]] | None = None
    for handler in graph.handlers:
        trigger = handler.trigger
        if handler.is_interrupting or not isinstance(trigger, TimerTrigger):
            continue
        every_ms = _endless_ms(trigger)
        if every_ms is None or _is_bounded(handler, every_ms, ways, surroundings):
            continue
        if inside is None:
            inside = _inside(graph)
        slow = next(
            (one for one in _begun(handler, ways, inside) if _may_outlast(one, every_ms)), None
        )
        if slow is not None:
            report.add(
                codes.HANDLERS_PILE_UP,
                handler.span,
                handler.pointer,
                related=(
                    Related(
                        message="this may take longer than until the next time",
                        span=slow.span,
                        pointer=slow.pointer,
                    ),
                ),
                event=name_of(handler),
                task=name_of(slow),
                cycle=known_text(trigger.value),
            )


def _endless_ms(trigger: TimerTrigger) -> int | None:
    """The time between two ticks of a cycle without an end; None of any other timer."""
    text = known_text(trigger.value) if trigger.form == "cycle" else None
    if text is None:
        return None
    cycle = known_cycle(trigger)
    if cycle is None:
        return None if text.startswith("R") else _DAY_MS
    if cycle.left is not None and cycle.left <= _MEANT:
        return None
    return max(1, cycle.every.months * 28 * _DAY_MS + cycle.every.milliseconds)


def _is_bounded(handler: Handler, every_ms: int, ways: Ways, surroundings: Surroundings) -> bool:
    """Whether what it guards is surely over after not too many times."""
    node = ways.nodes.get(handler.node or "")
    if node is not None:
        bound = surroundings.bound_of(node)
    else:
        bound = surroundings.bound_in(handler.scope or "")
    return bound is not None and bound.most_ms <= every_ms * _MEANT


def _begun(handler: Handler, ways: Ways, inside: dict[str, list[str]]) -> Iterator[Node]:
    """What a handler begins: what its flow leads to, or what is in its scope, at any depth."""
    scopes: list[str] = []
    if handler.run is not None:
        scopes.append(handler.run)
    first = [flow.target for flow in ways.leaving(handler.node or "") if flow.id == handler.flow]
    seen: set[str] = set()
    while first:
        node = ways.nodes[first.pop()]
        if node.id in seen or node.id == handler.node:
            continue
        seen.add(node.id)
        yield node
        if isinstance(node, ScopeNode):
            scopes.append(node.body)
        first.extend(flow.target for flow in ways.leaving(node.id) if flow.role == "sequence")
    while scopes:
        scope = scopes.pop()
        yield from ways.nodes_of(scope)
        scopes.extend(inside.get(scope, ()))


def _inside(graph: Graph) -> dict[str, list[str]]:
    found: dict[str, list[str]] = {}
    for scope in graph.scopes:
        if scope.parent is not None:
            found.setdefault(scope.parent, []).append(scope.id)
    return found


def _may_outlast(node: Node, every_ms: int) -> bool:
    """Whether a node may wait for long: for people, for others, or for the clock."""
    match node:
        case Receive() | Call(waits=True):
            return True
        case Task(waits=True, action=action):
            return action.type in ("user-task", "manual-task")
        case Wait(timer=TimerTrigger(form="duration", value=value)):
            length = known_duration(value)
            return length is not None and least_ms(length) >= every_ms
        case _:
            return False
