from __future__ import annotations

from typing import Any

from diglot.compiler import codes
from diglot.compiler.checks.gateways import check_gateways
from diglot.compiler.diagnostics import Report
from diglot.compiler.graph import Graph
from support.bpmn_graphs import chosen, graph_of, path

_TASKS = "<startEvent id='begin'/><task id='a'/><task id='b'/><endEvent id='done'/>"
_SPLIT = "<inclusiveGateway id='split'/>"
_MERGE = "<inclusiveGateway id='merge'/>"
_STOP = "<endEvent id='stop'><terminateEventDefinition/></endEvent>"


def findings(graph: Graph) -> list[tuple[str, str, str]]:
    report = Report()
    check_gateways(graph, report, {})
    return [(codes.by_id(one.code).name, one.pointer, one.severity.value) for one in report]


# -- what has to go somewhere


def split(kind: str, first: str, second: str, attributes: str = "") -> Graph:
    return graph_of(
        f"{_TASKS}<{kind} id='split' {attributes}/>"
        + path("begin split")
        + chosen("split", "a", first)
        + chosen("split", "b", second)
    )


def test_an_inclusive_split_may_find_nothing_to_take() -> None:
    graph = split("inclusiveGateway", "amount > 1", "gift")

    assert findings(graph) == [("split-without-default", "split", "warning")]


def test_an_exclusive_split_may_find_nothing_to_take() -> None:
    graph = split("exclusiveGateway", "state = 1", "state = 2")

    assert findings(graph) == [("split-without-default", "split", "info")]


def test_opposites_leave_nothing_out() -> None:
    assert findings(split("exclusiveGateway", "amount > 1", "amount &lt;= 1")) == []
    assert findings(split("inclusiveGateway", "gift", "not(gift)")) == []


def test_a_default_takes_what_is_left() -> None:
    graph = split("inclusiveGateway", "amount > 1", "gift", "default='split-b'")

    assert findings(graph) == []


def test_a_flow_without_a_condition_is_always_taken() -> None:
    graph = graph_of(
        f"{_TASKS}{_SPLIT}" + path("begin split b") + chosen("split", "a", "amount > 1")
    )

    assert findings(graph) == []


def test_the_flows_of_an_activity_are_a_split() -> None:
    graph = graph_of(
        _TASKS + path("begin a") + chosen("a", "b", "amount > 1") + chosen("a", "done", "gift")
    )

    assert findings(graph) == [("split-without-default", "a", "warning")]


def test_a_condition_on_an_only_flow_is_told_as_such() -> None:
    assert findings(graph_of(_TASKS + path("begin a") + chosen("a", "b", "amount > 1"))) == []


# -- what has nothing to do


def alone(end: str = "", split: str = "exclusiveGateway", more: str = "") -> Graph:
    return graph_of(
        f"{_TASKS}{_MERGE}{end}<{split} id='split' default='split-b'/>{more}"
        + path("begin split b merge")
        + path("a merge done")
        + chosen("split", "a", "amount > 1")
    )


def test_an_inclusive_merge_of_a_choice_waits_for_nothing() -> None:
    assert findings(alone()) == [("inclusive-waits-for-nothing", "merge", "info")]


def test_an_inclusive_merge_of_an_inclusive_split_has_what_to_wait_for() -> None:
    assert findings(alone(split="inclusiveGateway")) == []


def test_a_handler_that_runs_beside_brings_another_token() -> None:
    beside = (
        "<boundaryEvent id='late' attachedToRef='a' cancelActivity='false'><timerEventDefinition>"
        "<timeDuration>PT1H</timeDuration></timerEventDefinition></boundaryEvent>"
    )

    assert findings(alone(more=beside + path("late done"))) == []


def ending(more: str = "", way: str = "begin a stop") -> Graph:
    return graph_of(f"<startEvent id='begin'/><task id='a'/>{_STOP}{more}" + path(way))


def test_a_terminate_behind_one_token_ends_nothing() -> None:
    assert findings(ending()) == [("terminate-ends-nothing", "stop", "info")]


def test_a_terminate_ends_another_branch() -> None:
    more = "<parallelGateway id='fork'/><task id='b'/>" + path("fork b")

    assert findings(ending(more, "begin fork a stop")) == []


def test_a_terminate_ends_what_an_activity_began_by_a_second_flow() -> None:
    assert findings(ending("<task id='b'/>" + path("a b"))) == []


def test_a_terminate_ends_an_event_sub_process_beside_it() -> None:
    more = (
        "<subProcess id='ask' triggeredByEvent='true'><startEvent id='asked' "
        "isInterrupting='false'><signalEventDefinition signalRef='s'/></startEvent></subProcess>"
    )
    graph = graph_of(
        f"<startEvent id='begin'/><task id='a'/>{_STOP}{more}" + path("begin a stop"),
        "<signal id='s' name='where'/>",
    )

    assert findings(graph) == []


def test_what_runs_in_another_scope_is_not_ended() -> None:
    more = (
        "<subProcess id='part'><startEvent id='in'/><parallelGateway id='fork'/><task id='x'/>"
        "<task id='y'/>" + path("in fork x") + path("fork y") + "</subProcess>"
    )

    assert findings(ending(more, "begin a part stop")) == [
        ("terminate-ends-nothing", "stop", "info")
    ]


def test_the_end_of_a_race_of_branches_is_no_finding(sketch: Any) -> None:
    from diglot.compiler.graph import End

    sketch.nodes.append(End(id="/do/0/race#won", scope="/", effect="terminate"))
    sketch.ways("start->/do/0/race#won")

    assert findings(sketch.graph()) == []
