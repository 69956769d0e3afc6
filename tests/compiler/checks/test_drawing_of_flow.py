from __future__ import annotations

from time import process_time
from typing import Any

import pytest

from diglot.compiler import codes
from diglot.compiler.checks.drawing_of_flow import check_drawing_of_flow
from diglot.compiler.diagnostics import Report
from diglot.compiler.graph import Graph, Pass
from support.bpmn_graphs import chosen, graph_of, path

_TASKS = "<startEvent id='begin'/><task id='a'/><task id='b'/><task id='c'/>"


def report_of(graph: Graph) -> Report:
    report = Report()
    check_drawing_of_flow(graph, report, {})
    return report


def findings(graph: Graph) -> list[tuple[str, str]]:
    return [(codes.by_id(one.code).name, one.pointer) for one in report_of(graph)]


# -- splits without a gateway


def test_an_activity_parts_by_its_flows() -> None:
    graph = graph_of(_TASKS + path("begin a b") + path("a c"))

    assert [one.message for one in report_of(graph)] == [
        "`a` gives a token to each of the 2 flows that leave it"
    ]


def test_an_event_parts_by_its_flows() -> None:
    assert findings(graph_of(_TASKS + path("begin a") + path("begin b") + path("begin c"))) == [
        ("implicit-split", "begin")
    ]


@pytest.mark.parametrize("kind", ["parallelGateway", "exclusiveGateway", "inclusiveGateway"])
def test_a_gateway_parts_on_purpose(kind: str) -> None:
    told = ("flow-without-condition",) if kind == "exclusiveGateway" else ()
    graph = graph_of(
        f"{_TASKS}<{kind} id='split'/>" + path("begin split a") + path("split b"), finds=told
    )

    assert findings(graph) == []


def test_flows_with_conditions_choose() -> None:
    graph = graph_of(_TASKS + path("begin a c") + chosen("a", "b", "amount > 1"))

    assert findings(graph) == []


def test_a_boundary_event_is_no_second_flow() -> None:
    graph = graph_of(
        _TASKS
        + "<boundaryEvent id='failed' attachedToRef='a'><errorEventDefinition/></boundaryEvent>"
        + path("begin a b")
        + path("failed c")
    )

    assert findings(graph) == []


def test_a_list_of_tasks_has_no_drawing(sketch: Any) -> None:
    for name in ("a", "b", "c"):
        sketch.node(Pass, name)
    sketch.ways("start->a->b->end")
    sketch.ways("a->c->end")
    sketch.ways("a->b")

    assert findings(sketch.graph()) == []


# -- flows drawn twice

_TWICE = (
    "<sequenceFlow id='one' sourceRef='split' targetRef='{to}' {first}/>"
    "<sequenceFlow id='two' sourceRef='split' targetRef='{to}'/>"
)


def test_a_second_flow_into_a_join_makes_no_difference() -> None:
    graph = graph_of(
        f"{_TASKS}<parallelGateway id='split'/><parallelGateway id='join'/>"
        + path("begin split a join b")
        + _TWICE.format(to="join", first="")
    )

    assert [one.message for one in report_of(graph)] == [
        "2 flows lead from `split` to `join`, and they make no difference"
    ]


def test_a_second_flow_of_a_choice_is_never_taken() -> None:
    same = chosen("split", "a", "amount > 1") + chosen("split", "a", "amount > 1").replace(
        "'split-a'", "'again'"
    )
    graph = graph_of(
        f"{_TASKS}<exclusiveGateway id='split' default='split-b'/>" + path("begin split b") + same
    )

    assert findings(graph) == [("flow-twice", "split")]


def test_flows_of_other_conditions_are_others() -> None:
    other = chosen("split", "a", "amount > 1") + chosen("split", "a", "gift").replace(
        "'split-a'", "'again'"
    )
    graph = graph_of(
        f"{_TASKS}<exclusiveGateway id='split' default='split-b'/>" + path("begin split b") + other
    )

    assert findings(graph) == []


