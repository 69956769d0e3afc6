from __future__ import annotations

from typing import Any

import msgspec
import pytest

from diglot.compiler import compile_source
from diglot.compiler.checks.references import check_references
from diglot.compiler.diagnostics import Report
from diglot.compiler.graph import (
    Choice,
    Compensate,
    Constant,
    Duration,
    ErrorTemplate,
    Expression,
    Graph,
    Guard,
    Handler,
    Pass,
    ScopeNode,
    TimerTrigger,
)

TIMER = TimerTrigger(form="duration", value=Duration(milliseconds=1000))


def findings(graph: Graph) -> list[tuple[str, str]]:
    report = Report()
    check_references(graph, report, {})
    return [(found.code, found.message) for found in report]


def nested(sketch: Any) -> None:
    sketch.node(ScopeNode, "outer", body="/do/0/outer/do")
    sketch.scope("/do/0/outer/do", parent="/")
    sketch.ways("start->outer->end")
    sketch.ways("/do/0/outer/do start->/do/0/outer/do end")


def test_a_whole_graph_has_no_findings(sketch: Any) -> None:
    nested(sketch)
    sketch.handlers.append(Handler(id="late", node="/do/0/outer", trigger=TIMER))

    assert findings(sketch.graph()) == []


def test_an_id_names_one_part_of_each_kind(sketch: Any) -> None:
    nested(sketch)
    graph = sketch.graph()
    again = msgspec.structs.replace(
        graph, nodes=(*graph.nodes, graph.nodes[0]), flows=(*graph.flows, graph.flows[0])
    )

    assert findings(again) == [
        ("DG0330", "the id `/#start` names two elements"),
        ("DG0330", "the id `start->outer` names two elements"),
    ]


def test_the_outermost_scope_exists(sketch: Any) -> None:
    graph = msgspec.structs.replace(sketch.graph(), root="elsewhere")

    assert ("DG0405", "`test/sketch` refers to the scope `elsewhere`, which does not exist") in (
        findings(graph)
    )


@pytest.mark.parametrize("role", ["source", "target"])
def test_a_flow_has_two_ends(sketch: Any, role: str) -> None:
    sketch.ways("start->end")
    graph = sketch.graph()
    flow = msgspec.structs.replace(graph.flows[0], **{role: "nowhere"})

    assert findings(msgspec.structs.replace(graph, flows=(flow,))) == [
        ("DG0405", "`start->end` refers to the node `nowhere`, which does not exist")
    ]


def test_a_flow_stays_in_its_scope(sketch: Any) -> None:
    nested(sketch)
    sketch.ways("outer->/do/0/outer/do end")

    assert findings(sketch.graph()) == [
        (
            "DG0335",
            "the flow `outer->/do/0/outer/do end` leads from the scope `/` into the scope "
            "`/do/0/outer/do`",
        )
    ]


def test_a_choice_takes_flows_that_leave_it(sketch: Any) -> None:
    sketch.node(Choice, "pick", branches=("start->pick", "gone"), default="a->end")
    sketch.node(Pass, "a")
    sketch.ways("start->pick->a->end")

    assert findings(sketch.graph()) == [
        ("DG0336", "`/do/0/pick` chooses the flow `start->pick`, which starts elsewhere"),
        ("DG0405", "`/do/0/pick` refers to the flow `gone`, which does not exist"),
        ("DG0336", "`/do/0/pick` chooses the flow `a->end`, which starts elsewhere"),
    ]


def test_a_guard_skips_by_a_flow_of_its_own_node(sketch: Any) -> None:
    sketch.node(Pass, "a", guard=Guard(condition=Expression(text="."), skip="start->a"))
    sketch.ways("start->a->end")

    assert [code for code, _ in findings(sketch.graph())] == ["DG0336"]


def test_what_is_compensated_exists(sketch: Any) -> None:
    sketch.node(Compensate, "undo", activity="gone")

    assert findings(sketch.graph()) == [
        ("DG0405", "`/do/0/undo` refers to the node `gone`, which does not exist")
    ]


@pytest.mark.parametrize(
    ("change", "problem"),
    [
        ({"parent": None}, "stands in no other"),
        ({"parent": "/do/0/outer/do"}, "does not stand inside the outermost one"),
        ({"start": "/#start"}, "starts at `/#start`, which stands in `/`"),
        ({"parent": "/do/1/other/do"}, "is entered from `/` and stands elsewhere"),
    ],
)
def test_scopes_form_a_tree(sketch: Any, change: dict[str, Any], problem: str) -> None:
    nested(sketch)
    sketch.node(ScopeNode, "other", body="/do/1/other/do")
    sketch.scope("/do/1/other/do", parent="/")
    graph = sketch.graph()
    moved = msgspec.structs.replace(graph.scopes[1], **change)
    graph = msgspec.structs.replace(graph, scopes=(graph.scopes[0], moved, graph.scopes[2]))

    assert ("DG0334", f"the scope `/do/0/outer/do` {problem}") in findings(graph)


