"""The instances of a run: the one that was started, and those that messages and signals began.

What such an instance calls belongs to it and has no place of its own here. In a database that
others use, too, all that events begin of the run's definitions since the run began belongs to it,
whoever has sent them.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection
from typing import Final

from diglot.runtime.engine import Engine
from diglot.runtime.state import State
from diglot.runtime.store import InstanceRow

from .by_hand import OpenJob, children, family, open_jobs
from .waits import Waiting, waits

#: So many instances may messages and signals begin in one run.
MOST_BEGUN: Final = 1_000
#: Behind the place of every event there is.
_LAST_PLACE: Final = 2**62


class Members:
    """Follows what belongs to a run; `begun` are those that events began, the oldest first.

    `definitions` are the digests of the run's definitions: without any, all of the database are.
    """

    def __init__(self, engine: Engine, started: str, definitions: Collection[str] = ()) -> None:
        self._definitions = definitions
        self._engine = engine
        self.started = started
        self.begun: list[str] = []
        #: Those for which there may be something to do.
        self.active = [started]
        self._since_ms = engine.instance(started).started_ms
        #: The last event that each start by events has looked at.
        self._places: dict[tuple[str, int], int] = {}

    @property
    def are_too_many(self) -> bool:
        """Whether events begin instances without an end, as far as anybody can tell."""
        return len(self.begun) > MOST_BEGUN

    def look(self) -> None:
        """Take in what has begun since the last look."""
        found: list[InstanceRow] = []
        for schedule in self._engine.store.event_schedules(_LAST_PLACE):
            start = (schedule.digest, schedule.number)
            if self._definitions and schedule.digest not in self._definitions:
                continue
            if self._places.get(start) != schedule.after:
                self._places[start] = schedule.after
                found += self._begun_at(*start)
        for row in sorted(found, key=lambda row: (row.started_ms, row.id)):
            self.begun.append(row.id)
            self.active.append(row.id)

    def _begun_at(self, digest: str, number: int) -> list[InstanceRow]:
        """New instances of one start: their ids name it."""
        name, known = f"{digest[:16]}-{number}-", set(self.begun)
        return [
            row
            for row in self._engine.store.instances(definition=digest, limit=MOST_BEGUN + 1)
            if row.started_ms >= self._since_ms
            and row.id.startswith(name)
            and "." not in row.id
            and row.id not in known
        ]

    def leave(self, instance: str) -> None:
        """Nothing is to be done any more for one that has ended."""
        if self._engine.instance(instance).ended_ms is not None:
            self.active.remove(instance)

    def label(self, instance: str) -> str:
        """What one is called beside the others; the one that was started needs no name."""
        if instance == self.started:
            return ""
        graph = self._engine.plan(self._engine.instance(instance).definition).graph
        has_title = graph.title.casefold() not in ("", graph.name.casefold())
        return f'{graph.name} "{graph.title}"' if has_title else graph.name

    def states(self) -> list[State]:
        """Those that may go on, and what they have called."""
        return [state for id in self.active for state in family(self._engine, id)]

    def jobs(self) -> list[OpenJob]:
        """The jobs that are open."""
        return [job for id in self.active for job in open_jobs(self._engine, id, of=self.label(id))]

    def waits(self) -> list[Waiting]:
        """What cannot go on without somebody or something."""
        return [
            waiting for id in self.active for waiting in waits(self._engine, id, of=self.label(id))
        ]

    def are_moving(self) -> bool:
        """Whether a worker here or a message between instances moves one on."""
        engine = self._engine
        for id in self.active:
            states = family(engine, id)
            if any(job.is_ours for job in open_jobs(engine, id)):
                return any(state.status == "running" for state in states)
            for state in states:
                for child in children(state):
                    row = engine.store.instance(child)
                    if row is None or row.ended_ms is not None:
                        return True
        return False

    def next_due(self) -> int | None:
        """The moment (`_ms`) at which something is due for one of them."""
        moments = [self._engine.store.next_due(id) for id in self.active]
        return min((due_ms for due_ms in moments if due_ms is not None), default=None)

    def outcomes(self) -> list[str]:
        """What has become of those that events began, a line for each that differs."""
        lines = Counter(f"{self.label(id)} {self._outcome(id)}" for id in self.begun)
        return [line if times == 1 else f"{line} ({times} times)" for line, times in lines.items()]

    def _outcome(self, instance: str) -> str:
        row = self._engine.instance(instance)
        if row.ended_ms is None:
            things = dict.fromkeys(one.thing for one in waits(self._engine, instance))
            return f"waits for {', '.join(things)}" if things else "has not ended"
        if row.error is None:
            return row.status
        return f"{row.status} at {row.error.get('instance') or '/'}: {row.error.get('title')}"
