"""Ad-hoc sub-processes. Source: BPMN 2.0.2 13.3.5."""

from __future__ import annotations

from diglot.compiler.graph import AdHoc, Graph, Pass, Receive
from support.graphs import (
    EVENT_DATA,
    Part,
    after,
    boundary,
    error,
    event_sub,
    node,
    one,
    process,
    receive,
    sends,
    sub,
    task,
    true_if,
)

from .conftest import Starting

BODY = """
    start1 -> a
    start1 -> b
    start1 -> c
"""


def around(
    body: str = BODY,
    *,
    is_sequential: bool = False,
    completion: str | None = None,
    cancels_remaining: bool = True,
    **parts: Part,
) -> Graph:
    ad_hoc = AdHoc(
        is_sequential=is_sequential,
        completion=None if completion is None else true_if(completion),
        cancels_remaining=cancels_remaining,
    )
    part = sub(body, named=parts, form="ad-hoc", ad_hoc=ad_hoc)
    return process(
        """
        start -> part -> next -> end
        """,
        variables={"n": 0},
        part=part,
    )


def hears(construct: str) -> Part:
    return node(Receive, strategy=one("m"), data=EVENT_DATA, construct=construct)


# -- parallel


def test_what_has_no_incoming_flow_is_enabled_at_once(start: Starting) -> None:
    assert start(around()).waiting == ["a", "b", "c"]


def test_it_completes_when_nothing_is_left_to_do(start: Starting) -> None:
    """Ours, where there is no condition."""
    run = start(around())
    run.complete("b")
    run.complete("a")
    assert run.waiting == ["c"]
    run.complete("c")
    assert run.waiting == ["next"]


def test_it_completes_when_nothing_is_left_though_its_condition_is_false(start: Starting) -> None:
    """Ours: nobody could begin anything any more."""
    run = start(around(completion=".n > 5"))
    for name in "abc":
        run.complete(name)
    assert run.waiting == ["next"]


def test_its_condition_is_asked_after_each_activity_and_cancels_the_rest(start: Starting) -> None:
    run = start(around(completion=".n > 1"))
    run.complete("a", n=1)
    assert run.waiting == ["b", "c"]

    run.complete("b", n=2)

    assert run.waiting == ["next"]


def test_the_rest_is_awaited_where_it_is_not_cancelled(start: Starting) -> None:
    run = start(around(completion=".n > 1", cancels_remaining=False))
    run.complete("a", n=2)
    assert run.waiting == ["b", "c"]

    run.complete("b")
    run.complete("c")

    assert run.waiting == ["next"]


def test_nothing_further_begins_while_the_rest_is_awaited(start: Starting) -> None:
    body = """
        start1 -> a -> after_a
        start1 -> b -> after_b
    """
    run = start(around(body, completion=".n > 1", cancels_remaining=False))

    run.complete("a", n=2)
    assert run.waiting == ["b"]

    run.complete("b")
    assert run.waiting == ["next"]


def test_flows_inside_work_as_usual(start: Starting) -> None:
    body = """
        start1 -> a -> d
        start1 -> b
    """
    run = start(around(body))
    run.complete("a")
    assert run.waiting == ["b", "d"]
    run.complete("d")
    run.complete("b")
    assert run.waiting == ["next"]


def test_its_condition_sees_the_variables_of_the_body(start: Starting) -> None:
    graph = process(
        "start -> part -> next -> end",
        variables={"n": 0},
        part=sub(
            BODY,
            variables={"own": 0},
            form="ad-hoc",
            ad_hoc=AdHoc(completion=true_if(".own > 1")),
        ),
    )
    run = start(graph)
    run.complete("a", own=2)
    assert run.waiting == ["next"]
    assert "own" not in run.state.scopes[1].variables


def test_its_condition_is_not_asked_after_events(start: Starting) -> None:
    body = """
        start1 -> a
        start1 -> got
    """
    got = hears("intermediate-catch-event-message")
    run = start(around(body, completion=".n > 1", got=got))

    run.send("m", n=2)

    assert run.waiting == ["a"]


def test_a_condition_that_is_no_condition_is_an_error_of_the_sub_process(start: Starting) -> None:
    run = start(around(completion=".n"))
    run.complete("a")
    assert (run.status, run.output["instance"]) == ("faulted", "part")


