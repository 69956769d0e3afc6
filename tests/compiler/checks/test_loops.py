from __future__ import annotations

from typing import Any

import pytest

from diglot.compiler.checks.loops import check_loops
from diglot.compiler.checks.ways import Ways
from diglot.compiler.diagnostics import Report
from diglot.compiler.graph import (
    Action,
    Assign,
    Call,
    Constant,
    DataRules,
    Duration,
    Emit,
    End,
    ErrorTemplate,
    EventStrategy,
    Expression,
    Fork,
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
    return [(found.pointer, found.message) for found in report if found.code == "DG0309"]


def busy(graph: Graph) -> list[tuple[str, str]]:
    report = Report()
    check_loops(graph, report, {})
    return [(found.pointer, found.message) for found in report if found.code == "DG0316"]


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


# -- circles that can be left, and never are


def test_a_circle_in_which_nothing_changes_is_never_left(sketch: Any) -> None:
    sketch.node(Pass, "a")
    sketch.choice("pick", "a", default="end")
    sketch.ways("start->a->pick")

    assert busy(sketch.graph()) == [
        (
            "/do/0/a",
            "the loop through `a`, `pick` never waits, and nothing in it changes what decides "
            "about going on",
        )
    ]


def test_a_choice_that_leads_back_to_itself_is_never_left(sketch: Any) -> None:
    sketch.choice("pick", "pick", default="end")
    sketch.ways("start->pick")

    assert [pointer for pointer, _ in busy(sketch.graph())] == ["/do/0/pick"]


@pytest.mark.parametrize("kind", list(PAUSES))
def test_a_circle_that_waits_may_ask_the_same_again(sketch: Any, kind: str) -> None:
    pause, fields = PAUSES[kind]
    sketch.node(pause, "a", **fields)
    sketch.choice("pick", "a", default="end")
    sketch.ways("start->a->pick")

    assert busy(sketch.graph()) == []


@pytest.mark.parametrize(
    ("kind", "fields"),
    [
        (Assign, {"value": Constant({})}),
        (Emit, {"event": Constant({})}),
        (Pass, {"data": DataRules(write=Expression(text=".n + 1"))}),
        (Pass, {"data": DataRules(export=Constant({}))}),
        (Pass, {"construct": "task"}),
    ],
)
def test_a_circle_that_changes_something_may_count(
    sketch: Any, kind: Any, fields: dict[str, Any]
) -> None:
    sketch.node(kind, "a", **fields)
    sketch.choice("pick", "a", default="end")
    sketch.ways("start->a->pick")

    assert busy(sketch.graph()) == []


def test_what_is_changed_inside_counts(sketch: Any) -> None:
    sketch.node(ScopeNode, "a", body="body")
    sketch.scope("body", parent="/")
    sketch.node(Assign, "b", scope="body", value=Constant({}))
    sketch.choice("pick", "a", default="end")
    sketch.ways("start->a->pick")

    assert busy(sketch.graph()) == []


def test_another_branch_may_change_what_decides(sketch: Any) -> None:
    sketch.node(Fork, "split")
    sketch.node(Pass, "a")
    sketch.node(Assign, "b", value=Constant({}))
    sketch.choice("pick", "a", default="end")
    sketch.ways("start->split->a->pick")
    sketch.ways("split->b->end")

    assert busy(sketch.graph()) == []


def test_a_circle_inside_a_larger_one_that_waits_is_found(sketch: Any) -> None:
    pause, fields = PAUSES["wait"]
    sketch.node(pause, "w", **fields)
    sketch.choice("pick", "pick", "w", default="end")
    sketch.ways("start->w->pick")

    assert [pointer for pointer, _ in busy(sketch.graph())] == ["/do/1/pick"]


def test_what_is_refused_is_not_told_again(sketch: Any) -> None:
    sketch.node(Pass, "a")
    circle(sketch, "a")

    assert len(findings(sketch.graph())) == 1
    assert busy(sketch.graph()) == []
