from __future__ import annotations

from typing import Any

import pytest

from diglot.compiler.graph import (
    Action,
    Call,
    Choice,
    Constant,
    Duration,
    End,
    ErrorTrigger,
    EventStrategy,
    Expression,
    Fork,
    Guard,
    Handler,
    Join,
    Listing,
    MultiInstance,
    Pass,
    Race,
    Receive,
    RetryPolicy,
    ScopeNode,
    Task,
    TimerTrigger,
    Wait,
)
from support.timings import DAY, EXPIRED, HOUR, MINUTE, SECOND, WORK, after, cycle, findings, found

PEOPLE = Action(type="user-task", arguments=Constant({}))

PILE_UP = "DG0616"
TOO_SHORT = "DG0622"
NO_LIMIT = "DG0623"


def guard(sketch: Any, node: str, trigger: Any, **fields: Any) -> None:
    """A boundary event `on-<node>` with a flow to a node of that name, where there is one."""
    name = f"on-{node}"
    flow = f"{node}->{name}"
    sketch.handlers.append(
        Handler(id=name, node=sketch.id(node), trigger=trigger, flow=flow, name=name, **fields)
    )


# -- limits


def limited(sketch: Any, limit: TimerTrigger, **fields: Any) -> None:
    """A part of the process with a limit; its body is for the test to fill."""
    sketch.node(ScopeNode, "part", body="/part", **fields)
    sketch.scope("/part", parent="/", form="sub-process")
    guard(sketch, "part", limit)


def test_a_limit_that_is_shorter_than_every_way_is_told(sketch: Any) -> None:
    limited(sketch, after(MINUTE))
    sketch.node(Wait, "rest", "/part", timer=after(HOUR))
    sketch.ways("/part start->rest->/part end")

    assert findings(sketch.graph()) == [
        (TOO_SHORT, "`part` takes at least 1 hour and is stopped after 1 minute")
    ]


def test_a_limit_that_comes_at_the_same_moment_is_not(sketch: Any) -> None:
    limited(sketch, after(HOUR))
    sketch.node(Wait, "rest", "/part", timer=after(HOUR))
    sketch.ways("/part start->rest->/part end")

    assert found(sketch.graph()) == []


def test_a_shorter_way_is_enough(sketch: Any) -> None:
    limited(sketch, after(MINUTE))
    sketch.node(Choice, "decide", "/part", branches=("decide->rest", "decide->/part end"))
    sketch.node(Wait, "rest", "/part", timer=after(HOUR))
    sketch.ways("/part start->decide->rest->/part end")
    sketch.ways("decide->/part end")

    assert found(sketch.graph()) == []


def test_a_join_waits_for_the_longest(sketch: Any) -> None:
    limited(sketch, after(30 * MINUTE))
    sketch.node(Fork, "fork", "/part")
    sketch.node(Wait, "long", "/part", timer=after(HOUR))
    sketch.node(Wait, "short", "/part", timer=after(MINUTE))
    sketch.node(Join, "join", "/part")
    sketch.ways("/part start->fork->long->join->/part end")
    sketch.ways("fork->short->join")

    assert found(sketch.graph()) == [TOO_SHORT]


def test_a_wait_that_may_be_skipped_takes_no_time(sketch: Any) -> None:
    limited(sketch, after(MINUTE))
    guarded = Guard(condition=Expression(text=".slow"))
    sketch.node(Wait, "rest", "/part", timer=after(HOUR), guard=guarded)
    sketch.ways("/part start->rest->/part end")

    assert found(sketch.graph()) == []


def test_a_race_is_over_with_the_first(sketch: Any) -> None:
    limited(sketch, after(MINUTE))
    sketch.node(Race, "race", "/part")
    sketch.node(Wait, "late", "/part", timer=after(HOUR))
    sketch.node(Receive, "heard", "/part", strategy=EventStrategy(mode="any"))
    sketch.ways("/part start->race->late->/part end")
    sketch.ways("race->heard->/part end")

    assert found(sketch.graph()) == []