def test_an_error_of_its_condition_is_caught_at_its_boundary(start: Starting) -> None:
    graph = process(
        """
        start -> part -> next -> end
        bad -> mend -> end2
        """,
        variables={"n": 0},
        part=sub(BODY, form="ad-hoc", ad_hoc=AdHoc(completion=true_if(".n"))),
        bad=boundary("part", error()),
    )
    run = start(graph)
    run.complete("a")
    assert run.waiting == ["mend"]


def test_an_event_sub_process_of_it_is_ended_with_it(start: Starting) -> None:
    graph = around(
        completion=".n > 1",
        beside=event_sub(after("PT1S"), "starth -> watch -> endh", interrupts=False),
    )
    run = start(graph)
    run.advance(1000)
    assert run.waiting == ["a", "b", "c", "watch"]
    run.complete("a", n=2)
    assert run.waiting == ["next"]


def test_what_is_thrown_in_it_reaches_what_waits_in_it(start: Starting) -> None:
    body = """
        start1 -> thrown
        start1 -> got -> a
    """
    run = start(around(body, thrown=sends("s", kind="signal"), got=receive("s", "signal")))
    assert run.waiting == ["a"]


# -- sequential


def test_one_activity_at_a_time_in_their_order(start: Starting) -> None:
    run = start(around(is_sequential=True))
    for name in "abc":
        assert run.waiting == [name]
        run.complete(name)
    assert run.waiting == ["next"]


def test_what_comes_by_a_flow_waits_behind_what_waits_already(start: Starting) -> None:
    body = """
        start1 -> a -> d
        start1 -> b
    """
    run = start(around(body, is_sequential=True))
    order: list[str] = []
    while run.waiting != ["next"]:
        (name,) = run.waiting
        order.append(name)
        run.complete(name)
    assert order == ["a", "b", "d"]


def test_activities_that_are_done_at_once_follow_each_other(start: Starting) -> None:
    manual = node(Pass, construct="manual-task")
    run = start(around(is_sequential=True, a=manual, b=manual))
    assert run.waiting == ["c"]


def test_the_condition_ends_a_sequential_body_before_the_next_begins(start: Starting) -> None:
    run = start(around(is_sequential=True, completion=".n > 1"))
    run.complete("a", n=2)
    assert run.waiting == ["next"]
    assert run.times("b") == 0


def test_a_satisfied_sequential_body_begins_nothing_further(start: Starting) -> None:
    run = start(around(is_sequential=True, completion=".n > 1", cancels_remaining=False))
    run.complete("a", n=2)
    assert run.waiting == ["next"]
    assert run.times("b") == 0


def test_the_next_begins_when_an_activity_is_interrupted(start: Starting) -> None:
    body = """
        start1 -> a
        start1 -> b
        late -> d
    """
    graph = around(body, is_sequential=True, late=boundary("a", after("PT1S")))
    run = start(graph)
    assert run.waiting == ["a"]

    run.advance(1000)

    assert run.waiting == ["b"]
    run.complete("b")
    assert run.waiting == ["d"]


def test_an_event_does_not_keep_activities_from_beginning(start: Starting) -> None:
    body = """
        start1 -> got -> d
        start1 -> a
    """
    got = hears("intermediate-catch-event-message")
    run = start(around(body, is_sequential=True, got=got))
    assert run.waiting == ["a", "got"]


def test_a_receive_task_is_an_activity(start: Starting) -> None:
    body = """
        start1 -> got
        start1 -> a
    """
    run = start(around(body, is_sequential=True, got=hears("receive-task")))
    assert run.waiting == ["got"]
    run.send("m")
    assert run.waiting == ["a"]


def test_an_activity_that_needs_several_tokens_lets_others_go_first(start: Starting) -> None:
    body = """
        start1 -> c
        start1 -> a -> c
        start1 -> b
    """
    run = start(around(body, is_sequential=True, c=task(start_quantity=2)))
    assert run.waiting == ["a"]
    run.complete("a")
    assert run.waiting == ["c"]
    run.complete("c")
    assert run.waiting == ["b"]
