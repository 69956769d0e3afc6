"""Activities that run once per item. Source: BPMN 2.0.2 13.3.7, Table 10.30."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import msgspec
import pytest

from diglot.compiler import graph as g
from diglot.runtime import events as e
from support.graphs import (
    after,
    boundary,
    choice,
    end,
    error,
    event_sub,
    fork,
    jq,
    passes,
    process,
    raises,
    sets,
    sub,
    task,
    true_if,
)
from support.machine import Machine

Start = Callable[..., Machine]


@pytest.fixture(params=[False, True], ids=["warm", "cold"])
def machine(request: pytest.FixtureRequest) -> Start:
    """Starts a process; when cold, every move is made by a new engine on the same database."""

    def start(graph: g.Graph, **input: Any) -> Machine:
        return Machine(graph, input, restarts=request.param)

    return start


def each(
    collection: str | None = ".items",
    cardinality: Any = None,
    *,
    sequential: bool = False,
    **members: Any,
) -> g.MultiInstance:
    """How often, and with what in sight: the item is `x`, its number `loopCounter`."""
    return g.MultiInstance(
        collection=None if collection is None or cardinality is not None else jq(collection),
        cardinality=None if cardinality is None else g.Constant(cardinality),
        item="x",
        index="loopCounter",
        is_sequential=sequential,
        **members,
    )


def many(multi: g.MultiInstance, **around: Any) -> g.Graph:
    """A process with one activity, whose every run is a job."""
    return process(
        "start -> t -> end",
        t=sub("start_each -> work -> end_each", form="loop", multi=multi, work=task()),
        **around,
    )


def jobs(machine: Machine) -> list[Any]:
    """What the open jobs see, oldest first."""
    return [job.arguments for _, job in sorted(machine.state.jobs.items())]


# -- how often


def test_a_parallel_activity_runs_for_every_item_at_once(machine: Start) -> None:
    run = machine(many(each()), items=["a", "b", "c"])

    assert [(job["x"], job["loopCounter"]) for job in jobs(run)] == [("a", 0), ("b", 1), ("c", 2)]

    for _ in "abc":
        assert run.status == "running"
        run.complete("work")
    assert run.status == "completed"
    assert run.times("end") == 1


def test_a_sequential_activity_runs_for_one_item_after_the_other(machine: Start) -> None:
    run = machine(many(each(sequential=True)), items=["a", "b", "c"])

    seen: list[str] = []
    while run.status == "running":
        (job,) = jobs(run)
        seen.append(job["x"])
        run.complete("work")
    assert seen == ["a", "b", "c"]


def test_no_more_run_at_a_time_than_the_limit(machine: Start) -> None:
    run = machine(many(each(limit=2)), items=[1, 2, 3, 4])

    assert [job["x"] for job in jobs(run)] == [1, 2]
    run.complete("work")
    assert [job["x"] for job in jobs(run)] == [2, 3]
    run.complete("work")
    run.complete("work")
    assert [job["x"] for job in jobs(run)] == [4]
    run.complete("work")
    assert run.status == "completed"


@pytest.mark.parametrize("sequential", [False, True])
def test_a_number_of_runs_binds_no_items(machine: Start, sequential: bool) -> None:
    run = machine(many(each(cardinality=3, sequential=sequential)))

    seen: list[Any] = []
    while run.status == "running":
        seen.append((jobs(run)[0]["x"], jobs(run)[0]["loopCounter"]))
        run.complete("work")
    assert seen == [(None, 0), (None, 1), (None, 2)]


def test_the_counter_begins_where_it_is_said_to(machine: Start) -> None:
    run = machine(many(each(first=1)), items=["a", "b"])

    assert [job["loopCounter"] for job in jobs(run)] == [1, 2]


@pytest.mark.parametrize("sequential", [False, True])
def test_no_items_mean_no_run_and_an_activity_that_is_done_at_once(
    machine: Start, sequential: bool
) -> None:
    multi = each(sequential=sequential, output=jq(".x"), output_to="found")
    run = machine(many(multi), items=[])

    assert run.status == "completed"
    assert run.output == {"items": [], "found": []}
    assert "work" not in run.trace


def test_the_items_are_those_there_are_when_the_activity_begins(machine: Start) -> None:
    graph = process(
        "start -> t -> end",
        t=sub(
            "start_each -> shrink -> work -> end_each",
            multi=each(sequential=True),
            shrink=sets(items="[]"),
        ),
    )
    run = machine(graph, items=[1, 2])

    run.complete("work")
    run.complete("work")
    assert run.status == "completed"


@pytest.mark.parametrize(
    ("cardinality", "said"),
    [
        (-1, "not below 0"),
        (1.5, "whole number"),
        (True, "whole number"),
        ("3", "whole number"),
        (None, "whole number"),
        (10**9, "at most 100000 times"),
    ],
)
def test_a_number_of_runs_is_a_whole_number_that_is_not_negative(
    machine: Start, cardinality: Any, said: str
) -> None:
    multi = msgspec.structs.replace(each(None), cardinality=g.Constant(cardinality))
    run = machine(many(multi))

    assert run.status == "faulted"
    assert said in run.output["detail"]
    assert run.output["instance"] == "t"


def test_a_number_like_3_0_is_whole(machine: Start) -> None:
    run = machine(many(each(cardinality=3.0)))

    assert len(run.state.jobs) == 3


def test_what_is_no_array_is_no_collection(machine: Start) -> None:
    run = machine(many(each()), items="abc")

    assert run.status == "faulted"
    assert "a loop needs an array" in run.output["detail"]


# -- what a run sees


def test_a_run_has_variables_of_its_own(machine: Start) -> None:
    graph = process(
        "start -> t -> end",
        t=sub(
            "start_each -> work -> add -> end_each",
            multi=each(output=jq(".sum"), output_to="sums"),
            variables={"sum": 0},
            add=sets(sum=".sum + .x"),
        ),
    )
    run = machine(graph, items=[1, 2])

    run.complete("work", sum=10)
    run.complete("work", sum=20)
    assert run.output["sums"] == [11, 22]
    assert "sum" not in run.output


def test_a_run_sees_how_the_runs_stand(machine: Start) -> None:
    run = machine(many(each(counts=True, limit=2)), items=[1, 2, 3])

    def seen() -> list[list[int]]:
        return [
            [job[f"numberOf{what}Instances"] for what in ("", "Active", "Completed", "Terminated")]
            for job in jobs(run)
        ]

    # The first began when two were on their way, and so did the second.
    assert seen() == [[3, 2, 0, 0], [3, 2, 0, 0]]
    run.complete("work")
    assert seen() == [[3, 2, 0, 0], [3, 2, 1, 0]]


def test_counts_of_an_inner_activity_hide_those_of_the_outer_one(machine: Start) -> None:
    graph = process(
        "start -> t -> end",
        t=sub(
            "start_outer -> inner -> after_inner -> end_outer",
            multi=each(cardinality=2, counts=True, sequential=True),
            inner=sub(
                "start_each -> work -> end_each",
                multi=each(cardinality=3, counts=True, sequential=True),
            ),
            after_inner=task(),
        ),
    )
    run = machine(graph)

    assert jobs(run)[0]["numberOfInstances"] == 3
    for _ in range(3):
        assert (jobs(run)[0]["loopCounter"]) == _
        run.complete("work")
    assert run.waiting == ["after_inner"]
    assert (jobs(run)[0]["numberOfInstances"], jobs(run)[0]["loopCounter"]) == (2, 0)


def test_without_counts_none_are_in_sight(machine: Start) -> None:
    run = machine(many(each()), items=[1])

    assert "numberOfInstances" not in jobs(run)[0]


# -- what comes of it


def test_results_stand_in_the_order_of_the_items_whoever_is_done_first(machine: Start) -> None:
    multi = each(output=jq(".got"), output_to="found")
    graph = process(
        "start -> t -> end",
        t=sub(
            "start_each -> work -> end_each",
            multi=multi,
            variables={"got": None},
            work=task(data=g.DataRules(export=jq("{got: .got}"), export_mode="variables")),
        ),
    )
    run = machine(graph, items=[1, 2, 3])

    for number in (2, 0, 1):
        position = [job["loopCounter"] for job in jobs(run)].index(number)
        run.complete_at(position, "work", got=f"r{number}")
    assert run.output["found"] == ["r0", "r1", "r2"]


def test_results_become_a_variable_at_the_end_and_not_before(machine: Start) -> None:
    graph = process(
        "start -> s -> end",
        s=sub(
            "start_in -> t -> look -> end_in",
            variables={"found": "nothing yet"},
            t=sub("start_each -> work -> end_each", multi=each(output=jq(".x"), output_to="found")),
            look=task(),
        ),
    )
    run = machine(graph, items=[1, 2])

    run.complete("work")
    assert jobs(run)[0]["found"] == "nothing yet"
    run.complete("work")
    assert jobs(run)[0]["found"] == [1, 2]
    # The nearest scope had the variable, so the process has none.
    run.complete("look")
    assert run.output == {"items": [1, 2]}


def test_without_such_a_variable_the_results_are_the_output(machine: Start) -> None:
    graph = process(
        "start -> t -> end",
        t=sub(
            "start_each -> end_each",
            multi=each(output=jq(".x * 2")),
            data=g.DataRules(export=g.Expression(text="{doubled: .}"), export_mode="variables"),
        ),
    )
    run = machine(graph, items=[1, 2])

    assert run.output["doubled"] == [2, 4]


def test_completion_ends_the_others_and_leaves_null_in_their_places(machine: Start) -> None:
    multi = each(
        counts=True,
        completion=true_if(".numberOfCompletedInstances >= 1"),
        output=jq(".x"),
        output_to="found",
    )
    run = machine(many(multi), items=[1, 2, 3])

    run.complete_at(1, "work")
    assert run.status == "completed"
    assert run.output["found"] == [None, 2, None]
    assert run.times("end") == 1


def test_completion_is_asked_in_sight_of_the_run_that_is_done(machine: Start) -> None:
    run = machine(many(each(completion=true_if('.x == "b"'))), items=["a", "b", "c"])

    run.complete_at(0, "work")
    assert run.status == "running"
    run.complete_at(0, "work")
    assert run.status == "completed"


def test_completion_ends_a_sequential_activity_before_its_next_run(machine: Start) -> None:
    multi = each(
        sequential=True,
        completion=true_if(".loopCounter == 1"),
        output=jq(".x"),
        output_to="found",
    )
    run = machine(many(multi), items=["a", "b", "c"])

    run.complete("work")
    run.complete("work")
    assert run.output["found"] == ["a", "b", None]


def test_a_completion_that_cannot_be_computed_is_an_error_of_the_activity(machine: Start) -> None:
    graph = process(
        "start -> t -> end",
        t=sub("start_each -> work -> end_each", multi=each(completion=true_if(".x")), work=task()),
        caught=boundary("t", error()),
    )
    run = machine(graph, items=[1, 2])

    run.complete("work")
    assert "caught" in run.trace
    assert run.status == "completed"


@pytest.mark.parametrize("sequential", [False, True])
def test_a_condition_that_is_false_begins_no_further_run(machine: Start, sequential: bool) -> None:
    multi = each(
        sequential=sequential,
        condition=true_if(".x < 3"),
        output=jq(".x"),
        output_to="found",
    )
    run = machine(many(multi), items=[1, 2, 3, 1])

    run.complete("work")
    run.complete("work")
    assert run.output["found"] == [1, 2, None, None]


# -- what stops it


def test_an_error_in_one_run_stops_the_others(machine: Start) -> None:
    graph = process(
        "start -> t -> end",
        t=sub("start_each -> work -> end_each", form="loop", multi=each(), work=task()),
        caught=boundary("t", error("oops")),
    )
    run = machine(graph, items=[1, 2, 3])

    run.complete("work")
    run.fail("work", "oops")
    assert run.status == "completed"
    assert "caught" in run.trace
    assert "end" not in run.trace
    assert run.state.items == {}


def test_an_error_before_the_others_have_moved_stops_them_too(machine: Start) -> None:
    graph = process(
        "start -> t -> end",
        t=sub("start_each -> fails", multi=each(), fails=raises("oops")),
        caught=boundary("t", error("oops")),
    )
    run = machine(graph, items=[1, 2, 3])

    assert run.times("fails") == 1
    assert run.times("caught") == 1


def test_an_interrupting_boundary_event_stops_every_run_and_sends_one_token(
    machine: Start,
) -> None:
    graph = process(
        "start -> t -> end\nlate -> end_late",
        t=sub("start_each -> work -> end_each", form="loop", multi=each(), work=task()),
        late=boundary("t", after("PT1S")),
    )
    run = machine(graph, items=[1, 2, 3])

    run.advance(1000)
    assert run.status == "completed"
    assert run.times("late") == 1
    assert run.state.jobs == {}


def test_a_boundary_event_that_does_not_interrupt_fires_once_for_all_runs(machine: Start) -> None:
    graph = process(
        "start -> t -> end\nlate -> end_late",
        t=sub("start_each -> work -> end_each", form="loop", multi=each(), work=task()),
        late=boundary("t", after("PT1S"), interrupts=False),
    )
    run = machine(graph, items=[1, 2])

    run.advance(1000)
    assert run.times("late") == 1
    run.complete("work")
    run.complete("work")
    assert run.status == "completed"
    assert run.times("end") == 1


@pytest.mark.parametrize("sequential", [False, True])
def test_a_terminate_end_ends_its_own_run_alone(machine: Start, sequential: bool) -> None:
    graph = process(
        "start -> t -> end",
        t=sub(
            """
            start_each -> split -> work -> end_each
            split -> decide -[.x == 2]-> end_all
            decide -[.x != 2]-> rest
            """,
            multi=each(sequential=sequential, counts=True, output=jq(".x"), output_to="found"),
            split=fork(),
            work=task(),
            decide=choice(),
            end_all=end("terminate"),
            rest=passes(),
        ),
    )
    run = machine(graph, items=[1, 2, 3])

    while run.status == "running":
        run.complete("work")
    assert run.output["found"] == [1, None, 3]
    assert run.times("end") == 1


def test_terminated_runs_are_counted(machine: Start) -> None:
    graph = process(
        "start -> t -> end",
        t=sub(
            "start_each -> stop",
            multi=each(
                sequential=True,
                counts=True,
                output=jq(".numberOfTerminatedInstances"),
                output_to="found",
                condition=true_if(".x != 9"),
            ),
            stop=end("terminate"),
        ),
    )
    run = machine(graph, items=[1, 2])

    assert run.output["found"] == [None, None]
    ended = [event for event in run.history if isinstance(event, e.ItemEnded)]
    assert [event.is_terminated for event in ended] == [True, True]


def test_an_interrupting_event_sub_process_of_a_run_ends_that_run_with_its_own_result(
    machine: Start,
) -> None:
    graph = process(
        "start -> t -> end",
        t=sub(
            "start_each -> work -> end_each",
            multi=each(output=jq(".state"), output_to="found"),
            variables={"state": "done"},
            work=task(),
            on_error=event_sub(error("oops"), "start_h -> set -> end_h", set=sets(state='"bad"')),
        ),
    )
    run = machine(graph, items=[1, 2])

    run.fail("work", "oops")
    assert run.status == "running"
    run.complete("work")
    assert run.output["found"] == ["bad", "done"]
