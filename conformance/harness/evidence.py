"""What can be seen of a play: rows, history, events told, requests made.

Everything here is read from the database and from what left the engine, never from the driver.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from diglot.runtime import events as e
from diglot.runtime.engine import Engine
from diglot.runtime.plan import NodePlan
from diglot.runtime.state import State
from diglot.runtime.store import InstanceRow

from .difference import is_object
from .doubles import Request

#: No case starts more instances than this.
_MANY = 10_000
_LIFECYCLE = "io.serverlessworkflow."


@dataclass(frozen=True, slots=True, kw_only=True)
class Entered:
    """A task of the author's was entered at `at_ms`, counted from the start of the instance."""

    name: str
    at_ms: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Evidence:
    """One look at an engine. `definition` is the case's own; `instance` is what it is about.

    `instance` is the one that was started last, children apart; nothing where none was.
    """

    engine: Engine
    definition: str
    instance: str | None
    told: Sequence[dict[str, Any]]
    requests: Sequence[Request]
    #: Requests are compared as a set: somebody may have had to ask again.
    has_repeats: bool
    #: The texts of the case's secrets.
    secrets: frozenset[str]
    folder: Path

    @property
    def row(self) -> InstanceRow | None:
        """The instance as people may see it."""
        return None if self.instance is None else self.engine.instance(self.instance)

    @property
    def state(self) -> State | None:
        """What is alive in the instance."""
        return None if self.instance is None else self.engine.state(self.instance)

    def entered(self) -> list[Entered]:
        """The author's tasks in order of being entered; skipped ones are not."""
        if self.instance is None:
            return []
        started_ms = self.engine.state(self.instance).started_ms
        plans = self.engine.plan(self.definition).nodes
        return [
            Entered(name=plans[event.node].node.name, at_ms=at_ms - started_ms)
            for _, at_ms, events in self.engine.store.history(self.instance)
            for event in events
            if isinstance(event, e.VisitEntered | e.VisitPassed | e.TokenEnded)
            and is_authors(plans[event.node])
        ]

    def waiting(self) -> list[str]:
        """The author's tasks with a live visit and no other live task inside them."""
        state = self.state
        if state is None:
            return []
        plans = self.engine.plan(self.definition).nodes
        live = sorted(v.id for v in state.visits.values() if is_authors(plans[v.node]))
        holders = {owner for id in live for owner in _owners(state, id)}
        names = [plans[state.visits[id].node].node.name for id in live if id not in holders]
        parts = Counter(v.node for v in state.visits.values() if is_part(plans[v.node]))
        # A token at an event that waits for several things has at most one visit at each of them.
        events: dict[str, int] = {}
        for id, count in parts.items():
            event = plans[plans[id].node.pointer].node.name
            events[event] = max(events.get(event, 0), count)
        return names + [event for event, count in events.items() for _ in range(count)]

    def jobs(self) -> dict[str, dict[str, Any]]:
        """What the oldest open job of each task asks of its worker: its `type` and arguments."""
        state = self.state
        found: dict[str, dict[str, Any]] = {}
        if state is None:
            return found
        plans = self.engine.plan(self.definition).nodes
        for job in sorted(state.jobs.values(), key=lambda job: job.id):
            arguments: dict[str, Any] = job.arguments if is_object(job.arguments) else {}
            found.setdefault(plans[job.node].node.name, {"type": job.type, **arguments})
        return found

    def emitted(self) -> list[dict[str, Any]]:
        """The CloudEvents that tasks have sent, each once, in order."""
        return [envelope for envelope in self._told_once() if not is_lifecycle(envelope)]

    def lifecycle(self) -> list[str]:
        """What was told of the instance and its tasks: `task.started /do/0/a`."""
        return [_said(envelope) for envelope in self.told_of_itself()]

    def told_of_itself(self) -> list[dict[str, Any]]:
        """The lifecycle events of the instance and its tasks, each once, in order."""
        return [
            envelope
            for envelope in self._told_once()
            if is_lifecycle(envelope) and envelope.get("subject") == self.instance
        ]

    def instances(self) -> list[InstanceRow]:
        """Every instance of the case's own definition that is nobody's child, oldest first."""
        return instances_of(self.engine, self.definition)

    def statuses(self, process: str) -> list[str]:
        """The statuses of all instances of the processes of this name, oldest first."""
        rows = reversed(self.engine.store.instances(limit=_MANY))
        return [
            row.status for row in rows if self.engine.plan(row.definition).graph.name == process
        ]

    def everything(self) -> Iterator[tuple[str, str]]:
        """All that is kept or told: (what it is, its text)."""
        store = self.engine.store
        for row in store.instances(limit=_MANY):
            yield f"instance {row.id}", repr(row)
            for first, _, events in store.history(row.id):
                text = e.encode(events).decode("utf-8", "replace")
                yield f"history of {row.id} from event {first}", text
        for envelope in self.told:
            yield f"event {envelope.get('id')}", repr(envelope)

    def database(self) -> Iterator[tuple[str, bytes]]:
        """The files of the database: (name, content)."""
        for file in sorted(self.folder.iterdir()):
            yield file.name, file.read_bytes()

    def _told_once(self) -> Iterator[dict[str, Any]]:
        """An outbox sends at least once; source and id say what is the same event."""
        seen: set[tuple[Any, Any]] = set()
        for envelope in self.told:
            key = (envelope.get("source"), envelope.get("id"))
            if key not in seen:
                seen.add(key)
                yield envelope


def instances_of(engine: Engine, definition: str) -> list[InstanceRow]:
    """Every instance of a definition that is nobody's child, oldest first."""
    found = engine.store.instances(definition=definition, limit=_MANY)
    return [row for row in reversed(found) if row.parent is None]


def is_lifecycle(envelope: dict[str, Any]) -> bool:
    """Whether the engine tells this by itself."""
    return str(envelope.get("type", "")).startswith(_LIFECYCLE)


def is_authors(plan: NodePlan) -> bool:
    """Whether a node is a task of the author's, and not one that a reader laid out around it."""
    node = plan.node
    is_own = node.id == node.pointer or node.id.endswith(f"~{node.pointer}")
    return bool(node.construct) and is_own


def is_part(plan: NodePlan) -> bool:
    """Whether a node is one of the several things that an event of the author's is about."""
    node = plan.node
    name, _, number = node.id.rpartition("#")
    return name == node.pointer and number.isdecimal()


def _owners(state: State, visit: int) -> Iterator[int]:
    """The visits around a visit, from the inside out."""
    scope = state.scopes.get(state.visits[visit].scope)
    while scope is not None:
        if scope.owner is not None:
            yield scope.owner
        scope = None if scope.parent is None else state.scopes.get(scope.parent)


def kind(envelope: dict[str, Any]) -> str:
    """What a lifecycle event tells: `task.started`."""
    return str(envelope["type"]).removeprefix(_LIFECYCLE).removesuffix(".v1")


def _said(envelope: dict[str, Any]) -> str:
    task = envelope["data"].get("task")
    return kind(envelope) if task is None else f"{kind(envelope)} {task}"
