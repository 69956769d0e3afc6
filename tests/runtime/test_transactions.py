"""Transactions that are cancelled. Source: BPMN 2.0.2 10.3.5, 13.5.6."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from diglot.compiler import graph as g
from support.graphs import (
    after,
    boundary,
    cancel,
    choice,
    compensate,
    end,
    error,
    event_sub,
    fork,
    inclusive,
    join,
    jq,
    passes,
    process,
    raises,
    sets,
    sub,
    task,
    undoes,
)
from support.machine import Machine

Start = Callable[..., Machine]

CANCEL = g.CancelTrigger()


@pytest.fixture(params=[False, True], ids=["warm", "cold"])
def machine(request: pytest.FixtureRequest) -> Start:
    """Starts a process; when cold, every move is made by a new engine on the same database."""

    def start(graph: g.Graph, **input: Any) -> Machine:
        return Machine(graph, input, restarts=request.param)

    return start


def transaction(flows: str, **parts: Any) -> Any:
    """A sub-process that can be cancelled."""
    return sub(flows, form="transaction", **parts)


def test_a_cancel_stops_what_runs_undoes_what_is_done_and_leaves_by_its_event(
    machine: Start,
) -> None:
    graph = process(
        "start -> t -> end\ncancelled -> end_cancelled",
        t=transaction(
            """
            start_t -> split -> a -> b -> give_up
            split -> c -> end_t
            """,
            split=fork(),
            give_up=cancel(),
            undo_a=undoes("a"),
            undo_b=undoes("b"),
            undo_c=undoes("c"),
        ),
        cancelled=boundary("t", CANCEL),
    )
    run = machine(graph)

    run.complete("a")
    run.complete("b")
    assert run.waiting == ["give_up", "undo_b"]
    run.complete("undo_b")
    assert run.waiting == ["give_up", "undo_a"]
    run.complete("undo_a")
    assert run.status == "completed"
    assert run.trace[-2:] == ["cancelled", "end_cancelled"]
    assert "end" not in run.trace


def test_a_cancel_with_nothing_to_undo_leaves_at_once(machine: Start) -> None:
    graph = process(
        "start -> t -> end\ncancelled -> end_cancelled",
        t=transaction("start_t -> a -> give_up", a=passes(), give_up=cancel()),
        cancelled=boundary("t", CANCEL),
    )
    run = machine(graph)

    assert run.trace == ["start", "t", "start_t", "a", "give_up", "cancelled", "end_cancelled"]


def test_a_cancel_from_a_scope_inside_stops_that_scope_as_well(machine: Start) -> None:
    graph = process(
        "start -> t -> end\ncancelled -> end_cancelled",
        t=transaction(
            "start_t -> a -> fails",
            a=passes(),
            fails=raises("oops"),
            undo_a=undoes("a"),
            on_error=event_sub(
                error("oops"),
                "start_h -> split -> give_up\nsplit -> h -> end_h",
                split=fork(),
                h=task(),
                give_up=cancel(),
            ),
        ),
        cancelled=boundary("t", CANCEL),
    )
    run = machine(graph)

    assert run.waiting == ["give_up", "undo_a"]
    run.complete("undo_a")
    assert run.status == "completed"
    assert run.times("end_cancelled") == 1


def test_a_sub_process_inside_may_cancel_the_transaction(machine: Start) -> None:
    graph = process(
        "start -> t -> end\ncancelled -> end_cancelled",
        t=transaction(
            "start_t -> a -> s -> end_t",
            a=passes(),
            undo_a=undoes("a"),
            s=sub("start_s -> b -> give_up", b=passes(), give_up=cancel(), undo_b=undoes("b")),
        ),
        cancelled=boundary("t", CANCEL),
    )
    run = machine(graph)

    # What is done in it is undone, though the sub-process itself is not completed.
    run.complete("undo_b")
    run.complete("undo_a")
    assert run.status == "completed"
    assert run.trace[-2:] == ["cancelled", "end_cancelled"]
    assert run.state.kept == {}


def test_a_cancel_undoes_what_is_done_in_sub_processes_that_still_run(machine: Start) -> None:
    graph = process(
        "start -> t -> end\ncancelled -> end_cancelled",
        variables={"undone": []},
        t=transaction(
            """
            start_t -> split -> outer -> end_t
            split -> go -> give_up
            """,
            split=fork(),
            give_up=cancel(),
            outer=sub(
                "start_o -> a -> inner -> end_o",
                variables={"mine": 1},
                a=sets(mine="2"),
                undo_a=undoes("a", sets(undone='.undone + ["a", .mine]')),
                inner=sub(
                    "start_i -> b -> c -> end_i",
                    variables={"mine": 3},
                    b=passes(),
                    undo_b=undoes("b", sets(undone='.undone + ["b", .mine]')),
                    undo_c=undoes("c"),
                ),
            ),
        ),
        cancelled=boundary("t", CANCEL),
    )
    run = machine(graph)

    run.complete("go")
    assert run.status == "completed"
    assert run.output["undone"] == ["b", 3, "a", 2]
    assert run.times("undo_c") == 0


def test_no_handler_of_what_a_cancel_stops_undoes_it(machine: Start) -> None:
    graph = process(
        "start -> t -> end\ncancelled -> end_cancelled",
        t=transaction(
            """
            start_t -> split -> s -> end_t
            split -> go -> give_up
            """,
            split=fork(),
            give_up=cancel(),
            undo_s=undoes("s", passes()),
            s=sub(
                "start_s -> a -> b -> end_s",
                a=passes(),
                undo_a=undoes("a", passes()),
                on_undo=event_sub(g.CompensationTrigger(), "start_u -> undo_inside -> end_u"),
            ),
        ),
        cancelled=boundary("t", CANCEL),
    )
    run = machine(graph)

    run.complete("go")
    assert run.status == "completed"
    assert [node for node in run.trace if node.startswith("undo")] == ["undo_a"]


def test_a_cancel_undoes_what_is_done_in_event_sub_processes_that_still_run(
    machine: Start,
) -> None:
    graph = process(
        "start -> t -> end\ncancelled -> end_cancelled",
        t=transaction(
            "start_t -> go -> give_up",
            give_up=cancel(),
            beside=event_sub(
                after("PT1S"),
                "start_b -> a -> b -> end_b",
                interrupts=False,
                a=passes(),
                undo_a=undoes("a", passes()),
            ),
        ),
        cancelled=boundary("t", CANCEL),
    )
    run = machine(graph)

    run.advance(1000)
    run.complete("go")
    assert run.status == "completed"
    assert run.times("undo_a") == 1


def test_a_cancel_undoes_the_runs_of_an_activity_that_are_done_and_those_that_are_not(
    machine: Start,
) -> None:
    graph = process(
        "start -> t -> end\ncancelled -> end_cancelled",
        variables={"undone": []},
        t=transaction(
            """
            start_t -> split -> s -> end_t
            split -> go -> give_up
            """,
            split=fork(),
            give_up=cancel(),
            undo_s=undoes("s"),
            s=sub(
                "start_s -> a -> b -> end_s",
                multi=g.MultiInstance(collection=jq(".items"), item="x", is_sequential=False),
                a=passes(),
                undo_a=undoes("a", sets(undone=".undone + [.x]")),
            ),
        ),
        cancelled=boundary("t", CANCEL),
    )
    run = machine(graph, items=[1, 2, 3])

    run.complete_at(1, "b")
    run.complete("go")
    assert run.status == "completed"
    # The second is done; the others go by what was done last in them.
    assert run.output["undone"] == [2, 3, 1]


def test_what_is_stopped_is_undone_by_when_the_last_of_it_was_done(machine: Start) -> None:
    graph = process(
        "start -> t -> end\ncancelled -> end_cancelled",
        t=transaction(
            """
            start_t -> split -> s -> end_t
            split -> d -> go -> give_up
            """,
            split=fork(),
            give_up=cancel(),
            undo_d=undoes("d", passes()),
            s=sub(
                "start_s -> fork_s -> a -> join_s -> end_s\nfork_s -> b -> join_s",
                fork_s=fork(),
                join_s=join(),
                undo_a=undoes("a", passes()),
                undo_b=undoes("b", passes()),
            ),
        ),
        cancelled=boundary("t", CANCEL),
    )
    run = machine(graph)

    run.complete("a")
    run.complete("d")
    run.complete("go")
    assert [node for node in run.trace if node.startswith("undo")] == ["undo_d", "undo_a"]


def test_what_undoes_something_is_not_undone_by_a_cancel(machine: Start) -> None:
    graph = process(
        "start -> t -> end\ncancelled -> end_cancelled",
        t=transaction(
            """
            start_t -> a -> split -> throw -> end_t
            split -> go -> give_up
            """,
            a=passes(),
            split=fork(),
            throw=compensate("a"),
            give_up=cancel(),
            undo_a=undoes(
                "a",
                sub("start_u -> b -> c -> end_u", b=passes(), undo_b=undoes("b", passes())),
            ),
        ),
        cancelled=boundary("t", CANCEL),
    )
    run = machine(graph)

    assert run.waiting == ["c", "go", "throw"]
    run.complete("go")
    assert run.status == "completed"
    assert "undo_b" not in run.trace


def test_a_cancel_from_inside_takes_the_tokens_that_a_merge_waits_with(machine: Start) -> None:
    graph = process(
        "start -> t -> end\ncancelled -> end_cancelled",
        t=transaction(
            """
            start_t -> split -> a -> merge -> end_t
            split -> s -> merge
            """,
            split=fork(),
            merge=inclusive(),
            undo_a=undoes("a"),
            s=sub("start_s -> b -> give_up", give_up=cancel()),
        ),
        cancelled=boundary("t", CANCEL),
    )
    run = machine(graph)

    run.complete("a")
    assert run.standing == ["a->merge"]
    run.complete("b")
    assert run.standing == []
    run.complete("undo_a")
    assert run.status == "completed"
    assert "merge" not in run.trace


def test_the_nearest_transaction_is_cancelled(machine: Start) -> None:
    graph = process(
        "start -> outer -> end",
        outer=transaction(
            "start_o -> a -> inner -> end_o\ncancelled -> b -> end_c",
            a=passes(),
            undo_a=undoes("a"),
            inner=transaction("start_i -> give_up", give_up=cancel()),
            cancelled=boundary("inner", CANCEL),
        ),
    )
    run = machine(graph)

    assert run.waiting == ["b"]
    run.complete("b")
    assert run.status == "completed"
    assert "undo_a" not in run.trace


def test_an_error_leaves_a_transaction_without_undoing_anything(machine: Start) -> None:
    graph = process(
        "start -> t -> end\nhazard -> end_hazard",
        t=transaction("start_t -> a -> fails", a=passes(), fails=raises("oops"),
                      undo_a=undoes("a")),
        hazard=boundary("t", error()),
        cancelled=boundary("t", CANCEL),
    )  # fmt: skip
    run = machine(graph)

    assert run.trace[-2:] == ["hazard", "end_hazard"]
    assert run.status == "completed"
    assert run.state.kept == {}


def test_a_terminate_end_leaves_a_transaction_on_its_ordinary_flow(machine: Start) -> None:
    graph = process(
        "start -> t -> end",
        t=transaction("start_t -> a -> stop", a=passes(), stop=end("terminate"),
                      undo_a=undoes("a")),
        cancelled=boundary("t", CANCEL),
    )  # fmt: skip
    run = machine(graph)

    assert run.trace == ["start", "t", "start_t", "a", "stop", "end"]


def test_an_error_while_undoing_is_a_hazard(machine: Start) -> None:
    graph = process(
        "start -> t -> end\nhazard -> end_hazard\ncancelled -> end_cancelled",
        t=transaction("start_t -> a -> give_up", a=passes(), give_up=cancel(),
                      undo_a=undoes("a")),
        hazard=boundary("t", error("oops")),
        cancelled=boundary("t", CANCEL),
    )  # fmt: skip
    run = machine(graph)

    run.fail("undo_a", "oops")
    assert run.status == "completed"
    assert run.trace[-2:] == ["hazard", "end_hazard"]


def test_a_cancel_that_nothing_takes_is_an_error(machine: Start) -> None:
    graph = process(
        "start -> t -> end",
        t=transaction("start_t -> a -> give_up", a=passes(), give_up=cancel(),
                      undo_a=undoes("a")),
    )  # fmt: skip
    run = machine(graph)

    run.complete("undo_a")
    assert run.status == "faulted"
    assert "cancelled" in run.output["detail"]
    assert run.output["instance"] == "t"


def test_a_cancel_without_a_transaction_is_an_error(machine: Start) -> None:
    run = machine(process("start -> give_up", give_up=cancel()))

    assert run.status == "faulted"
    assert "no transaction" in run.output["detail"]


def test_a_completed_transaction_can_be_undone(machine: Start) -> None:
    graph = process(
        "start -> t -> throw -> end",
        t=transaction("start_t -> a -> end_t", a=passes(), undo_a=undoes("a")),
        throw=compensate("t"),
        cancelled=boundary("t", CANCEL),
    )
    run = machine(graph)

    run.complete("undo_a")
    assert run.status == "completed"
    assert "cancelled" not in run.trace


def test_event_sub_processes_do_not_start_while_a_transaction_is_undone(machine: Start) -> None:
    graph = process(
        "start -> t -> end\ncancelled -> end_cancelled",
        t=transaction(
            "start_t -> a -> give_up",
            a=passes(),
            give_up=cancel(),
            undo_a=undoes("a"),
            late=event_sub(after("PT1S"), "start_l -> never -> end_l"),
        ),
        cancelled=boundary("t", CANCEL),
    )
    run = machine(graph)

    run.advance(2000)
    assert run.waiting == ["give_up", "undo_a"]


def test_a_boundary_event_may_stop_a_transaction_that_is_being_undone(machine: Start) -> None:
    graph = process(
        "start -> t -> end\nlate -> end_late",
        t=transaction("start_t -> a -> give_up", a=passes(), give_up=cancel(),
                      undo_a=undoes("a")),
        cancelled=boundary("t", CANCEL),
        late=boundary("t", after("PT1S")),
    )  # fmt: skip
    run = machine(graph)

    run.advance(1000)
    assert run.status == "completed"
    assert run.trace[-2:] == ["late", "end_late"]


def test_one_run_that_cancels_cancels_the_whole_activity(machine: Start) -> None:
    graph = process(
        "start -> t -> end\ncancelled -> end_cancelled",
        variables={"undone": []},
        t=transaction(
            "start_t -> a -> b -> decide -[.x == 2]-> give_up\ndecide -[.x != 2]-> end_t",
            multi=g.MultiInstance(collection=jq(".items"), item="x", is_sequential=False),
            a=passes(),
            b=task(),
            decide=choice(),
            give_up=cancel(),
            undo_a=undoes("a", sets(undone=".undone + [.x]")),
        ),
        cancelled=boundary("t", CANCEL),
    )
    run = machine(graph, items=[1, 2, 3])

    run.complete_at(0, "b")
    assert run.status == "running"
    run.complete_at(0, "b")
    assert run.status == "completed"
    assert sorted(run.output["undone"]) == [1, 2, 3]
    assert run.times("cancelled") == 1
