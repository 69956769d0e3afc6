"""Moving one instance on until it ends, waits for something from outside, or is stopped."""

from __future__ import annotations

import shlex
import sys
from collections.abc import Callable
from contextlib import ExitStack
from typing import Any

import typer

from diglot.runtime.engine import Engine
from diglot.runtime.events import Event
from diglot.runtime.scheduler import sleep_s, tick
from diglot.runtime.state import State
from diglot.runtime.store import InstanceRow
from diglot.runtime.worker import Worker

from .progress import Progress, as_text
from .stopping import check_stop, stops_are_put_off
from .streams import print_json

#: Exit status of a run that waits for something this call does not bring.
STILL_WAITING = 3

#: Shows what is new in a history.
Show = Callable[[list[tuple[int, int, list[Event]]]], None]


class Drive:
    """Drives one instance; `again` is the call that goes on with it, where it is kept."""

    def __init__(self, engine: Engine, worker: Worker, instance: str, again: str | None) -> None:
        self._engine = engine
        self._worker = worker
        self._instance = instance
        self._again = again

    def run(self, events: list[dict[str, Any]], *, watch: bool) -> int:
        """Go on as far as it goes, with an event whenever it waits; gives the exit status.

        Raises:
            Stopped: somebody asked for it; the instance stands as its last step left it.
        """
        engine = self._engine
        progress = Progress(engine.plan(engine.state(self._instance).definition))
        with ExitStack() as stack:
            show = _show(stack, progress) if watch else None
            stack.enter_context(stops_are_put_off(engine.wake.set))
            while (row := self._step(progress, show)).ended_ms is None:
                if engine.wake.is_set():
                    continue
                if self._worker.busy or self._can_go_on(self._instance):
                    engine.clock.sleep(sleep_s(engine, self._instance), engine.wake)
                elif not events:
                    break
                elif not engine.publish_event(event := events.pop(0)):
                    typer.echo(
                        f"diglot: an event with source {event['source']} and id {event['id']}"
                        " has come before and is not taken again",
                        err=True,
                    )
            while row.ended_ms is not None and tick(engine, self._instance):
                check_stop()
        return self._tell_waits() if row.ended_ms is None else _tell_end(row)

    def _step(self, progress: Progress, show: Show | None) -> InstanceRow:
        """Do what is due and begin what is ready; `wake` is set if there may be more."""
        engine = self._engine
        engine.wake.clear()
        check_stop()
        done = tick(engine, self._instance) + self._worker.begin()
        if show is not None:
            show(engine.store.history(self._instance, progress.seen))
        if done:
            engine.wake.set()
        return engine.instance(self._instance)

    def _can_go_on(self, instance: str) -> bool:
        """Whether the clock, a worker or a child can move it without help from outside."""
        state = self._engine.state(instance)
        if state.is_over:
            return True
        if state.status == "suspended":
            return False
        return bool(state.timers or state.jobs) or any(
            self._engine.store.instance(child) is None or self._can_go_on(child)
            for child in _children(state)
        )

    def _tell_waits(self) -> int:
        types = self._tell_waits_of(self._instance)
        if types:
            shape = f'{{"id": "...", "source": "...", "type": "{types[0]}", "data": ...}}'
            call = self._again or "diglot run ..."
            typer.echo(f"diglot: give it with: {call} --event {shlex.quote(shape)}", err=True)
        return STILL_WAITING

    def _tell_waits_of(self, instance: str) -> list[str]:
        """Say what an instance and its children wait for; the types of events among it."""
        state = self._engine.state(instance)
        if state.status == "suspended":
            typer.echo(f"diglot: instance {instance} is suspended", err=True)
            return []
        plan = self._engine.plan(state.definition)
        types: list[str] = []
        for subscription in state.subscriptions.values():
            node = plan.nodes[state.visits[subscription.visit].node].node
            wanted = subscription.type or "any type that its filter takes"
            typer.echo(f"diglot: {node.name or node.id} waits for an event of {wanted}", err=True)
            types.append(subscription.type or "...")
        for child in _children(state):
            types.extend(self._tell_waits_of(child))
        return types


def _children(state: State) -> list[str]:
    return [visit.child for visit in state.visits.values() if visit.child is not None]


def _tell_end(row: InstanceRow) -> int:
    if row.status == "completed":
        print_json(row.output)
        return 0
    problem = row.error or {"title": f"the instance was {row.status}", "status": 0}
    print_json(problem)
    typer.echo(f"diglot: {row.status} at {problem.get('instance') or '/'}", err=True)
    return 1


def _show(stack: ExitStack, progress: Progress) -> Show:
    if not sys.stderr.isatty():

        def tell(history: list[tuple[int, int, list[Event]]]) -> None:
            for status, line in progress.follow(history):
                typer.echo(as_text(status, line), err=True)

        return tell
    from rich.console import Console
    from rich.live import Live

    live = stack.enter_context(Live(console=Console(stderr=True), refresh_per_second=10))

    def draw(history: list[tuple[int, int, list[Event]]]) -> None:
        if progress.follow(history):
            live.update(progress.tree(progress.title))

    return draw
