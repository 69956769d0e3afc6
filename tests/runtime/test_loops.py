"""Activities that run again while a condition is true. Source: BPMN 2.0.2 13.3.6, Table 10.28."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from diglot.compiler import graph as g
from support.graphs import after, boundary, end, error, jq, process, sets, sub, task, true_if
from support.machine import Machine

Start = Callable[..., Machine]


@pytest.fixture(params=[False, True], ids=["warm", "cold"])
def machine(request: pytest.FixtureRequest) -> Start:
    """Starts a process; when cold, every move is made by a new engine on the same database."""

    def start(graph: g.Graph, **input: Any) -> Machine:
        return Machine(graph, input, restarts=request.param)

    return start


def loop(
    condition: str | None = ".i < 3",
    *,
    before: bool = False,
    maximum: Any = None,
    **members: Any,
) -> g.Loop:
    """While a condition on the variables is true."""
    return g.Loop(
        condition=None if condition is None else true_if(condition),
        is_tested_before=before,
        maximum=maximum if maximum is None or isinstance(maximum, g.Expression) else (
            g.Constant(maximum)
        ),
        **members,
    )  # fmt: skip


def counting(looped: g.Loop) -> g.Graph:
    """A process whose activity adds one to `i` and then waits for a job."""
    return process(
        "start -> t -> end",
        variables={"seen": []},
        t=sub(
            "start_each -> add -> work -> end_each",
            loop=looped,
            add=sets(i=".i + 1", seen=".seen + [.loopCounter]"),
        ),
    )


def rounds(run: Machine) -> int:
    """How often it runs when every job is done."""
    while run.status == "running":
        run.complete("work")
    return run.times("work")


@pytest.mark.parametrize(
    ("looped", "i", "expected"),
    [
        (loop(), 0, 3),
        (loop(), 5, 1),
        (loop(before=True), 0, 3),
        (loop(before=True), 5, 0),
        (loop(maximum=2), 0, 2),
        (loop(maximum=2, before=True), 0, 2),
        (loop(maximum=9), 0, 3),
        (loop(None, maximum=4), 0, 4),
        (loop(maximum=jq(".i + 1")), 0, 1),
    ],
)
def test_it_runs_while_the_condition_is_true_and_no_more_often_than_the_maximum(
    machine: Start, looped: g.Loop, i: int, expected: int
) -> None:
    run = machine(counting(looped), i=i)

    assert rounds(run) == expected
    assert run.output["seen"] == list(range(expected))
    assert run.times("end") == 1


@pytest.mark.parametrize("maximum", [0, -1, 1.5, True, "2", None])
def test_a_maximum_is_a_whole_number_above_zero(machine: Start, maximum: Any) -> None:
    looped = g.Loop(condition=true_if("true"), maximum=g.Constant(maximum))
    run = machine(counting(looped), i=0)

    assert run.status == "faulted"
    assert "the maximum of a loop" in run.output["detail"]
    assert run.times("add") == 0


def test_the_maximum_is_computed_once(machine: Start) -> None:
    run = machine(counting(loop("true", maximum=jq(".most"))), i=0, most=2)

    run.complete("work", most=100)
    run.complete("work")
    assert run.status == "completed"


@pytest.mark.parametrize("before", [False, True])
def test_the_condition_sees_the_number_of_the_run(machine: Start, before: bool) -> None:
    run = machine(counting(loop(".loopCounter < 2", before=before)), i=0)

    # Tested afterwards it sees the run that is over, tested before the one to come.
    assert rounds(run) == (2 if before else 3)


def test_the_number_may_begin_with_one_and_have_another_name(machine: Start) -> None:
    graph = process(
        "start -> t -> end",
        variables={"seen": []},
        t=sub(
            "start_each -> note -> end_each",
            loop=loop(".n < 2", before=False, index="n", first=1),
            note=sets(seen=".seen + [.n]"),
        ),
    )
    run = machine(graph)

    assert run.output["seen"] == [1, 2]


def test_every_run_has_variables_of_its_own(machine: Start) -> None:
    graph = process(
        "start -> t -> end",
        variables={"seen": []},
        t=sub(
            "start_each -> note -> end_each",
            loop=loop(".loopCounter < 2"),
            variables={"mine": 0},
            note=sets(seen=".seen + [.mine]", mine="7"),
        ),
    )
    run = machine(graph)

    assert run.output["seen"] == [0, 0, 0]
    assert "mine" not in run.output


def test_tested_afterwards_the_condition_sees_the_variables_of_the_run(machine: Start) -> None:
    graph = process(
        "start -> t -> end",
        t=sub(
            "start_each -> work -> end_each",
            loop=loop(".again"),
            variables={"again": None},
            work=task(),
        ),
    )
    run = machine(graph)

    run.complete("work", again=True)
    run.complete("work", again=False)
    assert run.status == "completed"
    assert run.times("work") == 2


def test_boundary_events_stay_through_all_runs(machine: Start) -> None:
    graph = process(
        "start -> t -> end\nlate -> end_late",
        t=sub("start_each -> work -> end_each", loop=loop("true"), work=task()),
        late=boundary("t", after("PT1S")),
    )
    run = machine(graph)

    run.complete("work")
    run.advance(600)
    run.complete("work")
    run.advance(400)
    assert run.status == "completed"
    assert run.times("late") == 1


def test_an_error_in_a_run_ends_the_loop(machine: Start) -> None:
    graph = process(
        "start -> t -> end",
        t=sub("start_each -> work -> end_each", loop=loop("true"), work=task()),
        caught=boundary("t", error("oops")),
    )
    run = machine(graph)

    run.complete("work")
    run.fail("work", "oops")
    assert run.status == "completed"
    assert run.times("caught") == 1


def test_a_terminate_end_ends_one_run_and_the_loop_goes_on(machine: Start) -> None:
    graph = process(
        "start -> t -> end",
        variables={"i": 0},
        t=sub(
            "start_each -> add -> end_all",
            loop=loop(),
            add=sets(i=".i + 1"),
            end_all=end("terminate"),
        ),
    )
    run = machine(graph)

    assert run.status == "completed"
    assert run.output["i"] == 3


def test_a_loop_that_never_waits_is_stopped(machine: Start) -> None:
    graph = process("start -> t -> end", t=sub("start_each -> end_each", loop=loop("true")))
    run = machine(graph)

    assert run.status == "faulted"
    assert "never waits" in run.output["detail"]


def test_a_condition_that_gives_no_truth_is_an_error_of_the_activity(machine: Start) -> None:
    run = machine(counting(loop(".seen")), i=0)

    run.complete("work")
    assert run.status == "faulted"
    assert run.output["instance"] == "t"
