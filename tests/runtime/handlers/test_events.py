"""Handlers that messages and signals trigger, alone or with others.

Source: BPMN 2.0.2 10.5.1, 10.5.5, 13.5.3, 13.5.4.
"""

from __future__ import annotations

from collections.abc import Callable

import pytest

from diglot.compiler.graph import (
    Attribute,
    Constant,
    Correlation,
    DataRules,
    EventFilter,
    EventKind,
    EventStrategy,
    EventTrigger,
    Expression,
    Record,
)
from diglot.runtime import commands as c
from diglot.runtime.engine import Settings
from diglot.runtime.errors import UnrunnableGraph
from diglot.runtime.plan import Plan
from support.graphs import (
    EVENT_DATA,
    after,
    all_of,
    any_of,
    boundary,
    cycle,
    error,
    escalates,
    escalation,
    event_sub,
    fork,
    heard,
    jq,
    moment,
    process,
    receive,
    sends,
    sub,
    turns,
)
from support.machine import Machine

Start = Callable[..., Machine]
SECOND = 1000

FLOWS = "start -> work -> end\ntold -> look -> end_told"
KINDS = pytest.mark.parametrize("kind", ["event", "message", "signal"])


@KINDS
def test_an_interrupting_boundary_cancels_the_task(start: Start, kind: EventKind) -> None:
    run = start(process(FLOWS, told=boundary("work", heard("go", kind=kind), data=EVENT_DATA)))

    run.send("go", n=1)

    assert run.waiting == ["look"]
    assert not run.state.subscriptions
    run.complete("look")
    assert run.output == {"n": 1}


@KINDS
def test_a_non_interrupting_boundary_puts_a_token_each_time(start: Start, kind: EventKind) -> None:
    catch = boundary("work", heard("go", kind=kind), interrupts=False)
    run = start(process(FLOWS, told=catch))

    run.send("go")
    run.send("go")
    assert run.waiting == ["look", "look", "work"]

    run.complete("work")
    run.send("go")
    assert run.waiting == ["look", "look"]


def test_another_event_triggers_nothing(start: Start) -> None:
    run = start(process(FLOWS, told=boundary("work", heard("go", kind="signal"))))

    run.send("stop")

    assert run.waiting == ["work"]


@pytest.mark.parametrize("interrupts", [True, False])
def test_an_event_sub_process_listens_as_long_as_its_scope_runs(
    start: Start, interrupts: bool
) -> None:
    handle = event_sub(
        heard("go", kind="signal"), "start_h -> look -> end_h", interrupts=interrupts
    )
    run = start(process("start -> work -> end", handle=handle))

    run.send("go")
    run.send("go")

    assert run.waiting == (["look"] if interrupts else ["look", "look", "work"])


def test_what_came_is_exported_in_the_event_sub_process(start: Start) -> None:
    handle = event_sub(
        heard("go"), "start_h -> look -> end_h",
        interrupts=False, variables={"n": 0}, data=EVENT_DATA,
    )  # fmt: skip
    run = start(process("start -> work -> end", handle=handle), n=9)

    run.send("go", n=1)
    run.send("go", n=2)

    inner = [scope for scope in run.state.scopes.values() if scope.handler == "handle"]
    assert [scope.variables["n"] for scope in inner] == [1, 2]
    assert run.state.scopes[1].variables == {"n": 9}


def test_a_message_is_correlated_by_the_variables_as_they_are_now(start: Start) -> None:
    key = Correlation(name="k", read=Expression(text=".data.order"), expect=jq(".order"))
    filter = EventFilter(
        kind="message",
        attributes=(Attribute(name="type", value=Constant("go")),),
        correlations=(key,),
    )
    trigger = EventTrigger(strategy=EventStrategy(mode="one", filters=(filter,)))
    run = start(process(FLOWS, told=boundary("work", trigger)), order=7)

    run.send("go", order=8)
    assert run.waiting == ["work"]

    run.send("go", order=7)
    assert run.waiting == ["look"]


