"""Starts: every start of a process with a trigger is a way to begin, at that start.

Source: BPMN 2.0.2 10.5.2, 13.2.
"""

from __future__ import annotations

import pytest

from diglot.compiler import graph as g
from diglot.runtime.clock import iso
from diglot.runtime.errors import CallerError, UnrunnableGraph
from diglot.runtime.scheduler import settle
from diglot.runtime.schedules import triggers
from support.graphs import after, join, process, starts, told, told_all, turns
from support.post import Post


@pytest.fixture
def post() -> Post:
    return Post()


def timer(form: str, value: g.Value | str) -> g.TimerTrigger:
    found = g.Constant(value) if isinstance(value, str) else value
    return g.TimerTrigger(form=form, value=found)  # type: ignore[arg-type]  # pyright: ignore


def begun(post: Post) -> int:
    return len(post.engine.store.instances(limit=1000))


TWO_WAYS = process(
    """
    start -> a -> end
    startB -> b -> endB
    startC -> c -> endC
    """,
    startB=starts(told("b")),
    startC=starts(told("c"), told("go", kind="signal")),
)


# -- at which start


def test_ways_to_start_are_numbered_over_all_starts_of_the_process(post: Post) -> None:
    plan = post.engine.plan(post.engine.deploy(TWO_WAYS))
    assert triggers(plan) == [told("b"), told("c"), told("go", kind="signal")]


@pytest.mark.parametrize(("type", "place"), [("b", "b"), ("c", "c"), ("go", "c")])
def test_an_event_starts_at_the_start_that_waits_for_it(post: Post, type: str, place: str) -> None:
    post.publish(TWO_WAYS)
    post.send(type)
    (instance,) = post.instances
    assert post.waiting(instance) == [place]


def test_an_instance_that_began_at_one_start_ends_without_the_others(post: Post) -> None:
    post.publish(TWO_WAYS)
    post.message("b")
    (instance,) = post.instances
    (lease,) = post.claim("work")

    post.engine.complete(lease, {})

    assert post.row(instance).status == "completed"


@pytest.mark.parametrize(
    ("start", "place"), [(None, "a"), ("start", "a"), ("startB", "b"), ("startC", "c")]
)
def test_a_start_by_hand_is_where_the_caller_says(
    post: Post, start: str | None, place: str
) -> None:
    assert post.waiting(post.begin(TWO_WAYS, start=start)) == [place]


@pytest.mark.parametrize("start", ["nowhere", "a", "end", "startZ"])
def test_a_start_that_there_is_not_is_the_callers_mistake(post: Post, start: str) -> None:
    with pytest.raises(CallerError, match="it has 'start', 'startB', 'startC'"):
        post.begin(TWO_WAYS, start=start)
    assert begun(post) == 0


def test_the_start_of_a_sub_process_is_no_way_to_start_the_process(post: Post) -> None:
    from support.graphs import sub

    graph = process("start -> part -> end", part=sub("startP -> work -> endP"))
    with pytest.raises(CallerError, match="startP"):
        post.begin(graph, start="startP")


def test_the_input_of_a_start_by_hand_is_variables_and_that_of_an_event_its_data(
    post: Post,
) -> None:
    graph = process("start -> end", start=starts(told("paid")))
    assert post.output(post.begin(graph, {"n": 1})) == {"n": 1}

    post.publish(graph)
    post.message("paid", n=2)
    post.send("paid", kind="message", n=3)

    outputs = [post.output(one) for one in post.instances if not one.startswith("i")]
    assert outputs == [{"n": 2}, {"n": 3}]


def test_the_input_of_a_start_by_hand_goes_before_first_values(post: Post) -> None:
    graph = process("start -> a -> end", variables={"n": None, "m": 5})
    definition = post.engine.deploy(graph)

    instance = post.engine.start(definition, {"n": 1})

    state = post.engine.state(instance)
    assert state.scopes[1].variables == {"n": 1, "m": 5}


