"""One instance of a graph, moved on by hand; every state is checked by the laws of all states."""

from __future__ import annotations

from typing import Any

from diglot.compiler.graph import Graph, Task
from diglot.runtime import commands as c
from diglot.runtime import events as e
from diglot.runtime.clock import ManualClock
from diglot.runtime.engine import Engine, Settings
from diglot.runtime.scheduler import settle
from diglot.runtime.state import State
from diglot.runtime.store import Lease

from .laws import check_tokens
from .stores import new_store

_LONG_MS = 10**12


class Machine:
    """Starts an instance; with `restarts` each move is made by a new engine on the same database.

    What is answered are node ids; a node that is alive several times stands there several times.
    """

    def __init__(
        self,
        graph: Graph,
        input: Any = None,
        *,
        restarts: bool = False,
        settings: Settings | None = None,
    ) -> None:
        self.graph = graph
        self.clock = ManualClock()
        self.store = new_store()
        self.restarts = restarts
        self._settings = settings
        types = {node.action.type for node in graph.nodes if isinstance(node, Task)}
        self._types = tuple(type for type in types if isinstance(type, str))
        self._leases: dict[int, Lease] = {}
        self._sent = 0
        self.engine = self._new_engine()
        self.id = self.engine.start(self.engine.deploy(graph), {} if input is None else input)
        self._rest()

    def _new_engine(self) -> Engine:
        return Engine(
            self.store,
            clock=self.clock,
            secrets=lambda name: None,
            settings=self._settings,
            chance=lambda: 7,
        )

    def _rest(self) -> None:
        """Let everything come to rest, and look whether the laws hold."""
        settle(self.engine)
        state = self.state
        self.engine.verify(self.id)
        check_tokens(state)
        held = self.engine._states.get(self.id)  # pyright: ignore[reportPrivateUsage]
        assert held is None or held.snapshot() == state.snapshot()
        if self.restarts:
            self.engine = self._new_engine()

    # -- moves

    def complete(self, node: str, **output: Any) -> None:
        """A worker is done with the oldest job of the node."""
        self.engine.complete(self._lease(node), output)
        self._rest()

    def complete_at(self, number: int, node: str, **output: Any) -> None:
        """A worker is done with the open job of the node that has this number, from the oldest."""
        self.engine.complete(self._lease(node, number), output)
        self._rest()

    def fail(self, node: str, code: str) -> None:
        """A worker reports an error with this code for the oldest job of the node."""
        self.engine.fail(self._lease(node), {"type": code})
        self._rest()

    def send(self, type: str, **data: Any) -> None:
        """An event comes from outside."""
        self._sent += 1
        self.engine.publish_event(
            {"id": str(self._sent), "source": "/test", "type": type, "data": data}
        )
        self._rest()

    def suspend(self) -> None:
        """Nothing new begins until it is resumed."""
        self.engine.submit(self.id, c.SuspendInstance("test"))
        self._rest()

    def resume(self) -> None:
        """It goes on."""
        self.engine.submit(self.id, c.ResumeInstance("test"))
        self._rest()

    def advance(self, milliseconds: int) -> None:
        """Time goes by."""
        self.clock.advance(milliseconds)
        self._rest()

    def _lease(self, node: str, number: int = 0) -> Lease:
        for lease in self.store.claim(self._types, 10_000, "test", self.clock.now_ms(), _LONG_MS):
            self._leases[lease.job] = lease
        open = self.state.jobs
        return self._leases[sorted(id for id, job in open.items() if job.node == node)[number]]

    # -- looks

    @property
    def state(self) -> State:
        """The state on disk."""
        return self.engine.state(self.id)

    @property
    def status(self) -> str:
        """Running, completed, faulted or cancelled."""
        return self.state.status

    @property
    def output(self) -> Any:
        """What the instance gave, or its error."""
        state = self.state
        return state.error if state.status == "faulted" else state.output

    @property
    def waiting(self) -> list[str]:
        """The nodes whose visits wait for something outside of the machine, sorted."""
        state = self.state
        return sorted(v.node for v in state.visits.values() if not state.bodies.get(v.id))

    @property
    def standing(self) -> list[str]:
        """The flows on which tokens stand, sorted."""
        return sorted(arrival.flow or "" for arrival in self.state.arrivals.values())

    @property
    def history(self) -> list[e.Event]:
        """Every event so far."""
        return [event for _, _, events in self.store.history(self.id) for event in events]

    @property
    def trace(self) -> list[str]:
        """The nodes in the order in which they were visited."""
        visits = (e.VisitEntered, e.VisitPassed, e.TokenEnded, e.VisitSkipped)
        return [event.node for event in self.history if isinstance(event, visits)]

    def times(self, node: str) -> int:
        """How often a node was visited."""
        return self.trace.count(node)