def test_flows_of_other_names_are_others() -> None:
    graph = graph_of(
        f"{_TASKS}<parallelGateway id='split'/><parallelGateway id='join'/>"
        + path("begin split a join b")
        + _TWICE.format(to="join", first="name='yes'")
    )

    assert findings(graph) == []


def test_a_second_flow_to_a_task_brings_a_second_token() -> None:
    graph = graph_of(
        f"{_TASKS}<parallelGateway id='split'/>"
        + path("begin split b")
        + _TWICE.format(to="a", first="")
    )

    assert findings(graph) == []


# -- where a process begins


def test_what_nothing_leads_to_begins_together() -> None:
    graph = graph_of("<task id='a'/><task id='b'/><task id='c'/>" + path("a c"))
    (found,) = report_of(graph)

    assert found.message == ("`a`, `b` begin at the same time, because no flow leads to them")
    assert [(one.message, one.pointer) for one in found.related] == [("`b` begins as well", "b")]


def test_one_beginning_needs_no_start_event() -> None:
    assert findings(graph_of("<task id='a'/><task id='b'/>" + path("a b"))) == []


def test_an_ad_hoc_sub_process_begins_anywhere() -> None:
    graph = graph_of(
        "<startEvent id='begin'/><adHocSubProcess id='part'><task id='a'/><task id='b'/>"
        "</adHocSubProcess>" + path("begin part")
    )

    assert findings(graph) == []


def test_of_several_start_events_that_wait_for_nothing_one_is_taken() -> None:
    graph = graph_of(
        "<startEvent id='called'/><startEvent id='mailed'/><task id='a'/>"
        + path("called a")
        + path("mailed a")
    )

    assert [one.message for one in report_of(graph)] == [
        "the process begins at `called`; `mailed` begins it only where that is asked for"
    ]


def test_a_start_event_with_a_trigger_is_no_second_beginning() -> None:
    graph = graph_of(
        "<startEvent id='called'/><startEvent id='told'><signalEventDefinition signalRef='s'/>"
        "</startEvent><task id='a'/>" + path("called a") + path("told a"),
        "<signal id='s' name='told'/>",
    )

    assert findings(graph) == []


# -- names


def named(first: str, second: str, kind: str = "userTask") -> Graph:
    return graph_of(
        f"<startEvent id='begin'/><userTask id='a' name='{first}'/><{kind} id='b' name='{second}'/>"
        + path("begin a b")
    )


def test_two_tasks_of_one_name_are_hard_to_tell_apart() -> None:
    (found,) = report_of(named("Check", "Check"))

    assert (found.code, found.pointer) == (codes.NAME_TWICE.id, "b")
    assert found.message == "2 activities are called `Check` in one place"
    assert [one.pointer for one in found.related] == ["a"]


def test_names_may_be_left_out() -> None:
    assert findings(named("", "")) == []


def test_another_kind_of_activity_looks_different() -> None:
    assert findings(named("Check", "Check", "serviceTask")) == []


def test_another_scope_is_another_place() -> None:
    graph = graph_of(
        "<startEvent id='begin'/><userTask id='a' name='Check'/><subProcess id='part'>"
        "<userTask id='b' name='Check'/></subProcess>" + path("begin a part")
    )

    assert findings(graph) == []


def test_a_hostile_drawing_is_looked_through_in_time() -> None:
    count = 5000
    body = "<startEvent id='begin'/>" + "".join(
        f"<userTask id='t{number}' name='same'/>"
        f"<sequenceFlow id='f{number}' sourceRef='begin' targetRef='t{number}'/>"
        for number in range(count)
    )
    graph = graph_of(body)
    start = process_time()
    found = report_of(graph)

    assert process_time() - start < 1
    assert [one.code for one in found] == [codes.IMPLICIT_SPLIT.id, codes.NAME_TWICE.id]
    assert max(len(one.related) for one in found) <= 10
