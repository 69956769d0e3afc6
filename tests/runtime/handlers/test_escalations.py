"""Escalations: whoever raises one goes on, unless a handler interrupts it.

Source: BPMN 2.0.2 10.5.1, 10.5.5.
"""

from __future__ import annotations

from collections.abc import Callable

import pytest

from diglot.compiler.graph import DataRules, Expression
from diglot.runtime import events as e
from support.graphs import (
    boundary,
    calls,
    error,
    escalates,
    escalation,
    event_sub,
    process,
    raises,
    sub,
)
from support.machine import Machine

Start = Callable[..., Machine]

INNER = "start_in -> tell -> more -> end_in"
FLOWS = "start -> part -> end\ntold -> look -> end_told"


def told(run: Machine) -> list[bool]:
    """Of each escalation raised, whether somebody took it."""
    return [event.is_taken for event in run.history if isinstance(event, e.EscalationRaised)]


def test_an_escalation_that_nobody_takes_changes_nothing(start: Start) -> None:
    inner = sub(INNER, tell=escalates("X"))
    run = start(process(FLOWS, part=inner, told=boundary("part", escalation("Y"))))
    assert run.waiting == ["more"]

    run.complete("more")

    assert run.status == "completed"
    assert told(run) == [False]
    assert run.times("told") == 0


def test_with_a_non_interrupting_boundary_both_go_on(start: Start) -> None:
    inner = sub(INNER, tell=escalates("X"))
    catch = boundary("part", escalation("X"), interrupts=False)
    run = start(process(FLOWS, part=inner, told=catch))

    assert run.waiting == ["look", "more"]
    assert told(run) == [True]
    run.complete("more")
    run.complete("look")
    assert run.status == "completed"


def test_an_interrupting_boundary_cancels_the_token_that_raised_it(start: Start) -> None:
    inner = sub(INNER, tell=escalates("X"))
    run = start(process(FLOWS, part=inner, told=boundary("part", escalation("X"))))

    assert run.waiting == ["look"]
    assert run.times("more") == 0
    run.complete("look")
    assert run.status == "completed"


def test_the_exact_code_goes_before_every_code(start: Start) -> None:
    inner = sub(INNER, tell=escalates("X"))
    flows = "start -> part -> end\nany -> end_any\nexact -> end_exact"
    run = start(
        process(flows, part=inner,
            any=boundary("part", escalation()),
            exact=boundary("part", escalation("X")),
        )
    )  # fmt: skip

    assert run.trace[-2:] == ["exact", "end_exact"]


@pytest.mark.parametrize("interrupts", [True, False])
def test_an_event_sub_process_takes_it_before_the_boundary(start: Start, interrupts: bool) -> None:
    inner = sub(
        INNER,
        tell=escalates("X"),
        handle=event_sub(escalation(), "start_h -> undo -> end_h", interrupts=interrupts),
    )
    run = start(process(FLOWS, part=inner, told=boundary("part", escalation("X"))))

    assert run.waiting == (["undo"] if interrupts else ["more", "undo"])
    assert run.times("told") == 0


@pytest.mark.parametrize("interrupts", [True, False])
def test_one_raised_in_a_handler_is_not_for_its_siblings(start: Start, interrupts: bool) -> None:
    inner = sub(
        "start_in -> work -> end_in",
        first=event_sub(
            error() if interrupts else escalation("Z"),
            "start_f -> again -> end_f",
            interrupts=interrupts,
            again=escalates("X"),
        ),
        second=event_sub(escalation("X"), "start_s -> end_s", interrupts=False),
        named={} if interrupts else {"start_in": escalates("Z")},
    )
    catch = boundary("part", escalation("X"), interrupts=False)
    run = start(process(FLOWS, part=inner, told=catch))
    if interrupts:
        run.fail("work", "E1")

    assert run.times("start_s") == 0
    assert run.times("told") == 1


def test_it_passes_scopes_until_one_takes_it(start: Start) -> None:
    innermost = sub("start_c -> tell -> end_c", tell=escalates("X"))
    middle = sub(
        "start_b -> c -> end_b", c=innermost,
        other=event_sub(escalation("Y"), "start_y -> end_y", interrupts=False),
    )  # fmt: skip
    run = start(
        process(
            "start -> b -> end",
            b=middle,
            handle=event_sub(escalation("X"), "start_x -> end_x", interrupts=False),
        )
    )

    assert run.status == "completed"
    assert (run.times("start_x"), run.times("start_y")) == (1, 0)


def test_the_payload_comes_with_it(start: Start) -> None:
    inner = sub(INNER, tell=escalates("X", "{amount: .n}"))
    rules = DataRules(export=Expression(text="."), export_mode="variables")
    catch = boundary("part", escalation(), interrupts=False, data=rules)
    run = start(process(FLOWS, part=inner, told=catch), n=5)

    run.complete("more")
    run.complete("look")

    assert run.output["amount"] == 5


def test_it_stands_in_the_handlers_own_variable(start: Start) -> None:
    handle = event_sub(escalation(), "start_h -> undo -> end_h")
    run = start(process("start -> tell -> end", tell=escalates("X", ".n"), handle=handle), n=5)

    (job,) = run.state.jobs.values()

    assert job.arguments["escalation"] == {"code": "X", "payload": 5}


def test_an_end_that_escalates_ends_its_token_only(start: Start) -> None:
    run = start(
        process(
            "start -> split\nsplit -> work -> end\nsplit -> tell",
            split=escalates("ignored"),
            tell=escalates("X"),
            handle=event_sub(escalation("X"), "start_h -> end_h", interrupts=False),
        )
    )
    assert run.waiting == ["work"]

    run.complete("work")

    assert run.status == "completed"
    assert run.times("end_h") == 1


def test_a_payload_that_cannot_be_computed_is_an_error(start: Start) -> None:
    inner = sub(INNER, tell=escalates("X", ".n + {}"))
    flows = "start -> part -> end\nbad -> end_bad"
    run = start(process(flows, part=inner, bad=boundary("part", error())), n=5)

    assert run.trace[-2:] == ["bad", "end_bad"]
    assert told(run) == []


def test_an_escalation_does_not_take_errors_nor_an_error_escalations(start: Start) -> None:
    inner = sub("start_in -> tell -> stop", tell=escalates("X"), stop=raises("X"))
    flows = "start -> part -> end\nbad -> end_bad\ntold -> end_told"
    run = start(
        process(flows, part=inner,
            bad=boundary("part", error("X")),
            told=boundary("part", escalation("X"), interrupts=False),
        )
    )  # fmt: skip

    assert (run.times("told"), run.times("bad")) == (1, 1)
    assert run.status == "completed"


@pytest.mark.parametrize("interrupts", [True, False])
def test_one_that_nobody_in_a_child_instance_takes_is_for_its_parent(
    start: Start, interrupts: bool
) -> None:
    child = process("start -> tell -> more -> end", name="child", tell=escalates("X"))
    flows = "start -> work -> call -> end\ntold -> look -> end_told"
    catch = boundary("call", escalation("X"), interrupts=interrupts)
    run = start(process(flows, call=calls("child"), told=catch))
    run.engine.deploy(child)

    run.complete("work")

    assert run.waiting == (["look"] if interrupts else ["call", "look"])
    (instance,) = [row for row in run.store.instances() if row.id != run.id]
    assert instance.status == ("cancelled" if interrupts else "running")
