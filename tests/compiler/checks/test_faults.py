from __future__ import annotations

import time
from typing import Any

import pytest

from diglot.compiler import codes
from diglot.compiler.checks.faults import check_faults
from diglot.compiler.diagnostics import Report
from diglot.compiler.graph import (
    Action,
    Assign,
    Call,
    Choice,
    CompensationTrigger,
    Constant,
    DataRules,
    ErrorTemplate,
    ErrorTrigger,
    EscalationTrigger,
    Expression,
    Graph,
    Handler,
    Node,
    Pass,
    Raise,
    RetryPolicy,
    Schema,
    ScopeNode,
    Task,
)
from diglot.compiler.graph.errors import error_type

UNCAUGHT_ERROR = "DG0710"
UNCAUGHT_ESCALATION = "DG0711"
DEAD_CATCH = "DG0712"
CATCH_OF_NOTHING = "DG0713"


def findings(graph: Graph) -> list[tuple[str, str]]:
    report = Report()
    check_faults(graph, report, {})
    return [(found.code, found.pointer) for found in report]


def error(code: str, status: int = 500) -> ErrorTemplate:
    return ErrorTemplate(type=Constant(code), status=Constant(status))


def catches(*codes: str, **fields: Any) -> ErrorTrigger:
    return ErrorTrigger(match=tuple(("type", Constant(code)) for code in codes), **fields)


def part(sketch: Any, form: str = "sub-process", name: str = "part", scope: str = "/") -> str:
    """A part of the process, of which only the body is of interest; gives the body's id."""
    body = f"{scope.rstrip('/')}/{name}"
    sketch.node(ScopeNode, name, scope, body=body)
    sketch.scope(body, parent=scope, form=form)
    return body


def on_border(sketch: Any, name: str, trigger: Any, of: str = "part") -> None:
    sketch.handlers.append(
        Handler(id=name, node=sketch.id(of), trigger=trigger, flow=name, name=name, pointer=name)
    )


def inside(sketch: Any, name: str, trigger: Any, scope: str = "/part", **fields: Any) -> None:
    sketch.handlers.append(
        Handler(id=name, scope=scope, trigger=trigger, name=name, pointer=name, **fields)
    )


# -- raised and never caught


def test_an_error_that_leaves_a_part_and_is_caught_nowhere_is_told(sketch: Any) -> None:
    body = part(sketch)
    sketch.node(Raise, "damage", body, error=error("damaged"))
    on_border(sketch, "lost", catches("lost"))

    assert (UNCAUGHT_ERROR, f"{body}/0/damage") in findings(sketch.graph())


def test_what_it_passes_is_told_with_it(sketch: Any) -> None:
    body = part(sketch)
    sketch.node(Raise, "damage", body, error=error("damaged"))
    on_border(sketch, "lost", catches("lost"))

    report = Report()
    check_faults(sketch.graph(), report, {})
    (uncaught,) = (found for found in report if found.code == UNCAUGHT_ERROR)

    assert [(one.message, one.pointer) for one in uncaught.related] == [
        ("the error `lost` is caught here", "lost")
    ]


@pytest.mark.parametrize("trigger", [catches("damaged"), catches()], ids=["by-code", "all"])
def test_a_catch_on_the_border_is_enough(sketch: Any, trigger: ErrorTrigger) -> None:
    sketch.node(Raise, "damage", part(sketch), error=error("damaged"))
    on_border(sketch, "catch", trigger)

    assert findings(sketch.graph()) == []


def test_how_a_process_itself_ends_is_for_its_caller(sketch: Any) -> None:
    sketch.node(Raise, "damage", error=error("damaged"))
    sketch.node(Raise, "call-boss", escalation="too-dear")

    assert findings(sketch.graph()) == []


def test_what_a_handler_of_the_process_raises_is_for_its_caller(sketch: Any) -> None:
    sketch.scope("/help", parent="/", form="event-sub-process")
    sketch.node(Raise, "again", "/help", error=error("damaged"))
    inside(sketch, "helps", catches(), scope="/", run="/help")
    sketch.node(Task, "work", action=Action(type="http", arguments=Constant({})))

    assert findings(sketch.graph()) == []


def test_an_error_goes_past_the_scope_that_its_handler_handles_for(sketch: Any) -> None:
    body = part(sketch)
    sketch.node(Task, "work", body, action=Action(type="http", arguments=Constant({})))
    sketch.scope("/part/help", parent=body, form="event-sub-process")
    sketch.node(Raise, "again", "/part/help", error=error("damaged"))
    inside(sketch, "helps", catches("damaged"), run="/part/help")

    assert findings(sketch.graph()) == [(UNCAUGHT_ERROR, "/part/help/0/again")]


