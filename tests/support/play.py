"""Runs a random case to its end: what the outside does is a function of what the run asks for."""

from __future__ import annotations

import random
from collections import Counter
from typing import Any

from diglot.runtime import commands as c
from diglot.runtime import events as e
from diglot.runtime.clock import ManualClock
from diglot.runtime.engine import Engine
from diglot.runtime.errors import DiglotError
from diglot.runtime.scheduler import settle
from diglot.runtime.store import InstanceRow, Lease, Store

from .random_workflows import EVENT_TYPES, Case, graph_of
from .stores import new_store

JOB_TYPES = ("http", "shell")

#: What one command of a play was, and what came of it.
Outcome = tuple[str, c.Command, Exception | None]


def answer(node: str, times: int) -> dict[str, Any] | None:
    """What a job of this node gives the n-th time: its output, or nothing where it fails.

    It fails only outside of branches, where no other branch is in a race with it.
    """
    drawn = random.Random(f"{node} {times}").randrange(10)
    if drawn < 2 and "/fork/" not in node:
        return None
    return {"n": drawn, "from": node}


def failure(node: str, times: int) -> dict[str, Any]:
    """The error of a job that fails."""
    status = (404, 500, 503)[random.Random(f"{node} {times}").randrange(3)]
    return {"type": "https://example.com/oops", "status": status, "title": "Oops"}


class Observed(Engine):
    """An engine that shows each command to `before` and `after`."""

    def submit_many(self, work: list[tuple[str, c.Command]]) -> list[Exception | None]:
        found: list[Exception | None] = []
        for instance, command in work:
            self.before(instance, command)
            found += self.carry_out(instance, command)
            self.after(instance, command, found[-1])
        return found

    def carry_out(self, instance: str, command: c.Command) -> list[Exception | None]:
        """Carry out one command."""
        return super().submit_many([(instance, command)])

    def before(self, instance: str, command: c.Command) -> None:
        """Called before a command."""

    def after(self, instance: str, command: c.Command, error: Exception | None) -> None:
        """Called after a command."""


class Play:
    """A case in an engine, with what it asks of the outside answered one at a time."""

    def __init__(self, case: Case, kind: type[Engine] = Engine, store: Store | None = None) -> None:
        self.case = case
        self.clock = ManualClock()
        self.store = store or new_store()
        self.engine = kind(self.store, clock=self.clock, secrets=lambda name: None, chance=seven)
        self.times: Counter[str] = Counter()
        self.sent = 0
        #: Whether a job's answer rests on its node alone, not on how often it was asked.
        self.answers_by_node_alone = False
        for document in (*case.children, case.main):
            self.digest = self.engine.deploy(graph_of(document))

    def run(self, rounds: int = 60) -> InstanceRow:
        """Start, answer and wait until nothing more happens."""
        self.engine.start(self.digest, self.case.input, instance="main")
        for _ in range(rounds):
            settle(self.engine)
            if not self.round():
                break
        self.run_down()
        return self.row()

    def run_down(self) -> None:
        """Do what is due, and no more."""
        settle(self.engine)

    def row(self) -> InstanceRow:
        """The instance of the main workflow."""
        return self.engine.instance("main")

    def round(self) -> bool:
        """Answer one thing the run waits for; false if it waits for nothing."""
        leases = self.store.claim(JOB_TYPES, 1, "worker", self.clock.now_ms(), 10**9)
        if leases:
            self.respond(leases[0])
            return True
        wanted = self.wanted()
        if wanted is not None and self.sent < 25:
            self.send(wanted)
            return True
        due_ms = self.store.next_due()
        if due_ms is None:
            return False
        self.clock.advance(max(0, due_ms - self.clock.now_ms()))
        return True

    def respond(self, lease: Lease) -> None:
        """Do a job."""
        self.times[lease.node] += 1
        times = 0 if self.answers_by_node_alone else self.times[lease.node]
        output = answer(lease.node, times)
        if output is None:
            self.engine.fail(lease, failure(lease.node, times))
        else:
            self.engine.complete(lease, output)

    def wanted(self) -> str | None:
        """A type of event that some instance listens for."""
        for row in self.store.instances():
            for subscription in self.engine.state(row.id).subscriptions.values():
                # Every other time the ends of an `until` are left out, so that bodies run too.
                if not subscription.is_until or self.sent % 2:
                    return subscription.type
        return EVENT_TYPES[self.sent % 3] if self._listens() else None

    def _listens(self) -> bool:
        return any(self.engine.state(row.id).subscriptions for row in self.store.instances())

    def send(self, type: str) -> None:
        """Publish one event."""
        self.sent += 1
        self.engine.publish_event(
            {
                "id": str(self.sent),
                "source": "/play",
                "type": type,
                "data": {"n": self.sent, "key": "k1"},
            }
        )

    def instances(self) -> list[str]:
        """Every instance there is, by id."""
        return sorted(row.id for row in self.store.instances(limit=10_000))

    def history(self, instance: str) -> list[e.Event]:
        """The events of an instance."""
        return [event for _, _, events in self.store.history(instance) for event in events]


def seven() -> int:
    """Chance that is always the same."""
    return 7


def attempt(engine: Engine, instance: str, command: c.Command) -> Exception | None:
    """Carry out a command that may be refused."""
    try:
        engine.submit(instance, command)
    except DiglotError as error:
        return error
    return None
