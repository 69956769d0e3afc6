"""When a scope is over: terminate ends its own, and handlers that run are waited for.

Source: BPMN 2.0.2 13.3.2, 13.5.4, 13.5.6.
"""

from __future__ import annotations

from collections.abc import Callable

from diglot.compiler.graph import MultiInstance
from diglot.runtime import events as e
from support.graphs import (
    after,
    boundary,
    cycle,
    end,
    error,
    escalates,
    escalation,
    event_sub,
    fork,
    heard,
    jq,
    process,
    sends,
    sub,
    turns,
)
from support.machine import Machine

Start = Callable[..., Machine]
SECOND = 1000


def test_a_scope_waits_for_the_branch_of_a_non_interrupting_boundary(start: Start) -> None:
    inner = sub(
        "start_in -> work -> end_in\nlate -> remind -> end_late",
        late=boundary("work", after("PT5S"), interrupts=False),
    )
    run = start(process("start -> part -> next -> end", part=inner))
    run.advance(5 * SECOND)

    run.complete("work")
    assert run.waiting == ["remind"]

    run.complete("remind")
    assert run.waiting == ["next"]


def test_a_scope_waits_for_its_event_sub_processes(start: Start) -> None:
    late = event_sub(after("PT5S"), "start_late -> remind -> end_late", interrupts=False)
    inner = sub("start_in -> work -> end_in", late=late)
    run = start(process("start -> part -> next -> end", part=inner))
    run.advance(5 * SECOND)

    run.complete("work")
    assert run.waiting == ["remind"]

    run.complete("remind")
    assert run.waiting == ["next"]


def test_no_event_sub_process_begins_once_only_handlers_run(start: Start) -> None:
    inner = sub(
        "start_in -> work -> end_in",
        timed=event_sub(cycle("R/PT5S"), "start_t -> remind -> end_t", interrupts=False),
        heard=event_sub(heard("go", kind="signal"), "start_g -> end_g", interrupts=False),
        true=event_sub(turns(".x == 1"), "start_c -> end_c", interrupts=False),
        told=event_sub(escalation(), "start_e -> end_e", interrupts=False),
    )
    run = start(process("start -> part -> next -> end", variables={"x": 0}, part=inner))
    run.advance(5 * SECOND)
    assert run.waiting == ["remind", "work"]

    run.complete("work")
    assert not run.state.timers
    assert not run.state.subscriptions
    run.advance(50 * SECOND)
    run.send("go")
    assert run.waiting == ["remind"]

    run.complete("remind", x=1)
    assert run.waiting == ["next"]
    assert [run.times(name) for name in ("start_t", "start_g", "start_c", "start_e")] == [
        1,
        0,
        0,
        0,
    ]


def test_the_scope_that_completes_is_still_guarded_from_outside(start: Start) -> None:
    late = event_sub(after("PT5S"), "start_late -> remind -> end_late", interrupts=False)
    inner = sub("start_in -> work -> end_in", late=late)
    flows = "start -> part -> next -> end\nover -> end_over"
    run = start(process(flows, part=inner, over=boundary("part", after("PT20S"))))
    run.advance(5 * SECOND)
    run.complete("work")

    run.advance(15 * SECOND)

    assert run.status == "completed"
    assert run.trace[-1] == "end_over"


def test_an_instance_waits_for_the_event_sub_processes_of_the_process(start: Start) -> None:
    late = event_sub(after("PT5S"), "start_late -> remind -> end_late", interrupts=False)
    run = start(process("start -> work -> end", late=late))
    run.advance(5 * SECOND)

    run.complete("work")
    assert run.status == "running"

    run.complete("remind")
    assert run.status == "completed"


def test_what_ran_beside_a_scope_gives_it_no_result(start: Start) -> None:
    late = event_sub(after("PT5S"), "start_late -> remind -> end_late", interrupts=False)
    run = start(process("start -> work -> end", late=late), n=1)
    run.advance(5 * SECOND)
    run.complete("work", a=1)
    run.complete("remind", b=2)

    assert run.output == {"n": 1, "a": 1, "b": 2}


# -- terminate


