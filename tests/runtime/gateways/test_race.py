"""Event-based gateways. Source: BPMN 2.0.2 13.4.4, Table 13.4."""

from __future__ import annotations

import pytest

from diglot.compiler.graph import Graph
from diglot.runtime import events as e
from support.graphs import Part, passes, process, race, receive, sets, task, wait, when

from .conftest import Starting

PAID = receive("paid")
LATE = wait("PT1S")


def order(paid: Part = PAID, late: Part = LATE) -> Graph:
    return process(
        """
        start -> first
        first -> paid -> ship -> end1
        first -> late -> remind -> end2
        """,
        first=race(),
        paid=paid,
        late=late,
    )


def test_everything_it_leads_to_waits(start: Starting) -> None:
    run = start(order())
    assert run.waiting == ["late", "paid"]
    assert len(run.state.timers) == len(run.state.subscriptions) == 1


def test_the_first_that_is_triggered_withdraws_the_others(start: Starting) -> None:
    run = start(order())

    run.send("paid", sum=3)

    assert run.waiting == ["ship"]
    assert (run.state.timers, run.state.subscriptions, run.state.races) == ({}, {}, {})
    assert run.output is None
    run.complete("ship")
    assert run.output == {"sum": 3}


def test_the_others_are_withdrawn_by_the_same_step(start: Starting) -> None:
    run = start(order())
    run.advance(1000)
    assert run.waiting == ["remind"]

    commits = [events for _, _, events in run.store.history(run.id)]
    (step,) = [events for events in commits if any(isinstance(x, e.TimerFired) for x in events)]
    assert any(isinstance(event, e.VisitCancelled) for event in step)


def test_what_comes_late_is_not_taken(start: Starting) -> None:
    run = start(order())
    run.advance(1000)
    run.send("paid", sum=3)
    run.complete("remind")
    assert (run.status, run.output) == ("completed", {})


def test_what_is_due_at_the_same_moment_gives_one_token(start: Starting) -> None:
    """CC09."""
    run = start(order())
    run.clock.advance(1000)

    run.send("paid", sum=3)

    assert len(run.waiting) == 1
    assert [run.times("ship"), run.times("remind")] in ([1, 0], [0, 1])


def test_two_times_that_are_due_at_once_give_one_token(start: Starting) -> None:
    run = start(order(paid=wait("PT1S")))
    run.advance(5000)
    assert run.waiting == ["ship"]


@pytest.mark.parametrize("due", [wait("PT0S"), when("true"), passes(), sets(n="1")])
def test_what_is_due_at_once_has_won_and_the_later_ones_do_not_begin(
    start: Starting, due: Part
) -> None:
    run = start(order(paid=due))
    assert run.waiting == ["ship"]
    assert run.times("late") == 0


@pytest.mark.parametrize("due", [wait("PT0S"), when("true"), passes(), sets(n="1")])
def test_what_is_due_at_once_withdraws_those_that_began_before_it(
    start: Starting, due: Part
) -> None:
    run = start(order(late=due))
    assert run.waiting == ["remind"]
    assert run.state.subscriptions == {}


def test_a_condition_that_becomes_true_wins(start: Starting) -> None:
    graph = process(
        """
        start -> split
        split -> first
        first -> big -> a -> end1
        first -> paid -> b -> end2
        split -> work -> end3
        """,
        variables={"n": 0},
        split=task(),
        first=race(),
        big=when(".n > 3"),
        paid=receive("paid"),
    )
    run = start(graph)
    run.complete("split")
    assert run.waiting == ["big", "paid", "work"]

    run.complete("work", n=4)

    assert run.waiting == ["a"]


def test_a_target_that_fails_ends_the_race(start: Starting) -> None:
    run = start(order(late=wait("soon")))
    assert run.status == "faulted"


def test_each_token_makes_a_race_of_its_own(start: Starting) -> None:
    graph = process(
        """
        start -2-> first
        first -> m1 -> a -> end1
        first -> m2 -> b -> end2
        """,
        first=race(),
        m1=receive("m1"),
        m2=receive("m2"),
    )
    run = start(graph)
    assert run.waiting == ["m1", "m1", "m2", "m2"]

    run.send("m1")
    assert run.waiting == ["a", "m1", "m2"]

    run.send("m2")
    assert run.waiting == ["a", "b"]


def test_a_race_without_flows_ends_its_token(start: Starting) -> None:
    assert start(process("start -> first", first=race())).status == "completed"


def test_an_instance_that_is_cancelled_races_no_more(start: Starting) -> None:
    run = start(order())
    run.engine.cancel(run.id)
    assert (run.status, run.state.races) == ("cancelled", {})


def test_of_two_messages_that_came_before_one_is_taken_and_the_other_is_kept(
    start: Starting,
) -> None:
    graph = process(
        """
        start -> a -> first
        first -> m1 -> later2 -> end1
        first -> m2 -> later1 -> end2
        """,
        first=race(),
        m1=receive("m1"),
        m2=receive("m2"),
        later1=receive("m1"),
        later2=receive("m2"),
    )
    run = start(graph)
    run.send("m1", n=1)
    run.send("m2", n=2)

    run.complete("a")

    assert run.status == "completed"
    assert run.times("later1") + run.times("later2") == 1
