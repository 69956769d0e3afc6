"""Errors: the innermost scope with a handler that takes it wins.

Source: BPMN 2.0.2 10.5.1, 10.5.6, 13.5.4.
"""

from __future__ import annotations

from collections.abc import Callable

import pytest

from diglot.compiler.graph import (
    Call,
    Constant,
    DataRules,
    ErrorTrigger,
    Expression,
    MultiInstance,
    Record,
)
from support.graphs import (
    boundary,
    error,
    event_sub,
    heard,
    jq,
    node,
    process,
    raises,
    sub,
)
from support.machine import Machine

Start = Callable[..., Machine]


def export(**values: str) -> DataRules:
    """Variables out of what came."""
    record = Record(tuple((name, Expression(text=text)) for name, text in values.items()))
    return DataRules(export=record, export_mode="variables")


def test_a_failed_job_is_an_error_with_its_code(start: Start) -> None:
    flows = "start -> work -> end\nbad -> fix -> end_bad"
    run = start(process(flows, bad=boundary("work", error("E1"))))

    run.fail("work", "E1")

    assert run.waiting == ["fix"]


def test_an_error_that_nobody_takes_faults_the_instance_with_its_code(start: Start) -> None:
    run = start(process("start -> work -> end", bad=boundary("work", error("E2"))))

    run.fail("work", "E1")

    assert run.status == "faulted"
    assert (run.output["type"], run.output["instance"]) == ("E1", "work")


def test_an_error_end_event_raises_its_error(start: Start) -> None:
    run = start(process("start -> stop", stop=raises("E1")))

    assert run.output == {"type": "E1", "status": 500, "title": "E1", "instance": "stop"}


def test_within_one_level_the_exact_code_goes_before_every_code(start: Start) -> None:
    flows = "start -> work -> end\nany -> end_any\nexact -> end_exact"
    run = start(process(flows, any=boundary("work", error()), exact=boundary("work", error("E1"))))

    run.fail("work", "E1")

    assert run.trace[-2:] == ["exact", "end_exact"]


def test_the_innermost_scope_wins_even_with_every_code_over_an_exact_one(start: Start) -> None:
    inner = sub(
        "start_in -> stop", stop=raises("E1"), all=event_sub(error(), "start_all -> end_all")
    )
    flows = "start -> part -> end\nexact -> end_exact"
    run = start(process(flows, part=inner, exact=boundary("part", error("E1"))))

    assert run.trace == ["start", "part", "start_in", "stop", "start_all", "end_all", "end"]


def test_an_event_sub_process_absorbs_the_error_and_the_scope_completes_normally(
    start: Start,
) -> None:
    inner = sub(
        "start_in -> a -> end_in\nstart_in -> b -> end_in",
        handle=event_sub(error("E1"), "start_handle -> undo -> end_handle"),
    )
    flows = "start -> part -> after -> end\nouter -> end_outer"
    run = start(process(flows, part=inner, outer=boundary("part", error("E1"))))
    run.complete("a")

    run.fail("b", "E1")
    assert run.waiting == ["undo"]

    run.complete("undo")
    assert run.waiting == ["after"]
    assert run.times("outer") == 0


def test_an_event_sub_process_that_raises_the_error_again_reaches_the_boundary(
    start: Start,
) -> None:
    inner = sub(
        "start_in -> stop",
        stop=raises("E1"),
        handle=event_sub(error("E1"), "start_handle -> undo -> again", again=raises("E1")),
    )
    flows = "start -> part -> after -> end\nouter -> end_outer"
    run = start(process(flows, part=inner, outer=boundary("part", error("E1"))))

    run.complete("undo")

    assert run.trace[-3:] == ["again", "outer", "end_outer"]
    assert run.status == "completed"
    assert run.times("start_handle") == 1


@pytest.mark.parametrize("interrupts", [True, False])
def test_an_error_inside_an_event_sub_process_is_not_for_its_siblings(
    start: Start, interrupts: bool
) -> None:
    inner = sub(
        "start_in -> work -> end_in",
        first=event_sub(
            error("E1") if interrupts else heard("go", kind="signal"),
            "start_first -> boom",
            interrupts=interrupts,
            boom=raises("E2"),
        ),
        second=event_sub(error("E2"), "start_second -> end_second"),
    )
    flows = "start -> part -> end\nouter -> end_outer"
    run = start(process(flows, part=inner, outer=boundary("part", error("E2"))))

    if interrupts:
        run.fail("work", "E1")
    else:
        run.send("go")

    assert run.times("start_second") == 0
    assert run.trace[-2:] == ["outer", "end_outer"]
    assert run.status == "completed"


