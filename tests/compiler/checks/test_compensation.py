from __future__ import annotations

import time
from typing import Any

import pytest

from diglot.compiler import codes
from diglot.compiler.checks.compensation import check_compensation
from diglot.compiler.diagnostics import Report
from diglot.compiler.graph import (
    Compensate,
    CompensationTrigger,
    ErrorTrigger,
    EscalationTrigger,
    Graph,
    Handler,
    Pass,
    ScopeNode,
)

NOTHING = "DG0720"
TOO_EARLY = "DG0721"
NEVER_ASKED = "DG0722"


def findings(graph: Graph, report: Report | None = None) -> list[tuple[str, str]]:
    report = Report() if report is None else report
    before = len(report)
    check_compensation(graph, report, {})
    return [(found.code, found.pointer) for found in report.diagnostics[before:]]


def undone(sketch: Any, name: str, scope: str = "/") -> None:
    """An activity with one that undoes it."""
    sketch.node(Pass, name, scope)
    undo = f"undo-{name}"
    sketch.node(Pass, undo, scope)
    sketch.handlers.append(
        Handler(
            id=f"{name}-undone",
            node=sketch.id(name),
            trigger=CompensationTrigger(),
            activity=sketch.id(undo),
            pointer=f"{name}-undone",
        )
    )


def test_what_nothing_can_undo_is_told(sketch: Any) -> None:
    sketch.node(Pass, "pay")
    sketch.node(Compensate, "undo")
    sketch.ways("start->pay->undo->end")

    assert findings(sketch.graph()) == [(NOTHING, "/do/1/undo")]


def test_an_activity_that_nothing_undoes_is_told_by_its_name(sketch: Any) -> None:
    sketch.node(Pass, "pay")
    undone(sketch, "book")
    sketch.node(Compensate, "undo", activity=sketch.id("pay"))
    sketch.ways("start->book->pay->undo->end")

    report = Report()
    check_compensation(sketch.graph(), report, {})

    assert report.diagnostics[0].message == (
        "`undo` asks for the compensation of `pay`, and nothing there can be undone"
    )


@pytest.mark.parametrize("is_named", [True, False])
def test_what_is_done_before_and_can_be_undone_is_right(sketch: Any, is_named: bool) -> None:
    undone(sketch, "pay")
    sketch.node(Compensate, "undo", activity=sketch.id("pay") if is_named else None)
    sketch.ways("start->pay->undo->end")

    assert findings(sketch.graph()) == []


def test_what_can_be_undone_inside_of_an_activity_is_enough(sketch: Any) -> None:
    sketch.node(ScopeNode, "part", body="/part")
    sketch.scope("/part", parent="/", form="sub-process")
    undone(sketch, "pay", "/part")
    sketch.node(Compensate, "undo", activity=sketch.id("part"))
    sketch.ways("start->part->undo->end")

    assert findings(sketch.graph()) == []


def test_an_activity_on_another_level_is_not_reached(sketch: Any) -> None:
    sketch.node(ScopeNode, "part", body="/part")
    sketch.scope("/part", parent="/", form="sub-process")
    undone(sketch, "pay")
    sketch.node(Compensate, "undo", "/part", activity=sketch.id("pay"))
    sketch.ways("start->pay->part->end")

    assert findings(sketch.graph()) == [(NOTHING, "/part/0/undo")]


def test_an_event_sub_process_belongs_to_the_scope_it_handles_for(sketch: Any) -> None:
    sketch.scope("/help", parent="/", form="event-sub-process")
    undone(sketch, "pay")
    sketch.node(Compensate, "undo", "/help", activity=sketch.id("pay"))
    sketch.handlers.append(Handler(id="helps", scope="/", trigger=ErrorTrigger(), run="/help"))
    sketch.ways("start->pay->end")

    assert findings(sketch.graph()) == []


def test_what_comes_later_is_never_done_by_then(sketch: Any) -> None:
    undone(sketch, "pay")
    sketch.node(Compensate, "undo", activity=sketch.id("pay"))
    sketch.ways("start->undo->pay->end")

    assert findings(sketch.graph()) == [(TOO_EARLY, "/do/2/undo")]


