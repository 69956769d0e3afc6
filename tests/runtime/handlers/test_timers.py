"""Handlers that the clock triggers.

Source: BPMN 2.0.2 10.5.5, Table 10.101, 13.5.3, 13.5.4.
"""

from __future__ import annotations

from collections.abc import Callable

import pytest

from diglot.compiler.graph import Expression, MultiInstance, TimerTrigger
from diglot.runtime import events as e
from support.graphs import (
    after,
    boundary,
    cycle,
    error,
    event_sub,
    jq,
    moment,
    passes,
    process,
    sub,
    task,
)
from support.machine import Machine

Start = Callable[..., Machine]

ON_TASK = """
start -> work -> end
late -> remind -> end_late
"""
SECOND = 1000


def test_an_interrupting_timer_cancels_the_task_and_one_token_leaves_on_its_flow(
    start: Start,
) -> None:
    run = start(process(ON_TASK, late=boundary("work", after("PT5S"))))
    assert run.waiting == ["work"]

    run.advance(5 * SECOND)

    assert run.waiting == ["remind"]
    assert run.state.jobs.keys() == {max(run.state.jobs)}
    run.complete("remind")
    assert run.status == "completed"
    assert run.times("late") == 1


def test_a_non_interrupting_timer_puts_a_token_beside_the_task(start: Start) -> None:
    run = start(process(ON_TASK, late=boundary("work", after("PT5S"), interrupts=False)))

    run.advance(5 * SECOND)
    assert run.waiting == ["remind", "work"]
    run.complete("work")
    assert run.status == "running"

    run.complete("remind")
    assert run.status == "completed"


def test_a_timer_is_withdrawn_when_the_task_is_done(start: Start) -> None:
    run = start(process("start -> work -> next -> end", late=boundary("work", after("PT5S"))))
    run.complete("work")
    assert not run.state.timers

    run.advance(10 * SECOND)

    assert run.waiting == ["next"]


@pytest.mark.parametrize("interrupts", [True, False])
def test_a_moment_that_is_past_has_come_when_the_task_begins(
    start: Start, interrupts: bool
) -> None:
    past = moment("2020-01-01T00:00:00Z")
    run = start(process(ON_TASK, late=boundary("work", past, interrupts=interrupts)))

    assert run.waiting == (["remind"] if interrupts else ["remind", "work"])
    assert run.times("late") == 1
    assert not run.state.timers


def test_a_task_that_is_done_at_once_is_guarded_by_what_has_come_already(start: Start) -> None:
    past = moment("2020-01-01T00:00:00Z")
    run = start(process(ON_TASK, work=passes(), late=boundary("work", past)))

    assert run.trace == ["start", "work", "late", "remind"]


def test_a_task_that_is_done_at_once_is_not_reached_by_what_comes_later(start: Start) -> None:
    run = start(process(ON_TASK, work=passes(), late=boundary("work", after("PT5S"))))

    assert run.status == "completed"
    assert run.times("late") == 0


def test_a_cycle_triggers_so_many_times_and_keeps_its_rhythm(start: Start) -> None:
    run = start(process(ON_TASK, late=boundary("work", cycle("R3/PT5S"), interrupts=False)))
    began_ms = run.clock.now_ms()

    run.advance(7 * SECOND)
    assert run.times("late") == 1
    (timer,) = run.state.timers.values()
    assert timer.due_ms == began_ms + 10 * SECOND
    for _ in range(4):
        run.advance(5 * SECOND)

    assert run.times("late") == 3
    assert not run.state.timers


def test_every_time_of_a_counted_cycle_comes_even_if_nobody_looked(start: Start) -> None:
    run = start(process(ON_TASK, late=boundary("work", cycle("R3/PT5S"), interrupts=False)))

    run.advance(3600 * SECOND)

    assert run.times("late") == 3


def test_an_endless_cycle_triggers_as_long_as_the_task_is_active(start: Start) -> None:
    run = start(process(ON_TASK, late=boundary("work", cycle("R/PT5S"), interrupts=False)))
    for _ in range(6):
        run.advance(5 * SECOND)
    assert run.times("late") == 6

    run.complete("work")
    run.advance(60 * SECOND)

    assert run.times("late") == 6
    assert run.waiting == ["remind"] * 6


def test_of_a_cycle_only_the_first_time_interrupts(start: Start) -> None:
    run = start(process(ON_TASK, late=boundary("work", cycle("R3/PT5S"))))
    assert [timer.repeat for timer in run.state.timers.values()] == [None]

    run.advance(5 * SECOND)
    run.advance(5 * SECOND)

    assert run.times("late") == 1
    assert not run.state.timers


def test_cron_triggers_again_and_again(start: Start) -> None:
    run = start(process(ON_TASK, late=boundary("work", cycle("*/5 * * * *"), interrupts=False)))

    for _ in range(3):
        run.advance(300 * SECOND)

    assert run.times("late") == 3


