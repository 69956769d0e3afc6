"""One definition played in an engine of its own, with nobody outside but doubles.

Time is a clock that is moved to whatever is due next, so that a wait of a month takes no time.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Literal

from conformance.harness.doubles import Answer, Servers
from conformance.harness.evidence import instances_of
from diglot.compiler import Compiled
from diglot.runtime.actions import close_connections
from diglot.runtime.actions.outgoing import HostMap
from diglot.runtime.clock import ManualClock
from diglot.runtime.engine import Engine
from diglot.runtime.resources import fetch_resources
from diglot.runtime.scheduler import settle
from diglot.runtime.secrets import Provider
from diglot.runtime.store import InstanceRow
from diglot.runtime.worker import Worker, WorkerSettings

#: How often a definition is moved on; more is one that never comes to rest.
MOST_TURNS = 2_000
#: Moves a sandbox on where nothing is due, such as by an event; false if it cannot.
Nudge = Callable[["Sandbox"], bool]


#: What becomes of scripts and commands; to pretend is to give a text and to run nothing.
Processes = Literal["refuse", "run", "pretend"]


class EveryHost(HostMap):
    """Every host is answered here, so that nothing leaves this machine."""

    def find(self, host: str, port: int) -> str:
        """The address of the server for the scheme that the port means."""
        return dict(self.entries)["https" if port == 443 else "http"]


class Sandbox:
    """An engine in memory with a worker; `close` it."""

    def __init__(
        self,
        servers: Servers,
        answer: Answer,
        *,
        secrets: Provider = lambda name: None,
        processes: Processes = "refuse",
    ) -> None:
        servers.answer = answer
        self.clock = ManualClock()
        self.told: list[dict[str, Any]] = []
        self.engine = Engine(
            "sqlite://",
            clock=self.clock,
            secrets=secrets,
            sinks=[self.told.append],
            chance=lambda: 0,
        )
        self._hosts = EveryHost(
            tuple((scheme, servers.base(scheme)) for scheme in ("http", "https"))
        )
        self._worker = Worker(
            self.engine,
            WorkerSettings(transport=self._hosts, allow_processes=processes == "run"),
        )
        self._pretends = processes == "pretend"
        self.definition = ""

    def close(self) -> None:
        """Let everything go."""
        self._worker.close()
        self.engine.store.close()
        close_connections()

    def deploy(self, compiled: Compiled) -> None:
        """Publish a definition; the last one is the sandbox's own."""
        assert compiled.graph is not None
        resources = fetch_resources(compiled.graph, None, self._hosts)
        self.definition = self.engine.deploy(compiled.graph, resources=resources)

    def start(self, input: Any) -> None:
        """Start an instance of the sandbox's definition."""
        self.engine.start(self.definition, input, instance="i")

    @property
    def instance(self) -> InstanceRow | None:
        """The instance that was started first, if one was."""
        found = instances_of(self.engine, self.definition)
        return found[0] if found else None

    def play(self, nudge: Nudge = lambda sandbox: False) -> InstanceRow | None:
        """Move on until the instance is over or nothing can move it; the instance then."""
        for _ in range(MOST_TURNS):
            self._rest()
            found = self.instance
            if found is not None and found.ended_ms is not None:
                return found
            if nudge(self):
                continue
            due_ms = self.engine.store.next_due()
            if due_ms is None:
                return found
            self.clock.advance(max(1, due_ms - self.clock.now_ms()))
        return self.instance

    def _rest(self) -> None:
        for _ in range(MOST_TURNS):
            done = settle(self.engine)
            if self._pretends:
                done += self._pretend()
            if not done + self._worker.run_once():
                return

    def _pretend(self) -> int:
        """Complete the jobs of processes without running any."""
        now_ms = self.clock.now_ms()
        leases = self.engine.store.claim(("script", "shell"), 100, "nobody", now_ms, 60_000)
        for lease in leases:
            self.engine.complete(lease, "output")
        return len(leases)
