"""Moving a run on until it has ended, waits for something from outside, or is stopped."""

from __future__ import annotations

import shlex
import sys
from contextlib import ExitStack
from dataclasses import dataclass, field
from typing import Any

from diglot.runtime.clock import iso
from diglot.runtime.engine import Engine
from diglot.runtime.scheduler import sleep_s, tick
from diglot.runtime.store import InstanceRow
from diglot.runtime.worker import Worker

from .by_hand import Answers, serve
from .interactive import Dialogue
from .members import MOST_BEGUN, Members
from .outside import Outside
from .stopping import Stopped, check_stop, stops_are_put_off
from .streams import print_json, tell
from .waits import waits
from .watching import Watch

#: Exit status of a run that waits for something this call does not bring.
STILL_WAITING = 3


@dataclass(slots=True, kw_only=True)
class Drive:
    """Drives the members of a run; `again` is the call that goes on with it, where it is kept.

    `answers` are for jobs no worker here does, `outside` is what is sent, and `dialogue` asks a
    person for the rest.
    """

    engine: Engine
    worker: Worker
    members: Members
    again: str | None = None
    answers: Answers = field(default_factory=Answers)
    outside: Outside = field(default_factory=Outside)
    dialogue: Dialogue | None = None
    _has_told_sleep: bool = False
    _has_told_end: bool = False

    def run(self, *, watch: bool) -> int:
        """Go on as far as it goes; gives the exit status, which is that of the started instance.

        Raises:
            Stopped: somebody asked for it; each instance stands as its last step left it.
        """
        with ExitStack() as stack:
            shown = None
            if watch:
                is_drawn = sys.stderr.isatty() and self.dialogue is None
                shown = stack.enter_context(Watch(self.engine, self.members, is_drawn=is_drawn))
            stack.enter_context(stops_are_put_off(self.engine.wake.set))
            try:
                while not self.members.are_too_many and (self._step(shown) or self._go_on()):
                    pass
            except Stopped:
                # Whoever stops what goes on behind the end has got what he started.
                if not self._is_over:
                    raise
        for name in self.answers.unused:
            tell(f"diglot: no job came that is called {name}")
        return self._tell()

    @property
    def _started(self) -> InstanceRow:
        return self.engine.instance(self.members.started)

    @property
    def _is_over(self) -> bool:
        return self._started.ended_ms is not None

    def _step(self, shown: Watch | None) -> bool:
        """Do what is due and begin what is ready; whether there may be more."""
        engine, members = self.engine, self.members
        engine.wake.clear()
        check_stop()
        members.look()
        resting: list[str] = []
        for instance in members.active:
            done = tick(engine, instance) + serve(engine, instance, self.answers)
            done += self.worker.begin(instance)
            if done:
                engine.wake.set()
            else:
                resting.append(instance)
        if shown is not None:
            shown.show()
        for instance in resting:
            members.leave(instance)
        return engine.wake.is_set()

    def _go_on(self) -> bool:
        """Wait for what goes on here, or bring something from outside; false if nothing is left."""
        members = self.members
        if self.worker.busy or members.are_moving():
            self._sleep()
            return True
        states, is_over = members.states(), self._is_over
        has_timers = any(state.timers and state.status == "running" for state in states)
        event = self.outside.take(states, is_stuck=not has_timers and not is_over)
        if event is not None:
            self._send(event)
            return True
        if self.dialogue is not None and (not is_over or members.waits()):
            return self._ask(self.dialogue, has_timers=has_timers, is_over=is_over)
        if has_timers:
            self._tell_sleep(is_over=is_over)
            self._sleep()
        return has_timers

    def _ask(self, dialogue: Dialogue, *, has_timers: bool, is_over: bool) -> bool:
        if is_over and not self._has_told_end:
            self._has_told_end = True
            tell(f"{self._name} {self._started.status}; q leaves the others")
        match dialogue.turn(has_timers=has_timers):
            case "leave":
                return False
            case "wait":
                due_ms = self.members.next_due()
                while due_ms is not None and self.engine.clock.now_ms() < due_ms:
                    self.engine.wake.clear()
                    check_stop()
                    self._sleep()
            case "moved":
                pass
        return True

    @property
    def _name(self) -> str:
        return self.engine.plan(self._started.definition).graph.name

    def _sleep(self) -> None:
        engine = self.engine
        instances = self.members.active or [self.members.started]
        engine.clock.sleep(min(sleep_s(engine, instance) for instance in instances), engine.wake)

    def _send(self, event: dict[str, Any]) -> None:
        if not self.engine.publish_event(event):
            tell(
                f"diglot: an event with source {event['source']} and id {event['id']}"
                " has come before and is not taken again",
            )

    def _tell_sleep(self, *, is_over: bool) -> None:
        """Say once that somebody is waited for while only the clock goes on."""
        jobs = [job for job in self.members.jobs() if not job.is_ours]
        due_ms = self.members.next_due()
        if self._has_told_sleep or due_ms is None or not (jobs or is_over):
            return
        self._has_told_sleep = True
        for job in jobs:
            before = f"{job.of}: " if job.of else ""
            tell(f"diglot: {before}{job.title} waits for somebody")
        if is_over:
            others = ", ".join(dict.fromkeys(map(self.members.label, self.members.active)))
            tell(
                f"diglot: {self._name} {self._started.status}; still going on: {others}"
                " (Ctrl-C leaves it)",
            )
        tell(f"diglot: the clock goes on at {iso(due_ms)}")

    def _tell(self) -> int:
        """Say how the run ended, or what it waits for; gives the exit status."""
        row = self._started
        found = [] if self._is_over else waits(self.engine, row.id)
        for waiting in found:
            tell(f"diglot: {waiting.line}")
        status = STILL_WAITING if row.ended_ms is None else _tell_end(row)
        for line in self.members.outcomes():
            tell(f"diglot: {line}")
        if self.members.are_too_many:
            tell(
                f"diglot: messages and signals have begun more than {MOST_BEGUN} instances, and"
                " the run is left there: does one of them begin itself again?",
            )
        wanted = next((one for one in found if one.option), None)
        if wanted is not None and self.again is not None:
            given = f"{wanted.option} {shlex.quote(wanted.value)}"
            tell(f"diglot: give it with: {self.again} {given}")
        return status


def _tell_end(row: InstanceRow) -> int:
    if row.status == "completed":
        print_json(row.output)
        return 0
    problem = row.error or {"title": f"the instance was {row.status}", "status": 0}
    print_json(problem)
    tell(f"diglot: {row.status} at {problem.get('instance') or '/'}")
    return 1
