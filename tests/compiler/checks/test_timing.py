from __future__ import annotations

import time
from typing import Any

import pytest

from diglot.compiler.checks.timing import check_timing
from diglot.compiler.checks.timing.lengths import spoken, spoken_ms
from diglot.compiler.diagnostics import Report
from diglot.compiler.graph import (
    Constant,
    Duration,
    ErrorTrigger,
    EventStrategy,
    EventTrigger,
    Expression,
    Graph,
    Handler,
    RetryPolicy,
    ScopeNode,
    SeveralTrigger,
    Task,
    TimerTrigger,
    Wait,
)
from diglot.compiler.source import Position, Span
from support.timings import DAY, EXPIRED, HOUR, MINUTE, SECOND, WORK, after, cycle, findings, found

BAD_DURATION = "DG0604"
ZERO_WAIT = "DG0610"
ZERO_LIMIT = "DG0611"
YEARS = "DG0612"
LONG_PAST = "DG0613"
NEVER = "DG0614"
ONCE = "DG0615"
NO_RETRIES = "DG0617"
NO_PAUSE = "DG0618"
RETRY_YEARS = "DG0619"
REVERSED = "DG0620"
CUT_OFF = "DG0621"


def at(text: str) -> TimerTrigger:
    return TimerTrigger(form="instant", value=Constant(text))


def waits(sketch: Any, timer: TimerTrigger) -> Graph:
    sketch.node(Wait, "wait", timer=timer)
    sketch.ways("start->wait->end")
    graph: Graph = sketch.graph()
    return graph


def guard(sketch: Any, node: str, trigger: Any, **fields: Any) -> None:
    """A boundary event `on-<node>` with a flow to a node of that name, where there is one."""
    name = f"on-{node}"
    flow = f"{node}->{name}"
    sketch.handlers.append(
        Handler(id=name, node=sketch.id(node), trigger=trigger, flow=flow, name=name, **fields)
    )


# -- single timers


@pytest.mark.parametrize(
    ("timer", "expected"),
    [
        (after(SECOND), []),
        (after(months=12), []),
        (after(366 * DAY), []),
        (after(-SECOND), []),
        (after(), [ZERO_WAIT]),
        (after(367 * DAY), [YEARS]),
        (after(months=30), [YEARS]),
        (at("2011-01-01T00:00:00Z"), []),
        (at("2020-02-29"), []),
        (at("2010-12-31T23:59:59Z"), [LONG_PAST]),
        (at("0026-05-01T12:00:00+02:00"), [LONG_PAST]),
        (cycle("R1/PT5S"), []),
        (cycle("0 9 * * 1"), []),
        (cycle("R/PT5S"), [ONCE]),
        (cycle("R3/2030-01-01T00:00:00Z/PT1H"), [ONCE]),
        (cycle("R0/PT5S"), [NEVER]),
        (cycle("R1/P2Y"), [YEARS]),
        (TimerTrigger(form="duration", value=Expression(text=".after")), []),
        (TimerTrigger(form="duration", value=Expression(text='"PT0S"')), [ZERO_WAIT]),
        (TimerTrigger(form="cycle", value=Expression(text='"R" + "/PT5S"')), []),
    ],
)
def test_a_timer_is_looked_at_as_far_as_it_is_known(
    sketch: Any, timer: TimerTrigger, expected: list[str]
) -> None:
    assert found(waits(sketch, timer)) == expected


def test_a_text_in_an_expression_that_is_no_duration_is_refused_at_its_place(sketch: Any) -> None:
    span = Span("x", Position(3, 10), Position(3, 16))
    value = Expression(text='"P1H"', span=span)

    report = Report()
    check_timing(waits(sketch, TimerTrigger(form="duration", value=value)), report, {})

    assert [(one.code, one.span and one.span.start) for one in report] == [
        (BAD_DURATION, Position(3, 10))
    ]


def test_the_words_of_a_length_are_those_of_people() -> None:
    assert spoken(Duration(months=30)) == "2 years 6 months"
    assert spoken(Duration(months=1, milliseconds=DAY)) == "1 month 1 day"
    assert spoken_ms(HOUR + 30 * MINUTE + 5) == "1 hour 30 minutes"
    assert spoken_ms(0) == "0 seconds"


@pytest.mark.parametrize(
    ("is_interrupting", "expected"), [(True, [ZERO_LIMIT]), (False, [ZERO_WAIT])]
)
def test_no_time_is_worse_where_it_stops_something(
    sketch: Any, is_interrupting: bool, expected: list[str]
) -> None:
    sketch.node(Task, "work", action=WORK)
    guard(sketch, "work", after(), is_interrupting=is_interrupting)

    assert found(sketch.graph()) == expected


def test_a_cycle_beside_an_activity_comes_each_time(sketch: Any) -> None:
    sketch.node(Task, "work", action=WORK)
    guard(sketch, "work", cycle("R3/PT5S"), is_interrupting=False)

    assert found(sketch.graph()) == []