def test_the_end_of_the_instance_completes_all(sketch: Any) -> None:
    limited(sketch, after(MINUTE))
    sketch.node(ScopeNode, "inner", "/part", body="/inner")
    sketch.scope("/inner", parent="/part")
    sketch.node(End, "over", "/inner", effect="instance")
    sketch.node(Wait, "rest", "/part", timer=after(HOUR))
    sketch.ways("/inner start->over")
    sketch.ways("/inner start->/inner end")
    sketch.ways("/part start->inner->rest->/part end")

    assert found(sketch.graph()) == []


def test_what_a_handler_does_instead_may_be_faster(sketch: Any) -> None:
    limited(sketch, after(MINUTE))
    sketch.node(Wait, "rest", "/part", timer=after(HOUR))
    sketch.ways("/part start->rest->/part end")
    sketch.handlers.append(Handler(id="catch", scope="/part", trigger=ErrorTrigger()))

    assert found(sketch.graph()) == []


def test_runs_one_after_the_other_take_as_long_as_all_of_them(sketch: Any) -> None:
    each = MultiInstance(collection=Listing((Constant(1), Constant(2), Constant(3))))
    limited(sketch, after(90 * MINUTE), multi=each)
    sketch.node(Wait, "rest", "/part", timer=after(HOUR))
    sketch.ways("/part start->rest->/part end")

    assert findings(sketch.graph()) == [
        (TOO_SHORT, "`part` takes at least 3 hours and is stopped after 1 hour 30 minutes")
    ]


@pytest.mark.parametrize(
    "multi",
    [
        MultiInstance(collection=Expression(text=".items")),
        MultiInstance(collection=Constant([])),
        MultiInstance(cardinality=Constant(3), condition=Expression(text=".more")),
        MultiInstance(cardinality=Constant(3), is_sequential=False),
    ],
    ids=["computed", "none", "while", "parallel"],
)
def test_runs_that_are_not_known_or_at_the_same_time_do_not(
    sketch: Any, multi: MultiInstance
) -> None:
    limited(sketch, after(90 * MINUTE), multi=multi)
    sketch.node(Wait, "rest", "/part", timer=after(HOUR))
    sketch.ways("/part start->rest->/part end")

    assert found(sketch.graph()) == []


@pytest.mark.parametrize(("length", "expected"), [(5, []), (6, [TOO_SHORT])])
def test_a_limit_of_one_attempt_is_a_limit(sketch: Any, length: int, expected: list[str]) -> None:
    sketch.node(ScopeNode, "try", body="/try")
    sketch.scope("/try", parent="/", form="try")
    sketch.node(Wait, "rest", "/try", timer=after(length * SECOND))
    sketch.ways("/try start->rest->/try end")
    policy = RetryPolicy(count=2, attempt_limit=Duration(milliseconds=5 * SECOND))
    sketch.handlers.append(Handler(id="catch", scope="/try", trigger=ErrorTrigger(), retry=policy))

    assert found(sketch.graph()) == expected


# -- waits without a limit


def test_the_wait_that_has_no_limit_beside_one_that_has_is_noted_once(sketch: Any) -> None:
    for name in ("approve", "sign", "file"):
        sketch.node(Task, name, action=PEOPLE)
    guard(sketch, "approve", after(DAY))

    assert findings(sketch.graph()) == [
        (NO_LIMIT, "`sign` and 1 more may wait for ever, while others like it have a time limit")
    ]


def test_where_nothing_is_limited_that_is_how_it_is_meant(sketch: Any) -> None:
    sketch.node(Task, "approve", action=PEOPLE)
    sketch.node(Receive, "heard", strategy=EventStrategy(mode="any"))

    assert found(sketch.graph()) == []


def test_a_limit_around_all_is_enough(sketch: Any) -> None:
    for name in ("approve", "sign"):
        sketch.node(Task, name, action=PEOPLE)
    guard(sketch, "approve", after(DAY))
    sketch.handlers.append(Handler(id="limit", scope="/", trigger=after(DAY), raises=EXPIRED))

    assert found(sketch.graph()) == []


