"""Calls: what travels between a parent and its child instance, in either standard.

Source: BPMN 2.0.2 10.3.6, 10.5.1; DSL reference, Run, Workflow Process.
"""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from diglot.compiler import graph as g
from diglot.runtime import commands as c
from diglot.runtime import events as e
from support.graphs import (
    boundary,
    calls,
    escalates,
    escalation,
    node,
    passes,
    process,
    starts,
    told,
)
from support.post import Post, carry_out
from support.runs import workflow
from support.simulation import die_at


@pytest.fixture
def post() -> Post:
    return Post()


def child() -> g.Graph:
    """Raises an escalation and goes on with work."""
    return process("start -> late -> work -> end", name="child", late=escalates("late", "{n: 1}"))


def brief_child() -> g.Graph:
    """Ends with its escalation."""
    return process("start -> late -> end", name="child", late=escalates("late", "{n: 1}"))


def parent(*, interrupts: bool = False, code: str | None = "late") -> g.Graph:
    return process(
        """
        start -> call -> end
        told -> noted
        """,
        name="parent",
        call=calls("child"),
        told=boundary("call", escalation(code), interrupts=interrupts),
    )


# -- escalations


def test_an_escalation_that_nobody_takes_in_the_child_is_taken_by_the_parent(post: Post) -> None:
    post.publish(child())
    instance = post.begin(parent())
    assert post.waiting(instance) == ["call", "noted"]


def test_the_child_goes_on_after_its_escalation(post: Post) -> None:
    post.publish(brief_child())
    instance = post.begin(parent())
    assert post.waiting(instance) == ["noted"]


def test_an_interrupting_handler_of_the_parent_stops_the_child(post: Post) -> None:
    post.publish(child())
    instance = post.begin(parent(interrupts=True))

    assert post.waiting(instance) == ["noted"]
    (called,) = [one for one in post.instances if one != instance]
    assert post.row(called).status == "cancelled"


def test_what_goes_with_an_escalation_comes_to_the_parent(post: Post) -> None:
    data = g.DataRules(export=g.Expression(text="{got: .}"), export_mode="variables")
    graph = process(
        """
        start -> call -> end
        told -> noted
        """,
        call=calls("child"),
        told=boundary("call", escalation("late"), interrupts=False, data=data),
    )
    post.publish(child())
    instance = post.begin(graph)
    (root,) = post.engine.state(instance).scopes.values()
    assert root.variables == {"got": {"n": 1}}


def test_an_escalation_goes_on_to_the_parent_of_the_parent(post: Post) -> None:
    post.publish(child())
    post.publish(process("start -> call -> end", name="between", call=calls("child")))
    graph = process(
        """
        start -> call -> end
        told -> noted
        """,
        call=calls("between"),
        told=boundary("call", escalation(), interrupts=False),
    )
    assert post.waiting(post.begin(graph)) == ["call", "noted"]


def test_an_escalation_that_nobody_takes_at_all_changes_nothing(post: Post) -> None:
    post.publish(brief_child())
    instance = post.begin(process("start -> call -> end", call=calls("child")))
    assert post.row(instance).status == "completed"


def test_an_escalation_that_is_told_twice_comes_once(post: Post) -> None:
    post.publish(child())
    instance = post.begin(parent())
    (visit,) = [v for v in post.engine.state(instance).visits.values() if v.child is not None]
    assert visit.child is not None
    (number,) = [
        event.number for event in post.events(instance) if isinstance(event, e.ChildEscalated)
    ]

    again = c.EscalateChild(visit.id, visit.child, number, "late", {"n": 1})
    post.engine.submit(instance, again)
    post.engine.submit(instance, c.EscalateChild(visit.id, "another", 100, "late"))
    post.rest()

    assert post.waiting(instance) == ["call", "noted"]


def test_each_escalation_of_a_child_comes(post: Post) -> None:
    twice = process(
        "start -> one -> two -> work -> end",
        name="child",
        one=escalates("late"),
        two=escalates("late"),
    )
    post.publish(twice)
    assert post.waiting(post.begin(parent())) == ["call", "noted", "noted"]


def test_an_escalation_that_a_child_ends_with_comes_before_its_end(post: Post) -> None:
    post.publish(brief_child())
    instance = post.begin(parent(interrupts=True))
    assert post.waiting(instance) == ["noted"]


