"""What a worker can say, and what it is told."""

from __future__ import annotations

import threading
from typing import Any

import pytest

from diglot.runtime import commands as c
from diglot.runtime.desk import Desk, Held
from diglot.runtime.errors import CallerError
from diglot.runtime.faults import problem
from diglot.runtime.scheduler import settle
from diglot.runtime.store import Lease
from support.graphs import calls, fork, process, task
from support.post import Post

pytestmark = pytest.mark.both_stores

ONE = process("start -> a -> end")
TWO = process("start -> a -> b -> end")
SIDE_BY_SIDE = process(
    "start -> split -> a -> end\nsplit -> b -> end\nsplit -> c -> end", split=fork()
)
FAILED = problem("communication", "the other side is away")


@pytest.fixture
def post() -> Post:
    return Post()


@pytest.fixture
def desk(post: Post) -> Desk:
    return Desk(post.engine)


def held(lease: Lease) -> Held:
    return Held(lease.instance, lease.job, lease.attempt)


def claim(desk: Desk, most: int = 10, **more: Any) -> list[Lease]:
    return desk.claim(("work",), most, "tester", **more)


def outcomes(post: Post, lease: Lease) -> list[str | None]:
    found = post.engine.store.attempts(lease.instance, lease.job)
    return [one["outcome"] for one in found]


# -- results


def test_results_of_a_batch_are_each_answered(post: Post, desk: Desk) -> None:
    for _ in range(3):
        post.begin(ONE)
    one, two, three = claim(desk)
    post.engine.cancel(three.instance)

    answers = desk.complete([(held(one), {"n": 1}), (held(two), {}), (held(three), {})])

    assert answers == ["taken", "taken", "late"]
    assert post.output(one.instance) == {"n": 1}


def test_results_of_one_instance_are_one_commit_and_each_stands_with_its_attempt(
    post: Post, desk: Desk
) -> None:
    instance = post.begin(SIDE_BY_SIDE)
    leases = claim(desk)
    commits: list[str] = []
    post.engine.store.on_commit = commits.append

    answers = desk.complete([(held(one), {}) for one in leases])

    assert (answers, commits) == (["taken"] * 3, ["before", "after"])
    assert post.row(instance).status == "completed"
    assert [outcomes(post, one) for one in leases] == [["completed"]] * 3
    post.engine.verify(instance)


def test_a_late_result_among_others_of_its_instance_is_the_only_one_refused(
    post: Post, desk: Desk
) -> None:
    instance = post.begin(SIDE_BY_SIDE)
    one, two, three = claim(desk)
    assert desk.release([held(two)]) == [True]
    (again,) = claim(desk)

    results = [(held(lease), {"of": lease.attempt}) for lease in (one, two, again, again, three)]

    assert desk.complete(results) == ["taken", "late", "taken", "repeated", "taken"]
    assert post.row(instance).status == "completed"
    post.engine.verify(instance)


def test_an_engine_that_knows_nothing_yet_takes_a_batch_of_many_instances(
    post: Post, desk: Desk
) -> None:
    for _ in range(5):
        post.begin(TWO)
    leases = claim(desk)
    post.restart()

    answers = Desk(post.engine).complete([(held(one), {"n": one.job}) for one in leases])

    assert answers == ["taken"] * len(leases)
    post.rest()


def test_instances_loaded_together_are_as_each_alone(post: Post, desk: Desk) -> None:
    ids = [post.begin(SIDE_BY_SIDE) for _ in range(3)]
    desk.complete([(held(one), {"n": one.job}) for one in claim(desk, 4)])

    together = post.engine.store.load_all([*ids, "nobody"])

    assert sorted(together) == ids
    assert [together[id].snapshot() for id in ids] == [
        post.engine.state(id).snapshot() for id in ids
    ]


def test_a_result_that_ends_the_instance_leaves_those_behind_it_late(
    post: Post, desk: Desk
) -> None:
    instance = post.begin(SIDE_BY_SIDE)
    one, two, three = claim(desk)

    answers = desk._end(  # pyright: ignore[reportPrivateUsage]
        [
            (held(one), "failed", c.FailJob(one.job, FAILED, one.attempt)),
            (held(two), "completed", c.CompleteJob(two.job, {}, two.attempt)),
            (held(three), "completed", c.CompleteJob(three.job, {}, three.attempt)),
        ]
    )

    assert answers == ["taken", "late", "late"]
    assert post.row(instance).status == "faulted"
    post.engine.verify(instance)


