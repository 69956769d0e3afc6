"""What is done can be undone. Source: BPMN 2.0.2 10.7, 13.5.5."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from diglot.compiler import graph as g
from support.graphs import (
    after,
    boundary,
    choice,
    compensate,
    cycle,
    end,
    error,
    event_sub,
    fork,
    join,
    jq,
    passes,
    process,
    raises,
    sets,
    sub,
    task,
    true_if,
    undoes,
)
from support.machine import Machine

Start = Callable[..., Machine]

COMPENSATION = g.CompensationTrigger()


@pytest.fixture(params=[False, True], ids=["warm", "cold"])
def machine(request: pytest.FixtureRequest) -> Start:
    """Starts a process; when cold, every move is made by a new engine on the same database."""

    def start(graph: g.Graph, **input: Any) -> Machine:
        return Machine(graph, input, restarts=request.param)

    return start


def undone(run: Machine) -> list[str]:
    """The activities that undo something, in the order in which they began."""
    return [node for node in run.trace if node.startswith("undo_")]


def answered(run: Machine) -> Machine:
    """The run with every job done as soon as it is there."""
    while run.status == "running" and run.state.jobs:
        run.complete(run.state.jobs[min(run.state.jobs)].node)
    return run


# -- one scope


def test_a_completed_activity_is_undone_by_its_handler(machine: Start) -> None:
    graph = process(
        "start -> a -> throw -> end", a=task(), throw=compensate("a"), undo_a=undoes("a")
    )
    run = machine(graph)

    run.complete("a")
    assert run.waiting == ["throw", "undo_a"]
    run.complete("undo_a")
    assert run.status == "completed"
    assert run.trace == ["start", "a", "throw", "undo_a", "end"]


def test_a_handler_that_needs_nothing_from_outside_runs_at_once(machine: Start) -> None:
    graph = process(
        "start -> a -> throw -> end",
        variables={"undone": False},
        a=passes(),
        throw=compensate("a"),
        undo_a=undoes("a", sets(undone="true")),
    )
    run = machine(graph)

    assert run.status == "completed"
    assert run.output["undone"] is True
    assert run.trace == ["start", "a", "throw", "undo_a", "end"]


def test_a_throw_without_an_activity_undoes_all_the_last_one_first(machine: Start) -> None:
    graph = process(
        "start -> a -> b -> throw -> end",
        throw=compensate(),
        undo_a=undoes("a"),
        undo_b=undoes("b"),
    )
    run = machine(graph)

    run.complete("a")
    run.complete("b")
    # One after the other.
    assert run.waiting == ["throw", "undo_b"]
    run.complete("undo_b")
    assert run.waiting == ["throw", "undo_a"]
    run.complete("undo_a")
    assert run.status == "completed"


def test_the_order_is_that_of_completion_and_not_that_of_the_flows(machine: Start) -> None:
    graph = process(
        """
        start -> split -> a -> join -> throw -> end
        split -> b -> join
        """,
        split=fork(),
        join=join(),
        throw=compensate(),
        undo_a=undoes("a"),
        undo_b=undoes("b"),
    )
    run = machine(graph)

    run.complete("b")
    run.complete("a")
    assert undone(answered(run)) == ["undo_a", "undo_b"]


def test_what_a_boundary_event_led_to_is_undone_before_its_activity(machine: Start) -> None:
    graph = process(
        """
        start -> split -> a -> join -> throw -> end
        split -> d -> join
        soon -> b -> c -> end_soon
        """,
        split=fork(),
        join=join(),
        soon=boundary("a", after("PT1S"), interrupts=False),
        throw=compensate(),
        undo_a=undoes("a"),
        undo_c=undoes("c"),
        undo_d=undoes("d"),
    )
    run = machine(graph)

    run.advance(1000)
    for activity in ("b", "c", "d", "a"):
        run.complete(activity)
    # By their order alone it would be a, d and c.
    assert undone(answered(run)) == ["undo_d", "undo_c", "undo_a"]


def test_a_boundary_event_that_did_not_come_changes_no_order(machine: Start) -> None:
    graph = process(
        """
        start -> split -> a -> join -> throw -> end
        split -> b -> join
        soon -> b
        """,
        split=fork(),
        join=join(),
        soon=boundary("a", after("PT1S"), interrupts=False),
        throw=compensate(),
        undo_a=undoes("a"),
        undo_b=undoes("b"),
    )
    run = machine(graph)

    run.complete("b")
    run.complete("a")
    assert undone(answered(run)) == ["undo_a", "undo_b"]


def test_what_began_before_a_boundary_event_came_depends_on_nothing(machine: Start) -> None:
    graph = process(
        """
        start -> split -> a -> join -> throw -> end
        split -> b -> choose -[.n == 0]-> join
        choose -[.n == 1]-> end_soon
        soon -> b
        """,
        variables={"n": 0, "undone": []},
        split=fork(),
        join=join(),
        choose=choice(),
        soon=boundary("a", after("PT1S"), interrupts=False),
        throw=compensate(),
        undo_a=undoes("a", sets(undone='.undone + ["a"]')),
        undo_b=undoes("b", sets(undone='.undone + ["b"]')),
    )
    run = machine(graph)

    run.complete("b")
    run.advance(1000)
    run.complete("b", n=1)
    run.complete("a")
    # The second b goes before a, the first one after it.
    assert run.output["undone"] == ["b", "a", "b"]


def test_boundary_events_of_what_boundary_events_led_to(machine: Start) -> None:
    graph = process(
        """
        start -> a -> throw -> end
        soon -> b -> end_b
        later -> c -> end_c
        """,
        soon=boundary("a", after("PT1S"), interrupts=False),
        later=boundary("b", after("PT1S"), interrupts=False),
        throw=compensate(),
        undo_a=undoes("a"),
        undo_b=undoes("b"),
        undo_c=undoes("c"),
    )
    run = machine(graph)

    run.advance(1000)
    run.advance(1000)
    for activity in ("c", "b", "a"):
        run.complete(activity)
    assert undone(answered(run)) == ["undo_c", "undo_b", "undo_a"]


def test_one_activity_is_undone_without_what_its_boundary_event_led_to(machine: Start) -> None:
    graph = process(
        """
        start -> a -> throw -> end
        soon -> b -> end_b
        """,
        soon=boundary("a", after("PT1S"), interrupts=False),
        throw=compensate("a"),
        undo_a=undoes("a"),
        undo_b=undoes("b"),
    )
    run = machine(graph)

    run.advance(1000)
    run.complete("b")
    run.complete("a")
    assert undone(answered(run)) == ["undo_a"]


def test_each_time_a_boundary_event_came_goes_before_all_runs_of_its_activity(
    machine: Start,
) -> None:
    graph = process(
        """
        start -> s -> throw -> end
        soon -> b -> end_b
        """,
        variables={"undone": []},
        s=sub(
            "start_s -> a -> end_s",
            multi=g.MultiInstance(collection=jq("[1, 2]"), item="x", is_sequential=False),
            undo_a=undoes("a", sets(undone=".undone + [.x]")),
        ),
        soon=boundary("s", cycle("R2/PT1S"), interrupts=False),
        throw=compensate(),
        undo_b=undoes("b", sets(undone='.undone + ["b"]')),
    )
    run = machine(graph)

    run.advance(1000)
    run.advance(1000)
    for activity in ("b", "b", "a", "a"):
        run.complete(activity)
    assert run.output["undone"] == ["b", "b", 2, 1]


def test_each_time_an_activity_was_done_it_is_undone(machine: Start) -> None:
    graph = process(
        """
        start -> a -> more -[.n < 2]-> a
        more -[.n >= 2]-> throw -> end
        """,
        variables={"n": 0, "undone": 0},
        a=sets(n=".n + 1"),
        more=choice(),
        throw=compensate("a"),
        undo_a=undoes("a", sets(undone=".undone + 1")),
    )
    run = machine(graph)

    assert run.output == {"n": 2, "undone": 2}


def test_an_activity_is_undone_once_only(machine: Start) -> None:
    graph = process(
        "start -> a -> throw -> again -> end",
        a=passes(),
        throw=compensate("a"),
        again=compensate(),
        undo_a=undoes("a", passes()),
    )
    run = machine(graph)

    assert run.trace == ["start", "a", "throw", "undo_a", "again", "end"]


def test_what_is_not_completed_or_has_no_handler_is_not_undone(machine: Start) -> None:
    graph = process(
        """
        start -> split -> a -> throw -> end
        split -> b -> end_b
        """,
        split=fork(),
        throw=compensate(),
        undo_b=undoes("b"),
    )
    run = machine(graph)

    run.complete("a")
    assert run.waiting == ["b"]
    assert undone(run) == []


def test_an_activity_that_failed_is_not_undone(machine: Start) -> None:
    graph = process(
        "start -> a -> end\ncaught -> throw -> end_throw",
        throw=compensate(),
        caught=boundary("a", error()),
        undo_a=undoes("a"),
    )
    run = machine(graph)

    run.fail("a", "oops")
    assert run.status == "completed"
    assert undone(run) == []


def test_an_activity_that_was_interrupted_is_not_undone(machine: Start) -> None:
    graph = process(
        "start -> a -> end\nlate -> throw -> end_throw",
        throw=compensate(),
        late=boundary("a", after("PT1S")),
        undo_a=undoes("a"),
    )
    run = machine(graph)

    run.advance(1000)
    assert run.status == "completed"
    assert undone(run) == []


def test_what_is_done_while_something_is_undone_is_not_undone_with_it(machine: Start) -> None:
    graph = process(
        """
        start -> split -> a -> throw -> end
        split -> b -> end_b
        """,
        split=fork(),
        throw=compensate(),
        undo_a=undoes("a"),
        undo_b=undoes("b"),
    )
    run = machine(graph)

    run.complete("a")
    run.complete("b")
    run.complete("undo_a")
    assert run.status == "completed"
    assert undone(run) == ["undo_a"]


def test_a_throw_that_does_not_wait_lets_its_token_go_on(machine: Start) -> None:
    graph = process(
        "start -> a -> throw -> b -> end", throw=compensate(waits=False), undo_a=undoes("a")
    )
    run = machine(graph)

    run.complete("a")
    assert run.waiting == ["b", "throw", "undo_a"]
    run.complete("b")
    # The scope is not done before everything in it is.
    assert run.status == "running"
    run.complete("undo_a")
    assert run.status == "completed"
    assert run.times("end") == 1


def test_an_end_that_compensates_ends_its_token_afterwards(machine: Start) -> None:
    graph = process("start -> a -> throw", throw=compensate(), undo_a=undoes("a"))
    run = machine(graph)

    run.complete("a")
    assert run.status == "running"
    run.complete("undo_a")
    assert run.status == "completed"


def test_a_process_that_ends_undoes_nothing_by_itself(machine: Start) -> None:
    run = machine(process("start -> a -> end", undo_a=undoes("a")))

    run.complete("a")
    assert run.status == "completed"
    assert undone(run) == []


# -- what can go wrong


def test_an_error_of_a_handler_is_one_of_the_throw_event(machine: Start) -> None:
    graph = process(
        "start -> a -> b -> throw -> end",
        throw=compensate(),
        undo_a=undoes("a"),
        undo_b=undoes("b"),
        on_error=event_sub(error("oops"), "start_h -> throw_h -> end_h", throw_h=compensate()),
    )
    run = machine(graph)

    run.complete("a")
    run.complete("b")
    run.fail("undo_b", "oops")
    # It was turned to already; what is left can still be undone.
    assert run.waiting == ["throw_h", "undo_a"]
    run.complete("undo_a")
    assert run.status == "completed"


def test_an_error_that_a_handler_takes_itself_leaves_the_rest_to_be_undone(
    machine: Start,
) -> None:
    graph = process(
        "start -> a -> b -> throw -> end\ncaught -> end_caught",
        throw=compensate(),
        undo_a=undoes("a"),
        undo_b=undoes("b"),
        caught=boundary("undo_b", error()),
    )
    run = machine(graph)

    run.complete("a")
    run.complete("b")
    run.fail("undo_b", "oops")
    assert run.waiting == ["throw", "undo_a"]
    run.complete("undo_a")
    assert run.status == "completed"


def test_a_handler_that_is_interrupted_leaves_the_rest_to_be_undone(machine: Start) -> None:
    graph = process(
        "start -> a -> b -> throw -> end\nlate -> end_late",
        throw=compensate(),
        undo_a=undoes("a"),
        undo_b=undoes("b"),
        late=boundary("undo_b", after("PT1S")),
    )
    run = machine(graph)

    run.complete("a")
    run.complete("b")
    run.advance(1000)
    assert run.waiting == ["throw", "undo_a"]


def test_nobody_takes_the_error_of_a_handler(machine: Start) -> None:
    graph = process("start -> a -> throw -> end", throw=compensate(), undo_a=undoes("a"))
    run = machine(graph)

    run.complete("a")
    run.fail("undo_a", "oops")
    assert run.status == "faulted"
    assert run.output["type"] == "oops"
    assert run.output["instance"] == "undo_a"


def test_a_terminate_end_stops_what_is_being_undone(machine: Start) -> None:
    graph = process(
        """
        start -> split -> a -> throw -> end
        split -> b -> end_all
        """,
        split=fork(),
        throw=compensate(),
        end_all=end("terminate"),
        undo_a=undoes("a"),
    )
    run = machine(graph)

    run.complete("a")
    run.complete("b")
    assert run.status == "completed"
    assert run.state.jobs == {}


def test_a_suspended_instance_goes_on_undoing_when_it_is_resumed(machine: Start) -> None:
    graph = process(
        "start -> a -> b -> throw -> end",
        throw=compensate(),
        undo_a=undoes("a"),
        undo_b=undoes("b"),
    )
    run = machine(graph)
    run.complete("a")
    run.complete("b")

    run.suspend()
    run.complete("undo_b")
    assert run.waiting == ["throw"]
    run.resume()
    assert run.waiting == ["throw", "undo_a"]


# -- sub-processes


def test_a_sub_process_is_undone_by_its_own_handler_in_sight_of_what_it_knew(
    machine: Start,
) -> None:
    graph = process(
        "start -> s -> change -> throw -> end",
        variables={"outer": 1, "mine": "outer", "seen": None},
        s=sub(
            "start_s -> a -> note -> end_s",
            variables={"mine": 0},
            note=sets(mine="5"),
            undo=event_sub(
                COMPENSATION,
                "start_u -> undo_s -> write -> end_u",
                undo_s=task(),
                write=sets(seen="[.mine, .outer]", mine="99"),
            ),
        ),
        change=sets(outer="2", mine='"still outer"'),
        throw=compensate("s"),
    )
    run = machine(graph)

    run.complete("a")
    (job,) = run.state.jobs.values()
    assert (job.node, job.arguments["mine"], job.arguments["outer"]) == ("undo_s", 5, 2)
    run.complete("undo_s")
    # Its own variables are as they were; those outside are as they are now.
    assert run.output == {"outer": 2, "mine": "still outer", "seen": [5, 2]}


def test_without_a_handler_the_activities_inside_are_undone(machine: Start) -> None:
    graph = process(
        "start -> s -> throw -> end",
        s=sub(
            "start_s -> a -> b -> end_s",
            variables={"mine": 7},
            a=passes(),
            b=passes(),
            undo_a=undoes("a"),
            undo_b=undoes("b"),
        ),
        throw=compensate(),
    )
    run = machine(graph)

    (job,) = run.state.jobs.values()
    assert job.arguments["mine"] == 7
    assert undone(answered(run)) == ["undo_b", "undo_a"]
    assert run.status == "completed"


def test_with_a_handler_inside_what_it_leaves_is_not_undone(machine: Start) -> None:
    graph = process(
        "start -> s -> throw -> again -> end",
        s=sub(
            "start_s -> a -> b -> end_s",
            a=passes(),
            b=passes(),
            undo_a=undoes("a"),
            undo_b=undoes("b"),
            undo=event_sub(COMPENSATION, "start_u -> only_a -> end_u", only_a=compensate("a")),
        ),
        throw=compensate("s"),
        again=compensate(),
    )

    assert undone(answered(machine(graph))) == ["undo_a"]


def test_the_inside_is_undone_before_the_handler_on_the_border(machine: Start) -> None:
    graph = process(
        "start -> s -> throw -> end",
        s=sub(
            "start_s -> a -> end_s",
            a=passes(),
            undo_a=undoes("a"),
            undo=event_sub(
                COMPENSATION,
                "start_u -> first -> undo_inside",
                first=passes(),
                undo_inside=compensate("a"),
            ),
        ),
        throw=compensate("s"),
        undo_s=undoes("s"),
    )
    run = answered(machine(graph))

    assert run.trace[-6:] == ["start_u", "first", "undo_inside", "undo_a", "undo_s", "end"]


def test_what_was_undone_before_the_sub_process_was_done_is_not_undone_again(
    machine: Start,
) -> None:
    graph = process(
        "start -> s -> throw -> end",
        s=sub(
            "start_s -> a -> early -> end_s",
            a=passes(),
            early=compensate("a"),
            undo_a=undoes("a"),
            undo=event_sub(COMPENSATION, "start_u -> late -> end_u", late=compensate("a")),
        ),
        throw=compensate("s"),
    )
    run = answered(machine(graph))

    assert undone(run) == ["undo_a"]
    assert "late" in run.trace
    assert run.status == "completed"


def test_sub_processes_in_sub_processes_are_undone_from_the_last_to_the_first(
    machine: Start,
) -> None:
    graph = process(
        "start -> s -> throw",
        s=sub(
            "start_s -> one -> two -> three\ncaught -> end_s",
            one=sub(
                "start_1 -> a",
                a=passes(),
                undo_a=undoes("a"),
                undo=event_sub(COMPENSATION, "start_u -> undo_one -> e", e=compensate("a")),
            ),
            two=sub("start_2 -> b", b=passes(), undo_b=undoes("b")),
            three=sub("start_3 -> fails", fails=raises("oops")),
            caught=boundary("three", error()),
            undo_1=undoes("one"),
            undo_3=undoes("three"),
        ),
        throw=compensate("s"),
    )

    assert undone(answered(machine(graph))) == ["undo_b", "undo_one", "undo_a", "undo_1"]


def test_what_was_done_in_a_sub_process_that_failed_is_not_undone(machine: Start) -> None:
    graph = process(
        "start -> s -> end\ncaught -> throw -> end_c",
        s=sub("start_s -> a -> fails", a=passes(), fails=raises("oops"), undo_a=undoes("a")),
        caught=boundary("s", error()),
        throw=compensate(),
    )
    run = machine(graph)

    assert run.status == "completed"
    assert undone(run) == []


def test_what_was_done_in_a_sub_process_that_was_terminated_is_not_undone(
    machine: Start,
) -> None:
    graph = process(
        "start -> s -> throw -> end",
        s=sub("start_s -> a -> stop", a=passes(), stop=end("terminate"), undo_a=undoes("a")),
        throw=compensate(),
        undo_s=undoes("s"),
    )
    run = machine(graph)

    assert run.status == "completed"
    assert undone(run) == []


def test_a_sub_process_that_recovered_from_an_error_can_be_undone(machine: Start) -> None:
    graph = process(
        "start -> s -> throw",
        s=sub(
            "start_s -> a -> fails",
            a=passes(),
            fails=raises("oops"),
            undo_a=undoes("a"),
            on_error=event_sub(
                error("oops"), "start_h -> b -> end_h", b=passes(), undo_b=undoes("b")
            ),
        ),
        throw=compensate("s"),
    )

    # What was done to recover is a part of it as well.
    assert undone(answered(machine(graph))) == ["undo_b", "undo_a"]


def test_an_event_sub_process_may_undo_what_was_done_in_the_scope_it_belongs_to(
    machine: Start,
) -> None:
    graph = process(
        "start -> a -> fails",
        a=passes(),
        fails=raises("oops"),
        undo_a=undoes("a"),
        on_error=event_sub(error("oops"), "start_h -> b -> throw_h -> end_h", b=passes(),
                           throw_h=compensate(), undo_b=undoes("b")),
    )  # fmt: skip
    run = answered(machine(graph))

    assert undone(run) == ["undo_b", "undo_a"]
    assert run.status == "completed"


def test_a_throw_in_a_sub_process_undoes_nothing_outside(machine: Start) -> None:
    graph = process(
        "start -> a -> s -> end",
        a=passes(),
        undo_a=undoes("a"),
        s=sub("start_s -> throw_s -> end_s", throw_s=compensate()),
    )
    run = machine(graph)

    assert run.status == "completed"
    assert undone(run) == []


def test_no_handler_of_a_revived_scope_listens(machine: Start) -> None:
    graph = process(
        "start -> s -> throw -> end\ncaught -> end_c",
        s=sub(
            "start_s -> a -> end_s",
            a=passes(),
            on_error=event_sub(error(), "start_e -> never -> end_e"),
            undo=event_sub(COMPENSATION, "start_u -> fails", fails=raises("oops")),
        ),
        throw=compensate("s"),
        caught=boundary("s", error()),
    )
    run = machine(graph)

    assert run.status == "faulted"
    assert run.output["instance"] == "fails"


# -- several runs


@pytest.mark.parametrize("sequential", [False, True])
def test_every_run_is_undone_with_its_own_item_the_last_one_first(
    machine: Start, sequential: bool
) -> None:
    multi = g.MultiInstance(
        collection=jq(".items"), item="x", index="loopCounter", is_sequential=sequential
    )
    graph = process(
        "start -> t -> throw -> end",
        variables={"undone": []},
        t=sub(
            "start_each -> each -> end_each",
            form="loop",
            multi=multi,
            each=passes(),
            undo_each=undoes("each", sets(undone=".undone + [[.x, .loopCounter]]")),
        ),
        throw=compensate("t"),
    )
    run = machine(graph, items=["a", "b", "c"])

    assert run.output["undone"] == [["c", 2], ["b", 1], ["a", 0]]


def test_the_runs_of_a_loop_are_undone_the_last_one_first(machine: Start) -> None:
    graph = process(
        "start -> t -> throw -> end",
        variables={"undone": []},
        t=sub(
            "start_each -> each -> end_each",
            form="loop",
            loop=g.Loop(condition=true_if(".loopCounter < 2")),
            each=passes(),
            undo_each=undoes("each", sets(undone=".undone + [.loopCounter]")),
        ),
        throw=compensate("t"),
    )
    run = machine(graph)

    assert run.output["undone"] == [2, 1, 0]


def test_runs_that_did_not_end_are_not_undone(machine: Start) -> None:
    multi = g.MultiInstance(
        collection=jq(".items"),
        item="x",
        is_sequential=False,
        completion=true_if(".x == 2"),
    )
    graph = process(
        "start -> t -> throw -> end",
        variables={"undone": []},
        t=sub(
            "start_each -> each -> end_each",
            multi=multi,
            each=task(),
            undo_each=undoes("each", sets(undone=".undone + [.x]")),
        ),
        throw=compensate(),
    )
    run = machine(graph, items=[1, 2, 3])

    run.complete_at(1, "each")
    assert run.output["undone"] == [2]


def test_a_sub_process_that_ran_for_each_item_is_undone_run_by_run(machine: Start) -> None:
    graph = process(
        "start -> t -> throw -> end",
        variables={"undone": []},
        t=sub(
            "start_each -> note -> end_each",
            variables={"mine": None},
            multi=g.MultiInstance(collection=jq(".items"), item="x", is_sequential=False),
            note=sets(mine=".x * 10"),
            undo=event_sub(
                COMPENSATION, "start_u -> write -> end_u", write=sets(undone=".undone + [.mine]")
            ),
        ),
        throw=compensate(),
        undo_t=undoes("t", sets(undone='.undone + ["t"]')),
    )
    run = machine(graph, items=[1, 2])

    # The handler on the border is one of the activity as a whole.
    assert run.output["undone"] == [20, 10, "t"]


def test_nothing_is_left_when_everything_is_undone(machine: Start) -> None:
    graph = process(
        "start -> s -> throw -> wait -> end",
        s=sub("start_s -> a -> end_s", a=passes(), undo_a=undoes("a", passes())),
        throw=compensate(),
        wait=task(),
    )
    run = machine(graph)

    assert run.waiting == ["wait"]
    assert run.state.kept == {}