def test_an_error_inside_a_handler_of_the_process_faults_the_instance(start: Start) -> None:
    run = start(
        process(
            "start -> stop",
            stop=raises("E1"),
            first=event_sub(error("E1"), "start_first -> boom", boom=raises("E2")),
            second=event_sub(error("E2"), "start_second -> end_second"),
        )
    )

    assert run.status == "faulted"
    assert run.output["type"] == "E2"


def test_a_handler_inside_the_event_sub_process_takes_what_is_raised_in_it(start: Start) -> None:
    run = start(
        process(
            "start -> stop",
            stop=raises("E1"),
            first=event_sub(
                error("E1"),
                "start_first -> boom",
                boom=raises("E2"),
                inner=event_sub(error("E2"), "start_inner -> end_inner"),
            ),
        )
    )

    assert run.status == "completed"
    assert run.trace[-2:] == ["start_inner", "end_inner"]


def test_an_error_in_one_of_many_runs_cancels_the_others(start: Start) -> None:
    each = MultiInstance(collection=jq(".items"), is_sequential=False, index="loopCounter")
    flows = "start -> part -> end\nbad -> fix -> end_bad"
    inner = sub("start_in -> work -> end_in", multi=each)
    run = start(process(flows, part=inner, bad=boundary("part", error("E1"))), items=[1, 2, 3])

    run.fail("work", "E1")

    assert run.waiting == ["fix"]
    assert len(run.state.scopes) == 1


def test_what_came_is_exported_to_the_scope_around_the_boundary(start: Start) -> None:
    bad = boundary("work", error(), data=export(code=".type", told=".title"))
    run = start(process("start -> work -> end\nbad -> end_bad", bad=bad))

    run.fail("work", "E1")

    assert run.output["code"] == "E1"
    assert run.status == "completed"


def test_what_came_is_exported_to_the_event_sub_process_that_has_the_variable(
    start: Start,
) -> None:
    local = event_sub(
        error(), "start_handle -> undo -> end_handle",
        variables={"code": None}, data=export(code=".type", last=".type"),
    )  # fmt: skip
    run = start(process("start -> work -> end", handle=local), code="before")

    run.fail("work", "E1")
    (inner,) = [scope for scope in run.state.scopes.values() if scope.handler == "handle"]
    assert inner.variables["code"] == "E1"

    run.complete("undo")
    assert run.output == {"code": "before", "last": "E1"}


def test_the_error_stands_in_the_handlers_own_variable(start: Start) -> None:
    trigger = ErrorTrigger(variable="what")
    run = start(process("start -> work -> end", handle=event_sub(trigger, "start_handle -> undo")))

    run.fail("work", "E1")

    (job,) = run.state.jobs.values()
    assert job.arguments["what"]["type"] == "E1"


def test_an_export_that_fails_is_an_error_of_the_scope_around(start: Start) -> None:
    broken = DataRules(export=Constant("text"), export_mode="variables")
    inner = sub(
        "start_in -> work -> end_in\nbad -> end_bad", bad=boundary("work", error(), data=broken)
    )
    flows = "start -> part -> end\nouter -> end_outer"
    run = start(process(flows, part=inner, outer=boundary("part", error())))

    run.fail("work", "E1")

    assert run.trace[-2:] == ["outer", "end_outer"]
    assert run.times("end_bad") == 0


def test_the_error_of_a_child_instance_goes_on_at_the_call_activity(start: Start) -> None:
    child = process("start -> stop", name="child", stop=raises("E1"))
    parent = process(
        "start -> work -> call -> end\nbad -> end_bad",
        call=node(Call, namespace="test", process="child", input=Constant({})),
        bad=boundary("call", error("E1")),
    )
    run = start(parent)
    run.engine.deploy(child)

    run.complete("work")

    assert run.trace == ["start", "work", "call", "bad", "end_bad"]
