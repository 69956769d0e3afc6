"""An engine with a clock that stands still, and workflows as short texts."""

from __future__ import annotations

from typing import Any

from diglot.compiler import compile_source
from diglot.compiler.graph import Graph
from diglot.runtime.clock import ManualClock
from diglot.runtime.engine import Engine, Settings, Sink
from diglot.runtime.events import Event
from diglot.runtime.scheduler import settle
from diglot.runtime.secrets import Provider
from diglot.runtime.store import InstanceRow, Lease, Store

from .stores import new_store

HEAD = "document: {{dsl: 1.0.3, namespace: test, name: {name}, version: {version}}}\n"


def workflow(body: str, name: str = "one", version: str = "1.0.0") -> Graph:
    """The graph of a workflow given without its `document`; it must have no errors."""
    compiled = compile_source(HEAD.format(name=name, version=version) + body, f"{name}.yaml")
    assert compiled.graph is not None, compiled.diagnostics
    assert not compiled.has_errors, compiled.diagnostics
    return compiled.graph


class Run:
    """One engine and what a test does with it."""

    def __init__(
        self,
        database: str | Store | None = None,
        *,
        clock: ManualClock | None = None,
        secrets: Provider | None = None,
        settings: Settings | None = None,
        sinks: tuple[Sink, ...] = (),
    ) -> None:
        self.clock = clock or ManualClock()
        self.engine = Engine(
            new_store() if database is None else database,
            clock=self.clock,
            secrets=secrets or (lambda name: None),
            settings=settings,
            sinks=sinks,
            chance=lambda: 7,
        )

    def start(self, body: str, input: Any = None, **options: Any) -> str:
        """Publish and start a workflow, and let it come to rest."""
        digest = self.engine.deploy(workflow(body, **options))
        instance = self.engine.start(digest, {} if input is None else input)
        settle(self.engine)
        return instance

    def advance(self, milliseconds: int) -> None:
        """Move the clock and let everything come to rest."""
        self.clock.advance(milliseconds)
        settle(self.engine)

    def claim(self, *types: str, limit: int = 10, lease_ms: int = 30_000) -> list[Lease]:
        """Take ready jobs as a worker would."""
        wanted = types or ("http", "openapi", "script", "shell")
        return self.engine.store.claim(wanted, limit, "tester", self.clock.now_ms(), lease_ms)

    def row(self, instance: str) -> InstanceRow:
        """The instance as people see it."""
        return self.engine.instance(instance)

    def events(self, instance: str) -> list[Event]:
        """Its whole history."""
        return [event for _, _, events in self.engine.store.history(instance) for event in events]
