from __future__ import annotations

from time import process_time

import pytest

from diglot.compiler import codes, compile_source
from diglot.compiler.checks.recursion import check_recursion
from diglot.compiler.diagnostics import Report
from diglot.compiler.graph import Graph
from support.bpmn_graphs import chosen, graph_of, graphs_of, path

_CALL = "again: { run: { AWAIT workflow: { namespace: test, name: it, version: VERSION } } TAIL }"


def findings(*graphs: Graph) -> list[tuple[str, str]]:
    report = Report()
    check_recursion(graphs, report)
    return [(codes.by_id(one.code).name, one.pointer) for one in report]


def workflow(*tasks: str, wait: str = "", version: str = "latest", tail: str = "") -> Graph:
    call = _CALL.replace("AWAIT", wait).replace("VERSION", version).replace("TAIL", tail)
    text = (
        "document: { dsl: '1.0.3', namespace: test, name: it, version: '1.0.0' }\n"
        f"do: [{', '.join('{ ' + task.replace('CALL', call) + ' }' for task in tasks)}]"
    )
    compiled = compile_source(text)
    assert compiled.graphs, compiled.diagnostics
    return compiled.graphs[0]


def test_a_workflow_that_always_calls_itself_never_ends() -> None:
    report = Report()
    check_recursion([workflow("note: { set: { n: 1 } }", "CALL")], report)

    assert [(one.severity, one.message) for one in report] == [
        (
            "error",
            "every run of `it` starts itself again and waits for it, so that none completes",
        )
    ]


@pytest.mark.parametrize(
    "task",
    [
        "part: { do: [{ CALL }] }",
        "part: { fork: { branches: [{ CALL }, { pause: { wait: PT1S } }] } }",
        "pause: { wait: PT1S }",
    ],
)
def test_it_may_do_other_things_on_its_way(task: str) -> None:
    graph = workflow(task, *(() if "CALL" in task else ("CALL",)))

    assert [name for name, _ in findings(graph)] == ["recursion-without-end"]


@pytest.mark.parametrize(
    "task",
    [
        "part: { if: .n > 0, do: [{ CALL }] }",
        "part: { for: { in: .items }, do: [{ CALL }] }",
        "part: { try: [{ CALL }], catch: { do: [{ note: { set: { n: 1 } } }] } }",
        "part: { do: [{ CALL }], timeout: { after: PT1M } }",
        "part: { fork: { compete: true, branches: [{ CALL }, { pause: { wait: PT1S } }] } }",
    ],
)
def test_what_may_not_come_to_the_call_is_left_to_the_data(task: str) -> None:
    assert [name for name, _ in findings(workflow(task))] == ["recursion"]


def test_a_choice_may_lead_past_the_call() -> None:
    choose = (
        "choose: { switch: [{ more: { when: .n > 0, then: again } }, { rest: { then: end } }] }"
    )

    assert findings(workflow(choose, "CALL")) == [("recursion", "/do/1/again")]


def test_a_guarded_call_is_left_to_the_data() -> None:
    assert findings(workflow("CALL", tail=", if: .n > 0")) == [("recursion", "/do/0/again")]


def test_who_does_not_wait_comes_to_an_end() -> None:
    assert findings(workflow("CALL", wait="await: false,")) == [("recursion", "/do/0/again")]


def test_another_version_is_another_workflow() -> None:
    assert findings(workflow("CALL", version="2.0.0")) == []
    assert len(findings(workflow("CALL", version="1.0.0"))) == 1


# -- several definitions


def processes(*bodies: str) -> tuple[Graph, ...]:
    names = ("first", "second", "third")
    graphs, _ = graphs_of(
        "".join(
            f"<process id='{name}' isExecutable='true'>{body}</process>"
            for name, body in zip(names, bodies, strict=False)
        )
    )
    return graphs


def calling(name: str, process: str) -> str:
    return (
        f"<startEvent id='{name}-in'/><callActivity id='{name}-call' calledElement='{process}'/>"
        f"<endEvent id='{name}-out'/>" + path(f"{name}-in {name}-call {name}-out")
    )


def test_processes_that_always_call_each_other_never_end() -> None:
    report = Report()
    check_recursion(processes(calling("a", "second"), calling("b", "first")), report)
    (found,) = report

    assert found.code == codes.RECURSION_WITHOUT_END.id
    assert found.message == (
        "every run of `first` starts itself by way of `second` again and waits for it, "
        "so that none completes"
    )
    assert [one.message for one in found.related] == ["`b-call` calls `first`"]


def test_of_a_circle_of_processes_one_may_end_it() -> None:
    way_out = (
        "<startEvent id='b-in'/><exclusiveGateway id='split' default='split-b-out'/>"
        "<callActivity id='b-call' calledElement='first'/><endEvent id='b-out'/>"
        + path("b-in split b-out")
        + chosen("split", "b-call", "more")
        + path("b-call b-out")
    )
    found = findings(*processes(calling("a", "second"), way_out))

    assert found == [("recursion", "a-call"), ("recursion", "b-call")]


def test_a_chain_of_processes_is_no_circle() -> None:
    assert findings(*processes(calling("a", "second"), calling("b", "third"))) == []


def test_each_of_two_ways_may_lead_to_a_call() -> None:
    graph = graph_of(
        "<startEvent id='begin'/><exclusiveGateway id='split' default='split-b'/>"
        "<callActivity id='a' calledElement='order'/><callActivity id='b' calledElement='order'/>"
        + path("begin split b")
        + chosen("split", "a", "more")
    )

    assert [name for name, _ in findings(graph)] == ["recursion-without-end"]


def test_an_event_may_end_the_call() -> None:
    graph = graph_of(
        "<startEvent id='begin'/><callActivity id='a' calledElement='order'/><endEvent id='done'/>"
        "<boundaryEvent id='late' attachedToRef='a'><timerEventDefinition><timeDuration>PT1H"
        "</timeDuration></timerEventDefinition></boundaryEvent>"
        + path("begin a done")
        + path("late done")
    )

    assert findings(graph) == [("recursion", "a")]


def test_a_picture_is_not_refused() -> None:
    graphs, _ = graphs_of(
        "<process id='order' isExecutable='false'><startEvent id='begin'/>"
        "<callActivity id='a' calledElement='order'/>" + path("begin a") + "</process>"
    )
    report = Report()
    check_recursion(graphs, report)

    assert [one.severity for one in report] == ["warning"]


def test_a_hostile_number_of_calls_is_looked_through_in_time() -> None:
    count = 3000
    body = "<startEvent id='c0'/>" + "".join(
        f"<callActivity id='c{number}' calledElement='order'/>"
        f"<sequenceFlow id='f{number}' sourceRef='c{number - 1}' targetRef='c{number}'/>"
        for number in range(1, count)
    )
    graph = graph_of(body)
    start = process_time()

    assert len(findings(graph)) == 1
    assert process_time() - start < 1