def test_the_same_result_again_is_answered_as_repeated_and_does_nothing(
    post: Post, desk: Desk
) -> None:
    post.begin(TWO)
    (lease,) = claim(desk)
    assert desk.complete([(held(lease), {"n": 1})]) == ["taken"]
    before = post.row(lease.instance).sequence

    assert desk.complete([(held(lease), {"n": 1})]) == ["repeated"]
    assert desk.fail([(held(lease), FAILED)]) == ["late"]
    assert post.row(lease.instance).sequence == before


def test_a_late_result_of_an_old_attempt_is_refused_and_written_down(
    post: Post, desk: Desk
) -> None:
    post.begin(ONE)
    (old,) = claim(desk, lease_s=1)
    post.pass_time(1000)
    (new,) = claim(desk)

    assert desk.complete([(held(old), {"n": "old"})]) == ["late"]
    assert desk.complete([(held(new), {"n": "new"})]) == ["taken"]
    assert desk.complete([(held(old), {"n": "old"})]) == ["late"]

    assert post.output(new.instance) == {"n": "new"}
    first, second = post.engine.store.attempts(old.instance, old.job)
    assert (first["outcome"], first["late"], first["late_ms"]) == (
        "expired", "completed", post.clock.now_ms(),
    )  # fmt: skip
    assert (second["outcome"], second["late"]) == ("completed", None)


def test_a_result_nobody_was_asked_for_is_unheard_of(post: Post, desk: Desk) -> None:
    instance = post.begin(ONE)

    assert desk.complete([(Held(instance, 99, 1), {}), (Held("nobody", 1, 1), {})]) == [
        "unheard", "unheard",
    ]  # fmt: skip


def test_a_result_that_is_no_json_fails_the_job(post: Post, desk: Desk) -> None:
    instance = post.begin(ONE)
    (lease,) = claim(desk)

    assert desk.complete([(held(lease), {"n": object()})]) == ["taken"]
    assert post.row(instance).status == "faulted"


# -- while it is out


def test_a_heartbeat_says_until_when_a_job_is_held_or_that_it_is_lost(
    post: Post, desk: Desk
) -> None:
    post.begin(ONE)
    post.begin(ONE)
    kept, lost = claim(desk, lease_s=10)
    post.engine.cancel(lost.instance)
    post.pass_time(9000)

    beats = desk.beat([(held(kept), {"done": 3}), (held(lost), None)], lease_s=10)

    assert [one.until_ms for one in beats] == [post.clock.now_ms() + 10_000, None]
    post.pass_time(9000)
    assert claim(desk) == []


def test_the_next_attempt_gets_the_progress_of_the_one_before(post: Post, desk: Desk) -> None:
    post.begin(ONE)
    (first,) = claim(desk, lease_s=1)
    assert first.progress is None
    desk.beat([(held(first), {"done": 3})], lease_s=1)
    post.pass_time(1000)

    (second,) = claim(desk)

    assert (second.attempt, second.progress) == (2, {"done": 3})


def test_a_failed_attempt_is_made_again_after_a_pause(post: Post, desk: Desk) -> None:
    instance = post.begin(ONE)
    (lease,) = claim(desk)

    assert desk.retry([(held(lease), FAILED)], pause_s=5) == [True]
    assert desk.retry([(held(lease), FAILED)]) == [False]

    assert claim(desk) == []
    post.pass_time(5000)
    (again,) = claim(desk)
    assert post.row(instance).status == "running"
    found = post.engine.store.attempts(instance, lease.job)
    assert (found[0]["outcome"], found[0]["error"]["title"]) == ("retried", FAILED["title"])
    assert desk.complete([(held(again), {})]) == ["taken"]


def test_what_is_released_is_given_out_again_and_is_no_failure(post: Post, desk: Desk) -> None:
    post.begin(ONE)
    (lease,) = claim(desk)

    assert desk.release([held(lease)]) == [True]
    assert desk.release([held(lease)]) == [False]

    (again,) = claim(desk)
    assert outcomes(post, again) == ["released", None]


def test_a_job_that_kills_its_workers_fails_after_so_many_attempts(post: Post, desk: Desk) -> None:
    instance = post.begin(ONE)
    for _ in range(post.engine.settings.most_attempts):
        assert post.row(instance).status == "running"
        assert len(claim(desk, lease_s=1)) == 1
        post.pass_time(1000)

    assert claim(desk) == []
    assert post.row(instance).status == "faulted"
    assert "attempts gave no result" in str(post.row(instance).error)


# -- what nobody knows


