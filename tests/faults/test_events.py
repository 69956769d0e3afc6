"""Nobody looks for a while; events come twice, at once and in no order, and some are poison."""

from __future__ import annotations

import random
import threading
from pathlib import Path
from typing import Any

import pytest

from diglot.compiler import graph as g
from diglot.runtime.engine import Engine
from diglot.runtime.scheduler import settle
from support.graphs import heard, jq, key, node, process, wait, waits_for
from support.post import Post
from support.runs import workflow
from support.stores import new_url

pytestmark = pytest.mark.both_stores

DAY_MS = 24 * 3_600_000
SLEEPS = process("start -> one -> two -> end", one=wait("PT1H"), two=wait("PT1H"))
TAKES = process(
    "start -> hear -> end",
    name="takes",
    hear=waits_for("paid", key("id", ".data.id", expect=jq(".id"))),
)
HEARS = process(
    "start -> hear -> end",
    name="hears",
    hear=node(g.Receive, strategy=heard("told", kind="event").strategy),
)
CHOKES = process(
    "start -> hear -> end",
    name="chokes",
    hear=node(
        g.Receive,
        strategy=heard("told", kind="event").strategy,
        data=g.DataRules(export=g.Expression(text='error("poison")'), export_mode="variables"),
    ),
)
HOURLY = "schedule: {every: {hours: 1}}\ndo: [{a: {set: {x: 1}}}]"


def paid(instance: str) -> dict[str, Any]:
    return {
        "id": f"paid {instance}", "source": "/s", "type": "paid", "diglotkind": "message",
        "data": {"id": instance, "of": instance},
    }  # fmt: skip


def test_a_scheduler_that_did_not_run_for_a_day_catches_up() -> None:
    post = Post()
    sleeping = [post.begin(SLEEPS) for _ in range(3)]
    post.engine.deploy(workflow(HOURLY, name="hourly"))
    post.engine.publish_event(paid("nobody"))

    post.clock.advance(DAY_MS)
    post.rest()
    # What begins to wait then, waits from then on.
    post.pass_time(3_600_000)

    assert [post.row(one).status for one in sleeping] == ["completed"] * 3
    # Times that were missed count once.
    assert len(post.instances) == 3 + 2
    assert post.engine.store.open_inbox(10) == []


def test_messages_that_come_twice_from_all_sides_and_in_no_order_are_taken_once(
    tmp_path: Path,
) -> None:
    url = new_url(tmp_path)
    post = Post(url)
    others = [Engine(url, clock=post.clock, secrets=lambda name: None) for _ in range(2)]
    waiting = [post.begin(TAKES, {"id": f"i{n:03}"}) for n in range(1, 9)]

    def publish(engine: Engine, seed: int) -> None:
        events = [paid(instance) for instance in waiting] * 2
        random.Random(seed).shuffle(events)
        for event in events:
            engine.publish_event(event)
            settle(engine)

    threads = [
        threading.Thread(target=publish, args=(engine, seed)) for seed, engine in enumerate(others)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    post.rest()

    assert [post.output(one) for one in waiting] == [{"id": one, "of": one} for one in waiting]
    assert post.taken() == [(one, f"paid {one}") for one in waiting]
    for engine in others:
        engine.close()
    post.engine.close()


def test_an_event_that_faults_one_of_its_receivers_comes_to_the_others() -> None:
    post = Post()
    first, chokes, last = post.begin(HEARS), post.begin(CHOKES), post.begin(HEARS)

    post.send("told", n=1)

    assert [post.row(one).status for one in (first, chokes, last)] == [
        "completed", "faulted", "completed",
    ]  # fmt: skip
    assert post.engine.store.open_inbox(10) == []
