"""Messages: each goes to one receiver at most, and is kept for a while where nobody waits."""

from __future__ import annotations

import pytest

from diglot.compiler import graph as g
from diglot.runtime.engine import Settings
from support.graphs import (
    boundary,
    event_sub,
    node,
    one,
    process,
    sends,
    sets,
    starts,
    told,
    told_all,
    waits_for,
)
from support.post import Post

WAITS = process("start -> wait -> end", wait=waits_for("paid"))
STARTS = process("start -> work", name="started", start=starts(told("paid")))


def listens(name: str = "listens") -> g.Graph:
    return process("start -> wait -> end", name=name, wait=waits_for("paid", kind="event"))


@pytest.fixture
def post() -> Post:
    return Post()


# -- at most one


def test_a_message_goes_to_the_oldest_wait_alone(post: Post) -> None:
    # Ids are in the other order than the beginnings.
    later, earlier = "a", "b"
    post.begin(WAITS, instance=earlier)
    post.pass_time(1)
    post.begin(WAITS, instance=later)

    post.message("paid", n=1)

    assert post.taken() == [(earlier, "1")]
    assert post.output(earlier) == {"n": 1}
    assert post.waiting(later) == ["wait"]


def test_the_next_message_goes_to_the_next_wait(post: Post) -> None:
    first, second = post.begin(WAITS), post.begin(WAITS)

    post.message("paid", n=1)
    post.message("paid", n=2)

    assert (post.output(first), post.output(second)) == ({"n": 1}, {"n": 2})


def test_a_message_of_another_type_is_nobodys(post: Post) -> None:
    instance = post.begin(WAITS)
    post.message("told")
    assert post.waiting(instance) == ["wait"]


def test_a_message_sent_by_an_instance_reaches_one_other(post: Post) -> None:
    waiting = [post.begin(WAITS), post.begin(WAITS)]

    post.begin(process("start -> tell -> end", name="teller", tell=sends("paid", "{n: 5}")))

    assert [post.output(instance) for instance in waiting] == [{"n": 5}, "running"]


def test_a_message_is_heard_by_every_listener_for_events_besides(post: Post) -> None:
    waiting = post.begin(WAITS)
    listening = [post.begin(listens()), post.begin(listens())]

    post.message("paid", n=1)

    assert [post.output(one) for one in (waiting, *listening)] == [{"n": 1}] * 3


def test_an_event_that_does_not_say_what_it_is_is_a_message_and_a_signal(post: Post) -> None:
    catches = process("start -> wait -> end", name="c", wait=waits_for("paid", kind="signal"))
    catching = [post.begin(catches), post.begin(catches)]
    waiting = [post.begin(WAITS), post.begin(WAITS)]

    post.send("paid", n=1)

    assert [post.output(one) for one in catching] == [{"n": 1}, {"n": 1}]
    assert [post.output(one) for one in waiting] == [{"n": 1}, "running"]


def test_a_signal_is_no_message(post: Post) -> None:
    waiting = post.begin(WAITS)
    post.publish(STARTS)

    post.signal("paid")

    assert post.waiting(waiting) == ["wait"]
    assert post.instances == [waiting]


def test_a_message_with_the_same_source_and_id_is_the_same_message(post: Post) -> None:
    first, second = post.begin(WAITS), post.begin(WAITS)

    assert post.send("paid", kind="message", id="x")
    assert not post.send("paid", kind="message", id="x")

    assert post.taken() == [(first, "x")]
    assert post.waiting(second) == ["wait"]


@pytest.mark.parametrize("interrupts", [True, False])
def test_boundary_events_take_a_message_as_one_receiver(post: Post, interrupts: bool) -> None:
    graph = process(
        """
        start -> work -> end
        told -> noted
        """,
        told=boundary("work", told("paid"), interrupts=interrupts),
    )
    first, second = post.begin(graph), post.begin(graph)

    post.message("paid", n=1)

    expected = ["noted"] if interrupts else ["noted", "work"]
    assert (post.waiting(first), post.waiting(second)) == (expected, ["work"])


def test_event_sub_processes_take_a_message_as_one_receiver(post: Post) -> None:
    handler = event_sub(told("paid"), "startH -> handled -> endH", interrupts=False)
    graph = process("start -> work -> end", on_paid=handler)
    first, second = post.begin(graph), post.begin(graph)

    post.message("paid")
    post.message("paid")
    post.message("paid")

    assert post.waiting(first) == ["handled", "handled", "handled", "work"]
    assert post.waiting(second) == ["work"]


# -- starts


def test_a_message_goes_to_a_running_instance_before_a_start(post: Post) -> None:
    post.publish(STARTS)
    waiting = post.begin(WAITS)

    post.message("paid", n=1)
    assert post.instances == [waiting]

    post.message("paid", n=2)
    (started,) = [instance for instance in post.instances if instance != waiting]
    assert post.row(started).input == [{"n": 2}]


def test_a_message_starts_the_oldest_definition_alone(post: Post) -> None:
    newer = process("start -> work", name="a", start=starts(told("paid")))
    oldest = post.publish(STARTS)
    post.pass_time(1)
    post.publish(newer)

    post.message("paid")

    assert [post.row(one).definition for one in post.instances] == [oldest]


def test_a_start_whose_message_came_before_its_publication_does_not_get_it(post: Post) -> None:
    post.message("paid")
    post.publish(STARTS)
    assert post.instances == []


def test_a_message_fills_one_part_of_a_start_that_needs_several(post: Post) -> None:
    needs_both = starts(told_all(told("paid"), told("paid"), told("go", kind="signal")))
    post.publish(process("start -> work", start=needs_both))

    post.message("paid", n=1)
    post.signal("go", n=2)
    assert post.instances == []
    post.message("paid", n=3)

    (instance,) = post.instances
    assert post.row(instance).input == [{"n": 1}, {"n": 3}, {"n": 2}]