def test_a_time_is_computed_from_the_variables_when_it_is_armed(start: Start) -> None:
    trigger = TimerTrigger(form="duration", value=jq('"PT\\(.n)S"'))
    flows = "start -> first -> work -> end\nlate -> remind -> end_late"
    run = start(process(flows, late=boundary("work", trigger)), n=1)
    run.complete("first", n=7)

    run.advance(6 * SECOND)
    assert run.waiting == ["work"]

    run.advance(SECOND)
    assert run.waiting == ["remind"]


def test_a_time_that_cannot_be_computed_is_an_error_of_the_task(start: Start) -> None:
    trigger = TimerTrigger(form="duration", value=jq(".n"))
    run = start(process(ON_TASK, late=boundary("work", trigger)), n="soon")

    assert run.status == "faulted"
    assert run.output["instance"] == "work"
    assert run.output["type"].endswith("/expression")


def test_a_timer_of_a_sub_process_cancels_everything_in_it(start: Start) -> None:
    inner = sub("start_in -> a -> end_in\nstart_in -> b -> end_in", start_in=passes())
    run = start(
        process(
            "start -> part -> end\nlate -> remind -> end_late",
            part=inner,
            late=boundary("part", after("PT5S")),
        )
    )
    assert run.waiting == ["a", "b"]

    run.advance(5 * SECOND)

    assert run.waiting == ["remind"]
    assert len(run.state.scopes) == 1
    assert len(run.state.jobs) == 1


# -- event sub-processes


def test_an_interrupting_timer_of_a_scope_stops_its_tokens_and_runs_instead(start: Start) -> None:
    run = start(
        process(
            "start -> work -> end", late=event_sub(after("PT5S"), "start_run -> undo -> end_run")
        )
    )

    run.advance(5 * SECOND)
    assert run.waiting == ["undo"]

    run.complete("undo", undone=True)
    assert run.status == "completed"
    assert run.output == {"undone": True}
    assert run.times("end") == 0


def test_a_non_interrupting_one_runs_beside_the_scope_any_number_of_times(start: Start) -> None:
    late = event_sub(cycle("R/PT5S"), "start_run -> remind -> end_run", interrupts=False)
    run = start(process("start -> work -> end", late=late))
    run.advance(5 * SECOND)
    run.advance(5 * SECOND)
    assert run.waiting == ["remind", "remind", "work"]

    run.complete("remind")
    run.advance(5 * SECOND)

    assert run.waiting == ["remind", "remind", "work"]


def test_a_moment_that_is_past_interrupts_a_scope_before_its_first_token_moves(
    start: Start,
) -> None:
    late = event_sub(moment("2020-01-01T00:00:00Z"), "start_run -> undo -> end_run")
    run = start(process("start -> work -> end", late=late))

    assert run.trace == ["start_run", "undo"]
    assert run.waiting == ["undo"]


def test_the_moment_of_a_scopes_handler_that_cannot_be_computed_is_the_scopes_error(
    start: Start,
) -> None:
    trigger = TimerTrigger(form="instant", value=Expression(text=".n", of="variables"))
    inner = sub("start_in -> work -> end_in", late=event_sub(trigger, "start_run -> x -> end_run"))
    flows = "start -> part -> end\ncaught -> fix -> end_fixed"
    run = start(process(flows, part=inner, caught=boundary("part", error())), n="soon")

    assert run.waiting == ["fix"]


def test_a_timer_of_many_runs_cancels_all_of_them_and_one_token_leaves(start: Start) -> None:
    each = MultiInstance(collection=jq(".items"), is_sequential=False, index="loopCounter")
    flows = "start -> part -> end\nlate -> remind -> end_late"
    inner = sub("start_in -> work -> end_in", multi=each)
    run = start(process(flows, part=inner, late=boundary("part", after("PT5S"))), items=[1, 2, 3])
    assert run.waiting == ["work"] * 3

    run.advance(5 * SECOND)

    assert run.waiting == ["remind"]
    assert run.times("late") == 1
    assert len(run.state.scopes) == 1


def test_a_timer_beside_many_runs_puts_one_token_and_not_one_for_each(start: Start) -> None:
    each = MultiInstance(collection=jq(".items"), is_sequential=False, index="loopCounter")
    flows = "start -> part -> end\nlate -> remind -> end_late"
    inner = sub("start_in -> work -> end_in", multi=each)
    late = boundary("part", cycle("R2/PT5S"), interrupts=False)
    run = start(process(flows, part=inner, late=late), items=[1, 2, 3])

    run.advance(5 * SECOND)
    run.advance(5 * SECOND)

    assert run.waiting == ["remind", "remind", "work", "work", "work"]


def test_what_has_fired_stands_in_the_history_once(start: Start) -> None:
    run = start(process(ON_TASK, work=task(), late=boundary("work", after("PT5S"))))
    run.advance(60 * SECOND)

    fired = [event for event in run.history if isinstance(event, e.TimerFired)]

    assert len(fired) == 1