def test_terminate_ends_one_of_many_runs_and_the_others_go_on(start: Start) -> None:
    each = MultiInstance(collection=jq(".items"), is_sequential=False, index="loopCounter")
    inner = sub(
        "start_in -> split\nsplit -> work -> end_in\nsplit -> quick -> end_all",
        multi=each, split=fork(), end_all=end("terminate"),
    )  # fmt: skip
    run = start(process("start -> part -> next -> end", part=inner), items=[1, 2])
    assert run.waiting == ["quick", "quick", "work", "work"]

    run.complete("quick")
    assert run.waiting == ["quick", "work"]

    run.complete("work")
    run.complete("quick")
    assert run.waiting == ["next"]


def test_terminate_in_an_event_sub_process_ends_that_alone(start: Start) -> None:
    late = event_sub(
        cycle("R2/PT5S"),
        "start_late -> split\nsplit -> remind -> end_late\nsplit -> stop -> end_all",
        interrupts=False, split=fork(), end_all=end("terminate"),
    )  # fmt: skip
    run = start(process("start -> work -> end", late=late))
    run.advance(5 * SECOND)
    run.advance(5 * SECOND)
    assert run.waiting == ["remind", "remind", "stop", "stop", "work"]

    run.complete("stop")

    assert run.waiting == ["remind", "stop", "work"]


def test_terminate_ends_what_runs_beside_the_scope_too(start: Start) -> None:
    late = event_sub(after("PT5S"), "start_late -> remind -> end_late", interrupts=False)
    inner = sub("start_in -> work -> end_all", late=late, end_all=end("terminate"))
    run = start(process("start -> part -> next -> end", part=inner))
    run.advance(5 * SECOND)

    run.complete("work")

    assert run.waiting == ["next"]


def test_terminate_takes_no_boundary(start: Start) -> None:
    inner = sub("start_in -> work -> end_all", end_all=end("terminate"))
    flows = "start -> part -> next -> end\nbad -> end_bad"
    run = start(process(flows, part=inner, bad=boundary("part", error())))

    run.complete("work")

    assert run.waiting == ["next"]


def test_nothing_begins_in_a_scope_that_has_just_been_terminated(start: Start) -> None:
    inner = sub(
        "start_in -> wait -> end_all",
        end_all=end("terminate"), wait=sends("before", kind="signal"),
        heard=event_sub(heard("go", kind="signal"), "start_g -> work", interrupts=False),
    )  # fmt: skip
    flows = "start -> split\nsplit -> part -> end\nsplit -> a -> b -> c -> tell -> end_b"
    run = start(
        process(
            flows, split=fork(), a=escalates("1"), b=escalates("2"), c=escalates("3"),
            tell=sends("go", kind="signal"),
            part=inner,
        )
    )  # fmt: skip

    assert run.trace.index("end_all") < run.trace.index("tell")
    assert run.status == "completed"
    assert run.times("start_g") == 0


# -- interrupting


def test_after_one_interrupting_handler_no_other_of_the_scope_begins(start: Start) -> None:
    run = start(
        process(
            "start -> work -> end",
            first=event_sub(after("PT5S"), "start_f -> undo -> end_f"),
            second=event_sub(after("PT10S"), "start_s -> end_s"),
            beside=event_sub(cycle("R/PT7S"), "start_b -> end_b", interrupts=False),
        )
    )
    run.advance(5 * SECOND)
    assert not run.state.timers

    run.advance(60 * SECOND)

    assert run.waiting == ["undo"]
    assert (run.times("start_s"), run.times("start_b")) == (0, 0)


def test_an_interrupting_handler_stops_those_that_run_beside(start: Start) -> None:
    run = start(
        process(
            "start -> work -> end",
            beside=event_sub(after("PT5S"), "start_b -> remind -> end_b", interrupts=False),
            first=event_sub(after("PT10S"), "start_f -> undo -> end_f"),
        )
    )
    run.advance(5 * SECOND)
    assert run.waiting == ["remind", "work"]

    run.advance(5 * SECOND)

    assert run.waiting == ["undo"]
    run.complete("undo")
    assert run.status == "completed"


def test_an_interrupted_scope_is_closed_once(start: Start) -> None:
    run = start(
        process(
            "start -> work -> end",
            first=event_sub(after("PT5S"), "start_f -> undo -> end_f"),
            second=event_sub(after("PT5S"), "start_s -> undo2 -> end_s"),
        )
    )

    run.advance(5 * SECOND)

    assert len([event for event in run.history if isinstance(event, e.ScopeClosed)]) == 1
    assert len(run.waiting) == 1
