"""Conditions: they count when they become true, not as long as they are.

Source: BPMN 2.0.2 10.4.2, 10.5.5, Table 10.84, 13.3.2, 13.5.2.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from diglot.compiler.graph import DataRules, Pass, Record
from diglot.runtime import events as e
from diglot.runtime.engine import Settings
from diglot.runtime.scheduler import settle
from support.graphs import (
    RESULTS,
    after,
    boundary,
    error,
    event_sub,
    fork,
    jq,
    node,
    process,
    sets,
    sub,
    task,
    true_if,
    turns,
    when,
)
from support.machine import Machine
from support.runs import Run

Start = Callable[..., Machine]
SECOND = 1000

#: Two tasks whose results are variables, beside what waits.
STEPS = "start -> split\nsplit -> one -> two -> three -> end"


def beside(flows: str, **parts: Any) -> Any:
    return process(f"{STEPS}\n{flows}", {"x": 0}, split=fork(), **parts)


# -- a condition in the flow


def test_a_condition_that_is_true_already_is_not_waited_for(start: Start) -> None:
    run = start(process("start -> until -> end", until=when(".x > 1")), x=2)
    assert run.status == "completed"


def test_a_condition_is_waited_for_until_a_variable_makes_it_true(start: Start) -> None:
    run = start(beside("split -> until -> end_until", until=when(".x > 1")))
    run.complete("one", x=1)
    assert run.waiting == ["two", "until"]

    run.complete("two", x=2)

    assert run.times("end_until") == 1
    assert run.waiting == ["three"]


def test_a_condition_counts_even_if_its_variable_is_in_an_enclosing_scope(start: Start) -> None:
    inner = sub("start_in -> until -> end_in", {"own": 1}, until=when(".x == .own"))
    run = start(beside("split -> part -> end_until", part=inner))

    run.complete("one", x=1)

    assert run.times("end_until") == 1


def test_what_hides_a_variable_hides_its_changes(start: Start) -> None:
    inner = sub("start_in -> until -> end_in", {"x": 5}, until=when(".x == 1"))
    run = start(beside("split -> part -> end_until", part=inner))

    run.complete("one", x=1)

    assert run.waiting == ["two", "until"]


def test_what_is_not_known_yet_is_not_true(start: Start) -> None:
    run = start(beside("split -> until -> end_until", until=when(".ready")))
    assert run.waiting == ["one", "until"]

    run.complete("one", ready=True)

    assert run.times("end_until") == 1


def test_a_condition_that_gives_something_else_is_an_error(start: Start) -> None:
    run = start(beside("split -> until -> end_until", until=when(".x")))

    assert run.status == "faulted"
    assert run.output["instance"] == "until"


def test_a_condition_that_becomes_an_error_is_one_where_it_is_waited_for(start: Start) -> None:
    inner = sub("start_in -> until -> end_in", until=when(".x + 1 == 5"))
    flows = "split -> part -> end_until\nbad -> end_bad"
    run = start(beside(flows, part=inner, bad=boundary("part", error())))

    run.complete("one", x=[])

    assert run.times("end_bad") == 1
    assert run.waiting == ["two"]


# -- boundary events


@pytest.mark.parametrize("interrupts", [True, False])
def test_a_condition_that_is_true_when_it_is_armed_triggers_at_once(
    start: Start, interrupts: bool
) -> None:
    catch = boundary("work", turns(".x == 0"), interrupts=interrupts)
    run = start(process("start -> work -> end\ntrue -> look -> end_true", {"x": 0}, true=catch))

    assert run.waiting == (["look"] if interrupts else ["look", "work"])


def test_a_non_interrupting_one_triggers_again_only_after_it_was_false(start: Start) -> None:
    catch = boundary("work", turns(".x == 1"), interrupts=False)
    run = start(beside("split -> work -> end_work\ntrue -> end_true", true=catch))
    seen: list[int] = []
    for task_id, x in (("one", 1), ("two", 1), ("three", 1)):
        run.complete(task_id, x=x)
        seen.append(run.times("true"))
    assert seen == [1, 1, 1]

    run = start(beside("split -> work -> end_work\ntrue -> end_true", true=catch))
    for task_id, x in (("one", 1), ("two", 0), ("three", 1)):
        run.complete(task_id, x=x)
        seen.append(run.times("true"))
    assert seen[3:] == [1, 1, 2]


def test_a_condition_that_is_no_better_than_before_leaves_no_trace(start: Start) -> None:
    catch = boundary("work", turns(".x == 1"), interrupts=False)
    run = start(beside("split -> work -> end_work\ntrue -> end_true", true=catch))
    before = len([event for event in run.history if isinstance(event, e.TruthSeen)])

    run.complete("one", x=5)

    assert len([event for event in run.history if isinstance(event, e.TruthSeen)]) == before == 1


def test_an_interrupting_one_cancels_the_task(start: Start) -> None:
    catch = boundary("work", turns(".x == 1"))
    run = start(beside("split -> work -> end_work\ntrue -> end_true", true=catch))

    run.complete("one", x=1)

    assert run.waiting == ["two"]
    assert not run.state.watching


def test_conditions_are_looked_at_once_the_step_has_come_to_rest(start: Start) -> None:
    catch = boundary("work", turns(".x == 1"), interrupts=False)
    flows = """
    start -> split -> one -> up -> down -> end
    split -> work -> end_work
    true -> end_true
    """
    run = start(
        process(flows, {"x": 0}, split=fork(), up=sets(x="1"), down=sets(x="2"), true=catch)
    )

    run.complete("one")

    assert run.times("true") == 0


# -- event sub-processes


@pytest.mark.parametrize("interrupts", [True, False])
def test_a_scope_is_interrupted_or_accompanied_when_its_condition_becomes_true(
    start: Start, interrupts: bool
) -> None:
    handle = event_sub(turns(".x == 1"), "start_h -> look -> end_h", interrupts=interrupts)
    run = start(beside("", handle=handle))

    run.complete("one", x=1)

    assert run.waiting == (["look"] if interrupts else ["look", "two"])


def test_a_scope_is_interrupted_before_its_first_token_moves(start: Start) -> None:
    handle = event_sub(turns(".x == 0"), "start_h -> look -> end_h")
    run = start(beside("", handle=handle))

    assert run.trace == ["start_h", "look"]


def test_variables_of_the_scope_itself_count(start: Start) -> None:
    inner = sub(
        "start_in -> work -> more -> end_in", {"y": 0},
        handle=event_sub(turns(".y == 1"), "start_h -> look -> end_h", interrupts=False),
    )  # fmt: skip
    run = start(process("start -> part -> end", part=inner))

    run.complete("work", y=1)

    assert run.waiting == ["look", "more"]


@pytest.mark.parametrize("interrupts", [True, False])
def test_a_scope_does_not_end_before_its_condition_has_seen_its_last_change(
    start: Start, interrupts: bool
) -> None:
    flows = "start_h -> look -> end_h"
    on_change = event_sub(turns(".x == 1"), flows, interrupts=interrupts)
    run = start(process("start -> work -> end", {"x": 0}, on_change=on_change))

    run.complete("work", x=1)
    assert run.waiting == ["look"]
    assert run.status == "running"

    run.complete("look")
    assert run.status == "completed"
    assert run.times("look") == 1


@pytest.mark.parametrize("interrupts", [True, False])
def test_a_sub_process_does_not_end_before_its_boundary_event_has_seen_its_last_change(
    start: Start, interrupts: bool
) -> None:
    # The activity inside has no way on, and the sub-process around it ends with it.
    part = sub("start_p -> deep", deep=sub("start_d -> work"))
    seen = boundary("part", turns(".x == 1"), interrupts=interrupts)
    graph = process(
        "start -> part -> end\nseen -> look -> end_seen", {"x": 0}, part=part, seen=seen
    )
    run = start(graph)

    run.complete("work", x=1)

    assert run.waiting == ["look"]
    assert run.times("end") == (0 if interrupts else 1)


def test_an_activity_that_is_done_does_not_trigger_its_own_boundary_event(start: Start) -> None:
    seen = boundary("work", turns(".x == 1"))
    run = start(process("start -> work -> end\nseen -> look -> end_seen", {"x": 0}, seen=seen))

    run.complete("work", x=1)

    assert run.status == "completed"
    assert run.times("end_seen") == 0


def test_a_scope_in_which_only_handlers_run_sees_no_further_change(start: Start) -> None:
    graph = process(
        "start -> work -> end",
        {"x": 0},
        beside=event_sub(after("PT1S"), "start_b -> note -> end_b", interrupts=False),
        on_change=event_sub(turns(".x == 1"), "start_h -> look -> end_h", interrupts=False),
    )
    run = start(graph)

    run.advance(SECOND)
    run.complete("work")
    assert run.waiting == ["note"]
    run.complete("note", x=1)

    assert run.status == "completed"
    assert run.times("look") == 0


def test_a_change_that_ended_a_scope_while_the_instance_stood_still_counts(start: Start) -> None:
    on_change = event_sub(turns(".x == 1"), "start_h -> look -> end_h", interrupts=False)
    run = start(process("start -> work -> end", {"x": 0}, on_change=on_change))

    run.suspend()
    run.complete("work", x=1)
    run.resume()

    assert run.waiting == ["look"]
    run.complete("look")
    assert run.status == "completed"


def test_conditions_that_change_each_other_without_end_fault_the_instance() -> None:
    graph = process(
        "start -> work -> end", {"x": 0},
        even=event_sub(
            turns(".x % 2 == 0"), "start_e -> up_e -> end_e",
            interrupts=False, up_e=sets(x=".x + 1"),
        ),
        odd=event_sub(
            turns(".x % 2 == 1"), "start_o -> up_o -> end_o",
            interrupts=False, up_o=sets(x=".x + 1"),
        ),
    )  # fmt: skip
    run = Run(settings=Settings(loop_budget=50))
    instance = run.engine.start(run.engine.deploy(graph), {})
    settle(run.engine)

    error = run.row(instance).error
    assert error is not None
    assert error["detail"] == "conditions keep changing each other: 51 times in one step"
    assert run.engine.verify(instance) > 0


def test_what_changed_while_the_instance_stood_still_counts_when_it_goes_on(start: Start) -> None:
    run = start(beside("split -> until -> end_until", until=when(".x == 1")))
    run.engine.suspend(run.id)
    run.complete("one", x=1)
    assert run.times("end_until") == 0

    run.engine.resume(run.id)

    assert run.times("end_until") == 1


# -- activities that wait for their data


def held(**members: Any) -> Any:
    return task(
        data=DataRules(
            needs=true_if(".order != null"),
            read=Record((("got", jq(".order")),)),
            export=RESULTS.export,
            export_mode="variables",
        ),
        **members,
    )


def test_an_activity_begins_when_the_data_it_needs_is_there(start: Start) -> None:
    run = start(beside("split -> need -> end_need", need=held()))
    assert run.waiting == ["need", "one"]
    assert len(run.state.jobs) == 1
    (visit,) = [visit for visit in run.state.visits.values() if visit.node == "need"]
    assert visit.is_held

    run.complete("one", order=5)

    (job,) = [job for job in run.state.jobs.values() if job.node == "need"]
    assert job.arguments["got"] == 5
    assert not run.state.visits[visit.id].is_held


def test_an_activity_whose_data_is_there_begins_at_once(start: Start) -> None:
    run = start(process("start -> need -> end", need=held()), order=1)
    assert [job.node for job in run.state.jobs.values()] == ["need"]
    assert not any(isinstance(event, e.VisitReady) for event in run.history)


def test_what_is_done_at_once_is_held_too(start: Start) -> None:
    needs = DataRules(needs=true_if(".order != null"))
    run = start(beside("split -> need -> end_need", need=node(Pass, data=needs)))
    assert run.waiting == ["need", "one"]

    run.complete("one", order=1)

    assert run.times("end_need") == 1


def test_what_guards_it_is_armed_only_when_it_begins(start: Start) -> None:
    late = boundary("need", after("PT5S"))
    run = start(beside("split -> need -> end_need\nlate -> end_late", need=held(), late=late))
    run.advance(10 * SECOND)
    assert run.waiting == ["need", "one"]

    run.complete("one", order=1)
    run.advance(4 * SECOND)
    assert run.waiting == ["need", "two"]
    run.advance(SECOND)

    assert run.times("end_late") == 1


def test_a_held_activity_is_cancelled_with_its_scope(start: Start) -> None:
    inner = sub("start_in -> need -> end_in", need=held())
    flows = "split -> part -> end_in2\nlate -> end_late"
    run = start(beside(flows, part=inner, late=boundary("part", after("PT5S"))))

    run.advance(5 * SECOND)

    assert run.waiting == ["one"]
    assert not run.state.watching
    run.complete("one", order=1)
    assert run.times("need") == 1


def test_a_sub_process_that_waits_for_its_data_enters_its_scope_afterwards(start: Start) -> None:
    inner = sub("start_in -> work -> end_in", data=DataRules(needs=true_if(".order != null")))
    run = start(beside("split -> part -> end_in2", part=inner))
    assert len(run.state.scopes) == 1

    run.complete("one", order=1)

    assert run.waiting == ["two", "work"]