def test_an_error_that_is_computed_may_be_any(sketch: Any) -> None:
    computed = ErrorTemplate(type=Expression(text=".type"), status=Constant(500))
    sketch.node(Raise, "fail", part(sketch), error=computed)
    on_border(sketch, "lost", catches("lost"))

    assert findings(sketch.graph()) == []


def test_a_condition_may_take_what_its_catch_names(sketch: Any) -> None:
    sketch.node(Raise, "damage", part(sketch), error=error("damaged"))
    on_border(sketch, "sometimes", catches(when=Expression(text="$error.status == 7")))

    assert findings(sketch.graph()) == []


def test_a_status_is_compared_as_the_machine_does(sketch: Any) -> None:
    body = part(sketch, form="try")
    sketch.node(Raise, "fail", body, error=error("damaged", 404))
    inside(sketch, "catch", ErrorTrigger(match=(("status", Constant(503)),)))

    assert findings(sketch.graph()) == [
        (UNCAUGHT_ERROR, "/part/0/fail"),
        (DEAD_CATCH, "catch"),
    ]


def test_old_addresses_of_standard_types_are_the_same_type(sketch: Any) -> None:
    body = part(sketch, form="try")
    old = "https://serverlessworkflow.io/spec/1.0.0/errors/communication"
    sketch.node(Raise, "fail", body, error=error(old))
    inside(sketch, "catch", catches(error_type("communication")))

    assert findings(sketch.graph()) == []


def test_an_escalation_that_is_caught_nowhere_is_told(sketch: Any) -> None:
    sketch.node(Raise, "warn", part(sketch), escalation="too-late")

    assert findings(sketch.graph()) == [(UNCAUGHT_ESCALATION, "/part/0/warn")]


def test_an_escalation_is_caught_further_out(sketch: Any) -> None:
    body = part(sketch)
    sketch.node(Raise, "warn", part(sketch, name="deep", scope=body), escalation="too-late")
    on_border(sketch, "warned", EscalationTrigger(code="too-late"))

    assert findings(sketch.graph()) == []


# -- caught and never raised


def test_a_catch_of_an_error_that_nothing_raises_is_dead(sketch: Any) -> None:
    body = part(sketch)
    sketch.node(Raise, "damage", body, error=error("damaged"))
    on_border(sketch, "damaged", catches("damaged"))
    on_border(sketch, "lost", catches("lost"))

    assert findings(sketch.graph()) == [(DEAD_CATCH, "lost")]


def test_a_catch_behind_one_that_is_nearer_is_dead(sketch: Any) -> None:
    body = part(sketch)
    deep = part(sketch, name="deep", scope=body)
    sketch.node(Raise, "damage", deep, error=error("damaged"))
    on_border(sketch, "near", catches(), of="deep")
    on_border(sketch, "far", catches("damaged"))

    assert findings(sketch.graph()) == [(DEAD_CATCH, "far")]


def test_a_nearer_catch_that_only_retries_gives_the_error_up(sketch: Any) -> None:
    body = part(sketch)
    deep = part(sketch, form="try", name="deep", scope=body)
    sketch.node(Raise, "damage", deep, error=error("damaged"))
    inside(sketch, "near", catches(), scope=deep, retry=RetryPolicy(count=3))
    on_border(sketch, "far", catches("damaged"))

    assert findings(sketch.graph()) == []


@pytest.mark.parametrize(
    ("kind", "fields"),
    [
        (Task, {"action": Action(type="http", arguments=Constant({}))}),
        (Call, {"namespace": "test", "process": "other"}),
    ],
    ids=["job", "child"],
)
def test_work_may_fail_with_any_error(sketch: Any, kind: type[Node], fields: Any) -> None:
    sketch.node(kind, "work", part(sketch), **fields)
    on_border(sketch, "lost", catches("lost"))
    on_border(sketch, "other", catches(error_type("communication")))

    assert findings(sketch.graph()) == []


def test_an_expression_fails_with_a_standard_error(sketch: Any) -> None:
    sketch.node(Assign, "compute", part(sketch), value=Expression(text=".a + 1"))
    on_border(sketch, "wrong", catches(error_type("expression")))
    on_border(sketch, "lost", catches("lost"))

    assert findings(sketch.graph()) == [(DEAD_CATCH, "lost")]


