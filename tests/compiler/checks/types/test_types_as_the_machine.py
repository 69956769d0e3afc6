"""What a run comes to is of the type that was worked out for it before the run."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from conformance.harness.case import Case, CaseError, definitions, load
from conformance.harness.doubles import Servers
from conformance.harness.driver import graphs_of
from conformance.harness.modes import Stage

from diglot.compiler.checks.types.constants import holds
from diglot.compiler.checks.types.flowing import Flowing
from diglot.compiler.graph import Graph, digest
from diglot.runtime import events as e
from diglot.runtime.events import Event

#: Folders of cases in which data moves, of both standards.
FOLDERS = (
    "call-function", "export", "extension", "for", "fork", "input", "listen-foreach", "output",
    "retry", "run-workflow", "set", "switch", "try",
    "call-activity", "data-association", "data-object", "error-event", "expression",
    "multi-instance", "script-task", "standard-loop",
)  # fmt: skip


def cases() -> Iterator[Any]:
    for path in definitions():
        if path.parent.name not in FOLDERS or path.name.startswith(("invalid-", "refused-")):
            continue
        try:
            case = load(path)
        except CaseError:
            continue
        if not case.is_refused and not case.has_worker:
            yield pytest.param(case, id=case.id)


@pytest.fixture(scope="module")
def stage() -> Iterator[Stage]:
    with Servers() as servers:
        yield Stage(servers, seed=0)


@pytest.mark.parametrize("case", list(cases()))
def test_data_of_a_run_is_of_the_type_that_was_worked_out(case: Case, stage: Stage) -> None:
    types = {digest(graph): flowing(graph) for graph in graphs_of(case)}

    with stage.play(case) as play:
        while not play.is_done:
            play.next()
        store = play.engine.store
        histories = [
            (store.load(instance), store.history(instance)) for instance in play.instances()
        ]

        for state, history in histories:
            assert state is not None
            events = [event for _, _, command in history for event in command]
            assert list(unlike(types[state.definition], events)) == []


def flowing(graph: Graph) -> Flowing:
    found = Flowing(graph)
    found.run()
    return found


def unlike(types: Flowing, events: list[Event]) -> Iterator[str]:
    """The data of a history that are not of their types."""
    nodes: dict[int, str] = {}
    scopes: dict[int, str] = {}
    for event in events:
        match event:
            case e.ScopeEntered():
                scopes[event.id] = event.scope
                for name, value in event.variables.items():
                    if not holds(types.variables.get(event.scope, name), value):
                        yield f"${name} of {event.scope} is {value!r}"
            case e.VariableSet():
                if not holds(types.variables.get(scopes[event.scope], event.name), event.value):
                    yield f"${event.name} of {scopes[event.scope]} is {event.value!r}"
            case e.VisitEntered():
                nodes[event.id] = event.node
                if not holds(types.raw[event.node], event.data):
                    yield f"{event.node} gets {event.data!r}"
            case e.ChildStarted():
                node = nodes[event.visit]
                if not holds(types.handed[node], event.input):
                    yield f"{node} hands on {event.input!r}"
            case e.VisitPassed(is_same=False):
                if event.routes and not holds(types.outputs[event.node], event.data):
                    yield f"{event.node} gives {event.data!r}"
            case e.VisitLeft():
                node = nodes[event.id]
                if event.routes and not holds(types.outputs[node], event.data):
                    yield f"{node} gives {event.data!r}"
            case _:
                pass
