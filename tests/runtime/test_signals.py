"""Signals: every current catcher and every start gets one, once, and nobody later."""

from __future__ import annotations

import pytest

from support.graphs import (
    boundary,
    event_sub,
    fork,
    process,
    sends,
    starts,
    told,
    waits_for,
)
from support.post import Post

CATCHES = process("start -> wait -> end", name="catches", wait=waits_for("go", kind="signal"))
THROWS = process("start -> throw -> end", name="throws", throw=sends("go", "{n: 1}", kind="signal"))


@pytest.fixture
def post() -> Post:
    return Post()


def test_a_signal_is_caught_wherever_somebody_waits_for_it(post: Post) -> None:
    catching = [post.begin(CATCHES), post.begin(CATCHES)]
    post.begin(THROWS)
    assert [post.output(one) for one in catching] == [{"n": 1}, {"n": 1}]


def test_a_signal_starts_every_definition_that_waits_for_it(post: Post) -> None:
    start = starts(told("go", kind="signal"))
    digests = [
        post.publish(process("start -> work", name=name, start=start)) for name in ("a", "b")
    ]
    caught = post.begin(CATCHES)

    post.signal("go", n=1)

    assert post.output(caught) == {"n": 1}
    started = [post.row(one).definition for one in post.instances if one != caught]
    assert sorted(started) == sorted(digests)


def test_a_signal_from_before_a_wait_is_over(post: Post) -> None:
    post.begin(THROWS)
    assert post.waiting(post.begin(CATCHES)) == ["wait"]


def test_catchers_of_the_instance_itself_catch_a_signal_once(post: Post) -> None:
    graph = process(
        """
        start -> both -> wait -> throw -> after -> endA
        both -> catch -> endB
        """,
        both=fork(),
        wait=waits_for("go on"),
        throw=sends("go", kind="signal"),
        catch=waits_for("go", kind="signal"),
        after=waits_for("go", kind="signal"),
        noticed=event_sub(told("go", kind="signal"), "startN -> note -> endN", interrupts=False),
    )
    instance = post.begin(graph)
    other = post.begin(CATCHES)

    post.message("go on")

    # The wait behind the throw began after it.
    assert post.waiting(instance) == ["after", "note"]
    assert post.row(other).status == "completed"
    post.signal("go")
    assert post.waiting(instance) == ["note", "note"]


def test_every_instance_of_a_boundary_event_gets_a_signal(post: Post) -> None:
    graph = process(
        """
        start -> work -> end
        called -> noted
        """,
        called=boundary("work", told("go", kind="signal"), interrupts=False),
    )
    both = [post.begin(graph), post.begin(graph)]

    post.signal("go")
    post.signal("go")

    assert [post.waiting(one) for one in both] == [["noted", "noted", "work"]] * 2


def test_a_signal_is_caught_once_though_the_process_dies_while_it_is_told(post: Post) -> None:
    graph = process(
        """
        start -> work -> end
        called -> noted
        """,
        called=boundary("work", told("go", kind="signal"), interrupts=False),
    )
    instances = [post.begin(graph) for _ in range(3)]
    post.engine.publish_event({"id": "1", "source": "/test", "type": "go", "diglotkind": "signal"})
    (row,) = post.engine.store.open_inbox(1)
    post.rest()

    # It is offered again, as after a crash between the catchers and the record of that.
    from diglot.runtime import inbox

    inbox._offer(post.engine, row)  # pyright: ignore[reportPrivateUsage]
    post.rest()

    assert [post.waiting(one) for one in instances] == [["noted", "work"]] * 3


def test_who_threw_a_signal_is_for_the_machine_to_say(post: Post) -> None:
    instance = post.begin(CATCHES)
    post.engine.publish_event(
        {
            "id": "1",
            "source": "/test",
            "type": "go",
            "diglotkind": "signal",
            "diglotinstance": instance,
        }
    )
    post.rest()
    assert post.row(instance).status == "completed"
