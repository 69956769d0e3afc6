"""A file's processes driven a while, whatever they are: jobs done, clocks moved, messages sent.

Nothing outside is asked for and no script runs. What a process makes of data that nobody gave it is
its own affair: an instance may fault or stand still. The engine may not break, and each history has
to give the state that is stored.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Any

from diglot.compiler import compile_source
from diglot.compiler.graph import Call, EventTrigger, Graph, Start
from diglot.runtime import commands as c
from diglot.runtime.clock import ManualClock
from diglot.runtime.engine import Engine
from diglot.runtime.errors import StaleAttempt
from diglot.runtime.scheduler import tick

#: How long a file is driven: moves of the clock, instances (one whose signal starts the next never
#: comes to rest), jobs, events.
_MOST_MOVES = 25
_MOST_INSTANCES = 60
_MOST_JOBS = 150
_MOST_EVENTS = 60
_MANY = 1_000


def drive(graphs: Sequence[Graph]) -> Counter[str]:
    """Start every process of a file and move it on; how its instances ended, or that they wait.

    Raises:
        CorruptState: a history does not give the state that is stored.
    """
    drive = _Drive(graphs)
    try:
        drive.go()
        return drive.endings()
    finally:
        drive.close()


class _Drive:
    def __init__(self, graphs: Sequence[Graph]) -> None:
        self._clock = ManualClock()
        self.engine = Engine("sqlite://", clock=self._clock, chance=lambda: 0)
        self._jobs = 0
        self._events = 0
        #: Subscriptions that have been sent something: (instance, id).
        self._answered: set[tuple[str, int]] = set()
        for graph in _called(graphs):
            self.engine.deploy(graph)
        self._digests = {graph.name: self.engine.deploy(graph) for graph in graphs}
        self._graphs = graphs

    def close(self) -> None:
        self.engine.close()

    def go(self) -> None:
        for graph in self._graphs:
            self.engine.start(self._digests[graph.name], {})
            self._begin_by_events(graph)
        for _ in range(_MOST_MOVES):
            while self._is_small() and tick(self.engine) + self._do_jobs() + self._answer():
                pass
            due_ms = self.engine.store.next_due()
            if due_ms is None or not self._is_small():
                return
            self._clock.advance(max(1, due_ms - self._clock.now_ms()))

    def endings(self) -> Counter[str]:
        found: Counter[str] = Counter()
        for row in self.engine.store.instances(limit=_MANY):
            self.engine.verify(row.id)
            found[row.status] += 1
        return found

    def _is_small(self) -> bool:
        return len(self.engine.store.instances(limit=_MOST_INSTANCES)) < _MOST_INSTANCES

    def _begin_by_events(self, graph: Graph) -> None:
        """Send what starts an instance, once each."""
        for node in graph.nodes:
            for trigger in node.triggers if isinstance(node, Start) else ():
                if isinstance(trigger, EventTrigger):
                    for wanted in trigger.strategy.filters:
                        for attribute in wanted.attributes:
                            if attribute.name == "type":
                                self._send(getattr(attribute.value, "document", None), wanted.kind)

    def _do_jobs(self) -> int:
        done = 0
        for row in self.engine.store.instances(status="running", limit=_MANY):
            for job in sorted(self.engine.state(row.id).jobs):
                if self._jobs >= _MOST_JOBS:
                    return done
                self._jobs += 1
                try:
                    self.engine.submit(row.id, c.CompleteJob(job, {}))
                except StaleAttempt:
                    # One that was done before it in this round has ended it.
                    continue
                done += 1
        return done

    def _answer(self) -> int:
        """Send each thing that waits for an event one of its type, once."""
        sent = 0
        for row in self.engine.store.instances(status="running", limit=_MANY):
            for id, subscription in sorted(self.engine.state(row.id).subscriptions.items()):
                if (row.id, id) not in self._answered:
                    self._answered.add((row.id, id))
                    sent += self._send(subscription.type or "anything", subscription.kind)
        return sent

    def _send(self, type: object, kind: str) -> int:
        if self._events >= _MOST_EVENTS or not isinstance(type, str) or not type:
            return 0
        self._events += 1
        envelope: dict[str, Any] = {"id": f"e{self._events}", "source": "/outside", "data": {}}
        envelope["type"] = type
        if kind != "event":
            envelope["diglotkind"] = kind
        return int(self.engine.publish_event(envelope))


def _called(graphs: Sequence[Graph]) -> Iterator[Graph]:
    """Stand-ins for the processes that are called and are not in the file."""
    own = {graph.name for graph in graphs}
    called = {node.process for graph in graphs for node in graph.nodes if isinstance(node, Call)}
    for name in sorted(called - own):
        text = (
            '<definitions xmlns="http://www.omg.org/spec/BPMN/20100524/MODEL" '
            'targetNamespace="https://diglot.example/stand-in">'
            f'<process id="{name}" isExecutable="true"><task id="nothing"/></process>'
            "</definitions>"
        )
        compiled = compile_source(text, "stand-in.bpmn")
        if not compiled.is_refused:
            yield from compiled.graphs
