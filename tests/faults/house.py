"""One engine on a database that may fail, a worker, and a process that needs a bit of all."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from typing import Any, TypeVar

from diglot.runtime.clock import ManualClock
from diglot.runtime.desk import Desk, Held
from diglot.runtime.engine import Engine
from diglot.runtime.errors import StoreError
from diglot.runtime.events import JobClosed
from diglot.runtime.scheduler import settle
from diglot.runtime.store import open_store
from support.graphs import fork, join, process, sends, wait, waits_for
from support.laws import check_tokens

#: Two jobs side by side, a message to itself, a timer and one more job.
SHORT = process(
    """
    start -> split -> a -> join -> tell -> hear -> pause -> c -> end
    split -> b -> join
    """,
    split=fork(),
    join=join(),
    tell=sends("said", "{n: .a}"),
    hear=waits_for("said"),
    pause=wait("PT5S"),
)
LEASE_S = 10.0
#: Who gets no answer asks again, so often.
PATIENCE = 20

T = TypeVar("T")


class House:
    """Its clock stands still; whoever gets no answer asks again."""

    def __init__(self, url: str) -> None:
        self.clock = ManualClock()
        self.engine = Engine(
            open_store(url), clock=self.clock, secrets=lambda name: None, chance=lambda: 7
        )
        self.desk = Desk(self.engine)
        #: What may be said to a result; where others work as well, one may come late.
        self.answers = {"taken", "repeated"}
        #: How often it is looked whether there is something to do.
        self.rounds = PATIENCE
        #: How often there was no answer; and what is done about it.
        self.refusals = 0
        self.on_refusal: Callable[[], object] = lambda: None
        self.digest = self.insist(lambda: self.engine.deploy(SHORT))

    def insist(self, do: Callable[[], T]) -> T:
        """Do something again until there is an answer."""
        for _ in range(PATIENCE):
            with suppress(StoreError):
                return do()
            self.refusals += 1
            self.on_refusal()
        raise AssertionError("it never works")

    def run(self, instance: str, input: Any = None) -> list[str]:
        """Start an instance and do all that it asks for; its history, event by event."""
        given = {"n": 1} if input is None else input
        self.insist(lambda: self.engine.start(self.digest, given, instance=instance))
        self.finish(instance)
        return self.insist(lambda: self.told(instance))

    def finish(self, instance: str) -> None:
        """Do all that an instance still asks for."""
        for _ in range(self.rounds):
            self.insist(lambda: settle(self.engine))
            if self.insist(lambda: self.engine.instance(instance)).ended_ms is not None:
                return
            leases = self.insist(
                lambda: self.desk.claim(["work"], 10, "w", lease_s=LEASE_S, run=instance)
            )
            for lease in leases:
                held = Held(lease.instance, lease.job, lease.attempt)
                result = {lease.node: lease.node}
                answer = self.insist(
                    lambda held=held, result=result: self.desk.complete([(held, result)])
                )
                assert answer[0] in self.answers
            if not leases:
                # A timer comes to be due; and the leases of a claim without an answer end.
                self.clock.advance(int(LEASE_S * 1000))
        raise AssertionError(f"{instance} does not end")

    def told(self, instance: str) -> list[str]:
        """What happened in an instance, in a history that is proven."""
        assert self.engine.verify(instance) == self.engine.instance(instance).sequence
        check_tokens(self.engine.state(instance))
        history = [
            event for _, _, events in self.engine.store.history(instance) for event in events
        ]
        closed = [event.id for event in history if isinstance(event, JobClosed)]
        assert len(closed) == len(set(closed)) == 3
        return [type(event).__name__ for event in history]

    def close(self) -> None:
        """Let go of the database."""
        self.engine.close()