def test_a_message_that_a_start_has_gathered_is_nobodys_afterwards(post: Post) -> None:
    gathers = starts(told_all(told("paid"), told("seen")))
    post.publish(process("start -> work", name="gathers", start=gathers))
    post.message("paid", n=1)

    waiting = post.begin(WAITS)
    assert post.waiting(waiting) == ["wait"]

    post.message("paid", n=2)
    assert post.output(waiting) == {"n": 2}


# -- what is kept


def test_a_message_that_nobody_takes_is_kept_for_who_waits_later(post: Post) -> None:
    post.message("paid", n=1)
    post.pass_time(60_000)

    first, second = post.begin(WAITS), post.begin(WAITS)

    assert post.output(first) == {"n": 1}
    assert post.waiting(second) == ["wait"]


def test_kept_messages_are_taken_in_the_order_in_which_they_came(post: Post) -> None:
    for n in (1, 2, 3):
        post.message("paid", n=n)

    taking = [post.begin(WAITS) for _ in range(3)]

    assert [post.output(one) for one in taking] == [{"n": 1}, {"n": 2}, {"n": 3}]


def test_a_kept_message_goes_before_one_that_comes_later(post: Post) -> None:
    post.message("paid", n=1)
    digest = post.engine.deploy(WAITS)
    instance = post.engine.start(digest, {})
    post.message("paid", n=2)

    assert post.output(instance) == {"n": 1}
    assert post.output(post.begin(WAITS)) == {"n": 2}


def test_a_message_is_kept_until_its_time_is_over(post: Post) -> None:
    post.message("paid")

    post.pass_time(3_600_000)

    assert post.waiting(post.begin(WAITS)) == ["wait"]


def test_how_long_messages_are_kept_is_a_setting() -> None:
    post = Post(settings=Settings(message_ttl_s=2))
    post.message("paid", n=1)
    post.pass_time(1_999)
    assert post.output(post.begin(WAITS)) == {"n": 1}

    post.message("paid", n=2)
    post.pass_time(2_000)
    assert post.waiting(post.begin(WAITS)) == ["wait"]


def test_messages_are_not_kept_where_the_setting_says_so() -> None:
    post = Post(settings=Settings(message_ttl_s=0))
    post.message("paid")
    assert post.waiting(post.begin(WAITS)) == ["wait"]


def test_the_end_of_keeping_is_a_moment_the_scheduler_wakes_up_for(post: Post) -> None:
    post.message("paid")
    assert post.engine.store.next_due() == post.clock.now_ms() + 3_600_000

    post.pass_time(3_600_000)

    assert post.engine.store.next_due() is None


def test_a_kept_message_that_is_sent_again_is_taken_once(post: Post) -> None:
    post.send("paid", kind="message", id="x")
    first = post.begin(WAITS)
    post.send("paid", kind="message", id="x")
    second = post.begin(WAITS)

    assert post.taken() == [(first, "x")]
    assert post.waiting(second) == ["wait"]


def test_an_event_that_only_listeners_want_is_not_kept(post: Post) -> None:
    post.publish(listens())

    post.send("paid")
    assert post.engine.store.next_due() is None

    # It becomes a message nobody has got as soon as somebody is known to wait for such messages.
    post.publish(WAITS)
    post.send("paid", n=2)
    assert post.output(post.begin(WAITS)) == {"n": 2}


def test_an_event_of_a_type_that_only_starts_want_is_not_kept(post: Post) -> None:
    post.publish(STARTS)
    post.send("paid")
    assert len(post.instances) == 1

    post.send("seen")
    assert post.engine.store.next_due() is None


def test_a_signal_is_never_kept(post: Post) -> None:
    graph = process("start -> wait -> end", wait=waits_for("paid", kind="signal"))
    post.publish(graph)
    post.signal("paid")
    assert post.waiting(post.begin(graph)) == ["wait"]
    assert post.engine.store.next_due() is None


def test_an_instance_may_wait_for_a_message_it_has_sent_itself(post: Post) -> None:
    graph = process(
        "start -> tell -> wait -> end", tell=sends("paid", "{n: 1}"), wait=waits_for("paid")
    )
    assert post.output(post.begin(graph)) == {"n": 1}


def test_a_message_that_comes_while_a_listener_of_several_is_busy_is_not_lost(post: Post) -> None:
    until = g.EventStrategy(
        mode="any", filters=one("paid").filters, until=g.Expression(text="length >= 3")
    )
    graph = process("start -> wait -> end", wait=node(g.Receive, strategy=until))
    post.message("paid", n=1)
    post.message("paid", n=2)
    instance = post.begin(graph)
    assert post.waiting(instance) == ["wait"]

    post.message("paid", n=3)

    assert [event for _, event in post.taken()] == ["1", "2", "3"]
    assert post.row(instance).status == "completed"


def test_a_kept_message_is_offered_again_when_data_of_the_instance_change(post: Post) -> None:
    wanted = g.Correlation(
        name="order",
        read=g.Expression(text=".data.order"),
        expect=g.Expression(text=".order", of="variables"),
    )
    graph = process(
        """
        start -> both -> wait -> end
        both -> work -> set -> endB
        """,
        both=node(g.Fork),
        wait=waits_for("paid", wanted),
        set=sets(order="7"),
    )
    instance = post.begin(graph, {"order": 6})
    post.message("paid", order=7)
    assert post.waiting(instance) == ["wait", "work"]

    (lease,) = post.claim("work")
    post.engine.complete(lease, {})
    post.rest()

    assert post.row(instance).status == "completed"