def test_the_same_event_offered_twice_triggers_once() -> None:
    run = Machine(
        process(FLOWS, told=boundary("work", heard("go", kind="signal"), interrupts=False))
    )
    run.send("go")
    (subscription,) = run.state.subscriptions.values()
    (seen,) = (visit.seen for visit in run.state.visits.values() if visit.seen)
    number = seen["told"]
    run.engine.submit(run.id, c.DeliverEvent(subscription.id, {"type": "go"}, number))

    assert run.times("told") == 1


# -- signals inside the instance


def test_a_signal_reaches_the_catchers_of_its_own_instance_in_the_same_step(start: Start) -> None:
    run = start(
        process(
            "start -> split\nsplit -> catch -> end\nsplit -> first -> tell -> end_tell",
            split=fork(), catch=receive("go", "signal"), tell=sends("go", "{n: 5}", kind="signal"),
        )
    )  # fmt: skip
    assert run.waiting == ["catch", "first"]
    before = len(run.store.history(run.id))

    run.complete("first")

    assert run.status == "completed"
    assert run.output == {"n": 5}
    assert len(run.store.history(run.id)) == before + 1


def test_every_catcher_of_the_instance_gets_the_signal_once(start: Start) -> None:
    run = start(
        process(
            "start -> split\nsplit -> a -> end\nsplit -> b -> end\nsplit -> w -> tell -> end",
            split=fork(), a=receive("go", "signal"), b=receive("go", "signal"),
            tell=sends("go", kind="signal"),
            handle=event_sub(heard("go", kind="signal"), "start_h -> end_h", interrupts=False),
        )
    )  # fmt: skip

    run.complete("w")

    assert run.status == "completed"
    assert run.times("start_h") == 1


def test_a_signal_is_not_caught_by_what_listens_only_afterwards(start: Start) -> None:
    run = start(
        process(
            "start -> tell -> catch -> end",
            tell=sends("go", kind="signal"),
            catch=receive("go", "signal"),
        )
    )

    assert run.waiting == ["catch"]


def test_a_signal_may_interrupt_whoever_threw_it(start: Start) -> None:
    inner = sub("start_in -> tell -> more -> end_in", tell=sends("go", kind="signal"))
    catch = boundary("part", heard("go", kind="signal"))
    run = start(process("start -> part -> end\ntold -> look -> end_told", part=inner, told=catch))

    assert run.waiting == ["look"]
    assert run.times("more") == 0


def test_a_handler_that_throws_its_own_signal_faults_the_instance() -> None:
    handle = event_sub(
        heard("go", kind="signal"), "start_h -> again -> end_h",
        interrupts=False, again=sends("go", kind="signal"),
    )  # fmt: skip
    graph = process("start -> work -> end", handle=handle)
    run = Machine(graph, settings=Settings(loop_budget=100))

    run.send("go")

    assert run.status == "faulted"
    assert run.output["detail"] == "a handler triggers itself without end: handle"
    assert run.times("again") == 100


def test_a_message_does_not_reach_the_instance_in_the_same_step(start: Start) -> None:
    run = start(
        process(
            "start -> split\nsplit -> catch -> end\nsplit -> tell -> end_tell",
            split=fork(), catch=receive("go"), tell=sends("go"),
        )
    )  # fmt: skip

    assert run.status == "completed"
    assert len(run.store.history(run.id)) == 2


# -- one of several, each of several


def test_one_of_several_is_enough(start: Start) -> None:
    trigger = any_of(heard("go"), after("PT5S"), escalation("X"))
    run = start(process(FLOWS, told=boundary("work", trigger)))
    other = start(process(FLOWS, told=boundary("work", trigger)))

    run.advance(5 * SECOND)
    other.send("go")

    assert run.waiting == other.waiting == ["look"]


def test_an_error_or_an_escalation_may_be_one_of_several(start: Start) -> None:
    trigger = any_of(error("E1"), escalation("X"))
    failing = sub("start_in -> work -> end_in")
    telling = sub("start_in -> tell -> end_in", tell=escalates("X"))
    flows = "start -> part -> end\ntold -> look -> end_told"

    first = start(process(flows, part=failing, told=boundary("part", trigger)))
    first.fail("work", "E1")
    second = start(process(flows, part=telling, told=boundary("part", trigger)))

    assert first.waiting == second.waiting == ["look"]


