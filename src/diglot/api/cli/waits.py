"""What an instance waits for, in words, and what on the command line would bring it."""

from __future__ import annotations

import json
from dataclasses import dataclass

from diglot.compiler.graph import Wait
from diglot.runtime.engine import Engine
from diglot.runtime.state import State, Subscription

from .by_hand import family, open_jobs


@dataclass(frozen=True, slots=True)
class Waiting:
    """One thing that is waited for: who waits for what, and the option that gives it."""

    text: str
    option: str = ""
    value: str = ""


def waits(engine: Engine, instance: str) -> list[Waiting]:
    """What an instance and those it waits for cannot go on without, jobs first."""
    found = [
        Waiting(
            f"{job.title} waits for somebody; {job.element} is completed with"
            f" --complete {job.element}=JSON, or fails with --fail {job.element}=CODE",
            "--complete",
            f"{job.element}={{}}",
        )
        for job in open_jobs(engine, instance)
        if not job.is_ours
    ]
    for state in family(engine, instance):
        if state.status == "suspended":
            found.append(Waiting(f"instance {state.id} is suspended"))
        else:
            found += _of(engine, state)
    return found


def _of(engine: Engine, state: State) -> list[Waiting]:
    plan = engine.plan(state.definition)
    found = [
        _subscribed(_listener(engine, state, row), row) for row in state.subscriptions.values()
    ]
    for visit in state.visits.values():
        node = plan.nodes[visit.node].node
        if visit.is_held:
            found.append(Waiting(f"{node.name or node.id} waits for data it needs"))
        elif isinstance(node, Wait) and node.condition is not None:
            found.append(Waiting(f"{node.name or node.id} waits for its condition to be true"))
    standing = {arrival.node: None for arrival in state.arrivals.values()}
    for id in standing:
        node = plan.nodes[id].node
        found.append(Waiting(f"tokens before {node.name or node.id} wait for others"))
    return found


def _listener(engine: Engine, state: State, row: Subscription) -> str:
    plan = engine.plan(state.definition)
    if row.handler is not None:
        handler = plan.handlers[row.handler].handler
        return handler.name or handler.id
    assert row.visit is not None
    node = plan.nodes[state.visits[row.visit].node].node
    return node.name or node.id


def _subscribed(who: str, row: Subscription) -> Waiting:
    if row.kind == "event" or row.type is None:
        wanted = row.type or "any type that its filter takes"
        kind = "an event" if row.kind == "event" else f"a {row.kind}"
        shape = json.dumps({"id": "...", "source": "...", "type": row.type or "...", "data": "..."})
        # What stands for the data is no text.
        shape = shape.replace('"data": "..."', '"data": ...')
        return Waiting(f"{who} waits for {kind} of {wanted}", "--event", shape)
    return Waiting(
        f"{who} waits for the {row.kind} {row.type}", f"--{row.kind}", f"{row.type}={{}}"
    )