def test_a_doubted_job_waits_until_somebody_has_found_out(post: Post, desk: Desk) -> None:
    instances = [post.begin(ONE) for _ in range(3)]
    leases = {lease.instance: lease for lease in claim(desk)}
    lost = problem("communication", "the connection broke after the request was sent")
    assert desk.doubt([(held(lease), lost) for lease in leases.values()]) == [True, True, True]
    post.pass_time(10**6)
    assert claim(desk) == []
    assert {one.instance for one in post.engine.store.doubted()} == set(instances)

    done, failed, again = instances
    assert desk.resolve(done, leases[done].job, "completed", {"n": 1})
    assert desk.resolve(failed, leases[failed].job, "failed", FAILED)
    assert desk.resolve(again, leases[again].job, "again")
    assert not desk.resolve(again, leases[again].job, "again")

    assert post.output(done) == {"n": 1}
    assert post.row(failed).status == "faulted"
    (second,) = claim(desk)
    assert (second.instance, second.attempt) == (again, 2)
    assert outcomes(post, second) == ["unknown", None]
    assert desk.complete([(held(leases[done]), {"n": 1})]) == ["late"]


# -- who gets what


def test_a_flood_of_one_tenant_does_not_keep_another_waiting(post: Post, desk: Desk) -> None:
    digest = post.engine.deploy(ONE)
    for number in range(50):
        post.engine.start(digest, {}, instance=f"f{number:02}", tenant="flood")
    for number in range(5):
        post.engine.start(digest, {}, instance=f"s{number:02}", tenant="small")

    first = claim(desk, 10)

    assert sorted(lease.tenant for lease in first) == ["flood"] * 5 + ["small"] * 5
    assert [lease.instance for lease in claim(desk, 10)] == [f"f{n:02}" for n in range(5, 15)]


def test_a_limit_holds_for_a_tenant_a_type_and_each_instance(post: Post, desk: Desk) -> None:
    store = post.engine.store
    digest = post.engine.deploy(SIDE_BY_SIDE)
    for number in range(3):
        post.engine.start(digest, {}, instance=f"i{number}", tenant="T")

    store.set_limit("instance", "", 2)
    per_instance = claim(desk, 9)
    assert sorted(lease.instance for lease in per_instance) == ["i0", "i0", "i1", "i1", "i2", "i2"]
    desk.release([held(lease) for lease in per_instance])
    store.set_limit("tenant", "T", 4)
    per_tenant = claim(desk, 9)
    assert len(per_tenant) == 4
    assert claim(desk, 9) == []
    desk.release([held(lease) for lease in per_tenant])
    store.set_limit("type", "work", 1)
    assert len(claim(desk, 9)) == 1
    assert claim(desk, 9) == []
    store.set_limit("type", "work", None)
    store.set_limit("tenant", "T", None)
    store.set_limit("instance", "", None)
    assert len(claim(desk, 9)) == 8


def test_children_belong_to_the_tenant_of_their_parent(post: Post, desk: Desk) -> None:
    post.publish(process("start -> a -> end", name="child"))
    digest = post.publish(process("start -> call -> end", name="parent", call=calls("child")))
    post.engine.start(digest, {}, instance="p", tenant="T")
    settle(post.engine)

    (lease,) = claim(desk)

    assert (lease.tenant, post.row(lease.instance).tenant) == ("T", "T")


# -- asking


def test_who_waits_for_a_job_gets_it_when_it_comes(post: Post, desk: Desk) -> None:
    found: list[Lease] = []
    asking = threading.Event()

    def wait() -> None:
        asking.set()
        found.extend(claim(desk, wait_s=30))

    waiting = threading.Thread(target=wait)
    waiting.start()
    asking.wait()
    post.begin(ONE)
    waiting.join(20)

    assert len(found) == 1


@pytest.mark.parametrize(
    ("types", "most", "worker", "more"),
    [
        (("work",), 0, "w", {}),
        (("work",), 10_001, "w", {}),
        (("work",), 1, "", {}),
        (("work",), 1, "w", {"wait_s": 61}),
        (("work",), 1, "w", {"wait_s": -1}),
        (("work",), 1, "w", {"lease_s": 0}),
        (("work",), 1, "w", {"lease_s": 10**6}),
        (("work",), 1, "w", {"lease_s": float("nan")}),
    ],
)
def test_what_cannot_be_asked_for_is_refused(
    desk: Desk, types: tuple[str, ...], most: int, worker: str, more: dict[str, Any]
) -> None:
    with pytest.raises(CallerError):
        desk.claim(types, most, worker, **more)


def test_nobody_gets_a_job_of_a_type_that_nobody_named(post: Post, desk: Desk) -> None:
    post.begin(process("start -> a -> end", a=task("other")))

    assert claim(desk) == []
    assert desk.claim((), 5, "w") == []
    assert [lease.type for lease in desk.claim(("work", "other", "work"), 5, "w")] == ["other"]