def test_each_of_several_has_to_come(start: Start) -> None:
    trigger = all_of(heard("a"), heard("b"), after("PT5S"))
    run = start(process(FLOWS, told=boundary("work", trigger)))

    run.send("b")
    run.advance(5 * SECOND)
    assert run.waiting == ["work"]

    run.send("a")
    assert run.waiting == ["look"]


def test_what_comes_twice_does_not_stand_for_another(start: Start) -> None:
    run = start(process(FLOWS, told=boundary("work", heard("a", "b", kind="signal", mode="all"))))

    run.send("a")
    run.send("a")
    assert run.waiting == ["work"]

    run.send("b")
    assert run.waiting == ["look"]


def test_the_data_of_all_events_comes_in_the_order_of_the_filters(start: Start) -> None:
    rules = DataRules(
        export=Record((("all", Expression(text="map(.n)")),)), export_mode="variables"
    )
    catch = boundary("work", heard("a", "b", mode="all"), data=rules)
    run = start(process("start -> work -> end\ntold -> end_told", told=catch))

    run.send("b", n=2)
    run.send("a", n=1)

    assert run.output == {"all": [1, 2]}


def test_a_non_interrupting_one_waits_for_all_of_them_again(start: Start) -> None:
    trigger = all_of(heard("a", kind="signal"), heard("b", kind="signal"))
    run = start(process(FLOWS, told=boundary("work", trigger, interrupts=False)))
    for type in ("a", "b", "b"):
        run.send(type)
    assert run.times("told") == 1

    run.send("b")
    assert run.times("told") == 1
    run.send("a")
    assert run.times("told") == 2


def test_a_moment_that_has_come_has_come_for_good_and_a_cycle_comes_again(start: Start) -> None:
    once = all_of(heard("a", kind="signal"), moment("2020-01-01T00:00:00Z"))
    often = all_of(heard("a", kind="signal"), cycle("R/PT5S"))
    first = start(process(FLOWS, told=boundary("work", once, interrupts=False)))
    second = start(process(FLOWS, told=boundary("work", often, interrupts=False)))

    for run in (first, second):
        run.send("a")
        run.send("a")
        run.advance(5 * SECOND)
    assert (first.times("told"), second.times("told")) == (2, 1)

    second.send("a")
    assert second.times("told") == 1
    second.advance(5 * SECOND)
    assert second.times("told") == 2


def test_a_condition_among_several_has_to_become_true_again(start: Start) -> None:
    trigger = all_of(heard("a", kind="signal"), turns(".x == 1"))
    flows = """
    start -> split -> one -> two -> three -> end
    split -> work -> end_work
    told -> end_told
    """
    run = start(
        process(
            flows, split=fork(), variables={"x": 0},
            told=boundary("work", trigger, interrupts=False),
        )
    )  # fmt: skip
    run.complete("one", x=1)
    run.send("a")
    assert run.times("told") == 1

    run.send("a")
    assert run.times("told") == 1
    run.complete("two", x=0)
    run.complete("three", x=1)
    assert run.times("told") == 2


def test_an_escalation_among_several_is_taken_and_waits_for_the_others(start: Start) -> None:
    inner = sub("start_in -> tell -> more -> end_in", tell=escalates("X"))
    trigger = all_of(heard("a"), escalation("X"))
    flows = "start -> part -> end\ntold -> look -> end_told"
    run = start(process(flows, part=inner, told=boundary("part", trigger)))
    assert run.waiting == ["more"]

    run.send("a")

    assert run.waiting == ["look"]


def test_an_error_cannot_wait_for_anything_else() -> None:
    graph = process(FLOWS, told=boundary("work", all_of(heard("a"), error("E1"))))
    with pytest.raises(UnrunnableGraph, match="ErrorTrigger"):
        Plan(graph, "", {})


def test_several_may_stand_in_several(start: Start) -> None:
    trigger = all_of(any_of(heard("a"), heard("b")), heard("c"))
    run = start(process(FLOWS, told=boundary("work", trigger)))

    run.send("c")
    assert run.waiting == ["work"]
    run.send("b")

    assert run.waiting == ["look"]
