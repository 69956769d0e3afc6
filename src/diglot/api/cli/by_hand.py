"""Jobs that no worker of this process does: what is open, and the answers of the command line."""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass, field
from typing import Any

from diglot.runtime.engine import Engine
from diglot.runtime.errors import StaleAttempt
from diglot.runtime.state import State
from diglot.runtime.worker import ACTION_TYPES

from .streams import tell
from .values import check_text, fail, json_value

#: What holds a job that is answered at once.
_WORKER = "diglot run"
_LEASE_MS = 60_000


@dataclass(frozen=True, slots=True)
class OpenJob:
    """A job that waits; `element` is the id the author gave, `name` what people call it."""

    instance: str
    id: int
    type: str
    node: str
    element: str
    name: str
    arguments: Any
    #: What the instance is called, where it needs to be said.
    of: str = ""

    @property
    def is_ours(self) -> bool:
        """Whether a worker of this process does it."""
        return self.type in ACTION_TYPES

    @property
    def title(self) -> str:
        """The job in a line of text."""
        return f"{named(self.element, self.name)} ({self.type})"


def named(element: str, name: str) -> str:
    """An element's id with what people call it; a place in a document says nobody anything."""
    if name in ("", element):
        return element
    return name if element.startswith("/") else f'{element} "{name}"'


@dataclass(frozen=True, slots=True)
class Answer:
    """What becomes of a job: its result, or with a `code` the error it fails with."""

    result: Any = None
    code: str | None = None


def family(engine: Engine, instance: str) -> list[State]:
    """An instance, the instances that it waits for, and theirs."""
    found = [engine.state(instance)]
    for state in found:
        called = (engine.store.load(child) for child in children(state))
        found += [child for child in called if child is not None]
    return found


def children(state: State) -> list[str]:
    """The instances that an instance waits for."""
    return [visit.child for visit in state.visits.values() if visit.child is not None]


def open_jobs(engine: Engine, instance: str, of: str = "") -> list[OpenJob]:
    """The jobs of an instance, which is called `of`, and of those it waits for, oldest first."""
    found: list[OpenJob] = []
    for state in family(engine, instance):
        nodes = engine.plan(state.definition).nodes
        for job in state.jobs.values():
            node = nodes[job.node].node
            element = node.pointer or node.id
            name = node.name or element
            found.append(
                OpenJob(state.id, job.id, job.type, job.node, element, name, job.arguments, of)
            )
    return found


@dataclass(slots=True)
class Answers:
    """Answers by what they are for: an element's id, its name, or a type of jobs.

    Those for one name are given one after the other, and the last one to all that follow.
    """

    _waiting: dict[str, deque[Answer]] = field(default_factory=dict[str, deque[Answer]])
    _used: set[str] = field(default_factory=set[str])

    def add(self, name: str, answer: Answer) -> None:
        """One more answer for a name."""
        self._waiting.setdefault(name, deque()).append(answer)

    def take(self, job: OpenJob) -> Answer | None:
        """The answer for a job; one for its element goes before one for all of its type."""
        for name in (job.element, job.node, job.name, job.type):
            waiting = self._waiting.get(name)
            if waiting:
                self._used.add(name)
                return waiting[0] if len(waiting) == 1 else waiting.popleft()
        return None

    @property
    def is_empty(self) -> bool:
        """Whether there are none."""
        return not self._waiting

    @property
    def unused(self) -> list[str]:
        """The names for which no job came."""
        return [name for name in self._waiting if name not in self._used]


def read_answers(failures: tuple[str, ...], completions: tuple[str, ...]) -> Answers:
    """The answers of the options: what fails and is completed, too, fails first.

    Raises:
        typer.Exit: one cannot be read; the reason has been printed.
    """
    answers = Answers()
    for text in failures:
        name, _, code = text.partition("=")
        if not name or not code:
            fail("--fail wants TYPE=CODE")
        check_text(text, "--fail TYPE=CODE")
        answers.add(name, Answer(code=code))
    for text in completions:
        name, separator, result = text.partition("=")
        if not name:
            fail("--complete wants TYPE=JSON, or TYPE for a result without anything in it")
        check_text(name, "what --complete names")
        answers.add(name, Answer(json_value(result, f"--complete {name}") if separator else {}))
    return answers


def serve(engine: Engine, instance: str, answers: Answers) -> int:
    """Give open jobs the answers there are for them; how many got one."""
    jobs = open_jobs(engine, instance)
    if not jobs or answers.is_empty:
        return 0
    # One that a worker of ours has begun is his.
    begun = {(lease.instance, lease.job) for lease in engine.store.leases()}
    return sum(
        give(engine, job, answer)
        for job in jobs
        if (job.instance, job.id) not in begun and (answer := answers.take(job)) is not None
    )


def give(engine: Engine, job: OpenJob, answer: Answer) -> bool:
    """Complete a job or let it fail; false if somebody else has it by now."""
    now_ms = engine.clock.now_ms()
    lease = engine.store.claim_job(job.instance, job.id, _WORKER, now_ms, _LEASE_MS)
    if lease is None:
        return False
    try:
        if answer.code is None:
            engine.complete(lease, answer.result)
        else:
            engine.fail(lease, {"type": answer.code, "title": answer.code})
    except StaleAttempt as error:
        tell(f"diglot: {error}")
        return False
    return True