def test_event_data_that_are_no_object_become_no_variables(post: Post) -> None:
    post.publish(process("start -> end", start=starts(told("paid"))))
    post.engine.publish_event({"id": "1", "source": "/s", "type": "paid", "data": [1, 2]})
    post.rest()
    (instance,) = post.instances
    assert post.output(instance) == {}


def test_messages_that_are_all_needed_are_told_in_the_order_of_the_start(post: Post) -> None:
    post.publish(process("start -> end", start=starts(told_all(told("a"), told("b")))))
    post.message("b", n=2)
    post.message("a", n=1)
    (instance,) = post.instances
    assert post.output(instance) == {"n": 1}


def test_several_triggers_in_one_each_start_an_instance(post: Post) -> None:
    several = g.SeveralTrigger(triggers=(told("a"), g.SeveralTrigger(triggers=(told("b"),))))
    post.publish(process("start -> work", start=starts(several)))
    post.message("a")
    post.message("b")
    assert begun(post) == 2


@pytest.mark.parametrize(
    "trigger",
    [
        g.SeveralTrigger(triggers=(told("a"), after("PT1S")), needs_all=True),
        g.ErrorTrigger(),
        g.EscalationTrigger(),
        g.CompensationTrigger(),
        g.CancelTrigger(),
    ],
    ids=lambda trigger: type(trigger).__name__,
)
def test_what_cannot_start_an_instance_is_refused_at_publication(
    post: Post, trigger: g.Trigger
) -> None:
    with pytest.raises(UnrunnableGraph, match="start"):
        post.engine.deploy(process("start -> work", start=starts(trigger)))


def test_a_newer_version_takes_all_ways_to_start_over(post: Post) -> None:
    from msgspec.structs import replace

    older, newer = TWO_WAYS, replace(TWO_WAYS, version="1.1.0")
    post.publish(older)
    digest = post.publish(newer)

    post.message("b")
    post.message("c")

    assert [post.row(one).definition for one in post.instances] == [digest, digest]


def test_a_start_by_hand_leaves_what_other_starts_wait_for_alone(post: Post) -> None:
    graph = process(
        """
        start -> both
        startB -> both
        both -> work
        """,
        startB=starts(told("b")),
        both=join(need=1),
    )
    assert post.waiting(post.begin(graph)) == ["work"]


# -- by the clock


def test_a_duration_starts_once_after_the_publication(post: Post) -> None:
    graph = process("start -> work", start=starts(timer("duration", "PT10S")))
    post.publish(graph)
    post.pass_time(9_999)
    assert begun(post) == 0

    post.pass_time(1)
    post.pass_time(3_600_000)
    post.publish(graph)
    post.pass_time(3_600_000)

    assert begun(post) == 1
    assert post.engine.store.next_due() is None


def test_an_instant_starts_once_at_that_moment(post: Post) -> None:
    moment = iso(post.clock.now_ms() + 60_000)
    post.publish(process("start -> work", start=starts(timer("instant", moment))))
    post.pass_time(59_999)
    assert begun(post) == 0
    post.pass_time(1)
    post.pass_time(3_600_000)
    assert begun(post) == 1


def test_an_instant_that_is_past_starts_at_once(post: Post) -> None:
    trigger = timer("instant", "2011-03-11T12:13:14Z")
    post.publish(process("start -> work", start=starts(trigger)))
    assert begun(post) == 1


def test_a_cycle_starts_as_often_as_it_says(post: Post) -> None:
    post.publish(process("start -> work", start=starts(timer("cycle", "R3/PT10S"))))
    counts: list[int] = []
    for _ in range(6):
        post.pass_time(10_000)
        counts.append(begun(post))
    assert counts == [1, 2, 3, 3, 3, 3]


def test_a_cycle_without_a_number_starts_for_ever_in_its_rhythm(post: Post) -> None:
    post.publish(process("start -> work", start=starts(timer("cycle", "R/PT10S"))))
    began_ms = post.clock.now_ms()
    for milliseconds in (12_000, 9_000, 19_000):
        post.pass_time(milliseconds)

    # It went off at 12, 21 and 40 seconds; what was missed in between counts as one.
    assert begun(post) == 3
    assert post.engine.store.next_due() == began_ms + 50_000