def test_a_schema_and_a_choice_without_default_may_fail(sketch: Any) -> None:
    checked = DataRules(input_schema=Schema(document={"type": "object"}))
    sketch.node(Pass, "checked", part(sketch, name="one"), data=checked)
    sketch.node(Choice, "decide", part(sketch, name="two"), branches=())
    on_border(sketch, "wrong", catches(), of="one")
    on_border(sketch, "nowhere", catches(), of="two")

    assert findings(sketch.graph()) == []


def test_where_nothing_can_fail_a_catch_is_only_noted(sketch: Any) -> None:
    sketch.node(Assign, "constant", part(sketch), value=Constant({"a": 1}))
    on_border(sketch, "catch", catches())
    on_border(sketch, "warned", EscalationTrigger())

    assert findings(sketch.graph()) == [
        (CATCH_OF_NOTHING, "catch"),
        (CATCH_OF_NOTHING, "warned"),
    ]


def test_a_timeout_is_an_error_of_what_it_guards(sketch: Any) -> None:
    body = part(sketch, form="try")
    sketch.node(Pass, "rest", body)
    inside(sketch, "catch", catches(error_type("timeout")))
    inside(sketch, "limit", CompensationTrigger(), raises=error(error_type("timeout"), 408))

    assert findings(sketch.graph()) == []


def test_what_fails_while_something_is_undone_fails_where_that_was_asked_for(sketch: Any) -> None:
    sketch.node(Task, "book", action=Action(type="http", arguments=Constant({})))
    sketch.node(Task, "cancel", action=Action(type="http", arguments=Constant({})))
    sketch.handlers.append(
        Handler(
            id="undo",
            node=sketch.id("book"),
            trigger=CompensationTrigger(),
            activity=sketch.id("cancel"),
        )
    )
    on_border(sketch, "lost", catches("lost"), of="cancel")

    assert findings(sketch.graph()) == []


def test_of_two_that_take_the_same_the_second_is_another_checks_matter(sketch: Any) -> None:
    sketch.node(Raise, "damage", part(sketch), error=error("damaged"))
    on_border(sketch, "first", catches("damaged"))
    on_border(sketch, "second", catches("damaged"))

    assert findings(sketch.graph()) == []


def test_what_comes_of_a_filter_that_never_matches_is_not_told_again(sketch: Any) -> None:
    body = part(sketch, form="try")
    sketch.node(Raise, "fail", body, error=error("damaged"))
    sketch.handlers.append(
        Handler(id="catch", scope=body, trigger=catches("damagd"), pointer="/do/0/part/catch")
    )
    report = Report()
    place = "/do/0/part/catch/errors/with/type"
    report.add(codes.CATCH_NEVER_MATCHES, None, place, reason="misspelt")

    check_faults(sketch.graph(), report, {})

    assert [found.code for found in report] == [codes.CATCH_NEVER_MATCHES.id]


def test_a_call_that_does_not_say_what_it_calls_yet_may_raise_all(sketch: Any) -> None:
    sketch.node(Pass, "call", construct="call-activity")
    on_border(sketch, "catch", catches(), of="call")

    assert findings(sketch.graph()) == []


# -- documents of others


def test_a_graph_that_is_in_a_circle_is_gone_through(sketch: Any) -> None:
    sketch.scope("/a", parent="/b", form="sub-process")
    sketch.scope("/b", parent="/a", form="sub-process")
    sketch.node(ScopeNode, "to-a", "/b", body="/a")
    sketch.node(ScopeNode, "to-b", "/a", body="/b")
    sketch.node(Raise, "damage", "/a", error=error("damaged"))
    on_border(sketch, "missing", catches("lost"), of="nowhere")

    assert (UNCAUGHT_ERROR, "/a/1/damage") not in findings(sketch.graph())


def test_ten_thousand_catches_inside_each_other_take_no_time(sketch: Any) -> None:
    scope = "/"
    for number in range(5_000):
        inner = f"/{number}"
        sketch.nodes.append(ScopeNode(id=f"n{number}", scope=scope, body=inner))
        sketch.scope(inner, parent=scope, form="sub-process")
        sketch.nodes.append(Raise(id=f"r{number}", scope=inner, error=error(f"e{number}")))
        sketch.handlers += [
            Handler(id=f"h{number}", node=f"n{number}", trigger=catches("lost"), name="h"),
            Handler(id=f"i{number}", node=f"n{number}", trigger=catches("damaged"), name="i"),
        ]
        scope = inner
    graph = sketch.graph()

    began = time.perf_counter()
    findings(graph)

    assert time.perf_counter() - began < 5
