"""What a user does with an engine, whichever way it is reached."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Protocol

from diglot.compiler import compile_source
from diglot.runtime.clock import ManualClock
from diglot.runtime.desk import Answer, Desk, Held
from diglot.runtime.engine import Engine
from diglot.runtime.events import JobClosed, JobOpened, Problem
from diglot.runtime.scheduler import settle
from diglot.runtime.store import open_store


@dataclass(frozen=True, slots=True)
class Job:
    """Work that a worker has got: one attempt of it."""

    instance: str
    job: int
    attempt: int
    node: str
    arguments: Any
    key: str


@dataclass(frozen=True, slots=True)
class Shown:
    """An instance as people see it."""

    status: str
    output: Any
    error: Problem | None


class House(Protocol):
    """One engine with its database, a clock that stands still, and its workers and users."""

    def publish(self, text: str, name: str) -> str:
        """Publish a document; what instances of it are started by."""
        ...

    def start(self, definition: str, input: Any = None) -> str:
        """Start an instance."""
        ...

    def work(self, most: int = 10, *, lease_s: float = 30.0) -> list[Job]:
        """Take what is ready, as a worker."""
        ...

    def complete(self, job: Job, output: Any = None) -> Answer:
        """A worker is done."""
        ...

    def fail(self, job: Job, error: Problem) -> Answer:
        """A worker says that it cannot be done."""
        ...

    def retry(self, job: Job, error: Problem, pause_s: float) -> bool:
        """A worker says that it went wrong this time."""
        ...

    def tell(self, type: str, data: Any, *, id: str) -> bool:
        """An event comes from outside; false if it has come before."""
        ...

    def cancel(self, instance: str) -> None:
        """Stop an instance for good."""
        ...

    def pass_time(self, seconds: float) -> None:
        """Time goes by."""
        ...

    def restart(self) -> None:
        """The engine ends without a word, and another one goes on with its database."""
        ...

    def shown(self, instance: str) -> Shown:
        """How an instance is."""
        ...

    def journal(self, instance: str) -> list[tuple[str, str]]:
        """(what, node) of jobs in the history: opened, completed, failed; oldest first."""
        ...

    def attempts(self, job: Job) -> list[str | None]:
        """How each attempt of a job ended, oldest first."""
        ...

    def close(self) -> None:
        """Prove that every history gives its state, and end."""
        ...


#: The types of jobs that the scenarios' tasks are of.
TYPES = ("http", "service-task")


class Direct:
    """The engine in this process."""

    def __init__(self, url: str) -> None:
        self._url = url
        self._clock = ManualClock()
        self._instances: list[str] = []
        self._begin()

    def _begin(self) -> None:
        self._engine = Engine(open_store(self._url), clock=self._clock, secrets=lambda name: None)
        self._desk = Desk(self._engine)

    def publish(self, text: str, name: str) -> str:
        """See `House`."""
        compiled = compile_source(text, name)
        assert compiled.graph is not None, compiled.diagnostics
        assert not compiled.has_errors, compiled.diagnostics
        return self._engine.deploy(compiled.graph, source=text)

    def start(self, definition: str, input: Any = None) -> str:
        """See `House`."""
        instance = self._engine.start(definition, {} if input is None else input)
        self._instances.append(instance)
        settle(self._engine)
        return instance

    def work(self, most: int = 10, *, lease_s: float = 30.0) -> list[Job]:
        """See `House`."""
        return [
            Job(
                lease.instance,
                lease.job,
                lease.attempt,
                lease.node.rpartition("/")[2],
                lease.arguments,
                lease.idempotency_key,
            )
            for lease in self._desk.claim(TYPES, most, "worker", lease_s=lease_s)
        ]

    def complete(self, job: Job, output: Any = None) -> Answer:
        """See `House`."""
        (answer,) = self._desk.complete([(_held(job), output)])
        settle(self._engine)
        return answer

    def fail(self, job: Job, error: Problem) -> Answer:
        """See `House`."""
        (answer,) = self._desk.fail([(_held(job), error)])
        settle(self._engine)
        return answer

    def retry(self, job: Job, error: Problem, pause_s: float) -> bool:
        """See `House`."""
        (answer,) = self._desk.retry([(_held(job), error)], pause_s=pause_s)
        return answer

    def tell(self, type: str, data: Any, *, id: str) -> bool:
        """See `House`."""
        is_new = self._engine.publish_event(
            {"type": type, "source": "/outside", "id": id, "data": data}
        )
        settle(self._engine)
        return is_new

    def cancel(self, instance: str) -> None:
        """See `House`."""
        self._engine.cancel(instance, "tester")
        settle(self._engine)

    def pass_time(self, seconds: float) -> None:
        """See `House`."""
        self._clock.advance(int(seconds * 1000))
        settle(self._engine)

    def restart(self) -> None:
        """See `House`."""
        self._engine.close()
        self._begin()
        settle(self._engine)

    def shown(self, instance: str) -> Shown:
        """See `House`."""
        row = self._engine.instance(instance)
        return Shown(row.status, row.output, row.error)

    def journal(self, instance: str) -> list[tuple[str, str]]:
        """See `House`."""
        nodes: dict[int, str] = {}
        found: list[tuple[str, str]] = []
        for _, _, events in self._engine.store.history(instance):
            for event in events:
                if isinstance(event, JobOpened):
                    nodes[event.id] = event.node.rpartition("/")[2]
                    found.append(("opened", nodes[event.id]))
                elif isinstance(event, JobClosed):
                    found.append((event.outcome, nodes[event.id]))
        return found

    def attempts(self, job: Job) -> list[str | None]:
        """See `House`."""
        found = self._engine.store.attempts(job.instance, job.job)
        return [one["outcome"] for one in found]

    def close(self) -> None:
        """See `House`."""
        for instance in self._instances:
            assert self._engine.verify(instance) > 0
        self._engine.close()


def _held(job: Job) -> Held:
    return Held(job.instance, job.job, job.attempt)