def test_a_scope_is_entered_by_one_element(sketch: Any) -> None:
    nested(sketch)
    sketch.node(ScopeNode, "again", body="/do/0/outer/do")
    sketch.scope("alone", parent="/")

    assert findings(sketch.graph()) == [
        ("DG0334", "the scope `/do/0/outer/do` is entered by several elements"),
        ("DG0334", "the scope `alone` is entered by nothing"),
    ]


def test_a_handler_guards_one_thing_and_goes_one_way(sketch: Any) -> None:
    nested(sketch)
    timeout = ErrorTemplate(type=Constant("late"), status=Constant(408))
    sketch.handlers += [
        Handler(id="none", trigger=TIMER),
        Handler(id="both", trigger=TIMER, node="/do/0/outer", scope="/"),
        Handler(id="ways", trigger=TIMER, node="/do/0/outer", flow="outer->end", raises=timeout),
    ]

    assert findings(sketch.graph()) == [
        ("DG0337", "the handler `none` guards nothing"),
        ("DG0337", "the handler `both` guards a node and a scope at once"),
        ("DG0337", "the handler `ways` goes several ways at once"),
    ]


def test_a_handler_of_a_scope_leaves_by_a_flow_of_the_node_that_enters_it(sketch: Any) -> None:
    nested(sketch)
    sketch.handlers += [
        Handler(id="h1", trigger=TIMER, scope="/do/0/outer/do", leave_by="outer->end"),
        Handler(id="h2", trigger=TIMER, scope="/do/0/outer/do", leave_by="start->outer"),
        Handler(id="h3", trigger=TIMER, scope="gone", run="gone too"),
    ]

    assert findings(sketch.graph()) == [
        ("DG0336", "`h2` chooses the flow `start->outer`, which starts elsewhere"),
        ("DG0405", "`h3` refers to the scope `gone`, which does not exist"),
        ("DG0405", "`h3` refers to the scope `gone too`, which does not exist"),
    ]


def test_what_a_dangling_reference_was_meant_to_be_is_told(sketch: Any) -> None:
    sketch.node(Pass, "first")
    sketch.ways("start->first->end")
    graph = sketch.graph()
    flows = (*graph.flows[:-1], msgspec.structs.replace(graph.flows[-1], target="/#ende"))
    report = Report()

    check_references(msgspec.structs.replace(graph, flows=flows), report, {})

    assert [(one.code, one.hint) for one in report] == [("DG0405", "Did you mean `/#end`?")]


@pytest.mark.parametrize(
    ("element", "meant"),
    [
        ("<receiveTask id='r' messageRef='paymnet'/>", "payment"),
        ("<sendTask id='r' messageRef='paymnet'/>", "payment"),
        ("<serviceTask id='r' operationRef='chrge'/>", "charge"),
        (
            "<intermediateCatchEvent id='r'><signalEventDefinition signalRef='strom'/>"
            "</intermediateCatchEvent>",
            "storm",
        ),
        (
            "<intermediateThrowEvent id='r'><escalationEventDefinition escalationRef='urgnt'/>"
            "</intermediateThrowEvent>",
            "urgent",
        ),
        ("<dataObjectReference id='r' dataObjectRef='oder'/>", "order"),
    ],
)
def test_what_an_element_was_meant_to_refer_to_is_told(element: str, meant: str) -> None:
    text = f"""<definitions xmlns='http://www.omg.org/spec/BPMN/20100524/MODEL' targetNamespace='x'>
      <message id='payment' name='p'/><signal id='storm' name='s'/>
      <escalation id='urgent' escalationCode='u'/><interface id='till' name='x'>
      <operation id='charge' name='c'><inMessageRef>payment</inMessageRef></operation></interface>
      <process id='p'><dataObject id='order'/>{element}</process></definitions>"""

    found = [one for one in compile_source(text, "it.bpmn").diagnostics if one.code == "DG1130"]

    assert [one.hint for one in found] == [f"Did you mean `{meant}`?"]


def test_a_catalog_that_is_not_declared_is_unknown() -> None:
    head = "document: {dsl: 1.0.3, namespace: test, name: it, version: 1.0.0}\n"
    use = "use: {catalogs: {global: {endpoint: https://example.com}}}\n"

    def codes_of(call: str) -> list[str]:
        text = f"{head}{use}do: [{{a: {{call: '{call}'}}}}]\n"
        return [one.code for one in compile_source(text).diagnostics if one.code != "DG0402"]

    assert codes_of("log:1.0.0@gobal") == ["DG0401"]
    assert codes_of("log:1.0.0@global") == ["DG1001"]
    assert codes_of("log:1.0.0@default") == ["DG1001"]
