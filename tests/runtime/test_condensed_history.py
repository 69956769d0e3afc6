"""Histories that begin with a whole state, so that they do not grow for ever."""

from __future__ import annotations

import os

import msgspec
import pytest
from hypothesis import HealthCheck, given, settings

from diglot.runtime import commands as c
from diglot.runtime import events as e
from diglot.runtime.desk import Desk, Held
from diglot.runtime.engine import Settings
from diglot.runtime.errors import CorruptState
from diglot.runtime.state import State
from diglot.runtime.store import Store
from diglot.runtime.verify import prove
from diglot.runtime.whole import restore, whole
from support.graphs import choice, passes, process, task
from support.play import Observed, Play
from support.post import Post
from support.random_workflows import EVERYTHING, Case, cases

pytestmark = pytest.mark.both_stores

law = settings(
    max_examples=500 if os.environ.get("DIGLOT_SWEEP") == "all" else 60,
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large],
)
#: An entity: it does something again and again until it is told that it is enough.
ENTITY = process(
    "start -> merge -> work -> decide -[.enough]-> end\ndecide -> merge",
    merge=passes(),
    decide=choice(default="merge"),
    work=task(),
)
MOST = 20


@pytest.fixture
def post() -> Post:
    return Post(settings=Settings(most_history=MOST))


def turn(post: Post, *, enough: bool = False) -> Held:
    """The entity does its task once."""
    desk = Desk(post.engine)
    (lease,) = desk.claim(("work",), 1, "tester")
    held = Held(lease.instance, lease.job, lease.attempt)
    assert desk.complete([(held, {"enough": enough, "turn": lease.job})]) == ["taken"]
    post.rest()
    return held


def rows(store: Store, instance: str) -> int:
    return sum(len(events) for _, _, events in store.history(instance))


def test_the_history_of_an_instance_that_lives_long_stays_short(post: Post) -> None:
    instance = post.begin(ENTITY)
    for _ in range(60):
        turn(post)
        assert rows(post.engine.store, instance) < 3 * MOST

    assert post.row(instance).sequence > 10 * MOST
    post.restart()
    turn(post, enough=True)

    assert post.row(instance).status == "completed"
    assert post.engine.verify(instance) == post.row(instance).sequence


def test_a_result_that_was_given_lately_is_still_known(post: Post) -> None:
    post.begin(ENTITY)
    for _ in range(60):
        held = turn(post)

        assert Desk(post.engine).complete([(held, {"enough": False})]) == ["repeated"]


def test_all_of_it_is_kept_where_nobody_says_otherwise() -> None:
    post = Post()
    instance = post.begin(ENTITY)
    for _ in range(20):
        turn(post)

    assert rows(post.engine.store, instance) == post.row(instance).sequence


def test_a_state_that_was_written_down_wrong_is_found_out(post: Post) -> None:
    instance = post.begin(ENTITY)
    post.engine.submit(instance, c.CondenseHistory())
    history = post.engine.store.history(instance)
    for _, _, events in history:
        for event in events:
            if isinstance(event, e.HistoryCondensed):
                event.state["jobs"].clear()

    with pytest.raises(CorruptState, match=r"history and event \d+ disagree on jobs"):
        prove(post.engine.state(instance), history)


class Condensing(Observed):
    """Writes the state down after each command, and looks whether it is all of it."""

    def after(self, instance: str, command: c.Command, error: Exception | None) -> None:
        if error is None and not isinstance(command, c.CondenseHistory):
            self.carry_out(instance, c.CondenseHistory())
            self.verify(instance)
            known = self.state(instance)
            restored = State(instance)
            restore(restored, msgspec.json.decode(msgspec.json.encode(whole(known))))
            for name in State.__slots__:
                if name not in ("number", "touched", "assigned", "board", "moves"):
                    assert getattr(restored, name) == getattr(known, name), name


@law
@given(cases(EVERYTHING))
def test_a_history_that_begins_with_a_state_gives_the_same_state(case: Case) -> None:
    play = Play(case, Condensing)
    play.run()
    play.engine.close()