def test_a_cycle_with_a_beginning_starts_then(post: Post) -> None:
    moment = iso(post.clock.now_ms() + 60_000)
    post.publish(process("start -> work", start=starts(timer("cycle", f"R2/{moment}/PT10S"))))
    counts: list[int] = []
    for milliseconds in (59_999, 1, 10_000, 10_000):
        post.pass_time(milliseconds)
        counts.append(begun(post))
    assert counts == [0, 1, 2, 2]


def test_a_cycle_may_be_cron(post: Post) -> None:
    post.publish(process("start -> work", start=starts(timer("cycle", "*/5 * * * *"))))
    post.pass_time(300_000)
    post.pass_time(300_000)
    assert begun(post) == 2


def test_a_time_may_be_computed(post: Post) -> None:
    computed = g.Expression(text='"R2/PT\\(2 * 5)S"', of="variables")
    post.publish(process("start -> work", start=starts(timer("cycle", computed))))
    for _ in range(3):
        post.pass_time(10_000)
    assert begun(post) == 2


@pytest.mark.parametrize("text", ["soon", "R0x/PT1S", "PT1S", "R3/PT0S", "61 * * * *"])
def test_a_time_that_is_none_is_refused_at_publication(post: Post, text: str) -> None:
    with pytest.raises(UnrunnableGraph, match="the time of start"):
        post.engine.deploy(process("start -> work", start=starts(timer("cycle", text))))


def test_a_start_by_the_clock_that_is_done_twice_starts_once(post: Post) -> None:
    post.publish(process("start -> work", start=starts(timer("cycle", "R3/PT10S"))))
    post.clock.advance(10_000)
    (schedule,) = post.engine.store.due_schedules(post.clock.now_ms())
    settle(post.engine)

    # As after a crash between the start and the record of it.
    post.engine.store.save_schedule(schedule)
    settle(post.engine)

    assert begun(post) == 1


def test_a_timer_starts_at_its_own_start(post: Post) -> None:
    graph = process(
        """
        start -> a
        startT -> t
        """,
        startT=starts(after("PT1S")),
    )
    post.publish(graph)
    post.pass_time(1_000)
    (instance,) = post.instances
    assert post.waiting(instance) == ["t"]


# -- by a condition


def condition(text: str) -> g.ConditionTrigger:
    return g.ConditionTrigger(condition=g.Expression(text=text, of="variables", yields="boolean"))


def test_a_condition_that_is_true_starts_once(post: Post) -> None:
    post.publish(process("start -> work", start=starts(condition("1 < 2"))))
    assert begun(post) == 1
    post.pass_time(60_000)
    assert begun(post) == 1


def test_a_condition_starts_each_time_it_becomes_true(post: Post) -> None:
    # True in every second half of a minute.
    post.clock.advance(-post.clock.now_ms() % 60_000)
    graph = process("start -> work", start=starts(condition("now % 60 >= 30")))
    post.publish(graph)
    counts: list[int] = []
    for _ in range(6):
        post.pass_time(20_000)
        counts.append(begun(post))
    # At 20, 40, 60, 80, 100 and 120 seconds.
    assert counts == [0, 1, 1, 1, 2, 2]


@pytest.mark.parametrize("text", ["false", '.test | contains("a")', ".amount > 5", "null"])
def test_a_condition_that_would_need_data_is_not_true(post: Post, text: str) -> None:
    post.publish(process("start -> work", start=starts(condition(text))))
    post.pass_time(60_000)
    assert begun(post) == 0


def test_a_start_by_hand_does_not_ask_for_the_condition(post: Post) -> None:
    graph = process("start -> work", start=starts(condition("false")))
    assert post.waiting(post.begin(graph, {"test": "a"})) == ["work"]


def test_what_events_start_may_be_armed_without_the_clock_and_conditions(post: Post) -> None:
    graph = process(
        "start -> end",
        start=starts(told("go"), after("PT1S"), turns("true")),
    )
    post.engine.deploy(graph, by_events_alone=True)
    post.pass_time(10_000)
    assert begun(post) == 0

    post.message("go")

    assert begun(post) == 1
