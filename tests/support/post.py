"""Several instances of several definitions, with messages, signals and events between them."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from diglot.compiler import graph as g
from diglot.runtime.engine import Engine
from diglot.runtime.events import EventHeard, EventTaken
from diglot.runtime.scheduler import settle

from .laws import check_tokens
from .runs import Run
from .simulation import Crash


class Post(Run):
    """An engine, and what is sent to it; the laws of every state are checked after each move."""

    _sent = 0
    _begun = 0

    def begin(self, graph: g.Graph, input: Any = None, **options: Any) -> str:
        """Publish and start a definition, without its schedules; ids are in order of the starts."""
        self._begun += 1
        digest = self.engine.deploy(graph, is_scheduled=False)
        options = {"instance": f"i{self._begun:03}", **options}
        instance = self.engine.start(digest, {} if input is None else input, **options)
        self.rest()
        return instance

    def publish(self, graph: g.Graph) -> str:
        """Publish a definition with what starts it."""
        digest = self.engine.deploy(graph)
        self.rest()
        return digest

    def restart(self) -> None:
        """Go on with a new engine on the same database."""
        old = self.engine
        self.engine = Engine(
            old.store, clock=self.clock, secrets=lambda name: None, settings=old.settings,
            sinks=old.sinks, chance=lambda: 7,
        )  # fmt: skip

    def rest(self) -> None:
        """Let everything come to rest, and look whether the laws hold."""
        settle(self.engine)
        for row in self.engine.store.instances():
            self.engine.verify(row.id)
            check_tokens(self.engine.state(row.id))

    def message(self, type: str, **data: Any) -> None:
        """A message comes from outside."""
        self.send(type, kind="message", **data)

    def signal(self, type: str, **data: Any) -> None:
        """A signal comes from outside."""
        self.send(type, kind="signal", **data)

    def send(self, type: str, *, kind: str | None = None, id: str = "", **data: Any) -> bool:
        """An event comes from outside; false if its id has come before."""
        self._sent += 1
        envelope: dict[str, Any] = {"id": id or str(self._sent), "source": "/test", "type": type}
        if kind is not None:
            envelope["diglotkind"] = kind
        is_new = self.engine.publish_event({**envelope, "data": data})
        self.rest()
        return is_new

    def pass_time(self, milliseconds: int) -> None:
        """Time goes by."""
        self.clock.advance(milliseconds)
        self.rest()

    @property
    def instances(self) -> list[str]:
        """Every instance, oldest first."""
        rows = self.engine.store.instances()
        return [row.id for row in sorted(rows, key=lambda row: (row.started_ms, row.id))]

    def waiting(self, instance: str) -> list[str]:
        """The nodes whose visits wait, sorted."""
        state = self.engine.state(instance)
        return sorted(v.node for v in state.visits.values() if not state.bodies.get(v.id))

    def output(self, instance: str) -> Any:
        """What an instance that is done gave; what is wrong with it, or its status, otherwise."""
        row = self.row(instance)
        return row.output if row.status == "completed" else row.error or row.status

    def taken(self) -> list[tuple[str, str]]:
        """(instance, event id) of every event that was taken, by instance."""
        return [
            (instance, event.event_id)
            for instance in self.instances
            for event in self.events(instance)
            if isinstance(event, EventTaken | EventHeard)
        ]


def carry_out(post: Post, steps: Iterable[Callable[[], object]]) -> int:
    """Do one thing after the other, each again if its process dies of it; how often one did."""
    crashes = 0
    for step in steps:
        while True:
            try:
                step()
                post.rest()
                break
            except Crash:
                # Whoever called and got no answer calls again.
                crashes += 1
                post.engine.store.on_commit = None
                post.restart()
    return crashes
