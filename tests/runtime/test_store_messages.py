"""What the engine asks of a store about messages, as facts."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from diglot.compiler import graph as g
from diglot.runtime.store import Store, open_store
from diglot.runtime.store.contract import InboxRow, Receiver
from support.graphs import node, process, starts, told, told_all, waits_for
from support.post import Post

WAITS = process("start -> wait -> end", wait=waits_for("paid"))
_ANYTHING = g.EventStrategy(mode="one", filters=(g.EventFilter(kind="message"),))
ANY = process("start -> wait -> end", name="any", wait=node(g.Receive, strategy=_ANYTHING))


@pytest.fixture(params=["sqlite-file", "sqlite-memory", "postgres"])
def post(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Post]:
    match request.param:
        case "sqlite-file":
            url = f"sqlite:///{tmp_path / 'runs.db'}"
        case "sqlite-memory":
            url = "sqlite://"
        case _:
            url = request.getfixturevalue("postgres").laid_out()
    store: Store = open_store(url)
    yield Post(store)
    store.close()


def received(post: Post, type: str = "paid", **data: Any) -> InboxRow:
    """A message that has just come in, and nobody has looked at."""
    known = post.engine.store.open_inbox(1000)
    post.engine.publish_event(
        {"id": f"{type}{len(known)}{data}", "source": "/s", "type": type, "diglotkind": "message"}
    )
    return post.engine.store.open_inbox(1000)[-1]


def receiver(post: Post, type: str = "paid") -> Receiver:
    (found,) = post.engine.store.receivers(type)
    return found


def test_receivers_are_those_of_the_type_and_of_any_oldest_first(post: Post) -> None:
    post.begin(ANY, instance="z")
    post.pass_time(1)
    post.begin(WAITS, instance="y")
    post.begin(WAITS, instance="x")

    store = post.engine.store
    assert [one.instance for one in store.receivers("paid")] == ["z", "y", "x"]
    assert [one.instance for one in store.receivers("told")] == ["z"]
    assert store.listeners(10**9, "paid") == []


def test_one_that_opens_has_news_only_if_there_is_a_message_for_it(post: Post) -> None:
    received(post, "told")
    assert receiver_news(post, "a") == 0
    received(post)
    assert receiver_news(post, "b") == 1

    # Kept ones are news as those are that have not been offered yet.
    store = post.engine.store
    store.keep(store.open_inbox(2)[-1].id, 10**15)
    assert receiver_news(post, "c") == 1


def receiver_news(post: Post, instance: str) -> int:
    post.engine.start(post.engine.deploy(WAITS), {}, instance=instance)
    news = {one.instance: one.news for one in post.engine.store.receivers("paid")}
    renewed = {one.instance for one in post.engine.store.renewed_receivers(10)}
    assert (instance in renewed) == (news[instance] > 0)
    return news[instance]


def test_news_that_came_while_kept_messages_were_offered_stay_news(post: Post) -> None:
    received(post)
    post.engine.start(post.engine.deploy(WAITS), {}, instance="one")
    store = post.engine.store
    (seen,) = store.renewed_receivers(10)

    older = Receiver(seen.instance, seen.subscription, seen.type, seen.news - 1)
    store.settle_receivers([older])
    assert store.renewed_receivers(10) == [seen]
    store.settle_receivers([seen])
    assert store.renewed_receivers(10) == []


def test_a_kept_message_is_for_its_type_until_its_time_is_over(post: Post) -> None:
    store, now_ms = post.engine.store, post.clock.now_ms()
    row = received(post)
    other = received(post, "told")
    assert store.keep(row.id, now_ms + 1000)
    assert store.keep(other.id, now_ms + 2000)
    post.engine.start(post.engine.deploy(WAITS), {}, instance="one")
    post.engine.start(post.engine.deploy(ANY), {}, instance="any")
    one, any = store.receivers("paid")
    one, any = (one, any) if one.type else (any, one)

    assert store.open_inbox(10) == []
    assert store.kept(one, 0, now_ms + 999, 10) == [row]
    assert store.kept(one, row.id, now_ms, 10) == []
    assert store.kept(any, 0, now_ms, 10) == [row, other]
    assert store.kept(any, 0, now_ms, 1) == [row]
    assert store.kept(one, 0, now_ms + 1000, 10) == []
    assert store.kept(Receiver("one", 99, "paid", 1), 0, now_ms, 10) == []

    assert store.expire_kept(now_ms + 999) == 0
    assert store.expire_kept(now_ms + 1000) == 1
    assert store.kept(any, 0, now_ms, 10) == [other]


def test_a_message_is_kept_once_and_not_after_it_was_closed(post: Post) -> None:
    store = post.engine.store
    row, closed = received(post), received(post, "told")
    store.close_inbox(closed.id)

    assert store.keep(row.id, 10**15)
    assert not store.keep(row.id, 10**15)
    assert not store.keep(closed.id, 10**15)


def test_closing_a_kept_message_leaves_it_kept(post: Post) -> None:
    store = post.engine.store
    row = received(post)
    store.keep(row.id, 10**15)
    store.close_inbox(row.id)
    post.engine.start(post.engine.deploy(WAITS), {}, instance="one")
    assert store.kept(receiver(post), 0, 0, 10) == [row]


def test_a_message_that_is_taken_is_not_kept(post: Post) -> None:
    instance = post.begin(WAITS)
    row = received(post)
    assert post.engine.store.taker(row.id) is None
    post.rest()
    assert post.engine.store.taker(row.id) == instance
    assert not post.engine.store.keep(row.id, 10**15)


def test_a_schedule_takes_a_message_that_nobody_else_has(post: Post) -> None:
    post.engine.deploy(process("start -> work", start=starts(told_all(told("a"), told("paid")))))
    store = post.engine.store
    row = received(post)
    (schedule,) = store.event_schedules(row.id)
    schedule.payload = {**schedule.payload, "events": [1]}

    assert store.save_schedule(schedule, takes=(row.id, "one"))
    assert store.taker(row.id) == "one"
    schedule.payload = {**schedule.payload, "events": [1, 2]}
    assert not store.save_schedule(schedule, takes=(row.id, "two"))

    (found,) = store.event_schedules(10**9)
    assert found.payload["events"] == [1]
    assert not store.save_schedule(schedule, takes=(10**6, "two"))


def test_what_is_published_says_which_messages_instances_wait_for(post: Post) -> None:
    store = post.engine.store
    post.engine.deploy(process("start -> work", name="s", start=starts(told("paid"))))
    assert not store.receives("paid")
    post.engine.deploy(WAITS)
    assert [store.receives(type) for type in ("paid", "told")] == [True, False]
    post.engine.deploy(ANY)
    assert store.receives("told")
