"""What an instance waits for, in words, and what on the command line would bring it."""

from __future__ import annotations

import json
import shlex
from dataclasses import dataclass
from typing import TYPE_CHECKING

from diglot.compiler.graph import Constant, EventFilter, Handler, Node, Wait
from diglot.runtime.clock import iso
from diglot.runtime.engine import Engine
from diglot.runtime.state import State, Subscription

from .by_hand import OpenJob, family, named, open_jobs
from .keys import wanted

if TYPE_CHECKING:
    from diglot.runtime.plan import Plan


@dataclass(frozen=True, slots=True)
class Waiting:
    """One thing that is waited for.

    `text` says who waits for what, `thing` is what that is alone, and `option` with `value` gives
    it. `typed` is what a person types for the same in the dialogue.
    """

    text: str
    thing: str
    option: str = ""
    value: str = ""
    typed: str = ""

    @property
    def line(self) -> str:
        """Who waits for what, and the option that brings it."""
        if not self.option:
            return self.text
        name, _, data = self.value.partition("=")
        given = _given(self.option, name) if data == "{}" else _quoted(self.option, self.value)
        if self.option == "--complete":
            given += f", or {_quoted('--fail', f'{name}=CODE')}"
        return f"{self.text}: {given}"


def waits(engine: Engine, instance: str, of: str = "") -> list[Waiting]:
    """What an instance and those it waits for cannot go on without, jobs first.

    `of` is what the instance is called, where it needs to be said.
    """
    before = f"{of}: " if of else ""
    found = [_job(job, before) for job in open_jobs(engine, instance) if not job.is_ours]
    for state in family(engine, instance):
        stalled = engine.instance(state.id).stalled
        if stalled is not None:
            text = f"instance {state.id} cannot go on: {stalled}"
            found.append(Waiting(before + text, "whoever mends that"))
        elif state.status == "suspended":
            text = f"instance {state.id} is suspended"
            found.append(Waiting(before + text, "whoever suspended it"))
        elif not state.is_over:
            found += _of(engine, state, before)
    return found


def _job(job: OpenJob, before: str) -> Waiting:
    return Waiting(
        f"{before}{job.title} waits for somebody",
        f"the job {job.title}",
        "--complete",
        f"{job.element}={{}}",
    )


def _of(engine: Engine, state: State, before: str) -> list[Waiting]:
    plan = engine.plan(state.definition)
    found = [_subscribed(engine, state, row, before) for row in state.subscriptions.values()]
    for timer in state.timers.values():
        what = {"retry": "its next try", "attempt": "the end of its time"}
        thing = f"{what.get(timer.purpose, 'the timer')} until {iso(timer.due_ms)}"
        who = _waiter(plan, state, timer.visit, timer.handler)
        found.append(Waiting(f"{before}{who} waits for {thing}", thing, typed="w"))
    for visit in state.visits.values():
        node = plan.nodes[visit.node].node
        if visit.is_held:
            text = f"{before}{_called(node)} waits for data it needs"
            found.append(Waiting(text, f"data that {_called(node)} needs"))
        elif isinstance(node, Wait) and node.condition is not None:
            text = f"{before}{_called(node)} waits for its condition to be true"
            found.append(Waiting(text, f"the condition of {_called(node)}"))
    standing = {arrival.node: None for arrival in state.arrivals.values()}
    for id in standing:
        text = f"tokens before {_called(plan.nodes[id].node)} wait for others"
        found.append(Waiting(before + text, f"other tokens at {_called(plan.nodes[id].node)}"))
    return found


def _waiter(plan: Plan, state: State, visit: int | None, handler: str | None) -> str:
    if handler is not None:
        return _called(plan.handlers[handler].handler)
    if visit is None:
        return plan.graph.name
    return _called(plan.nodes[state.visits[visit].node].node)


def _called(part: Node | Handler) -> str:
    return named(part.pointer or part.id, part.name)


def _subscribed(engine: Engine, state: State, row: Subscription, before: str) -> Waiting:
    who = before + _waiter(engine.plan(state.definition), state, row.visit, row.handler)
    filter, keys = wanted(engine, state, row)
    if row.kind != "event" and not filter.filter.attributes:
        return _of_kind(who, row.kind, f"any {row.kind}", "NAME")
    name = row.type or _exact_type(filter.filter)
    if row.kind == "event" or name is None:
        type = name or "any type that its filter takes"
        kind = "an event" if row.kind == "event" else f"a {row.kind}"
        shape = json.dumps({"id": "...", "source": "...", "type": name or "...", "data": "..."})
        # What stands for the data is no text.
        shape = shape.replace('"data": "..."', '"data": ...')
        thing = f"{kind} of {type}"
        return Waiting(f"{who} waits for {thing}", thing, "--event", shape)
    agrees = ", ".join(f"{key.name} {json.dumps(key.value)}" for key in keys)
    thing = f"the {row.kind} {name}" + (f" with {agrees}" if agrees else "")
    if any(key.value is None for key in keys):
        # Nothing has such a key.
        return Waiting(f"{who} waits for {thing}, which never comes", thing)
    carried = next((f"@{key.text}" for key in keys if key.is_carried), "")
    return _of_kind(who, row.kind, thing, f"{name}{carried}")


def _exact_type(filter: EventFilter) -> str | None:
    """The one type of a filter that looks like a pattern and is none."""
    for attribute in filter.attributes:
        if attribute.name == "type" and not attribute.is_pattern:
            value = attribute.value
            return str(value.document) if isinstance(value, Constant) else None
    return None


def _of_kind(who: str, kind: str, thing: str, name: str) -> Waiting:
    return Waiting(
        f"{who} waits for {thing}", thing, f"--{kind}", f"{name}={{}}", f"{kind[0]} {name}={{...}}"
    )


def _given(option: str, name: str) -> str:
    """An option as it is typed, with a gap for the data."""
    if shlex.quote(name) == name:
        return f"{option} {name}='{{...}}'"
    return _quoted(option, f"{name}={{...}}")


def _quoted(option: str, value: str) -> str:
    return f"{option} {shlex.quote(value)}"
