"""Scripts of vendors around events."""

from __future__ import annotations

import pytest

from diglot.compiler.graph import Pass, Task
from support.bpmn_graphs import find, graph_of, node, path, ways


def _listener(event: str, code: str = "a = 1", language: str = "python") -> str:
    return (
        f"<camunda:executionListener event='{event}'>"
        f"<camunda:script scriptFormat='{language}'>{code}</camunda:script>"
        "</camunda:executionListener>"
    )


def _around(*events: str) -> str:
    scripts = "".join(_listener(event) for event in events)
    return f"<extensionElements>{scripts}</extensionElements>"


def test_scripts_stand_in_front_of_and_behind_an_event() -> None:
    graph = graph_of(
        "<startEvent id='begin'/>"
        f"<intermediateThrowEvent id='note'>{_around('start', 'end')}</intermediateThrowEvent>"
        "<endEvent id='done'/>" + path("begin note done")
    )

    assert ways(graph, "begin") == ["note#before"]
    assert ways(graph, "note#before") == ["note"]
    assert ways(graph, "note") == ["note#after"]
    assert ways(graph, "note#after") == ["done"]
    assert node(graph, "note#before", Task).action.type == "script"


def test_every_flow_to_an_event_leads_to_its_script() -> None:
    graph = graph_of(
        "<startEvent id='begin'/><task id='a'/><task id='b'/>"
        f"<endEvent id='done'>{_around('start')}</endEvent>" + path("begin a done") + path("b done")
    )

    assert ways(graph, "a") == ways(graph, "b") == ["done#before"]
    assert ways(graph, "done#before") == ["done"]


def test_what_begins_by_itself_has_its_scripts_behind_it() -> None:
    graph = graph_of(
        f"<startEvent id='begin'>{_around('start', 'end')}</startEvent><endEvent id='done'/>"
        + path("begin done")
    )

    assert ways(graph, "begin") == ["begin#before"]
    assert ways(graph, "begin#before") == ["begin#after"]
    assert ways(graph, "begin#after") == ["done"]


def test_an_event_in_a_race_has_its_scripts_behind_it() -> None:
    timer = "<timerEventDefinition><timeDuration>PT1S</timeDuration></timerEventDefinition>"
    graph = graph_of(
        "<startEvent id='begin'/><eventBasedGateway id='race'/>"
        f"<intermediateCatchEvent id='late'>{_around('start')}{timer}</intermediateCatchEvent>"
        "<endEvent id='done'/>" + path("begin race late done")
    )

    assert ways(graph, "race") == ["late"]
    assert ways(graph, "late") == ["late#before"]


@pytest.mark.parametrize("definition", ["", "<terminateEventDefinition/>"])
def test_an_end_has_both_scripts_in_front(definition: str) -> None:
    graph = graph_of(
        "<startEvent id='begin'/>"
        f"<endEvent id='done'>{_around('start', 'end')}{definition}</endEvent>" + path("begin done")
    )

    assert ways(graph, "begin") == ["done#before"]
    assert ways(graph, "done#before") == ["done#after"]
    assert ways(graph, "done#after") == ["done"]


def test_an_end_that_sends_has_a_script_behind_it() -> None:
    graph = graph_of(
        "<startEvent id='begin'/>"
        f"<endEvent id='done'>{_around('end')}<signalEventDefinition/></endEvent>"
        + path("begin done")
    )

    assert ways(graph, "begin") == ["done"]
    assert ways(graph, "done") == ["done#after"]


def test_a_script_in_a_foreign_language_around_an_event_is_told() -> None:
    script = f"<extensionElements>{_listener('start', language='groovy')}</extensionElements>"
    graph = graph_of(
        f"<startEvent id='begin'/><endEvent id='done'>{script}</endEvent>" + path("begin done"),
        finds=("script-not-run",),
    )

    assert ways(graph, "begin") == ["done"]


@pytest.mark.parametrize(
    "element",
    [
        f"<exclusiveGateway id='split'>{_around('start')}</exclusiveGateway>",
        f"<task id='split'/><sequenceFlow id='f' sourceRef='split' targetRef='done'>"
        f"{_around('take')}</sequenceFlow>",
        _around("end"),
    ],
    ids=["gateway", "flow", "process"],
)
def test_a_script_that_has_no_moment_is_told(element: str) -> None:
    graph = graph_of(
        f"<startEvent id='begin'/>{element}<endEvent id='done'/>" + path("begin done"),
        finds=("script-out-of-place",),
    )

    assert find(graph, "split#before") is None


def test_a_script_around_a_compensation_event_is_told() -> None:
    graph = graph_of(
        "<startEvent id='begin'/><task id='pay'/><boundaryEvent id='back' attachedToRef='pay'>"
        f"{_around('end')}<compensateEventDefinition/></boundaryEvent>"
        "<task id='refund' isForCompensation='true'/>"
        "<association id='undo' associationDirection='One' sourceRef='back' targetRef='refund'/>"
        + path("begin pay"),
        finds=("script-out-of-place",),
    )

    assert isinstance(node(graph, "refund", Pass), Pass)
