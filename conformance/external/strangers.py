"""Definitions by strangers: compiled, and played to an end where local doubles can bring one about.

How a definition is played is decided by what its graph holds, never by the file it came from.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from conformance.harness.difference import shown
from conformance.harness.doubles import Servers
from diglot.compiler import Compiled, compile_source
from diglot.compiler.expressions import ExpressionError, compile_jq, evaluate
from diglot.compiler.graph import (
    Call,
    ErrorTrigger,
    EventFilter,
    EventStrategy,
    EventTrigger,
    Graph,
    Raise,
    Receive,
    Start,
    TimerTrigger,
    Trigger,
)
from diglot.compiler.graph.errors import error_type
from diglot.runtime.store import InstanceRow

from .anywhere import anybody
from .believable_events import event_for
from .plausible import world
from .sandbox import Processes, Sandbox

#: How many events one definition is sent.
_MOST_EVENTS = 12


def problem_of_playing(servers: Servers, compiled: Compiled, *, processes: Processes) -> str | None:
    """Play a definition without errors; what kept it from coming to an end, if anything did."""
    graph = compiled.graph
    assert graph is not None
    data = world(graph)
    sandbox = Sandbox(servers, anybody(graph, data), secrets=_secret, processes=processes)
    try:
        for child in _children(graph):
            sandbox.deploy(child)
        sandbox.deploy(compiled)
        triggers = _triggers(graph)
        if not triggers:
            sandbox.start(data)
        return _judged(graph, sandbox, sandbox.play(_Stranger(graph, data).nudge))
    finally:
        sandbox.close()


class _Stranger:
    """The outside of a definition: sends the events that it waits for."""

    def __init__(self, graph: Graph, data: Mapping[str, Any]) -> None:
        self._graph = graph
        self._data = data
        self._sent = 0

    def nudge(self, sandbox: Sandbox) -> bool:
        """Send the next event that somebody waits for; false if nobody does."""
        for strategy, index in _awaited(self._graph, sandbox):
            if self._sent == _MOST_EVENTS:
                return False
            wanted = strategy.filters[index] if strategy.filters else EventFilter()
            event = event_for(wanted, self._sent, self._data)
            if event is not None:
                self._sent += 1
                return sandbox.engine.publish_event(event)
        return False


def _awaited(graph: Graph, sandbox: Sandbox) -> Iterator[tuple[EventStrategy, int]]:
    """The filters that wait for an event now: (strategy, number), those of `until` last."""
    row = sandbox.instance
    if row is None:
        for trigger in _triggers(graph):
            if isinstance(trigger, EventTrigger):
                numbers = range(max(1, len(trigger.strategy.filters)))
                yield from ((trigger.strategy, number) for number in numbers)
        return
    state = sandbox.engine.state(row.id)
    plans = sandbox.engine.plan(sandbox.definition).nodes
    waiting = sorted(state.subscriptions.values(), key=lambda one: (one.is_until, one.id))
    for subscription in waiting:
        if subscription.visit is None:
            continue
        visit = state.visits[subscription.visit]
        node = plans[visit.node].node
        assert isinstance(node, Receive)
        strategy = node.strategy
        if subscription.is_until and strategy.until_events is not None:
            # Only once something has come that belongs to the result.
            yield strategy.until_events, subscription.index
        elif not (strategy.until_events is not None and visit.results):
            yield strategy, subscription.index


def _judged(graph: Graph, sandbox: Sandbox, row: InstanceRow | None) -> str | None:
    if row is None:
        return "nothing started an instance"
    if row.status == "completed":
        return None
    if row.status == "faulted":
        if _is_meant(graph, row.error or {}):
            return None
        return _said(row.error or {})
    state = sandbox.engine.state(row.id)
    plans = sandbox.engine.plan(sandbox.definition).nodes
    listening = [plans[visit.node].node for visit in state.visits.values()]
    if any(isinstance(node, Receive) and _is_endless(node) for node in listening):
        sandbox.engine.cancel(row.id)
        return None
    return f"still {row.status} at {[node.name for node in listening]}"


def _said(error: Mapping[str, Any]) -> str:
    detail = error.get("detail", shown(dict(error)))
    return f"faulted at {error.get('instance')}: {error.get('title')}: {detail}"


def _is_meant(graph: Graph, error: Mapping[str, Any]) -> bool:
    """Whether the definition itself raises the error: by a raise, or by a time-out of its own."""
    raising = {node.pointer for node in graph.nodes if isinstance(node, Raise)}
    has_timeout = any(
        handler.raises is not None and not isinstance(handler.trigger, ErrorTrigger)
        for handler in graph.handlers
    )
    is_timeout = error.get("type") == error_type("timeout")
    return error.get("instance") in raising or (has_timeout and is_timeout)


def _is_endless(node: Receive) -> bool:
    """Whether a listener says itself that it never ends: its `until` is false whatever comes."""
    until = node.strategy.until
    if until is None:
        return False
    try:
        program = compile_jq(until.text)
        return evaluate(program, [], dict.fromkeys(program.variables)) == [False]
    except ExpressionError:
        return False


def _triggers(graph: Graph) -> list[Trigger]:
    found: list[Trigger] = []
    for node in graph.nodes:
        if isinstance(node, Start):
            found += [one for one in node.triggers if isinstance(one, TimerTrigger | EventTrigger)]
    return found


def _children(graph: Graph) -> Iterator[Compiled]:
    """Stand-ins for the definitions that this one starts and that nobody has published."""
    wanted = {
        (node.namespace, node.process, "1.0.0" if node.version == "latest" else node.version)
        for node in graph.nodes
        if isinstance(node, Call)
    }
    for namespace, name, version in sorted(wanted - {(graph.namespace, graph.name, graph.version)}):
        yield compile_source(
            "document:\n"
            "  dsl: '1.0.3'\n"
            f"  namespace: {namespace}\n"
            f"  name: {name}\n"
            f"  version: '{version}'\n"
            "do:\n"
            "  - done: { set: { done: true } }\n",
            f"{name}.yaml",
        )


def _secret(name: str) -> dict[str, str]:
    """Every secret there may be, with what policies ask of one."""
    return {"username": "user", "password": f"password of {name}", "token": f"token of {name}"}