def test_the_clock_in_a_race_limits_the_others_in_it(sketch: Any) -> None:
    sketch.node(Race, "race")
    sketch.node(Wait, "late", timer=after(HOUR))
    sketch.node(Receive, "heard", strategy=EventStrategy(mode="any"))
    sketch.node(Receive, "forgotten", strategy=EventStrategy(mode="any"))
    sketch.node(Task, "approve", action=PEOPLE)
    sketch.ways("start->race->late->forgotten->approve->end")
    sketch.ways("race->heard->end")

    assert findings(sketch.graph()) == [
        (NO_LIMIT, "`forgotten` may wait for ever, while others like it have a time limit")
    ]


# -- handlers that pile up


def beside(sketch: Any, timer: TimerTrigger, *names: str) -> None:
    """A timer beside a task of people that leads to the named nodes."""
    sketch.node(Task, "work", action=PEOPLE)
    guard(sketch, "work", timer, is_interrupting=False)
    sketch.node(Pass, "on-work")
    sketch.ways("work->on-work", role="handler")
    sketch.ways("->".join(("on-work", *names)))


@pytest.mark.parametrize(
    ("timer", "expected"),
    [
        (cycle("R/PT1H"), [PILE_UP]),
        (cycle("R500/PT1H"), [PILE_UP]),
        (cycle("0 * * * *"), [PILE_UP]),
        (cycle("R3/PT1H"), []),
        (after(HOUR), []),
        (TimerTrigger(form="cycle", value=Expression(text=".cycle")), []),
    ],
)
def test_a_cycle_without_end_that_begins_what_waits_piles_up(
    sketch: Any, timer: TimerTrigger, expected: list[str]
) -> None:
    beside(sketch, timer, "call")
    sketch.node(Call, "call", namespace="test", process="other")

    assert found(sketch.graph()) == expected


@pytest.mark.parametrize(("length", "expected"), [(after(HOUR), [PILE_UP]), (after(MINUTE), [])])
def test_what_is_over_before_the_next_time_does_not(
    sketch: Any, length: TimerTrigger, expected: list[str]
) -> None:
    beside(sketch, cycle("R/PT1H"), "pause")
    sketch.node(Wait, "pause", timer=length)

    assert found(sketch.graph()) == expected


def test_work_that_nobody_waits_for_does_not(sketch: Any) -> None:
    beside(sketch, cycle("R/PT1H"), "mail")
    sketch.node(Task, "mail", action=WORK)

    assert found(sketch.graph()) == []


def test_a_deadline_puts_an_end_to_it(sketch: Any) -> None:
    beside(sketch, cycle("R/P1D"), "call")
    sketch.node(Call, "call", namespace="test", process="other")
    sketch.handlers.append(
        Handler(id="deadline", node=sketch.id("work"), trigger=after(7 * DAY), flow="x")
    )

    assert found(sketch.graph()) == []


def test_an_event_sub_process_is_looked_into(sketch: Any) -> None:
    sketch.scope("/help", parent="/", form="event-sub-process")
    sketch.node(ScopeNode, "inner", "/help", body="/help/inner")
    sketch.scope("/help/inner", parent="/help", form="sub-process")
    sketch.node(Receive, "answer", "/help/inner", strategy=EventStrategy(mode="any"))
    sketch.handlers.append(
        Handler(id="again", scope="/", trigger=cycle("R/PT1H"), run="/help", is_interrupting=False)
    )

    assert found(sketch.graph()) == [PILE_UP]


# -- documents of others


def test_a_graph_that_is_in_a_circle_is_gone_through(sketch: Any) -> None:
    sketch.scope("/a", parent="/b", form="try")
    sketch.scope("/b", parent="/a", form="try")
    sketch.node(ScopeNode, "to-a", "/b", body="/a")
    sketch.node(ScopeNode, "to-b", "/a", body="/b")
    sketch.node(Task, "work", "/a", action=PEOPLE)
    sketch.handlers += [
        Handler(id="x", scope="/a", trigger=after(HOUR), retry=RetryPolicy(count=1)),
        Handler(id="y", node="nowhere", trigger=after(HOUR)),
        Handler(id="z", scope="nowhere", trigger=cycle("R/PT1H"), is_interrupting=False),
    ]

    assert found(sketch.graph()) == []
