"""What became of each run of each task, out of an instance's history."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from conformance.harness.evidence import is_authors
from diglot.runtime import events as e
from diglot.runtime.engine import Engine
from diglot.runtime.evolve import evolve
from diglot.runtime.state import State


@dataclass(slots=True)
class Run:
    """One run of a task; `status` is running until it is completed, faulted or cancelled."""

    name: str
    status: str = "running"
    output: Any = None
    error: dict[str, Any] | None = None


def runs_of(engine: Engine, instance: str) -> list[Run]:
    """Every run of a task of the author's, in order of being entered."""
    state = State(instance)
    plans = engine.plan(engine.state(instance).definition).nodes
    found: list[Run] = []
    live: dict[int, Run] = {}
    for _, _, events in engine.store.history(instance):
        for event in events:
            match event:
                case e.VisitEntered(id=id, node=node) | e.VisitPassed(id=id, node=node):
                    if is_authors(plans[node]):
                        live[id] = Run(plans[node].node.name)
                        found.append(live[id])
                case _:
                    pass
            _follow(event, state, live)
            evolve(state, event)
    return found


def _follow(event: e.Event, state: State, live: dict[int, Run]) -> None:
    """What an event that is about to be applied makes of the runs that are alive."""
    match event:
        case e.VisitPassed(id=id):
            if id in live:
                data = state.arrivals[event.arrivals[-1]].data if event.is_same else event.data
                _end(live, id, "completed", output=data)
        case e.VisitLeft(id=id, data=data):
            _end(live, id, "completed", output=data)
        case e.VisitFailed(id=id, error=error):
            _end(live, id, "faulted", error=error)
        case e.VisitCancelled(id=id):
            _end(live, id, "cancelled")
        case e.InstanceEnded():
            for id in list(live):
                _end(live, id, "cancelled")
        case _:
            pass


def _end(
    live: dict[int, Run],
    id: int,
    status: str,
    *,
    output: Any = None,
    error: dict[str, Any] | None = None,
) -> None:
    run = live.pop(id, None)
    if run is not None:
        run.status, run.output, run.error = status, output, error
