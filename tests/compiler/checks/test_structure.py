from __future__ import annotations

from typing import Any

import msgspec

from diglot.compiler.checks.structure import check_structure
from diglot.compiler.diagnostics import Report
from diglot.compiler.graph import (
    Constant,
    End,
    ErrorTemplate,
    Expression,
    Graph,
    Guard,
    Pass,
    Raise,
    ScopeNode,
)
from diglot.compiler.source import Position, Span


def findings(graph: Graph) -> list[tuple[str, str]]:
    report = Report()
    check_structure(graph, report, {})
    return [(found.code, found.pointer) for found in report]


def test_a_task_behind_a_jump_is_never_reached(sketch: Any) -> None:
    place = Span("order.yaml", Position(7, 5), Position(8, 1))
    sketch.node(Pass, "a")
    sketch.node(Pass, "b", span=place)
    sketch.node(Pass, "c")
    sketch.ways("start->a->c->end")
    sketch.ways("b->c")
    report = Report()

    check_structure(sketch.graph(), report, {})

    assert [(found.code, found.span, found.message) for found in report] == [
        ("DG0308", place, "the task `b` is never reached")
    ]


def test_a_task_is_reached_by_the_skip_flow_of_a_guard(sketch: Any) -> None:
    sketch.node(Pass, "a", guard=Guard(condition=Expression(text="."), skip="a->b"))
    sketch.node(Pass, "b")
    sketch.ways("start->a->end")
    sketch.ways("a->b", role="skip")
    sketch.ways("b->end")

    assert findings(sketch.graph()) == []


def test_a_task_is_reached_by_a_handler(sketch: Any) -> None:
    sketch.node(Pass, "a")
    sketch.node(Pass, "b")
    sketch.ways("start->a->end")
    sketch.ways("a->b", role="handler")
    sketch.ways("b->end")

    assert findings(sketch.graph()) == []


def test_a_task_laid_out_twice_is_named_once(sketch: Any) -> None:
    sketch.node(Pass, "a")
    sketch.node(Pass, "b")
    sketch.ways("start->end")
    sketch.ways("a->end")
    sketch.ways("b->end")
    graph = sketch.graph()
    one, other = (
        msgspec.structs.replace(node, pointer="/use/functions/f")
        for node in graph.nodes
        if isinstance(node, Pass)
    )

    assert findings(msgspec.structs.replace(graph, nodes=(*graph.nodes[:2], one, other))) == [
        ("DG0308", "/use/functions/f")
    ]


def test_what_a_reader_added_is_not_an_unreachable_task(sketch: Any) -> None:
    sketch.node(Raise, "a", error=ErrorTemplate(type=Constant("x"), status=Constant(500)))
    sketch.nodes.append(End(id="/do/0/a#stop", scope="/", pointer="/do/0/a"))
    sketch.ways("start->a")

    assert findings(sketch.graph()) == []


def test_an_element_without_a_task_list_is_named_by_its_id(sketch: Any) -> None:
    sketch.nodes.append(End(id="Event_1", scope="/", pointer="Event_1"))
    sketch.ways("start->end")

    assert findings(sketch.graph()) == [("DG0332", "Event_1")]


def test_every_scope_is_looked_at_alone(sketch: Any) -> None:
    sketch.node(ScopeNode, "outer", body="inner")
    sketch.scope("inner", parent="/")
    sketch.node(Pass, "lost", scope="inner")
    sketch.ways("start->outer->end")
    sketch.ways("inner start->inner end")
    sketch.ways("lost->inner end")

    assert findings(sketch.graph()) == [("DG0332", "inner/0/lost")]


def test_a_scope_has_a_start(sketch: Any) -> None:
    graph = sketch.graph()
    root = msgspec.structs.replace(graph.scopes[0], start="")

    assert findings(msgspec.structs.replace(graph, scopes=(root,))) == [("DG0333", "/")]


def test_something_follows_every_node_but_an_end_and_a_raise(sketch: Any) -> None:
    sketch.choice("pick", "stuck", "failed", default="end")
    sketch.node(Pass, "stuck")
    sketch.node(Raise, "failed", error=ErrorTemplate(type=Constant("x"), status=Constant(500)))
    sketch.ways("start->pick")
    sketch.ways("stuck->failed", role="handler")

    assert findings(sketch.graph()) == [("DG0331", "/do/1/stuck")]


def test_nothing_has_to_follow_a_scope_that_only_ends_by_an_error(sketch: Any) -> None:
    for name in ("fails", "ends"):
        sketch.node(ScopeNode, name, body=f"{name}/do")
        sketch.scope(f"{name}/do", parent="/")
    sketch.node(
        Raise, "b", scope="fails/do", error=ErrorTemplate(type=Constant("x"), status=Constant(500))
    )
    sketch.choice("pick", "fails", default="ends")
    sketch.ways("start->pick")
    sketch.ways("fails/do start->b")
    sketch.ways("ends/do start->ends/do end")

    assert [pointer for code, pointer in findings(sketch.graph()) if code == "DG0331"] == [
        "/do/1/ends"
    ]


def test_a_second_catch_of_a_link_is_told_what_leads_to_it(sketch: Any) -> None:
    sketch.nodes.append(
        Pass(id="back", scope="/", pointer="back", construct="intermediate-catch-event-link")
    )
    sketch.ways("start->end")
    report = Report()

    check_structure(sketch.graph(), report, {})

    assert [(found.code, found.hint) for found in report] == [
        (
            "DG0332",
            "Throw a link of the same name; of several that catch it, the first is the one that is "
            "led to.",
        )
    ]
