"""Moving one instance on until it ends, waits for something from outside, or is stopped."""

from __future__ import annotations

import shlex
import sys
from collections.abc import Callable
from contextlib import ExitStack
from dataclasses import dataclass, field
from typing import Any

import typer

from diglot.runtime.clock import iso
from diglot.runtime.engine import Engine
from diglot.runtime.events import Event
from diglot.runtime.scheduler import sleep_s, tick
from diglot.runtime.store import InstanceRow
from diglot.runtime.worker import Worker

from .by_hand import Answers, children, family, open_jobs, serve
from .interactive import Dialogue
from .outside import Outside
from .progress import Progress, as_text
from .stopping import check_stop, stops_are_put_off
from .streams import print_json
from .waits import waits

#: Exit status of a run that waits for something this call does not bring.
STILL_WAITING = 3

#: Shows what is new in a history.
Show = Callable[[list[tuple[int, int, list[Event]]]], None]


@dataclass(slots=True, kw_only=True)
class Drive:
    """Drives one instance; `again` is the call that goes on with it, where it is kept.

    `answers` are for jobs no worker here does, `outside` is what is sent, and `dialogue` asks a
    person for the rest.
    """

    engine: Engine
    worker: Worker
    instance: str
    again: str | None = None
    answers: Answers = field(default_factory=Answers)
    outside: Outside = field(default_factory=Outside)
    dialogue: Dialogue | None = None
    _has_told: bool = False

    def run(self, *, watch: bool) -> int:
        """Go on as far as it goes; gives the exit status.

        Raises:
            Stopped: somebody asked for it; the instance stands as its last step left it.
        """
        engine = self.engine
        progress = Progress(engine.plan(engine.state(self.instance).definition))
        with ExitStack() as stack:
            is_drawn = sys.stderr.isatty() and self.dialogue is None
            show = _show(stack, progress, is_drawn=is_drawn) if watch else None
            stack.enter_context(stops_are_put_off(engine.wake.set))
            while (row := self._step(progress, show)).ended_ms is None:
                if not engine.wake.is_set() and not self._go_on():
                    break
            while row.ended_ms is not None and tick(engine, self.instance):
                check_stop()
        for name in self.answers.unused:
            typer.echo(f"diglot: no job came that is called {name}", err=True)
        return self._tell_waits() if row.ended_ms is None else _tell_end(row)

    def _step(self, progress: Progress, show: Show | None) -> InstanceRow:
        """Do what is due and begin what is ready; `wake` is set if there may be more."""
        engine = self.engine
        engine.wake.clear()
        check_stop()
        done = tick(engine, self.instance) + serve(engine, self.instance, self.answers)
        done += self.worker.begin()
        if show is not None:
            show(engine.store.history(self.instance, progress.seen))
        if done:
            engine.wake.set()
        return engine.instance(self.instance)

    def _go_on(self) -> bool:
        """Wait for what goes on here, or bring something from outside; false if nothing is left."""
        if self.worker.busy or self._is_moving():
            self._sleep()
            return True
        has_timers = self._has_timers()
        event = self.outside.take(self.engine, self.instance, is_stuck=not has_timers)
        if event is not None:
            self._send(event)
        elif self.dialogue is not None:
            return self._ask(self.dialogue, has_timers)
        elif has_timers:
            self._tell_sleep()
            self._sleep()
        return event is not None or has_timers

    def _ask(self, dialogue: Dialogue, has_timers: bool) -> bool:
        match dialogue.turn(has_timers=has_timers):
            case "leave":
                return False
            case "wait":
                due_ms = self.engine.store.next_due(self.instance)
                while due_ms is not None and self.engine.clock.now_ms() < due_ms:
                    self.engine.wake.clear()
                    check_stop()
                    self._sleep()
            case "moved":
                pass
        return True

    def _sleep(self) -> None:
        self.engine.clock.sleep(sleep_s(self.engine, self.instance), self.engine.wake)

    def _send(self, event: dict[str, Any]) -> None:
        if not self.engine.publish_event(event):
            typer.echo(
                f"diglot: an event with source {event['source']} and id {event['id']}"
                " has come before and is not taken again",
                err=True,
            )

    def _is_moving(self) -> bool:
        """Whether a worker here or a message between instances moves it on."""
        engine = self.engine
        if any(job.is_ours for job in open_jobs(engine, self.instance)):
            return any(state.status == "running" for state in family(engine, self.instance))
        return any(
            (row := engine.store.instance(child)) is None or row.ended_ms is not None
            for state in family(engine, self.instance)
            for child in children(state)
        )

    def _has_timers(self) -> bool:
        states = family(self.engine, self.instance)
        return any(state.timers and state.status == "running" for state in states)

    def _tell_sleep(self) -> None:
        """Say once that somebody is waited for while only the clock goes on."""
        jobs = [job for job in open_jobs(self.engine, self.instance) if not job.is_ours]
        due_ms = self.engine.store.next_due(self.instance)
        if self._has_told or not jobs or due_ms is None:
            return
        self._has_told = True
        for job in jobs:
            typer.echo(f"diglot: {job.title} waits for somebody", err=True)
        typer.echo(f"diglot: the clock goes on at {iso(due_ms)}", err=True)

    def _tell_waits(self) -> int:
        found = waits(self.engine, self.instance)
        for waiting in found:
            typer.echo(f"diglot: {waiting.text}", err=True)
        wanted = next((one for one in found if one.option), None)
        if wanted is not None:
            call = self.again or "diglot run ..."
            typer.echo(
                f"diglot: give it with: {call} {wanted.option} {shlex.quote(wanted.value)}",
                err=True,
            )
        return STILL_WAITING


def _tell_end(row: InstanceRow) -> int:
    if row.status == "completed":
        print_json(row.output)
        return 0
    problem = row.error or {"title": f"the instance was {row.status}", "status": 0}
    print_json(problem)
    typer.echo(f"diglot: {row.status} at {problem.get('instance') or '/'}", err=True)
    return 1


def _show(stack: ExitStack, progress: Progress, *, is_drawn: bool) -> Show:
    if not is_drawn:

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
