from __future__ import annotations

from typing import Any

import pytest

from diglot.compiler.checks.loops import check_loops
from diglot.compiler.checks.ways import Ways
from diglot.compiler.diagnostics import Report
from diglot.compiler.graph import (
    Action,
    Call,
    Constant,
    Duration,
    Emit,
    End,
    ErrorTemplate,
    EventStrategy,
    Expression,
    Graph,
    Guard,
    Pass,
    Raise,
    Receive,
    ScopeNode,
    Task,
    TimerTrigger,
    Wait,
)

PAUSES = {
    "wait": (Wait, {"timer": TimerTrigger(form="duration", value=Duration(milliseconds=1))}),
    "listen": (Receive, {"strategy": EventStrategy(mode="any")}),
    "job": (Task, {"action": Action(type="http", arguments=Constant({}))}),
    "child": (Call, {"namespace": "test", "process": "other"}),
}


def findings(graph: Graph) -> list[tuple[str, str]]:
    report = Report()
    check_loops(graph, report, {})
    return [(found.pointer, found.message) for found in report]


def circle(sketch: Any, *names: str) -> None:
    sketch.ways("->".join(("start", *names, names[0])))


def test_tasks_that_follow_each_other_for_ever_are_refused(sketch: Any) -> None:
    sketch.node(Pass, "first")
    sketch.node(Pass, "a")
    sketch.node(Emit, "b", event=Constant({}))
    sketch.ways("start->first->a->b->a")

    assert findings(sketch.graph()) == [
        ("/do/1/a", "the tasks `a`, `b` follow each other for ever without waiting for anything")
    ]


def test_a_task_that_follows_itself_is_a_circle(sketch: Any) -> None:
    sketch.node(Pass, "a")
    circle(sketch, "a")

    assert [pointer for pointer, _ in findings(sketch.graph())] == ["/do/0/a"]


@pytest.mark.parametrize("kind", list(PAUSES))
def test_a_circle_may_wait(sketch: Any, kind: str) -> None:
    pause, fields = PAUSES[kind]
    sketch.node(pause, "a", **fields)
    circle(sketch, "a")

    assert findings(sketch.graph()) == []


@pytest.mark.parametrize("kind", ["job", "child"])
def test_a_circle_that_starts_work_without_waiting_for_it_is_refused(
    sketch: Any, kind: str
) -> None:
    pause, fields = PAUSES[kind]
    sketch.node(pause, "a", waits=False, **fields)
    circle(sketch, "a")

    assert len(findings(sketch.graph())) == 1


def test_a_circle_may_be_left_by_a_choice(sketch: Any) -> None:
    sketch.node(Pass, "a")
    sketch.choice("pick", "a", default="end")
    sketch.ways("start->a->pick")

    assert findings(sketch.graph()) == []


def test_a_choice_whose_branches_all_stay_is_no_way_out(sketch: Any) -> None:
    sketch.node(Pass, "a")
    sketch.node(Pass, "b")
    sketch.choice("pick", "a", default="b")
    sketch.ways("start->a->pick")
    sketch.ways("b->a")

    assert [pointer for pointer, _ in findings(sketch.graph())] == ["/do/0/a"]


def test_a_circle_may_be_left_by_a_guard(sketch: Any) -> None:
    sketch.node(Pass, "a", guard=Guard(condition=Expression(text="."), skip="a->end"))
    circle(sketch, "a")
    sketch.ways("a->end", role="skip")

    assert findings(sketch.graph()) == []


def test_a_circle_may_be_left_by_the_task_whose_guard_keeps_it_inside(sketch: Any) -> None:
    sketch.node(Pass, "a", guard=Guard(condition=Expression(text="."), skip="a->b"))
    sketch.node(Pass, "b")
    sketch.ways("start->a->end")
    sketch.ways("a->b", role="skip")
    sketch.ways("b->a")

    assert findings(sketch.graph()) == []


def test_a_flow_that_runs_beside_the_circle_does_not_end_it(sketch: Any) -> None:
    sketch.node(Pass, "a")
    circle(sketch, "a")
    sketch.ways("a->end")

    assert len(findings(sketch.graph())) == 1


@pytest.mark.parametrize(
    ("kind", "fields"),
    [
        (Wait, PAUSES["wait"][1]),
        (Raise, {"error": ErrorTemplate(type=Constant("x"), status=Constant(500))}),
        (End, {"effect": "instance"}),
    ],
)
def test_a_circle_may_wait_or_end_inside_a_task(
    sketch: Any, kind: Any, fields: dict[str, Any]
) -> None:
    sketch.node(ScopeNode, "a", body="body")
    sketch.scope("body", parent="/")
    sketch.node(ScopeNode, "b", scope="body", body="deeper")
    sketch.scope("deeper", parent="body")
    sketch.node(kind, "c", scope="deeper", **fields)
    circle(sketch, "a")

    assert findings(sketch.graph()) == []


def test_a_task_that_only_computes_inside_does_not_wait(sketch: Any) -> None:
    sketch.node(ScopeNode, "a", body="body")
    sketch.scope("body", parent="/")
    sketch.node(Pass, "b", scope="body")
    circle(sketch, "a")

    assert [pointer for pointer, _ in findings(sketch.graph())] == ["/do/0/a"]


def test_a_circle_that_is_never_reached_is_not_reported(sketch: Any) -> None:
    sketch.node(Pass, "a")
    sketch.ways("start->end")
    sketch.ways("a->a")

    assert findings(sketch.graph()) == []


def test_a_long_circle_is_one_circle(sketch: Any) -> None:
    names = [f"t{number}" for number in range(5000)]
    for name in names:
        sketch._ids[name] = name
    sketch.nodes += [Pass(id=name, scope="/") for name in names]
    circle(sketch, *names)

    cycles = list(Ways(sketch.graph()).cycles(names))

    assert cycles == [frozenset(names)]
