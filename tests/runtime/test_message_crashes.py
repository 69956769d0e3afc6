"""Messages while processes die and several engines share a database: each is taken once."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from diglot.runtime import commands as c
from diglot.runtime.errors import MessageGone
from support.graphs import process, starts, told, told_all, waits_for
from support.post import Post, carry_out
from support.simulation import die_at

WAITS = process("start -> wait -> end", wait=waits_for("paid"))
STARTS = process("start -> work", name="started", start=starts(told("paid")))


def happens(moment: str, commits: int) -> tuple[int, list[Any]]:
    """Messages for starts and for waits, at once and kept: the crashes, and what became of all."""
    post = Post()
    for graph in (STARTS, GATHERS):
        post.publish(graph)
    waits = post.publish(WAITS)
    die_at(post.engine.store, moment, commits)
    steps: list[Callable[[], object]] = [
        lambda: post.engine.start(waits, {}, instance="w1"),
        lambda: publish(post, "paid", 1),
        lambda: publish(post, "paid", 2),
        lambda: publish(post, "go", 3),
        lambda: publish(post, "seen", 4),
        lambda: publish(post, "seen", 7),
        lambda: publish(post, "kept", 5),
        lambda: post.engine.start(post.publish(TAKES_KEPT), {}, instance="w2"),
        lambda: publish(post, "kept", 6),
        lambda: post.engine.start(post.publish(TAKES_KEPT), {}, instance="w3"),
    ]
    crashes = carry_out(post, steps)
    found = [(named(one), post.row(one).input, post.output(one)) for one in post.instances]
    return crashes, found


def named(instance: str) -> str:
    """What a crash leaves of an id: places in the inbox may be left out by it."""
    return instance.rpartition("-")[0] or instance


GATHERS = process(
    "start -> work",
    name="gathers",
    start=starts(told_all(told("seen"), told("go", kind="signal"))),
)
TAKES_KEPT = process("start -> wait -> end", name="takes", wait=waits_for("kept"))

EVERYTHING_ONCE = [
    ("[{'n': 2}]", "running"),
    ("[{'n': 4}, {'n': 3}]", "running"),
    ("{}", "{'n': 1}"),
    ("{}", "{'n': 5}"),
    ("{}", "{'n': 6}"),
]


def publish(post: Post, type: str, number: int) -> None:
    kind = "signal" if type == "go" else "message"
    post.engine.publish_event(
        {
            "id": str(number),
            "source": "/test",
            "type": type,
            "diglotkind": kind,
            "data": {"n": number},
        }
    )


@pytest.mark.parametrize("moment", ["before", "after"])
def test_a_crash_at_any_commit_neither_loses_a_message_nor_gives_it_to_two(moment: str) -> None:
    _, expected = happens(moment, 10**6)
    assert sorted((str(input), str(output)) for _, input, output in expected) == EVERYTHING_ONCE

    commits = 0
    while True:
        crashes, found = happens(moment, commits)
        assert found == expected, f"a crash {moment} commit {commits}"
        if not crashes:
            break
        commits += 1

    assert commits > 30


def test_two_engines_on_one_database_give_a_message_to_one_instance(tmp_path: Path) -> None:
    url = f"sqlite:///{tmp_path / 'runs.db'}"
    one = Post(url)
    other = Post(url, clock=one.clock)
    first, second = one.begin(WAITS), one.begin(WAITS)
    publish(one, "paid", 1)
    (row,) = other.engine.store.open_inbox(1)
    receivers = other.engine.store.receivers("paid")
    one.rest()

    # The other engine looked before, and goes on to offer what it saw.
    errors = [
        other.engine.submit_many(
            [(at.instance, c.DeliverEvent(at.subscription, row.envelope, row.id, takes=True))]
        )
        for at in receivers
    ]

    assert [type(error) for (error,) in errors] == [type(None), MessageGone]
    assert one.taken() == [(first, "1")]
    assert one.waiting(second) == ["wait"]
    other.engine.close()
    one.engine.close()


def test_a_message_that_is_gone_starts_nothing() -> None:
    post = Post()
    digest = post.publish(STARTS)
    waiting = post.begin(WAITS)
    publish(post, "paid", 1)
    (row,) = post.engine.store.open_inbox(1)
    post.rest()
    assert post.taken() == [(waiting, "1")]

    with pytest.raises(MessageGone):
        post.engine.start(digest, [{"n": 1}], instance="new", message=row.id)

    assert post.instances == [waiting]