def test_an_escalation_is_told_to_a_parent_that_is_suspended(post: Post) -> None:
    waits = process("start -> work -> late -> end", name="child", late=escalates("late"))
    post.publish(waits)
    instance = post.begin(parent())
    post.engine.suspend(instance)
    (lease,) = post.claim("work")
    post.engine.complete(lease, {})
    post.rest()
    post.engine.resume(instance)
    post.rest()
    assert post.waiting(instance) == ["noted"]


@pytest.mark.parametrize("moment", ["before", "after"])
def test_a_crash_at_any_commit_neither_loses_an_escalation_nor_tells_it_twice(
    moment: str,
) -> None:
    twice = process(
        "start -> one -> two -> end", name="child", one=escalates("late"), two=escalates("late")
    )
    crashes, commits = 1, 0
    while crashes:
        post = Post()
        post.publish(twice)
        digest = post.publish(parent())
        die_at(post.engine.store, moment, commits)
        crashes = carry_out(post, [lambda: post.engine.start(digest, {}, instance="one")])  # noqa: B023
        assert post.waiting("one") == ["noted", "noted"], f"a crash {moment} commit {commits}"
        commits += 1
    assert commits > 5


# -- whom a call finds

SERVERLESS = "do: [{double: {set: {n: '${ .n * 2 }'}}}]"


def in_namespace(graph: g.Graph, namespace: str) -> g.Graph:
    return replace(graph, namespace=namespace)


def test_a_process_of_bpmn_calls_a_serverless_workflow(post: Post) -> None:
    post.publish(in_namespace(workflow(SERVERLESS, name="double"), "default"))
    graph = process("start -> call -> end", call=calls("double", "bpmn", "{n: .n}"))

    assert post.output(post.begin(in_namespace(graph, "bpmn"), {"n": 4})) == {"n": 8}


def test_a_serverless_workflow_calls_a_process_of_bpmn_and_that_one_calls_back(
    post: Post,
) -> None:
    post.publish(in_namespace(workflow(SERVERLESS, name="double"), "default"))
    graph = process("start -> call -> end", name="order", call=calls("double", "bpmn", "{n: .n}"))
    post.publish(in_namespace(graph, "bpmn"))
    body = """
do:
  - order: {run: {workflow: {namespace: default, name: order, version: 1.0.0, input: {n: 4}}}}
  - after: {set: {got: "${ .n }"}}
"""
    assert post.output(post.begin(workflow(body, name="outer"))) == {"got": 8}


def test_what_its_own_namespace_has_goes_first(post: Post) -> None:
    post.publish(in_namespace(workflow(SERVERLESS, name="double"), "default"))
    own = process("start -> rest -> end", name="double", rest=passes())
    post.publish(in_namespace(own, "bpmn"))
    graph = process("start -> call -> end", call=calls("double", "bpmn", "{n: .n}"))

    assert post.output(post.begin(in_namespace(graph, "bpmn"), {"n": 4})) == {"n": 4}


def test_a_process_that_neither_has_is_an_error_of_the_call(post: Post) -> None:
    graph = process("start -> call -> end", call=calls("nobody", "bpmn"))
    found = post.output(post.begin(in_namespace(graph, "bpmn")))
    assert found["detail"] == "bpmn/nobody latest is not published"


def test_a_call_does_not_begin_at_a_start_with_a_trigger(post: Post) -> None:
    graph = process(
        """
        start -> rest -> end
        startT -> work
        """,
        name="child",
        rest=passes(),
        startT=starts(told("paid")),
    )
    post.publish(graph)
    instance = post.begin(process("start -> call -> end", call=calls("child")))
    assert post.row(instance).status == "completed"


def test_a_terminated_parent_stops_its_children(post: Post) -> None:
    post.publish(process("start -> work -> end", name="child"))
    graph = process(
        """
        start -> both -> call -> end
        both -> job -> stop
        """,
        both=node(g.Fork),
        call=calls("child"),
        stop=node(g.End, effect="terminate"),
    )
    instance = post.begin(graph)
    (lease,) = [lease for lease in post.claim("work") if lease.instance == instance]

    post.engine.complete(lease, {})
    post.rest()

    assert [post.row(one).status for one in post.instances] == ["completed", "cancelled"]