def test_what_failed_is_not_completed(sketch: Any) -> None:
    undone(sketch, "pay")
    sketch.node(Compensate, "undo")
    sketch.ways("start->pay->end")
    sketch.ways("pay->undo", role="handler")

    assert findings(sketch.graph()) == [(TOO_EARLY, "/do/2/undo")]


def test_in_a_loop_it_was_completed_the_time_before(sketch: Any) -> None:
    undone(sketch, "pay")
    sketch.choice("again", "pay", "end")
    sketch.node(Compensate, "undo", activity=sketch.id("pay"))
    sketch.ways("start->pay->again")
    sketch.ways("pay->undo", role="handler")

    assert findings(sketch.graph()) == []


def test_beside_another_token_it_may_have_been_completed(sketch: Any) -> None:
    undone(sketch, "pay")
    sketch.node(Pass, "part-ways")
    sketch.node(Compensate, "undo")
    sketch.ways("start->part-ways->pay->end")
    sketch.ways("part-ways->undo")

    assert findings(sketch.graph()) == []


def test_beside_an_activity_that_goes_on_it_may_have_been_completed(sketch: Any) -> None:
    undone(sketch, "pay")
    sketch.node(Compensate, "undo")
    sketch.ways("start->pay->end")
    sketch.ways("pay->undo", role="handler")
    sketch.handlers.append(
        Handler(
            id="beside",
            node=sketch.id("pay"),
            trigger=EscalationTrigger(),
            flow="pay->undo",
            is_interrupting=False,
        )
    )

    assert findings(sketch.graph()) == []


def test_what_is_never_asked_for_is_noted(sketch: Any) -> None:
    undone(sketch, "pay")
    undone(sketch, "book")
    sketch.node(Compensate, "undo", activity=sketch.id("pay"))
    sketch.ways("start->pay->book->undo->end")

    assert findings(sketch.graph()) == [(NEVER_ASKED, "book-undone")]


def test_a_cancelled_transaction_asks_for_all_that_is_in_it(sketch: Any) -> None:
    sketch.node(ScopeNode, "trade", body="/trade")
    sketch.scope("/trade", parent="/", form="transaction")
    sketch.node(ScopeNode, "part", "/trade", body="/trade/part")
    sketch.scope("/trade/part", parent="/trade", form="sub-process")
    undone(sketch, "pay", "/trade/part")
    undone(sketch, "call")
    sketch.node(Compensate, "cancel", "/trade/part", cancels=True)

    assert findings(sketch.graph()) == [(NEVER_ASKED, "call-undone")]


def test_what_comes_of_a_missing_association_is_not_told_again(sketch: Any) -> None:
    sketch.node(Pass, "pay")
    sketch.node(Compensate, "undo")
    sketch.ways("start->pay->undo->end")
    report = Report()
    report.add(codes.COMPENSATION_WITHOUT_HANDLER, None, event="undo-pay")

    assert findings(sketch.graph(), report) == []


def test_a_graph_with_broken_references_is_gone_through(sketch: Any) -> None:
    sketch.scope("/a", parent="/b", form="event-sub-process")
    sketch.scope("/b", parent="/a", form="event-sub-process")
    sketch.node(Compensate, "undo", "/a", activity="nowhere")
    sketch.node(Compensate, "cancel", "/b", cancels=True)
    sketch.handlers.append(Handler(id="h", node="nowhere", trigger=CompensationTrigger()))

    assert findings(sketch.graph()) == [(NEVER_ASKED, "")]


def test_ten_thousand_activities_take_no_time(sketch: Any) -> None:
    for number in range(10_000):
        sketch.nodes.append(Pass(id=f"n{number}", scope="/"))
        sketch.handlers.append(
            Handler(id=f"h{number}", node=f"n{number}", trigger=CompensationTrigger())
        )
    sketch.ways("start->" + "->".join(f"n{number}" for number in range(10_000)))
    sketch.node(Compensate, "undo")
    sketch.ways("n9999->undo->end")
    graph = sketch.graph()

    began = time.perf_counter()
    assert findings(graph) == []

    assert time.perf_counter() - began < 5