def test_one_of_several_triggers_is_looked_at_too(sketch: Any) -> None:
    several = SeveralTrigger(
        triggers=(EventTrigger(strategy=EventStrategy(mode="any")), cycle("R/PT5S"))
    )
    sketch.node(Task, "work", action=WORK)
    guard(sketch, "work", several)

    assert found(sketch.graph()) == [ONCE]


def test_what_is_laid_out_twice_is_told_once(sketch: Any) -> None:
    span = Span("x", Position(3, 10), Position(3, 16))
    for name in ("one", "other"):
        sketch.nodes.append(Wait(id=name, scope="/", name="pause", span=span, timer=after()))

    assert found(sketch.graph()) == [ZERO_WAIT]


# -- retries


def retries(sketch: Any, *, limit: TimerTrigger | None = None, **fields: Any) -> Graph:
    sketch.node(ScopeNode, "try", body="/try")
    sketch.scope("/try", parent="/", form="try")
    sketch.handlers.append(
        Handler(id="catch", scope="/try", trigger=ErrorTrigger(), retry=RetryPolicy(**fields))
    )
    if limit is not None:
        sketch.handlers.append(
            Handler(id="limit", node=sketch.id("try"), trigger=limit, raises=EXPIRED)
        )
    sketch.ways("/try start->/try end")
    graph: Graph = sketch.graph()
    return graph


def seconds(count: int) -> Duration:
    return Duration(milliseconds=count * SECOND)


@pytest.mark.parametrize(
    ("fields", "expected"),
    [
        ({"count": 3, "delay": seconds(1)}, []),
        ({"count": 3}, []),
        ({"count": 0, "delay": seconds(1)}, [NO_RETRIES]),
        ({"count": -2}, [NO_RETRIES]),
        ({"count": 3, "delay": Duration()}, [NO_PAUSE]),
        ({"count": 3, "delay": Duration(), "jitter_to": seconds(1)}, []),
        ({"attempt_limit": seconds(1)}, [NO_PAUSE]),
        ({"jitter_from": seconds(2), "jitter_to": seconds(1), "delay": seconds(1)}, [REVERSED]),
        ({"jitter_from": seconds(1), "jitter_to": seconds(1), "delay": seconds(1)}, []),
        ({"count": 25, "delay": seconds(1), "backoff": "exponential"}, [RETRY_YEARS]),
        ({"count": 20, "delay": seconds(1), "backoff": "exponential"}, []),
        ({"count": 10**9, "delay": seconds(1), "backoff": "exponential"}, [RETRY_YEARS]),
        ({"count": 10**9, "delay": seconds(1), "backoff": "linear"}, [RETRY_YEARS]),
        ({"count": 10**9, "delay": seconds(1)}, [RETRY_YEARS]),
        ({"count": 25, "delay": Expression(text=".d"), "backoff": "exponential"}, []),
        ({"count": 5, "delay": seconds(10), "total_limit": seconds(50)}, []),
        ({"count": 5, "delay": seconds(10), "total_limit": seconds(49)}, [CUT_OFF]),
        ({"count": 5, "delay": seconds(10), "total_limit": Expression(text=".l")}, []),
        ({"delay": seconds(10), "total_limit": seconds(10)}, []),
        ({"delay": seconds(10), "total_limit": seconds(9)}, [CUT_OFF]),
        ({"count": 1, "total_limit": seconds(9), "jitter_from": seconds(10),
          "jitter_to": seconds(20)}, [CUT_OFF]),
    ],
)  # fmt: skip
def test_a_retry_policy_is_looked_at_as_far_as_it_is_known(
    sketch: Any, fields: dict[str, Any], expected: list[str]
) -> None:
    assert found(retries(sketch, **fields)) == expected


def test_retries_have_to_begin_before_the_time_out_of_their_task(sketch: Any) -> None:
    policy = {"count": 3, "delay": seconds(1), "backoff": "exponential"}

    assert findings(retries(sketch, limit=after(7 * SECOND), **policy)) == [
        (
            CUT_OFF,
            "only 2 of the 3 retries of `try` can begin within the 7 seconds of the time-out "
            "around it",
        )
    ]


def test_a_time_out_that_is_long_enough_cuts_nothing_off(sketch: Any) -> None:
    policy = {"count": 3, "delay": seconds(1), "backoff": "exponential"}

    assert found(retries(sketch, limit=after(7 * SECOND + 1), **policy)) == []


def test_ten_thousand_waits_inside_each_other_take_no_time(sketch: Any) -> None:
    scope = "/"
    for number in range(5_000):
        inner = f"/{number}"
        sketch.nodes += [
            ScopeNode(id=f"n{number}", scope=scope, body=inner),
            Wait(id=f"w{number}", scope=inner, timer=after(HOUR)),
        ]
        sketch.scope(inner, parent=scope, form="try")
        sketch.ways(f"{inner} start->w{number}->{inner} end")
        sketch.handlers.append(
            Handler(
                id=f"h{number}",
                scope=inner,
                trigger=after(DAY),
                retry=RetryPolicy(count=10**9, delay=seconds(1)),
            )
        )
        scope = inner
    graph = sketch.graph()

    began = time.perf_counter()
    findings(graph)

    assert time.perf_counter() - began < 5
